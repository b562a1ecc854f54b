#!/usr/bin/env python3
"""Measures castellan beside python-chess, in processor time (pip install ./python chess)."""

from __future__ import annotations

import random
import tempfile
import time
import timeit
from collections.abc import Callable
from pathlib import Path
from typing import Any

import castellan as c

import chess
import chess.pgn

POSITIONS, GAMES, DEPTH, RUNS = 10_000, 2000, 5, 5

Work = Callable[[], object]


def random_game(rng: random.Random) -> c.Game:
    game = c.Game()
    for _ in range(rng.randrange(40, 120)):
        if game.outcome:
            break
        game.play(rng.choice(game.position.legal_moves()))
    return game


def castellan(fens: list[str], pgn: Path) -> list[Work]:
    positions = [c.Position(fen) for fen in fens]
    return [
        lambda: [position.legal_moves() for position in positions],
        lambda: [record.game() for record in c.read_pgn(pgn)],
        lambda: c.perft(c.Position(), DEPTH),
        lambda: [position.legal_sans() for position in positions],
    ]


def python_chess(fens: list[str], pgn: Path) -> list[Work]:
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

    return [
        lambda: [list(board.legal_moves) for board in boards],
        replay,
        lambda: perft(chess.Board(), DEPTH),
        lambda: [[board.san(move) for move in board.legal_moves] for board in boards],
    ]


def main() -> None:
    rng = random.Random(1)
    games = [random_game(rng) for _ in range(GAMES)]
    fens = rng.sample([position.fen() for game in games for position in game.positions()], POSITIONS)
    titles = (
        f"legal moves of {POSITIONS:,} positions",
        f"replaying {GAMES:,} PGN games",
        f"perft {DEPTH}",
        f"SAN of all moves of {POSITIONS:,} positions",
    )
    with tempfile.TemporaryDirectory() as folder:
        pgn = Path(folder, "games.pgn")
        pgn.write_text("".join(c.Record.from_game(game).pgn() for game in games))
        print("| | castellan | chess | ratio |\n| -- | -- | -- | -- |")
        for title, *works in zip(titles, castellan(fens, pgn), python_chess(fens, pgn), strict=True):
            fast, slow = (min(timeit.repeat(work, timer=time.process_time, number=1, repeat=RUNS)) for work in works)
            print(f"| {title} | {1000 * fast:.1f} ms | {1000 * slow:,.0f} ms | {slow / fast:,.1f} |")


if __name__ == "__main__":
    main()
