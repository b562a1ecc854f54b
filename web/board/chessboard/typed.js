/** Moves typed on a chessboard. */
/** @import { LegalMove } from "../../messages.js" */

/** @param {string} san */
const plain = (san) => san.replace(/[+#=x]|^P(?=[a-h])/g, "").replaceAll("0", "O");

/** The squares of a move such as `e2e4`, and the letter of a promotion, or `null`. @param {string} text */
export const squaresOf = (text) => /^([a-h][1-8])([a-h][1-8])([qrbn]?)$/i.exec(text)?.slice(1) ?? null;

/** The legal move that a text means: by its squares, or in SAN. @param {LegalMove[]} legal @param {string} text */
export function findTyped(legal, text) {
  const [from, to, promotion] = squaresOf(text) ?? [];
  return legal.find((move) => move.uci === text.toLowerCase())
    ?? legal.find((move) => move.from === from && move.to.includes(to) && (move.promotion ?? "") === promotion.toLowerCase())
    ?? legal.find((move) => plain(move.san) === plain(text));
}
