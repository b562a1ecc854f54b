"""The mode Play: clicks, drags and keys, dialogs, and what is drawn. What the session answers is tested in Rust."""

from __future__ import annotations

import re

from conftest import Board
from modes import FOOLS_MATE, Analysis, Play

import chess
import pytest
from playwright.sync_api import expect

SCHOLARS_MATE = ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7")
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1"


def review(play: Play) -> None:
    play.new_game()
    play.make_moves(*SCHOLARS_MATE)
    expect(play.status).to_have_text("White wins by checkmate. 1-0")
    # A short game is reviewed only on request.
    play.button("Review the game").click()
    expect(play.panel.locator(".review table")).to_be_visible()


# Moves.


def test_a_game_by_clicks_is_browsed_and_saved(play: Play) -> None:
    play.new_game()
    position = chess.Board()
    for uci in FOOLS_MATE:
        play.click(uci[:2], uci[2:])
        position.push_uci(uci)
        play.expect_placement(position.fen())
    expect(play.status).to_have_text("Black wins by checkmate. 0-1")
    play.expect_moves("f3", "e5", "g4", "Qh4#")
    play.page.keyboard.press("Home")
    play.expect_placement(chess.STARTING_FEN)
    play.moves.nth(1).click()
    expect(play.panel.locator(".now")).to_have_text("1... e5")
    play.button("Last move (End)").click()
    # No piece can move.
    play.click("e1", "f2")
    play.expect_placement(position.fen())
    play.button("Copy PGN").click()
    expect(play.toast).to_have_text("PGN copied.")
    with play.page.expect_download() as download:
        play.button("Download").click()
    text = play.clipboard()
    assert download.value.path().read_text() == text
    assert "1. f3 e5 2. g4 Qh4#" in text and '[Result "0-1"]' in text, text


@pytest.mark.parametrize("color", chess.COLOR_NAMES)
def test_castling(board: Board, color: str) -> None:
    """By the king's destination, by the rook, by dragging, and typed."""
    play = board.open(Play, motion=True)
    rank = 1 if color == "white" else 8
    king, rook = f"e{rank}", f"h{rank}"
    for san, way in (("O-O", "click"), ("O-O", "rook"), ("O-O-O", "drag"), ("O-O-O", "typed")):
        position = chess.Board(f"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R {color[0]} KQkq - 0 1")
        play.new_game(fen=position.fen())
        if way == "drag":
            play.drag(king, f"c{rank}")
        elif way == "typed":
            play.square(king).focus()
            play.type(san)
        else:
            play.click(king, rook if way == "rook" else f"g{rank}")
        position.push_san(san)
        play.expect_placement(position.fen())
        play.expect_moves(san)


def test_chess960(play: Play) -> None:
    """Start positions by number. Castling by the rook is in test_castling.py."""
    for numbers in ((0,), (959,), (0, 959)):
        play.new_game(start="chess960" if len(numbers) == 1 else "dfrc", numbers=numbers)
        white, black = (chess.Board.from_chess960_pos(number).board_fen().split("/") for number in (numbers[0], numbers[-1]))
        play.expect_placement("/".join([*black[:6], *white[6:]]))
    expect(play.detail).to_contain_text("959")
    play.new_game(start="chess960")
    expect(play.detail).to_have_text(re.compile(r"^Chess960 position \d+$"))


def test_promotion(play: Play) -> None:
    fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
    for role, letter in (("queen", "Q"), ("rook", "R"), ("bishop", "B"), ("knight", "N")):
        play.new_game(fen=fen)
        play.click("a7", "a8")
        play.promote(role)
        play.expect_placement(f"{letter}6k/8/8/8/8/8/8/K7")
    # It can be thought better of, and the keyboard chooses too.
    play.new_game(fen=fen)
    play.drag("a7", "a8")
    expect(play.dialog("Promote to").get_by_role("button", name="queen")).to_be_focused()
    play.page.keyboard.press("Escape")
    expect(play.dialog("Promote to")).to_be_hidden()
    play.expect_placement(fen)
    play.drag("a7", "a8")
    play.page.keyboard.press("n")
    play.expect_placement("N6k/8/8/8/8/8/8/K7")


def test_keyboard_only(play: Play) -> None:
    """Fool's mate by arrow keys and Enter, and by typing; the board tells a screen reader what is where."""
    keyboard = play.page.keyboard
    play.button("New game").press("Enter")
    play.dialog("New game").get_by_label("White", exact=True).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        keyboard.press(key)
    # The position comes first; until the dialog closes, the board cannot have the focus.
    expect(play.dialog("New game")).to_be_hidden()
    expect(play.status).to_have_text("White to move.")
    play.square("f2").focus()
    expect(play.square("f2")).to_have_attribute("aria-label", "f2, white pawn")
    keyboard.press("Enter")
    expect(play.square("f2")).to_have_attribute("aria-selected", "true")
    expect(play.square("f3")).to_have_attribute("aria-label", "f3, empty, legal move")
    expect(play.panel.locator(".chessboard [aria-live]")).to_have_text("white pawn on f2, 2 squares: f3, f4")
    keyboard.press("ArrowUp")
    expect(play.square("f3")).to_be_focused()
    keyboard.press("Enter")
    play.expect_moves("f3")
    for text, sans in (("e7e5", ["f3", "e5"]), ("g4", ["f3", "e5", "g4"]), ("Qh4", ["f3", "e5", "g4", "Qh4#"])):
        keyboard.type(text)
        expect(play.panel.locator(".typed")).to_have_text(text)
        keyboard.press("Enter")
        play.expect_moves(*sans)
    # A move of the list keeps the focus when it is shown.
    second = play.moves.nth(1)
    second.press("Enter")
    expect(second).to_have_attribute("aria-current", "step")
    expect(second).to_be_focused()


def test_illegal_moves_are_explained(play: Play) -> None:
    play.new_game(fen="r3k2r/8/8/8/8/5q2/8/R3K2R w KQkq - 0 1")
    play.drag("e1", "g1")
    expect(play.detail).to_have_text("Cannot castle kingside: f1 is attacked by the queen on f3.")
    for drawn in (".mark.attacked", ".mark.attacker", ".arrow.threat"):
        expect(play.panel.locator(drawn)).to_have_count(1)
    play.expect_placement("r3k2r/8/8/8/8/5q2/8/R3K2R")
    # The explanation goes with the next move.
    play.click("a1", "b1")
    expect(play.detail).to_have_text("")
    expect(play.panel.locator(".mark.attacked")).to_have_count(0)


def test_premove(play: Play) -> None:
    """A move out of turn is marked, can be canceled, and is played at once when the engine has moved."""
    play.new_game("White", seconds="600")
    play.make_moves("e2e4")
    marks = play.panel.locator(".mark.premove")
    for cancel in ("Escape", "e5"):
        play.type("d2d4") if cancel == "Escape" else play.click("d2", "d4")
        expect(marks).to_have_count(2)
        expect(play.detail).to_contain_text("Premove d2–d4")
        play.page.keyboard.press(cancel) if cancel == "Escape" else play.click(cancel)
        expect(marks).to_have_count(0)
    play.drag("g1", "f3")
    expect(marks).to_have_count(2)
    play.button("Move now").click()
    expect(play.moves).to_have_text(["e4", re.compile("."), "Nf3"])
    expect(marks).to_have_count(0)
    # A typed promotion names its piece.
    play.new_game("White", fen="rnbqkbnr/P1pppppp/8/8/8/8/1PPPPPPP/RNBQKBNR b KQkq - 0 4", seconds="600")
    play.type("a7b8r")
    expect(play.square("b8")).to_have_attribute("aria-label", "b8, white rook")


def test_a_premove_of_castling(play: Play) -> None:
    """By a click on the rook in Chess960; elsewhere that chooses the rook."""
    marks = play.panel.locator(".mark.premove")
    for start, count in (("chess960", 2), ("standard", 0)):
        play.new_game("White", start=start, numbers=(518,) if start == "chess960" else (), seconds="600")
        play.make_moves("e2e4")
        play.click("e1", "h1")
        expect(marks).to_have_count(count)
        expect(play.square("h1")).to_have_attribute("aria-selected", str(count == 0).lower())


# What stands around the board.


def test_buttons_of_a_game(play: Play) -> None:
    """Hint, draw offer, resignation, taking back and claims."""
    play.new_game("White", elo=800)
    play.button("Hint").click()
    expect(play.detail).to_have_text(re.compile(r"^Try \S+\.$"))
    expect(play.panel.locator(".arrow.hint")).to_have_count(1)
    play.button("Offer draw").click()
    expect(play.toast).to_have_text(re.compile("^Castellan declines the draw: "))
    expect(play.button("Offer draw")).to_be_disabled()
    play.button("Resign").click()
    dialog = play.dialog("Resign this game?")
    dialog.get_by_role("button", name="Play on").click()
    expect(play.status).to_contain_text("Your move.")
    play.button("Resign").click()
    dialog.get_by_role("button", name="Resign").click()
    expect(play.status).to_have_text("You resign. 0-1")
    play.new_game()
    play.make_moves("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6")
    expect(play.claims).to_have_count(0)
    play.make_moves("f3g1")
    expect(play.claims).to_have_text(["Claim draw with Ng8: threefold repetition"])
    play.make_moves("f6g8")
    expect(play.panel.locator(".claims p")).to_have_text(
        "The position has occurred at the start, after 2... Ng8 and now; "
        "the fifty-move rule needs 92 more half-moves without a capture or pawn move."
    )
    play.claims.get_by_text("Claim draw: threefold repetition").click()
    expect(play.status).to_have_text("Draw claimed by threefold repetition. ½-½")


def test_clocks(play: Play) -> None:
    play.new_game(clock=("0.5", "0"))
    expect(play.clocks).to_have_text(["0:30", "0:30"])
    expect(play.button("Pause")).to_be_hidden()
    play.make_moves("e2e4")
    expect(play.running_clock).to_have_attribute("data-side", "black")
    expect(play.clocks.first).to_have_text("0:29")
    play.button("Pause").click()
    expect(play.status).to_contain_text("Paused.")
    expect(play.running_clock).to_have_count(0)
    play.click("e7", "e5")
    expect(play.detail).to_have_text("The game is paused.")
    play.page.reload()
    play.button("Resume").click()
    expect(play.running_clock).to_have_attribute("data-side", "black")


def test_material(play: Play) -> None:
    play.new_game(fen="rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    material = play.panel.locator(".material")
    expect(material.filter(visible=True)).to_have_count(0)
    play.make_moves("e4d5", "d8d5", "b1c3", "d5a5", "b2b4", "a5b4")
    expect(material.last).to_have_attribute("aria-label", "Captured: 1 pawn")
    expect(material.first).to_have_attribute("aria-label", "Captured: 2 pawns; +1 ahead")
    play.page.keyboard.press("Home")
    expect(material.first).to_be_hidden()
    # A promoted pawn is not lost.
    play.new_game(fen="8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    play.click("a7", "a8")
    play.promote("Queen")
    expect(material.last).to_have_attribute("aria-label", "Captured: nothing; +9 ahead")


def test_the_page_starts_at_its_top(board: Board) -> None:
    play = board.open(Play, "phone")
    expect(play.status).to_have_text("Your move.")
    expect(play.page.locator("#tab-play")).to_be_in_viewport()


def test_choices_are_remembered(play: Play) -> None:
    settings = play.settings()
    settings.field("Sounds").uncheck()
    settings.close()
    play.new_game("Black", elo=1800)
    play.page.reload()
    settings = play.settings()
    expect(settings.field("Sounds")).not_to_be_checked()
    settings.close()
    play.button("New game").click()
    dialog = play.dialog("New game")
    expect(dialog.get_by_label("Black", exact=True)).to_be_checked()
    expect(dialog.get_by_role("slider", name="Strength")).to_have_value("1800")
    # An invalid start is explained where it was typed.
    play.more_options()
    dialog.get_by_label("Start position", exact=True).select_option("fen")
    dialog.get_by_label("FEN", exact=True).fill("8/8/8/8 w - - 0 1")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_be_visible()


@pytest.mark.program
def test_the_server_is_killed_and_restarted(board: Board, play: Play) -> None:
    play.new_game()
    play.make_moves("e2e4", "e7e5")
    board.restart(play.page)
    play.make_moves("g1f3")
    # A page that is loaded again continues too, and so does what was taken back.
    play.button("Take back").click()
    play.expect_moves("e4", "e5")
    play.page.reload()
    play.expect_moves("e4", "e5")
    play.button("Redo").click()
    play.expect_moves("e4", "e5", "Nf3")


# The review.


def test_the_review_of_a_game(play: Play) -> None:
    """The mistakes are those that everybody sees."""
    review(play)
    report = play.panel.locator(".review")
    expect(report).to_contain_text("Accuracy")
    expect(report).to_contain_text("Average centipawn loss")
    moment = report.get_by_role("button", name=re.compile(r"3\.\.\. Nf6\?\?"))
    expect(moment).to_contain_text("#1")
    expect(play.panel.locator(".moves")).to_contain_text("Nf6??")
    moment.click()
    expect(play.panel.locator(".now")).to_have_text("3... Nf6")
    # The annotations go along, and the game is that of the library.
    play.button("Analyze").click()
    analysis = Analysis(play.page)
    expect(analysis.panel.locator(".moves")).to_contain_text("Nf6??")
    analysis.choose("Edit", "Keep in your games")
    expect(analysis.library().locator("li")).to_have_count(1)
