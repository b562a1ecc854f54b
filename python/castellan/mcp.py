"""Castellan as tools for assistants: `python -m castellan.mcp` serves them by the Model Context Protocol on standard
input and output. Needs the extra `castellan[mcp]`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Not relative: a process that computes loads this file as its main module.
from castellan import CastellanError, Engine, Game, Position, Record, SearchResult, annotate

from anyio import to_process
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer(
    "castellan",
    instructions="Chess facts from an engine: check moves with `legality` before you state them, positions with `analyze`.",
)

MAX_SECONDS = 30.0
# Of all plies of an annotated game together.
MAX_GAME_SECONDS = 120.0
MAX_PLIES = 1000


def _facts(answer: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The answer, or its refusal in words: of other errors an assistant sees only that there was one."""
    try:
        return answer()
    except CastellanError as error:
        raise ToolError(str(error)) from None


async def _computed(compute: Callable[..., dict[str, Any] | str], *arguments: Any) -> dict[str, Any]:
    """The answer of a process of its own: no request waits for another, and it ends at a cancellation or the end of input."""
    answer = await to_process.run_sync(compute, *arguments, cancellable=True)
    if isinstance(answer, str):
        raise ToolError(answer)
    return answer


def _game(fen: str, moves: list[str]) -> Game:
    return Game(Position(fen or None), moves)


def _seconds(seconds: float, most: float = MAX_SECONDS) -> float:
    return min(max(seconds, 0.01), most)


def _line(result: SearchResult, number: int = 0) -> dict[str, Any]:
    line = result.lines[number] if result.lines else result
    win, draw, loss = line.wdl
    return {
        "score": str(line.score),
        "win_draw_loss_permille": [win, draw, loss],
        "depth": line.depth,
        "moves": line.sans,
    }


def legality(move: str, fen: str = "", moves: list[str] | None = None) -> dict[str, Any]:
    """Whether a move (SAN or UCI) is legal in a position, and if not, why. The position is a FEN (by default the start
    position) and the moves played from it."""

    def answer() -> dict[str, Any]:
        game = _game(fen, moves or [])
        reason = game.why_illegal(move)
        if reason is not None:
            return {"legal": False, "reason": reason}
        return {"legal": True, "san": game.position.san(move), "fen_after": game.position.play(move).fen()}

    return _facts(answer)


def position(fen: str = "", moves: list[str] | None = None) -> dict[str, Any]:
    """The facts of a position: board, side to move, legal moves, checks, outcome and draw claims."""

    def answer() -> dict[str, Any]:
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

    return _facts(answer)


def castling(fen: str = "", moves: list[str] | None = None) -> dict[str, Any]:
    """For each side of the board: the six conditions under which the side to move may castle there, each with the
    reason if it is not fulfilled."""

    def answer() -> dict[str, Any]:
        now = _game(fen, moves or []).position
        color = now.side_to_move
        return {
            "color": color,
            "kingside": {condition.name: condition.reason or "fulfilled" for condition in now.castling(color, "king")},
            "queenside": {condition.name: condition.reason or "fulfilled" for condition in now.castling(color, "queen")},
        }

    return _facts(answer)


async def analyze(fen: str = "", moves: list[str] | None = None, seconds: float = 1.0, lines: int = 3) -> dict[str, Any]:
    """The best moves of a position with scores for the side to move: centipawns, or moves to mate. At most 30 seconds."""
    return await _computed(_analyze, fen, moves or [], _seconds(seconds), max(lines, 1))


def _analyze(fen: str, moves: list[str], seconds: float, lines: int) -> dict[str, Any] | str:
    try:
        result = Engine().search(_game(fen, moves), time=seconds, multipv=lines)
    except CastellanError as error:
        return str(error)
    return {"fen": result.position.fen(), "lines": [_line(result, number) for number in range(max(len(result.lines), 1))]}


async def best_line(fen: str = "", moves: list[str] | None = None, seconds: float = 1.0) -> dict[str, Any]:
    """The best move of a position and what is expected after it. At most 30 seconds."""
    found = await _computed(_analyze, fen, moves or [], _seconds(seconds), 1)
    return {"fen": found["fen"], **found["lines"][0]}


async def annotate_game(pgn: str, seconds_per_move: float = 0.1) -> dict[str, Any]:
    """A game with evaluations, mistakes, better lines and the accuracy of both sides, as PGN. Takes at most two minutes:
    less time for each move of long games."""
    return await _computed(_annotate, pgn, seconds_per_move)


def _annotate(pgn: str, seconds_per_move: float) -> dict[str, Any] | str:
    try:
        record = Record(pgn)
        plies = len(record.moves)
        if plies > MAX_PLIES:
            return f"the game has {plies} plies; at most {MAX_PLIES} are annotated"
        seconds = _seconds(seconds_per_move, MAX_GAME_SECONDS / (plies + 1))
        annotation = annotate(record, time=seconds)
    except CastellanError as error:
        return str(error)
    sides = {"white": annotation.white, "black": annotation.black}
    return {
        "pgn": annotation.record.pgn(),
        "seconds_per_move": seconds,
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


TOOLS: tuple[Callable[..., Any], ...] = (legality, position, castling, analyze, best_line, annotate_game)
for tool in TOOLS:
    server.tool()(tool)

if __name__ == "__main__":
    server.run()
