/** The rules of Tri-Dimensional chess, in short. */
import { element } from "../../shared/dom.js";
import { closingDialog } from "../controls.js";

const RULES = [
  ["Boards", "Three main boards of 4 × 4 squares: White's (W), the neutral one (N) and Black's (B). Four attack boards of 2 × 2 squares stand on twelve "
    + "pins: QL1 to QL6 on the queen's line, KL1 to KL6 on the king's. A square is named by file, rank and board: b3W, d0KL1."],
  ["Pieces", "Seen from above, each move is a move of chess; you choose among the squares of the column it reaches. A piece blocks its whole column, on all "
    + "levels: others cannot pass it, but may land above or below it."],
  ["Pawns", "They promote on the last rank. A pawn whose last square is covered by an attack board waits until the board has left."],
  ["Attack boards", "Instead of a piece you may move a board of yours that has at most one piece, to an adjacent pin, with that piece. It may not move directly "
    + "above or below a piece, except a knight. A piece that is carried has moved."],
  ["Castling", "On the king's side, king and rook exchange squares. On the queen's side, the king moves next to the rook, and the rook to the square the king has "
    + "left. Neither may have moved, nothing may stand between them, and not on the first move of the game. The king may not be in check, nor on an attacked "
    + "square afterwards; what it crosses may be attacked."],
  ["End", "Checkmate, stalemate, repetition and the fifty-move rule are those of chess."],
];

const dialog = closingDialog("rules", "Tri-Dimensional chess", [
  element("dl", {}, ...RULES.flatMap(([title, text]) => [element("dt", {}, title), element("dd", {}, text)])),
]);

export const showRules = () => dialog.showModal();
