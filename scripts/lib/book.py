"""Opening books: EPD (with or without clocks) and PGN, in a seeded order that a resumed match finds again.

An EPD line is only read in full when its turn comes, so a book of a million lines costs nothing but its text.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

BOARD_FIELDS = 4
FEN_FIELDS = 6
CHESS960_POSITIONS = 960


class BookError(ValueError):
    """A book or one of its lines is not usable; the text names the file and line."""


@dataclass(frozen=True)
class Opening:
    """Where a game starts: a position and the moves already made from it, in the notation of the variant."""

    fen: str
    moves: tuple[str, ...] = ()
    name: str = ""

    def start_board(self, chess960: bool) -> chess.Board:
        return chess.Board(self.fen, chess960=chess960)


class Book:
    """Openings in playing order; `opening(n)` wraps around at the end."""

    def __init__(self, size: int, load: Callable[[int], Opening], order: Sequence[int]) -> None:
        self.size = size
        self._load = load
        self._order = order

    def opening(self, number: int) -> Opening:
        return self._load(self._order[number % self.size])


def epd_to_fen(line: str) -> str:
    """The six FEN fields of an EPD or FEN line; clocks come from the fields, from hmvc/fmvn, or are 0 1."""
    words = line.split()
    if len(words) < BOARD_FIELDS:
        raise ValueError(f"only {len(words)} of the 4 fields: board, side to move, castling, en passant")
    clocks = words[BOARD_FIELDS:FEN_FIELDS]
    if len(clocks) == 2 and all(word.isdigit() for word in clocks):
        half, full = clocks
    else:
        half, full = "0", "1"
        for operation in " ".join(words[BOARD_FIELDS:]).split(";"):
            key, _, value = operation.strip().partition(" ")
            if value.isdigit():
                half, full = (value, full) if key == "hmvc" else (half, value) if key == "fmvn" else (half, full)
    return " ".join([*words[:BOARD_FIELDS], half, full])


def checked_opening(fen: str, chess960: bool, name: str) -> Opening:
    """An opening from a FEN, refused when the position is not one that can be played."""
    board = chess.Board(fen, chess960=chess960)
    status = board.status()
    if status != chess.STATUS_VALID:
        hint = ""
        if status == chess.STATUS_BAD_CASTLING_RIGHTS and not chess960:
            hint = " (a Chess960 position? then play with --variant chess960)"
        raise ValueError(f"not a legal position: {status!r}{hint}")
    if not any(board.generate_legal_moves()):
        raise ValueError("the game is over in this position")
    return Opening(board.fen(), (), name)


def load_book(path: str | None, chess960: bool, seed: int, shuffle: bool, plies: int | None) -> Book:
    """Opens a book by its ending (.pgn, else EPD). Without a book: the start position, or the 960 of them."""
    if path is None:
        return _without_book(chess960, seed, shuffle)
    try:
        if path.lower().endswith(".pgn"):
            openings = _read_pgn(path, chess960, plies)
            size, load = len(openings), _loader(openings)
        else:
            size, load = _read_epd(path, chess960)
    except (OSError, UnicodeDecodeError) as error:
        raise BookError(f"cannot read the book: {error}") from None
    if size == 0:
        raise BookError(f"{path}: no opening in it")
    return Book(size, load, _order(size, seed, shuffle))


def _loader(openings: Sequence[Opening]) -> Callable[[int], Opening]:
    return lambda number: openings[number]


def _order(size: int, seed: int, shuffle: bool) -> Sequence[int]:
    order = list(range(size))
    if shuffle:
        random.Random(seed).shuffle(order)
    return order


def _without_book(chess960: bool, seed: int, shuffle: bool) -> Book:
    if not chess960:
        return Book(1, lambda _: Opening(chess.STARTING_FEN), range(1))

    def load(number: int) -> Opening:
        return Opening(chess.Board.from_chess960_pos(number).fen(), (), f"Chess960 position {number}")

    return Book(CHESS960_POSITIONS, load, _order(CHESS960_POSITIONS, seed, shuffle))


def _read_epd(path: str, chess960: bool) -> tuple[int, Callable[[int], Opening]]:
    lines = [
        (number, line)
        for number, line in enumerate(Path(path).read_text().splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    name = Path(path).name

    def load(index: int) -> Opening:
        number, line = lines[index]
        try:
            return checked_opening(epd_to_fen(line), chess960, f"{name}:{number}")
        except ValueError as error:
            raise BookError(f"{path}, line {number}: {error}: '{line.strip()}'") from None

    return len(lines), load


def _read_pgn(path: str, chess960: bool, plies: int | None) -> list[Opening]:
    logging.getLogger(chess.pgn.__name__).setLevel(logging.CRITICAL)  # errors are reported below, with file and game
    openings: list[Opening] = []
    with open(path) as text:
        while (game := chess.pgn.read_game(text)) is not None:
            number = len(openings) + 1
            if game.errors:
                raise BookError(f"{path}, game {number}: {game.errors[0]}")
            start = game.board()
            board = chess.Board(start.fen(), chess960=chess960)
            moves: list[str] = []
            for move in list(game.mainline_moves())[:plies]:
                moves.append(board.uci(move))
                board.push(move)
            if board.is_game_over():
                raise BookError(f"{path}, game {number}: the game is over after its {len(moves)} book plies")
            openings.append(Opening(chess.Board(start.fen(), chess960=chess960).fen(), tuple(moves),
                                    f"{Path(path).name}:{number}"))  # fmt: skip
    return openings
