/** Makes and finds elements. */

/** @typedef {{ [name: string]: string | number | boolean | null | undefined | ((event: Event) => void) }} Attributes */

/**
 * An element with attributes (`on…` are listeners, the others strings, true or false) and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * Replaces the children of an element; the focus stays on the button that takes the place of the one that had it.
 * @param {Element} parent
 * @param {(Node | string)[]} children
 */
export function replaceChildren(parent, ...children) {
  const at = [...parent.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
  parent.replaceChildren(...children);
  if (at >= 0) parent.querySelectorAll("button")[at]?.focus({ preventScroll: true });
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Element} parent
 * @param {Tag} tag
 * @param {Record<string, string | number>} [attributes]
 */
export function draw(parent, tag, attributes = {}) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, String(value));
  parent.append(shape);
  return shape;
}

/**
 * An element of the document, of a kind such as `HTMLButtonElement`.
 * @template {Element} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${kind.name} '${id}'`);
  return found;
}

/**
 * The closest element around an event that matches a selector.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | SVGElement | null}
 */
export function closest(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/** Bidi controls: without their counterparts they would turn what follows a text, even out of an isolating element. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text with a direction of its own. @param {string} text @param {string} [kind] */
export const isolated = (text, kind) => element("bdi", { class: kind }, text.replace(CONTROLS, ""));

/** A name, which is the same in every language. @param {string} text */
export function named(text) {
  const made = isolated(text);
  made.translate = false;
  return made;
}

/** Copies a text; returns whether the browser allowed it. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.body.appendChild(element("textarea", {}, text));
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}
