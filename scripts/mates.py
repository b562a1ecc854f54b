#!/usr/bin/env python3
"""Searches a suite of known mates and checks every mate score with python-chess.

    scripts/mates.py --nodes 1000000 --jobs 2

Each line of the suite is a position and `bm #N`: the side to move mates in N, or is mated in -N, both with best play. Each
position is searched until that distance is reported or the nodes run out; mates of up to --sure moves are searched with
`go mate`, which must find them. Every mate score is compared with the suite and its PV is played out: a faster mate than the
suite's, a mate for the wrong side, an illegal move, and a line that mates or draws too early or does not mate at its end are
faults. A line that stops short of its mate is counted; it is a fault only as the last line of a position.
Exit status: 0 no fault and every mate of up to --sure moves found, 1 otherwise, 2 the suite cannot be run.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, REPOSITORY, add_engine, parser_for, positive
from lib.uci import EngineError, UciEngine, mate_plies

import chess
from tqdm import tqdm

SHOWN_FAULTS = 40
SEARCH_TIMEOUT_S = 600.0  # between two lines
COLUMNS = ("positions", "exact", "longer", "none")


@dataclass
class Puzzle:
    """A position, its distance to mate, and what the program found."""

    board: chess.Board
    moves: int
    found: bool = False
    longer: bool = False  # a mate, but not the shortest
    scores: int = 0
    short_lines: int = 0
    faults: list[str] = field(default_factory=list)

    def check(self, moves: int, line: Sequence[str]) -> None:
        """Counts a mate score with its PV."""
        self.scores += 1
        self.short_lines += len(line) < mate_plies(moves)
        if (fault := self._fault_of(moves, line)) is not None:
            self.faults.append(f"mate {moves}, {fault}: {' '.join(line)}")

    def _fault_of(self, moves: int, line: Sequence[str]) -> str | None:
        if (moves > 0) != (self.moves > 0):
            return "the wrong side mates"
        if abs(moves) < abs(self.moves):
            return "faster than possible"
        if len(line) > mate_plies(moves):
            return f"a line of {len(line)} plies"
        board = self.board.copy()
        for number, text in enumerate(line, start=1):
            try:
                board.push_uci(text)
            except ValueError:
                return f"illegal move {text}"
            if board.is_checkmate() and number < mate_plies(moves):
                return f"mate after {number} plies"
            if board.is_stalemate() or board.is_insufficient_material():
                return f"a draw after {number} plies"
        return "no mate at the end of the line" if len(line) == mate_plies(moves) and not board.is_checkmate() else None


def read_suite(path: Path) -> list[Puzzle]:
    puzzles = []
    for line in path.read_text().splitlines():
        fields, separator, distance = line.rstrip("; ").rpartition(" bm #")
        if not separator:
            raise ValueError(f"{path}: no 'bm #' in line '{line}'")
        puzzles.append(Puzzle(chess.Board(f"{fields} 0 1"), int(distance)))
    return puzzles


def mate_in(line: str) -> tuple[int, list[str]] | None:
    """The exact mate score of an `info` line and its PV."""
    head, _, pv = line.partition(" pv ")
    words = head.split()
    if "mate" not in words or "lowerbound" in words or "upperbound" in words or not pv:
        return None
    return int(words[words.index("mate") + 1]), pv.split()


def solve(engine: UciEngine, puzzle: Puzzle, arguments: argparse.Namespace) -> None:
    moves = abs(puzzle.moves)
    sure = moves <= arguments.sure
    limit = f"mate {moves}" if sure else f"nodes {arguments.nodes}"
    engine.send(f"ucinewgame\nposition fen {puzzle.board.fen()}\ngo {limit}")
    last = None
    for line in engine.lines(SEARCH_TIMEOUT_S):
        if line.startswith("bestmove"):
            break
        if not line.startswith("info ") or " score " not in line:
            continue
        last = mate_in(line)
        if last is not None:
            puzzle.check(*last)
            if last[0] == puzzle.moves and not puzzle.found and not sure:
                puzzle.found = True
                engine.send("stop")
    if last is not None:
        puzzle.found |= last[0] == puzzle.moves
        puzzle.longer = not puzzle.found
        if len(last[1]) < mate_plies(last[0]):
            puzzle.faults.append(f"mate {last[0]}, the last line stops after {len(last[1])} plies")


def run(puzzles: list[Puzzle], arguments: argparse.Namespace, bar: tqdm[None]) -> None:
    with UciEngine(arguments.engine) as engine:
        engine.handshake()
        engine.send(f"setoption name Hash value {arguments.hash}")
        for puzzle in puzzles:
            solve(engine, puzzle, arguments)
            bar.update()


def report(puzzles: list[Puzzle], sure: int) -> bool:
    """Prints the table. True if there are no faults and no mates missed."""
    rows: dict[int | str, Counter[str]] = {}
    for puzzle in sorted(puzzles, key=lambda puzzle: abs(puzzle.moves)):
        outcome = "exact" if puzzle.found else "longer" if puzzle.longer else "none"
        for row in (abs(puzzle.moves), "all"):
            rows.setdefault(row, Counter()).update(("positions", outcome))
    rows["all"] = rows.pop("all")
    print(f"{'moves':>5}" + "".join(f"{column:>10}" for column in COLUMNS))
    for moves, row_counts in rows.items():
        print(f"{moves:>5}" + "".join(f"{row_counts[column]:10}" for column in COLUMNS))
    faults = [f"{puzzle.board.fen()} (mate {puzzle.moves}): {fault}" for puzzle in puzzles for fault in puzzle.faults]
    scores, short = sum(puzzle.scores for puzzle in puzzles), sum(puzzle.short_lines for puzzle in puzzles)
    print(f"{scores} mate scores; {short} lines stop short of their mate; {len(faults)} faults")
    missed = [f"not found: {puzzle.board.fen()} (mate {puzzle.moves})"
              for puzzle in puzzles if abs(puzzle.moves) <= sure and not puzzle.found]  # fmt: skip
    print("".join(f"  {line}\n" for line in [*faults[:SHOWN_FAULTS], *missed]), end="")
    return not faults and not missed


def main() -> int:
    parser = parser_for(__doc__)
    add_engine(parser)
    parser.add_argument(
        "--suite", type=Path, default=REPOSITORY / "tests" / "data" / "mates2000.epd", help="default: %(default)s"
    )
    parser.add_argument("--nodes", type=positive, default=1_000_000, help="per position; default %(default)s")
    parser.add_argument("--hash", type=positive, default=16, help="in MB; default %(default)s")
    parser.add_argument("--jobs", type=positive, default=1, help="engines at the same time; default %(default)s")
    parser.add_argument("--sure", type=int, default=5, help="mates of up to this many moves must be found; default %(default)s")
    parser.add_argument("--every", type=positive, default=1, metavar="N", help="only each Nth position")
    arguments = parser.parse_args()
    try:
        puzzles = read_suite(arguments.suite)[:: arguments.every]
        with tqdm(total=len(puzzles), unit="position", disable=None) as bar, ThreadPoolExecutor(arguments.jobs) as pool:
            shares = [puzzles[job :: arguments.jobs] for job in range(arguments.jobs)]
            for done in [pool.submit(run, share, arguments, bar) for share in shares]:
                done.result()
    except (OSError, ValueError, EngineError) as error:
        print(f"mates: {error}", file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK if report(puzzles, arguments.sure) else EXIT_FAULTS


if __name__ == "__main__":
    sys.exit(main())
