/** A button that opens a menu. */
/** @import { Attributes } from "../shared/dom.js" */
import { closest, element } from "../shared/dom.js";
import { button } from "./controls.js";

/**
 * An item of a menu; with `checked` one that is ticked or not.
 * @typedef {{ text: string | Node, choose(): void, checked?: boolean, disabled?: boolean, title?: string }} Item
 */

/** Between a menu and its button or the edge of the window, in pixels. */
const GAP = 4;
let menus = 0;

/** Whether it is not a key that clicks. @param {Event} event */
const isClick = (event) => event instanceof MouseEvent && event.detail > 0;

/** @param {Item} item */
function row({ text, choose, checked, disabled = false, title }) {
  const role = checked === undefined ? "menuitem" : "menuitemcheckbox";
  return button([text], choose, { role, "aria-checked": checked?.toString(), disabled, title });
}

/**
 * The button; `items` are asked for when it is pressed, in groups with their headings, "" without one.
 * @param {string} label
 * @param {() => [heading: string, items: Item[]][]} items
 * @param {Attributes} [attributes]
 */
export function menuButton(label, items, attributes) {
  const list = element("div", { role: "menu", popover: "auto", class: "menu", id: `menu-${menus++}`, onclick: choose, onkeydown, ontoggle });
  const name = element("span", {}, label);
  const parts = [name, element("span", { class: "opens", "aria-hidden": "true" }, "▾")];
  const made = button(parts, (event) => (isClick(event) && wasOpen) || open(), {
    "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": list.id, ...attributes,
  });
  let wasOpen = false;
  // Which closes it before the click.
  made.addEventListener("pointerdown", () => (wasOpen = list.matches(":popover-open")));
  made.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    event.stopPropagation();
    open();
  });

  const choices = () => [...list.querySelectorAll("button")].filter((one) => !one.disabled);

  function open() {
    list.setAttribute("aria-label", name.textContent);
    list.replaceChildren(...items().map(([heading, some]) => heading === "" ? some.map(row)
      : [element("div", { role: "group", "aria-label": heading }, element("h2", { "aria-hidden": "true" }, heading), ...some.map(row))]).flat());
    // Beside its button in the document, so that it follows in the order of the focus.
    if (!list.isConnected) made.after(list);
    list.showPopover();
    place();
    choices()[0]?.focus();
  }

  /** Below the button, or where there is room. */
  function place() {
    if (!list.matches(":popover-open")) return;
    const from = made.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = list;
    const below = innerHeight - from.bottom - GAP;
    list.style.left = `${Math.max(GAP, Math.min(from.left, document.documentElement.clientWidth - width - GAP))}px`;
    list.style.top = `${Math.max(GAP, height + GAP <= below ? from.bottom + GAP : Math.min(from.top - height - GAP, innerHeight - height - GAP))}px`;
  }
  addEventListener("resize", place);

  /** @param {Event} event */
  function choose(event) {
    if (!closest(event, "button")) return;
    list.hidePopover();
    // After the mouse the arrow keys are those of the mode.
    if (isClick(event)) made.blur();
  }

  /** @param {Event} event */
  function onkeydown(event) {
    if (!(event instanceof KeyboardEvent)) return;
    // The keys of the mode are not for a menu.
    event.stopPropagation();
    const all = choices(), at = all.findIndex((one) => one === document.activeElement);
    /** @type {Record<string, number>} */
    const places = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 };
    if (event.key === "Tab") list.hidePopover();
    if (places[event.key] === undefined) return;
    event.preventDefault();
    all[places[event.key] % all.length]?.focus();
  }

  function ontoggle() {
    made.setAttribute("aria-expanded", String(list.matches(":popover-open")));
  }

  return {
    button: made,
    /** @param {string} text */
    name(text) {
      name.textContent = text;
    },
  };
}
