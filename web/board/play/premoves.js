/** The position after moves that wait for their turn. */
/** @import { PlayGameView } from "../../messages.js" */
import { piecesOf, squareName } from "../../shared/diagram.js";

/**
 * A position with the pieces where these moves put them; whose turn it is stays.
 * @param {string} fen
 * @param {PlayGameView["premoves"]} premoves
 */
export function withPremoves(fen, premoves) {
  if (!premoves.length) return fen;
  /** @type {Map<string, string>} */
  const pieces = new Map(piecesOf(fen).flatMap((piece, index) => (piece ? [/** @type {[string, string]} */ ([squareName(index), piece])] : [])));
  for (const { from, to, promotion } of premoves) {
    const piece = pieces.get(from);
    if (!piece) continue;
    const letter = promotion && (promotion === "knight" ? "n" : promotion[0]);
    pieces.delete(from);
    pieces.set(to, !letter ? piece : piece === "P" ? letter.toUpperCase() : letter);
  }
  const rows = Array.from({ length: 8 }, (_, row) => Array.from({ length: 8 }, (_, file) => pieces.get(squareName(8 * row + file)) ?? "1").join(""));
  return [rows.join("/").replace(/1+/g, (empty) => String(empty.length)), ...fen.split(" ").slice(1)].join(" ");
}
