#!/usr/bin/env python3
"""Holds the program's play with endgame tables against python-chess, which reads the same tables.

    scripts/tablebase_check.py choices --tables FOLDER --positions 5000
    scripts/tablebase_check.py games --tables FOLDER --games 200 --clocks 0 60 80 90 --opponent stockfish

`choices` searches random positions of the tables, some with the fifty-move clock well on its way, and looks whether the move
chosen keeps what the position is worth under the fifty-move rule.
`games` plays won positions out against an opponent that has the tables too: each must be mate before the clock reaches 100,
and no position may come back. Starting clocks other than zero are paired with positions that can still be won in time.
Threads and MultiPV go through the values given. Exit status: 0 all well, 1 faults, 2 the programs could not be asked.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.engine
import chess.syzygy
from tqdm import tqdm

from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, parser_for
from lib.endgames import FIFTY_MOVE_PLIES, play_out, random_board

HOUSE = Path(__file__).resolve().parent.parent
DEFAULT_ENGINE = HOUSE / "target" / "release" / "castellan"
WIN = 2
SHOWN_FAULTS = 40


@dataclass
class Outcome:
    """What came of one position or game."""

    group: str
    faults: list[str] = field(default_factory=list)


def worth(tables: chess.syzygy.Tablebase, board: chess.Board) -> tuple[int, int]:
    """The least and the most the position is worth to the side to move, its clock counted: 2 won, 1 won but for the
    fifty-move rule, and so on. They differ only where the tables' rounding leaves it open."""
    if board.is_checkmate():
        return -WIN, -WIN
    if board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= FIFTY_MOVE_PLIES:
        return 0, 0
    dtz = tables.probe_dtz(board)
    sign = (dtz > 0) - (dtz < 0)
    # A distance of n can mean n + 1, but not right after the clock was set back.
    soonest = board.halfmove_clock + abs(dtz)
    latest = soonest + (board.halfmove_clock > 0)
    results = {sign * (WIN if plies <= FIFTY_MOVE_PLIES else 1) for plies in (soonest, latest)}
    return min(results), max(results)


def move_worth(tables: chess.syzygy.Tablebase, board: chess.Board, move: chess.Move) -> tuple[int, int]:
    board.push(move)
    least, most = worth(tables, board)
    board.pop()
    return -most, -least


def names_of(folder: Path, men: int) -> list[str]:
    names = sorted(path.stem for path in folder.glob("*.rtbw"))
    return [name for name in names if len(name) - 1 <= men]


class Player:
    """The program, kept running."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._engine = chess.engine.SimpleEngine.popen_uci(arguments.engine)
        self._engine.configure({"SyzygyPath": str(arguments.tables), "Hash": 4})
        self._limit = chess.engine.Limit(nodes=arguments.nodes)

    def choose(self, board: chess.Board, threads: int, lines: int, game: object) -> chess.Move:
        self._engine.configure({"Threads": threads})
        infos = self._engine.analyse(board, self._limit, multipv=lines, game=game)
        return infos[0]["pv"][0]

    def close(self) -> None:
        self._engine.quit()


def check_choices(arguments: argparse.Namespace, bar: tqdm[None]) -> Iterator[Outcome]:
    dice = random.Random(arguments.seed)
    names = names_of(arguments.tables, arguments.men)
    manners = itertools.cycle(itertools.product(arguments.threads, arguments.multipv))
    player = Player(arguments)
    with chess.syzygy.open_tablebase(str(arguments.tables)) as tables:
        asked = 0
        while asked < arguments.positions:
            board = random_board(dice, names)
            if board is None:
                continue
            if dice.random() < 0.5:
                board.halfmove_clock = dice.randrange(FIFTY_MOVE_PLIES)
            values = {move: move_worth(tables, board, move) for move in board.legal_moves}
            best_least, best_most = max(least for least, _ in values.values()), max(most for _, most in values.values())
            threads, lines = next(manners)
            chosen = player.choose(board, threads, lines, board)
            outcome = Outcome(f"worth {best_most:+d}" if best_least == best_most else "left open by rounding")
            if values[chosen][1] < best_least:
                outcome.faults.append(
                    f"{board.fen()}: {chosen} is worth {values[chosen][1]:+d}, the position {best_least:+d} "
                    f"(Threads {threads}, MultiPV {lines})"
                )
            asked += 1
            bar.update()
            yield outcome
    player.close()


def won_board(
    dice: random.Random, names: list[str], tables: chess.syzygy.Tablebase, clock: int
) -> tuple[chess.Board, int]:
    """A position the side to move surely wins in time from this clock on, and its distance."""
    while True:
        board = random_board(dice, names)
        if board is None:
            continue
        dtz = tables.probe_dtz(board)
        if 0 < dtz and dtz + clock < FIFTY_MOVE_PLIES:
            # Clocks that leave time enough test nothing.
            if clock and dtz + clock < FIFTY_MOVE_PLIES - 8 and dice.random() < 0.95:
                continue
            board.halfmove_clock = clock
            return board, dtz


def play(board: chess.Board, player: Player, opponent: chess.engine.SimpleEngine, manner: tuple[int, int]) -> str | None:
    """Plays to the end; says what went wrong."""
    game = object()

    def ours(board: chess.Board) -> chess.Move:
        return player.choose(board, *manner, game)

    def theirs(board: chess.Board) -> chess.Move:
        answer = opponent.play(board, chess.engine.Limit(time=0.005), game=game).move
        assert answer is not None
        return answer

    return play_out(board, ours, theirs, twice=False)


def check_games(arguments: argparse.Namespace, bar: tqdm[None]) -> Iterator[Outcome]:
    dice = random.Random(arguments.seed)
    names = names_of(arguments.tables, arguments.men)
    manners = itertools.cycle(itertools.product(arguments.threads, arguments.multipv))
    player = Player(arguments)
    opponent = chess.engine.SimpleEngine.popen_uci(arguments.opponent)
    opponent.configure({"SyzygyPath": str(arguments.tables), "Hash": 4, "Threads": 1})
    with chess.syzygy.open_tablebase(str(arguments.tables)) as tables:
        for number in range(arguments.games):
            clock = arguments.clocks[number % len(arguments.clocks)]
            board, dtz = won_board(dice, names, tables, clock)
            manner = next(manners)
            fault = play(board, player, opponent, manner)
            outcome = Outcome(f"from clock {clock}")
            if fault is not None:
                outcome.faults.append(f"{fault} (DTZ {dtz}, Threads {manner[0]}, MultiPV {manner[1]})")
            bar.update()
            yield outcome
    opponent.quit()
    player.close()


def report(outcomes: list[Outcome]) -> bool:
    """Prints the table; says whether all is well."""
    groups: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.group, Counter()).update(all=1, faults=bool(outcome.faults))
    for group, row in sorted(groups.items()):
        print(f"{group:24} {row['all']:6} {row['faults']:4} faults")
    faults = [fault for outcome in outcomes for fault in outcome.faults]
    print(f"{'all':24} {len(outcomes):6} {len(faults):4} faults")
    for fault in faults[:SHOWN_FAULTS]:
        print(f"  {fault}")
    return not faults


def main() -> int:
    parser = parser_for(__doc__)
    parser.add_argument("what", choices=("choices", "games"))
    parser.add_argument("--engine", default=str(DEFAULT_ENGINE), help="the program (default: %(default)s)")
    parser.add_argument("--tables", type=Path, required=True, help="the folder with the tables")
    parser.add_argument("--men", type=int, default=4, help="of the positions, at most (default: %(default)s)")
    parser.add_argument("--nodes", type=int, default=2000, help="for each move (default: %(default)s)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="values of Threads (default: 1 2)")
    parser.add_argument("--multipv", type=int, nargs="+", default=[1, 3], help="values of MultiPV (default: 1 3)")
    parser.add_argument("--seed", type=int, default=1, help="of the random positions (default: %(default)s)")
    parser.add_argument("--positions", type=int, default=5000, help="of `choices` (default: %(default)s)")
    parser.add_argument("--games", type=int, default=200, help="of `games` (default: %(default)s)")
    parser.add_argument("--clocks", type=int, nargs="+", default=[0], help="where the games' clocks start (default: 0)")
    parser.add_argument("--opponent", default="stockfish", help="the defender (default: %(default)s)")
    arguments = parser.parse_args()
    size, check = {"choices": (arguments.positions, check_choices), "games": (arguments.games, check_games)}[arguments.what]
    try:
        with tqdm(total=size, disable=None) as bar:
            outcomes = list(check(arguments, bar))
    except (OSError, ValueError, IndexError, KeyError, chess.engine.EngineError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK if report(outcomes) else EXIT_FAULTS


if __name__ == "__main__":
    sys.exit(main())
