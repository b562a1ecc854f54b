/** Buttons, dialogs, keyboard shortcuts and files: what several modes need. */
/** @import { Attributes } from "../shared/dom.js" */
import { closest, element } from "../shared/dom.js";

/**
 * A button with a text, or with several parts.
 * @param {string | (Node | string)[]} content @param {(event: Event) => void} onclick
 * @param {Attributes} [attributes]
 */
export const button = (content, onclick, attributes) =>
  element("button", { type: "button", onclick, ...attributes }, ...[content].flat());

/**
 * A button whose text is a symbol.
 * @param {string} symbol
 * @param {string} title
 * @param {(event: Event) => void} onclick
 * @param {Attributes} [attributes]
 */
export const icon = (symbol, title, onclick, attributes) =>
  button(symbol, onclick, { title, "aria-label": title, ...attributes });

let dialogs = 0;

/**
 * A dialog of the page that its last button closes; `others` are the buttons before that one.
 * @param {string} kind @param {string} title @param {(Node | string)[]} parts @param {Node[]} others
 */
export function closingDialog(kind, title, parts, ...others) {
  const id = `dialog-${dialogs++}`, close = element("button", { class: "primary" }, "Close");
  const form = element("form", { method: "dialog" }, element("h2", { id }, title), ...parts,
    element("div", { class: "buttons" }, ...others, close));
  return document.body.appendChild(element("dialog", { class: kind, "aria-labelledby": id }, form));
}

const FIELDS = "input:not([type=checkbox]), select, textarea, .promotion";

/**
 * Whether a key is for a mode: it is shown without a dialog, and the focus is elsewhere.
 * @param {HTMLElement} section @param {KeyboardEvent} event @param {string} elsewhere
 */
const isFor = (section, event, elsewhere) =>
  !section.hidden && !section.inert && !document.querySelector("dialog[open]") && !closest(event, elsewhere);

/**
 * Keys that do something while a mode is shown, except in fields and dialogs. Letters and digits need Ctrl (or Cmd) or Alt, as
 * `Ctrl+z` and `Alt+1`: alone they begin a move.
 * @param {HTMLElement} section of the mode, or the whole page
 * @param {Record<string, () => void>} keys
 */
export function addShortcuts(section, keys) {
  document.addEventListener("keydown", (event) => {
    const held = event.ctrlKey || event.metaKey ? `Ctrl+${event.shiftKey ? "Shift+" : ""}` : event.altKey ? "Alt+" : "";
    // With Alt some keyboards write other characters.
    const [, place] = (held === "Alt+" && /^(?:Digit|Key)(.)$/.exec(event.code)) || [];
    const key = place && !/^[a-z]$/i.test(event.key) ? place : event.key;
    const action = keys[held + (key.length === 1 ? key.toLowerCase() : key)];
    if (!action || (event.ctrlKey && event.altKey) || !isFor(section, event, held ? FIELDS : `${FIELDS}, [role=tab]`)) return;
    event.preventDefault();
    action();
  });
}

/**
 * Letters and digits that are typed while a mode is shown, except in fields and dialogs.
 * @param {HTMLElement} section of the mode @param {(key: string) => boolean} type whether it has used the key
 */
export function addTyping(section, type) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !isFor(section, event, FIELDS)) return;
    if (/^[\p{L}\p{N}]$/u.test(event.key) && type(event.key)) event.preventDefault();
  });
}

/**
 * A hidden field for files, which a button clicks; `take` gets those that are chosen.
 * @param {Attributes} attributes @param {(files: File[]) => void} take
 */
export function fileField(attributes, take) {
  const field = element("input", { type: "file", hidden: true, ...attributes, onchange: () => {
    const files = [...field.files ?? []];
    field.value = "";
    if (files.length) take(files);
  } });
  return field;
}

/** Has the browser save a text as a file. @param {string} text @param {string} name */
export function download(text, name) {
  const address = URL.createObjectURL(new Blob([text]));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * The name of a file by the players of a game and its date.
 * @param {string} white
 * @param {string} black
 * @param {string} date as in PGN
 */
export function fileName(white, black, date) {
  const known = /^\d{4}/.test(date) ? date.replaceAll(/[./]?\?\?/g, "").replaceAll("/", ".") : "";
  const words = [white, black].map((name) => name.replace(/[^\p{L}\p{N}.]+/gu, "_").replace(/^_|_$/g, ""));
  return `${[...words, known].filter(Boolean).join("-") || "game"}.pgn`;
}
