"""Compares the reasons against castling and en passant captures with what python-chess finds on the squares concerned.

Random positions in which castling or an en passant capture is near: pieces scattered around kings and rooks at home, pawns
that have just moved two squares, and positions of random games. `fen --explain` must call legal what is legal, and otherwise
name the pieces that block, attack, give check and pin.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import chess

from . import random_games
from .common import CheckError, Result, add_jobs, add_random_games, in_parallel, run_program

POSITIONS_A_RUN = 1000
GAME_PLIES, GAME_STEP = 120, 4
# Pieces around kings and rooks at home.
FEWEST_PIECES, MOST_PIECES = 1, 10
# In such a position a right is missing this often.
NO_RIGHT = 0.2
# The king and a rook are on the rank of the pawns this often.
ON_THE_RANK = 0.3
WITHOUT_A_RIGHT = "may no longer castle|may not castle|king stands on|expected the rook|no rook on"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_random_games(parser, "--positions", 20_000)
    add_jobs(parser)


def check(arguments: argparse.Namespace) -> Result:
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

    def differences(self, text: str, result: Result) -> Iterator[str]:
        for role, square in re.findall(r"(?<!expected )the (\w+) on (\w\d)", text):
            piece = self.board.piece_type_at(chess.parse_square(square))
            if piece is None or chess.piece_name(piece) != role:
                yield f"no {role} on {square}"
        is_castling = self.move.startswith("O-O")
        words = {self.board.san(move).rstrip("+#") if is_castling else move.uci() for move in self.board.legal_moves}
        legal = self.move in words
        result.cases[f"{'castling' if is_castling else 'en passant'} {'legal' if legal else 'illegal'}"] += 1
        if legal != text.startswith("legal move "):
            yield f"python-chess: {'legal' if legal else 'illegal'}"
        elif not legal and is_castling:
            yield from self.castling(text, result)
        elif not legal and self.board.ep_square == chess.parse_square(self.move[2:]):
            yield from self.en_passant(text, result)

    def castling(self, text: str, result: Result) -> Iterator[str]:
        board, king, kingside = self.board, self.king, self.move == "O-O"
        rooks = chess.SquareSet(board.castling_rights & chess.BB_RANKS[chess.square_rank(king)])
        rook = next((rook for rook in rooks if (rook > king) == kingside), None)
        if (rook is None) != bool(re.search(WITHOUT_A_RIGHT, text)):
            yield f"the right by python-chess: {rook is not None}"
        if rook is None:
            # Without a right the squares are a matter of opinion.
            result.cases["without a right"] += 1
            return
        king_to, rook_to = (chess.square(file, chess.square_rank(king)) for file in ((6, 5) if kingside else (2, 3)))
        others = board.occupied & ~chess.BB_SQUARES[king] & ~chess.BB_SQUARES[rook]
        blocked = others & (way(king, king_to) | way(rook, rook_to))
        attacked = {}
        for square in chess.SquareSet(way(king, king_to)):
            # As if the king stood there, in the end with the rook beside it.
            standing = others | chess.BB_SQUARES[rook_to if square == king_to else rook]
            if attackers := names(board.attackers_mask(not board.turn, square, standing)):
                attacked[chess.square_name(square)] = attackers
        found = (
            set(re.findall(r"(\w\d) is occupied", text)),
            squares("".join(re.findall(r"in check from ([^;]*)", text))),
            {square: squares(by) for square, by in re.findall(r"(\w\d) is attacked by ([^;]*)", text)},
        )
        expected = (names(blocked), names(board.checkers_mask()), attacked)
        for name, part in zip(("blocked", "check", "attacked"), expected, strict=True):
            result.cases[name] += bool(part)
        if found != expected:
            yield f"python-chess: {expected}"

    def en_passant(self, text: str, result: Result) -> Iterator[str]:
        """Named are the pieces that attack the king after the capture, and what gives check before it."""
        board, origin, target = self.board, *(chess.parse_square(self.move[at : at + 2]) for at in (0, 2))
        captured = chess.square(chess.square_file(target), chess.square_rank(origin))
        standing = board.occupied & ~chess.BB_SQUARES[origin] & ~chess.BB_SQUARES[captured] | chess.BB_SQUARES[target]
        after = board.attackers_mask(not board.turn, self.king, standing) & ~chess.BB_SQUARES[captured]
        found = squares(text) - {self.move[:2]}
        result.cases["en passant in check"] += board.is_check()
        if not names(after) <= found <= names(after | board.checkers_mask()):
            yield f"python-chess: attacked from {sorted(names(after))}"

    @property
    def king(self) -> chess.Square:
        king = self.board.king(self.board.turn)
        assert king is not None
        return king


def way(origin: chess.Square, destination: chess.Square) -> chess.Bitboard:
    """The squares that a piece crosses, and the one where it lands."""
    return chess.between(origin, destination) | chess.BB_SQUARES[destination]


def names(mask: chess.Bitboard) -> set[str]:
    return {chess.square_name(square) for square in chess.SquareSet(mask)}


def squares(words: str) -> set[str]:
    return set(re.findall(r" on (\w\d)", words))


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
    for move in ("O-O", "O-O-O"):
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
        if random_games.is_playable(board):
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
        if random_games.is_playable(board) and board.is_legal(step):
            board.push(step)
            board.clear_stack()
            return board
