#!/usr/bin/env python3
"""Tunes the engine's parameter table by SPSA, on games between a tuning build and itself.

    scripts/spsa.py --engine ./castellan-tuning --only 'late_move_reduction.*' 'futility.*' --iterations 5000 \\
        --tc 2+0.02 --book openings.epd --concurrency 2 --state tuning.json

The engine must print its table on `tune` (`info string tune NAME DEFAULT MIN MAX STEP`, one line a parameter) and
take every parameter as a spin option. One iteration is one pair of games. The state is saved after every iteration;
the same command with --resume goes on. Exit status as match.py's.
"""

from __future__ import annotations

import argparse
import fnmatch
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from lib.adjudicate import add_adjudication, adjudication_from
from lib.book import Book, BookError, load_book
from lib.cli import EXIT_OK, EXIT_USAGE, UsageError, exit_status, name_values, parser_for, program_path
from lib.engine_spec import EachOptions, EngineSpec, SpecError
from lib.faults import EngineFault, Fault
from lib.limits import NS_PER_MS, Limit, LimitError
from lib.match_types import GameJob, GameRecord, Rules
from lib.pool import WorkerPool
from lib.progress import Progress
from lib.results import POINTS
from lib.tuning import Parameter, Probe, Schedule, Tuning, TuningError, read_parameters
from lib.uci_client import START_TIMEOUT_S, UciEngine, preflight

SWITCH = "*.enabled"  # a technique is on or off: there is no slope to follow
PLUS, MINUS = "plus", "minus"
FAULT_DETAILS = 20


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", required=True, metavar="PROGRAM", help="a tuning build")
    top.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="e.g. Hash=16")
    top.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN", help="parameters to tune, e.g. 'futility.*'; default: all")
    top.add_argument("--list", action="store_true", help="print the parameters that would be tuned, and stop")
    top.add_argument("--iterations", type=int, default=1000, metavar="N", help="pairs of games in all; default 1000")
    top.add_argument("--push", type=float, default=1.0, metavar="STEPS",
                     help="how far a parameter is pushed at the end, in the table's steps; default 1")
    top.add_argument("--r-end", type=float, default=0.002,
                     help="learning rate at the end, in steps squared for each point of a pair; default 0.002")
    top.add_argument("--tc", metavar="TIME+INC")
    top.add_argument("--nodes", metavar="N")
    top.add_argument("--margin", type=float, default=0.0, metavar="MS")
    top.add_argument("--book", metavar="FILE", help="openings, .pgn or EPD")
    top.add_argument("--seed", type=int, default=1, help="of the pushes and of the book's order")
    top.add_argument("--concurrency", type=int, default=1, metavar="N")
    top.add_argument("--state", required=True, metavar="FILE", help="saved after every iteration")
    top.add_argument("--resume", action="store_true")
    add_adjudication(top)
    return top  # fmt: skip


def engine_parameters(spec: EngineSpec, patterns: list[str]) -> list[Parameter]:
    """Asks the engine for its table and keeps what the patterns name."""
    engine = UciEngine(spec)
    try:
        engine.start()
        engine.send("tune\nisready")
        lines = engine.read_until("readyok", START_TIMEOUT_S)
    except EngineFault as fault:
        raise SpecError(f"{spec.command[0]}: {fault}") from None
    finally:
        engine.quit()
    table = read_parameters(lines, {name: option.kind for name, option in engine.options.items()})
    if not table:
        raise TuningError(f"{spec.command[0]} printed no 'info string tune' line: is it a tuning build?")
    chosen = [
        parameter
        for parameter in table
        if any(fnmatch.fnmatch(parameter.name, pattern) for pattern in patterns)
        and (not fnmatch.fnmatch(parameter.name, SWITCH) or parameter.name in patterns)
    ]
    if not chosen:
        raise TuningError(f"no parameter matches {' '.join(patterns)}; the table has {', '.join(p.name for p in table)}")
    return chosen


class PairPlayer:
    """Turns probes into games and finished pairs back into results."""

    def __init__(self, tuning: Tuning, spec: EngineSpec, book: Book, rules: Rules) -> None:
        self._tuning = tuning
        self._spec = spec
        self._book = book
        self._rules = rules
        self._open: dict[int, tuple[Probe, list[int]]] = {}

    def jobs(self) -> Iterator[GameJob]:
        """A probe is made when its first game is given out: from the values as they are then."""
        for k in range(self._tuning.finished + 1, self._tuning.schedule.iterations + 1):
            probe = self._tuning.probe(k)
            self._open[k] = (probe, [])
            plus = self._player(PLUS, probe.plus)
            minus = self._player(MINUS, probe.minus)
            opening = self._book.opening(k - 1)
            yield GameJob(2 * k, k, plus, minus, opening, self._rules)
            yield GameJob(2 * k + 1, k, minus, plus, opening, self._rules)

    def finished_pair(self, record: GameRecord) -> tuple[Probe, float] | None:
        """The pair's probe and result, once its second game is in."""
        probe, points = self._open[record.round]
        white = POINTS[record.result] - 1
        points.append(white if record.white == PLUS else -white)
        if len(points) < 2:
            return None
        del self._open[record.round]
        return probe, float(sum(points))

    def _player(self, name: str, values: dict[str, int]) -> EngineSpec:
        options = self._spec.options | {key: str(value) for key, value in values.items()}
        return replace(self._spec, name=name, options=options)


def show(tuning: Tuning) -> str:
    width = max(len(parameter.name) for parameter in tuning.parameters)
    lines = [f"{'parameter':<{width}}  default      now   rounded    range"]
    for parameter in tuning.parameters:
        value = tuning.values[parameter.name]
        lines.append(
            f"{parameter.name:<{width}}  {parameter.default:7}  {value:7.2f}  {round(value):8}"
            f"    {parameter.minimum} … {parameter.maximum}"
        )
    return "\n".join(lines)


def tune(tuning: Tuning, player: PairPlayer, concurrency: int, state: str, settings: dict[str, Any]) -> tuple[list[Fault], bool]:
    """Plays until all iterations are done; returns the faults seen and whether it was interrupted."""
    faults: list[Fault] = []
    plain = not sys.stderr.isatty()
    report_every = max(1, tuning.schedule.iterations // 50)
    try:
        with Progress(tuning.schedule.iterations, tuning.finished) as progress, WorkerPool(concurrency) as pool:
            for record in pool.play(player.jobs()):
                faults += record.faults
                pair = player.finished_pair(record)
                if pair is None:
                    continue
                tuning.learn(*pair)
                tuning.save(state, settings)
                progress.finished(f"FAULTS {len(faults)}" if faults else "")
                if plain and tuning.finished % report_every == 0:
                    print(f"after iteration {tuning.finished}\n{show(tuning)}", flush=True)
    except KeyboardInterrupt:
        return faults, True
    return faults, False


def prepare(arguments: argparse.Namespace) -> tuple[Tuning, PairPlayer, dict[str, Any]]:
    """Everything that can be refused is refused here, before a game."""
    if arguments.iterations < 1 or arguments.concurrency < 1 or not 0 <= arguments.margin < math.inf:
        raise UsageError("--iterations and --concurrency must be at least 1, --margin not negative")
    if not (0 < arguments.r_end < math.inf and 0 < arguments.push < math.inf):
        raise UsageError("--r-end and --push must be positive numbers")
    limit = Limit.parse(tc=arguments.tc, nodes=arguments.nodes)
    named = EngineSpec("tuned", (program_path(arguments.engine),), limit, None, name_values(arguments.option))
    spec = preflight(named, EachOptions({"Threads": "1"}, {}), {})[0]
    parameters = [replace(row, step=row.step * arguments.push) for row in engine_parameters(spec, arguments.only)]
    book = load_book(arguments.book, False, arguments.seed, True, None)
    book.opening(0)
    tuning = Tuning(parameters, Schedule(arguments.iterations, arguments.r_end), arguments.seed)
    adjudication = adjudication_from(arguments)
    settings = {"engine": spec.to_json(), "book": arguments.book, "adjudication": adjudication.to_json()}
    if Path(arguments.state).exists():
        if not arguments.resume:
            raise TuningError(f"{arguments.state} exists: give --resume to go on with it, or another --state")
        tuning.load(arguments.state, settings)
    rules = Rules(margin_ns=round(arguments.margin * NS_PER_MS), adjudication=adjudication, event="spsa")
    return tuning, PairPlayer(tuning, spec, book, rules), settings


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        tuning, player, settings = prepare(arguments)
        if arguments.list:
            print(show(tuning))
            return EXIT_OK
        faults, interrupted = tune(tuning, player, arguments.concurrency, arguments.state, settings)
    except (UsageError, SpecError, LimitError, BookError, TuningError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_USAGE
    print(f"{tuning.finished} of {tuning.schedule.iterations} iterations\n{show(tuning)}")
    for fault in faults[:FAULT_DETAILS]:
        print(f"fault: {fault.engine}, ply {fault.ply}, {fault.kind.value}: {fault.detail}")
    if faults:
        print(f"Faults: {len(faults)}")
    return exit_status(bool(faults), interrupted)


if __name__ == "__main__":
    sys.exit(main())
