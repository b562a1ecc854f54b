"""The frame of the page: tabs, a lost connection, settings, and the layout at every size."""

from __future__ import annotations

import os
import re

from conftest import ROOT, SIZES, Board
from modes import Analysis, Castling, Mode, Play, box, overlaps
from test_analysis import LONG

import pytest
from playwright.sync_api import expect

SEVEN_MORE = """() => {
    globalThis.others = Array.from({ length: 7 }, () => new WebSocket(`ws://${location.host}/socket${location.search}`));
    return Promise.all(others.map((socket) => new Promise((done) => socket.addEventListener("message", () => done()))));
}"""
NO_STORAGE = """for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, { get: () => { throw new DOMException("blocked", "SecurityError"); } });
}"""
# There is room for a short game, not for a long one.
LITTLE_STORAGE = """{
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
        if (value.length > 400) throw new DOMException("full", "QuotaExceededError");
        setItem.call(this, key, value);
    };
}"""
LEAST_BOARD = 300
TABS = ("play", "analysis", "training", "openings")
PANELS = (*TABS, "castling", "tridim")


@pytest.mark.program
def test_too_many_pages(board: Board) -> None:
    """The ninth page is refused until another is closed."""
    first = board.open(Play).page
    first.evaluate(SEVEN_MORE)
    ninth = first.context.new_page()
    ninth.goto(board.server.address)
    expect(ninth.locator("#connection")).to_contain_text("too many pages are open")
    first.evaluate("others[0].close()")
    expect(ninth.locator("#connection")).to_be_hidden()


def test_a_browser_that_keeps_nothing(board: Board) -> None:
    board.init_script += NO_STORAGE
    play = board.open(Play)
    play.new_game()
    play.make_moves("e2e4")


@pytest.mark.program
def test_the_game_survives_the_server_without_storage(board: Board) -> None:
    board.init_script += NO_STORAGE
    analysis = board.open(Analysis)
    analysis.play("e2", "e4")
    expect(analysis.now).to_have_text("1. e4")
    board.restart(analysis.page)
    # Of a new session that has the game.
    analysis.play("e7", "e5")
    expect(analysis.now).to_have_text("1... e5")


def test_a_game_without_room_is_not_taken_for_another(board: Board) -> None:
    """The earlier game would come back under the name that the later one has in the library."""
    board.init_script += LITTLE_STORAGE
    analysis = board.open(Analysis)
    analysis.open_game('[White "Ada"]\n\n1. e4 *')
    expect(analysis.players).to_contain_text("Ada")
    analysis.open_game(LONG)
    expect(analysis.players).to_contain_text("Anderssen")
    analysis.page.reload()
    board.expect_connected(analysis.page)
    expect(analysis.players).to_have_text("Analysis")


def test_the_selected_tab_is_marked_with_forced_colors(play: Play) -> None:
    play.page.emulate_media(forced_colors="active")
    colors = [
        play.page.locator(f"#tab-{mode}").evaluate("(tab) => getComputedStyle(tab).backgroundColor")
        for mode in ("play", "analysis")
    ]
    assert colors[0] != colors[1]


def test_tabs(play: Play) -> None:
    """Tabs by click, keyboard and address; exactly one panel is shown."""
    page = play.page

    def shows(mode: str) -> None:
        for other in PANELS:
            expect(page.locator(f"#{other}")).to_be_visible(visible=other == mode)
        for tab in TABS:
            expect(page.locator(f"#tab-{tab}")).to_have_attribute("aria-selected", str(tab == mode).lower())

    for mode in TABS:
        page.locator(f"#tab-{mode}").click()
        shows(mode)
    # After the mouse the arrow keys are those of the mode.
    page.keyboard.press("ArrowRight")
    shows("openings")
    page.locator("#tab-openings").focus()
    page.keyboard.press("ArrowRight")
    shows("play")
    page.keyboard.press("ArrowLeft")
    shows("openings")


def test_the_menu_of_other_modes(play: Play) -> None:
    """Castling and Tri-D by click, by keys, and by their addresses."""
    page, more = play.page, play.page.locator("#more")
    play.to_tab("Castling")
    expect(page.locator("#castling")).to_be_visible()
    expect(more).to_contain_text("Castling")
    expect(page.locator("header [aria-selected=true]")).to_have_count(0)
    page.reload()
    expect(page.locator("#castling")).to_be_visible()
    page.locator("#tab-play").focus()
    for key in ("Tab", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.get_by_role("menuitemcheckbox", name="Castling")).to_have_attribute("aria-checked", "true")
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#tridim")).to_be_visible()
    menu = page.get_by_role("menu")
    for visible in (True, False, True):
        more.click()
        expect(menu).to_be_visible(visible=visible)
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    page.keyboard.press("Alt+1")
    expect(play.panel).to_be_visible()
    expect(more).to_contain_text("More")


@pytest.mark.parametrize("size", ["zoomed", "landscape"])
def test_the_whole_board_is_visible(board: Board, size: str) -> None:
    play = board.open(Play, size)
    shown = box(play.panel.locator(".chessboard"))
    assert shown["y"] + shown["height"] <= SIZES[size][1]


def test_the_look_is_kept(board: Board, play: Play) -> None:
    body, square = play.page.locator("body"), play.panel.locator(".board .dark").first
    light = body.evaluate("body => getComputedStyle(body).backgroundColor")
    wood = square.evaluate("square => getComputedStyle(square).fill")
    settings = play.settings()
    settings.choose("Dark", "Staunton", "Green")
    settings.field("Coordinates").uncheck()
    for _ in range(2):
        expect(play.panel.locator("use.piece").first).to_have_attribute("href", re.compile("^#staunton-"))
        expect(body).not_to_have_css("background-color", light)
        expect(square).not_to_have_css("fill", wood)
        expect(play.panel.locator(".board text").first).to_be_hidden()
        play.page.reload()
        board.expect_connected(play.page)
    play.settings().choose("System")
    expect(body).to_have_css("background-color", light)


@pytest.mark.program
def test_the_engine_is_set(board: Board, analysis: Analysis) -> None:
    """Threads, hash, lines and tablebases: shown with what the machine has, used by the next search, and kept."""
    analysis.engine(True)
    settings = analysis.settings()
    expect(settings.dialog).to_contain_text(re.compile(rf"of {os.cpu_count()} cores?"))
    expect(settings.dialog).to_contain_text("MB of memory available")
    settings.fill("Threads", "2")
    settings.fill("Hash table", "32")
    settings.field("Lines in Analyze").select_option("2")
    settings.fill("Syzygy", str(ROOT / "tests/data/syzygy"))
    expect(settings.dialog).to_contain_text(re.compile(r"\d+ tables, up to \d pieces"))
    settings.close()
    facts = analysis.panel.locator(".engine-facts")
    expect(facts).to_have_text(re.compile("2 of .* 32 MB"))
    expect(analysis.lines).to_have_count(2)
    analysis.page.reload()
    expect(facts).to_have_text(re.compile("2 of .* 32 MB"))
    board.restart(analysis.page)
    expect(facts).to_have_text(re.compile("2 of .* 32 MB"))
    settings = analysis.settings()
    expect(settings.dialog).to_contain_text(re.compile(r"\d+ tables"))
    settings.fill("Syzygy", "/nowhere/at/all")
    expect(settings.dialog.get_by_role("alert")).to_contain_text("/nowhere/at/all")
    settings.dialog.get_by_role("button", name="Reset").click()
    expect(settings.field("Threads")).to_have_value("1")
    expect(settings.dialog.locator(".wrong")).to_be_empty()


@pytest.mark.program
@pytest.mark.parametrize("size", SIZES)
def test_messages_hide_nothing(board: Board, size: str) -> None:
    """A toast and a lost connection lie over the header, and move nothing."""
    play = board.open(Play, size)
    rows = play.panel.locator(".player")
    before = [box(rows.first), box(rows.last)]
    play.button("Copy FEN").click()
    expect(play.toast).to_contain_class("shown")
    play.page.evaluate("scrollTo(0, 0)")
    for part in (rows.first, rows.last, play.panel.locator(".chessboard")):
        assert not overlaps(play.toast, part)
    board.server.kill()
    expect(play.page.locator("#connection")).to_be_visible()
    assert [box(rows.first), box(rows.last)] == before
    assert not overlaps(play.page.locator("#connection"), rows.first)


@pytest.mark.parametrize("size", SIZES)
def test_boards_are_large_enough(board: Board, size: str) -> None:
    modes: tuple[type[Mode], ...] = (Play, Analysis, Castling)
    for mode in modes:
        shown = board.open(mode, size)
        assert box(shown.panel.locator(".chessboard"))["width"] >= LEAST_BOARD, mode.name


@pytest.mark.parametrize(("size", "rows"), [("desktop", 13), ("small", 6)])
def test_moves_beside_three_lines(board: Board, size: str, rows: int) -> None:
    """Each line takes one row, or more at a click."""
    analysis = board.open(Analysis, size)
    analysis.open_game(LONG)
    analysis.press("ArrowRight")
    analysis.panel.locator(".count select").select_option("3")
    analysis.panel.locator(".switch").click()
    lines = analysis.panel.locator(".lines li")
    expect(lines).to_have_count(3)
    moves = analysis.panel.locator(".game .moves")
    assert box(moves)["height"] >= rows * box(moves.get_by_role("button").first)["height"]
    folded = box(lines.first)["height"]
    lines.first.get_by_role("button", expanded=False).click()
    expect(lines.first.get_by_role("button", expanded=True)).to_be_visible()
    assert box(lines.first)["height"] >= folded


@pytest.mark.parametrize("size", SIZES)
def test_no_label_is_cut(board: Board, size: str) -> None:
    play = board.open(Play, size)
    buttons = play.panel.get_by_role("button").filter(visible=True)
    expect(play.button("New game")).to_be_visible()
    assert buttons.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)") == []
