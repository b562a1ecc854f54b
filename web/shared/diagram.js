/** Draws a board into an SVG element of 800 by 800 with the drawings of pieces.svg, and an evaluation bar. */
/** @import { Color, Square } from "../messages.js" */
import { draw, element } from "./dom.js";
import { sideToMove } from "./notation.js";

export const SQUARE_SIZE = 100;

/** @typedef {[number, number]} Point */

/**
 * What is drawn: `last` are origin and destination of the last move; in check, the king of the side to move is marked.
 * @typedef {{ fen: string, last?: Square[] | null, check?: boolean, flipped?: boolean }} Diagram
 */

/** @param {number} index */
export const squareName = (index) => "abcdefgh"[index % 8] + (8 - Math.floor(index / 8));

/** The pieces of a FEN by their squares, from a8 to h1. @param {string} fen */
export function piecesBySquare(fen) {
  /** @type {Map<Square, string>} */
  const pieces = new Map();
  let index = 0;
  for (const letter of fen.split(" ")[0]) {
    if (letter === "/") continue;
    if (letter >= "1" && letter <= "8") index += Number(letter);
    else pieces.set(squareName(index++), letter);
  }
  return pieces;
}

/** The board field of a FEN with these pieces. @param {Map<Square, string>} pieces */
export function boardField(pieces) {
  const rows = Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_, file) => pieces.get(squareName(8 * row + file)) ?? "1").join(""));
  return rows.join("/").replace(/1+/g, (empty) => `${empty.length}`);
}

/** @param {string} piece @returns {Color} */
export const colorOf = (piece) => (piece === piece.toUpperCase() ? "white" : "black");

/**
 * The left upper corner of a square on the drawing.
 * @param {Square} square
 * @param {boolean} flipped
 * @returns {Point}
 */
export function corner(square, flipped) {
  const file = "abcdefgh".indexOf(square[0]), row = 8 - Number(square[1]);
  return flipped ? [SQUARE_SIZE * (7 - file), SQUARE_SIZE * (7 - row)] : [SQUARE_SIZE * file, SQUARE_SIZE * row];
}

/** @param {Square} square @param {boolean} flipped */
export function center(square, flipped) {
  const [x, y] = corner(square, flipped);
  return [x + SQUARE_SIZE / 2, y + SQUARE_SIZE / 2];
}

/** @param {Element} board @param {Square[]} squares from and to @param {boolean} flipped */
export function drawArrow(board, [from, to], flipped, kind = "") {
  const [x, y] = center(from, flipped), [toX, toY] = center(to, flipped);
  const length = Math.hypot(toX - x, toY - y), shaft = length - 42;
  const angle = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
  draw(board, "path", {
    class: `arrow ${kind}`.trim(), d: `M22 -9H${shaft}V-27L${length - 4} 0L${shaft} 27V9H22A9 9 0 0 1 22 -9Z`,
    transform: `translate(${x} ${y}) rotate(${angle})`,
  });
}

/** Draws the squares and coordinates. @param {Element} board @param {Diagram} diagram */
export function drawSquares(board, { fen, last, check = false, flipped = false }) {
  const king = sideToMove(fen) === "white" ? "K" : "k", pieces = piecesBySquare(fen);
  for (let index = 0; index < 64; index++) {
    const square = squareName(index), isChecked = check && pieces.get(square) === king;
    const [x, y] = corner(square, flipped);
    const shade = (index + Math.floor(index / 8)) % 2 === 0 ? "light" : "dark";
    const kind = last?.includes(square) ? `${shade} last` : shade;
    draw(board, "rect", { x, y, width: SQUARE_SIZE, height: SQUARE_SIZE, class: isChecked ? "check" : kind });
    if (x === 0) draw(board, "text", { x: 5, y: y + 20, class: kind }).textContent = square[1];
    if (y === 700) draw(board, "text", { x: x + 84, y: 793, class: kind }).textContent = square[0];
  }
}

/** The start of the names of the drawings of pieces. */
let pieceSet = "";

/** @param {string} piece */
export const pieceAddress = (piece) => `#${pieceSet}${piece.toLowerCase()}`;

/** Draws all pieces with another set of drawings, also those that are shown. @param {string} prefix */
export function usePieces(prefix) {
  pieceSet = prefix;
  for (const piece of document.querySelectorAll("use.piece:not(.fixed)")) {
    piece.setAttribute("href", pieceAddress(piece.getAttribute("href")?.slice(-1) ?? ""));
  }
}

/**
 * Draws a piece, given as in a FEN, with its left upper corner at a point.
 * @param {Element} board
 * @param {string} piece
 * @param {Point} corner
 */
export function drawPiece(board, piece, [x, y]) {
  const attributes = { class: `piece ${colorOf(piece)}`, transform: `translate(${x} ${y})` };
  return draw(board, "use", { href: pieceAddress(piece), ...attributes });
}

/**
 * Draws a piece alone, of the color of its letter in a FEN by default.
 * @param {Element} parent @param {string} letter
 */
export function drawPicture(parent, letter, color = colorOf(letter)) {
  const picture = draw(parent, "svg", { class: "board", viewBox: "0 0 100 100", "aria-hidden": "true" });
  return draw(picture, "use", { href: pieceAddress(letter), class: `piece ${color}` });
}

/** Draws the pieces of a FEN; returns their elements by square. @param {Element} board @param {Diagram} diagram */
export function drawPieces(board, { fen, flipped = false }) {
  /** @type {Map<Square, SVGElement>} */
  const drawn = new Map();
  for (const [square, piece] of piecesBySquare(fen)) {
    drawn.set(square, drawPiece(board, piece, corner(square, flipped)));
  }
  return drawn;
}

/**
 * Shows White's expected score, from 0 to 1, or `null`, and a short label.
 * @param {HTMLElement} bar
 * @param {{ points: number | null, label?: string, flipped?: boolean }} evaluation
 */
export function showEvaluation(bar, { points, label = "", flipped = false }) {
  const ahead = points !== null && points >= 0.5 ? "white-ahead" : "black-ahead";
  bar.className = `evaluation ${ahead}${flipped ? " flipped" : ""}${points === null ? " unknown" : ""}`;
  // The element stays, so that its height changes gradually.
  const part = bar.querySelector("i") || bar.appendChild(element("i"));
  const text = bar.querySelector("span") || bar.appendChild(element("span"));
  part.style.height = `${100 * (points ?? 0.5)}%`;
  text.textContent = label;
}
