"""Compares the rules with python-chess, position by position.

Random games are played: standard, Chess960, DFRC, and few pieces with the halfmove clock about to run out. After every move
the program's `d` must print the same FEN, checkers, legal moves with their SAN, state (check, checkmate, stalemate, claimable
and automatic draws), and the moves with which a draw can be claimed.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import chess

from . import random_games
from .common import CheckError, Result, add_jobs, add_random_games, in_parallel, run_program

PLIES = (20, 160)
GAMES_A_RUN = 5
# A third occurrence is at least eight plies after the first.
PLIES_TO_THIRD, FIFTY_MOVE_PLIES = 8, 100

# Each kind of start position with its share.
STARTS: dict[Callable[[random.Random], chess.Board], int] = {
    lambda _: chess.Board(): 35,
    random_games.chess960: 20,
    random_games.double_chess960: 15,
    random_games.bare: 30,
}
# How often a game takes a special move if there is one, and the move that leaves the fewest replies, which ends some games
# in checkmate and stalemate.
SPECIAL, FEWEST_REPLIES = 0.35, 0.08
# How often a piece returns to where it came from; some games do little else and repeat positions.
BACK = (0.05, 0.05, 0.05, 0.9)
# How the libraries for Python and JavaScript name the ends of a game.
OUTCOMES = {
    "checkmate": "checkmate",
    "stalemate": "stalemate",
    "insufficient-material": "insufficient_material",
    "seventy-five-moves": "seventy_five_moves",
    "fivefold": "fivefold_repetition",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_random_games(parser, "--positions", 20_000)
    add_jobs(parser)


def check(arguments: argparse.Namespace) -> Result:
    return in_parallel(check_share, arguments.positions, arguments.jobs, arguments.seed, arguments.engine)


def check_share(positions: int, seed: int, engine: str) -> Result:
    rng, result = random.Random(seed), Result()
    while result.compared["positions"] < positions:
        looks = [look for _ in range(GAMES_A_RUN) for look in play(rng, result)]
        result.compared["positions"] += len(looks)
        text = "".join(f"{look.commands}\nd\nisready\n" for look in looks)
        answers = run_program([engine], text + "quit\n").split("readyok\n")
        if len(answers) != len(looks) + 1:
            raise CheckError(f"{len(answers) - 1} answers to {len(looks)} times 'isready'")
        for look, answer in zip(looks, answers, strict=False):
            result.differences += [f"{look.commands}\n  {difference}" for difference in look.differences(answer)]
    return result


@dataclass
class Look:
    """A position as python-chess sees it, and the game that leads to it."""

    start: str
    chess960: bool
    played: list[str]
    fen: str
    checkers: set[str]
    moves: set[str]
    state: set[str]
    # Pairs such as `e1d1=fifty-move`.
    claims: set[str]
    # By python-chess's `can_claim_...`, which leaves out a fifty-move claim with a move that ends the game.
    can_claim: set[str]
    final_moves: set[str]

    @property
    def commands(self) -> str:
        """What sets it up in the program."""
        moves = " ".join(["moves", *self.played] if self.played else [])
        return f"setoption name UCI_Chess960 value {str(self.chess960).lower()}\nposition fen {self.start} {moves}".rstrip()

    @property
    def ends(self) -> set[str]:
        """How the game may have ended."""
        return {OUTCOMES[word] for word in self.state & OUTCOMES.keys()}

    @property
    def may_claim(self) -> set[str]:
        """The draws that may be claimed at once, unless the game has ended."""
        return set() if self.ends else {word for word in self.state if word.endswith("-claim")}

    def differences(self, answer: str) -> Iterator[str]:
        lines = answer.splitlines()
        if errors := [line for line in lines if line.startswith("info string error")]:
            yield errors[0]
            return
        facts = {name: value for name, colon, value in (line.partition(": ") for line in lines) if colon}
        if missing := [name for name in ("Fen", "Checkers", "Legal", "State", "Claims") if name not in facts]:
            raise CheckError(f"'d' prints no line {', '.join(missing)}")
        if facts["Fen"] != self.fen:
            yield f"FEN: {facts['Fen']}, python-chess {self.fen}"
        for name, expected in (
            ("Checkers", self.checkers),
            ("Legal", self.moves),
            ("State", self.state),
            ("Claims", self.claims),
        ):
            found = facts[name].replace(",", " ").split()
            ours = set(found) - {"-", "none"}
            if ours != expected:
                yield f"{name}: only the program {sorted(ours - expected)}, only python-chess {sorted(expected - ours)}"
        pairs = [pair.split("=") for pair in facts["Claims"].split() if pair != "-"]
        with_moves = {claim for move, claim in pairs if move not in self.final_moves}
        without = {claim for claim in ("fifty-move", "threefold") if f"{claim}-claim" in facts["State"]}
        if with_moves | without != self.can_claim:
            yield f"claims: the program {sorted(with_moves | without)}, python-chess {sorted(self.can_claim)}"


def play(rng: random.Random, result: Result) -> Iterator[Look]:
    """The positions of a random game."""
    (start,) = rng.choices(list(STARTS), list(STARTS.values()))
    board = start(rng)
    first, played = fen_of(board), list[str]()
    most_plies, back_rate = rng.randint(*PLIES), rng.choice(BACK)
    result.compared["games"] += 1
    while True:
        look = look_at(board, (first, board.chess960, list(played)))
        result.compared["legal moves"] += len(look.moves)
        result.cases.update(look.state)
        result.cases["Chess960 positions"] += board.chess960
        result.cases["en passant legal"] += board.has_legal_en_passant()
        result.cases["moves that complete a claim"] += len(look.claims)
        result.cases["claims by python-chess"] += len(look.can_claim)
        yield look
        if len(board.move_stack) >= most_plies or not look.moves:
            return
        move = choose(board, rng, back_rate)
        result.cases["castlings"] += board.is_castling(move)
        result.cases["promotions"] += move.promotion is not None
        played.append(board.uci(move))
        board.push(move)


def look_at(board: chess.Board, game: tuple[str, bool, list[str]]) -> Look:
    """A position with the game that led to it: the first FEN, whether it is Chess960, and the moves."""
    moves = {f"{board.uci(move)}={board.san(move)}" for move in board.legal_moves}
    checkers = {chess.square_name(square) for square in board.checkers()}
    state = state_of(board)
    return Look(*game, fen_of(board), checkers, moves, state, *claims_of(board, state))


def fen_of(board: chess.Board) -> str:
    return board.fen(shredder=board.chess960, en_passant="legal")


def state_of(board: chess.Board) -> set[str]:
    """The words expected in the `State` line."""
    holds = {
        "check": board.is_check(),
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "fifty-move-claim": board.is_fifty_moves(),
        "seventy-five-moves": board.is_seventyfive_moves(),
        "threefold-claim": board.is_repetition(3),
        "fivefold": board.is_fivefold_repetition(),
        "insufficient-material": board.is_insufficient_material(),
    }
    return {word for word, is_so in holds.items() if is_so}


def claims_of(board: chess.Board, state: set[str]) -> tuple[set[str], set[str], set[str]]:
    """The moves with which a draw can be claimed, the claims that are possible, and the moves that leave no reply."""
    claims: set[str] = set()
    final_moves: set[str] = set()
    if state & OUTCOMES.keys():
        # The game is over, but python-chess still allows a claim of the rules that have been met before.
        return claims, {claim for claim in ("fifty-move", "threefold") if f"{claim}-claim" in state}, final_moves
    can_claim = set()
    if board.can_claim_fifty_moves():
        can_claim.add("fifty-move")
    if board.can_claim_threefold_repetition():
        can_claim.add("threefold")
    if board.halfmove_clock + 1 < PLIES_TO_THIRD:
        return claims, can_claim, final_moves
    for move in board.legal_moves:
        text = board.uci(move)
        board.push(move)
        if board.halfmove_clock >= FIFTY_MOVE_PLIES:
            claims.add(f"{text}=fifty-move")
        if board.is_repetition(3):
            claims.add(f"{text}=threefold")
        if not any(board.legal_moves):
            final_moves.add(text)
        board.pop()
    return claims, can_claim, final_moves


def choose(board: chess.Board, rng: random.Random, back_rate: float) -> chess.Move:
    moves = list(board.legal_moves)
    if rng.random() < SPECIAL:
        if special := [move for move in moves if random_games.is_special(board, move)]:
            return rng.choice(special)
    if rng.random() < FEWEST_REPLIES:
        return min(moves, key=lambda move: replies(board, move))
    if len(board.move_stack) >= 2 and rng.random() < back_rate:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    return rng.choice(moves)


def replies(board: chess.Board, move: chess.Move) -> int:
    board.push(move)
    count = board.legal_moves.count()
    board.pop()
    return count
