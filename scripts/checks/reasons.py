"""Compares the reasons against castling and en passant captures with esca, and legality with python-chess.

Random positions in which castling or an en passant capture is near: pieces scattered around kings and rooks at home, pawns
that have just moved two squares, and positions of random games. `fen --explain` must name the pieces that block, attack, give
check and pin as esca does. Needs the Python package esca, which no other check uses. Where its version 0.4 is wrong by
python-chess, and by the rules, the cases say "esca wrong".
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import chess

from . import random_games
from .common import CheckError, Result, add_jobs, add_random_games, in_parallel, run_program

WINGS = {"O-O": "short", "O-O-O": "long"}
POSITIONS_A_RUN = 1000
GAME_PLIES, GAME_STEP = 120, 4
# Pieces around kings and rooks at home.
FEWEST_PIECES, MOST_PIECES = 1, 10
# In such a position a right is missing this often.
NO_RIGHT = 0.2
# The king and a rook are on the rank of the pawns this often.
ON_THE_RANK = 0.3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_random_games(parser, "--positions", 20_000)
    add_jobs(parser)


def check(arguments: argparse.Namespace) -> Result:
    try:
        importlib.import_module("esca")
    except ImportError as error:
        raise CheckError("the Python package esca is missing") from error
    return in_parallel(check_share, arguments.positions, arguments.jobs, arguments.seed, arguments.engine)


def check_share(positions: int, seed: int, engine: str) -> Result:
    rng, result = random.Random(seed), Result()
    source = scenes(rng)
    while result.compared["positions"] < positions:
        attempts = [attempt for _ in range(POSITIONS_A_RUN) for attempt in attempts_in(next(source))]
        result.compared["positions"] += POSITIONS_A_RUN
        for attempt, text in explained(engine, attempts):
            result.compared["moves"] += 1
            result.differences += [
                f"{attempt.fen} {attempt.move}: {text}\n  {found}" for found in attempt.differences(text, result)
            ]
    return result


@dataclass
class Attempt:
    """A move that may be illegal: castling in SAN, or an en passant capture in UCI notation."""

    board: chess.Board
    move: str

    @property
    def fen(self) -> str:
        return self.board.fen(shredder=self.board.chess960, en_passant="fen")

    def is_legal(self) -> bool:
        if self.move in WINGS:
            king_side = self.move == "O-O"
            return any(
                self.board.is_kingside_castling(move) == king_side
                for move in self.board.legal_moves
                if self.board.is_castling(move)
            )
        return self.board.is_legal(chess.Move.from_uci(self.move))

    def differences(self, text: str, result: Result) -> Iterator[str]:
        legal = text.startswith("legal move ")
        if legal != self.is_legal():
            yield f"python-chess: {'legal' if self.is_legal() else 'illegal'}"
        for role, square in re.findall(r"(?<!expected )the (\w+) on (\w\d)", text):
            piece = self.board.piece_type_at(chess.parse_square(square))
            if piece is None or chess.piece_name(piece) != role:
                yield f"no {role} on {square}"
        position = importlib.import_module("esca").Position.from_fen(self.fen)
        # Reasons name the move first, and after a semicolon the next one.
        ours = set(text.partition(": ")[2].split("; ")) if not legal else set()
        compare = self.castling if self.move in WINGS else self.en_passant
        yield from compare(position, legal, ours, result)

    def castling(self, position: Any, legal: bool, ours: set[str], result: Result) -> Iterator[str]:
        color = "white" if self.board.turn else "black"
        theirs = position.castling(color, WINGS[self.move])
        result.cases[f"castling {'legal' if legal else 'illegal'}"] += 1
        if theirs.allowed and not legal and not self.is_legal() and self.is_shielded_by_the_rook(ours):
            result.cases["esca wrong: the rook leaves its king to an attack"] += 1
        elif legal != theirs.allowed:
            yield f"esca: {theirs.describe()}"
        words = "; ".join(sorted(ours))
        has_right = not re.search("may no longer castle|may not castle|king stands on|expected the rook|no rook on", words)
        if has_right != theirs.right:
            yield f"the right by esca: {theirs.right}"
        if not theirs.right:
            # Without a right the squares are a matter of opinion.
            result.cases["without a right"] += 1
            return
        found = self.comparable(Obstacles.of_text(words))
        expected = self.comparable(
            Obstacles(
                set(theirs.path_blocked),
                set(theirs.king_in_check_by),
                {square: set(by) for square, by in theirs.path_attacked},
            )
        )
        for name, count in (("blocked", found.blocked), ("check", found.checkers), ("attacked", found.attacked)):
            result.cases[name] += bool(count)
        result.cases["several reasons"] += len(ours) > 1
        if found != expected:
            yield f"esca: {expected}"

    def is_shielded_by_the_rook(self, reasons: set[str]) -> bool:
        """True if the only reason is an attack along the first rank on the square where the king lands."""
        obstacles = Obstacles.of_text("; ".join(reasons))
        return len(reasons) == len(obstacles.attacked) == 1 and not self.comparable(obstacles).attacked

    def comparable(self, obstacles: Obstacles) -> Obstacles:
        """Without the attacks that have several readings: those along the line of a check, a reason of its own, which for
        esca end at the king; and those along the first rank on the square where the king lands. The program looks at
        each square as if the king stood there, and on the last one with the rook beside it."""
        king = self.board.king(self.board.turn)
        assert king is not None
        target = "gc"[self.move == "O-O-O"] + "81"[self.board.turn]
        attacked = {}
        for name, attackers in obstacles.attacked.items():
            square = chess.parse_square(name)
            lines = {chess.square_name(by) for by in self.board.checkers() if chess.ray(by, square) & chess.BB_SQUARES[king]}
            if square == king:
                lines = set(obstacles.checkers)
            if name == target:
                lines |= {by for by in attackers if by[1] == target[1]}
            if others := attackers - lines:
                attacked[name] = others
        return Obstacles(obstacles.blocked, obstacles.checkers, attacked)

    def en_passant(self, position: Any, legal: bool, ours: set[str], result: Result) -> Iterator[str]:
        captures = {capture.origin: capture for capture in position.en_passant_status().captures}
        capture = captures.get(self.move[:2])
        if position.en_passant != self.move[2:] or capture is None:
            result.cases["en passant too late"] += 1
            if legal:
                yield "esca: no en passant capture"
            return
        result.cases[f"en passant {'legal' if legal else 'illegal'}"] += 1
        if legal != capture.legal:
            yield f"esca: {capture.describe()}"
        if legal or capture.legal:
            return
        # esca names one obstacle, the program all of them.
        obstacle = capture.forbidden_by
        result.cases[f"en passant {obstacle.kind}"] += 1
        result.cases["en passant with several reasons"] += len(ours) > 1
        start, by = {
            "pinned": (f"the pawn on {self.move[:2]} is pinned to its king by ", {obstacle.pinner}),
            "exposes_king": ("capturing en passant would leave the king in check from ", {obstacle.attacker}),
            "in_check": ("the king is in check from ", set(obstacle.by)),
        }[obstacle.kind]
        if obstacle.kind == "in_check" and set(obstacle.by) == {self.move[2] + self.move[1]}:
            result.cases["esca wrong: the capture removes the pawn that gives check"] += 1
        elif not any(reason.startswith(start) and squares(reason.removeprefix(start)) >= by for reason in ours):
            yield f"esca: {obstacle.describe()}"


def squares(words: str) -> set[str]:
    return set(re.findall(r" on (\w\d)", words))


@dataclass
class Obstacles:
    """What stands against castling: the pieces in the way, the checkers, and for each square its attackers."""

    blocked: set[str]
    checkers: set[str]
    attacked: dict[str, set[str]]

    @classmethod
    def of_text(cls, words: str) -> Obstacles:
        attacked = re.findall(r"(\w\d) is attacked by ([^;]*)", words)
        checkers = re.findall(r"in check from ([^;]*)", words)
        return cls(
            set(re.findall(r"(\w\d) is occupied", words)),
            {square for pieces in checkers for square in squares(pieces)},
            {square: squares(pieces) for square, pieces in attacked},
        )


def explained(engine: str, attempts: list[Attempt]) -> Iterator[tuple[Attempt, str]]:
    """The program's answers; a run explains one move in many positions."""
    runs: dict[tuple[str, bool], list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        runs[attempt.move, attempt.board.chess960].append(attempt)
    for (move, is_chess960), alike in runs.items():
        command = [engine, "fen", "--json", "--explain", move, *(["--chess960"] if is_chess960 else [])]
        lines = run_program(command, "".join(f"{attempt.fen}\n" for attempt in alike)).splitlines()
        if len(lines) != len(alike):
            raise CheckError(f"{len(lines)} answers to {len(alike)} positions")
        yield from zip(alike, (json.loads(line)["explanation"] for line in lines), strict=True)


def attempts_in(board: chess.Board) -> Iterator[Attempt]:
    """Both castling moves, and each capture of a pawn by one beside it as if en passant."""
    for move in WINGS:
        yield Attempt(board, move)
    fifth = chess.BB_RANK_5 if board.turn else chess.BB_RANK_4
    for pawn in chess.SquareSet(board.pieces_mask(chess.PAWN, board.turn) & fifth):
        for to in chess.SquareSet(chess.BB_PAWN_ATTACKS[board.turn][pawn] & ~board.occupied):
            beside = chess.square(chess.square_file(to), chess.square_rank(pawn))
            if board.pieces_mask(chess.PAWN, not board.turn) & chess.BB_SQUARES[beside]:
                yield Attempt(board, chess.square_name(pawn) + chess.square_name(to))


def scenes(rng: random.Random) -> Iterator[chess.Board]:
    while True:
        yield castling_scene(rng)
        yield en_passant_scene(rng)
        board = rng.choice([lambda _: chess.Board(), random_games.chess960, random_games.double_chess960])(rng)
        for ply in range(GAME_PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            if ply % GAME_STEP == GAME_STEP - 1:
                yield board.copy(stack=False)
                yield castling_scene(rng)
                yield en_passant_scene(rng)
            board.push(rng.choice(moves))


def castling_scene(rng: random.Random) -> chess.Board:
    """Kings and rooks at home with most of their rights, and other pieces anywhere."""
    while True:
        board = rng.choice([lambda _: chess.Board(), random_games.double_chess960])(rng)
        home = board.kings | board.rooks
        for square in chess.SquareSet(board.occupied & ~home):
            board.remove_piece_at(square)
        free = list(chess.SquareSet(chess.BB_ALL & ~home))
        for square in rng.sample(free, rng.randint(FEWEST_PIECES, MOST_PIECES)):
            board.set_piece_at(square, chess.Piece.from_symbol(rng.choice("PNBRQpnbrq")))
        board.turn = rng.random() < 0.5
        for rook in chess.SquareSet(board.castling_rights):
            if rng.random() < NO_RIGHT:
                board.castling_rights &= ~chess.BB_SQUARES[rook]
        if is_playable(board):
            return board


def en_passant_scene(rng: random.Random) -> chess.Board:
    """After a pawn's double step to a square beside an enemy pawn, with the kings and sliders anywhere."""
    while True:
        mover, file = rng.choice(chess.COLORS), rng.randrange(8)
        beside = rng.choice([other for other in (file - 1, file + 1) if 0 <= other < 8])
        start, to, rank = (8, 24, 3) if mover else (48, 32, 4)
        step = chess.Move(start + file, to + file)
        board = chess.Board(None)
        board.turn = mover
        board.set_piece_at(step.from_square, chess.Piece(chess.PAWN, mover))
        board.set_piece_at(chess.square(beside, rank), chess.Piece(chess.PAWN, not mover))
        # The king that the capture may expose is in line with one of the pawns.
        in_line = [chess.ray(step.to_square, other) | chess.ray(chess.square(beside, rank), other) for other in chess.SQUARES]
        on_rank = chess.SquareSet(chess.BB_RANKS[rank] & ~board.occupied & ~chess.BB_SQUARES[step.to_square])
        king, rook = rng.sample(list(on_rank), 2)
        if rng.random() < ON_THE_RANK:
            board.set_piece_at(rook, chess.Piece(chess.ROOK, mover))
        else:
            king = rng.choice([square for square in chess.SquareSet(~board.occupied) if in_line[square]])
        board.set_piece_at(king, chess.Piece(chess.KING, not mover))
        free = list(chess.SquareSet(~board.occupied))
        # Sliders of the side whose pawn has moved.
        pieces = ["k", *rng.choices("pbrqP", k=rng.randint(1, 8))]
        for square, symbol in zip(rng.sample(free, len(pieces)), pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol.swapcase() if mover else symbol))
        if is_playable(board) and board.is_legal(step):
            board.push(step)
            board.clear_stack()
            return board


def is_playable(board: chess.Board) -> bool:
    return board.status() & ~chess.STATUS_IMPOSSIBLE_CHECK & ~chess.STATUS_TOO_MANY_CHECKERS == chess.STATUS_VALID
