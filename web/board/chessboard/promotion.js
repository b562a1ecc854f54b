/** The choice of a piece that a pawn promotes to, over the file of a chessboard. */
/** @import { Color, Square } from "../../messages.js" */
import { corner, drawPicture } from "../../shared/diagram.js";
import { element } from "../../shared/dom.js";
import { promotionLetter } from "../../shared/letters.js";
import { button } from "../controls.js";
import { ROLES } from "./pieces.js";

const PROMOTIONS = ["q", "r", "b", "n"];

/**
 * Asks for a piece; `choose` gets its letter. Returns what closes the dialog, which calls `closed`.
 * @param {HTMLElement} container
 * @param {{ to: Square, color: Color, flipped: boolean }} move
 * @param {(role: string) => void} choose
 * @param {() => void} closed
 */
export function askPromotion(container, { to, color, flipped }, choose, closed) {
  const [x, y] = corner(to, flipped);
  const goesUp = y > 350;
  const order = goesUp ? [...PROMOTIONS].reverse() : PROMOTIONS;
  const buttons = order.map((role) => {
    const choice = button("", () => {
      close();
      choose(role);
    }, { "aria-label": ROLES[role], title: ROLES[role], "data-role": role });
    drawPicture(choice, role, color);
    return choice;
  });
  const list = element("div", { class: "choices" }, ...buttons);
  const dialog = element("div", { class: "promotion", role: "dialog", "aria-modal": "true", "aria-label": "Promote to" }, list);
  list.style.left = `${x / 8}%`;
  list.style[goesUp ? "bottom" : "top"] = "0";
  const close = () => {
    dialog.remove();
    closed();
  };
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  dialog.addEventListener("keydown", (event) => {
    const at = buttons.findIndex((choice) => choice === document.activeElement);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 };
    const step = steps[event.key], named = order.indexOf(promotionLetter(event.key).toLowerCase());
    if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else if (named >= 0) buttons[named].click();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  container.append(dialog);
  buttons[order.indexOf("q")].focus();
  return close;
}
