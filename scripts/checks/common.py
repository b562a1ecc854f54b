"""What the checks share: their result, one-shot runs of the program, and work spread over processes."""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from lib.cli import positive

RUN_SECONDS = 600


class CheckError(RuntimeError):
    """The program failed or gave an answer in another form than expected."""


@dataclass
class Result:
    """What was compared, how often each interesting case occurred, and the differences found."""

    compared: Counter[str] = field(default_factory=Counter)
    cases: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        self.compared += other.compared
        self.cases += other.cases
        self.differences += other.differences

    def summary(self) -> list[str]:
        if not self.compared:
            return []
        lines = ["compared: " + ", ".join(f"{number} {name}" for name, number in self.compared.items())]
        if self.cases:
            lines.append("cases: " + ", ".join(f"{name} {number}" for name, number in sorted(self.cases.items())))
        return [*lines, f"{len(self.differences)} differences"]


def add_random_games(parser: argparse.ArgumentParser, count: str, default: int) -> None:
    parser.add_argument(count, type=positive, default=default, metavar="N", help="default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the random games; default %(default)s")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="processes; default: all cores")


def run_program(command: Sequence[str], text: str | None = None, folder: os.PathLike[str] | None = None) -> str:
    """The standard output of a run that must succeed without a message. `folder` keeps what the program saves."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder)} if folder else None
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=RUN_SECONDS, env=environment, check=False
    )
    if done.returncode != 0 or done.stderr:
        raise CheckError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def python_package(name: str = "castellan") -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise CheckError("the Python package castellan is missing") from error


def in_parallel(work: Callable[..., Result], total: int, jobs: int, seed: int, *more: Any) -> Result:
    """The sum of `work(count, seed, *more)` over as many processes as `jobs`, the counts adding up to `total` or more."""
    result = Result()
    with ProcessPoolExecutor(jobs) as pool:
        runs = [pool.submit(work, -(-total // jobs), seed * 1000 + job, *more) for job in range(jobs)]
        for run in runs:
            result.add(run.result())
    return result
