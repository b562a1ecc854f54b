"""Positions and games against python-chess."""

from __future__ import annotations

import random

import castellan as c
from castellan.chess import from_board, from_move, position_from_board, to_board, to_move

import chess
import pytest

OUTCOMES = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient_material",
    chess.Termination.SEVENTYFIVE_MOVES: "seventy_five_moves",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold_repetition",
}


def start(rng: random.Random, chess960: bool) -> chess.Board:
    return chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()


def random_move(board: chess.Board, rng: random.Random, shuffles: bool) -> chess.Move:
    """Any move, or mostly one that may be repeated."""
    moves = list(board.legal_moves)
    quiet = [move for move in moves if not board.is_zeroing(move) and not board.is_castling(move)]
    back = [
        move
        for move in quiet
        if len(board.move_stack) > 1 and board.move_stack[-2] == chess.Move(move.to_square, move.from_square)
    ]
    if shuffles and back and rng.random() < 0.6:
        return back[0]
    return rng.choice(quiet if shuffles and quiet and rng.random() < 0.98 else moves)


def check_position(board: chess.Board, position: c.Position) -> None:
    sans = {board.uci(move): board.san(move) for move in board.legal_moves}
    assert {str(move): position.san(move) for move in position.legal_moves()} == sans
    assert sorted(position.legal_sans()) == sorted(sans.values())
    assert position.fen() == board.fen(en_passant="legal")
    assert position.shredder_fen() == board.shredder_fen(en_passant="legal")
    assert (position.in_check, position.is_checkmate(), position.is_stalemate()) == (
        board.is_check(),
        board.is_checkmate(),
        board.is_stalemate(),
    )
    assert position.is_insufficient_material() == board.is_insufficient_material()
    assert [move for move in position.legal_moves() if position.gives_check(move)] == [
        move for move in position.legal_moves() if board.gives_check(board.parse_uci(str(move)))
    ]
    castlings = {board.uci(move) for move in board.legal_moves if board.is_castling(move)}
    assert {str(move) for move in position.legal_moves() if position.is_castling(move)} == castlings
    kings = [chess.square_name(square) for color in chess.COLORS if (square := board.king(color)) is not None]
    assert [position.king("white"), position.king("black")] == kings
    assert (position.bitboard(), position.bitboard("Pp")) == (board.occupied, board.pawns)
    assert position.bitboard("q") == board.pieces_mask(chess.QUEEN, chess.BLACK)
    assert c.Position(position.fen(), board.chess960) == position


def check_claims(board: chess.Board, game: c.Game) -> None:
    """python-chess answers for the position and all moves that may be intended together."""
    claims = {claim for move in (None, *game.position.legal_moves()) for claim in game.claims(move)}
    assert ("fifty_moves" in claims) == board.can_claim_fifty_moves()
    assert ("threefold_repetition" in claims) == board.can_claim_threefold_repetition()


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("shuffles", [False, True])
def test_random_games_agree_with_python_chess(positions: int, chess960: bool, shuffles: bool) -> None:
    rng = random.Random(f"{chess960} {shuffles}")
    seen, ends, claims = 0, 0, 0
    while seen < positions / 4:
        board = start(rng, chess960)
        game = from_board(board)
        for ply in range(400):
            if not (shuffles and ply % 4):
                check_position(board, game.position)
                seen += 1
            expected = board.outcome(claim_draw=False)
            if expected is not None:
                ends += 1
                outcome = game.outcome
                assert outcome is not None
                assert outcome.result == expected.result()
                # Stalemate without mating material is both.
                assert outcome.kind == OUTCOMES[expected.termination] or board.is_stalemate()
                break
            assert game.outcome is None
            if shuffles and ply % 5 == 0:
                check_claims(board, game)
                claims += bool(game.claims())
            move = random_move(board, rng, shuffles)
            played = game.play(board.uci(move))
            assert played == c.Move(board.uci(move)) == game.moves[-1]
            board.push(move)
    assert ends > 0
    assert not shuffles or claims > 0


def test_conversions_keep_games(positions: int) -> None:
    rng = random.Random(1)
    for chess960 in [False, True] * 10:
        board = start(rng, chess960)
        for _ in range(80):
            if board.is_game_over():
                break
            board.push(random_move(board, rng, shuffles=False))
        game = from_board(board)
        assert to_board(game) == board
        assert to_board(game).move_stack == board.move_stack
        assert position_from_board(board) == game.position
        assert to_board(game.position).fen() == board.fen()
    move = chess.Move.from_uci("e7e8q")
    assert to_move(from_move(move)) == move


@pytest.mark.parametrize(
    ("fen", "depth", "nodes"),
    [  # The positions of the Chess Programming Wiki with their published counts.
        (None, 5, 4_865_609),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 4, 4_085_603),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 6, 11_030_083),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", 4, 3_894_594),
    ],
)
def test_perft_counts_are_the_published_ones(fen: str | None, depth: int, nodes: int) -> None:
    position = c.Position(fen)
    assert c.perft(position, depth) == nodes
    assert sum(c.divide(position, depth, threads=2).values()) == nodes


def test_castling_conditions_are_python_chess_s(positions: int) -> None:
    rng = random.Random(2)
    checked = 0
    while checked < positions / 20:
        board = start(rng, rng.random() < 0.5)
        for _ in range(60):
            if board.is_game_over():
                break
            position = position_from_board(board)
            color = "white" if board.turn else "black"
            for side in ("king", "queen"):
                castles = board.is_kingside_castling if side == "king" else board.is_queenside_castling
                legal = any(board.is_castling(move) and castles(move) for move in board.legal_moves)
                assert all(position.castling(color, side)) == legal, board.fen()  # type: ignore[arg-type]
                checked += 1
            board.push(random_move(board, rng, shuffles=False))


def test_a_game_knows_how_a_right_was_lost() -> None:
    game = c.Game(moves=["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "Rg1", "a6", "Rh1", "a5"])
    assert game.why_illegal("O-O") == "White may no longer castle kingside: the rook has moved from h1 (4. Rg1)"
    assert game.why_illegal("e1g1") == game.why_illegal("O-O")
    assert game.why_illegal("Ke2") is None
    game.undo()
    assert game.redo() == c.Move("a6a5")


def test_a_claim_ends_the_game_and_can_be_taken_back() -> None:
    game = c.Game(moves=["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"])
    outcome = game.claim_draw()
    assert (outcome.kind, outcome.winner, outcome.result) == ("threefold_repetition", None, "1/2-1/2")
    assert game.outcome == outcome
    assert len(game) == 8
    assert game.claims() == []
    with pytest.raises(c.MoveError, match="the game is over"):
        game.play("e4")
    with pytest.raises(c.ClaimError, match="the game is over"):
        game.claim_draw()
    assert c.Record.from_game(game).result == "1/2-1/2"
    assert game.undo() is None
    assert game.outcome is None
    with pytest.raises(c.ClaimError, match="completes neither"):
        game.claim_draw("e4")
