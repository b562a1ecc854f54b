"""Compares the judgment of `castellan annotate` with the rule that lichess publishes, and its PGN with python-chess.

Players of limited strength (UCI_Elo) play games, which the Python package castellan annotates. From the evaluations, the
symbols of the moves are computed again: from human winning chances, and by the rules about mates that are allowed or missed.
Not one may differ. Before that, random games (standard and Chess960) that have comments, NAGs and variations are annotated:
all of them must remain, and every move must have an evaluation that python-chess can read.
"""

from __future__ import annotations

import argparse
import io
import math
import random
import re
from collections.abc import Iterator
from itertools import islice

from lib.cli import positive

import chess
import chess.engine
import chess.pgn

from .common import CheckError, Result, python_package, run_program
from .random_games import annotated_game

LONGEST_LINE = 79
WEAKEST, STRONGEST = 900, 2700
OPENING_PLIES = 4
LONGEST_GAME = 160  # plies
SYMBOLS = {chess.pgn.NAG_DUBIOUS_MOVE: "?!", chess.pgn.NAG_MISTAKE: "?", chess.pgn.NAG_BLUNDER: "??"}
LOSSES = ((0.3, "??"), (0.2, "?"), (0.1, "?!"))

# Centipawns or moves to mate, for the side that moves.
Mate = tuple[str, int]
Evaluation = int | Mate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=20, metavar="N", help="default %(default)s")
    parser.add_argument("--nodes", type=positive, default=2000, metavar="N", help="per position; default %(default)s")
    parser.add_argument("--play-nodes", type=positive, default=2000, metavar="N", help="per move; default %(default)s")
    parser.add_argument("--annotated", type=positive, default=120, metavar="N", help="random games; default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the openings and random games; default %(default)s")


def check(arguments: argparse.Namespace) -> Result:
    rng, result = random.Random(arguments.seed), Result()
    games = [annotated_game(rng) for _ in range(arguments.annotated)]
    command = [arguments.engine, "annotate", "--nodes", "50", "--hash", "1"]
    result.differences += losses_of(games, run_program(command, "\n\n".join(map(str, games))))
    result.compared["annotated games"] = len(games)
    if not arguments.games:
        return result
    with chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine:
        games = [play(engine, rng, elo, arguments.play_nodes) for elo in levels(arguments.games)]
    castellan = python_package()
    for game in games:
        annotation = castellan.annotate(castellan.Record(str(game)), nodes=arguments.nodes, hash=4)
        annotated = chess.pgn.read_game(io.StringIO(str(annotation.record)))
        assert annotated
        result.differences += differences(annotated, annotation.best_moves, result)
    result.compared["games"] = len(games)
    return result


def levels(games: int) -> list[int]:
    return [WEAKEST + (STRONGEST - WEAKEST) * number // max(games - 1, 1) for number in range(games)]


def play(engine: chess.engine.SimpleEngine, rng: random.Random, elo: int, nodes: int) -> chess.pgn.Game:
    """A game of a level against itself after a few random moves."""
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": elo})
    board = chess.Board()
    while len(board.move_stack) < LONGEST_GAME and not board.is_game_over(claim_draw=True):
        if len(board.move_stack) < OPENING_PLIES:
            board.push(rng.choice(list(board.legal_moves)))
            continue
        move = engine.play(board, chess.engine.Limit(nodes=nodes), game=elo).move
        if move is None:
            raise CheckError(f"no move in {board.fen()}")
        board.push(move)
    game = chess.pgn.Game.from_board(board)
    game.headers["WhiteElo"] = game.headers["BlackElo"] = str(elo)
    return game


def differences(game: chess.pgn.Game, best: list[str | None], result: Result) -> Iterator[str]:
    """The first move has no evaluation before it."""
    for number, step in enumerate(islice(game.mainline(), 1, None), 1):
        before, after = (value_of(node, step.parent.turn()) for node in (step.parent, step))
        symbols = [SYMBOLS[nag] for nag in step.nags if nag in SYMBOLS]
        expected = "" if best[number] == step.uci() else symbol_of(before, after)
        result.compared["moves"] += 1
        result.cases[expected or "none"] += 1
        if symbols != [expected] * bool(expected):
            where = f"Elo {game.headers['WhiteElo']}, {step.ply()}. {step.san()} {before} -> {after}"
            yield f"{where}: {symbols}, expected {expected or 'no symbol'}"


def symbol_of(earlier: Evaluation | None, later: Evaluation | None) -> str:
    """The symbol by the published rule; empty if the move has none."""
    if earlier is None or later is None:
        # Checkmate, which only the side that moved can give.
        return ""
    if isinstance(earlier, int) and isinstance(later, int):
        lost = winning_chances(earlier) - winning_chances(later)
        return next((symbol for least, symbol in LOSSES if lost >= least), "")
    mated_before, mated_after = (isinstance(value, tuple) and value[1] < 0 for value in (earlier, later))
    if mated_after and not mated_before:
        return mate_symbol(-earlier) if isinstance(earlier, int) else "??"
    if isinstance(earlier, tuple) and not mated_before and isinstance(later, int):
        return mate_symbol(later)
    return ""


def mate_symbol(centipawns: int) -> str:
    """The symbol for a mate allowed or missed where its side has this evaluation without it."""
    return "?!" if centipawns > 999 else "?" if centipawns > 700 else "??"


def value_of(node: chess.pgn.GameNode, side: chess.Color) -> Evaluation | None:
    """The evaluation for a side; None in checkmate."""
    score = node.eval()
    if score is None:
        return None
    mate = score.pov(side).mate()
    return score.pov(side).score() if mate is None else ("mate", mate)


def winning_chances(centipawns: int) -> float:
    return 2 / (1 + math.exp(-0.00368208 * max(-1000, min(1000, centipawns)))) - 1


def losses_of(games: list[chess.pgn.Game], text: str) -> Iterator[str]:
    """What annotated games have lost, and what they should have."""
    for line in text.splitlines():
        if len(line) > LONGEST_LINE and not line.startswith("["):
            yield f"a line of {len(line)} characters: {line}"
    file = io.StringIO(text)
    annotated = list(iter(lambda: chess.pgn.read_game(file), None))
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
