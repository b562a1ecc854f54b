#!/usr/bin/env python3
"""Asks the program for known mates, and python-chess whether what it says is true.

    scripts/mates.py --engine target/release/castellan --nodes 1000000 --jobs 2

Each line of the suite is a position and `bm #N`: the side to move mates in N, or is mated in -N, both with best play.
The program searches each one afresh until it says that distance or has used up its nodes; mates of up to --sure moves it
is asked for by `go mate`, which has to end with them. Every mate it says on the way
is held against the suite and its line is played out: a mate quicker than the suite's, for the wrong side, or for the side
that has the draw is a fault, and so are an illegal move and a line that ends in mate too early or too late.
A line that stops short of its mate proves nothing and is counted, as a fault only where it is the last word on the position.
Exit status: 0 no fault and every mate of up to --sure moves found, 1 otherwise, 2 the program could not be asked.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import chess
from tqdm import tqdm

from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, parser_for

HOUSE = Path(__file__).resolve().parent.parent
DEFAULT_ENGINE = HOUSE / "target" / "release" / "castellan"
DEFAULT_SUITE = HOUSE / "tests" / "data" / "mates2000.epd"
DEFAULT_NODES = 1_000_000
SURE_MOVES = 5
SHOWN_FAULTS = 40


class EngineError(RuntimeError):
    """The program did not answer as agreed."""


@dataclass(frozen=True)
class Puzzle:
    board: chess.Board
    moves: int  # to mate; negative when the side to move is mated

    @property
    def plies(self) -> int:
        return 2 * self.moves - 1 if self.moves > 0 else -2 * self.moves


@dataclass(frozen=True)
class Claim:
    """A mate the program says, and how."""

    moves: int
    line: tuple[str, ...]

    @property
    def plies(self) -> int:
        return 2 * self.moves - 1 if self.moves > 0 else -2 * self.moves


@dataclass
class Result:
    puzzle: Puzzle
    found: bool = False
    longer: bool = False  # a mate was found, but not the shortest
    nodes: int = 0
    claims: int = 0
    short_lines: int = 0
    faults: list[str] = field(default_factory=list)


class Engine:
    """One running program, asked one position at a time."""

    def __init__(self, path: str, hash_mb: int) -> None:
        self._process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
        )
        self.say("uci", f"setoption name Hash value {hash_mb}", "isready")
        for line in self.lines():
            if line == "readyok":
                break

    def say(self, *commands: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{command}\n" for command in commands))
        self._process.stdin.flush()

    def lines(self) -> Iterator[str]:
        """What the program says, until nobody asks for more."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield line.strip()
        raise EngineError("the program ended")

    def close(self) -> None:
        self.say("quit")
        self._process.wait()


def read_suite(path: Path) -> list[Puzzle]:
    puzzles = []
    for line in path.read_text().splitlines():
        fields, separator, distance = line.rstrip("; ").rpartition(" bm #")
        if not separator:
            raise ValueError(f"no mate in line '{line}' of {path}")
        puzzles.append(Puzzle(chess.Board(f"{fields} 0 1"), int(distance)))
    return puzzles


def read_claim(line: str) -> tuple[int, Claim | None]:
    """The nodes of an `info` line, and the mate it says, if it says one exactly."""
    words = line.split()
    nodes = int(words[words.index("nodes") + 1]) if "nodes" in words else 0
    if "score" not in words or "lowerbound" in words or "upperbound" in words or "pv" not in words:
        return nodes, None
    kind, value = words[words.index("score") + 1 : words.index("score") + 3]
    if kind != "mate":
        return nodes, None
    return nodes, Claim(int(value), tuple(words[words.index("pv") + 1 :]))


def fault_of(puzzle: Puzzle, claim: Claim) -> str | None:
    """What is wrong with a claim; a line that is legal but stops short is not wrong yet."""
    if (claim.moves > 0) != (puzzle.moves > 0):
        return "the wrong side mates"
    if abs(claim.moves) < abs(puzzle.moves):
        return "quicker than possible"
    if len(claim.line) > claim.plies:
        return f"a line of {len(claim.line)} plies"
    board = puzzle.board.copy()
    for number, text in enumerate(claim.line, start=1):
        move = chess.Move.from_uci(text)
        if not board.is_legal(move):
            return f"illegal move {text}"
        board.push(move)
        if board.is_checkmate() and number < claim.plies:
            return f"mate after {number} plies"
        if board.is_stalemate() or board.is_insufficient_material():
            return f"a draw after {number} plies"
    if len(claim.line) == claim.plies and not board.is_checkmate():
        return "no mate at the end of the line"
    return None


def solve(engine: Engine, puzzle: Puzzle, arguments: argparse.Namespace) -> Result:
    result = Result(puzzle)
    moves = abs(puzzle.moves)
    limits = f"mate {moves}" if moves <= arguments.sure else f"nodes {arguments.nodes}"
    engine.say("ucinewgame", f"position fen {puzzle.board.fen()}", f"go {limits}")
    last: Claim | None = None
    for line in engine.lines():
        if line.startswith("bestmove"):
            break
        if not line.startswith("info ") or " score " not in line:
            continue
        result.nodes, claim = read_claim(line)
        last = claim
        if claim is None:
            continue
        result.claims += 1
        result.short_lines += len(claim.line) < claim.plies
        fault = fault_of(puzzle, claim)
        if fault is not None:
            result.faults.append(f"mate {claim.moves}, {fault}: {' '.join(claim.line)}")
        if claim.moves == puzzle.moves and not result.found and moves > arguments.sure:
            result.found = True
            engine.say("stop")
    if last is not None:
        result.found |= last.moves == puzzle.moves
        result.longer = not result.found
        if len(last.line) < last.plies:
            result.faults.append(f"mate {last.moves}, the last line stops after {len(last.line)} plies")
    return result


def run(puzzles: list[Puzzle], arguments: argparse.Namespace, bar: tqdm[None]) -> list[Result]:
    engine = Engine(arguments.engine, arguments.hash)
    results = []
    for puzzle in puzzles:
        results.append(solve(engine, puzzle, arguments))
        bar.update()
    engine.close()
    return results


def report(results: list[Result], sure: int) -> bool:
    """Prints the table; says whether all is well."""
    by_distance: dict[int, Counter[str]] = {}
    for result in results:
        counter = by_distance.setdefault(abs(result.puzzle.moves), Counter())
        counter.update(all=1, exact=result.found, longer=result.longer)
    print(f"{'moves':>5} {'positions':>9} {'exact':>6} {'longer':>6} {'none':>6}")
    total: Counter[str] = Counter()
    for moves, row in sorted(by_distance.items()):
        print(f"{moves:5} {row['all']:9} {row['exact']:6} {row['longer']:6} {row['all'] - row['exact'] - row['longer']:6}")
        total.update(row)
    print(f"{'all':>5} {total['all']:9} {total['exact']:6} {total['longer']:6} {total['all'] - total['exact'] - total['longer']:6}")
    faults = [(result.puzzle, fault) for result in results for fault in result.faults]
    claims, short = sum(result.claims for result in results), sum(result.short_lines for result in results)
    print(f"{claims} mates said; {short} lines stopped short of their mate; {len(faults)} faults")
    for puzzle, fault in faults[:SHOWN_FAULTS]:
        print(f"  {puzzle.board.fen()} (mate {puzzle.moves}): {fault}")
    missed = [result.puzzle for result in results if abs(result.puzzle.moves) <= sure and not result.found]
    for puzzle in missed:
        print(f"  not found: {puzzle.board.fen()} (mate {puzzle.moves})")
    return not faults and not missed


def main() -> int:
    parser: argparse.ArgumentParser = parser_for(__doc__)
    parser.add_argument("--engine", default=str(DEFAULT_ENGINE), help="the program (default: %(default)s)")
    parser.add_argument("--suite", type=Path, default=DEFAULT_SUITE, help="EPD file (default: %(default)s)")
    parser.add_argument("--nodes", type=int, default=DEFAULT_NODES, help="for each position (default: %(default)s)")
    parser.add_argument("--hash", type=int, default=16, help="megabytes (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="programs run at once (default: %(default)s)")
    parser.add_argument("--sure", type=int, default=SURE_MOVES, help="mates up to so many moves must be found")
    parser.add_argument("--every", type=int, default=1, help="only each so-many-th position")
    arguments = parser.parse_args()
    try:
        puzzles = read_suite(arguments.suite)[:: arguments.every]
        shares = [puzzles[job :: arguments.jobs] for job in range(arguments.jobs)]
        with tqdm(total=len(puzzles), unit="position", disable=None) as bar, ThreadPoolExecutor(arguments.jobs) as pool:
            jobs = [pool.submit(run, share, arguments, bar) for share in shares]
            results = [result for job in jobs for result in job.result()]
    except (OSError, ValueError, EngineError) as error:
        print(error, file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK if report(results, arguments.sure) else EXIT_FAULTS


if __name__ == "__main__":
    sys.exit(main())
