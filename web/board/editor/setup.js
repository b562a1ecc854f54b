/** A position while it is edited: it need not be legal. */
/** @import { Color, Square } from "../../messages.js" */
import { boardField, piecesBySquare } from "../../shared/diagram.js";

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
export const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";
/** The castling rights of a FEN. */
export const RIGHTS = ["K", "Q", "k", "q"];

/**
 * `rights` has what is written for each castling right: its letter, or that of the rook's file.
 * @typedef {{
 *   pieces: Map<Square, string>, turn: Color, rights: Map<string, string>, enPassant: Square | "", plies: string, number: string,
 * }} Setup
 */

/** Reads a FEN as far as it can be read. @param {string} fen @returns {Setup} */
export function parseSetup(fen) {
  const [board = "", turn, castling = "", enPassant = "", plies, number] = fen.trim().split(/\s+/);
  const pieces = new Map([...piecesBySquare(board)].filter(([square, piece]) =>
    /^[a-h][1-8]$/.test(square) && /^[kqrbnp]$/i.test(piece)));
  /** @type {Map<string, string>} */
  const rights = new Map();
  for (const letter of castling) {
    const right = RIGHTS.includes(letter) ? letter : rightOf(letter, pieces);
    if (right) rights.set(right, letter);
  }
  return {
    pieces, turn: turn === "b" ? "black" : "white", rights, enPassant: /^[a-h][36]$/.test(enPassant) ? enPassant : "",
    plies: plies || "0", number: number || "1",
  };
}

/** The right that the file of a rook means. @param {string} letter @param {Map<Square, string>} pieces */
function rightOf(letter, pieces) {
  if (!/^[a-h]$/i.test(letter)) return "";
  const isWhite = letter === letter.toUpperCase();
  const king = [...pieces].find(([, piece]) => piece === (isWhite ? "K" : "k"))?.[0] ?? "e";
  const right = letter.toLowerCase() > king[0] ? "k" : "q";
  return isWhite ? right.toUpperCase() : right;
}

/** @param {Setup} setup */
export function fenOf({ pieces, turn, rights, enPassant, plies, number }) {
  const castling = RIGHTS.map((right) => rights.get(right) ?? "").join("") || "-";
  return [boardField(pieces), turn[0], castling, enPassant || "-", plies, number].join(" ");
}

/** The squares that a pawn may just have skipped. @param {Setup} setup */
export function enPassantSquares({ pieces, turn }) {
  const [pawn, rank, skipped, home] = turn === "white" ? ["p", 5, 6, 7] : ["P", 4, 3, 2];
  return [..."abcdefgh"]
    .filter((file) => pieces.get(`${file}${rank}`) === pawn && !pieces.has(`${file}${skipped}`) && !pieces.has(`${file}${home}`))
    .map((file) => `${file}${skipped}`);
}
