"""Compares the PGN of `castellan play` and `castellan annotate` with python-chess.

Random games (standard and Chess960) are played through `castellan play`, with moves undone and redone, until they end, a
side resigns, a draw is claimed or the session ends. Read by python-chess, each PGN must hold the same start, moves and result,
without an error. Then `castellan annotate` annotates random games that have comments, NAGs and variations: all of them must
remain, and every move must have an evaluation python-chess can read.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.pgn

from .common import CheckError, Result, add_random_games, run_program
from .random_games import annotated_game, chess960

LONGEST_LINE = 79
STARTS = (
    "r3k2r/P6p/8/8/8/8/p6P/R3K2R w KQkq - 0 20",
    "4k3/8/8/8/1p6/8/P1P5/4K3 w - - 0 1",
    # Near the 50-move and 75-move rules, so that draws are claimed and forced.
    "4k3/8/8/8/8/8/8/R3K3 w Q - 97 80",
    "4k3/8/8/8/8/8/8/R3K3 b Q - 147 80",
    "8/8/8/2k5/8/8/6q1/K7 b - - 0 70",
)
ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_random_games(parser, "--games", 120)


def check(arguments: argparse.Namespace) -> Result:
    rng, result = random.Random(arguments.seed), Result()
    with tempfile.TemporaryDirectory() as name:
        for number in range(arguments.games):
            played = play(rng)
            result.cases[f"result {played.result}"] += 1
            result.differences += played_differences(played, write(arguments.engine, played, Path(name), number))
    games = [annotated_game(rng) for _ in range(arguments.games)]
    result.differences += annotation_differences(games, annotate(arguments.engine, games))
    result.compared += {"games played": arguments.games, "games annotated": len(games)}
    return result


@dataclass
class Played:
    """A game as typed into the program, and what its PGN must hold."""

    board: chess.Board
    typed: list[str] = field(default_factory=list)
    result: str = "*"


def random_start(rng: random.Random) -> chess.Board:
    kind = rng.random()
    if kind < 0.5:
        return chess.Board(rng.choice(STARTS))
    return chess960(rng) if kind < 0.7 else chess.Board()


def play(rng: random.Random) -> Played:
    played = Played(random_start(rng))
    board = played.board
    ending = rng.choice(["resign", "draw", "leave"])
    for _ in range(rng.randint(0, 90)):
        if board.outcome():
            break
        move = rng.choice(list(board.legal_moves))
        if rng.random() < 0.1:
            played.typed += [board.san(move), "undo"]
            if rng.random() < 0.5:
                played.typed.append("redo")
                board.push(move)
            continue
        played.typed.append(board.uci(move) if rng.random() < 0.5 else board.san(move))
        board.push(move)
        # A claim for the position on the board, not for one that a move would reach.
        if ending == "draw" and not board.outcome() and (board.halfmove_clock >= 100 or board.is_repetition(3)):
            played.typed.append("draw")
            played.result = "1/2-1/2"
            return played
    if outcome := board.outcome():
        played.result = outcome.result()
    elif ending == "resign":
        played.typed.append("resign")
        played.result = "0-1" if board.turn == chess.WHITE else "1-0"
    return played


def write(engine: str, played: Played, folder: Path, number: int) -> str:
    """The PGN that the program writes of a game."""
    path, start = folder / f"{number}.pgn", played.board.root()
    command = [engine, "play", "--side", "both", "--ascii"]
    if start.chess960:
        command += ["--chess960", "--fen", start.fen(shredder=True)]
    elif start.fen() != chess.STARTING_FEN:
        command += ["--fen", start.fen(en_passant="fen")]
    output = run_program(command, "\n".join([*played.typed, f"pgn {path}"]) + "\n", folder)
    if not path.exists():
        raise CheckError(f"{' '.join(command)}: wrote no PGN: {output}")
    return path.read_text()


def played_differences(played: Played, text: str) -> Iterator[str]:
    yield from long_lines(text)
    games = games_in(text)
    if len(games) != 1:
        yield f"{len(games)} games, expected one: {text}"
        return
    game, start = games[0], played.board.root()
    yield from (f"{error}: {text}" for error in game.errors)
    if list(game.headers)[: len(ROSTER)] != ROSTER:
        yield f"the tags are {list(game.headers)}"
    if game.headers["Result"] != played.result:
        yield f"result {game.headers['Result']}, python-chess {played.result}: {text}"
    if game.board().fen() != start.fen() or game.board().chess960 != start.chess960:
        yield f"starts from {game.board().fen()}, not {start.fen()}"
    if list(game.mainline_moves()) != played.board.move_stack:
        yield f"other moves than {[move.uci() for move in played.board.move_stack]}: {text}"
    if not text.rstrip().endswith(played.result):
        yield f"the moves do not end with {played.result}: {text}"


def games_in(text: str) -> list[chess.pgn.Game]:
    file = io.StringIO(text)
    games = []
    while (game := chess.pgn.read_game(file)) is not None:
        games.append(game)
    return games


def long_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if len(line) > LONGEST_LINE and not line.startswith("["):
            yield f"a line of {len(line)} characters: {line}"


def annotate(engine: str, games: list[chess.pgn.Game]) -> str:
    return run_program([engine, "annotate", "--nodes", "50", "--hash", "1"], "\n\n".join(str(game) for game in games))


def annotation_differences(games: list[chess.pgn.Game], text: str) -> Iterator[str]:
    yield from long_lines(text)
    annotated = games_in(text)
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
            words = re.sub(r"^\[%eval [^]]*\]", "", after.comment).split()
            # The reason why a move is bad may follow.
            if before.comment.split() != words[: len(before.comment.split())]:
                yield f"{where}: {before.comment!r} became {after.comment!r}"
            if not before.nags <= after.nags:
                yield f"{where}: NAGs {before.nags} became {after.nags}"
            if not {node.move for node in before.variations} <= {node.move for node in after.variations}:
                yield f"{where}: a variation is missing"
            if after.eval() is None and not after.board().is_checkmate():
                yield f"{where}: no evaluation in {after.comment!r}"
