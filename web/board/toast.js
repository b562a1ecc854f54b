/** Short messages at the edge of the page. */
import { byId, copyText } from "../shared/dom.js";

const TOAST_MS = 5000;
const box = byId("toast", HTMLElement);
let timer = 0;

export function hideToast() {
  box.classList.remove("shown");
}

/** @param {string} text */
export function toast(text) {
  box.textContent = text;
  box.classList.add("shown");
  clearTimeout(timer);
  timer = setTimeout(hideToast, TOAST_MS);
}

/** Copies a text, and says so. @param {string} what @param {string} text */
export async function copy(what, text) {
  toast(await copyText(text) ? `${what} copied.` : "The browser does not allow copying.");
}
