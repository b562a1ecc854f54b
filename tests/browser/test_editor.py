"""The dialog in which a position is edited."""

from __future__ import annotations

import re

from modes import Analysis, Editor, Play

import chess
import pytest
from playwright.sync_api import expect


@pytest.fixture
def editor(analysis: Analysis) -> Editor:
    return analysis.edit()


def test_a_position_is_built(analysis: Analysis, editor: Editor) -> None:
    """An empty board, pieces by click, drag and key; what is missing is said; the result is the position of python-chess."""
    editor.brush("Clear")
    expect(editor.problems).to_contain_text("White has 0 kings")
    expect(editor.button("Analyze")).to_be_disabled()
    editor.brush("white king", "e1")
    expect(editor.problems).to_contain_text("Black has 0 kings")
    # From the palette to the board, from one square to another, and off the board.
    editor.button("black king").drag_to(editor.square("e7"))
    editor.drag("e7", "e8")
    editor.brush("white rook", "h1", "a5")
    editor.square("a5").drag_to(editor.panel.get_by_role("heading"))
    for square, keys in (("d5", ["p"]), ("e5", ["P"]), ("c5", ["q", "Delete"])):
        editor.square(square).focus()
        for key in keys:
            editor.page.keyboard.press(key)
    expect(editor.problems).to_be_empty()
    editor.field("White O\u2011O").check()
    editor.panel.get_by_label("En passant").select_option("d6")
    built = chess.Board("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1").fen()
    expect(editor.fen).to_have_value(built)
    editor.button("Analyze").click()
    expect(editor.panel).to_be_hidden()
    expect(analysis.fen).to_have_value(built)


def test_what_is_wrong_is_said(editor: Editor) -> None:
    for text, words in (
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn on a1"),
        ("rk4r1/8/8/8/8/8/8/RK4R1 w GAga - 0 1", "tick Chess960"),
    ):
        editor.fen.fill(text)
        editor.fen.press("Tab")
        expect(editor.problems).to_contain_text(words)
    editor.button("Start position").click()
    expect(editor.fen).to_have_value(chess.STARTING_FEN)
    editor.brush("Remove pieces", "d1")
    expect(editor.fen).to_have_value(re.compile("RNB1KBNR w KQkq"))
    editor.field("Side to move").select_option("black")
    expect(editor.fen).to_have_value(re.compile(" b KQkq"))
    # Clicks move pieces again.
    editor.brush("Move pieces", "b1", "c3")
    expect(editor.square("c3")).to_have_attribute("aria-label", "c3, white knight")


def test_enter_in_the_fen(analysis: Analysis, editor: Editor) -> None:
    """Uses the position that was typed, although it is judged only then; one that is illegal stays in the dialog."""
    editor.fen.fill("4k3/8/8/8/8/8/8/P3K3 w - - 0 1")
    editor.fen.press("Enter")
    expect(editor.problems).to_contain_text("pawn on a1")
    editor.button("Cancel").click()
    analysis.edit()
    legal = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    editor.fen.fill(legal)
    editor.fen.press("Enter")
    expect(editor.panel).to_be_hidden()
    expect(analysis.fen).to_have_value(legal)


def test_a_game_from_an_edited_position(play: Play) -> None:
    play.button("New game").click()
    play.more_options()
    play.field("Start position").select_option("fen")
    play.button("Edit…").click()
    editor = Editor(play.page)
    editor.brush("Clear")
    for piece, square in (("white king", "g6"), ("black king", "g8"), ("white rook", "a1")):
        editor.brush(piece, square)
    editor.button("Use this position").click()
    play.button("Start").click()
    play.click("a1", "a8")
    expect(play.status).to_contain_text("checkmate")
