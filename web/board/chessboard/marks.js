/** Drawings on a chessboard besides the pieces: marked squares, the ways of pieces, and arrows. */
/** @import { Arrow, Square } from "../../messages.js" */
import { SQUARE_SIZE, center, corner, drawArrow } from "../../shared/diagram.js";
import { draw } from "../../shared/dom.js";
import { kindOf } from "../../shared/notation.js";

/** @typedef {{ square: Square, kind: string }} Mark */

/**
 * Marks squares, and the targets of the piece that is selected, which are captures or not.
 * @param {Element} layer
 * @param {Mark[]} marks
 * @param {[Square, boolean][]} targets
 * @param {boolean} flipped
 */
export function drawMarks(layer, marks, targets, flipped) {
  layer.replaceChildren();
  for (const { square, kind } of marks) {
    const [x, y] = corner(square, flipped);
    draw(layer, "rect", { x, y, width: SQUARE_SIZE, height: SQUARE_SIZE, class: `mark ${kind}` });
  }
  for (const [square, isCapture] of targets) {
    const [cx, cy] = center(square, flipped);
    draw(layer, "circle", { cx, cy, r: isCapture ? 43 : 15, class: isCapture ? "target capture" : "target" });
  }
}

/** Half the width of a badge. */
const BADGE = 24;

/** The assessment of the last move, as `?!`, at a corner of its square. @param {Element} layer @param {Square | undefined} square @param {boolean} flipped */
export function drawBadge(layer, square, mark = "", flipped) {
  layer.replaceChildren();
  if (!square || !mark) return;
  const [x, y] = corner(square, flipped);
  const cx = Math.min(x + SQUARE_SIZE - 8, 8 * SQUARE_SIZE - BADGE - 2), cy = Math.max(y + 8, BADGE + 2);
  const badge = draw(layer, "g", { class: `badge ${kindOf({ mark })}`, transform: `translate(${cx} ${cy})` });
  draw(badge, "circle", { r: BADGE });
  draw(badge, "text", { y: 10 }).textContent = mark;
}

/** @param {Element} layer @param {{ squares: Square[], kind: string }[]} paths @param {boolean} flipped */
export function drawPaths(layer, paths, flipped) {
  layer.replaceChildren();
  for (const { squares, kind } of paths) {
    const points = squares.map((square) => center(square, flipped));
    draw(layer, "polyline", { class: `path ${kind}`, points: points.map((point) => point.join(",")).join(" ") });
    const [cx, cy] = points[points.length - 1];
    draw(layer, "circle", { cx, cy, r: 12, class: `path-end ${kind}` });
  }
}

/** @param {Element} layer @param {Arrow[]} arrows @param {boolean} flipped */
export function drawArrows(layer, arrows, flipped) {
  layer.replaceChildren();
  for (const { from, to, kind } of arrows) drawArrow(layer, [from, to], flipped, kind);
}
