/** The pieces on a chessboard: their names, and how they move from one position to the next. */
/** @import { Square } from "../../messages.js" */
import { colorOf, corner, drawPiece } from "../../shared/diagram.js";

/** @typedef {Map<Square, string>} Pieces letters as in a FEN, by square */

const MOVE_MS = 170, CASTLING_MS = 320, MAX_ANIMATED = 4;
/** @type {Record<string, string>} */
export const ROLES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/** @param {string} piece */
export const pieceName = (piece) => `${colorOf(piece)} ${ROLES[piece.toLowerCase()]}`;

/** @param {Square} one @param {Square} other */
const distance = (one, other) => Math.hypot(one.charCodeAt(0) - other.charCodeAt(0), one.charCodeAt(1) - other.charCodeAt(1));

/**
 * Lets the pieces that have moved glide, and those that are gone fade. `origin` is a piece that was dropped: it glides from there.
 * @param {Element} layer
 * @param {Map<Square, SVGElement>} drawn the pieces as they are now
 * @param {Pieces} before
 * @param {Pieces} after
 * @param {{ last: Square[], flipped: boolean, origin: { from: Square, to: Square } | null }} state
 */
export function animatePieces(layer, drawn, before, after, { last, flipped, origin }) {
  const appeared = [...after].filter(([square, piece]) => before.get(square) !== piece);
  const gone = [...before].filter(([square, piece]) => after.get(square) !== piece);
  const vanished = gone.map(([square, piece]) => ({ square, piece, used: false }));
  if (appeared.length > MAX_ANIMATED) return;
  const [lastFrom, lastTo] = last;
  const duration = appeared.length > 1 ? CASTLING_MS : MOVE_MS;
  for (const [square, piece] of appeared) {
    const same = vanished.filter((old) => !old.used && old.piece === piece);
    same.sort((one, other) => distance(one.square, square) - distance(other.square, square));
    const promoted = vanished.find((old) => !old.used && old.square === lastFrom && square === lastTo);
    const old = same[0] || promoted;
    if (!old) continue;
    old.used = true;
    const start = origin && origin.from === old.square ? origin.to : old.square;
    if (start === square) continue;
    const frames = [start, square].map((place) => {
      const [x, y] = corner(place, flipped);
      return { transform: `translate(${x}px, ${y}px)` };
    });
    drawn.get(square)?.animate(frames, { duration, easing: "ease-in-out" });
  }
  for (const { square, piece, used } of vanished) {
    if (used) continue;
    const ghost = drawPiece(layer, piece, corner(square, flipped));
    layer.prepend(ghost);
    ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration }).addEventListener("finish", () => ghost.remove());
  }
}
