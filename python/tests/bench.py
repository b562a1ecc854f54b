#!/usr/bin/env python3
"""Measures castellan beside other chess libraries for Python, in processor time; those that are not installed are left out.

pip install ./python chess bulletchess rust-chess esca
python/tests/bench.py
"""

from __future__ import annotations

import argparse
import importlib
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import castellan as c

Work = Callable[[], object]


def random_game(rng: random.Random) -> c.Game:
    game = c.Game()
    for _ in range(rng.randrange(40, 120)):
        if game.outcome:
            break
        game.play(rng.choice(game.position.legal_moves()))
    return game


def module(name: str) -> Any:
    return importlib.import_module(name)


def castellan(fens: list[str], pgn: Path, depth: int) -> dict[str, Work]:
    positions = [c.Position(fen) for fen in fens]
    return {
        "moves": lambda: [position.legal_moves() for position in positions],
        "pgn": lambda: [record.game() for record in c.read_pgn(pgn)],
        "perft": lambda: c.perft(c.Position(), depth),
        "san": lambda: [position.legal_sans() for position in positions],
    }


def python_chess(fens: list[str], pgn: Path, depth: int) -> dict[str, Work]:
    chess = module("chess")
    read_game = module("chess.pgn").read_game
    boards = [chess.Board(fen) for fen in fens]

    def replay() -> None:
        with pgn.open() as file:
            while game := read_game(file):
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


def bulletchess(fens: list[str], pgn: Path, depth: int) -> dict[str, Work]:
    bullet, utils, pgns = module("bulletchess"), module("bulletchess.utils"), module("bulletchess.pgn")
    boards = [bullet.Board.from_fen(fen) for fen in fens]

    def replay() -> None:
        with pgns.PGNFile.open(str(pgn)) as file:
            while game := file.next_game():
                board = game.starting_board
                for move in game.moves:
                    board.apply(move)

    def san() -> object:
        return [[move.san(board) for move in board.legal_moves()] for board in boards]

    return {
        "moves": lambda: [board.legal_moves() for board in boards],
        "pgn": replay,
        "perft": lambda: utils.perft(bullet.Board(), depth),
        "san": san,
    }


def rust_chess(fens: list[str], pgn: Path, depth: int) -> dict[str, Work]:
    rust = module("rust_chess")
    boards = [rust.Board.from_fen(fen) for fen in fens]

    def moves() -> None:
        for board in boards:
            board.reset_move_generator()
            list(board.generate_legal_moves())

    def perft(board: Any, depth: int) -> int:
        if depth == 1:
            return len(board.generate_legal_moves())
        return sum(perft(board.make_move_new(move, False), depth - 1) for move in board.generate_legal_moves())

    return {"moves": moves, "perft": lambda: perft(rust.Board(), depth)}


def esca(fens: list[str], pgn: Path, depth: int) -> dict[str, Work]:
    library, pgns = module("esca"), module("esca.pgn")
    positions = [library.Position.from_fen(fen) for fen in fens]

    def perft(position: Any, depth: int) -> int:
        moves = position.legal_moves()
        return len(moves) if depth == 1 else sum(perft(position.play(move), depth - 1) for move in moves)

    def san() -> object:
        return [[position.san(move) for move in position.legal_moves()] for position in positions]

    return {
        "moves": lambda: [position.legal_moves() for position in positions],
        "pgn": lambda: [game.game() for game in pgns.read(pgn)],
        "perft": lambda: perft(library.Game().position, depth),
        "san": san,
    }


LIBRARIES = {
    "castellan": castellan,
    "chess": python_chess,
    "bulletchess": bulletchess,
    "rust-chess": rust_chess,
    "esca": esca,
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
        table: dict[str, dict[str, float]] = {}
        for name, library in LIBRARIES.items():
            try:
                works = library(fens, pgn, args.depth)
            except ImportError:
                continue
            for row, work in works.items():
                table.setdefault(row, {})[name] = seconds(work, args.repeats)
    names = [name for name in LIBRARIES if any(name in times for times in table.values())]
    print("| |", " | ".join(names), "|")
    print("| -- |", " | ".join("--" for _ in names), "|")
    for row, times in table.items():
        cells = []
        for name in names:
            if name not in times:
                cells.append("–")
            elif name == "castellan":
                cells.append(f"{1000 * times[name]:.1f} ms")
            else:
                cells.append(f"{1000 * times[name]:,.0f} ms, {times[name] / times['castellan']:,.1f}×")
        print(f"| {rows[row]} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
