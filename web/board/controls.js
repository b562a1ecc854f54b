/** Buttons, keyboard shortcuts and files: what several modes need. */
/** @import { Attributes } from "../shared/dom.js" */
import { closest, element } from "../shared/dom.js";

/** @param {string} text @param {(event: Event) => void} onclick @param {Attributes} [attributes] */
export const button = (text, onclick, attributes) => element("button", { type: "button", onclick, ...attributes }, text);

/**
 * A button whose text is a symbol.
 * @param {string} symbol
 * @param {string} title
 * @param {(event: Event) => void} onclick
 * @param {Attributes} [attributes]
 */
export const icon = (symbol, title, onclick, attributes) =>
  button(symbol, onclick, { title, "aria-label": title, ...attributes });

/**
 * Keys that do something while a mode is shown, except in fields and dialogs; with Ctrl or Cmd as `Ctrl+z`.
 * @param {HTMLElement} section of the mode, or the whole page
 * @param {Record<string, () => void>} keys
 */
export function addShortcuts(section, keys) {
  document.addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const held = event.ctrlKey || event.metaKey ? `Ctrl+${event.shiftKey ? "Shift+" : ""}` : "";
    const action = keys[held + key];
    if (!action || section.hidden || section.inert || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (closest(event, "input:not([type=checkbox]), select, textarea, [role=tab], .promotion")) return;
    event.preventDefault();
    action();
  });
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
