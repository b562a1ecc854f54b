"""The editor of positions in three tabs, and what is drawn on a board: arrows and circles of the user and of a PGN."""

from __future__ import annotations

import re

import chess
from playwright.sync_api import Locator, Page, expect

from .board import Board, Scene
from .board_analysis import open_game

MATE = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
DRAWN = "1. e4 {[%csl Gd5,Re5] The idea [%cal Ge2e4,Yd1h5].} e5 *"


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Edit the position")


def square(page: Page, name: str) -> Locator:
    return dialog(page).locator(f"[data-square={name}]")


def edit(board: Board, size: str = "desktop") -> Page:
    page = board.open("analysis", size)
    expect(page.locator("#analysis").get_by_label("FEN", exact=True)).not_to_have_value("")
    page.get_by_role("button", name="Edit…").click()
    return page


def fen(page: Page) -> Locator:
    return dialog(page).get_by_label("FEN of the edited position")


def brush(page: Page, name: str) -> None:
    dialog(page).get_by_role("button", name=name, exact=True).click()


def analyzed(page: Page) -> Locator:
    return page.locator("#analysis").get_by_label("FEN", exact=True)


def test_a_position_is_built(board: Board) -> None:
    """An empty board, pieces by click, drag and key; what is missing is said; the result is the position of python-chess."""
    page = edit(board)
    brush(page, "Clear")
    problems = dialog(page).locator(".problems")
    use = dialog(page).get_by_role("button", name="Analyze")
    expect(problems).to_contain_text("White has 0 kings")
    expect(use).to_be_disabled()
    brush(page, "white king")
    square(page, "e1").click()
    expect(problems).to_contain_text("Black has 0 kings")
    # From the palette to the board, from one square to another, and off the board.
    dialog(page).get_by_role("button", name="black king").drag_to(square(page, "e7"))
    square(page, "e7").drag_to(square(page, "e8"))
    brush(page, "white rook")
    square(page, "h1").click()
    square(page, "a5").click()
    square(page, "a5").drag_to(dialog(page).get_by_role("heading"))
    square(page, "d5").focus()
    page.keyboard.press("p")
    square(page, "e5").focus()
    page.keyboard.press("P")
    square(page, "c5").focus()
    page.keyboard.press("q")
    page.keyboard.press("Delete")
    expect(problems).to_be_empty()
    dialog(page).get_by_label("White O\u2011O", exact=True).check()
    dialog(page).get_by_label("En passant").select_option("d6")
    built = chess.Board("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1")
    expect(fen(page)).to_have_value(built.fen())
    use.click()
    expect(dialog(page)).to_be_hidden()
    expect(analyzed(page)).to_have_value(built.fen())


def test_what_is_wrong_is_said(board: Board) -> None:
    page = edit(board)
    problems = dialog(page).locator(".problems")
    for text, words in (
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn on a1"), ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "Black is in check from e2"),
        (MATE, "checkmate"), ("4k3/8/8/8/8/8/8/4K2B w K - 0 1", "expected the rook on h1"),
    ):  # fmt: skip
        fen(page).fill(text)
        fen(page).press("Tab")
        expect(problems).to_contain_text(words)
    fen(page).fill("rk4r1/8/8/8/8/8/8/RK4R1 w GAga - 0 1")
    fen(page).press("Tab")
    expect(problems).to_contain_text("only in Chess960")
    dialog(page).get_by_role("button", name="Switch to Chess960").click()
    expect(problems).to_be_empty()
    brush(page, "Start position")
    expect(fen(page)).to_have_value(chess.STARTING_FEN)
    brush(page, "Remove pieces")
    square(page, "d1").click()
    expect(fen(page)).to_have_value(re.compile("RNB1KBNR w KQkq"))
    dialog(page).get_by_label("Side to move").select_option("black")
    expect(fen(page)).to_have_value(re.compile(" b KQkq"))
    # Clicks move pieces again.
    brush(page, "Move pieces")
    square(page, "b1").click()
    square(page, "c3").click()
    expect(square(page, "c3")).to_have_attribute("aria-label", "c3, white knight")


def test_enter_in_the_fen(board: Board) -> None:
    """Uses the position that was typed, although it is judged only then; one that is illegal stays in the dialog."""
    page = edit(board)
    fen(page).fill("4k3/8/8/8/8/8/8/P3K3 w - - 0 1")
    fen(page).press("Enter")
    expect(dialog(page).locator(".problems")).to_contain_text("pawn on a1")
    dialog(page).get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Edit…").click()
    legal = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    fen(page).fill(legal)
    fen(page).press("Enter")
    expect(dialog(page)).to_be_hidden()
    expect(analyzed(page)).to_have_value(legal)


def test_a_game_from_an_edited_position(board: Board) -> None:
    page = board.open("play")
    page.locator("#play").get_by_role("button", name="New game").click()
    page.get_by_label("Start position").select_option("fen")
    page.get_by_role("button", name="Edit…").click()
    brush(page, "Clear")
    for piece, name in (("white king", "g6"), ("black king", "g8"), ("white rook", "a1")):
        brush(page, piece)
        square(page, name).click()
    dialog(page).get_by_role("button", name="Use this position").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator("#play [data-square=a1]").click()
    page.locator("#play [data-square=a8]").click()
    expect(page.locator("#play .status")).to_contain_text("checkmate")


def test_blockers_and_attackers(board: Board) -> None:
    """In the tab Castling every change is judged at once, and the squares are listed and marked."""
    page = board.open("castling")
    panel = page.locator("#castling")
    expect(panel.locator(".plies")).to_be_visible()
    panel.get_by_label("FEN", exact=True).fill("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    panel.get_by_role("button", name="Show").click()
    expect(panel.get_by_role("gridcell", name="a8, empty")).to_be_visible()
    panel.get_by_role("button", name="Edit").click()
    panel.get_by_role("button", name="Kingside O-O", exact=False).first.click()
    panel.get_by_role("button", name="Attacker").click()
    panel.locator("[data-square=f8]").click()
    verdict = page.locator("[data-castling='white kingside']")
    expect(verdict.locator(".reason")).to_have_text("f1 is attacked")
    expect(panel.locator(".sets .intersection dd")).to_have_text("f1")
    expect(panel.locator(".mark.attacked")).to_have_count(1)
    expect(panel.locator(".mark.on-path")).to_have_count(2)
    panel.get_by_role("button", name="Blocker").click()
    panel.locator("[data-square=f4]").click()
    expect(panel.locator(".sets .intersection dd")).to_have_text("none")
    expect(verdict.locator(".reason")).to_have_count(0)
    panel.locator("[data-square=g1]").click()
    expect(panel.locator(".sets .blocked dd")).to_have_text("g1")
    expect(panel.locator(".mark.blocker")).to_have_count(1)
    # Without a king nothing can be said, and nothing old is shown.
    panel.get_by_role("button", name="Remove pieces").click()
    panel.locator("[data-square=e8]").click()
    expect(panel.locator(".problems")).to_contain_text("Black has 0 kings")
    expect(panel.locator("[data-castling]:visible")).to_have_count(0)


def test_edit_before_the_answer(board: Board) -> None:
    """Edit, pressed before the server answers Show or a move, edits the new position."""
    page = board.open("castling")
    panel, text = page.locator("#castling"), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    expect(panel.locator(".plies")).to_be_visible()
    edit_button = panel.get_by_role("button", name="Edit").element_handle()
    panel.get_by_label("FEN", exact=True).fill(text)
    # Both in one task, so that no answer can arrive between them.
    panel.get_by_role("button", name="Show").evaluate("(show, edit) => { show.click(); edit.click(); }", edit_button)
    edited = panel.get_by_label("FEN of the edited position")
    expect(edited).to_have_value(text)
    panel.get_by_role("button", name="Done").click()
    square = panel.locator("[data-square=a1]")
    square.focus()
    page.keyboard.press("Enter")
    panel.locator("[data-square=a8]").evaluate(
        """(square, edit) => {
            square.focus();
            square.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
            edit.click();
        }""",
        edit_button,
    )
    expect(edited).to_have_value("R3k3/8/8/8/8/8/8/4K2R b K - 1 1")


def test_nothing_is_said_about_an_invalid_fen(board: Board) -> None:
    page = board.open("castling")
    panel = page.locator("#castling")
    expect(panel.locator("[data-castling]").first).to_be_visible()
    panel.get_by_label("FEN", exact=True).fill("8/8/8/8/8/8/8/8 w - - 0 1")
    panel.get_by_role("button", name="Show").click()
    expect(panel.locator(".message")).to_contain_text("kings")
    expect(panel.locator("[data-castling]:visible")).to_have_count(0)
    expect(panel.locator(".mark")).to_have_count(0)


def test_chess960_is_suggested(board: Board) -> None:
    page = board.open("castling")
    panel, text = page.locator("#castling"), "rk4r1/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w GAga - 0 1"
    expect(panel.locator(".plies")).to_be_visible()
    panel.get_by_label("FEN", exact=True).fill(text)
    panel.get_by_role("button", name="Show").click()
    expect(panel.locator(".message")).to_contain_text("only in Chess960")
    expect(panel.get_by_label("FEN", exact=True)).to_have_value(text)
    panel.get_by_role("button", name="Switch to Chess960").click()
    expect(panel.locator(".message")).to_be_empty()
    expect(page.locator("#castling-960")).to_be_checked()
    expect(panel.get_by_label("FEN", exact=True)).to_have_value(text)


# Arrows, circles and the wheel.


def shapes(page: Page) -> list[str]:
    drawn = page.locator("#analysis .drawn").evaluate_all("all => all.map(one => one.getAttribute('class'))")
    return sorted(str(one) for one in drawn)


def point(page: Page, name: str) -> tuple[float, float]:
    box = page.locator(f"#analysis [data-square={name}]").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def draw(page: Page, origin: str, destination: str) -> None:
    page.mouse.move(*point(page, origin))
    page.mouse.down(button="right")
    page.mouse.move(*point(page, destination))
    page.mouse.up(button="right")


def test_arrows_and_circles(board: Board) -> None:
    page = board.open("analysis")
    expect(analyzed(page)).not_to_have_value("")
    draw(page, "e2", "e4")
    draw(page, "d5", "d5")
    assert shapes(page) == ["arrow drawn green", "circle drawn green"]
    # Another color replaces the one before.
    for key, color in (("Shift", "red"), ("Alt", "blue")):
        page.keyboard.down(key)
        draw(page, "a1", "a8")
        page.keyboard.up(key)
        assert shapes(page) == sorted([f"arrow drawn {color}", "arrow drawn green", "circle drawn green"]), shapes(page)
    # The same again removes it, a left click the rest.
    draw(page, "d5", "d5")
    assert shapes(page) == ["arrow drawn blue", "arrow drawn green"]
    page.locator("#analysis [data-square=e5]").click()
    assert shapes(page) == []
    draw(page, "e2", "e4")
    page.locator("#analysis [data-square=e2]").click()
    page.locator("#analysis [data-square=e4]").click()
    expect(page.locator("#analysis .steps output")).to_have_text("1. e4")
    assert shapes(page) == []


def test_shapes_of_a_pgn_and_the_wheel(board: Board) -> None:
    page = board.open("analysis")
    expect(analyzed(page)).not_to_have_value("")
    open_game(page, DRAWN)
    page.mouse.move(*point(page, "e4"))
    now = page.locator("#analysis .steps output")
    page.mouse.wheel(0, 120)
    expect(now).to_have_text("1. e4")
    expect(page.locator("#analysis .drawn")).to_have_count(4)
    assert shapes(page) == ["arrow drawn green", "arrow drawn yellow", "circle drawn green", "circle drawn red"]
    # A comment is changed, and they stay.
    page.locator("#analysis").get_by_label("Comment", exact=True).fill("Better.")
    page.keyboard.press("Enter")
    expect(page.locator("#analysis .aside p")).to_have_text("Better.")
    expect(page.locator("#analysis .drawn")).to_have_count(4)
    page.mouse.wheel(0, 120)
    expect(now).to_have_text("1... e5")
    expect(page.locator("#analysis .drawn")).to_have_count(0)
    page.mouse.wheel(0, -120)
    expect(now).to_have_text("1. e4")


def test_threat(board: Board) -> None:
    """Black threatens mate; in check there is no threat."""
    page = board.open("analysis")
    expect(analyzed(page)).not_to_have_value("")
    analyzed(page).fill("6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1")
    analyzed(page).press("Enter")
    page.get_by_role("button", name="Threat").click()
    line = page.locator("#analysis .lines li").first
    expect(line).to_contain_text("1... Ra1#")
    expect(page.locator("#analysis .arrow.threat").first).to_be_attached()
    # The moves cannot be played.
    line.locator("button").first.click()
    expect(page.locator("#analysis .steps output")).to_have_text("Start")
    analyzed(page).fill("6k1/5ppp/8/8/8/8/5PPP/r5K1 w - - 0 1")
    analyzed(page).press("Enter")
    expect(page.locator("#analysis .engine .facts")).to_have_text("Black wins by checkmate.")
    analyzed(page).fill("6k1/5ppp/8/8/8/7P/5PP1/r5K1 w - - 0 1")
    analyzed(page).press("Enter")
    expect(page.locator("#analysis .engine .facts")).to_contain_text("White is in check")


# What is photographed.


def editor_scene(page: Page) -> None:
    page.locator("#tab-analysis").click()
    expect(analyzed(page)).not_to_have_value("")
    page.get_by_role("button", name="Edit…").click()
    brush(page, "white knight")
    square(page, "e4").click()
    expect(dialog(page).locator(".problems")).to_contain_text("17 pieces")


def castling_scene(page: Page) -> None:
    page.locator("#tab-castling").click()
    panel = page.locator("#castling")
    expect(panel.locator(".plies")).to_be_visible()
    panel.get_by_role("button", name="Edit").click()
    panel.get_by_role("button", name="Attacker").click()
    panel.locator("[data-square=f2]").click()
    expect(panel.locator(".mark.attacked")).not_to_have_count(0)


def drawn_scene(page: Page) -> None:
    page.locator("#tab-analysis").click()
    expect(analyzed(page)).not_to_have_value("")
    open_game(page, DRAWN)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#analysis .drawn")).to_have_count(4)


SCENES: dict[str, Scene] = {"dialog": editor_scene, "castling": castling_scene, "drawn": drawn_scene}
