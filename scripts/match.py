#!/usr/bin/env python3
"""Plays a match between two UCI engines, where fastchess is not installed.

    scripts/match.py --engine name=new cmd=./castellan --engine name=old cmd=./castellan-old \\
        --each tc=4+0.04 option.Hash=16 --book openings.epd --games 200 --concurrency 2 \\
        --sprt 0 5 --pgn games.pgn --results match.jsonl

Clocks run from the write of `go` to the arrival of `bestmove`; the rules are python-chess's. Every illegal move, illegal PV,
crash, stall, missing or unexpected bestmove and time loss is counted.
Exit status: 0 no fault, 1 an engine misbehaved, 2 the match cannot be set up, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from lib.cli import EXIT_USAGE, UsageError, even, exit_status, parser_for, positive
from lib.engines import NS_PER_MS, NS_PER_S, checked, parse_engine
from lib.game import Rules
from lib.match import MatchPlan, run_match
from lib.openings import load_openings
from lib.report import json_report, status, text_report
from lib.rules import add_adjudication, adjudication_from
from lib.stats import Sprt


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    players = top.add_argument_group("players")
    players.add_argument(
        "--engine",
        nargs="+",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="cmd=PROGRAM [name=] [tc=TIME[+INC] in seconds, e.g. 4+0.04] [nodes=] [option.NAME=VALUE]",
    )
    players.add_argument("--each", nargs="+", default=[], metavar="KEY=VALUE", help="limits and options of both engines")
    players.add_argument("--margin", type=float, default=0.0, metavar="MS", help="grace on the clock; default 0")
    players.add_argument(
        "--patience",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="until a silent engine has stalled: after a time loss and `stop`, or after `go` without a clock; default 60",
    )
    games = top.add_argument_group("games")
    games.add_argument("--games", type=even, default=2, metavar="N", help="an even number; default 2")
    games.add_argument("--book", metavar="FILE", help="openings, .pgn or EPD; each is played with both colors")
    games.add_argument("--seed", type=int, default=1, help="of the order of the openings; default 1")
    games.add_argument("--variant", choices=("standard", "chess960"), default="standard")
    games.add_argument("--concurrency", type=positive, default=1, metavar="N", help="games at the same time; default 1")
    games.add_argument(
        "--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when the pentanomial GSPRT (logistic Elo) decides"
    )
    add_adjudication(top)
    output = top.add_argument_group("output")
    output.add_argument("--pgn", metavar="FILE", help="games with evaluations, depths and clocks as comments")
    output.add_argument("--results", metavar="FILE", help="a JSON line per finished game, for --resume")
    output.add_argument("--resume", action="store_true", help="continue the match in --results; --games may be larger")
    output.add_argument("--json", metavar="FILE", help="the report as JSON; - for standard output instead of the text")
    return top


def plan_from(arguments: argparse.Namespace) -> MatchPlan:
    """Checks everything that can be checked before the first game, and starts each engine once."""
    if len(arguments.engine) != 2:
        raise UsageError("a match needs two --engine")
    if arguments.resume and arguments.results is None:
        raise UsageError("--resume needs the --results file of the match")
    if arguments.margin < 0 or arguments.patience <= 0:
        raise UsageError("--margin must not be negative, and --patience must be positive")
    sprt = Sprt(*arguments.sprt) if arguments.sprt else None
    if sprt is not None and not sprt.elo0 < sprt.elo1:
        raise UsageError("--sprt needs ELO0 below ELO1")
    chess960 = arguments.variant == "chess960"
    first, second = (parse_engine(words, arguments.each) for words in arguments.engine)
    if first.name == second.name:
        raise UsageError(f"the engines need different names (name=...), not '{first.name}' twice")
    if chess960:
        first, second = (replace(spec, options=spec.options | {"UCI_Chess960": "true"}) for spec in (first, second))
    openings = load_openings(arguments.book, chess960, arguments.seed)
    book = f"{arguments.book or 'none'}, {openings.size} openings, seed {arguments.seed}"
    rules = Rules(
        chess960, round(arguments.margin * NS_PER_MS), round(arguments.patience * NS_PER_S), adjudication_from(arguments)
    )
    return MatchPlan(
        (checked(first), checked(second)), arguments.games, openings, book, rules, arguments.concurrency, sprt,
        arguments.results, arguments.pgn, arguments.resume,
    )  # fmt: skip


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        plan = plan_from(arguments)
        results = run_match(plan, lambda results: status(results, plan.sprt))
    except (UsageError, OSError) as error:
        print(f"match: {error}", file=sys.stderr)
        return EXIT_USAGE
    if arguments.json:
        text = json.dumps(json_report(results, plan.sprt), indent=1) + "\n"
        if arguments.json == "-":
            print(text, end="")
        else:
            Path(arguments.json).write_text(text)
    if arguments.json != "-":
        print(text_report(results, plan.sprt))
        if results.interrupted:
            print("Interrupted: these are the results of the finished games.")
    return exit_status(bool(results.faults), results.interrupted)


if __name__ == "__main__":
    sys.exit(main())
