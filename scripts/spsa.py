#!/usr/bin/env python3
"""Tunes the engine's parameters by SPSA, on games of a tuning build against itself.

    scripts/spsa.py --engine ./castellan-tuning --only 'late_move_reduction.*' 'futility.*' --pairs 5000 \\
        --book openings.epd --concurrency 2 --state tuning.json

The engine must print its table on `tune` (`info string tune NAME DEFAULT MIN MAX STEP`, a line per parameter) and have every
parameter as a spin option. In each iteration every parameter is moved up or down at random by c, the two opposite points play
a batch of game pairs, and all parameters move along their direction by the result. The gains follow Spall's schedule,
c_k = c / k^gamma and a_k = a / (A + k)^alpha, where k counts pairs; they are given by their values at the last pair. The games
are played by fastchess, and decided ones are adjudicated. The state is saved after every batch; the same command with --resume
continues.
Exit status: 0 done, 1 an engine was at fault (illegal move or PV, crash, loss on time), 2 it cannot be played, 130 interrupted.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lib.cli import EXIT_FAULTS, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, UsageError, parser_for, positive, program_path
from lib.fastchess import (
    ADJUDICATION,
    add_limits,
    add_match_arguments,
    engine_with,
    match,
    play,
    print_faults,
    settings_of,
)

from tqdm import tqdm

ALPHA = 0.602
GAMMA = 0.101
STABILITY_SHARE = 0.1  # A as a share of all pairs
TABLE_TIMEOUT_S = 60


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
    """The number of pairs, and how far one won game more moves a parameter at the end, in steps squared."""

    pairs: int
    r_end: float

    def push(self, parameter: Parameter, k: int) -> float:
        """c_k of pair k, counted from 1."""
        return parameter.step * math.pow(self.pairs / k, GAMMA)

    def gain(self, parameter: Parameter, k: int) -> float:
        """a_k / c_k: how far one won game more than lost ones moves the parameter."""
        stability = STABILITY_SHARE * self.pairs
        a_end = self.r_end * parameter.step**2
        a_k = a_end * math.pow((stability + self.pairs) / (stability + k), ALPHA)
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
        """The points of the batch that begins with pair k, around the current values. Rounding is random, so that small
        perturbations count too."""
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

    def learn(self, probe: Probe, result: float, pairs: int = 1) -> None:
        """Moves every value by the result of the batch: wins minus losses of the plus side."""
        for parameter in self.parameters:
            value = self.values[parameter.name]
            value += self.schedule.gain(parameter, probe.k) * result * probe.signs[parameter.name]
            self.values[parameter.name] = min(max(value, float(parameter.minimum)), float(parameter.maximum))
        self.finished += pairs

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
            raise UsageError(f"{path} is not a tuning state ({error!r})") from None


def engine_parameters(program: str, patterns: Sequence[str]) -> list[Parameter]:
    """The parameters of the engine's table that match the patterns."""
    try:
        done = subprocess.run(
            [program], input="tune\nquit\n", capture_output=True, text=True, timeout=TABLE_TIMEOUT_S, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(str(error)) from None
    table = read_parameters(done.stdout.splitlines())
    if not table:
        raise UsageError(f"{program} printed no 'info string tune' line: is it a tuning build?")
    chosen = [parameter for parameter in table if any(fnmatch.fnmatch(parameter.name, pattern) for pattern in patterns)]
    if not chosen:
        raise UsageError(f"no parameter matches {' '.join(patterns)}; the table has {', '.join(p.name for p in table)}")
    return chosen


def read_parameters(lines: Sequence[str]) -> list[Parameter]:
    """Parses `info string tune NAME DEFAULT MIN MAX STEP` lines."""
    parameters: list[Parameter] = []
    for line in lines:
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
        parameters.append(parameter)
    return parameters


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", required=True, type=program_path, metavar="PROGRAM", help="a tuning build")
    top.add_argument(
        "--only", nargs="+", default=["*"], metavar="PATTERN", help="parameters to tune, e.g. 'futility.*'; default: all"
    )
    top.add_argument("--list", action="store_true", help="print the parameters that would be tuned and exit")
    top.add_argument("--pairs", type=positive, default=1000, metavar="N", help="pairs of games in all; default 1000")
    top.add_argument("--batch", type=positive, default=8, metavar="N", help="pairs of an iteration; default 8")
    top.add_argument(
        "--push", type=float, default=1.0, metavar="STEPS", help="the perturbation at the end, in the table's steps; default 1"
    )
    top.add_argument(
        "--r-end", type=float, default=0.002, help="the learning rate at the end, in steps squared per game; default 0.002"
    )
    add_limits(top)
    add_match_arguments(top)
    top.add_argument("--state", required=True, metavar="FILE", help="saved after every batch")
    top.add_argument("--resume", action="store_true", help="continue the tuning in --state")
    return top


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


def prepare(arguments: argparse.Namespace) -> tuple[Tuning, dict[str, Any]]:
    """The tuning, new or resumed, and its settings, which a resumed one must repeat."""
    if not (0 < arguments.r_end < math.inf and 0 < arguments.push < math.inf):
        raise UsageError("--r-end and --push must be positive numbers")
    parameters = [replace(row, step=row.step * arguments.push) for row in engine_parameters(arguments.engine, arguments.only)]
    tuning = Tuning(parameters, Schedule(arguments.pairs, arguments.r_end), arguments.seed)
    settings = {"engine": arguments.engine, "games": settings_of(arguments), "book": arguments.book, "batch": arguments.batch}
    if Path(arguments.state).exists():
        if not arguments.resume:
            raise UsageError(f"{arguments.state} already exists; use --resume to continue it, or another --state")
        tuning.load(arguments.state, settings)
    return tuning, settings


def tune(tuning: Tuning, arguments: argparse.Namespace, settings: Mapping[str, Any]) -> list[str]:
    """Plays the pairs that are left, and returns the faults of the engines."""
    faults: list[str] = []
    total = tuning.schedule.pairs
    with tqdm(total=total, initial=tuning.finished, unit="pair", mininterval=0.1 if sys.stderr.isatty() else 60) as bar:
        while tuning.finished < total:
            pairs = min(arguments.batch, total - tuning.finished)
            first = tuning.finished + 1
            probe = tuning.probe(first)
            engines = [
                engine_with(name, arguments.engine, arguments, [f"{key}={value}" for key, value in point.items()])
                for name, point in (("plus", probe.plus), ("minus", probe.minus))
            ]
            score, found = play(match(arguments, engines, 2 * pairs, *ADJUDICATION, start=first))
            faults += found
            tuning.learn(probe, score.wins - score.losses, pairs)
            tuning.save(arguments.state, settings)
            bar.update(pairs)
    return faults


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        tuning, settings = prepare(arguments)
        if arguments.list:
            print(table_of(tuning))
            return EXIT_OK
        faults = tune(tuning, arguments, settings)
    except (UsageError, OSError) as error:
        print(f"spsa: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    print(table_of(tuning))
    print_faults(faults)
    return EXIT_FAULTS if faults else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
