"""Compares what careless castling rights are taken for with python-chess.

The positions of tests/data/castled.epd are of openings in which a king or rook has moved, with the constant castling field
`KQkq` that scripts often write; every second one gets `HAha`. Each is one of standard chess: the program's `d` must print the
rights, legal moves and state that python-chess has, and the best move of a short search must be legal there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lib.cli import positive
from lib.uci import UciEngine

import chess

from .common import Result
from .moves import look_at

CASTLED = Path(__file__).parents[2] / "tests/data/castled.epd"
NODES = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--positions", type=positive, default=1_000_000, metavar="N", help="at most; default: all")


def check(arguments: argparse.Namespace) -> Result:
    result = Result()
    with UciEngine(arguments.engine) as engine:
        for number, line in enumerate(CASTLED.read_text().splitlines()[: arguments.positions]):
            fen = f"{line} 0 1".replace("KQkq", "HAha" if number % 2 else "KQkq")
            facts = engine.answers(f"position fen {fen}\nd")
            engine.send(f"go nodes {NODES}")
            best = next(answer.split()[1] for answer in engine.lines() if answer.startswith("bestmove "))
            board = chess.Board(fen)
            result.compared["positions"] += 1
            result.cases["without a right"] += not board.clean_castling_rights()
            result.cases["castling legal"] += any(board.generate_castling_moves())
            differences = list(look_at(board, (fen, False, [])).differences("\n".join(facts)))
            if best not in {move.uci() for move in board.legal_moves}:
                differences.append(f"bestmove {best}")
            result.differences += [f"{fen}\n  {difference}" for difference in differences]
    return result
