"""Conversions from and to python-chess, which is needed only when they are used.

>>> import chess
>>> import castellan
>>> board = chess.Board()
>>> board.push_san("e4")
Move.from_uci('e2e4')
>>> game = from_board(board)
>>> game.sans, to_board(game) == board
(['e4'], True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._castellan import Game, Move, Position

if TYPE_CHECKING:
    import chess


def from_board(board: chess.Board) -> Game:
    """The game that a board has seen: its first position and its moves."""
    if type(board).uci_variant not in ("chess", None):
        raise ValueError(f"expected a board of chess or Chess960, found one of {type(board).uci_variant}")
    return Game(position_from_board(board.root()), [move.uci() for move in board.move_stack])


def position_from_board(board: chess.Board) -> Position:
    """The position on a board, without its history."""
    return Position(board.shredder_fen() if board.chess960 else board.fen(), board.chess960)


def to_board(game: Game | Position) -> chess.Board:
    """The board of a position, or of a game with its moves."""
    import chess

    start = game.start if isinstance(game, Game) else game
    board = chess.Board(start.shredder_fen() if start.chess960 else start.fen(), chess960=start.chess960)
    for move in game.moves if isinstance(game, Game) else []:
        board.push(board.parse_uci(str(move)))
    return board


def from_move(move: chess.Move) -> Move:
    """A move of python-chess; it is the same in UCI notation."""
    return Move(move.uci())


def to_move(move: Move) -> chess.Move:
    """A move for python-chess."""
    import chess

    return chess.Move.from_uci(str(move))
