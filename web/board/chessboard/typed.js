/** Moves typed on a chessboard. */
/** @import { LegalMove } from "../../messages.js" */

/** A text without what SAN does not need, castling and promotions in capitals. @param {string} text */
const plain = (text) => text.replaceAll(/[0o]/g, "O").replaceAll(/[+#=x]|^P(?=[a-h])|(?<!O)-/g, "")
  .replace(/(?<=[18])[qrbn]$/, (role) => role.toUpperCase());

/** The squares of a move such as `e2e4`, and the letter of a promotion, or `null`. @param {string} text */
export const squaresOf = (text) => /^([a-h][1-8])([a-h][1-8])([qrbn]?)$/i.exec(text)?.slice(1) ?? null;

/** The plain texts that mean a move in SAN; the origin of a piece may be given where it is not needed. @param {LegalMove} move */
function namesOf({ san, from, to }) {
  const [piece] = /^[KQRBN]/.exec(san) ?? [];
  return piece ? ["", from[0], from[1], from].map((origin) => piece + origin + to[0]) : [plain(san)];
}

/** The only legal move that a plain text means in SAN. @param {LegalMove[]} legal @param {string} text */
function findSan(legal, text) {
  const [found, ...others] = legal.filter((move) => namesOf(move).includes(text));
  return others.length ? undefined : found;
}

/**
 * The legal move that a text means: by its squares, or in SAN, in which the letter of a piece may be a small one unless a pawn is meant.
 * @param {LegalMove[]} legal @param {string} text
 */
export function findTyped(legal, text) {
  const wanted = plain(text), [from, to, promotion] = squaresOf(wanted.toLowerCase()) ?? [];
  return findSan(legal, wanted)
    ?? legal.find((move) => move.from === from && move.to.includes(to) && (move.promotion ?? "") === promotion)
    ?? findSan(legal, wanted.replace(/^[nbrqk]/, (piece) => piece.toUpperCase()));
}
