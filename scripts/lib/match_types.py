"""The data that travels: from the schedule to a worker (a job), from a worker back (a record)."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess

from .adjudicate import Adjudication
from .book import Opening
from .engine_spec import EngineSpec
from .faults import Fault
from .info import Score
from .limits import NS_PER_S


@dataclass(frozen=True)
class Rules:
    """What is the same for every game of a match."""

    chess960: bool = False
    margin_ns: int = 0
    patience_ns: int = 10 * NS_PER_S
    untimed_patience_ns: int = 120 * NS_PER_S
    adjudication: Adjudication = field(default_factory=Adjudication)
    event: str = "match"


@dataclass(frozen=True)
class GameJob:
    """One game to be played. `number` counts from 0 through the match; two games of a pair follow each other."""

    number: int
    round: int
    white: EngineSpec
    black: EngineSpec
    opening: Opening
    rules: Rules


@dataclass
class GameRecord:
    """One finished game."""

    number: int
    round: int
    white: str
    black: str
    result: str
    reason: str
    termination: str
    plies: int
    opening: str
    faults: list[Fault]
    think_ns: int
    manager_cpu_ns: int
    pgn: str


@dataclass(frozen=True)
class PlayedMove:
    """A move with what is known about it; book moves have no score and took no time."""

    move: chess.Move
    score: Score | None = None
    clock_ns: int | None = None
    elapsed_ns: int = 0
    book: bool = False
