"""All results of a match so far, added up: per pairing, per engine, faults. It knows no files and prints nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .faults import Fault, FaultKind
from .match_types import GameRecord
from .stats import Tally

POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}  # half points for White


class Results:
    """Adds games up; a pair is counted once both of its games are there."""

    def __init__(self, names: Sequence[str], meetings: Sequence[tuple[int, int]]) -> None:
        self.names = list(names)
        self.tallies: dict[tuple[int, int], Tally] = {meeting: Tally() for meeting in meetings}
        self.games: dict[int, GameRecord] = {}
        self.faults: list[Fault] = []
        self.endings: Counter[str] = Counter()
        self.think_ns = 0
        self.manager_cpu_ns = 0
        self._index = {name: index for index, name in enumerate(names)}
        self._points: dict[int, int] = {}

    def add(self, record: GameRecord) -> tuple[int, int]:
        """Books a game and says to which pairing it belonged."""
        white, black = self._index[record.white], self._index[record.black]
        meeting = (min(white, black), max(white, black))
        points = POINTS[record.result]
        if white != meeting[0]:
            points = 2 - points
        tally = self.tallies[meeting]
        tally.wins += points == 2
        tally.draws += points == 1
        tally.losses += points == 0
        self._points[record.number] = points
        partner = self._points.get(record.number ^ 1)
        if partner is not None:
            pairs = list(tally.pairs)
            pairs[points + partner] += 1
            tally.pairs = (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4])
        self.games[record.number] = replace(record, pgn="")
        self.faults += record.faults
        self.endings[record.reason] += 1
        self.think_ns += record.think_ns
        self.manager_cpu_ns += record.manager_cpu_ns
        return meeting

    def fault_counts(self) -> dict[str, Counter[FaultKind]]:
        """Only engines with faults appear."""
        counts: dict[str, Counter[FaultKind]] = {}
        for fault in self.faults:
            counts.setdefault(fault.engine, Counter())[fault.kind] += 1
        return counts
