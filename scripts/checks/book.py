"""Compares Polyglot books with python-chess.

The Python package castellan must list what python-chess reads from a book with random weights, for positions of random
games (standard and Chess960). With --write-keys it only prints positions with python-chess's keys, for
tests/data/polyglot_keys.txt.
"""

from __future__ import annotations

import argparse
import random
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import chess
import chess.polyglot

from .common import Result, add_random_games, python_package
from .random_games import annotated_game, boards_of, book_moves, book_start

KEYS = 400
ENTRY = struct.Struct(">QHHI")
LARGEST_WEIGHT = 0xFFFF
PROMOTIONS = {None: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_random_games(parser, "--games", 6)
    parser.add_argument("--write-keys", action="store_true", help="print positions with python-chess's keys and exit")


def check(arguments: argparse.Namespace) -> Result:
    rng, result = random.Random(arguments.seed), Result()
    if arguments.write_keys:
        write_keys(rng)
        return result
    castellan = python_package()
    boards = [board for _ in range(arguments.games) for board in boards_of(annotated_game(rng))]
    with tempfile.TemporaryDirectory() as name:
        book = Path(name) / "random.bin"
        write_random_book(book, boards, rng)
        result.differences += [difference for board in boards for difference in check_show(castellan, book, board)]
        result.compared["positions shown"] += len(boards)
    return result


def raw_move(board: chess.Board, move: chess.Move) -> int:
    """A move as the format encodes it: castling is the king capturing its rook."""
    to = move.to_square
    if board.is_castling(move) and not board.chess960:
        to = chess.square(7 if chess.square_file(to) > 4 else 0, chess.square_rank(to))
    return to | move.from_square << 6 | PROMOTIONS[move.promotion] << 12


def write_random_book(path: Path, boards: list[chess.Board], rng: random.Random) -> None:
    # Keyed by position and move: several boards can be the same position.
    weights = {
        (chess.polyglot.zobrist_hash(board), raw_move(board, move)): rng.choice([0, 1, rng.randint(0, LARGEST_WEIGHT)])
        for board in boards
        for move in board.legal_moves
        if rng.random() < 0.5
    }
    entries = sorted((key, move, weight, rng.randrange(1 << 32)) for (key, move), weight in weights.items())
    path.write_bytes(b"".join(ENTRY.pack(*entry) for entry in entries))


def check_show(castellan: ModuleType, book: Path, board: chess.Board) -> Iterator[str]:
    fen = board.fen(shredder=board.chess960, en_passant="fen")
    position = castellan.Position(fen, chess960=board.chess960)
    with chess.polyglot.open_reader(book) as reader:
        expected = {board.uci(entry.move): entry.weight for entry in reader.find_all(board, minimum_weight=0)}
    shown = {str(move): weight for move, weight in castellan.polyglot(book).moves(position)}
    key = castellan.polyglot_key(position)
    if key != chess.polyglot.zobrist_hash(board):
        yield f"{fen}: key {key:016x}"
    if shown != expected:
        yield f"{fen}: shows {shown}, python-chess {expected}"


def write_keys(rng: random.Random) -> None:
    """Positions with their keys, half of them just after a pawn's double step."""
    print(f"# FEN; Polyglot key. Written by crosscheck.py book --write-keys with python-chess {chess.__version__};")
    print("# the en passant square is set after every double step. Shredder-FEN castling letters: Chess960.")
    lines: dict[str, int] = {}
    while len(lines) < KEYS:
        board = book_start(rng)
        for _ in book_moves(board, rng, rng.randint(1, 40)):
            if (board.ep_square is not None) == (len(lines) % 2 == 0):
                lines[board.fen(shredder=board.chess960, en_passant="fen")] = chess.polyglot.zobrist_hash(board)
    for fen, key in list(lines.items())[:KEYS]:
        print(f"{fen}; {key:016x}")
