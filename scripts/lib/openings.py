"""Openings from EPD (with or without clocks) and PGN, in a seeded order that a resumed match repeats.

An EPD line is parsed when its turn comes, so that a book of a million lines costs only its text.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from .cli import UsageError

BOARD_FIELDS, FEN_FIELDS = 4, 6
CHESS960_POSITIONS = 960


@dataclass(frozen=True)
class Opening:
    """The start of a game: a position and moves from it, in the notation of the variant."""

    fen: str
    moves: tuple[str, ...] = ()
    name: str = ""


class Openings:
    """Openings in playing order; `opening(n)` wraps around."""

    def __init__(self, size: int, load: Callable[[int], Opening], seed: int | None) -> None:
        self.size = size
        self._load = load
        self._order = list(range(size))
        if seed is not None:
            random.Random(seed).shuffle(self._order)

    def opening(self, number: int) -> Opening:
        return self._load(self._order[number % self.size])


def load_openings(path: str | None, chess960: bool = False, seed: int | None = None, plies: int | None = None) -> Openings:
    """Opens a PGN or EPD file, in random order with a seed. Without a file: the start position, or the 960 of them."""
    if path is None:
        if chess960:
            return Openings(CHESS960_POSITIONS, _chess960_start, seed)
        return Openings(1, lambda _: Opening(chess.STARTING_FEN), None)
    try:
        read = _read_pgn(path, chess960, plies) if path.lower().endswith(".pgn") else _read_epd(path, chess960)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the book: {error}") from None
    if not read:
        raise UsageError(f"{path}: no opening found")
    openings = Openings(len(read), lambda number: read[number](), seed)
    openings.opening(0)
    return openings


def epd_to_fen(line: str) -> str:
    """The six FEN fields of an EPD or FEN line; the clocks come from the fields, from hmvc and fmvn, or are 0 1."""
    words = line.split()
    if len(words) < BOARD_FIELDS:
        raise ValueError(f"{len(words)} fields; expected 4: board, side to move, castling, en passant")
    clocks = words[BOARD_FIELDS:FEN_FIELDS]
    if len(clocks) != 2 or not all(word.isdigit() for word in clocks):
        operations = dict(
            operation.split(" ", 1) for operation in " ".join(words[BOARD_FIELDS:]).split("; ") if " " in operation
        )
        clocks = [operations.get(key, "").rstrip(";") for key in ("hmvc", "fmvn")]
        clocks = [value if value.isdigit() else default for value, default in zip(clocks, "01", strict=True)]
    return " ".join([*words[:BOARD_FIELDS], *clocks])


def _chess960_start(number: int) -> Opening:
    return Opening(chess.Board.from_chess960_pos(number).fen(), (), f"Chess960 position {number}")


def _read_epd(path: str, chess960: bool) -> list[Callable[[], Opening]]:
    def loader(number: int, line: str) -> Callable[[], Opening]:
        def load() -> Opening:
            try:
                return _checked(epd_to_fen(line), chess960, f"{Path(path).name}:{number}")
            except ValueError as error:
                raise UsageError(f"{path}, line {number}: {error}: '{line.strip()}'") from None

        return load

    lines = enumerate(Path(path).read_text().splitlines(), 1)
    return [loader(number, line) for number, line in lines if line.strip() and not line.startswith("#")]


def _checked(fen: str, chess960: bool, name: str) -> Opening:
    board = chess.Board(fen, chess960=chess960)
    status = board.status()
    if status != chess.STATUS_VALID:
        hint = " (for Chess960 positions use --variant chess960)" if status == chess.STATUS_BAD_CASTLING_RIGHTS else ""
        raise ValueError(f"illegal position: {status!r}{hint}")
    if not any(board.generate_legal_moves()):
        raise ValueError("the game is over in this position")
    return Opening(board.fen(), (), name)


def _read_pgn(path: str, chess960: bool, plies: int | None) -> list[Callable[[], Opening]]:
    logging.getLogger(chess.pgn.__name__).setLevel(logging.CRITICAL)  # errors are reported below, with file and game
    openings: list[Callable[[], Opening]] = []
    with open(path) as text:
        while (game := chess.pgn.read_game(text)) is not None:
            where = f"{path}, game {len(openings) + 1}"
            if game.errors:
                raise UsageError(f"{where}: {game.errors[0]}")
            board = chess.Board(game.board().fen(), chess960=chess960)
            moves = []
            for move in list(game.mainline_moves())[:plies]:
                moves.append(board.uci(move))
                board.push(move)
            if board.is_game_over():
                raise UsageError(f"{where}: the game is over after {len(moves)} plies")
            opening = Opening(board.root().fen(), tuple(moves), f"{Path(path).name}:{len(openings) + 1}")
            openings.append(lambda opening=opening: opening)  # type: ignore[misc]
    return openings
