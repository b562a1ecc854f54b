"""Positions and games against python-chess."""

from __future__ import annotations

import random
from pathlib import Path
from types import MappingProxyType

import castellan as c
from castellan.chess import from_board, from_move, position_from_board, to_board, to_move
from checks import moves
from checks.common import Result
from checks.random_games import chess960, scattered

import chess.syzygy
import pytest

REPOSITORY = Path(__file__).parents[2]

# The words of the check of the rules.
CLAIMS = {"fifty_moves": "fifty-move", "threefold_repetition": "threefold"}


def check_game(look: moves.Look) -> None:
    game = c.Game(c.Position(look.start, chess960=look.chess960), look.played)
    position = game.position
    assert look.fen == (position.shredder_fen() if position.chess960 else position.fen())
    assert c.Position(look.fen, position.chess960) == position
    assert {f"{move}={position.san(move)}" for move in position.legal_moves()} == look.moves
    assert set(position.checkers) == look.checkers and position.in_check == ("check" in look.state)
    assert game.outcome.kind in look.ends if game.outcome else not look.ends
    claims = {f"{move}={CLAIMS[rule]}" for move in position.legal_moves() for rule in game.claims(move)}
    assert claims == look.claims
    assert {f"{CLAIMS[rule]}-claim" for rule in game.claims()} == look.may_claim


def test_random_games_agree_with_python_chess(positions: int) -> None:
    rng, result = random.Random(4), Result()
    while result.compared["positions"] < positions:
        for look in moves.play(rng, result):
            check_game(look)
            result.compared["positions"] += 1
    assert result.cases["checkmate"] and result.cases["threefold-claim"] and result.cases["seventy-five-moves"]


def check_facts(board: chess.Board, position: c.Position) -> None:
    assert sorted(position.legal_sans()) == sorted(map(board.san, board.legal_moves))
    assert [move for move in position.legal_moves() if position.gives_check(move)] == [
        move for move in position.legal_moves() if board.gives_check(board.parse_uci(str(move)))
    ]
    castlings = {board.uci(move) for move in board.legal_moves if board.is_castling(move)}
    assert {str(move) for move in position.legal_moves() if position.is_castling(move)} == castlings
    kings = [chess.square_name(square) for color in chess.COLORS if (square := board.king(color)) is not None]
    assert [position.king("white"), position.king("black")] == kings
    assert (position.bitboard(), position.bitboard("Pp")) == (board.occupied, board.pawns)
    assert position.bitboard("q") == board.pieces_mask(chess.QUEEN, chess.BLACK)


def test_conversions_keep_games(positions: int) -> None:
    rng = random.Random(1)
    for number in range(20):
        board = chess960(rng) if number % 2 else chess.Board()
        for _ in range(80):
            if board.is_game_over():
                break
            board.push(moves.choose(board, rng, 0.1))
        game = from_board(board)
        check_facts(board, game.position)
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
        board = chess960(rng) if rng.random() < 0.5 else chess.Board()
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
            board.push(moves.choose(board, rng, 0.1))


def test_a_game_knows_how_a_right_was_lost() -> None:
    game = c.Game(moves=["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "Rg1", "a6", "Rh1", "a5"])
    assert game.why_illegal("O-O") == "White may no longer castle kingside: the rook has moved from h1 (4. Rg1)"
    assert game.why_illegal("e1g1") == game.why_illegal("O-O")
    assert game.why_illegal("Ke2") is None
    game.undo()
    assert game.redo() == c.Move("a6a5")


def test_an_edited_position_is_that_of_its_fen() -> None:
    start = c.Position()
    edited = start.edit({"d1": None, "e4": "P", "e2": None}, side_to_move="b", en_passant="e3", halfmove_clock=0)
    board = chess.Board()
    board.remove_piece_at(chess.D1)
    board.push_uci("e2e4")
    assert edited.fen() == board.fen()
    assert start.edit(castling_rights="Kq", fullmove_number=7).fen().split()[2:] == ["Kq", "-", "0", "7"]
    assert start.edit(MappingProxyType({"d1": None})) == start.edit({"d1": None})
    assert start.edit({"h1": None}).warnings == [
        "castling right H dropped: cannot castle kingside: expected the rook on h1, found no piece"
    ]
    shuffled = c.Position.chess960_start(0)
    assert shuffled.edit() == shuffled
    for wrong in ({"e9": "P"}, {"e4": "x"}, {"e1": None}):
        with pytest.raises(ValueError):
            start.edit(wrong)
    with pytest.raises(c.FenError, match="castling rights"):
        start.edit(castling_rights="x")


def test_tablebases_as_python_chess_probes_them() -> None:
    folder = REPOSITORY / "tests/data/syzygy"
    tables, rng = c.Tablebases(folder), random.Random(1)
    assert tables.pieces == 4
    with chess.syzygy.open_tablebase(str(folder)) as theirs:
        for _ in range(300):
            board = scattered(rng, ["K", "k", *rng.choice([*"QRBNPqrp", "Qq", "Rr"])])
            if board is None or not board.is_valid():
                continue
            position = c.Position(board.fen())
            assert tables.probe_wdl(position) == theirs.probe_wdl(board), board.fen()
            assert abs((tables.probe_dtz(position) or 0) - theirs.probe_dtz(board)) <= 1, board.fen()
    assert tables.probe_wdl(c.Position()) is tables.probe_dtz(c.Position()) is None
    with pytest.raises(ValueError, match="cannot read the tablebase directory"):
        c.Tablebases(folder / "missing")


def test_a_claim_ends_the_game_and_can_be_taken_back() -> None:
    game = c.Game(moves=["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "e4"])
    game.undo()
    outcome = game.claim_draw()
    assert (outcome.kind, outcome.winner, outcome.result) == ("threefold_repetition", None, "1/2-1/2")
    assert game.outcome == outcome
    assert game.redo() is None
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


def test_players_end_a_game() -> None:
    game = c.Game("4k3/8/8/8/8/8/4P3/4K3 b", ["Kd7"])
    outcome = game.resign("white")
    assert (outcome.kind, outcome.winner, outcome.result, str(outcome)) == ("resignation", "black", "0-1", "White resigns")
    assert game.outcome == outcome == c.Outcome("resignation", "black")
    for end in (game.agree_draw, game.claim_draw, lambda: game.resign("black")):
        with pytest.raises(c.ClaimError, match="the game is over: White resigns"):
            end()
    with pytest.raises(c.MoveError, match="the game is over: White resigns"):
        game.play("e4")
    assert game.undo() is None
    assert game.outcome is None
    assert game.agree_draw() == c.Outcome("agreement")
    assert c.Record.from_game(game).result == "1/2-1/2"
    assert c.Game("8/8/8/8/8/8/4k3/K7").outcome == c.Outcome("insufficient_material")
    with pytest.raises(c.FenError):
        c.Game("no FEN")
