"""Castellan Board on a phone, and with the keys that work everywhere."""

from __future__ import annotations

import re

from conftest import SIZES, Board
from modes import Analysis, Play, box

import pytest
from playwright.sync_api import expect

RUY_LOPEZ = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1")
CLOCKS = (
    '[White "Ada"]\n[Black "Bo"]\n[TimeControl "300+0"]\n\n'
    "1. e4 {[%clk 0:04:50]} e5 {[%clk 0:04:40.5]} 2. Nf3 {[%clk 0:00:09.2]} *"
)


def test_the_buttons_of_a_game_stay_in_reach(board: Board) -> None:
    play = board.open(Play, "phone")
    play.new_game()
    button = play.button("Take back")
    before = box(button)
    play.make_moves(*RUY_LOPEZ)
    assert box(button) == before
    for name in ("Take back", "Hint", "Resign"):
        place = box(play.button(name))
        assert place["y"] + place["height"] <= SIZES["phone"][1], name
    # The last move is in view.
    moves, last = box(play.panel.locator(".moves")), box(play.moves.last)
    assert last["x"] + last["width"] <= moves["x"] + moves["width"]


def test_a_finger_draws_arrows_and_circles(board: Board) -> None:
    analysis = board.open(Analysis, "phone")
    touch = analysis.page.context.new_cdp_session(analysis.page)

    def send(kind: str, *squares: str) -> None:
        places = [box(analysis.square(square)) for square in squares]
        points = [{"x": place["x"] + place["width"] / 2, "y": place["y"] + place["height"] / 2} for place in places]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", "g1")
    expect(analysis.shapes).to_have_count(1)
    send("touchMove", "f3")
    send("touchEnd")
    expect(analysis.panel.locator(".arrow.drawn")).to_have_count(1)
    analysis.expect_placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    # A short touch draws nothing.
    send("touchStart", "e2")
    send("touchEnd")
    expect(analysis.square("e2")).to_have_attribute("aria-selected", "true")
    expect(analysis.shapes).to_have_count(1)


def test_keys(play: Play) -> None:
    keyboard = play.page.keyboard
    play.new_game()
    play.make_moves("e2e4")
    first = play.panel.locator("[role=gridcell]").first
    keyboard.press("Alt+f")
    expect(first).to_have_attribute("data-square", "h1")
    expect(play.panel.locator(".typed")).to_be_hidden()
    play.click("d7")
    keyboard.press("Escape")
    expect(play.square("d7")).to_have_attribute("aria-selected", "false")
    keyboard.press("?")
    expect(play.dialog("Keys")).to_contain_text("flip the board")
    keyboard.press("Escape")
    expect(play.dialog("Keys")).to_be_hidden()
    keyboard.press("Alt+2")
    expect(play.page.locator("#tab-analysis")).to_have_attribute("aria-selected", "true")


def test_moves_are_typed_wherever_the_focus_is(play: Play) -> None:
    play.new_game()
    tab, typed = play.page.get_by_role("tab", name="Play"), play.panel.locator(".typed")
    for focused, text, sans in (
        (play.page.locator("body"), "e4", ["e4"]),
        (play.button("New game"), "d5", ["e4", "d5"]),
        (tab, "Pexd5", ["e4", "d5", "exd5"]),
    ):
        focused.evaluate("one => one === document.body ? document.activeElement.blur() : one.focus()")
        play.page.keyboard.type(text)
        expect(typed).to_have_text(text)
        play.page.keyboard.press("Enter")
        play.expect_moves(*sans)
        expect(tab).to_have_attribute("aria-selected", "true")
        # The arrow keys and Tab go on from there.
        expect(focused).to_be_focused()
    for text in ("Sf6", "Tz"):
        play.page.keyboard.type(text)
        expect(typed).to_have_text(text)
        play.page.keyboard.press("Escape" if text == "Tz" else "Enter")
        expect(typed).to_be_hidden()
    expect(play.detail).to_have_text(re.compile("'S' is not the letter of a piece"))
    play.expect_moves("e4", "d5", "exd5")
    # A field gets its letters.
    play.button("New game").click()
    play.page.keyboard.type("e4")
    expect(typed).to_be_hidden()


def test_the_first_stage_of_a_time_control(analysis: Analysis) -> None:
    analysis.open_game(CLOCKS.replace("300+0", "40/5400+30:1800+30"))
    expect(analysis.panel.locator(".player")).to_have_text(["Bo1:30:00", "Ada1:30:00"])


@pytest.mark.parametrize("size", SIZES)
def test_players_and_clocks_beside_the_board(board: Board, size: str) -> None:
    analysis = board.open(Analysis, size)
    bars = analysis.panel.locator(".player")
    expect(bars.first).to_be_hidden()
    analysis.open_game(CLOCKS)
    expect(bars).to_have_text(["Bo5:00", "Ada5:00"])
    analysis.press("End")
    expect(bars).to_have_text(["Bo4:41", "Ada0:09.2"])
    analysis.page.keyboard.press("Alt+f")
    expect(bars).to_have_text(["Ada0:09.2", "Bo4:41"])
    if size != "phone":
        steps = box(analysis.panel.locator(".steps"))
        assert steps["y"] + steps["height"] <= SIZES[size][1]
