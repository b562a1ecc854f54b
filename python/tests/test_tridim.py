"""Games of Tri-Dimensional chess."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from xml.etree import ElementTree

import castellan as c
from castellan import tridim

import pytest

BOARDS = "W:4/4/4/4,N:4/4/4/4,B:4/1P2/4/4,QL1w:2/R+1,KL1w:2/K+R+,QL6b:1k/2,KL6b:2/2"
START = tridim.Position(f"{BOARDS} w - 0 9")
SHUFFLE = ["Nd1W-c3N", "Nd8B-c6N", "Nc3N-d1W", "Nc6N-d8B"]


@pytest.mark.parametrize(
    ("move", "kind", "boards", "king", "rook"),
    [
        ("O-O", "kingside on KL", ["KL1"], ("d0KL1", "e0KL1"), ("e0KL1", "d0KL1")),
        ("O-O-O", "queenside", ["KL1", "QL1"], ("d0KL1", "a0QL1"), ("z0QL1", "d0KL1")),
    ],
)
def test_castling_is_data(move: str, kind: str, boards: list[str], king: tuple[str, str], rook: tuple[str, str]) -> None:
    game = tridim.Game(START)
    played = game.play(move)
    castling = played.castling
    assert castling and (castling.kind, castling.boards, castling.king, castling.rook) == (kind, boards, king, rook)
    assert game.moves == [played]
    assert game.position == START.play(move)
    assert f"move {move} ({kind}: king {'-'.join(king)}, rook {'-'.join(rook)})" in game.record()
    assert (game.undo(), game.position, game.redo()) == (played, START, played)
    assert (
        pickle.loads(pickle.dumps(game))
        == copy.copy(game)
        == game
        == tridim.Game.from_record(game.record())
        != tridim.Game(START)
    )


def test_a_board_is_activated_without_moving_it() -> None:
    game = tridim.Game(START)
    open_castling = [kind for kind, reason in game.position.castling() if reason is None]
    game.activate("QL1")
    assert (game.position.activated, len(game)) == ("QL1", 0)
    assert {move[:3] for move in game.position.legal_moves()} == {"QL1"}
    assert "is activated this turn" in str(game.position.why_illegal("O-O"))
    with pytest.raises(c.MoveError, match="activated"):
        game.play("O-O")
    with pytest.raises(c.MoveError, match="activated"):
        game.activate("KL6")
    copied = copy.deepcopy(game)
    assert (copied, copied.position.activated) == (game, "QL1")
    game.release()
    assert [kind for kind, reason in game.position.castling() if reason is None] == open_castling != []
    game.activate("QL1")
    assert game.search(depth=1).line[0].startswith("QL1")
    assert game.play("QL1-QL2").castling is None
    assert game.position.activated is None
    game = tridim.Game(START.activate("QL1"))
    assert (game.position.activated, game.start) == ("QL1", START)
    game.release()
    assert game == tridim.Game(START)
    game.play("O-O")
    assert game == tridim.Game.from_record(game.record())
    for pin in ("QL9", "", "KL1"):
        with pytest.raises(ValueError):
            game.activate(pin)


def test_claims_and_ends() -> None:
    game = tridim.Game(moves=[*SHUFFLE, *SHUFFLE, "b2W-b4N"])
    game.undo()
    assert (game.occurrences(), game.claims()) == (3, ["threefold_repetition"])
    assert game.claim_draw() == c.Outcome("threefold_repetition")
    assert (game.redo(), len(game)) == (None, 8)
    with pytest.raises(c.MoveError, match="the game is over"):
        game.play("b2W-b4N")
    resigned, agreed = tridim.Game(moves=(move for move in SHUFFLE)), tridim.Game()
    with pytest.raises(c.ClaimError):
        resigned.claim_draw()
    assert resigned.resign("white") == c.Outcome("resignation", "black")
    agreed.agree_draw()
    for ended in (game, resigned, agreed):
        assert tridim.Game.from_record(ended.record()) == ended
        assert tridim.Game.from_record(ended.record()).outcome == ended.outcome
        assert (ended.undo(), ended.outcome) == (None, None)
    for text, reason in (("", "expected 'castellan"), ("castellan tridim game 1\nmove b9", "line 2")):
        with pytest.raises(ValueError, match=reason):
            tridim.Game.from_record(text)


def test_a_search_and_a_drawing() -> None:
    found = tridim.Game().search(depth=3)
    assert (found.depth, found.score.mate) == (3, None)
    position = tridim.Position()
    for move in found.line:
        position = position.play(move)
    drawn = (Path(__file__).parents[2] / "docs/tridim/start.svg").read_text()
    assert tridim.Position()._repr_svg_() == tridim.Game()._repr_svg_() == drawn.rstrip()
    ElementTree.fromstring(tridim.Game(START)._repr_svg_())
