/**
 * Lines of moves: the game, its variations and the engine's lines. A place is a line and the number of its moves that are
 * made: { line, ply }.
 */
const Lines = (nodes) => {
  const main = { kind: "main", moves: nodes.slice(1), parent: null, branch: 0 };

  /** A line that leaves `parent` after its move number `branch`. */
  const subline = (kind, moves, parent, branch) => ({ kind, moves, parent, branch });

  function nodeAt({ line, ply }) {
    if (ply > 0) return line.moves[ply - 1];
    return line.parent ? nodeAt({ line: line.parent, ply: line.branch }) : nodes[0];
  }

  /** The place before; that of the first move of a variation is in the line it leaves. */
  function before({ line, ply }) {
    if (ply > 1 || !line.parent) return { line, ply: Math.max(ply - 1, 0) };
    return { line: line.parent, ply: line.branch };
  }

  /** The engine's line from a place, made once. */
  function engineLine(place) {
    const node = nodeAt(place);
    if (!node.line) return null;
    node.subline ||= subline("engine", node.line, place.line, place.ply);
    return node.subline;
  }

  /** The last move of the game before a place is left. */
  function mainPly({ line, ply }) {
    return line.parent ? mainPly({ line: line.parent, ply: line.branch }) : ply;
  }

  return { main, subline, nodeAt, before, engineLine, mainPly };
};
