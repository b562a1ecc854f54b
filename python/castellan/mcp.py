"""Castellan as tools for assistants: `python -m castellan.mcp` serves them by the Model Context Protocol on standard
input and output. Needs the extra `castellan[mcp]`.
"""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer

from . import Engine, Game, Position, Record, SearchResult, annotate

server = MCPServer(
    "castellan",
    instructions="Chess facts from an engine: check moves with `legality` before you state them, positions with `analyze`.",
)
engine = Engine()

MAX_SECONDS = 30.0


def _game(fen: str, moves: list[str]) -> Game:
    return Game(Position(fen or None), moves)


def _seconds(seconds: float) -> float:
    return min(max(seconds, 0.01), MAX_SECONDS)


def _line(result: SearchResult, number: int = 0) -> dict[str, Any]:
    line = result.lines[number] if result.lines else result
    win, draw, loss = line.wdl
    return {
        "score": str(line.score),
        "win_draw_loss_permille": [win, draw, loss],
        "depth": line.depth,
        "moves": line.sans,
    }


@server.tool()
def legality(move: str, fen: str = "", moves: list[str] | None = None) -> dict[str, Any]:
    """Whether a move (SAN or UCI) is legal in a position, and if not, why. The position is a FEN (by default the start
    position) and the moves played from it."""
    game = _game(fen, moves or [])
    reason = game.why_illegal(move)
    if reason is not None:
        return {"legal": False, "reason": reason}
    return {"legal": True, "san": game.position.san(move), "fen_after": game.position.play(move).fen()}


@server.tool()
def position(fen: str = "", moves: list[str] | None = None) -> dict[str, Any]:
    """The facts of a position: board, side to move, legal moves, checks, outcome and draw claims."""
    game = _game(fen, moves or [])
    now = game.position
    return {
        "fen": now.fen(),
        "board": now.board(),
        "side_to_move": now.side_to_move,
        "legal_moves": now.legal_sans(),
        "checkers": now.checkers,
        "pinned": now.pinned,
        "outcome": str(game.outcome) if game.outcome else None,
        "claims": game.claims(),
    }


@server.tool()
def castling(fen: str = "", moves: list[str] | None = None) -> dict[str, Any]:
    """For each side of the board: the six conditions under which the side to move may castle there, each with the
    reason if it is not fulfilled."""
    game = _game(fen, moves or [])
    now = game.position
    color = now.side_to_move
    return {
        "color": color,
        "kingside": {condition.name: condition.reason or "fulfilled" for condition in now.castling(color, "king")},
        "queenside": {condition.name: condition.reason or "fulfilled" for condition in now.castling(color, "queen")},
    }


@server.tool()
def analyze(fen: str = "", moves: list[str] | None = None, seconds: float = 1.0, lines: int = 3) -> dict[str, Any]:
    """The best moves of a position with scores for the side to move: centipawns, or moves to mate."""
    result = engine.search(_game(fen, moves or []), time=_seconds(seconds), multipv=max(lines, 1))
    return {"fen": result.position.fen(), "lines": [_line(result, number) for number in range(len(result.lines))]}


@server.tool()
def best_line(fen: str = "", moves: list[str] | None = None, seconds: float = 1.0) -> dict[str, Any]:
    """The best move of a position and what is expected after it."""
    result = engine.search(_game(fen, moves or []), time=_seconds(seconds))
    return {"fen": result.position.fen(), **_line(result)}


@server.tool()
def annotate_game(pgn: str, seconds_per_move: float = 0.1) -> dict[str, Any]:
    """A game with evaluations, mistakes, better lines and the accuracy of both sides, as PGN."""
    annotation = annotate(Record(pgn), time=_seconds(seconds_per_move))
    sides = {"white": annotation.white, "black": annotation.black}
    return {
        "pgn": annotation.record.pgn(),
        **{
            name: {
                "accuracy_percent": side.accuracy,
                "average_centipawn_loss": side.acpl,
                "inaccuracies": side.inaccuracies,
                "mistakes": side.mistakes,
                "blunders": side.blunders,
            }
            for name, side in sides.items()
        },
    }


if __name__ == "__main__":
    server.run()
