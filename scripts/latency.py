#!/usr/bin/env python3
"""How quickly the program is there, how quickly it stops, and how much memory it takes.

    scripts/latency.py --engine target/release/castellan

Start: from starting the process to `uciok` and `readyok`, both asked for at once, with default options. Stop: from writing `stop`
to reading `bestmove`, in the middle of an infinite search of several positions, with one thread and with more. Memory:
resident and peak, after the start, after `ucinewgame`, and after a search that fills the table.
Each figure is the median, with the quickest and the slowest: on a busy machine only the quickest says much of the program.
Exit status: 0 measured, 2 the program could not be asked.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from lib.cli import EXIT_OK, EXIT_USAGE, parser_for

DEFAULT_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "castellan"
STARTS, STOPS = 20, 20
THINK_S = 0.15
FILLING_NODES = 2_000_000
MS_PER_S = 1000.0

POSITIONS = (
    "startpos",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 4 9",
)


class EngineError(RuntimeError):
    """The program did not answer as agreed."""


class Engine:
    """One running program; answers are waited for on a blocking pipe, so that nothing is polled."""

    def __init__(self, path: str) -> None:
        self._process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self._process.stdout is not None and self._process.stdin is not None
        self._output, self._input = self._process.stdout, self._process.stdin
        self._unread = b""

    def say(self, *commands: str) -> None:
        self._input.write("".join(f"{command}\n" for command in commands).encode())

    def wait_for(self, word: str) -> None:
        wanted = word.encode()
        while True:
            line, newline, rest = self._unread.partition(b"\n")
            if newline:
                self._unread = rest
                if line.split(b" ", 1)[0].strip() == wanted:
                    return
                continue
            more = self._output.read(1 << 16)
            if not more:
                raise EngineError(f"the program ended before '{word}'")
            self._unread += more

    def memory_mb(self) -> tuple[float, float]:
        """Resident now and at most, from /proc."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        resident, peak = (int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
        return resident, peak

    def close(self) -> None:
        self.say("quit")
        self._process.wait()


def shown(name: str, seconds: Sequence[float]) -> str:
    middle, low, high = (MS_PER_S * value for value in (statistics.median(seconds), min(seconds), max(seconds)))
    return f"{name:36} {middle:7.2f} ms median of {len(seconds)} ({low:.2f} … {high:.2f})"


def starts(path: str) -> list[float]:
    times = []
    for _ in range(STARTS):
        begun = time.perf_counter()
        engine = Engine(path)
        engine.say("uci", "isready")
        engine.wait_for("uciok")
        engine.wait_for("readyok")
        times.append(time.perf_counter() - begun)
        engine.close()
    return times


def stops(path: str, threads: int) -> list[float]:
    engine = Engine(path)
    engine.say("uci", f"setoption name Threads value {threads}", "ucinewgame", "isready")
    engine.wait_for("readyok")
    times = []
    for number in range(STOPS):
        engine.say(f"position {POSITIONS[number % len(POSITIONS)]}", "go infinite")
        time.sleep(THINK_S)
        begun = time.perf_counter()
        engine.say("stop")
        engine.wait_for("bestmove")
        times.append(time.perf_counter() - begun)
    engine.close()
    return times


def memory(path: str) -> list[str]:
    engine = Engine(path)
    lines = []
    for name, commands, answer in (
        ("after the start", ["uci", "isready"], "readyok"),
        ("after ucinewgame", ["ucinewgame", "isready"], "readyok"),
        (f"after {FILLING_NODES} nodes", [f"position {POSITIONS[1]}", f"go nodes {FILLING_NODES}"], "bestmove"),
    ):
        engine.say(*commands)
        engine.wait_for(answer)
        resident, peak = engine.memory_mb()
        lines.append(f"{'resident ' + name:36} {resident:7.1f} MB (peak {peak:.1f} MB)")
    engine.close()
    return lines


def main() -> int:
    parser = parser_for(__doc__)
    parser.add_argument("--engine", default=str(DEFAULT_ENGINE), help="the program (default: %(default)s)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="for stopping (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        print(shown("start to uciok and readyok", starts(arguments.engine)))
        for threads in arguments.threads:
            print(shown(f"stop to bestmove, Threads {threads}", stops(arguments.engine, threads)))
        print("\n".join(memory(arguments.engine)))
    except (OSError, EngineError) as error:
        print(error, file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
