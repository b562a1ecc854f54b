/** The shapes of a position of Tri-Dimensional chess: one for each square, board, pin and piece. Where they are, render.js says. */
/** @import { Square, TridimBoardView, TridimGameView, TridimPieceView, TridimPinView } from "../../messages.js" */
/** @import { Geometry } from "./geometry.js" */
import { pieceAddress } from "../../shared/diagram.js";
import { draw } from "../../shared/dom.js";
import { boardOf, fileName, isAttack } from "./geometry.js";

/** @typedef {{ group: SVGElement, u: number, v: number, name: string, shape: SVGElement, mark: SVGElement }} Cell */

/**
 * @typedef {object} BoardShape
 * @property {TridimBoardView} data
 * @property {SVGElement} group
 * @property {SVGElement} frame
 * @property {SVGElement[]} edges the labels of files and ranks, in turn
 * @property {SVGElement} tag the name of the board, by which an attack board is chosen
 * @property {SVGElement | null} plate
 * @property {SVGElement} text
 */

/**
 * @typedef {{
 *   data: TridimPinView & { size: number }, group: SVGElement, post: SVGElement | null, place: SVGElement, label: SVGElement,
 * }} PinShape
 */

/** @typedef {TridimPieceView & { use: SVGElement }} PieceShape */

/**
 * @typedef {object} Scene
 * @property {Map<Square, Cell>} cells
 * @property {Map<string, BoardShape>} boards
 * @property {Map<string, PinShape>} pins
 * @property {PieceShape[]} pieces
 * @property {SVGElement} under what lies under the boards: the pins
 * @property {SVGElement} overlay
 */

/** @type {Record<string, string>} */
const NAMES = { W: "White's board", N: "neutral board", B: "Black's board" };

/**
 * @param {SVGElement} svg
 * @param {Pick<TridimGameView, "boards" | "pins" | "pieces">} game
 * @param {Geometry} geometry
 * @returns {Scene}
 */
export function buildScene(svg, game, geometry) {
  svg.replaceChildren();
  const under = draw(svg, "g", { "aria-hidden": "true" });
  const pins = new Map(game.pins.map((pin) => [pin.name, buildPin(under, pin, geometry.isSpace)]));
  const cells = new Map(), boards = new Map();
  /** @type {PieceShape[]} */
  const pieces = [];
  const heightOf = (/** @type {TridimBoardView} */ board) => geometry.corner(board)[2];
  const heights = [...new Set(game.boards.map(heightOf))].sort((a, b) => a - b);
  for (const height of heights) {
    const level = draw(svg, "g");
    const there = game.boards.filter((board) => heightOf(board) === height);
    for (const board of there) boards.set(board.name, buildBoard(level, board, cells));
    const standing = draw(level, "g", { "aria-hidden": "true" });
    for (const piece of game.pieces) {
      if (!there.some(({ name }) => name === boardOf(piece.square))) continue;
      const use = draw(standing, "use", { href: pieceAddress(piece.letter), class: `piece ${piece.color}`, "data-square": piece.square });
      pieces.push({ ...piece, use });
    }
  }
  const overlay = draw(svg, "g", { class: "overlay", "aria-hidden": "true" });
  return { cells, boards, pins, pieces, under, overlay };
}

/** @param {SVGElement} parent @param {TridimPinView} pin @param {boolean} isSpace @returns {PinShape} */
function buildPin(parent, pin, isSpace) {
  const group = draw(parent, "g", { class: "pin", "data-pin": pin.name });
  const post = isSpace ? draw(group, "path", { class: "post" }) : null;
  const place = draw(group, "path", { class: "place" });
  const label = draw(group, "text", { class: "pin-name" });
  label.textContent = pin.name;
  return { data: { ...pin, size: 2 }, group, post, place, label };
}

/**
 * @param {SVGElement} parent
 * @param {TridimBoardView} board
 * @param {Map<Square, Cell>} cells gets the squares of the board
 * @returns {BoardShape}
 */
function buildBoard(parent, board, cells) {
  const { name, size, owner } = board;
  const group = draw(parent, "g", { class: `level owner-${owner || "none"}`, "data-board": name });
  const label = isAttack(name) ? `Attack board ${name}, ${owner === "white" ? "White" : "Black"}'s` : `Board ${name}, ${NAMES[name]}`;
  const grid = draw(group, "g", { role: "grid", "aria-label": label });
  const frame = draw(grid, "path", { class: "frame", role: "presentation" });
  for (let v = size - 1; v >= 0; v--) {
    const row = draw(grid, "g", { role: "row" });
    for (let u = 0; u < size; u++) {
      const square = `${fileName(board.file + u)}${board.rank + v}${name}`;
      const shade = (board.file + u + board.rank + v) % 2 ? "light" : "dark";
      const cell = draw(row, "g", { role: "gridcell", class: `cell ${shade}`, "data-square": square });
      const shape = draw(cell, "path", { class: "square" }), mark = draw(cell, "path", { class: "mark", "fill-rule": "evenodd" });
      cells.set(square, { group: cell, u, v, name, shape, mark });
    }
  }
  const edges = [];
  for (let step = 0; step < size; step++) {
    for (const text of [fileName(board.file + step), String(board.rank + step)]) {
      const edge = draw(group, "text", { class: "edge", "aria-hidden": "true" });
      edge.textContent = text;
      edges.push(edge);
    }
  }
  const tag = isAttack(name)
    ? draw(group, "g", { class: "tag", role: "button", tabindex: "0", "data-tag": name })
    : draw(group, "g", { class: "title", "aria-hidden": "true" });
  const plate = isAttack(name) ? draw(tag, "rect", { rx: 5 }) : null;
  const text = draw(tag, "text");
  text.textContent = name;
  return { data: board, group, frame, edges, tag, plate, text };
}
