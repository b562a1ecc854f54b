#!/usr/bin/env python3
"""Tunes the engine's parameters by SPSA, on games of a tuning build against itself.

    scripts/spsa.py --engine ./castellan-tuning --only 'late_move_reduction.*' 'futility.*' --iterations 5000 \\
        --tc 2+0.02 --book openings.epd --concurrency 2 --state tuning.json

The engine must print its table on `tune` (`info string tune NAME DEFAULT MIN MAX STEP`, a line per parameter) and have every
parameter as a spin option. Each iteration is a pair of games: every parameter is moved up or down at random by c, the two
opposite points play each other, and all parameters move along their direction by the result. The gains follow Spall's
schedule, c_k = c / k^gamma and a_k = a / (A + k)^alpha, given by their values at the last iteration. The state is saved after
every iteration; the same command with --resume continues. Exit status as of match.py.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import math
import os
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lib.cli import EXIT_OK, EXIT_USAGE, UsageError, exit_status, parser_for, positive, program_path
from lib.engines import NS_PER_MS, OPTION_PREFIX, EngineSpec, Limit, checked, options_of, split_words
from lib.game import GameJob, GameRecord, Rules
from lib.match import POINTS, Interrupts, WorkerPool, games_bar
from lib.openings import Openings, load_openings
from lib.report import fault_lines
from lib.rules import add_adjudication, adjudication_from
from lib.uci import EngineFault, Fault, UciEngine

SWITCH = "*.enabled"  # a technique is on or off: it has no slope
PLUS, MINUS = "plus", "minus"
ALPHA = 0.602
GAMMA = 0.101
STABILITY_SHARE = 0.1  # A as a share of all iterations


@dataclass(frozen=True)
class Parameter:
    """A row of the engine's table; `step` is the perturbation at the end (c_end)."""

    name: str
    default: int
    minimum: int
    maximum: int
    step: float


@dataclass(frozen=True)
class Schedule:
    """The number of iterations, and how far a won pair moves a parameter at the end, in steps squared."""

    iterations: int
    r_end: float

    def push(self, parameter: Parameter, k: int) -> float:
        """c_k of iteration k, counted from 1."""
        return parameter.step * math.pow(self.iterations / k, GAMMA)

    def gain(self, parameter: Parameter, k: int) -> float:
        """a_k / c_k: how far one point of a pair's result moves the parameter."""
        stability = STABILITY_SHARE * self.iterations
        a_end = self.r_end * parameter.step**2
        a_k = a_end * math.pow((stability + self.iterations) / (stability + k), ALPHA)
        return a_k / self.push(parameter, k)


@dataclass(frozen=True)
class Probe:
    """The two opposite points of an iteration, rounded to what the engine accepts."""

    k: int
    signs: dict[str, int]
    plus: dict[str, int]
    minus: dict[str, int]


class Tuning:
    """The current values and the progress. Everything but the games is reproducible from the seed."""

    def __init__(self, parameters: Sequence[Parameter], schedule: Schedule, seed: int) -> None:
        self.parameters = list(parameters)
        self.schedule = schedule
        self.seed = seed
        self.values: dict[str, float] = {parameter.name: float(parameter.default) for parameter in parameters}
        self.finished = 0

    def probe(self, k: int) -> Probe:
        """The points of iteration k around the current values. Rounding is random, so that small perturbations count too."""
        rng = random.Random(f"{self.seed}/{k}")
        probe = Probe(k, {}, {}, {})
        for parameter in self.parameters:
            sign = probe.signs[parameter.name] = rng.choice((-1, 1))
            push = self.schedule.push(parameter, k)
            for point, direction in ((probe.plus, sign), (probe.minus, -sign)):
                value = self.values[parameter.name] + direction * push
                rounded = int(value // 1) + (rng.random() < value % 1)
                point[parameter.name] = min(max(rounded, parameter.minimum), parameter.maximum)
        return probe

    def learn(self, probe: Probe, result: float) -> None:
        """Moves every value by the pair's result: wins minus losses of the plus side, from -2 to 2."""
        for parameter in self.parameters:
            value = self.values[parameter.name]
            value += self.schedule.gain(parameter, probe.k) * result * probe.signs[parameter.name]
            self.values[parameter.name] = min(max(value, float(parameter.minimum)), float(parameter.maximum))
        self.finished += 1

    def _identity(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """What must be the same when a tuning is resumed."""
        parameters = [asdict(parameter) for parameter in self.parameters]
        return {"settings": settings, "seed": self.seed, "schedule": asdict(self.schedule), "parameters": parameters}

    def save(self, path: str, settings: Mapping[str, Any]) -> None:
        """Writes a new file and renames it, so that an interruption leaves the old or the new state."""
        data = {**self._identity(settings), "finished": self.finished, "values": self.values}
        temporary = f"{path}.new"
        Path(temporary).write_text(json.dumps(data, indent=1) + "\n")
        os.replace(temporary, path)

    def load(self, path: str, settings: Mapping[str, Any]) -> None:
        """Loads values and progress of the same tuning."""
        try:
            data = json.loads(Path(path).read_text())
            for key, value in json.loads(json.dumps(self._identity(settings))).items():
                if data[key] != value:
                    raise UsageError(f"{path} belongs to another tuning: {key} was {data[key]}, now {value}")
            self.values = {parameter.name: float(data["values"][parameter.name]) for parameter in self.parameters}
            self.finished = int(data["finished"])
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise UsageError(f"{path} is no tuning state ({error!r})") from None


def read_parameters(tune_lines: Sequence[str], offered: Mapping[str, str]) -> list[Parameter]:
    """Parses `info string tune NAME DEFAULT MIN MAX STEP` lines. Each parameter must be a spin option; `offered` has the kinds
    of the options by their names in lower case."""
    parameters: list[Parameter] = []
    for line in tune_lines:
        words = line.split()
        if words[:3] != ["info", "string", "tune"]:
            continue
        try:
            name, default, minimum, maximum, step = words[3:]
            parameter = Parameter(name, int(default), int(minimum), int(maximum), float(step))
        except ValueError:
            raise UsageError(f"invalid '{line}'; expected 'info string tune NAME DEFAULT MIN MAX STEP'") from None
        if not parameter.minimum <= parameter.default <= parameter.maximum or parameter.step <= 0:
            raise UsageError(f"invalid '{line}': the default must be in the range and the step positive")
        kind = offered.get(name.lower())
        if kind != "spin":
            found = f"a {kind} option" if kind else "no option"
            raise UsageError(f"parameter '{name}' is {found} of the engine; expected a spin option")
        parameters.append(parameter)
    return parameters


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", required=True, type=program_path, metavar="PROGRAM", help="a tuning build")
    top.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="e.g. Hash=16")
    top.add_argument(
        "--only", nargs="+", default=["*"], metavar="PATTERN", help="parameters to tune, e.g. 'futility.*'; default: all"
    )
    top.add_argument("--list", action="store_true", help="print the parameters that would be tuned and exit")
    top.add_argument("--iterations", type=positive, default=1000, metavar="N", help="pairs of games; default 1000")
    top.add_argument(
        "--push", type=float, default=1.0, metavar="STEPS", help="the perturbation at the end, in the table's steps; default 1"
    )
    top.add_argument(
        "--r-end",
        type=float,
        default=0.002,
        help="the learning rate at the end, in steps squared per point of a pair; default 0.002",
    )
    top.add_argument("--tc", metavar="TIME+INC")
    top.add_argument("--nodes", metavar="N")
    top.add_argument("--margin", type=float, default=0.0, metavar="MS")
    top.add_argument("--book", metavar="FILE", help="openings, .pgn or EPD")
    top.add_argument("--seed", type=int, default=1, help="of the perturbations and the order of the openings")
    top.add_argument("--concurrency", type=positive, default=1, metavar="N")
    top.add_argument("--state", required=True, metavar="FILE", help="saved after every iteration")
    top.add_argument("--resume", action="store_true")
    add_adjudication(top)
    return top  # fmt: skip


def engine_parameters(spec: EngineSpec, patterns: list[str]) -> list[Parameter]:
    """The parameters of the engine's table that match the patterns."""
    engine = UciEngine(spec.command)
    try:
        engine.start()
        engine.handshake()
        engine.send("tune\nisready")
        lines = engine.read_until("readyok")
    except EngineFault as fault:
        raise UsageError(f"{spec.command[0]}: {fault}") from None
    finally:
        engine.quit()
    table = read_parameters(lines, {name.lower(): option.type for name, option in options_of(spec).items()})
    if not table:
        raise UsageError(f"{spec.command[0]} printed no 'info string tune' line: is it a tuning build?")
    chosen = [
        parameter
        for parameter in table
        if any(fnmatch.fnmatch(parameter.name, pattern) for pattern in patterns)
        and (not fnmatch.fnmatch(parameter.name, SWITCH) or parameter.name in patterns)
    ]
    if not chosen:
        raise UsageError(f"no parameter matches {' '.join(patterns)}; the table has {', '.join(p.name for p in table)}")
    return chosen


class PairPlayer:
    """Makes games of the points and results of the finished pairs."""

    def __init__(self, tuning: Tuning, spec: EngineSpec, openings: Openings, rules: Rules) -> None:
        self._tuning = tuning
        self._spec = spec
        self._openings = openings
        self._rules = rules
        self._open: dict[int, tuple[Probe, list[int]]] = {}

    def jobs(self) -> Iterator[GameJob]:
        """The points of an iteration are chosen when its first game starts, from the values at that time."""
        for k in range(self._tuning.finished + 1, self._tuning.schedule.iterations + 1):
            probe = self._tuning.probe(k)
            self._open[k] = (probe, [])
            plus, minus = self._player(PLUS, probe.plus), self._player(MINUS, probe.minus)
            opening = self._openings.opening(k - 1)
            yield GameJob(2 * k, k, plus, minus, opening, self._rules)
            yield GameJob(2 * k + 1, k, minus, plus, opening, self._rules)

    def finished_pair(self, record: GameRecord) -> tuple[Probe, float] | None:
        """The points and the result of a pair, after its second game."""
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


def table_of(tuning: Tuning) -> str:
    width = max(len(parameter.name) for parameter in tuning.parameters)
    lines = [f"{'parameter':<{width}}  default      now   rounded    range"]
    for parameter in tuning.parameters:
        value = tuning.values[parameter.name]
        lines.append(
            f"{parameter.name:<{width}}  {parameter.default:7}  {value:7.2f}  {round(value):8}"
            f"    {parameter.minimum} … {parameter.maximum}"
        )
    return "\n".join(lines)


def tune(
    tuning: Tuning, player: PairPlayer, concurrency: int, state: str, settings: dict[str, Any]
) -> tuple[list[Fault], bool]:
    """Plays all iterations; returns the faults and whether it was interrupted."""
    faults: list[Fault] = []
    total = tuning.schedule.iterations
    report_every = max(1, total // 50)
    try:
        with Interrupts() as interrupts, games_bar(total, tuning.finished, "pair") as bar, WorkerPool(concurrency) as pool:
            for record in pool.play(player.jobs()):
                faults += record.faults
                if (pair := player.finished_pair(record)) is None:
                    continue
                with interrupts.held():
                    tuning.learn(*pair)
                    tuning.save(state, settings)
                bar.set_postfix_str(f"FAULTS {len(faults)}" if faults else "", refresh=False)
                bar.update()
                if not sys.stderr.isatty() and tuning.finished % report_every == 0:
                    print(f"after iteration {tuning.finished}\n{table_of(tuning)}", flush=True)
    except KeyboardInterrupt:
        return faults, True
    return faults, False


def prepare(arguments: argparse.Namespace) -> tuple[Tuning, PairPlayer, dict[str, Any]]:
    """Everything that can be refused is refused here, before a game."""
    if not (0 < arguments.r_end < math.inf and 0 < arguments.push < math.inf and 0 <= arguments.margin < math.inf):
        raise UsageError("--r-end and --push must be positive numbers, --margin not negative")
    limit = Limit.parse(tc=arguments.tc, nodes=arguments.nodes)
    _, options = split_words([OPTION_PREFIX + text for text in arguments.option], ())
    spec = checked(EngineSpec("tuned", (arguments.engine,), limit, {"Threads": "1", **options}))
    parameters = [replace(row, step=row.step * arguments.push) for row in engine_parameters(spec, arguments.only)]
    openings = load_openings(arguments.book, seed=arguments.seed)
    tuning = Tuning(parameters, Schedule(arguments.iterations, arguments.r_end), arguments.seed)
    rules = Rules(
        margin_ns=round(arguments.margin * NS_PER_MS),
        adjudication=adjudication_from(arguments),
        check_pvs=False,  # of no use to a tuning
        event="spsa",
    )
    settings = {"engine": asdict(spec), "book": arguments.book, "adjudication": asdict(rules.adjudication)}
    if Path(arguments.state).exists():
        if not arguments.resume:
            raise UsageError(f"{arguments.state} already exists; use --resume to continue it, or another --state")
        tuning.load(arguments.state, settings)
    return tuning, PairPlayer(tuning, spec, openings, rules), settings


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        tuning, player, settings = prepare(arguments)
        if arguments.list:
            print(table_of(tuning))
            return EXIT_OK
        faults, interrupted = tune(tuning, player, arguments.concurrency, arguments.state, settings)
    except (UsageError, OSError) as error:
        print(f"spsa: {error}", file=sys.stderr)
        return EXIT_USAGE
    print(f"{tuning.finished} of {tuning.schedule.iterations} iterations\n{table_of(tuning)}")
    if faults:
        print(f"Faults: {len(faults)}")
        print("\n".join(fault_lines(faults)))
    return exit_status(bool(faults), interrupted)


if __name__ == "__main__":
    sys.exit(main())
