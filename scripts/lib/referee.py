"""The rules as a match applies them: which moves are legal, and when a game is over.

python-chess knows the rules; this file only keeps what would otherwise be recomputed at every move (how often each
position stood on the board) and holds engines to the notation of the variant they were told to play.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import chess

FIFTY_MOVES_PLIES = 100
REPETITIONS = 3


@functools.lru_cache(maxsize=1 << 14)
def _parsed(text: str) -> chess.Move | None:
    try:
        return chess.Move.from_uci(text)
    except ValueError:
        return None


def legal_move(board: chess.Board, text: str) -> chess.Move | None:
    """The move a text means on this board, or None.

    Strict on purpose: castling must be written as the variant's mode asks (king to its square in standard chess, king
    takes rook in Chess960), promotion letters in lower case, no null moves.
    """
    move = _parsed(text)
    if move is None or not board.is_legal(move):
        return None
    if board.kings & chess.BB_SQUARES[move.from_square] and board.uci(move) != text:
        return None
    return move


@dataclass(frozen=True)
class Ending:
    """How a game ended: the PGN result, the reason in words, the PGN Termination tag."""

    result: str
    reason: str
    termination: str = "normal"


class Referee:
    """A game in progress."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self._seen: Counter[Hashable] = Counter()
        self._count()

    def _count(self) -> None:
        # A capture or pawn move makes every earlier position unreachable.
        if self.board.halfmove_clock == 0:
            self._seen.clear()
        self._seen[self.board._transposition_key()] += 1

    def push(self, move: chess.Move) -> None:
        self.board.push(move)
        self._count()

    def ending(self) -> Ending | None:
        """The verdict on the position on the board. Mate comes first: it beats the fifty-move rule."""
        board = self.board
        if not any(board.generate_legal_moves()):
            if board.is_check():
                return Ending("0-1", "Black mates") if board.turn else Ending("1-0", "White mates")
            return Ending("1/2-1/2", "stalemate")
        if board.is_insufficient_material():
            return Ending("1/2-1/2", "insufficient material")
        if self._seen[board._transposition_key()] >= REPETITIONS:
            return Ending("1/2-1/2", "threefold repetition")
        if board.halfmove_clock >= FIFTY_MOVES_PLIES:
            return Ending("1/2-1/2", "fifty-move rule")
        return None


class LineWalker:
    """Checks whole principal variations on one board, doing the common part once.

    Consecutive PVs share their beginnings, and the PV of one move is mostly the tail of the one before. So the board
    stands at the end of the last line that was checked, and only goes back as far as the next line differs.
    """

    def __init__(self, board: chess.Board) -> None:
        self._board = board.copy(stack=False)
        self._line: list[str] = []
        self._base = 0

    def advance(self, move: str) -> None:
        """A move was played in the game (its legality is known)."""
        if self._base >= len(self._line) or self._line[self._base] != move:
            self._back_to(self._base)
            self._board.push_uci(move)
            self._line.append(move)
        self._base += 1

    def first_illegal(self, variation: Sequence[str]) -> int | None:
        """The index of the first move that cannot be played from the game's position; None when all can."""
        at = self._base
        line = self._line
        known = len(line)
        for index, text in enumerate(variation):
            if at < known:
                if line[at] == text:
                    at += 1
                    continue
                self._back_to(at)
                known = at
            move = legal_move(self._board, text)
            if move is None:
                return index
            self._board.push(move)
            line.append(text)
            at += 1
            known = at
        return None

    def _back_to(self, length: int) -> None:
        while len(self._line) > length:
            self._board.pop()
            self._line.pop()
