#!/usr/bin/env python3
"""Plays a match between UCI engines, where fastchess is not installed.

    scripts/match.py --engine name=new cmd=./castellan --engine name=old cmd=./castellan-old \\
        --each tc=4+0.04 option.Hash=16 --book openings.epd --games 200 --concurrency 2 \\
        --sprt 0 5 --pgn games.pgn --results match.jsonl

The first engine plays each other one. Clocks run from the write of `go` to the arrival of `bestmove`; the rules are
python-chess's. Every illegal move, illegal PV, crash, stall, missing or unexpected bestmove and time loss is counted.
Exit status: 0 no fault, 1 an engine misbehaved, 2 the match cannot be set up, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from lib.cli import EXIT_USAGE, UsageError, even, exit_status, parser_for, positive
from lib.engines import NS_PER_MS, NS_PER_S, EngineSpec, parse_each, parse_engine, preflight
from lib.game import Rules
from lib.match import MatchPlan, run_match
from lib.openings import load_openings
from lib.report import json_report, status, text_report
from lib.rules import add_adjudication, adjudication_from
from lib.stats import Sprt

MOVETIME_MARGIN_MS = 50.0


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    players = top.add_argument_group("players")
    players.add_argument(
        "--engine",
        nargs="+",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="cmd=PROGRAM [name=] [dir=] [tc=[MOVES/]TIME[+INC] | movetime=SECONDS] [nodes=] [depth=]"
        " [option.NAME=VALUE]; times in seconds, e.g. 4+0.04, 40/60, 1:30+0.5",
    )
    players.add_argument(
        "--each",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="the same for every engine; options that an engine lacks are left out with a warning",
    )
    players.add_argument(
        "--margin", type=float, metavar="MS", help=f"grace on the clock; default 0 ms, {MOVETIME_MARGIN_MS:g} ms with movetime"
    )
    players.add_argument(
        "--patience",
        type=float,
        metavar="SECONDS",
        help="until a silent engine has stalled: default 10 after a time loss and `stop`, 120 after `go` without a clock",
    )
    games = top.add_argument_group("games")
    games.add_argument("--games", type=even, default=2, metavar="N", help="per opponent, an even number; default 2")
    games.add_argument("--book", metavar="FILE", help="openings, .pgn or EPD; each is played with both colors")
    games.add_argument("--book-plies", type=positive, metavar="N", help="at most N plies of each PGN opening")
    games.add_argument("--book-order", choices=("random", "sequential"), default="random")
    games.add_argument("--seed", type=int, default=1, help="of the order of the openings; default 1")
    games.add_argument("--variant", choices=("standard", "chess960"), default="standard")
    games.add_argument("--concurrency", type=positive, default=1, metavar="N", help="games at the same time; default 1")
    games.add_argument(
        "--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when the pentanomial GSPRT (logistic Elo) decides"
    )
    games.add_argument("--sprt-errors", nargs=2, type=float, default=(0.05, 0.05), metavar=("ALPHA", "BETA"))
    add_adjudication(top)
    output = top.add_argument_group("output")
    output.add_argument("--pgn", metavar="FILE", help="games with evaluations, depths and clocks as comments")
    output.add_argument("--results", metavar="FILE", help="a JSON line per finished game, for --resume")
    output.add_argument("--resume", action="store_true", help="continue the match in --results; --games may be larger")
    output.add_argument("--json", metavar="FILE", help="the report as JSON; - for standard output instead of the text")
    output.add_argument("--event", default="match", help="the PGN tag Event")
    return top  # fmt: skip


def plan_from(arguments: argparse.Namespace) -> MatchPlan:
    """Checks everything that can be checked before the first game, and starts each engine once."""
    if len(arguments.engine) < 2:
        raise UsageError("a match needs at least two --engine")
    if arguments.resume and arguments.results is None:
        raise UsageError("--resume needs the --results file of the match")
    sprt = Sprt(*arguments.sprt, *arguments.sprt_errors) if arguments.sprt else None
    if sprt is not None and len(arguments.engine) != 2:
        raise UsageError("--sprt compares exactly two engines")
    if sprt is not None and not (sprt.elo0 < sprt.elo1 and 0 < sprt.alpha < 0.5 and 0 < sprt.beta < 0.5):
        raise UsageError("--sprt needs ELO0 below ELO1, and errors between 0 and 0.5")
    chess960 = arguments.variant == "chess960"
    each = parse_each(arguments.each)
    engines: list[EngineSpec] = []
    for words in arguments.engine:
        spec, warnings = preflight(parse_engine(words, each.limits), each, {"UCI_Chess960": "true"} if chess960 else {})
        for warning in warnings:
            print(f"warning: {warning}", file=sys.stderr)
        engines.append(spec)
    if len({engine.name for engine in engines}) != len(engines):
        raise UsageError(f"engines need different names (name=…): {', '.join(engine.name for engine in engines)}")
    seed = arguments.seed if arguments.book_order == "random" else None
    openings = load_openings(arguments.book, chess960, seed, arguments.book_plies)
    book = f"{arguments.book or 'none'}, {openings.size} openings, plies {arguments.book_plies}, seed {seed}"
    return MatchPlan(
        engines, arguments.games, openings, book, rules_from(arguments, engines, chess960), arguments.concurrency, sprt,
        arguments.results, arguments.pgn, arguments.resume,
    )  # fmt: skip


def rules_from(arguments: argparse.Namespace, engines: list[EngineSpec], chess960: bool) -> Rules:
    margin, patience = arguments.margin, arguments.patience
    if margin is None:
        margin = MOVETIME_MARGIN_MS if any(engine.limit.movetime_ns for engine in engines) else 0.0
    if margin < 0 or (patience is not None and patience <= 0):
        raise UsageError("--margin must not be negative, and --patience must be positive")
    waiting = {}
    if patience is not None:
        waiting = {name: round(patience * NS_PER_S) for name in ("patience_ns", "untimed_patience_ns")}
    adjudication = adjudication_from(arguments)
    return Rules(chess960, round(margin * NS_PER_MS), adjudication=adjudication, event=arguments.event, **waiting)


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
