/** Lines of moves: the game, its variations and the engine's lines. */
/** @import { AnnotatedNode } from "../messages.js" */

/**
 * A line that leaves its parent after the move number `branch`; the game has no parent.
 * @typedef {{
 *   kind: "main" | "variation" | "engine", moves: AnnotatedNode[], parent: MoveLine | null, branch: number,
 * }} MoveLine
 */
/** @typedef {{ line: MoveLine, ply: number }} Place a line, and the number of its moves that are made */

/** @param {AnnotatedNode[]} nodes of the game, with its start position */
export function makeLines(nodes) {
  /** @type {Map<AnnotatedNode, MoveLine>} by the nodes where they begin */
  const engineLines = new Map();
  /** @type {MoveLine} */
  const main = { kind: "main", moves: nodes.slice(1), parent: null, branch: 0 };

  /**
   * A line that leaves `parent` after its move number `branch`.
   * @param {MoveLine["kind"]} kind
   * @param {AnnotatedNode[]} moves
   * @param {Place} from
   * @returns {MoveLine}
   */
  const subline = (kind, moves, { line, ply }) => ({ kind, moves, parent: line, branch: ply });

  /** @param {Place} place @returns {AnnotatedNode} */
  function nodeAt({ line, ply }) {
    if (ply > 0) return line.moves[ply - 1];
    return line.parent ? nodeAt({ line: line.parent, ply: line.branch }) : nodes[0];
  }

  /**
   * The place before; that of the first move of a variation is in the line it leaves.
   * @param {Place} place
   * @returns {Place}
   */
  function before({ line, ply }) {
    if (ply > 1 || !line.parent) return { line, ply: Math.max(ply - 1, 0) };
    return { line: line.parent, ply: line.branch };
  }

  /**
   * The engine's line from a place, made once.
   * @param {Place} place
   */
  function engineLine(place) {
    const node = nodeAt(place), known = engineLines.get(node);
    if (known || !node.line) return known;
    const line = subline("engine", node.line, place);
    engineLines.set(node, line);
    return line;
  }

  /**
   * The number of moves of the game before a place leaves it.
   * @param {Place} place
   * @returns {number}
   */
  function mainPly({ line, ply }) {
    return line.parent ? mainPly({ line: line.parent, ply: line.branch }) : ply;
  }

  return { main, subline, nodeAt, before, engineLine, mainPly };
}
