"""Runs a whole match: schedule, workers, results file, early end. match.py and ladder.py are two faces of this."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Any

from .book import Book
from .engine_spec import EngineSpec
from .journal import Journal
from .match_types import Rules
from .pool import WorkerPool
from .progress import Progress
from .report import short_status
from .results import Results
from .schedule import pairings, schedule
from .stats import Sprt


@dataclass(frozen=True)
class MatchPlan:
    """Everything that decides what is played. `settings` is what a resumed match must have in common."""

    engines: list[EngineSpec]
    gauntlet: bool
    games_per_pairing: int
    book: Book
    rules: Rules
    concurrency: int
    sprt: Sprt | None
    results_path: str | None
    pgn_path: str | None
    resume: bool
    settings: dict[str, Any]


@dataclass
class MatchOutcome:
    """What came of it. `verdict` is the SPRT's, `interrupted` says that Ctrl-C or a signal ended it."""

    results: Results
    interrupted: bool = False
    verdict: str | None = None


def match_settings(
    engines: list[EngineSpec], gauntlet: bool, rules: Rules, book: str, seed: int | None
) -> dict[str, Any]:
    """What may not differ when a match is resumed. The number of games may: a match can be made longer."""
    return {
        "engines": [engine.to_json() for engine in engines],
        "gauntlet": gauntlet,
        "chess960": rules.chess960,
        "margin_ns": rules.margin_ns,
        "adjudication": rules.adjudication.to_json(),
        "book": book,
        "seed": seed,
    }


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def run_match(plan: MatchPlan) -> MatchOutcome:
    """Plays what is not yet played. Every finished game is on disk before the next one is given out."""
    meetings = pairings(len(plan.engines), plan.gauntlet)
    results = Results([engine.name for engine in plan.engines], meetings)
    outcome = MatchOutcome(results)
    journal = Journal(plan.results_path, plan.pgn_path, plan.settings, plan.resume)
    total = plan.games_per_pairing * len(meetings)
    for record in journal.finished:
        results.add(record)

    def decided() -> bool:
        if plan.sprt is not None:
            outcome.verdict = plan.sprt.verdict(results.tallies[meetings[0]])
        return outcome.verdict is not None

    jobs = schedule(plan.engines, plan.gauntlet, plan.games_per_pairing, plan.book, plan.rules, set(results.games))
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        if not decided() and len(results.games) < total:
            with Progress(total, len(results.games)) as progress, WorkerPool(plan.concurrency) as pool:
                for record in pool.play(jobs):
                    journal.add(record)
                    results.add(record)
                    progress.finished(short_status(results, plan.sprt))
                    if decided():
                        break
    except KeyboardInterrupt:
        outcome.interrupted = True
    finally:
        signal.signal(signal.SIGTERM, previous)
        journal.close()
    return outcome
