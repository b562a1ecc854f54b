/** The position after moves that wait for their turn. */
/** @import { PlayGameView } from "../../messages.js" */
import { boardField, piecesBySquare } from "../../shared/diagram.js";

/**
 * A position with the pieces where these moves put them; whose turn it is stays.
 * @param {string} fen
 * @param {PlayGameView["premoves"]} premoves
 */
export function withPremoves(fen, premoves) {
  if (!premoves.length) return fen;
  const pieces = piecesBySquare(fen);
  for (const { from, to, promotion } of premoves) {
    const piece = pieces.get(from);
    if (!piece) continue;
    const letter = promotion && (promotion === "knight" ? "n" : promotion[0]);
    pieces.delete(from);
    pieces.set(to, !letter ? piece : piece === "P" ? letter.toUpperCase() : letter);
  }
  return [boardField(pieces), ...fen.split(" ").slice(1)].join(" ");
}
