"""Compares Polyglot books with python-chess.

Random games (standard and Chess960, with comments and variations) are written as PGN and `castellan book make` builds a book
from them: it must hold exactly the keys, moves and weights that python-chess finds. Then `castellan book show` must list what
python-chess reads, from that book and from one with random weights. With --write-keys it only prints positions with
python-chess's keys, for tests/data/polyglot_keys.txt.
"""

from __future__ import annotations

import argparse
import json
import random
import struct
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot

from .common import Result, add_random_games, run_program
from .random_games import annotated_game, boards_of, book_moves, book_start

SHOWN_GAMES = 6
DEPTH = 12
KEYS = 400
ENTRY = struct.Struct(">QHHI")
LARGEST_WEIGHT = 0xFFFF
PROMOTIONS = {None: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}
# The weight a game adds to the moves of Black and White.
POINTS = {"1-0": (0, 2), "0-1": (2, 0), "1/2-1/2": (1, 1), "*": (1, 1)}

Entry = tuple[int, int, int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_random_games(parser, "--games", 400)
    parser.add_argument("--write-keys", action="store_true", help="print positions with python-chess's keys and exit")


def check(arguments: argparse.Namespace) -> Result:
    rng, result = random.Random(arguments.seed), Result()
    if arguments.write_keys:
        write_keys(rng)
        return result
    games = [annotated_game(rng) for _ in range(arguments.games)]
    boards = [board for game in games[:SHOWN_GAMES] for board in boards_of(game)]
    with tempfile.TemporaryDirectory() as name:
        made, filled = Path(name) / "made.bin", Path(name) / "random.bin"
        write_random_book(filled, boards, rng)
        result.differences += check_make(arguments.engine, made, games, result)
        for book in (made, filled):
            result.differences += [difference for board in boards for difference in check_show(arguments.engine, book, board)]
            result.compared["positions shown"] += len(boards)
    return result


def check_make(engine: str, book: Path, games: list[chess.pgn.Game], result: Result) -> Iterator[str]:
    pgn = book.with_name("games.pgn")
    pgn.write_text("\n\n".join(str(game) for game in games) + "\n")
    run_program([engine, "book", "make", str(pgn), "--out", str(book), "--depth", str(DEPTH)])
    expected = expected_entries(games)
    with chess.polyglot.open_reader(book) as reader:
        made = [(entry.key, entry.raw_move, entry.weight) for entry in reader]
    result.compared += {"games": len(games), "entries": len(expected)}
    if made != expected:
        yield f"made {len(made)} entries, expected {len(expected)}"
        for what, entries in (("missing", set(expected) - set(made)), ("not expected", set(made) - set(expected))):
            yield from (f"{what}: {key:016x} {move:04x} {weight}" for key, move, weight in sorted(entries))


def expected_entries(games: list[chess.pgn.Game]) -> list[Entry]:
    """Key, move and weight of each entry, by key, the heaviest move first."""
    points: dict[tuple[int, int], int] = defaultdict(int)
    for game in games:
        board = game.board()
        seen = set()
        for move in list(game.mainline_moves())[: 2 * DEPTH]:
            step = (chess.polyglot.zobrist_hash(board), raw_move(board, move))
            if step not in seen:
                seen.add(step)
                points[step] += POINTS[game.headers["Result"]][board.turn]
            board.push(move)
    entries = [(key, move, weight) for (key, move), weight in points.items() if weight > 0]
    return sorted(entries, key=lambda entry: (entry[0], -entry[2], entry[1]))


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


def check_show(engine: str, book: Path, board: chess.Board) -> Iterator[str]:
    fen = board.fen(shredder=board.chess960, en_passant="fen")
    variant = ["--chess960"] if board.chess960 else []
    page = json.loads(run_program([engine, "book", "show", "--json", "--book", str(book), *variant, fen]))
    with chess.polyglot.open_reader(book) as reader:
        expected = {board.uci(entry.move): entry.weight for entry in reader.find_all(board, minimum_weight=0)}
    shown = {move["uci"]: move["weight"] for move in page["moves"]}
    if page["key"] != f"{chess.polyglot.zobrist_hash(board):016x}":
        yield f"{fen}: key {page['key']}"
    if shown != expected:
        yield f"{fen}: shows {shown}, python-chess {expected}"
    for move in page["moves"]:
        if move["san"] != board.san(board.parse_uci(move["uci"])):
            yield f"{fen}: {move['uci']} is shown as {move['san']}"
        if abs(move["percent"] - 100 * move["weight"] / max(sum(expected.values()), 1)) > 0.006:
            yield f"{fen}: {move['uci']} has {move['percent']} %"


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
