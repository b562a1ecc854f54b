"""Random endings, and playing them out by the rules."""

from __future__ import annotations

import random
from collections.abc import Callable

import chess

FIFTY_MOVE_PLIES = 100
LONGEST_GAME = 600
PASSING_SHARE = 0.05


def random_board(dice: random.Random, names: list[str]) -> chess.Board | None:
    """A position of a random table with a random side to move; nothing if it is not legal or over already."""
    board = chess.Board(None)
    white, black = dice.choice(names).split("v")
    if dice.random() < 0.5:
        white, black = black, white
    for color, letters in ((chess.WHITE, white), (chess.BLACK, black)):
        for letter in letters:
            square = dice.randrange(8, 56) if letter == "P" else dice.randrange(64)
            if board.piece_at(square) is not None:
                return None
            board.set_piece_at(square, chess.Piece.from_symbol(letter if color else letter.lower()))
    board.turn = dice.random() < 0.5
    if dice.random() < PASSING_SHARE:
        doubles = [m for m in board.legal_moves if board.piece_type_at(m.from_square) == chess.PAWN]
        doubles = [m for m in doubles if abs(m.from_square - m.to_square) == 16]
        if doubles:
            board.push(dice.choice(doubles))
            board.clear_stack()
    if not board.is_valid() or board.is_game_over():
        return None
    return board


def play_out(
    board: chess.Board, ours: Callable[[chess.Board], chess.Move], theirs: Callable[[chess.Board], chess.Move], *, twice: bool
) -> str | None:
    """Plays to the end, the side to move being ours and to mate; says what went wrong. `twice`: a position may come back once."""
    us, start = board.turn, board.fen()
    for _ in range(LONGEST_GAME):
        if board.is_checkmate():
            return None if board.turn != us else f"{start}: mated"
        if board.is_stalemate() or board.is_insufficient_material():
            return f"{start}: drawn by {board.result()} in {board.fen()}"
        if board.halfmove_clock >= FIFTY_MOVE_PLIES:
            return f"{start}: the clock ran out in {board.fen()}"
        if board.is_repetition(3 if twice else 2):
            return f"{start}: came back to {board.fen()} after {len(board.move_stack)} plies"
        board.push(ours(board) if board.turn == us else theirs(board))
    return f"{start}: no end after {LONGEST_GAME} plies"
