#!/usr/bin/env python3
"""Plays the engine against the chess engines Debian packages, and prints the table for docs/strength.md.

    scripts/ladder.py --engine target/release/castellan --book openings.epd --games 200 --concurrency 2 \\
        --results ladder.jsonl --pgn ladder.pgn

Every engine gets one thread, the same hash, no book and no pondering. Opponents that are not installed are left out
with a warning. Exit status as match.py's.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from lib.book import BookError, load_book
from lib.cli import EXIT_USAGE, UsageError, check_match_size, exit_status, name_values, parser_for, program_path
from lib.engine_spec import EachOptions, EngineSpec, SpecError
from lib.journal import JournalError
from lib.limits import Limit, LimitError
from lib.match_runner import MatchOutcome, MatchPlan, match_settings, run_match
from lib.match_types import Rules
from lib.report import elo_text, text_report
from lib.uci_client import preflight

DEBIAN_GAMES = "/usr/games"  # where Debian puts them; often missing in root's PATH


@dataclass(frozen=True)
class Opponent:
    """One rung. `options` are those it needs beyond what every engine gets."""

    package: str
    arguments: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)


OPPONENTS = (
    Opponent("stockfish"),
    Opponent("ethereal-chess", (), {"MoveOverhead": "10"}),  # its default of 100 ms cripples it at fast clocks
    Opponent("glaurung", (), {"OwnBook": "false"}),
    Opponent("toga2", (), {"OwnBook": "false", "Number of Threads": "1"}),
    Opponent("gnuchess", ("--uci",), {"OwnBook": "false"}),
    Opponent("fairy-stockfish"),
)
DEFAULT_OPPONENTS = ("stockfish", "ethereal-chess", "glaurung", "toga2", "gnuchess")


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", required=True, metavar="PROGRAM", help="the engine to place")
    top.add_argument("--name", help="its name in the table; default: the file name")
    top.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="set for that engine only")
    top.add_argument("--opponents", nargs="+", default=list(DEFAULT_OPPONENTS), metavar="NAME",
                     choices=[opponent.package for opponent in OPPONENTS],
                     help=f"of {', '.join(opponent.package for opponent in OPPONENTS)}; default: {', '.join(DEFAULT_OPPONENTS)}")
    top.add_argument("--tc", default="4+0.04", help="default 4+0.04; several opponents are crippled below it")
    top.add_argument("--hash", type=int, default=16, metavar="MB")
    top.add_argument("--games", type=int, default=200, help="against each opponent, an even number; default 200")
    top.add_argument("--book", required=True, metavar="FILE", help="openings, .pgn or EPD; each is played with both colours")
    top.add_argument("--seed", type=int, default=1)
    top.add_argument("--concurrency", type=int, default=1, metavar="N")
    top.add_argument("--results", metavar="FILE", help="one JSON line a finished game; what --resume goes on from")
    top.add_argument("--resume", action="store_true")
    top.add_argument("--pgn", metavar="FILE")
    top.add_argument("--output", metavar="FILE", help="write the table there too")
    return top  # fmt: skip


def find_program(package: str) -> str | None:
    return shutil.which(package) or shutil.which(package, path=DEBIAN_GAMES)


def plan_from(arguments: argparse.Namespace) -> MatchPlan:
    check_match_size(arguments.games, arguments.concurrency, arguments.resume, arguments.results)
    limit = Limit.parse(tc=arguments.tc)
    each = EachOptions({"Threads": "1", "Hash": str(arguments.hash), "Ponder": "false", "OwnBook": "false"}, {})
    program = program_path(arguments.engine)
    name = arguments.name or Path(program).name
    engines = [preflight(EngineSpec(name, (program,), limit, None, name_values(arguments.option)), each, {})[0]]
    for opponent in OPPONENTS:
        if opponent.package not in arguments.opponents:
            continue
        found = find_program(opponent.package)
        if found is None:
            print(f"warning: {opponent.package} is not installed: left out", file=sys.stderr)
            continue
        spec = EngineSpec(opponent.package, (found, *opponent.arguments), limit, None, opponent.options)
        engines.append(preflight(spec, each, {})[0])
    if len(engines) < 2:
        raise UsageError("no opponent is installed: see the Debian packages named by --help")
    rules = Rules(event="ladder")
    book = load_book(arguments.book, False, arguments.seed, True, None)
    book.opening(0)
    settings = match_settings(engines, True, rules, f"{arguments.book}, {book.size} openings", arguments.seed)
    return MatchPlan(
        engines, True, arguments.games, book, rules, arguments.concurrency, None,
        arguments.results, arguments.pgn, arguments.resume, settings,
    )  # fmt: skip


def table(plan: MatchPlan, outcome: MatchOutcome, arguments: argparse.Namespace) -> str:
    """The Markdown table, hardest opponent first, with the conditions under it."""
    results = outcome.results
    rows = sorted(results.tallies.items(), key=lambda item: item[1].score)
    faults = results.fault_counts()

    def faults_of(name: str) -> str:
        return ", ".join(f"{kind.value} {count}" for kind, count in faults.get(name, Counter()).items()) or "none"

    lines = [
        "| opponent | games | W – D – L | score | Elo difference (95 %) | opponent's faults |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for (_, opponent), tally in rows:
        if not tally.games:
            continue
        name = results.names[opponent]
        lines.append(
            f"| {name} | {tally.games} | {tally.wins} – {tally.draws} – {tally.losses} | {100 * tally.score:.1f} %"
            f" | {elo_text(tally)} | {faults_of(name)} |"
        )
    lines += [
        "",
        f"{results.names[0]}, {time.strftime('%Y-%m-%d')}: {plan.engines[0].limit.describe()} s, one thread, Hash"
        f" {arguments.hash}, no pondering, openings {Path(arguments.book).name} (seed {arguments.seed}) with both colours,"
        f" {plan.concurrency} at a time, no adjudication. Own faults: {faults_of(results.names[0])}.",
    ]
    return "\n".join(lines)


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        plan = plan_from(arguments)
        outcome = run_match(plan)
    except (UsageError, SpecError, LimitError, BookError, JournalError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_USAGE
    print(text_report(outcome.results, None, None), file=sys.stderr)
    text = table(plan, outcome, arguments)
    print(text)
    if arguments.output:
        Path(arguments.output).write_text(text + "\n")
    return exit_status(bool(outcome.results.faults), outcome.interrupted)


if __name__ == "__main__":
    sys.exit(main())
