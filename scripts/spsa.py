#!/usr/bin/env python3
"""Tunes the parameters of a tuning build by SPSA, in games against itself.

    scripts/spsa.py --engine ./castellan-tuning --only 'late_move_reduction.*' 'futility.*' --pairs 20000 --nodes 40000 \\
        --option Hash=16 --book openings.epd --concurrency 2 --state tune.json

In each batch of game pairs every parameter is moved up or down at random by c_k, the two opposite points play each other, and
all parameters move along their direction by the result. The gains follow Spall's schedule, c_k = c / k^0.101 and
a_k = a / (A + k)^0.602, where k counts pairs; they are given by their values at the last pair. Decided games are adjudicated.
The state is saved after every batch, and the same command continues it on any machine; --show only prints its table. Its z is
the distance of a value from its default in standard errors, that is of what chance alone would have moved it by, and `shrunk`
the value that is left when the share of chance in all distances is taken off (James and Stein). A value that begins at the end
of its range, as that of a candidate does, only moves inwards: its z is positive by chance too.
Exit status: 0 done, 1 an engine was at fault (illegal move or PV, crash, loss on time), 2 it cannot be played, 130 interrupted.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import math
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from lib.cli import (
    EXIT_FAULTS,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_USAGE,
    UsageError,
    parser_for,
    positive,
    program_path,
    replace_text,
)
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

ALPHA, GAMMA = 0.602, 0.101
STABILITY = 0.1  # A as a share of all pairs


@dataclass(frozen=True)
class Parameter:
    """A row of the engine's table; `step` is the perturbation at the end."""

    name: str
    default: int
    minimum: int
    maximum: int
    step: float


class Tune:
    """The values so far. Everything but the results of games follows from the seed."""

    def __init__(self, parameters: Sequence[Parameter], pairs: int, r_end: float, seed: int) -> None:
        self.parameters, self.pairs, self.r_end, self.seed = parameters, pairs, r_end, seed
        self.values = {parameter.name: float(parameter.default) for parameter in parameters}
        self.finished = 0
        self.chance = 0.0  # variance that random results give each value, in squared steps

    def perturbation(self, parameter: Parameter, k: int) -> float:
        return parameter.step * math.pow(self.pairs / k, GAMMA)

    def signs(self, k: int) -> dict[str, int]:
        """The direction of each parameter in the batch that begins with pair k, counted from 1."""
        rng = random.Random(f"{self.seed}/{k}")
        return {parameter.name: rng.choice((-1, 1)) for parameter in self.parameters}

    def point(self, k: int, side: int) -> dict[str, int]:
        """The values of the plus side (1) or the minus side (-1). Rounding is random: small perturbations count too."""
        rng, signs = random.Random(f"{self.seed}/{k}/{side}"), self.signs(k)
        point = {}
        for parameter in self.parameters:
            name = parameter.name
            value = self.values[name] + side * signs[name] * self.perturbation(parameter, k)
            rounded = math.floor(value) + (rng.random() < value % 1)
            point[name] = min(max(rounded, parameter.minimum), parameter.maximum)
        return point

    def learn(self, k: int, result: int, pairs: int) -> None:
        """Moves every value by the result of the batch: wins minus losses of the plus side."""
        decay = math.pow(self.pairs * (1 + STABILITY) / (self.pairs * STABILITY + k), ALPHA)
        steps = self.r_end * decay / math.pow(self.pairs / k, GAMMA) * result
        signs = self.signs(k)
        for parameter in self.parameters:
            value = self.values[parameter.name] + steps * parameter.step * signs[parameter.name]
            self.values[parameter.name] = min(max(value, float(parameter.minimum)), float(parameter.maximum))
        self.chance += steps**2
        self.finished += pairs

    def distance(self, parameter: Parameter) -> float:
        """From the default, in steps."""
        return (self.values[parameter.name] - parameter.default) / parameter.step

    def table(self) -> str:
        width = max(len(parameter.name) for parameter in self.parameters)
        error = math.sqrt(self.chance) or math.inf
        mean_square = sum(self.distance(parameter) ** 2 for parameter in self.parameters) / len(self.parameters)
        kept = max(0.0, 1 - self.chance / mean_square) if mean_square else 0.0
        lines = [f"{'parameter':<{width}}  default       now      z    shrunk    range"]
        for parameter in self.parameters:
            value = self.values[parameter.name]
            z, shrunk = self.distance(parameter) / error, parameter.default + kept * (value - parameter.default)
            lines.append(
                f"{parameter.name:<{width}}  {parameter.default:7}  {value:8.2f}  {z:+5.1f}  {shrunk:8.2f}    "
                f"{parameter.minimum} … {parameter.maximum}"
            )
        return "\n".join([*lines, f"{self.finished} of {self.pairs} pairs of games"])

    def save(self, path: Path, settings: dict[str, Any]) -> None:
        state = {**settings, "finished": self.finished, "chance": self.chance, "values": self.values}
        replace_text(path, json.dumps(state, indent=1) + "\n")

    def load(self, path: Path, settings: dict[str, Any]) -> None:
        try:
            state = json.loads(path.read_text())
            for key, value in json.loads(json.dumps(settings)).items():
                if state[key] != value:
                    raise UsageError(f"{path} is of another tune: '{key}' was {state[key]}, now {value}")
            self.values = {parameter.name: float(state["values"][parameter.name]) for parameter in self.parameters}
            self.finished, self.chance = int(state["finished"]), float(state["chance"])
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise UsageError(f"{path} is not the state of a tune ({error!r})") from None


def engine_parameters(program: str, patterns: Sequence[str]) -> list[Parameter]:
    """The rows of `NAME, int, DEFAULT, MIN, MAX, STEP, RATE` whose names match."""
    try:
        run = subprocess.run([program], input="tune\nquit\n", capture_output=True, text=True, timeout=60, check=True)
        rows = [line.split(", ") for line in run.stdout.splitlines() if ", int, " in line]
        table = [Parameter(row[0], int(row[2]), int(row[3]), int(row[4]), float(row[5])) for row in rows]
    except (OSError, subprocess.SubprocessError, IndexError, ValueError) as error:
        raise UsageError(f"{program} lists no parameters, is it a tuning build? ({error})") from None
    chosen = [parameter for parameter in table if any(fnmatch.fnmatch(parameter.name, pattern) for pattern in patterns)]
    if not chosen:
        raise UsageError(f"no parameter matches {' '.join(patterns)}; the table has {', '.join(p.name for p in table)}")
    return chosen


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", required=True, type=program_path, metavar="PROGRAM", help="a tuning build")
    top.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN", help="the parameters to tune; default all")
    top.add_argument("--pairs", type=positive, default=20000, metavar="N", help="pairs of games in all; default 20000")
    top.add_argument("--batch", type=positive, default=8, metavar="N", help="pairs between two steps; default 8")
    top.add_argument("--push", type=float, default=1.5, metavar="C", help="c at the end, in the table's steps; default 1.5")
    top.add_argument("--r-end", type=float, default=0.0025, metavar="R", help="a / c² at the end; default 0.0025")
    add_limits(top)
    add_match_arguments(top)
    top.add_argument("--state", required=True, type=Path, metavar="FILE", help="the values so far; continued if it exists")
    top.add_argument("--show", action="store_true", help="print the table of the values and exit")
    return top


def play_all(tune: Tune, arguments: argparse.Namespace, settings: dict[str, Any]) -> list[str]:
    """Plays the pairs that are left, and returns the faults of the engines."""
    faults: list[str] = []
    with tqdm(total=tune.pairs, initial=tune.finished, unit="pair", mininterval=0.1 if sys.stderr.isatty() else 60) as bar:
        while tune.finished < tune.pairs:
            k, pairs = tune.finished + 1, min(arguments.batch, tune.pairs - tune.finished)
            engines = [
                engine_with(name, arguments.engine, arguments, [f"{key}={value}" for key, value in tune.point(k, side).items()])
                for name, side in (("plus", 1), ("minus", -1))
            ]
            score, found = play(match(arguments, engines, 2 * pairs, *ADJUDICATION, start=k))
            faults += found
            tune.learn(k, score.wins - score.losses, pairs)
            tune.save(arguments.state, settings)
            bar.update(pairs)
    return faults


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        table = engine_parameters(arguments.engine, arguments.only)
        parameters = [replace(row, step=row.step * arguments.push) for row in table]
        tune = Tune(parameters, arguments.pairs, arguments.r_end, arguments.seed)
        settings = {
            **{"games": settings_of(arguments), "book": Path(arguments.book).name, "batch": arguments.batch},
            **{"pairs": arguments.pairs, "r_end": arguments.r_end, "seed": arguments.seed},
            "parameters": [" ".join(map(str, astuple(parameter))) for parameter in parameters],
        }
        if arguments.state.exists():
            tune.load(arguments.state, settings)
        faults = [] if arguments.show else play_all(tune, arguments, settings)
    except (UsageError, OSError) as error:
        print(f"spsa: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    print(tune.table())
    print_faults(faults)
    return EXIT_FAULTS if faults else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
