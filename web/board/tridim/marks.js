/** Marks on the boards: moves that are chosen, proposed, pointed at or refused. */
/** @import { Square, Step, CastlingStatus, TridimGameView, TridimLastMove, TridimLegalMove } from "../../messages.js" */
/** @import { Marks, Target } from "./view.js" */
import { boardOf, fileName, fileOf, rankOf } from "./geometry.js";

/** @typedef {CastlingStatus & { king: Step, rook: Step }} OpenCastling */

/**
 * @typedef {object} Choice
 * @property {Target | null} selected
 * @property {TridimLegalMove | null} proposed a move that waits to be confirmed
 * @property {TridimLegalMove | null} advised a good move
 * @property {OpenCastling | null} hinted a kind of castling that is pointed at
 * @property {Square[]} reason
 */

/** @param {TridimLegalMove} move @returns {Target} */
const sourceOf = (move) => (move.kind === "board" ? { pin: move.from } : { square: move.from });

/** @param {Target | null} one @param {Target | null} other */
export const isSame = (one, other) => one !== null && other !== null && one.square === other.square && one.pin === other.pin;

/** @param {TridimGameView} game @param {Target} source */
export const movesOf = (game, source) => game.legal.filter((move) => isSame(sourceOf(move), source));

/** The kind of castling a legal move is. @param {TridimGameView} game @param {TridimLegalMove} move */
export function castlingOf(game, move) {
  return move.kind === "castling" ? openCastlings(game).find((option) => option.move === move.text) ?? null : null;
}

/** @param {CastlingStatus} option @returns {option is OpenCastling} */
export const isOpen = (option) => option.open;

/** @param {TridimGameView} game */
const openCastlings = (game) => game.castling.filter(isOpen);

/** A move the other way. @param {TridimLastMove | null} move @returns {TridimLastMove | null} */
export function reversed(move) {
  if (!move) return null;
  const { pieces, board } = move;
  return { pieces: pieces.map(([from, to]) => [to, from]), board: board && [board[1], board[0]] };
}

/** @param {TridimGameView} game @param {Choice} choice @returns {Marks} */
export function marksOf(game, { selected, proposed: waiting, advised, hinted, reason }) {
  // Advice looks like a move that waits.
  const proposed = waiting ?? advised;
  /** @type {Marks} */
  const marks = {
    selected: proposed ? sourceOf(proposed) : selected, targets: new Map(), pinTargets: new Set(),
    last: game.last ? game.last.pieces.flat() : [], check: game.check, reason, squares: new Map(), arrows: [], ghosts: [], ghostBoard: null,
  };
  for (const move of selected ? movesOf(game, selected) : []) {
    if (move.kind === "board") marks.pinTargets.add(move.to[0]);
    else for (const square of move.to) marks.targets.set(square, move.capture ? "target capture" : "target");
  }
  // Castling: of a chosen king every option, otherwise the one that is pointed at or proposed.
  const shown = hinted ?? (proposed && castlingOf(game, proposed));
  const options = shown ? [shown] : openCastlings(game).filter(({ king }) => selected?.square === king.from);
  for (const { kind, king, rook } of options) {
    for (const square of [king.from, king.to]) marks.squares.set(square, "castling-king");
    for (const square of [rook.from, rook.to]) if (!marks.squares.has(square)) marks.squares.set(square, "castling-rook");
    const bow = kind === "queenside" ? -1.3 : -0.55;
    if (shown) marks.arrows.push({ ...king, role: "king", bow }, { ...rook, role: "rook", bow });
  }
  if (proposed?.kind === "board") {
    marks.ghostBoard = proposed.to[0];
    marks.ghosts = carriedBy(game, proposed);
  } else if (proposed?.kind === "piece") {
    const piece = game.pieces.find(({ square }) => square === proposed.from);
    if (piece) marks.ghosts.push({ square: proposed.to[0], letter: proposed.promotion ?? piece.letter, color: piece.color });
    marks.arrows.push({ from: proposed.from, to: proposed.to[0], role: "move" });
  }
  return marks;
}

/** The pieces on a board, where its move takes them. @param {TridimGameView} game @param {TridimLegalMove} move */
function carriedBy(game, move) {
  const from = game.boards.find(({ name }) => name === move.from), to = game.pins.find(({ name }) => name === move.to[0]);
  if (!from || !to) return [];
  const turned = (/** @type {number} */ step) => (move.from === move.to[0] ? 1 - step : step);
  return game.pieces.filter(({ square }) => boardOf(square) === move.from).map(({ square, letter, color }) => {
    const file = to.file + turned(fileOf(square) - from.file), rank = to.rank + turned(rankOf(square) - from.rank);
    return { square: `${fileName(file)}${rank}${to.name}`, letter, color };
  });
}
