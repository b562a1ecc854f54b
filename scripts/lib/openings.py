"""Openings from EPD (with or without clocks) and PGN, in a seeded order that a resumed match repeats.

An opening is checked when its turn comes, so that a book of a million lines costs only its text.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from .cli import UsageError

BOARD_FIELDS, FEN_FIELDS = 4, 6
CHESS960_POSITIONS = 960


@dataclass(frozen=True)
class Opening:
    """The start of a game: a position (in a book also as EPD) and moves from it, in the notation of the variant."""

    fen: str
    moves: tuple[str, ...] = ()
    name: str = ""


class Openings:
    """Openings in playing order, random with a seed; `opening(n)` wraps around."""

    def __init__(self, entries: Sequence[Opening], chess960: bool, seed: int | None) -> None:
        self._entries = list(entries)
        self._chess960 = chess960
        if seed is not None:
            random.Random(seed).shuffle(self._entries)

    @property
    def size(self) -> int:
        return len(self._entries)

    def opening(self, number: int) -> Opening:
        entry = self._entries[number % self.size]
        try:
            start = board_of(entry.fen, self._chess960)
            board = start.copy()
            for text in entry.moves:
                board.push_uci(text)
            if not any(board.generate_legal_moves()):
                raise ValueError("the game is over in this position")
        except ValueError as error:
            raise UsageError(f"{entry.name}: {error}") from None
        return Opening(start.fen(), entry.moves, entry.name)


def load_openings(path: str | None, chess960: bool = False, seed: int | None = None) -> Openings:
    """Opens a PGN or EPD file. Without a file: the start position, or the 960 of them."""
    if path is None:
        if not chess960:
            return Openings([Opening(chess.STARTING_FEN)], chess960, None)
        starts = (chess.Board.from_chess960_pos(number).fen() for number in range(CHESS960_POSITIONS))
        entries = [Opening(fen, (), f"Chess960 position {number}") for number, fen in enumerate(starts)]
    else:
        try:
            entries = list(_read_pgn(path, chess960) if path.lower().endswith(".pgn") else _read_epd(path))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read the book: {error}") from None
        if not entries:
            raise UsageError(f"{path}: no opening found")
    openings = Openings(entries, chess960, seed)
    openings.opening(0)
    return openings


def board_of(line: str, chess960: bool = False) -> chess.Board:
    """The position of an EPD or FEN line; the clocks come from the fields, from hmvc and fmvn, or are 0 1."""
    board = chess.Board(chess960=chess960)
    words = line.split()
    if len(words) < BOARD_FIELDS:
        raise ValueError(f"{len(words)} fields; expected 4: board, side to move, castling, en passant")
    clocks = words[BOARD_FIELDS:FEN_FIELDS]
    if len(clocks) == 2 and all(word.isdecimal() for word in clocks):
        board.set_fen(" ".join(words[:FEN_FIELDS]))
    else:
        board.set_epd(line)
    status = board.status()
    if status != chess.STATUS_VALID:
        hint = " (for Chess960 positions use --variant chess960)" if status == chess.STATUS_BAD_CASTLING_RIGHTS else ""
        raise ValueError(f"illegal position: {status!r}{hint}: '{line.strip()}'")
    return board


def _read_epd(path: str) -> Iterator[Opening]:
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield Opening(line, (), f"{Path(path).name}:{number}")


def _read_pgn(path: str, chess960: bool) -> Iterator[Opening]:
    logging.getLogger(chess.pgn.__name__).setLevel(logging.CRITICAL)  # errors are reported below, with file and game
    with open(path) as text:
        number = 0
        while (game := chess.pgn.read_game(text)) is not None:
            number += 1
            if game.errors:
                raise UsageError(f"{path}, game {number}: {game.errors[0]}")
            board = chess.Board(game.board().fen(), chess960=chess960)
            moves = []
            for move in game.mainline_moves():
                moves.append(board.uci(move))
                board.push(move)
            yield Opening(board.root().fen(), tuple(moves), f"{Path(path).name}:{number}")
