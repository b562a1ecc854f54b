#!/usr/bin/env python3
"""Measures castellan beside python-chess, in processor time (pip install ./python chess)."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import castellan as c

import chess
import chess.pgn

Work = Callable[[], object]


def random_game(rng: random.Random) -> c.Game:
    game = c.Game()
    for _ in range(rng.randrange(40, 120)):
        if game.outcome:
            break
        game.play(rng.choice(game.position.legal_moves()))
    return game


def castellan(fens: list[str], pgn: Path, depth: int) -> dict[str, Work]:
    positions = [c.Position(fen) for fen in fens]
    return {
        "moves": lambda: [position.legal_moves() for position in positions],
        "pgn": lambda: [record.game() for record in c.read_pgn(pgn)],
        "perft": lambda: c.perft(c.Position(), depth),
        "san": lambda: [position.legal_sans() for position in positions],
    }


def python_chess(fens: list[str], pgn: Path, depth: int) -> dict[str, Work]:
    boards = [chess.Board(fen) for fen in fens]

    def replay() -> None:
        with pgn.open() as file:
            while game := chess.pgn.read_game(file):
                game.end().board()

    def perft(board: Any, depth: int) -> int:
        if depth == 1:
            return sum(1 for _ in board.legal_moves)
        nodes = 0
        for move in board.legal_moves:
            board.push(move)
            nodes += perft(board, depth - 1)
            board.pop()
        return nodes

    def san() -> object:
        return [[board.san(move) for move in board.legal_moves] for board in boards]

    return {
        "moves": lambda: [list(board.legal_moves) for board in boards],
        "pgn": replay,
        "perft": lambda: perft(chess.Board(), depth),
        "san": san,
    }


def seconds(work: Work, repeats: int) -> float:
    """The processor time of the fastest run."""
    fastest = float("inf")
    for _ in range(repeats):
        begun = time.process_time()
        work()
        fastest = min(fastest, time.process_time() - begun)
        if fastest > 5:
            break
    return fastest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--depth", type=int, default=5, help="of perft")
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    rng = random.Random(1)
    games = [random_game(rng) for _ in range(args.games)]
    positions = [position.fen() for game in games for position in game.positions()]
    fens = rng.sample(positions, args.positions)
    rows = {
        "moves": f"legal moves of {args.positions:,} positions",
        "pgn": f"replaying {args.games:,} PGN games",
        "perft": f"perft {args.depth}",
        "san": f"SAN of all moves of {args.positions:,} positions",
    }
    with tempfile.TemporaryDirectory() as folder:
        pgn = Path(folder, "games.pgn")
        pgn.write_text("".join(c.Record.from_game(game).pgn() for game in games))
        ours, theirs = castellan(fens, pgn, args.depth), python_chess(fens, pgn, args.depth)
        print("| | castellan | chess | ratio |\n| -- | -- | -- | -- |")
        for row, title in rows.items():
            fast, slow = seconds(ours[row], args.repeats), seconds(theirs[row], args.repeats)
            print(f"| {title} | {1000 * fast:.1f} ms | {1000 * slow:,.0f} ms | {slow / fast:,.1f} |")


if __name__ == "__main__":
    main()
