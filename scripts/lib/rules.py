"""The rules as a match applies them: legal moves in the notation of the variant, the end of a game, adjudication."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Sequence
from dataclasses import dataclass

import chess
import chess.engine

FIFTY_MOVE_PLIES = 100
MATE_CP = 100_000


@dataclass(frozen=True)
class Ending:
    """How a game ended: the PGN result, the reason, the PGN Termination tag."""

    result: str
    reason: str
    termination: str = "normal"


@functools.lru_cache(maxsize=1 << 14)
def _parsed(text: str) -> chess.Move | None:
    try:
        return chess.Move.from_uci(text)
    except ValueError:
        return None


def legal_move(board: chess.Board, text: str) -> chess.Move | None:
    """The move a text means on this board, or None.

    Strict: castling must be written as the mode requires (king to its square in standard chess, king takes rook in Chess960),
    promotion letters are lower case, null moves are invalid.
    """
    move = _parsed(text)
    if move is None or not board.is_legal(move):
        return None
    if board.kings & chess.BB_SQUARES[move.from_square] and board.uci(move) != text:
        return None
    return move


def ending(board: chess.Board) -> Ending | None:
    """The result by the rules. Checkmate comes first: it takes precedence over the 50-move rule."""
    if not any(board.generate_legal_moves()):
        if board.is_check():
            return Ending("0-1", "Black mates") if board.turn else Ending("1-0", "White mates")
        return Ending("1/2-1/2", "stalemate")
    if board.is_insufficient_material():
        return Ending("1/2-1/2", "insufficient material")
    if board.is_repetition(3):
        return Ending("1/2-1/2", "threefold repetition")
    if board.halfmove_clock >= FIFTY_MOVE_PLIES:
        return Ending("1/2-1/2", "50-move rule")
    return None


class PvChecker:
    """Checks principal variations on one board.

    Consecutive PVs share their beginnings, and the PV of one move is mostly the tail of the one before. So the board stays at
    the end of the last line checked and only goes back to where the next line differs.
    """

    def __init__(self, board: chess.Board) -> None:
        self._board = board.copy(stack=False)
        self._line: list[str] = []
        self._base = 0

    def advance(self, move: str) -> None:
        """A legal move was played in the game."""
        if self._base >= len(self._line) or self._line[self._base] != move:
            self._back_to(self._base)
            self._board.push_uci(move)
            self._line.append(move)
        self._base += 1

    def first_illegal(self, variation: Sequence[str]) -> int | None:
        """The index of the first illegal move after the game's position; None if all are legal."""
        for index, text in enumerate(variation):
            at = self._base + index
            if at < len(self._line) and self._line[at] == text:
                continue
            self._back_to(at)
            move = legal_move(self._board, text)
            if move is None:
                return index
            self._board.push(move)
            self._line.append(text)
        return None

    def _back_to(self, length: int) -> None:
        while len(self._line) > length:
            self._board.pop()
            self._line.pop()


@dataclass(frozen=True)
class Adjudication:
    """The rules of a match for ending games early; None leaves a rule off. They save time and can hide mistakes."""

    draw: tuple[int, int, int] | None = None  # from move, for moves, within centipawns
    resign: tuple[int, int] | None = None  # for moves, centipawns behind
    max_moves: int | None = None


def add_adjudication(top: argparse.ArgumentParser) -> None:
    early = top.add_argument_group("adjudication, off by default")
    early.add_argument(
        "--draw",
        nargs=3,
        type=int,
        metavar=("FROM_MOVE", "MOVES", "CP"),
        help="draw when both scores stay within CP for MOVES moves, from FROM_MOVE on",
    )
    early.add_argument(
        "--resign",
        nargs=2,
        type=int,
        metavar=("MOVES", "CP"),
        help="loss when both scores agree for MOVES moves that one side is CP behind",
    )
    early.add_argument("--max-moves", type=int, metavar="N", help="draw after N moves")  # fmt: skip


def adjudication_from(arguments: argparse.Namespace) -> Adjudication:
    draw, resign = (tuple(rule) if rule else None for rule in (arguments.draw, arguments.resign))
    return Adjudication(draw, resign, arguments.max_moves)


class Adjudicator:
    """Follows one game. Both sides must agree for as many of their own moves as the rule requires."""

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._plies = 0
        self._level_plies = 0
        self._lost_plies = {chess.WHITE: 0, chess.BLACK: 0}

    def after_move(self, mover: chess.Color, score: chess.engine.Score | None) -> Ending | None:
        self._plies += 1
        cp = score.score(mate_score=MATE_CP) if score else None
        if self._rules.resign is not None:
            moves, behind = self._rules.resign
            for color in chess.COLORS:
                lost = cp is not None and (cp if color == mover else -cp) <= -behind
                self._lost_plies[color] = self._lost_plies[color] + 1 if lost else 0
                if self._lost_plies[color] >= 2 * moves:
                    return Ending("0-1" if color else "1-0", "adjudicated by both scores", "adjudication")
        if self._rules.draw is not None:
            from_move, moves, within = self._rules.draw
            self._level_plies = self._level_plies + 1 if cp is not None and abs(cp) <= within else 0
            if self._plies >= 2 * from_move and self._level_plies >= 2 * moves:
                return Ending("1/2-1/2", "adjudicated level by both scores", "adjudication")
        if self._rules.max_moves is not None and self._plies >= 2 * self._rules.max_moves:
            return Ending("1/2-1/2", f"adjudicated after {self._rules.max_moves} moves", "adjudication")
        return None
