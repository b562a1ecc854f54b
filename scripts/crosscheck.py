#!/usr/bin/env python3
"""Asks python-chess for a second opinion on the rules, position by position, through the real program.

    scripts/crosscheck.py --engine target/release/castellan --positions 20000

Random games (standard, Chess960, DFRC, and bare boards late in a game, where clocks run out and material is short) are
played in both. After every move the program's `d` must give the same FEN, checkers, legal moves, their SAN, and the same
state: check, mate, stalemate, draws that may be claimed and draws that come by themselves.
Exit status: 0 no difference, 1 differences (printed), 2 the program could not be asked.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import chess

from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, parser_for

DEFAULT_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "castellan"
DEFAULT_POSITIONS = 20_000
PLIES = (20, 160)
ANSWER_SECONDS = 30.0
SHOWN_DIFFERENCES = 20

CHESS960_STARTS = 960
LATE_MEN = (1, 6)
LATE_CLOCK = (85, 149)

# How often a game takes a rare move (castling, en passant, promotion), if it can, or the one that leaves fewest replies,
# which ends some games in mate and stalemate.
RARE, SQUEEZE = 0.35, 0.08
# How often it goes back where it came from; some games do little else, and repeat themselves.
BACK = (0.05, 0.05, 0.05, 0.9)


class EngineError(RuntimeError):
    """The program did not answer as agreed."""


class Engine:
    """One running program, asked one position at a time."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
        )

    def describe(self, commands: list[str]) -> dict[str, str]:
        """What `d` says after some commands: its named lines."""
        assert self.process.stdin is not None and self.process.stdout is not None
        watchdog = threading.Timer(ANSWER_SECONDS, self.process.kill)
        watchdog.start()
        try:
            self.process.stdin.write("\n".join([*commands, "d", "isready", ""]))
            self.process.stdin.flush()
            facts: dict[str, str] = {}
            for line in self.process.stdout:
                line = line.rstrip("\n")
                if line == "readyok":
                    return facts
                if line.startswith("info string error"):
                    raise EngineError(f"{line}\n  after {commands[-1]}")
                name, colon, value = line.partition(": ")
                if colon:
                    facts[name] = value
        except BrokenPipeError as error:
            raise EngineError("the program is gone") from error
        finally:
            watchdog.cancel()
        raise EngineError(f"no answer\n  after {commands[-1]}")

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def standard_start(_: random.Random) -> chess.Board:
    return chess.Board()


def chess960_start(rng: random.Random) -> chess.Board:
    return chess.Board.from_chess960_pos(rng.randrange(CHESS960_STARTS))


def dfrc_start(rng: random.Random) -> chess.Board:
    board = chess960_start(rng)
    for square, piece in chess960_start(rng).piece_map().items():
        if piece.color == chess.BLACK:
            board.set_piece_at(square, piece)
    board.castling_rights = board.rooks & (chess.BB_RANK_1 | chess.BB_RANK_8)
    return board


def late_start(rng: random.Random) -> chess.Board:
    """A few men anywhere, and a clock that soon matters."""
    while True:
        board = chess.Board(None)
        men = ["K", "k", *rng.choices("PpNnBbRrQq", k=rng.randint(*LATE_MEN))]
        for square, man in zip(rng.sample(chess.SQUARES, len(men)), men):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = rng.random() < 0.5
        board.halfmove_clock = rng.randint(*LATE_CLOCK)
        board.fullmove_number = 100
        # Some checks cannot have come about by a move; what is legal in them is well-defined all the same.
        if board.status() & ~chess.STATUS_IMPOSSIBLE_CHECK & ~chess.STATUS_TOO_MANY_CHECKERS == chess.STATUS_VALID:
            return board


# Each kind of game with its share.
STARTS = [(standard_start, 35), (chess960_start, 20), (dfrc_start, 15), (late_start, 30)]


def replies(board: chess.Board, move: chess.Move) -> int:
    board.push(move)
    count = board.legal_moves.count()
    board.pop()
    return count


def choose(board: chess.Board, rng: random.Random, back_rate: float) -> chess.Move:
    moves = list(board.legal_moves)
    if rng.random() < RARE:
        rare = [move for move in moves if move.promotion or board.is_castling(move) or board.is_en_passant(move)]
        if rare:
            return rng.choice(rare)
    if rng.random() < SQUEEZE:
        return min(moves, key=lambda move: replies(board, move))
    if len(board.move_stack) >= 2 and rng.random() < back_rate:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    return rng.choice(moves)


def expected_state(board: chess.Board) -> set[str]:
    """The words of the `State` line that must be there."""
    holds = {
        "check": board.is_check(),
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "fifty-move-claim": board.is_fifty_moves(),
        "seventy-five-moves": board.is_seventyfive_moves(),
        "threefold-claim": board.is_repetition(3),
        "fivefold": board.is_fivefold_repetition(),
        "insufficient-material": board.is_insufficient_material(),
    }
    return {word for word, is_so in holds.items() if is_so}


def words(line: str, nothing: str) -> set[str]:
    return set() if line == nothing else set(line.replace(",", " ").split())


@dataclass
class Report:
    """What was compared, how often each interesting thing was met, and where the two differ."""

    positions: int = 0
    games: int = 0
    moves: int = 0
    met: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def add(self, other: Report) -> None:
        self.positions += other.positions
        self.games += other.games
        self.moves += other.moves
        self.met += other.met
        self.differences += other.differences


def differences(board: chess.Board, facts: dict[str, str]) -> Iterator[str]:
    """Where the program's answer is not python-chess's."""
    missing = [name for name in ("Fen", "Checkers", "Legal", "State") if name not in facts]
    if missing:
        raise EngineError(f"`d` has no line {', '.join(missing)}")
    fen = board.fen(shredder=board.chess960, en_passant="legal")
    if facts["Fen"] != fen:
        yield f"FEN: {facts['Fen']}, python-chess {fen}"
    compared = [
        ("checkers", words(facts["Checkers"], "-"), {chess.square_name(square) for square in board.checkers()}),
        ("moves", words(facts["Legal"], "-"), {f"{board.uci(move)}={board.san(move)}" for move in board.legal_moves}),
        ("state", words(facts["State"], "none"), expected_state(board)),
    ]
    for what, ours, theirs in compared:
        if ours != theirs:
            only_ours, only_theirs = sorted(ours - theirs), sorted(theirs - ours)
            yield f"{what}: only ours {only_ours}, only python-chess {only_theirs}"


def count(report: Report, board: chess.Board, move: chess.Move | None) -> None:
    """Takes note of what this position shows, so that a run can be seen to have met it."""
    report.positions += 1
    report.moves += board.legal_moves.count()
    report.met.update(expected_state(board))
    report.met.update(["chess960 positions"] * board.chess960)
    report.met.update(["en passant legal"] * board.has_legal_en_passant())
    if move is not None:
        report.met.update(["promotions"] * (move.promotion is not None))


def play(engine: Engine, board: chess.Board, rng: random.Random, report: Report) -> None:
    """Plays one random game and compares every position of it."""
    start = board.fen(shredder=board.chess960, en_passant="legal")
    variant = f"setoption name UCI_Chess960 value {str(board.chess960).lower()}"
    most_plies, back_rate = rng.randint(*PLIES), rng.choice(BACK)
    played: list[str] = []
    move = None
    while True:
        position = f"position fen {start}" + (f" moves {' '.join(played)}" if played else "")
        facts = engine.describe([variant, position])
        count(report, board, move)
        report.differences += [f"{position}\n  {difference}" for difference in differences(board, facts)]
        if len(played) >= most_plies or not any(board.legal_moves):
            break
        move = choose(board, rng, back_rate)
        report.met.update(["castlings"] * board.is_castling(move))
        played.append(board.uci(move))
        board.push(move)
    report.games += 1


def work(path: str, positions: int, seed: int) -> Report:
    """One worker: games until enough positions are compared."""
    rng = random.Random(seed)
    report = Report()
    engine = Engine(path)
    starts, shares = zip(*STARTS)
    try:
        while report.positions < positions and len(report.differences) < SHOWN_DIFFERENCES:
            (start,) = rng.choices(starts, shares)
            play(engine, start(rng), rng, report)
    finally:
        engine.close()
    return report


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", default=str(DEFAULT_ENGINE), metavar="PROGRAM", help="default: target/release/castellan")
    top.add_argument("--positions", type=int, default=DEFAULT_POSITIONS, metavar="N", help="at least so many; default %(default)s")
    top.add_argument("--seed", type=int, default=1, help="of the random games; default %(default)s")
    top.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="games at a time; default: all cores")
    return top


def main() -> int:
    arguments = parser().parse_args()
    if arguments.positions < 1 or arguments.jobs < 1:
        print("crosscheck: --positions and --jobs must be at least 1", file=sys.stderr)
        return EXIT_USAGE
    path = os.path.abspath(arguments.engine)
    share = -(-arguments.positions // arguments.jobs)
    total = Report()
    try:
        with ProcessPoolExecutor(arguments.jobs) as pool:
            seeds = [arguments.seed * 1000 + job for job in range(arguments.jobs)]
            for report in pool.map(work, [path] * arguments.jobs, [share] * arguments.jobs, seeds):
                total.add(report)
    except (EngineError, OSError) as error:
        print(f"crosscheck: {path}: {error}", file=sys.stderr)
        return EXIT_USAGE
    for difference in total.differences[:SHOWN_DIFFERENCES]:
        print(difference)
    print(f"{total.positions} positions of {total.games} games, {total.moves} legal moves compared with python-chess")
    print("met: " + ", ".join(f"{name} {number}" for name, number in sorted(total.met.items())))
    print(f"{len(total.differences)} differences")
    return EXIT_FAULTS if total.differences else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
