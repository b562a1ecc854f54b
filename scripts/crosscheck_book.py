#!/usr/bin/env python3
"""Asks python-chess for a second opinion on opening books, through the real program.

    scripts/crosscheck_book.py --engine target/release/castellan --games 400
    scripts/crosscheck_book.py --write-keys > tests/data/polyglot_keys.txt

Random games (standard and Chess960, from the start and from FENs, with comments and variations) are written as PGN, and
`castellan book make` makes a book of them. Read by python-chess, it must hold exactly the entries that python-chess counts
itself: keys, moves, weights. Then `castellan book show` must list what python-chess reads, from that book and from one
written here with random weights, for every position of some of the games.
Exit status: 0 no difference, 1 differences (printed), 2 the program could not be asked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot

from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, parser_for

DEFAULT_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "castellan"
DEFAULT_GAMES = 400
SHOWN_DIFFERENCES = 20
SHOWN_GAMES = 6
DEPTH = 12
KEYS = 400
CHESS960_STARTS = 960

ENTRY = struct.Struct(">QHHI")
LARGEST_WEIGHT = 0xFFFF
PROMOTIONS = {None: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}
POINTS = {"1-0": (0, 2), "0-1": (2, 0), "1/2-1/2": (1, 1), "*": (1, 1)}

# How often a game takes a move that has its own cases in keys or in the way it is written.
RARE = 0.3
# In the first two a capture in passing would leave a king in check; for Polyglot it can be made all the same.
STARTS = [
    "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1",
    "3r2k1/2p5/8/3P4/8/8/8/3K4 b - - 3 9",
    "r3k2r/P6p/8/8/8/8/p6P/R3K2R w KQkq - 0 20",
    "4k3/8/8/8/1p6/8/P1P5/4K3 w - - 0 1",
]


class ProgramError(RuntimeError):
    """The program did not do what it was asked."""


def is_rare(board: chess.Board, move: chess.Move) -> bool:
    double_step = board.piece_type_at(move.from_square) == chess.PAWN and abs(move.to_square - move.from_square) == 16
    return double_step or board.is_castling(move) or board.is_en_passant(move) or move.promotion is not None


def random_start(rng: random.Random) -> chess.Board:
    kind = rng.random()
    if kind < 0.2:
        return chess.Board(rng.choice(STARTS))
    if kind < 0.5:
        # Few different ones, so that games meet.
        return chess.Board.from_chess960_pos(rng.choice([0, 518, 959, 300, rng.randrange(CHESS960_STARTS)]))
    return chess.Board()


def random_moves(board: chess.Board, rng: random.Random, plies: int) -> Iterator[chess.Move]:
    """Moves played on the board as they are handed out."""
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return
        rare = [move for move in moves if is_rare(board, move)]
        # Half of the time one of the first few, so that games meet.
        few = sorted(moves, key=chess.Move.uci)[:3]
        move = rng.choice(rare if rare and rng.random() < RARE else few if rng.random() < 0.5 else moves)
        board.push(move)
        yield move


def random_game(rng: random.Random) -> chess.pgn.Game:
    board = random_start(rng)
    game = chess.pgn.Game()
    game.setup(board)
    game.headers["Result"] = rng.choice(list(POINTS))
    node: chess.pgn.GameNode = game
    for move in random_moves(board, rng, rng.randint(4, 60)):
        parent = node
        node = node.add_variation(move)
        if rng.random() < 0.1:
            node.comment = rng.choice(["[%clk 0:01:00]", "good; (or not) 1. a4 [Event", "Zug $1"])
        others = [other for other in parent.board().legal_moves if other != move]
        if others and rng.random() < 0.1:
            parent.add_variation(rng.choice(others)).nags.add(chess.pgn.NAG_DUBIOUS_MOVE)
    return game


def raw_move(board: chess.Board, move: chess.Move) -> int:
    """A move as the format has it: castling is the king taking its rook."""
    to = move.to_square
    if board.is_castling(move) and not board.chess960:
        to = chess.square(7 if chess.square_file(to) > 4 else 0, chess.square_rank(to))
    return to | move.from_square << 6 | PROMOTIONS[move.promotion] << 12


def expected_entries(games: list[chess.pgn.Game]) -> list[tuple[int, int, int]]:
    """Key, move and weight of each entry, by key, the heaviest move first."""
    points: dict[tuple[int, int], int] = defaultdict(int)
    for game in games:
        board = game.board()
        black, white = POINTS[game.headers["Result"]]
        seen = set()
        for ply, move in enumerate(game.mainline_moves()):
            if ply >= 2 * DEPTH:
                break
            step = (chess.polyglot.zobrist_hash(board), raw_move(board, move))
            if step not in seen:
                seen.add(step)
                points[step] += white if board.turn == chess.WHITE else black
            board.push(move)
    entries = [(key, move, weight) for (key, move), weight in points.items() if weight > 0]
    return sorted(entries, key=lambda entry: (entry[0], -entry[2], entry[1]))


def ask(engine: str, *words: str) -> str:
    done = subprocess.run([engine, *words], capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        raise ProgramError(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def check_make(engine: str, folder: Path, games: list[chess.pgn.Game]) -> Iterator[str]:
    pgn, book = folder / "games.pgn", folder / "made.bin"
    pgn.write_text("\n\n".join(str(game) for game in games) + "\n")
    ask(engine, "book", "make", str(pgn), "--out", str(book), "--depth", str(DEPTH))
    expected = expected_entries(games)
    with chess.polyglot.open_reader(book) as reader:
        made = [(entry.key, entry.raw_move, entry.weight) for entry in reader]
    print(f"{len(games)} games, {len(expected)} entries compared with python-chess")
    if made != expected:
        missing, extra = set(expected) - set(made), set(made) - set(expected)
        yield f"made {len(made)} entries, expected {len(expected)}"
        yield from (f"missing {key:016x} {move:04x} {weight}" for key, move, weight in sorted(missing))
        yield from (f"not expected {key:016x} {move:04x} {weight}" for key, move, weight in sorted(extra))


def write_random_book(path: Path, boards: list[chess.Board], rng: random.Random) -> None:
    entries = set()
    for board in boards:
        for move in board.legal_moves:
            if rng.random() < 0.5:
                weight = rng.choice([0, 1, rng.randrange(LARGEST_WEIGHT + 1)])
                entries.add((chess.polyglot.zobrist_hash(board), raw_move(board, move), weight))
    # A position that several boards have in common must not have a move twice.
    unique = {(key, move): weight for key, move, weight in entries}
    lines = sorted((key, move, weight, rng.randrange(1 << 32)) for (key, move), weight in unique.items())
    path.write_bytes(b"".join(ENTRY.pack(*line) for line in lines))


def check_show(engine: str, book: Path, boards: list[chess.Board]) -> Iterator[str]:
    with chess.polyglot.open_reader(book) as reader:
        for board in boards:
            fen = board.fen(shredder=board.chess960, en_passant="fen")
            words = ["--chess960"] if board.chess960 else []
            page = json.loads(ask(engine, "book", "show", "--json", "--book", str(book), *words, fen))
            expected = {board.uci(entry.move): entry.weight for entry in reader.find_all(board, minimum_weight=0)}
            shown = {move["uci"]: move["weight"] for move in page["moves"]}
            names = {move["uci"]: move["san"] for move in page["moves"]}
            total = max(sum(expected.values()), 1)
            if page["key"] != f"{chess.polyglot.zobrist_hash(board):016x}":
                yield f"{fen}: key {page['key']}"
            if shown != expected:
                yield f"{fen}: shows {shown}, python-chess {expected}"
            for move in page["moves"]:
                if names[move["uci"]] != board.san(board.parse_uci(move["uci"])):
                    yield f"{fen}: {move['uci']} is shown as {move['san']}"
                if abs(move["percent"] - 100 * move["weight"] / total) > 0.006:
                    yield f"{fen}: {move['uci']} has {move['percent']} %"


def positions(games: list[chess.pgn.Game]) -> list[chess.Board]:
    boards = []
    for game in games:
        board = game.board()
        boards.append(board.copy())
        for move in game.mainline_moves():
            board.push(move)
            boards.append(board.copy(stack=False))
    return boards


def write_keys(rng: random.Random) -> None:
    """Positions with their keys, half of them just after a pawn's two steps."""
    print(f"# FEN; Polyglot key. Written by {Path(__file__).name} --write-keys with python-chess {chess.__version__};")
    print("# the en-passant square stands behind every double step. Shredder letters: Chess960.")
    lines: dict[str, int] = {}
    while len(lines) < KEYS:
        board = random_start(rng)
        for _ in random_moves(board, rng, rng.randint(1, 40)):
            if (board.ep_square is not None) == (len(lines) % 2 == 0):
                fen = board.fen(shredder=board.chess960, en_passant="fen")
                lines[fen] = chess.polyglot.zobrist_hash(board)
    for fen, key in list(lines.items())[:KEYS]:
        print(f"{fen}; {key:016x}")


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", default=str(DEFAULT_ENGINE), metavar="PROGRAM", help="default: target/release/castellan")
    top.add_argument("--games", type=int, default=DEFAULT_GAMES, metavar="N", help="default %(default)s")
    top.add_argument("--seed", type=int, default=1, help="of the random games; default %(default)s")
    top.add_argument("--write-keys", action="store_true", help="prints positions with python-chess's keys, and no more")
    return top


def main() -> int:
    arguments = parser().parse_args()
    rng = random.Random(arguments.seed)
    if arguments.write_keys:
        write_keys(rng)
        return EXIT_OK
    if arguments.games < 1:
        print("crosscheck_book: --games must be at least 1", file=sys.stderr)
        return EXIT_USAGE
    engine = os.path.abspath(arguments.engine)
    games = [random_game(rng) for _ in range(arguments.games)]
    boards = positions(games[:SHOWN_GAMES])
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            found = list(check_make(engine, folder, games))
            found += check_show(engine, folder / "made.bin", boards)
            write_random_book(folder / "random.bin", boards, rng)
            found += check_show(engine, folder / "random.bin", boards)
    except (ProgramError, OSError) as error:
        print(f"crosscheck_book: {engine}: {error}", file=sys.stderr)
        return EXIT_USAGE
    for difference in found[:SHOWN_DIFFERENCES]:
        print(difference)
    print(f"{2 * len(boards)} positions shown and compared; {len(found)} differences")
    return EXIT_FAULTS if found else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
