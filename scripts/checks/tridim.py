"""Compares Tri-Dimensional chess with a slow, independent implementation: checks/tridim_rules.py.

Random games are played in the reference, with and without rotation: from the start, from few pieces, near castling and near
promotion. At every position the Python package castellan must have the same text and legal moves, and after one of them
the same next position. With --write nothing is compared: positions with the reference's answers become a file for the tests
of the crate, tests/data/tridim/reference.txt.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from lib.cli import positive

from . import tridim_rules as rules
from .common import Result, add_jobs, add_random_games, in_parallel, python_package

PLIES = (5, 40)
FEW_PIECES = (1, 8)
# How often a game takes a special move if there is one, and the move that leaves the fewest replies.
SPECIAL, FEWEST_REPLIES = 0.3, 0.04


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_random_games(parser, "--positions", 2000)
    add_jobs(parser)
    parser.add_argument("--perft", type=positive, metavar="DEPTH", help="compare perft from the start as well")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write positions to a file and compare nothing")


def check(arguments: argparse.Namespace) -> Result:
    result = Result()
    if arguments.write:
        write(arguments.write, arguments.positions, arguments.seed)
        return result
    start = python_package("castellan.tridim").Position()
    if arguments.perft:
        nodes = rules.perft(rules.read(rules.START), arguments.perft)
        found = start.perft(arguments.perft)
        result.compared[f"nodes of perft {arguments.perft}"] = nodes
        if found != nodes:
            result.differences.append(f"perft {arguments.perft}: the package {found}, reference {nodes}")
    # A third of the positions is with rotation.
    for rotation, positions in ((False, arguments.positions - arguments.positions // 3), (True, arguments.positions // 3)):
        result.add(in_parallel(check_share, positions, arguments.jobs, arguments.seed, rotation))
    return result


def check_share(positions: int, seed: int, rotation: bool) -> Result:
    result = Result()
    for look in islice(looks(random.Random(seed), rotation), positions):
        compare(look, result)
    return result


@dataclass
class Look:
    """A position as the reference sees it, and one of its moves."""

    position: rules.Position
    moves: dict[str, rules.Position]
    chosen: str | None

    def line(self) -> str:
        after = self.moves[self.chosen].text() if self.chosen else "-"
        kind = "rotation" if self.position.rotation else "plain"
        return "\t".join([kind, self.position.text(), " ".join(sorted(self.moves)) or "-", self.chosen or "-", after])

    def cases(self) -> Iterator[str]:
        check = self.position.in_check(self.position.turn)
        if check:
            yield "check"
        if not self.moves:
            yield "checkmate" if check else "stalemate"
        if "O-O" in self.moves:
            yield "castling kingside"
        if "O-O-O" in self.moves:
            yield "castling queenside"
        if any(not {"-", "x"} & {*text} for text in self.moves):
            yield "waiting pawn"
        if any("=" in text and text[:3] in rules.PINS for text in self.moves):
            yield "promotion by a board"
        if " - " not in self.position.text():
            yield "en passant"


def compare(look: Look, result: Result) -> None:
    text = look.position.text()
    position = python_package("castellan.tridim").Position(text, rotation=look.position.rotation)
    found = [str(position), *sorted(move.rstrip("+#") for move in position.legal_moves())]
    expected = [text, *sorted(look.moves)]
    if look.chosen:
        found.append(str(position.play(look.chosen)))
        expected.append(look.moves[look.chosen].text())
    result.compared += {"positions": 1, "legal moves": len(look.moves)}
    result.cases.update(look.cases())
    if found != expected:
        result.differences.append(f"{text}\n  {look.chosen}\n  the package {found}\n  reference   {expected}")


def write(path: Path, positions: int, seed: int) -> None:
    """Half of the positions with rotation; those where a rare rule matters and a tenth of the others."""
    lines: list[str] = []
    for rotation in (False, True):
        rng = random.Random(seed + rotation)
        stream = looks(rng, rotation)
        while len(lines) < positions * (1 + rotation) // 2:
            look = next(stream)
            rare = set(look.cases()) - {"check", "castling kingside"}
            if rng.random() < 0.1 or rare:
                lines.append(look.line())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# Random games


def looks(rng: random.Random, rotation: bool) -> Iterator[Look]:
    """Positions of one random game after another."""
    while True:
        position = rng.choice(STARTS)(rng, rotation)
        for _ in range(rng.randint(*PLIES)):
            moves = rules.legal_moves(position)
            over = not moves or len(position.pieces) == 2
            chosen = None
            if not over:
                special = [text for text, after in moves.items() if is_special(text, position, after)]
                chosen = rng.choice(special if special and rng.random() < SPECIAL else list(moves))
                if rng.random() < FEWEST_REPLIES:
                    chosen = min(moves, key=lambda text: len(rules.legal_moves(moves[text])))
            yield Look(position, moves, chosen)
            if chosen is None:
                break
            position = moves[chosen]


def is_special(text: str, position: rules.Position, after: rules.Position) -> bool:
    captured = len(position.pieces) - len(after.pieces)
    en_passant = position.passing is not None and captured == 1 and position.passing not in after.pieces
    return "=" in text or "O" in text or text[:3] in rules.PINS or en_passant or passes_a_pawn(after)


def passes_a_pawn(after: rules.Position) -> bool:
    """Whether a pawn has just made a double step and stands beside an enemy pawn."""
    if after.passing is None:
        return False
    file, rank = rules.column(after.passing)
    pawn = "P" if after.turn == "w" else "p"
    beside = ((file - 1, rank), (file + 1, rank))
    return any(piece == pawn and rules.column(square) in beside for square, piece in after.pieces.items())


def from_start(_: random.Random, rotation: bool) -> rules.Position:
    return rules.read(rules.START, rotation)


def few_pieces(rng: random.Random, rotation: bool) -> rules.Position:
    while True:
        pieces = ["K", "k", *rng.choices("PPppNnBbRrQq", k=rng.randint(*FEW_PIECES))]
        position = scattered(rng, pieces, rng.sample(rules.PINS, 4), rotation)
        if position is not None:
            return position


def near_castling(rng: random.Random, rotation: bool) -> rules.Position:
    """Kings and rooks on their back ranks, a few other pieces anywhere."""
    while True:
        boards = {"QL1": "w", "KL1": "w", "QL6": "b", "KL6": "b"}
        empty = rules.Position({}, boards, frozenset(), rng.choice("wb"), None, 0, rng.choice((1, 9)), rotation)
        pieces: dict[str, str] = {}
        for side, letters in (("w", "KRR"), ("b", "krr")):
            places = [square for square in empty.squares() if rules.column(square)[1] == home_rank(side)]
            pieces |= dict(zip(rng.sample(places, 3), letters, strict=True))
        free = [square for square in empty.squares() if square not in pieces]
        others = rng.choices("PpNnBbQq", k=rng.randint(*FEW_PIECES))
        others_at = dict(zip(rng.sample(free, len(others)), others, strict=True))
        position = if_legal(rng, replace(empty, pieces=pieces | others_at))
        if position is not None:
            return position


def near_promotion(rng: random.Random, rotation: bool) -> rules.Position:
    """Pawns near promotion, under boards and on them, and a few other pieces."""
    near = {"P": range(6, 10), "p": range(0, 4)}
    while True:
        pins = [*rng.sample(("QL1", "KL1", "QL6", "KL6"), 3), rng.choice(("QL3", "KL4", "QL5", "KL2"))]
        pieces = ["K", "k", *rng.choices("PPPppp", k=4), *rng.choices("NnBbRr", k=2)]
        position = scattered(rng, pieces, pins, rotation)
        if position is not None and all(
            rules.column(square)[1] in near.get(piece, range(10)) for square, piece in position.pieces.items()
        ):
            return position


STARTS = (from_start, few_pieces, near_castling, near_promotion)


def home_rank(side: str) -> int:
    return 0 if side == "w" else 9


def scattered(rng: random.Random, pieces: list[str], pins: list[str], rotation: bool) -> rules.Position | None:
    """Attack boards on these pins and pieces anywhere, if that is a legal position."""
    boards = dict(zip(pins, rng.sample("wwbb", 4), strict=True))
    empty = rules.Position({}, boards, frozenset(), rng.choice("wb"), None, rng.randint(0, 60), 40, rotation)
    squares = rng.sample(list(empty.squares()), len(pieces))
    return if_legal(rng, replace(empty, pieces=dict(zip(squares, pieces, strict=True))))


def if_legal(rng: random.Random, position: rules.Position) -> rules.Position | None:
    """The position, with most pieces that could be unmoved made so, unless it cannot arise."""
    side = position.turn
    if rules.promoting(position, rules.other(side)) or position.in_check(rules.other(side)):
        return None
    waiting = rules.promoting(position, side)
    if len(waiting) > 1 or any(rules.board_of(at) in rules.PINS or at[0] not in "ad" for at in waiting):
        return None
    if waiting and any(rules.promote(position, waiting[0], letter).in_check(rules.other(side)) for letter in "QRBN"):
        return None
    unmoved = {
        square
        for square, piece in position.pieces.items()
        if (piece.upper() == "P" and rules.is_pawn_start(rules.side_of(piece), square))
        or (piece.upper() in "KR" and rules.column(square)[1] == home_rank(rules.side_of(piece)))
    }
    return replace(position, unmoved=frozenset(square for square in sorted(unmoved) if rng.random() < 0.85))
