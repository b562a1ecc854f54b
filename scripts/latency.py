#!/usr/bin/env python3
"""Measures how fast the program starts and stops, and how much memory it uses.

    scripts/latency.py --engine target/release/castellan

Start: from starting the process to `uciok` and `readyok` with default options. Stop: from writing `stop` to reading `bestmove`
in an infinite search of several positions, with one thread and with more. Memory: resident and peak, after the start, after
`ucinewgame`, and after a search that fills the hash table. Times are medians with the fastest and slowest; on a busy machine
only the fastest says something about the program.
Exit status: 0 measured, 2 the program cannot be run.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from lib.cli import EXIT_OK, EXIT_USAGE, add_engine, parser_for, positive
from lib.uci import EngineError, UciEngine

REPEATS = 20
THINK_S = 0.15
FILLING_NODES = 2_000_000
FILLING_TIMEOUT_S = 300.0

POSITIONS = (
    "startpos",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 4 9",
)


def summary(name: str, times: Sequence[float]) -> str:
    median, low, high = (1000 * value for value in (statistics.median(times), min(times), max(times)))
    return f"{name:36} {median:7.2f} ms median of {len(times)} ({low:.2f} … {high:.2f})"


def start(program: str) -> UciEngine:
    engine = UciEngine(program)
    engine.handshake()
    return engine


def starts(program: str) -> list[float]:
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        with start(program):
            times.append(time.perf_counter() - begun)
    return times


def stops(program: str, threads: int) -> list[float]:
    times = []
    with start(program) as engine:
        engine.send(f"setoption name Threads value {threads}\nucinewgame")
        engine.synchronize()
        for number in range(REPEATS):
            engine.send(f"position {POSITIONS[number % len(POSITIONS)]}\ngo infinite")
            time.sleep(THINK_S)
            begun = time.perf_counter()
            engine.send("stop")
            engine.read_until("bestmove")
            times.append(time.perf_counter() - begun)
    return times


def memory(program: str) -> Iterator[str]:
    def resident(engine: UciEngine, name: str) -> str:
        status = Path(f"/proc/{engine.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        now, peak = (int(fields[key].split()[0]) / 1024 for key in ("VmRSS", "VmHWM"))
        return f"{'resident ' + name:36} {now:7.1f} MB (peak {peak:.1f} MB)"

    with start(program) as engine:
        yield resident(engine, "after the start")
        engine.send("ucinewgame")
        engine.synchronize()
        yield resident(engine, "after ucinewgame")
        engine.send(f"position {POSITIONS[1]}\ngo nodes {FILLING_NODES}")
        engine.read_until("bestmove", FILLING_TIMEOUT_S)
        yield resident(engine, f"after {FILLING_NODES} nodes")


def main() -> int:
    parser = parser_for(__doc__)
    add_engine(parser)
    parser.add_argument("--threads", type=positive, nargs="+", default=[1, 2], help="for stopping; default: 1 2")
    arguments = parser.parse_args()
    try:
        print(summary("start to uciok and readyok", starts(arguments.engine)))
        for threads in arguments.threads:
            print(summary(f"stop to bestmove, Threads {threads}", stops(arguments.engine, threads)))
        print("\n".join(memory(arguments.engine)))
    except (OSError, EngineError) as error:
        print(f"latency: {error}", file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
