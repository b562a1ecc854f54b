"""Checks play with endgame tables, which python-chess reads too.

Searches random positions, half of them with the halfmove clock advanced; the move must keep the value that the position has
under the 50-move rule.
"""

from __future__ import annotations

import argparse
import itertools
import random
from pathlib import Path

from lib.cli import positive

import chess
import chess.engine
import chess.syzygy
from tqdm import tqdm

from .common import CheckError, Result, add_random_games
from .random_games import endgame

FIFTY_MOVE_PLIES = 100
WIN = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tables", type=Path, required=True, metavar="FOLDER", help="the Syzygy tables")
    parser.add_argument("--pieces", type=positive, default=4, help="at most; default %(default)s")
    parser.add_argument("--nodes", type=positive, default=2000, help="per position; default %(default)s")
    parser.add_argument("--threads", type=positive, nargs="+", default=[1, 2], help="values of Threads in turn; default: 1 2")
    parser.add_argument("--multipv", type=positive, nargs="+", default=[1, 3], help="values of MultiPV in turn; default: 1 3")
    add_random_games(parser, "--positions", 5000)


def check(arguments: argparse.Namespace) -> Result:
    rng, result = random.Random(arguments.seed), Result()
    names = sorted(path.stem for path in arguments.tables.glob("*.rtbw") if len(path.stem) - 1 <= arguments.pieces)
    if not names:
        raise CheckError(f"no table of at most {arguments.pieces} pieces in {arguments.tables}")
    settings = itertools.cycle(itertools.product(arguments.threads, arguments.multipv))
    limit = chess.engine.Limit(nodes=arguments.nodes)
    with (
        chess.syzygy.open_tablebase(str(arguments.tables)) as tables,
        chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine,
    ):
        engine.configure({"Hash": 16, "SyzygyPath": str(arguments.tables)})
        for (threads, lines), _ in zip(settings, tqdm(range(arguments.positions), disable=None), strict=False):
            board = endgame(rng, names)
            if rng.random() < 0.5:
                board.halfmove_clock = rng.randrange(FIFTY_MOVE_PLIES)
            values = {move: value_of_move(tables, board, move) for move in board.legal_moves}
            least, most = (max(bounds) for bounds in zip(*values.values(), strict=True))
            engine.configure({"Threads": threads})
            move = engine.analyse(board, limit, multipv=lines, game=object())[0]["pv"][0]
            result.compared["positions"] += 1
            result.cases[f"value {most:+d}" if least == most else "value open by rounding"] += 1
            if values[move][1] < least:
                where = f"{board.fen()}, Threads {threads}, MultiPV {lines}"
                result.differences.append(f"{where}: {move} has value {values[move][1]:+d}, the position {least:+d}")
    return result


def value(tables: chess.syzygy.Tablebase, board: chess.Board) -> tuple[int, int]:
    """The bounds of the position's value for the side to move, with its halfmove clock: 2 a win, 1 a win but for the 50-move
    rule, and so on. They differ only where the rounding of the tables leaves it open."""
    if board.is_checkmate():
        return -WIN, -WIN
    if board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= FIFTY_MOVE_PLIES:
        return 0, 0
    dtz = tables.probe_dtz(board)
    sign = (dtz > 0) - (dtz < 0)
    # A distance of n can mean n + 1, but not right after the clock was reset.
    soonest = board.halfmove_clock + abs(dtz)
    latest = soonest + (board.halfmove_clock > 0)
    values = {sign * (WIN if plies <= FIFTY_MOVE_PLIES else 1) for plies in (soonest, latest)}
    return min(values), max(values)


def value_of_move(tables: chess.syzygy.Tablebase, board: chess.Board, move: chess.Move) -> tuple[int, int]:
    board.push(move)
    least, most = value(tables, board)
    board.pop()
    return -most, -least
