#!/usr/bin/env python3
"""Plays won endings without endgame tables against an opponent that knows how to defend them.

    scripts/endings_check.py --tables FOLDER --games 100 --nodes 50000 --opponent stockfish

Random positions of each ending that the side to move wins, as python-chess reads in the tables; the program has none, and so
many nodes for each move, or with --milliseconds so much time. The opponent has the tables. Each game must be mate before the fifty-move rule or a threefold repetition ends it, a pawn promoted on the way.
Exit status: 0 every game was won, 1 some were not, 2 the programs could not be asked.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from pathlib import Path

import chess
import chess.engine
import chess.syzygy
from tqdm import tqdm

from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, parser_for
from lib.endgames import FIFTY_MOVE_PLIES, play_out, random_board

HOUSE = Path(__file__).resolve().parent.parent
DEFAULT_ENGINE = HOUSE / "target" / "release" / "castellan"
ENDINGS = ("KBNvK", "KQvKR", "KRvK", "KQvK", "KPvK", "KBBvK")
DEFENDER_S = 0.005


def ending_name(text: str) -> str:
    if re.fullmatch(r"K[QRBNP]+vK[QRBNP]*", text) is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no ending: name the stronger side's men first, as in {ENDINGS[0]}")
    return text


def won_board(dice: random.Random, ending: str, tables: chess.syzygy.Tablebase) -> chess.Board:
    """A position that the stronger side, to move, wins in time."""
    while True:
        board = random_board(dice, [ending])
        if board is not None and 0 < tables.probe_dtz(board) <= FIFTY_MOVE_PLIES:
            return board


def choose(
    engine: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit, game: object
) -> chess.Move:
    move = engine.play(board, limit, game=game).move
    assert move is not None
    return move


def main() -> int:
    parser = parser_for(__doc__)
    parser.add_argument("--engine", default=str(DEFAULT_ENGINE), help="the program (default: %(default)s)")
    parser.add_argument("--tables", type=Path, required=True, help="the folder with the tables")
    parser.add_argument("--endings", nargs="+", type=ending_name, default=ENDINGS, help="(default: all six of the list)")
    parser.add_argument("--games", type=int, default=100, help="of each ending (default: %(default)s)")
    parser.add_argument("--nodes", type=int, default=50_000, help="for each move (default: %(default)s)")
    parser.add_argument("--milliseconds", type=int, help="for each move, in place of nodes")
    parser.add_argument("--eval-file", type=Path, help="a network in place of the program's own")
    parser.add_argument("--seed", type=int, default=1, help="of the random positions (default: %(default)s)")
    parser.add_argument("--opponent", default="stockfish", help="the defender (default: %(default)s)")
    arguments: argparse.Namespace = parser.parse_args()
    limit = chess.engine.Limit(nodes=arguments.nodes)
    if arguments.milliseconds is not None:
        limit = chess.engine.Limit(time=arguments.milliseconds / 1000)
    defence = chess.engine.Limit(time=DEFENDER_S)
    faults = []
    try:
        with (
            chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine,
            chess.engine.SimpleEngine.popen_uci(arguments.opponent) as opponent,
            chess.syzygy.open_tablebase(str(arguments.tables)) as tables,
        ):
            engine.configure({"Hash": 16})
            if arguments.eval_file is not None:
                engine.configure({"EvalFile": str(arguments.eval_file)})
            opponent.configure({"SyzygyPath": str(arguments.tables), "Hash": 4, "Threads": 1})
            for ending in arguments.endings:
                dice = random.Random(f"{ending} {arguments.seed}")
                won, plies = 0, []
                for _ in tqdm(range(arguments.games), desc=ending, disable=None):
                    board, game = won_board(dice, ending, tables), object()
                    fault = play_out(
                        board,
                        lambda board, game=game: choose(engine, board, limit, game),
                        lambda board, game=game: choose(opponent, board, defence, game),
                        twice=True,
                    )
                    if fault is None:
                        won += 1
                        plies.append(len(board.move_stack))
                    else:
                        faults.append(f"{ending} {fault}")
                moves = (sum(plies) / max(won, 1) + 1) / 2
                print(f"{ending:8} {won:4} of {arguments.games} won, in {moves:.1f} moves", flush=True)
    except (OSError, KeyError, chess.engine.EngineError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return EXIT_USAGE
    for fault in faults:
        print(f"  {fault}")
    return EXIT_FAULTS if faults else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
