"""The castling inspector: conditions, squares on the board, confirmation, and positions that are edited in it."""

from __future__ import annotations

import re

from conftest import Board
from modes import Castling

import pytest
from playwright.sync_api import expect

KINGS_AND_ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9"


def test_attacked_way(castling: Castling) -> None:
    castling.show("4k3/8/8/8/8/5q2/8/4K2R w K - 0 1")
    kingside = castling.side("white kingside")
    expect(kingside.get_by_role("button").first).to_contain_text("not legal")
    expect(kingside.locator(".reason")).to_have_text("f1 is attacked by the queen on f3")
    expect(kingside.locator("li").nth(5)).to_contain_text("✗")
    expect(castling.panel.locator(".arrow.threat")).to_have_count(1)
    expect(castling.attacked).to_have_count(1)
    # The same is said about the move itself, and nothing changes.
    castling.click("e1", "g1")
    expect(castling.message).to_contain_text("f1 is attacked")
    expect(castling.cell("e1, white king")).to_be_visible()


def test_castling_is_confirmed(board: Board) -> None:
    castling = board.open(Castling, motion=True)
    castling.show(KINGS_AND_ROOKS)
    expect(castling.plies).to_have_text("3")
    castling.click("e1", "c1")
    question = castling.panel.get_by_role("group", name="Confirm castling")
    expect(question).to_contain_text("from e1 to c1, the rook from a1 to d1")
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_be_hidden()
    expect(castling.cell("e1, white king")).to_be_visible()
    castling.button("Castle kingside").click()
    question.get_by_role("button", name="Castle", exact=True).click()
    expect(castling.cell("g1, white king")).to_be_visible()
    expect(castling.cell("f1, white rook")).to_be_visible()
    effects = castling.panel.locator(".effects")
    expect(effects).to_contain_text("White may no longer castle queenside.")
    expect(effects).to_contain_text("The halfmove clock is now 4.")
    castling.button("Undo").click()
    expect(castling.cell("e1, white king")).to_be_visible()
    expect(castling.plies).to_have_text("3")


def test_chess960(castling: Castling) -> None:
    castling.show("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", True)
    castling.cell("b1, white king").click()
    castling.cell("g1, white rook").click()
    castling.button("Castle").click()
    expect(castling.cell("g1, white king")).to_be_visible()
    expect(castling.cell("f1, white rook")).to_be_visible()


def test_an_invalid_fen_is_explained(castling: Castling) -> None:
    """Nothing is said about a position that there is not."""
    expect(castling.sides.first).to_be_visible()
    for wrong, part in (("<img src=x onerror=alert(1)>", "<img"), ("8/8/8/8/8/8/8/8 w - - 0 1", "kings")):
        castling.show(wrong)
        expect(castling.message).to_contain_text(part)
        expect(castling.sides.filter(visible=True)).to_have_count(0)
        expect(castling.panel.locator(".mark")).to_have_count(0)
    castling.show("4k3/8/8/8/8/8/8/4K2B w K - 0 1")
    expect(castling.message).to_contain_text("expected the rook on h1")


def test_an_illegal_move_of_the_mouse(castling: Castling) -> None:
    castling.show("4k2r/8/8/8/8/8/8/4K2R w K - 0 1")
    castling.click("h1", "f2")
    expect(castling.message).to_have_text(re.compile("^A rook on h1 cannot move to f2"))


@pytest.mark.program
def test_the_position_is_restored(board: Board, castling: Castling) -> None:
    """It survives a reload and a new start of the server."""
    castling.show("4k3/8/8/8/8/8/8/4K2R w K - 42 50")
    expect(castling.plies).to_have_text("42")
    # On a busy machine the next renderer may still see the storage as it was.
    castling.page.wait_for_timeout(500)
    castling.page.reload()
    expect(castling.plies).to_have_text("42")
    board.restart(castling.page)
    castling.click("h1", "h5")
    expect(castling.plies).to_have_text("43")


# Requests that are made before the answer to another.


# Enter on a square, from within the page, so that no answer can arrive before the next step.
ENTER = """const enter = (square) => {
    square.focus();
    square.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
};"""


def test_a_move_before_the_answer_to_show(castling: Castling) -> None:
    """An illegal move in the position before says nothing about the one that Show asked for."""
    expect(castling.plies).to_be_visible()
    castling.click("a1")
    castling.fen.fill("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    b3 = castling.square("b3").element_handle()
    castling.button("Show").evaluate(f"(show, square) => {{ {ENTER} show.click(); enter(square); }}", b3)
    expect(castling.message).to_contain_text("b3")
    expect(castling.square("a8")).not_to_have_accessible_name("a8, black rook")
    expect(castling.side("white kingside")).to_be_visible()
    expect(castling.button("Undo")).to_be_disabled()


def test_edit_before_the_answer(castling: Castling) -> None:
    """Edit, pressed before the server answers Show or a move, edits the new position."""
    text = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    expect(castling.plies).to_be_visible()
    edit = castling.button("Edit").element_handle()
    castling.fen.fill(text)
    castling.button("Show").evaluate("(show, edit) => { show.click(); edit.click(); }", edit)
    edited = castling.field("FEN of the edited position")
    expect(edited).to_have_value(text)
    castling.button("Done").click()
    expect(castling.cell("a8, empty")).to_be_visible()
    castling.square("a1").press("Enter")
    castling.square("a8").evaluate(f"(square, edit) => {{ {ENTER} enter(square); edit.click(); }}", edit)
    expect(edited).to_have_value("R3k3/8/8/8/8/8/8/4K2R b K - 1 1")


def test_blockers_and_attackers(castling: Castling) -> None:
    """Every change of an edited position is judged at once, and the squares are listed and marked."""
    castling.show("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    expect(castling.cell("a8, empty")).to_be_visible()
    castling.button("Edit").click()
    castling.panel.get_by_role("button", name="Kingside O-O").first.click()
    castling.button("Attacker").click()
    castling.click("f8")
    reason, sets = castling.side("white kingside").locator(".reason"), castling.panel.locator(".sets")
    expect(reason).to_contain_text("f1 is attacked")
    expect(sets.locator(".intersection dd")).to_have_text("f1")
    expect(castling.attacked).to_have_count(1)
    expect(castling.panel.locator(".mark.on-path")).to_have_count(2)
    castling.button("Blocker").click()
    castling.click("f4")
    expect(sets.locator(".intersection dd")).to_have_text("none")
    expect(reason).to_have_count(0)
    castling.click("g1")
    expect(sets.locator(".blocked dd")).to_have_text("g1")
    expect(castling.panel.locator(".mark.blocker")).to_have_count(1)
    # Without a king nothing can be said, and nothing old is shown.
    castling.button("Remove pieces").click()
    castling.click("e8")
    expect(castling.panel.locator(".problems")).to_contain_text("Black has 0 kings")
    expect(castling.sides.filter(visible=True)).to_have_count(0)
