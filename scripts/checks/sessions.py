"""Plays random UCI sessions in which python-chess knows what the engine may print.

Each game is a program of its own: random options, positions (standard, Chess960, DFRC, few and many pieces), and searches of
every kind that end by themselves, by `stop` or by `ponderhit`. Checked are all moves that are printed, lines that end in a mate
as early as their score says, one best move for each `go` and nothing after it, and exit status 0. A game is repeated with
`--games 1 --seed N`. The WebAssembly build is tested with --threads 1 and a PROGRAM that runs `node castellan.js`.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

from lib.cli import positive
from lib.uci import EngineError, UciEngine, mate_plies

import chess

from . import random_games
from .common import Result, add_jobs, add_random_games
from .moves import STARTS, choose, fen_of

# The kinds of start position of the check of the rules, and crowded ones.
KINDS = {**STARTS, random_games.crowded: 20}
ROUNDS = (1, 8)
PLIES, MORE_PLIES = 80, 3
# The shares of what happens only sometimes.
NEW_GAME, CONTINUE, RESTRICTED, EARLY_STOP, READY, REFUSED = 0.3, 0.5, 0.2, 0.25, 0.4, 0.05
REFUSED_POSITIONS = ("position startpos moves e2e5", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position")
REFUSED_ANSWERS = ["info string error: the last position was refused", "bestmove 0000", "readyok"]
OPTION = re.compile(r"option name (.+) type (?:check|spin) default (\w+)(?: min (\d+) max (\d+))?")
# Larger values take much memory or time.
LARGEST = {"Hash": 16, "Move Overhead": 100}


class Fault(Exception):
    """The engine has printed what the rules or the protocol do not allow."""


@dataclass
class Search:
    """A search that owes a best move. While it is held, the best move must wait."""

    board: chess.Board
    moves: set[str]
    is_held: bool
    # The last line with `multipv 1` or without a number.
    line: list[str] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_random_games(parser, "--games", 1000)
    parser.add_argument("--threads", type=positive, default=4, metavar="N", help="at most; default %(default)s")
    add_jobs(parser)


def check(arguments: argparse.Namespace) -> Result:
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    total = Result()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for result in pool.map(partial(play, arguments.engine, arguments.threads), seeds, chunksize=5):
            total.add(result)
    return total


def play(program: str, threads: int, seed: int) -> Result:
    with UciEngine(program) as engine:
        session = Session(engine, random.Random(seed), threads)
        try:
            session.play()
        except (Fault, EngineError) as error:
            session.result.differences.append(f"--seed {seed}: {error}\n" + "\n".join(session.transcript))
        return session.result


class Session:
    """A game and what may be printed next."""

    def __init__(self, engine: UciEngine, rng: random.Random, threads: int) -> None:
        self.engine, self.rng, self.threads, self.result = engine, rng, threads, Result()
        self.options: dict[str, Any] = {}
        self.values: dict[str, tuple[Any, ...]] = {}
        self.board = chess.Board()
        self.start = "startpos"
        self.search: Search | None = None
        self.transcript: list[str] = []

    def play(self) -> None:
        self.values = dict(values_of(found) for line in self.engine.answers("uci") if (found := OPTION.fullmatch(line)))
        # It follows the position.
        del self.values["UCI_Chess960"]
        self.result.compared["games"] += 1
        for _ in range(self.rng.randint(*ROUNDS)):
            self.set_options()
            if self.rng.random() < REFUSED:
                self.refuse()
            self.set_position()
            self.go()
        lines, status = self.engine.quit()
        if lines or status != 0:
            raise Fault(f"status {status} after quit: {lines}")

    def send(self, line: str) -> None:
        self.transcript.append(f"> {line}")
        self.engine.send(line)

    def set_options(self) -> None:
        for name in self.rng.sample(list(self.values), self.rng.randint(0, 6)):
            value = self.rng.choice(self.values[name])
            self.options[name] = min(value, self.threads) if name == "Threads" else value
            self.send(f"setoption name {name} value {self.options[name]}")
        if self.rng.random() < NEW_GAME:
            self.send("ucinewgame")

    def set_position(self) -> None:
        if self.rng.random() < CONTINUE:
            plies = self.rng.randint(0, MORE_PLIES)
        else:
            (kind,) = self.rng.choices(list(KINDS), list(KINDS.values()))
            self.board, plies = kind(self.rng), self.rng.randrange(PLIES)
            self.start = "startpos" if self.board == chess.Board() else f"fen {fen_of(self.board)}"
            self.send(f"setoption name UCI_Chess960 value {str(self.board.chess960).lower()}")
        for _ in range(plies):
            if not any(self.board.legal_moves):
                break
            self.board.push(choose(self.board, self.rng, 0.1))
        board, moves = self.board.root(), []
        for move in self.board.move_stack:
            moves.append(board.uci(move))
            board.push(move)
        self.send(" ".join(["position", self.start, *(["moves"] if moves else []), *moves]))

    def refuse(self) -> None:
        """After a position that is refused nothing is searched, not even the position before."""
        self.send(self.rng.choice(REFUSED_POSITIONS))
        self.send(f"go {self.rng.choice(list(LIMITS.values()))(self.rng)}")
        self.send("stop")
        self.send("isready")
        answers = []
        for line in self.engine.lines():
            self.transcript.append(f"< {line}")
            answers.append(line)
            if line == "readyok":
                break
        refused, *answers = answers
        if not refused.startswith("info string error") or answers != REFUSED_ANSWERS:
            raise Fault("a search after a refused position")
        self.result.cases["refused positions"] += 1

    def go(self) -> None:
        self.transcript = [line for line in self.transcript if line.startswith("> ")]
        moves = [self.board.uci(move) for move in self.board.legal_moves]
        kind = self.rng.choice(list(LIMITS))
        words = ["go", LIMITS[kind](self.rng)]
        if moves and self.rng.random() < RESTRICTED:
            moves = self.rng.sample(moves, self.rng.randint(1, min(4, len(moves))))
            words += ["searchmoves", *moves]
        self.search = Search(self.board.copy(), set(moves), kind in ("infinite", "ponder"))
        self.result.compared["searches"] += 1
        self.result.cases[kind] += 1
        self.send(" ".join(words))
        if self.search.is_held or self.rng.random() < EARLY_STOP:
            time.sleep(self.rng.choice((0, 0, 0.002, 0.03)))
            if self.rng.random() < READY:
                self.synchronize()
            if self.search:
                self.search.is_held = False
            self.send("ponderhit" if kind == "ponder" and self.rng.random() < 0.7 else "stop")
        if self.search:
            self.read_until("bestmove")
        self.synchronize()

    def synchronize(self) -> None:
        self.send("isready")
        self.read_until("readyok")

    def read_until(self, word: str) -> None:
        """Checks the lines up to the one that starts with the word."""
        for line in self.engine.lines():
            self.transcript.append(f"< {line}")
            first, _, rest = line.partition(" ")
            if first == "readyok" == word:
                return
            if self.search is None or first not in ("info", "bestmove"):
                raise Fault("an unexpected line")
            if first == "bestmove":
                self.check_best(self.search, rest)
                self.search = None
            elif rest.startswith("string error"):
                raise Fault("a valid command is refused")
            elif not rest.startswith("string"):
                self.check_info(self.search, rest)
            if first == word:
                return

    def check_info(self, search: Search, text: str) -> None:
        head, _, pv = text.partition(" pv ")
        words, line = head.split(), pv.split()
        values = dict(pairwise(words))
        if line:
            self.result.compared["lines"] += 1
            board = search.board.copy()
            push_all(board, line)
            number = int(values.get("multipv", 1))
            if number > min(self.options.get("MultiPV", 1), len(search.moves)):
                raise Fault(f"line {number} of {len(search.moves)} moves")
            if number == 1:
                search.line = line
            if "mate" in values and not {"lowerbound", "upperbound"} & set(words):
                self.check_mate(board, int(values["mate"]), len(line))
        for move in [*line[:1], *([values["currmove"]] if "currmove" in values else [])]:
            if move not in search.moves:
                raise Fault(f"{move} is not to be searched")

    def check_mate(self, board: chess.Board, moves: int, plies: int) -> None:
        if plies > mate_plies(moves):
            raise Fault(f"mate {moves} in a line of {plies} plies")
        self.result.cases["mates"] += plies == mate_plies(moves)
        if board.is_checkmate() != (plies == mate_plies(moves)):
            raise Fault(f"mate {moves}, but after {plies} plies {board.fen()}")

    def check_best(self, search: Search, text: str) -> None:
        if search.is_held:
            raise Fault("a best move before stop or ponderhit")
        best, *ponder = text.split()
        if not search.moves:
            if text != "(none)":
                raise Fault("a best move without legal moves")
            return
        if best not in search.moves or ponder[:1] not in ([], ["ponder"]):
            raise Fault("another best move than allowed")
        push_all(search.board, [best, *ponder[1:]])
        limited = self.options.get("UCI_LimitStrength") == "true" or self.options.get("Skill Level", 20) != 20
        if search.line[:1] != [best] and not (limited and self.options.get("MultiPV", 1) != 1):
            raise Fault(f"the last line is {search.line}")


def values_of(option: re.Match[str]) -> tuple[str, tuple[Any, ...]]:
    """The name of an option and values to try, half of them its default."""
    name, default, low, high = option.groups()
    if low is None:
        return name, (default, default, "true", "false")
    first, last = int(low), min(int(high), LARGEST.get(name, int(high)))
    others = first, min(first + 1, last), (first + last) // 2, last
    return name, (*[min(int(default), last)] * len(others), *others)


def push_all(board: chess.Board, moves: list[str]) -> None:
    for text in moves:
        try:
            move = board.parse_uci(text)
        except ValueError:
            raise Fault(f"illegal move {text} in {board.fen()}") from None
        if board.uci(move) != text:
            raise Fault(f"{text} is written {board.uci(move)}")
        board.push(move)


def clock(rng: random.Random) -> str:
    sides = [f"{side}time {rng.randint(1, 1500)} {side}inc {rng.choice((0, 0, 20))}" for side in "wb"]
    return " ".join([*sides, *([f"movestogo {rng.randint(1, 40)}"] if rng.random() < 0.3 else [])])


LIMITS: dict[str, Callable[[random.Random], str]] = {
    "depth": lambda rng: f"depth {rng.randint(1, 8)}",
    "nodes": lambda rng: f"nodes {int(10 ** rng.uniform(0, 4.3))}",
    "movetime": lambda rng: f"movetime {rng.randint(1, 40)}",
    "clock": clock,
    "mate": lambda rng: f"mate {rng.randint(1, 3)} nodes 10000",
    "infinite": lambda _: "infinite",
    "ponder": lambda rng: f"ponder {clock(rng)}",
}
