#!/usr/bin/env python3
"""Asks python-chess for a second opinion on the PGN we write, through the real program.

    scripts/crosscheck_pgn.py --engine target/release/castellan --games 120

Random games (standard and Chess960, from the start and from FENs) are played through `castellan play`, with moves taken back,
until they end, are given up, are claimed as drawn or are left off; `pgn` writes each. Read by python-chess, every game must be
without an error and hold the same start, the same moves and the result python-chess finds. Then `castellan annotate` annotates
random games that python-chess has written with comments, marks and variations: all of them must still be there, and with every
move a value python-chess can read.
Exit status: 0 no difference, 1 differences (printed), 2 the program could not be asked.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from crosscheck_book import random_game
from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, parser_for

DEFAULT_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "castellan"
DEFAULT_GAMES = 120
SHOWN_DIFFERENCES = 20
LONGEST_LINE = 79
STARTS = [
    "r3k2r/P6p/8/8/8/8/p6P/R3K2R w KQkq - 0 20",
    "4k3/8/8/8/1p6/8/P1P5/4K3 w - - 0 1",
    # Near the end of the clock, so that draws are claimed and forced.
    "4k3/8/8/8/8/8/8/R3K3 w Q - 97 80",
    "4k3/8/8/8/8/8/8/R3K3 b Q - 147 80",
    "8/8/8/2k5/8/8/6q1/K7 b - - 0 70",
]
ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]


class ProgramError(RuntimeError):
    """The program did not do what it was asked."""


@dataclass
class Played:
    """A game as it was typed, and what must stand in its record."""

    start: chess.Board
    board: chess.Board
    typed: list[str]
    result: str


def random_start(rng: random.Random) -> chess.Board:
    kind = rng.random()
    if kind < 0.5:
        return chess.Board(rng.choice(STARTS))
    if kind < 0.7:
        return chess.Board.from_chess960_pos(rng.randrange(960))
    return chess.Board()


def forced_result(board: chess.Board) -> str | None:
    """How the game has ended by itself."""
    outcome = board.outcome(claim_draw=False)
    return outcome.result() if outcome else None


def play(rng: random.Random) -> Played:
    board = random_start(rng)
    played = Played(board.copy(), board, [], "*")
    ending = rng.choice(["resign", "draw", "leave"])
    for _ in range(rng.randint(0, 90)):
        if (result := forced_result(board)) is not None:
            played.result = result
            return played
        move = rng.choice(list(board.legal_moves))
        if rng.random() < 0.1:
            # Taken back, and perhaps played again.
            played.typed += [board.san(move), "undo"]
            if rng.random() < 0.5:
                played.typed.append("redo")
                board.push(move)
            continue
        played.typed.append(board.uci(move) if rng.random() < 0.5 else board.san(move))
        board.push(move)
        if ending == "draw" and forced_result(board) is None and can_claim(board):
            played.typed.append("draw")
            played.result = "1/2-1/2"
            return played
    if (result := forced_result(board)) is not None:
        played.result = result
    elif ending == "resign":
        played.typed.append("resign")
        played.result = "0-1" if board.turn == chess.WHITE else "1-0"
    return played


def can_claim(board: chess.Board) -> bool:
    """By the position on the board, not by the one a move would lead to."""
    return board.halfmove_clock >= 100 or board.is_repetition(3)


def write(engine: str, played: Played, folder: Path, path: Path) -> None:
    words = [engine, "play", "--side", "both", "--ascii"]
    if played.start.chess960:
        words += ["--chess960", "--fen", played.start.fen(shredder=True)]
    elif played.start.fen() != chess.STARTING_FEN:
        words += ["--fen", played.start.fen(en_passant="fen")]
    typed = "\n".join([*played.typed, f"pgn {path}"]) + "\n"
    environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
    done = subprocess.run(words, input=typed, capture_output=True, text=True, env=environment)
    if done.returncode != 0 or done.stderr or not path.exists():
        raise ProgramError(f"{' '.join(words)}: {done.stderr.strip() or done.stdout}")


def differences(played: Played, path: Path) -> Iterator[str]:
    text = path.read_text()
    for line in text.splitlines():
        if len(line) > LONGEST_LINE and not line.startswith("["):
            yield f"a line of {len(line)} characters: {line}"
    with path.open() as file:
        game = chess.pgn.read_game(file)
        if game is None or chess.pgn.read_game(file) is not None:
            yield f"not one game: {text}"
            return
    yield from (f"{error}: {text}" for error in game.errors)
    if list(game.headers)[: len(ROSTER)] != ROSTER:
        yield f"the tags are {list(game.headers)}"
    if game.headers["Result"] != played.result:
        yield f"result {game.headers['Result']}, python-chess {played.result}: {text}"
    if game.board().fen() != played.start.fen() or game.board().chess960 != played.start.chess960:
        yield f"starts from {game.board().fen()}, not {played.start.fen()}"
    if list(game.mainline_moves()) != played.board.move_stack:
        yield f"other moves than {[move.uci() for move in played.board.move_stack]}: {text}"
    if not text.rstrip().endswith(played.result):
        yield f"no {played.result} behind the moves: {text}"


def annotate(engine: str, games: list[chess.pgn.Game]) -> list[chess.pgn.Game]:
    text = "\n\n".join(str(game) for game in games)
    words = [engine, "annotate", "--nodes", "50", "--hash", "1"]
    done = subprocess.run(words, input=text, capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        raise ProgramError(f"{' '.join(words)}: {done.stderr.strip()}")
    long_lines = [line for line in done.stdout.splitlines() if len(line) > LONGEST_LINE and not line.startswith("[")]
    if long_lines:
        raise ProgramError(f"lines are too long: {long_lines[:3]}")
    file = io.StringIO(done.stdout)
    return list(iter(lambda: chess.pgn.read_game(file), None))


def annotation_differences(games: list[chess.pgn.Game], annotated: list[chess.pgn.Game]) -> Iterator[str]:
    if len(games) != len(annotated):
        yield f"{len(annotated)} games annotated of {len(games)}"
        return
    for number, (game, other) in enumerate(zip(games, annotated, strict=True), 1):
        yield from (f"annotated game {number}: {error}" for error in other.errors)
        if game.board().fen() != other.board().fen() or game.headers["Result"] != other.headers["Result"]:
            yield f"annotated game {number}: another start or result"
        if list(game.mainline_moves()) != list(other.mainline_moves()):
            yield f"annotated game {number}: other moves"
            continue
        for before, after in zip(game.mainline(), other.mainline(), strict=True):
            where = f"annotated game {number}, {before.ply()}. {before.san()}"
            if before.comment.split() != after.comment.split() and not value_is_new(before, after):
                yield f"{where}: {before.comment!r} became {after.comment!r}"
            if not before.nags <= after.nags:
                yield f"{where}: marks {before.nags} became {after.nags}"
            if not {node.move for node in before.variations} <= {node.move for node in after.variations}:
                yield f"{where}: a variation is gone"
            if after.eval() is None and not after.board().is_checkmate():
                yield f"{where}: no value in {after.comment!r}"


def value_is_new(before: chess.pgn.GameNode, after: chess.pgn.GameNode) -> bool:
    """The comment is the old one but for a value in front."""
    return re.sub(r"^\[%eval [^]]*\]", "", after.comment).split() == before.comment.split()


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", default=str(DEFAULT_ENGINE), metavar="PROGRAM", help="default: target/release/castellan")
    top.add_argument("--games", type=int, default=DEFAULT_GAMES, metavar="N", help="default %(default)s")
    top.add_argument("--seed", type=int, default=1, help="of the random games; default %(default)s")
    return top


def main() -> int:
    arguments = parser().parse_args()
    if arguments.games < 1:
        print("crosscheck_pgn: --games must be at least 1", file=sys.stderr)
        return EXIT_USAGE
    engine = os.path.abspath(arguments.engine)
    rng = random.Random(arguments.seed)
    games = [play(rng) for _ in range(arguments.games)]
    found: list[str] = []
    try:
        with tempfile.TemporaryDirectory() as name:
            for number, played in enumerate(games):
                path = Path(name) / f"{number}.pgn"
                write(engine, played, Path(name), path)
                found += differences(played, path)
        with_notes = [random_game(rng) for _ in games]
        found += annotation_differences(with_notes, annotate(engine, with_notes))
    except (ProgramError, OSError) as error:
        print(f"crosscheck_pgn: {engine}: {error}", file=sys.stderr)
        return EXIT_USAGE
    for difference in found[:SHOWN_DIFFERENCES]:
        print(difference)
    results = {result: sum(game.result == result for game in games) for result in ["1-0", "0-1", "1/2-1/2", "*"]}
    print(f"{len(games)} games read by python-chess, {results}, and as many annotated; {len(found)} differences")
    return EXIT_FAULTS if found else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
