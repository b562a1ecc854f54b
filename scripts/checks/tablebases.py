"""Checks play with and against endgame tables, which python-chess reads too.

    scripts/crosscheck.py tablebases choices --tables FOLDER --positions 5000
    scripts/crosscheck.py tablebases games --tables FOLDER --games 200 --clocks 0 60 80 90
    scripts/crosscheck.py tablebases endings --tables FOLDER --endings KBNvK KQvKR --nodes 50000

choices: searches random positions, half of them with the halfmove clock advanced; the move must keep the value that the
position has under the 50-move rule.
games: plays won positions against an opponent with tables; each must be mate before the clock reaches 100, without a
repetition. Clocks other than zero start from positions that can still be won in time.
endings: the same from random positions of each ending, without tables for the program, with one thread; a position may occur
twice.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from lib.cli import positive

import chess
import chess.engine
import chess.syzygy
from tqdm import tqdm

from .common import CheckError, Result
from .random_games import endgame

FIFTY_MOVE_PLIES = 100
LONGEST_GAME = 600
WIN = 2
OPPONENT_LIMIT = chess.engine.Limit(time=0.005)
ENDINGS = ("KBNvK", "KQvKR", "KRvK", "KQvK", "KPvK", "KBBvK")


def ending(text: str) -> str:
    if re.fullmatch(r"K[QRBNP]+vK[QRBNP]*", text) is None:
        raise argparse.ArgumentTypeError(f"invalid ending '{text}'; expected the stronger side first, as in {ENDINGS[0]}")
    return text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("choices", "games", "endings"))
    parser.add_argument("--tables", type=Path, required=True, metavar="FOLDER", help="the Syzygy tables")
    parser.add_argument("--pieces", type=positive, default=4, help="at most, in choices and games; default %(default)s")
    parser.add_argument("--endings", nargs="+", type=ending, default=ENDINGS, help=f"default: {' '.join(ENDINGS)}")
    parser.add_argument("--nodes", type=positive, default=2000, help="per move; default %(default)s")
    parser.add_argument("--threads", type=positive, nargs="+", default=[1, 2], help="values of Threads in turn; default: 1 2")
    parser.add_argument("--multipv", type=positive, nargs="+", default=[1, 3], help="values of MultiPV in turn; default: 1 3")
    parser.add_argument("--seed", type=int, default=1, help="of the random positions; default %(default)s")
    parser.add_argument("--positions", type=positive, default=5000, help="of choices; default %(default)s")
    parser.add_argument("--games", type=positive, default=200, help="of games, or of each ending; default %(default)s")
    parser.add_argument("--clocks", type=int, nargs="+", default=[0], help="halfmove clocks at the start; default: 0")
    parser.add_argument("--opponent", default="stockfish", help="an engine that reads tables; default: %(default)s")


def check(arguments: argparse.Namespace) -> Result:
    with ExitStack() as stack:
        tables = stack.enter_context(chess.syzygy.open_tablebase(str(arguments.tables)))
        player = Player(arguments)
        stack.callback(player.engine.quit)
        if arguments.what == "choices":
            return check_choices(arguments, tables, player)
        opponent = stack.enter_context(chess.engine.SimpleEngine.popen_uci(arguments.opponent))
        opponent.configure({"SyzygyPath": str(arguments.tables), "Hash": 4, "Threads": 1})
        return check_games(arguments, tables, player, opponent)


class Player:
    """The program at the limits of the command line, with the given values of Threads and MultiPV in turn."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.engine = chess.engine.SimpleEngine.popen_uci(arguments.engine)
        self.with_tables = arguments.what != "endings"
        self.engine.configure({"Hash": 16})
        if self.with_tables:
            self.engine.configure({"SyzygyPath": str(arguments.tables)})
        self.limit = chess.engine.Limit(nodes=arguments.nodes)
        settings = itertools.product(arguments.threads, arguments.multipv) if self.with_tables else [(1, 1)]
        self._settings = itertools.cycle(settings)
        self.new_game()

    def new_game(self) -> None:
        self.game = object()
        self.threads, self.lines = next(self._settings)
        self.engine.configure({"Threads": self.threads})

    def choose(self, board: chess.Board) -> chess.Move:
        if not self.with_tables:
            return played(self.engine.play(board, self.limit, game=self.game))
        infos = self.engine.analyse(board, self.limit, multipv=self.lines, game=self.game)
        move: chess.Move = infos[0]["pv"][0]
        return move

    def settings(self) -> str:
        return f"Threads {self.threads}, MultiPV {self.lines}"


def played(result: chess.engine.PlayResult) -> chess.Move:
    if result.move is None:
        raise CheckError("no bestmove")
    return result.move


def names_of(arguments: argparse.Namespace) -> list[str]:
    names = sorted(path.stem for path in arguments.tables.glob("*.rtbw") if len(path.stem) - 1 <= arguments.pieces)
    if not names:
        raise CheckError(f"no table of at most {arguments.pieces} pieces in {arguments.tables}")
    return names


def check_choices(arguments: argparse.Namespace, tables: chess.syzygy.Tablebase, player: Player) -> Result:
    rng, result, names = random.Random(arguments.seed), Result(), names_of(arguments)
    for _ in tqdm(range(arguments.positions), disable=None):
        board = endgame(rng, names)
        if rng.random() < 0.5:
            board.halfmove_clock = rng.randrange(FIFTY_MOVE_PLIES)
        values = {move: value_of_move(tables, board, move) for move in board.legal_moves}
        best_least, best_most = (max(bounds) for bounds in zip(*values.values(), strict=True))
        player.new_game()
        move = player.choose(board)
        result.compared["positions"] += 1
        result.cases[f"value {best_most:+d}" if best_least == best_most else "value open by rounding"] += 1
        if values[move][1] < best_least:
            result.differences.append(
                f"{board.fen()}: {move} has value {values[move][1]:+d}, the position {best_least:+d} ({player.settings()})"
            )
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


def check_games(
    arguments: argparse.Namespace,
    tables: chess.syzygy.Tablebase,
    player: Player,
    opponent: chess.engine.SimpleEngine,
) -> Result:
    result = Result()
    plies: dict[str, list[int]] = {}
    for group, board in tqdm(list(starts(arguments, tables)), disable=None):
        player.new_game()
        dtz, start = tables.probe_dtz(board), board.fen()
        fault = play_out(board, player, opponent)
        result.compared["games"] += 1
        result.cases[f"{group} won"] += fault is None
        if fault is None:
            plies.setdefault(group, []).append(len(board.move_stack))
        else:
            result.differences.append(f"{start}: {fault} (DTZ {dtz}, {player.settings()})")
    result.cases.update({f"{group} average moves": (sum(counts) // len(counts) + 1) // 2 for group, counts in plies.items()})
    return result


def starts(arguments: argparse.Namespace, tables: chess.syzygy.Tablebase) -> Iterator[tuple[str, chess.Board]]:
    """Positions that the side to move wins in time, each with the name of its group."""
    if arguments.what == "endings":
        for name in arguments.endings:
            rng = random.Random(f"{name} {arguments.seed}")
            yield from ((name, won_board(rng, [name], tables, 0)) for _ in range(arguments.games))
    else:
        rng, names = random.Random(arguments.seed), names_of(arguments)
        for clock in itertools.islice(itertools.cycle(arguments.clocks), arguments.games):
            yield f"clock {clock}", won_board(rng, names, tables, clock)


def won_board(rng: random.Random, names: list[str], tables: chess.syzygy.Tablebase, clock: int) -> chess.Board:
    while True:
        board = endgame(rng, names)
        spare = FIFTY_MOVE_PLIES - clock - tables.probe_dtz(board)
        if 0 < spare < FIFTY_MOVE_PLIES - clock:
            # Clocks that leave time enough test nothing.
            if clock and spare > 8 and rng.random() < 0.95:
                continue
            board.halfmove_clock = clock
            return board


def play_out(board: chess.Board, player: Player, opponent: chess.engine.SimpleEngine) -> str | None:
    """Plays the game to its end and returns why it is not a win for the player, who moves first."""
    us = board.turn
    allowed_occurrences = 1 if player.with_tables else 2
    for _ in range(LONGEST_GAME):
        if board.is_checkmate():
            return None if board.turn != us else "mated"
        if board.is_stalemate() or board.is_insufficient_material():
            return f"drawn in {board.fen()}"
        if board.halfmove_clock >= FIFTY_MOVE_PLIES:
            return f"50-move rule in {board.fen()}"
        if board.is_repetition(allowed_occurrences + 1):
            return f"repetition of {board.fen()} after {len(board.move_stack)} plies"
        if board.turn == us:
            board.push(player.choose(board))
        else:
            board.push(played(opponent.play(board, OPPONENT_LIMIT, game=player.game)))
    return f"no end after {LONGEST_GAME} plies"
