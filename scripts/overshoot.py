#!/usr/bin/env python3
"""Measures by how much engines exceed the time they are given.

    scripts/overshoot.py --moves 1000 castellan=target/release/castellan stockfish=/usr/games/stockfish
    scripts/overshoot.py --busy 4 ...      # next to four busy loops

The engines answer in turn, each position once under each limit: `go movetime` and `go wtime btime` without increment. A time
counts from just before the command is written to the arrival of `bestmove`, and what exceeds the limit is printed as a table:
median, 99th percentile and worst in milliseconds, negative where the engine answered early. With a clock, a negative value is
the time left on it. Other load on the machine affects the result.
Exit status: 0 measured, 2 a program cannot be run or does not answer.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from pathlib import Path

from lib.cli import EXIT_OK, EXIT_USAGE, REPOSITORY, parser_for, positive, program_path
from lib.uci import EngineError, UciEngine

ANSWER_S = 5.0
BUSY_LOOP = "while :; do :; done"
MOVETIMES_MS = (1, 2, 5, 10, 20, 50, 100)
CLOCKS_MS = (20, 50, 100, 200)
POSITIONS = REPOSITORY / "tests" / "data" / "samples" / "UHO_4060_v4_20k.epd"


@contextmanager
def busy_processes(number: int) -> Iterator[None]:
    processes = [subprocess.Popen(["/bin/sh", "-c", BUSY_LOOP]) for _ in range(number)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def named_program(text: str) -> tuple[str, str]:
    name, separator, program = text.partition("=")
    if not (name and separator and program):
        raise argparse.ArgumentTypeError(f"expected NAME=PROGRAM, got '{text}'")
    return name, program_path(program)


def overshoots(engines: dict[str, UciEngine], go: str, limit_ms: int, positions: list[str]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in engines}
    for position in positions:
        for name, engine in engines.items():
            engine.synchronize()
            begun = time.perf_counter()
            engine.send(f"position fen {position}\n{go}")
            engine.read_until("bestmove", ANSWER_S)
            times[name].append(1000 * (time.perf_counter() - begun) - limit_ms)
    return times


def percentile(times: list[float], percent: int) -> float:
    """The smallest value that `percent` % of the times do not exceed."""
    return sorted(times)[math.ceil(len(times) * percent / 100) - 1]


def print_row(cells: list[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def measure(engines: dict[str, UciEngine], positions: list[str]) -> None:
    for engine in engines.values():
        engine.handshake()
    limits = [(f"go movetime {ms}", ms) for ms in MOVETIMES_MS]
    limits += [(f"go wtime {ms} btime {ms}", ms) for ms in CLOCKS_MS]
    print_row(["limit", *(f"{name}: median, 99 %, worst" for name in engines)])
    print_row(["---"] * (1 + len(engines)))
    for go, limit_ms in limits:
        times = overshoots(engines, go, limit_ms, positions).values()
        figures = ((statistics.median(of), percentile(of, 99), max(of)) for of in times)
        print_row([f"`{go}`", *(", ".join(f"{figure:+.1f}" for figure in row) for row in figures)])


def main(words: list[str] | None = None) -> int:
    parser = parser_for(__doc__)
    parser.add_argument("engines", type=named_program, nargs="+", metavar="NAME=PROGRAM")
    parser.add_argument("--moves", type=positive, default=100, help="under each limit; default: 100")
    parser.add_argument("--positions", default=str(POSITIONS), metavar="FILE", help="EPD; default: 40 openings")
    parser.add_argument(
        "--busy", type=positive, default=0, metavar="PROCESSES", help="busy loops to run as well; default: none"
    )
    arguments = parser.parse_args(words)
    try:
        boards = [" ".join(line.split()[:4]) for line in Path(arguments.positions).read_text().splitlines()]
        positions = [f"{board} 0 1" for board in islice(cycle(boards), arguments.moves)]
        with ExitStack() as stack:
            engines = {name: stack.enter_context(UciEngine(program)) for name, program in arguments.engines}
            stack.enter_context(busy_processes(arguments.busy))
            measure(engines, positions)
    except (OSError, EngineError) as error:
        print(f"overshoot: {error}", file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
