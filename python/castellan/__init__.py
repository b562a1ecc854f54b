"""Chess rules, games and a strong engine, in one package.

>>> import castellan as c
>>> position = c.Position("r3k2r/8/8/8/8/5q2/8/R3K2R w KQ - 0 1")
>>> position.why_illegal("e1g1")
'cannot castle kingside: f1 is attacked by the queen on f3'
>>> c.Engine().search("6k1/5ppp/8/8/8/8/8/R3K3", depth=3).sans
['Ra8#']
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import chess, tridim
from ._batches import analyze, annotate, annotate_games
from ._castellan import (
    Analysis,
    Annotation,
    Batch,
    Book,
    CastlingCondition,
    Clock,
    Engine,
    Epd,
    Game,
    Info,
    Line,
    Move,
    Node,
    Outcome,
    PgnReader,
    Position,
    Record,
    Score,
    SearchResult,
    Side,
    Tablebases,
    __version__,
    divide,
    evaluation_bytes,
    parse_pgn,
    perft,
    plane_bytes,
    polyglot,
    polyglot_key,
    read_pgn,
    write_polyglot,
)
from .errors import CastellanError, ClaimError, FenError, MoveError, OptionError, PgnError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "Analysis", "Annotation", "Batch", "Book", "CastellanError", "CastlingCondition", "ClaimError", "Clock",
    "Engine", "Epd",
    "FenError", "Game", "Info", "Line", "Move", "MoveError", "Node", "OptionError", "Outcome", "PgnError", "PgnReader",
    "Position", "Record", "Score", "SearchResult", "Side", "Tablebases", "__version__", "analyze", "annotate",
    "annotate_games", "chess", "divide", "evaluate", "parse_pgn", "perft", "planes", "polyglot", "polyglot_key",
    "read_pgn", "tridim", "write_polyglot",
]  # fmt: skip


def planes(positions: Iterable[Position | Game | str]) -> npt.NDArray[np.uint8]:
    """Each position as an array of zeros and ones (n, 18, 8, 8): planes, ranks 1 to 8, files a to h. Needs NumPy.

    The planes are the squares of PNBRQKpnbrqk, White to move, the castling rights KQkq, and the en passant square.

    >>> planes(["4k3/8/8/8/8/8/4P3/4K3"])[0, 0, 1, 4]
    np.uint8(1)
    """
    import numpy as np

    return np.frombuffer(plane_bytes(positions), np.uint8).reshape(-1, 18, 8, 8)


def evaluate(positions: Iterable[Position | Game | str]) -> npt.NDArray[np.float32]:
    """The static evaluation of each position in pawns, for the side to move. Needs NumPy.

    >>> bool(evaluate(["4k3/8/8/8/8/8/8/Q3K3 b"])[0] < -5)
    True
    """
    import numpy as np

    return np.frombuffer(evaluation_bytes(positions), np.float32)
