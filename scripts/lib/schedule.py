"""Who plays whom, with which opening and colours. Game numbers are stable: a longer match begins with a shorter one,
which is what lets a match be resumed or extended."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from .book import Book
from .engine_spec import EngineSpec
from .match_types import GameJob, Rules


def pairings(engines: int, gauntlet: bool) -> list[tuple[int, int]]:
    """Every two engines, or the first against each other one."""
    return [(i, j) for i in range(1 if gauntlet else engines) for j in range(i + 1, engines)]


def schedule(
    engines: Sequence[EngineSpec],
    gauntlet: bool,
    games_per_pairing: int,
    book: Book,
    rules: Rules,
    done: Collection[int],
) -> Iterator[GameJob]:
    """The games still to be played. All pairings of a round get the same opening; each opening is played twice."""
    meetings = pairings(len(engines), gauntlet)
    for pair in range(games_per_pairing // 2 * len(meetings)):
        round_number, meeting = divmod(pair, len(meetings))
        first, second = (engines[index] for index in meetings[meeting])
        if 2 * pair in done and 2 * pair + 1 in done:
            continue
        opening = book.opening(round_number)
        for number, white, black in ((2 * pair, first, second), (2 * pair + 1, second, first)):
            if number not in done:
                yield GameJob(number, round_number + 1, white, black, opening, rules)
