#!/usr/bin/env python3
"""Judges many changes at once: random combinations of them play each other, and a linear model tells what each is worth.

    scripts/combinations.py changes.toml --engine ./castellan-tuning --book openings.epd --pairs 3000 --nodes 200000 \\
        --option Hash=32 --concurrency 2 --state results.jsonl

A change is a table of a TOML file: options of a tuning build, and what is expected of it in Elo (default 0):

    [shallow-probcut]
    options = { "probcut.depth" = 4, "probcut.margin" = 55 }
    prior = 2

Each batch of game pairs draws two combinations, in which each change is on with a probability of one half, and one quarter once
it is 3 Elo behind. With n changes every game tells something about all of them, where n matches would each have an n-th of the
games. The figures are the posterior means of a Bayesian linear regression, with normal priors, and one standard deviation.

Engines at fixed nodes repeat their games, so that no opening may be played twice: a book must have as many as there are pairs.
Decided games are adjudicated. Each batch is a line in --state; the same command continues, and --show only prints the table.
Exit status: 0 done, 1 an engine was at fault (illegal move or PV, crash, loss on time), 2 it cannot be played, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

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
    check_openings,
    engine_with,
    match,
    play,
    print_faults,
    settings_of,
)

import numpy as np
from tqdm import tqdm

ELO_PER_SCORE = 1600 / math.log(10)  # near a score of one half
BEHIND = -3.0  # Elo from which on a change is drawn less often
FEW_PAIRS = 20  # before which the variance of the results is a guess
GUESSED_DEVIATION = 200.0  # Elo of a pair of games


@dataclass(frozen=True)
class Change:
    name: str
    options: tuple[str, ...]  # NAME=VALUE
    prior: float


@dataclass(frozen=True)
class Batch:
    """The changes that each side had, and the pairs with 0, ½, 1, 1½ and 2 points for the first one."""

    first: int
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    pairs: tuple[int, ...]

    def elos(self) -> list[float]:
        """The result of each pair."""
        return [(points / 4 - 0.5) * ELO_PER_SCORE for points, count in enumerate(self.pairs) for _ in range(count)]


@dataclass
class Model:
    """Elo = Σ (change on for the first side) − (on for the second) + noise."""

    changes: Sequence[Change]
    deviation: float  # of the prior
    batches: list[Batch] = field(default_factory=list)

    def posterior(self) -> tuple[list[float], list[float]]:
        """The means and standard deviations of the changes' effects."""
        names = [change.name for change in self.changes]
        prior = np.array([change.prior for change in self.changes])
        rows, elos = [], []
        for batch in self.batches:
            first, second = batch.sides
            row = [float(name in first) - float(name in second) for name in names]
            for elo in batch.elos():
                rows.append(row)
                elos.append(elo)
        precision = np.eye(len(names)) / self.deviation**2
        if not rows:
            return list(prior), [self.deviation] * len(names)
        x, y = np.array(rows), np.array(elos)
        noise = float(np.var(y)) if len(elos) >= FEW_PAIRS and np.var(y) > 0 else GUESSED_DEVIATION**2
        covariance = np.linalg.inv(x.T @ x / noise + precision)
        mean = covariance @ (x.T @ y / noise + precision @ prior)
        return list(map(float, mean)), list(map(float, np.sqrt(np.diag(covariance))))

    def draw(self, rng: random.Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
        means, _ = self.posterior()
        chances = [0.25 if mean < BEHIND else 0.5 for mean in means]

        def side() -> tuple[str, ...]:
            return tuple(change.name for change, chance in zip(self.changes, chances, strict=True) if rng.random() < chance)

        return side(), side()

    def table(self) -> str:
        means, deviations = self.posterior()
        width = max(len(change.name) for change in self.changes)
        rows = sorted(zip(means, deviations, self.changes, strict=True), key=lambda row: -row[0])
        lines = [f"{'change':<{width}}    Elo    ±  prior"]
        lines += [f"{change.name:<{width}}  {mean:+5.1f}  {sd:3.1f}  {change.prior:+5.1f}" for mean, sd, change in rows]
        return "\n".join([*lines, f"{sum(sum(batch.pairs) for batch in self.batches)} pairs of games"])


def read_changes(path: str) -> list[Change]:
    changes = []
    try:
        tables = tomllib.loads(Path(path).read_text())
        for name, table in tables.items():
            options = tuple(f"{option}={int(value)}" for option, value in table["options"].items())
            changes.append(Change(name, options, float(table.get("prior", 0))))
    except (tomllib.TOMLDecodeError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}: {error!r}; expected tables with 'options' and 'prior', see --help") from None
    if not changes:
        raise UsageError(f"{path} has no change")
    return changes


def read_batches(path: Path, settings: list[str]) -> list[Batch]:
    """The batches in the file, whose first line states the settings of the games and the changes."""
    try:
        stated, *lines = path.read_text().splitlines()
        if json.loads(stated) != settings:
            raise UsageError(f"{path} has games with other settings or changes: {stated}")
        batches = []
        for row in map(json.loads, lines):
            first, second = map(tuple, row["sides"])
            batches.append(Batch(row["first"], (first, second), tuple(row["pairs"])))
        return batches
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{path} has no results of combinations ({error!r})") from None


def write_batches(path: Path, settings: list[str], batches: Sequence[Batch]) -> None:
    """Writes the file that `read_batches` reads."""
    lines = [json.dumps(settings), *(json.dumps(vars(batch)) for batch in batches)]
    replace_text(path, "\n".join(lines) + "\n")


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("changes", metavar="CHANGES", help="a TOML file")
    top.add_argument("--engine", required=True, type=program_path, metavar="PROGRAM", help="a tuning build")
    top.add_argument("--pairs", type=positive, default=3000, metavar="N", help="pairs of games in all; default 3000")
    top.add_argument("--batch", type=positive, default=4, metavar="N", help="pairs with the same combinations; default 4")
    top.add_argument("--deviation", type=float, default=6.0, metavar="ELO", help="of the priors; default 6")
    add_limits(top)
    add_match_arguments(top)
    top.add_argument("--state", required=True, metavar="FILE", help="the results; continued if it exists")
    top.add_argument("--show", action="store_true", help="print the table of the results and exit")
    return top


def judge(model: Model, arguments: argparse.Namespace, state: Path, settings: list[str]) -> list[str]:
    """Plays the pairs that are left, and returns the faults of the engines."""
    check_openings(arguments, arguments.pairs)
    faults: list[str] = []
    options = {change.name: change.options for change in model.changes}
    done = sum(sum(batch.pairs) for batch in model.batches)
    with tqdm(total=arguments.pairs, initial=done, unit="pair", mininterval=0.1 if sys.stderr.isatty() else 60) as bar:
        while done < arguments.pairs:
            pairs = min(arguments.batch, arguments.pairs - done)
            sides = model.draw(random.Random(f"{arguments.seed}/{done}"))
            engines = [
                engine_with(name, arguments.engine, arguments, [option for change in side for option in options[change]])
                for name, side in zip(("first", "second"), sides, strict=True)
            ]
            score, found = play(match(arguments, engines, 2 * pairs, *ADJUDICATION, start=done + 1))
            faults += found
            model.batches.append(Batch(done + 1, sides, score.pairs))
            write_batches(state, settings, model.batches)
            done += pairs
            bar.update(pairs)
    return faults


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        model = Model(read_changes(arguments.changes), arguments.deviation)
        state = Path(arguments.state)
        changes = [" ".join([change.name, *change.options]) for change in model.changes]
        settings = [arguments.engine, *settings_of(arguments), Path(arguments.book).name, f"seed {arguments.seed}", *changes]
        if state.exists():
            model.batches = read_batches(state, settings)
        else:
            write_batches(state, settings, [])
        faults = [] if arguments.show else judge(model, arguments, state, settings)
    except (UsageError, OSError) as error:
        print(f"combinations: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    print(model.table())
    print_faults(faults)
    return EXIT_FAULTS if faults else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
