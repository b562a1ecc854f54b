#!/usr/bin/env python3
"""Plays a match between two or more UCI engines and says what it proves.

    scripts/match.py --engine name=new cmd=./castellan --engine name=old cmd=./castellan-old \\
        --each tc=4+0.04 option.Hash=16 --book openings.epd --games 200 --concurrency 2 \\
        --sprt 0 5 --pgn games.pgn --results match.jsonl

The clock is kept here, from the write of `go` to the arrival of `bestmove`; rules are python-chess's. Every illegal
move, unplayable PV, crash, stall, missing or unasked bestmove and time loss is counted and makes the exit status 1.
Exit status: 0 all well, 1 an engine misbehaved, 2 the match could not be set up, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from lib.adjudicate import add_adjudication, adjudication_from
from lib.book import BookError, load_book
from lib.cli import EXIT_USAGE, UsageError, check_match_size, exit_status, parser_for
from lib.engine_spec import EngineSpec, SpecError, parse_each, parse_engine
from lib.journal import JournalError
from lib.limits import NS_PER_MS, NS_PER_S
from lib.match_runner import MatchPlan, match_settings, run_match
from lib.match_types import Rules
from lib.report import json_report, text_report
from lib.stats import Sprt
from lib.uci_client import preflight

MOVETIME_MARGIN_MS = 50.0


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    players = top.add_argument_group("players")
    players.add_argument("--engine", nargs="+", action="append", default=[], metavar="KEY=VALUE",
                         help="one engine: cmd=PROGRAM [name=] [dir=] [tc= | movetime=] [nodes=] [depth=] [option.NAME=VALUE]")
    players.add_argument("--each", nargs="+", default=[], metavar="KEY=VALUE",
                         help="for every engine: limits as above, and options it has (those it lacks are left out, with a warning)")
    players.add_argument("--gauntlet", action="store_true", help="the first engine against each other one (default: round robin)")
    limits = top.add_argument_group("thinking limits, for engines that name none of their own")
    limits.add_argument("--tc", metavar="[MOVES/]TIME[+INC]", help="clock in seconds, e.g. 4+0.04, 40/60, 1:30+0.5")
    limits.add_argument("--movetime", metavar="SECONDS", help="fixed time per move")
    limits.add_argument("--nodes", metavar="N")
    limits.add_argument("--depth", metavar="N")
    limits.add_argument("--margin", type=float, metavar="MS",
                        help="grace before a clock counts as fallen: default 0 ms with --tc (the flag falls exactly at zero),"
                        f" {MOVETIME_MARGIN_MS:g} ms when an engine plays at --movetime")
    limits.add_argument("--patience", type=float, default=10.0, metavar="SECONDS",
                        help="silence beyond the deadline (after a `stop`) that makes a time loss a stall; default 10")
    limits.add_argument("--untimed-patience", type=float, default=120.0, metavar="SECONDS",
                        help="the same from `go` on, where no clock runs (--nodes, --depth); default 120")
    games = top.add_argument_group("games")
    games.add_argument("--games", type=int, default=2, metavar="N", help="games per pairing, an even number; default 2")
    games.add_argument("--book", metavar="FILE", help="openings, .pgn or EPD; each is played with both colours")
    games.add_argument("--book-plies", type=int, metavar="N", help="at most so many plies of each PGN opening")
    games.add_argument("--book-order", choices=("random", "sequential"), default="random")
    games.add_argument("--seed", type=int, default=1, help="of the book's order; default 1")
    games.add_argument("--variant", choices=("standard", "chess960"), default="standard")
    games.add_argument("--concurrency", type=int, default=1, metavar="N", help="games at a time; default 1")
    games.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"),
                       help="stop when the pentanomial GSPRT (logistic Elo) decides between the two")
    games.add_argument("--sprt-errors", nargs=2, type=float, default=(0.05, 0.05), metavar=("ALPHA", "BETA"))
    add_adjudication(top)
    output = top.add_argument_group("output")
    output.add_argument("--pgn", metavar="FILE", help="games, with scores, depths and clocks as comments")
    output.add_argument("--results", metavar="FILE", help="one JSON line a finished game; what --resume goes on from")
    output.add_argument("--resume", action="store_true", help="go on with the match in --results; more --games make it longer")
    output.add_argument("--json", metavar="FILE", help="the final report as JSON; - for stdout, instead of the text")
    output.add_argument("--event", default="match", help="the PGN Event tag")
    return top  # fmt: skip


def plan_from(arguments: argparse.Namespace) -> MatchPlan:
    """Checks everything that can be checked before the first game, and starts each engine once."""
    if len(arguments.engine) < 2:
        raise UsageError("a match needs at least two --engine")
    check_match_size(arguments.games, arguments.concurrency, arguments.resume, arguments.results)
    if arguments.sprt is not None and len(arguments.engine) != 2:
        raise UsageError("--sprt compares exactly two engines")
    if arguments.sprt is not None and not arguments.sprt[0] < arguments.sprt[1]:
        raise UsageError("--sprt needs ELO0 below ELO1")
    if not all(0 < error < 0.5 for error in arguments.sprt_errors):
        raise UsageError("--sprt-errors must lie between 0 and 0.5")
    chess960 = arguments.variant == "chess960"
    each = parse_each(arguments.each)
    from_line = {key: getattr(arguments, key) for key in ("tc", "movetime", "nodes", "depth")}
    defaults = {key: value for key, value in from_line.items() if value is not None} | each.limits
    engines: list[EngineSpec] = []
    for words in arguments.engine:
        spec, warnings = preflight(
            parse_engine(words, defaults), each, {"UCI_Chess960": "true"} if chess960 else {}
        )
        for warning in warnings:
            print(f"warning: {warning}", file=sys.stderr)
        engines.append(spec)
    names = [engine.name for engine in engines]
    if len(set(names)) != len(names):
        raise UsageError(f"the engines' names must differ (name=…): {', '.join(names)}")
    rules = rules_from(arguments, engines, chess960)
    shuffle = arguments.book_order == "random"
    book = load_book(arguments.book, chess960, arguments.seed, shuffle, arguments.book_plies)
    book.opening(0)
    settings = match_settings(
        engines, arguments.gauntlet, rules,
        f"{arguments.book or 'none'}, {book.size} openings, plies {arguments.book_plies}",
        arguments.seed if shuffle else None,
    )  # fmt: skip
    sprt = Sprt(*arguments.sprt, *arguments.sprt_errors) if arguments.sprt is not None else None
    return MatchPlan(
        engines, arguments.gauntlet, arguments.games, book, rules, arguments.concurrency, sprt,
        arguments.results, arguments.pgn, arguments.resume, settings,
    )  # fmt: skip


def rules_from(arguments: argparse.Namespace, engines: list[EngineSpec], chess960: bool) -> Rules:
    margin = arguments.margin
    if margin is None:
        margin = MOVETIME_MARGIN_MS if any(engine.limit.movetime_ns for engine in engines) else 0.0
    if margin < 0 or arguments.patience <= 0 or arguments.untimed_patience <= 0:
        raise UsageError("--margin may not be negative, and the patiences must be positive")
    return Rules(
        chess960, round(margin * NS_PER_MS), round(arguments.patience * NS_PER_S),
        round(arguments.untimed_patience * NS_PER_S),
        adjudication_from(arguments), arguments.event,
    )  # fmt: skip


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        plan = plan_from(arguments)
        outcome = run_match(plan)
    except (UsageError, SpecError, BookError, JournalError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_USAGE
    if arguments.json:
        text = json.dumps(json_report(outcome.results, plan.sprt, outcome.verdict, outcome.interrupted), indent=1)
        if arguments.json == "-":
            print(text)
        else:
            Path(arguments.json).write_text(text + "\n")
    if arguments.json != "-":
        print(text_report(outcome.results, plan.sprt, outcome.verdict))
        if outcome.interrupted:
            print("Interrupted: the results above are those of the games that were finished.")
    return exit_status(bool(outcome.results.faults), outcome.interrupted)


if __name__ == "__main__":
    sys.exit(main())
