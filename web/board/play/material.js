/** Captured pieces and the difference of material, beside the names of the players. */
/** @import { Color } from "../../messages.js" */
import { colorOf, drawPicture, piecesBySquare } from "../../shared/diagram.js";
import { element } from "../../shared/dom.js";
import { counted } from "../../shared/notation.js";
import { ROLES } from "../chessboard/pieces.js";

/** @type {Record<string, number>} */
const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1 };

/** @param {string} fen @param {Color} color @returns {Record<string, number>} the pieces of a color by their letters */
function count(fen, color) {
  const counts = Object.fromEntries(Object.keys(VALUES).map((letter) => [letter, 0]));
  for (const piece of piecesBySquare(fen).values()) {
    const letter = piece.toLowerCase();
    if (colorOf(piece) === color && letter in counts) counts[letter] += 1;
  }
  return counts;
}

/** @param {Record<string, number>} counts */
const worth = (counts) => Object.entries(counts).reduce((sum, [letter, number]) => sum + VALUES[letter] * number, 0);

/**
 * What a color has lost since the start of the game; a promoted pawn is not lost.
 * @param {string} start
 * @param {string} fen
 * @param {Color} color
 */
function lost(start, fen, color) {
  const before = count(start, color), now = count(fen, color);
  let promoted = 0;
  /** @type {Record<string, number>} */
  const missing = {};
  for (const letter of Object.keys(VALUES)) {
    missing[letter] = Math.max(before[letter] - now[letter], 0);
    promoted += Math.max(now[letter] - before[letter], 0);
  }
  missing.p = Math.max(missing.p - promoted, 0);
  return missing;
}

/**
 * Fills an element with what a color has captured, and how much it is ahead.
 * @param {HTMLElement} place
 * @param {string} start
 * @param {string} fen
 * @param {Color} color
 */
export function fillMaterial(place, start, fen, color) {
  const other = color === "white" ? "black" : "white";
  const captured = lost(start, fen, other), ahead = worth(count(fen, color)) - worth(count(fen, other));
  const key = JSON.stringify([captured, ahead]);
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  const taken = Object.entries(captured).filter(([, number]) => number);
  const groups = taken.map(([letter, number]) => {
    const group = element("span");
    for (let index = 0; index < number; index++) drawPicture(group, letter, other);
    return group;
  });
  const words = taken.map(([letter, number]) => counted(number, ROLES[letter]));
  const balance = ahead > 0 ? `+${ahead}` : "";
  place.replaceChildren(...groups, ...(balance ? [element("b", { class: "number" }, balance)] : []));
  place.setAttribute("aria-label", words.length || balance ? `Captured: ${words.join(", ") || "nothing"}${balance ? `; ${balance} ahead` : ""}` : "");
  place.hidden = !words.length && !balance;
}
