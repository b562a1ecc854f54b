"""Random positions and games that visit the rare rules often."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import chess
import chess.pgn

CHESS960_STARTS = 960
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
EN_PASSANT_SHARE = 0.05
COMMENTS = ("a comment", "[%clk 0:03:07] better was something", "good; (or not) 1. a4 [Event", "Zug $1")
# `castellan annotate` replaces them.
EVALUATIONS = ("[%eval 0.34]", "[%eval #-3] ends")
# In the first two an en passant capture would leave the king in check, but it counts for a Polyglot key.
BOOK_STARTS = (
    "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1",
    "3r2k1/2p5/8/3P4/8/8/8/3K4 b - - 3 9",
    "r3k2r/P6p/8/8/8/8/p6P/R3K2R w KQkq - 0 20",
    "4k3/8/8/8/1p6/8/P1P5/4K3 w - - 0 1",
)


def chess960(rng: random.Random) -> chess.Board:
    return chess.Board.from_chess960_pos(rng.randrange(CHESS960_STARTS))


def double_chess960(rng: random.Random) -> chess.Board:
    board = chess960(rng)
    for square, piece in chess960(rng).piece_map().items():
        if piece.color == chess.BLACK:
            board.set_piece_at(square, piece)
    board.castling_rights = board.rooks & (chess.BB_RANK_1 | chess.BB_RANK_8)
    return board


def bare(rng: random.Random) -> chess.Board:
    """A few pieces anywhere and a halfmove clock that soon matters."""
    board = anywhere(rng, rng.choices("PpNnBbRrQq", k=rng.randint(1, 6)))
    board.halfmove_clock, board.fullmove_number = rng.randint(85, 149), 100
    return board


def crowded(rng: random.Random) -> chess.Board:
    """Up to 32 pieces anywhere, some of them promoted pawns."""
    sides = ["QRRBBNN" + "".join(rng.choices("PPPQRBN", k=8)) for _ in chess.COLORS]
    pieces = sides[0] + sides[1].lower()
    return anywhere(rng, rng.sample(pieces, rng.randint(10, len(pieces))))


def anywhere(rng: random.Random, pieces: Sequence[str]) -> chess.Board:
    """The kings and other pieces on random squares."""
    while True:
        board = scattered(rng, ["K", "k", *pieces])
        if board and is_playable(board):
            return board


def is_playable(board: chess.Board) -> bool:
    """Some checks cannot arise by a move; the legal moves are well-defined all the same."""
    return board.status() & ~chess.STATUS_IMPOSSIBLE_CHECK & ~chess.STATUS_TOO_MANY_CHECKERS == chess.STATUS_VALID


def endgame(rng: random.Random, tables: Sequence[str]) -> chess.Board:
    """A position of a random table such as KQvKR with a random side to move, legal and not over."""
    while True:
        sides = rng.choice(tables).split("v")
        rng.shuffle(sides)
        board = scattered(rng, [*sides[0], *sides[1].lower()])
        if board is None:
            continue
        if rng.random() < EN_PASSANT_SHARE:
            if doubles := [move for move in board.legal_moves if is_double_step(board, move)]:
                board.push(rng.choice(doubles))
                board.clear_stack()
        if board.is_valid() and not board.is_game_over():
            return board


def scattered(rng: random.Random, symbols: Sequence[str]) -> chess.Board | None:
    """The pieces on random squares; None if a pawn is on a back rank."""
    board = chess.Board(None)
    for square, symbol in zip(rng.sample(chess.SQUARES, len(symbols)), symbols, strict=True):
        if symbol in "Pp" and chess.square_rank(square) in (0, 7):
            return None
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = rng.random() < 0.5
    return board


def is_double_step(board: chess.Board, move: chess.Move) -> bool:
    return board.piece_type_at(move.from_square) == chess.PAWN and abs(move.to_square - move.from_square) == 16


def is_special(board: chess.Board, move: chess.Move) -> bool:
    return board.is_castling(move) or board.is_en_passant(move) or move.promotion is not None


def book_start(rng: random.Random) -> chess.Board:
    """Few different ones, so that games transpose into each other."""
    kind = rng.random()
    if kind < 0.2:
        return chess.Board(rng.choice(BOOK_STARTS))
    if kind < 0.5:
        return chess.Board.from_chess960_pos(rng.choice([0, 518, 959, 300, rng.randrange(CHESS960_STARTS)]))
    return chess.Board()


def book_moves(board: chess.Board, rng: random.Random, plies: int) -> Iterator[chess.Move]:
    """Moves, each already made on the board; often one of the first few, so that games transpose."""
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return
        special = [move for move in moves if is_special(board, move) or is_double_step(board, move)]
        few = sorted(moves, key=chess.Move.uci)[:3]
        move = rng.choice(special if special and rng.random() < 0.3 else few if rng.random() < 0.5 else moves)
        board.push(move)
        yield move


def annotated_game(rng: random.Random, comments: Sequence[str] = COMMENTS) -> chess.pgn.Game:
    """A game with comments, NAGs and variations."""
    game = chess.pgn.Game()
    game.setup(book_start(rng))
    game.headers["White"] = f"Player {rng.random():.3f}"
    game.headers["Result"] = rng.choice(RESULTS)
    node: chess.pgn.GameNode = game
    for move in book_moves(game.board(), rng, rng.randint(4, 60)):
        parent = node
        node = node.add_variation(move)
        if rng.random() < 0.2:
            node.comment = rng.choice(comments)
        if rng.random() < 0.1:
            node.nags.add(rng.choice((1, 2, 4, 6)))
        others = [other for other in parent.board().legal_moves if other != move]
        if others and rng.random() < 0.1:
            variation = parent.add_variation(rng.choice(others))
            variation.nags.add(chess.pgn.NAG_DUBIOUS_MOVE)
            for reply in list(variation.board().legal_moves)[:1]:
                variation.add_variation(reply)
    return game


def boards_of(game: chess.pgn.Game) -> list[chess.Board]:
    """Every position of the main line."""
    return [game.board(), *(node.board() for node in game.mainline())]
