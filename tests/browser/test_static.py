"""The static page: its size, offline, its library and its settings, and where memory cannot be shared."""

from __future__ import annotations

import gzip

from conftest import Board
from modes import FOOLS_MATE, Analysis, Play
from test_library import delete

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.static
# Most of them are the network.
MAX_TRANSFER_BYTES = 5_300_000
# While `globalThis.full` is true, changes of the database are undone with the error that a browser then gives.
FULL_DISK = """
    const error = new DOMException("The disk is full", "QuotaExceededError"), { commit } = IDBTransaction.prototype;
    IDBTransaction.prototype.commit = function () { globalThis.full ? this.abort() : commit.call(this); };
    Object.defineProperty(IDBTransaction.prototype, "error", { get: () => error });
"""
# What a tab tells the others when it keeps a game, again and again.
BUSY_TAB = """
    const busy = new BroadcastChannel("castellan.games"), pgn = new TextEncoder().encode("1. e4 *");
    setInterval(() => busy.postMessage({ name: "20260101-120000000-0.pgn", pgn }), 20);
"""


def test_the_transfer_is_small(pytestconfig: pytest.Config) -> None:
    files = [path for path in pytestconfig.getoption("board").rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < MAX_TRANSFER_BYTES


def test_offline(board: Board, play: Play) -> None:
    """After the first visit no server is needed."""
    assert play.page.evaluate("crossOriginIsolated")
    play.click("e2", "e4")
    play.expect_plies(2)
    board.server.kill()
    play.page.reload()
    board.expect_connected(play.page)
    play.expect_plies(2)
    play.click("d2", "d4")
    play.expect_plies(4)
    for mode, shown in (("Castling", "#castling .plies"), ("Tri-D", "#tridim .status")):
        play.to_tab(mode)
        expect(play.page.locator(shown)).to_be_visible()


def test_requests_during_a_search(analysis: Analysis) -> None:
    """A search is followed by that of the next position, and ends when it is switched off."""
    analysis.engine(True)
    analysis.play("e2", "e4")
    expect(analysis.lines.first).to_contain_text("1... ")
    analysis.engine(False)
    analysis.play("e7", "e5")
    expect(analysis.now).to_have_text("1... e5")


def test_games_and_names_outlive_the_page(play: Play) -> None:
    settings = play.settings()
    settings.fill("Your name", "Ada")
    settings.close()
    play.new_game()
    play.make_moves(*FOOLS_MATE)
    play.page.reload()
    settings = play.settings()
    expect(settings.field("Your name")).to_have_value("Ada")
    settings.close()
    games = play.library().locator("li[data-id]")
    expect(play.dialog("Your games")).to_contain_text("Kept in this browser")
    expect(games).to_have_count(1)
    delete(games.first)
    expect(games).to_have_count(0)
    play.page.keyboard.press("Escape")
    play.library()
    expect(games).to_have_count(0)
    play.page.reload()
    play.library()
    expect(games).to_have_count(0)


def kept_games(page: Page) -> list[str]:
    """The movetexts in the database of the browser, by their length."""
    texts = page.evaluate("""async () => {
        const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
        const database = await done(indexedDB.open("castellan"));
        const games = await done(database.transaction("games").objectStore("games").getAll());
        database.close();
        return games.map((game) => new TextDecoder().decode(game)).filter((text) => text.startsWith("["));
    }""")
    return sorted((" ".join(text.split("\n\n")[1].split()) for text in texts), key=lambda text: (len(text), text))


def expect_games(page: Page, *expected: str) -> None:
    for _ in range(100):
        if kept_games(page) == list(expected):
            return
        page.wait_for_timeout(100)
    assert kept_games(page) == list(expected)


@pytest.mark.parametrize("init_script", ["", "BroadcastChannel.prototype.postMessage = () => {};"])
def test_two_tabs_with_one_game(board: Board, init_script: str) -> None:
    """Whether they hear of each other, or only find another game in the database: nothing is lost."""
    board.init_script = init_script
    one = board.open(Play)
    one.new_game()
    one.make_moves("e2e4")
    other = board.open_tab(one.page.context, Play)
    other.library().get_by_role("button", name="Continue").click()
    other.expect_plies(1)
    # A comment in one, a move in the other.
    analysis = board.open_tab(one.page.context, Analysis)
    analysis.library().locator(".row").click()
    expect(analysis.moves).to_have_count(1)
    analysis.press("ArrowRight")
    analysis.field("Comment").fill("Best by test")
    analysis.field("Comment").press("Tab")
    analysis.choose("Edit", "Keep in your games")
    expect_games(one.page, "1. e4 {Best by test} *")
    one.make_moves("e7e5")
    expect_games(one.page, "1. e4 {Best by test} 1... e5 *")
    # Two different moves.
    other.make_moves("c7c5")
    expect(other.toast).to_contain_text("changed elsewhere")
    one.make_moves("g1f3")
    other.make_moves("c2c3")
    expect(one.moves).to_have_count(3)
    games = kept_games(one.page)
    assert [game for game in games if "e5" in game] == ["1. e4 {Best by test} 1... e5 2. Nf3 *"], games
    assert [game for game in games if "c5" in game][-1].replace("{Best by test} 1... ", "") == "1. e4 c5 2. c3 *", games
    # A resignation stays.
    other.page.reload()
    board.expect_connected(other.page)
    other.library().get_by_role("button", name="Continue").last.click()
    other.expect_plies(3)
    one.button("Resign").click()
    one.dialog("Resign").get_by_role("button", name="Resign").click()
    other.make_moves("b8c6")
    expect(other.toast).to_contain_text("changed elsewhere")
    games = kept_games(one.page)
    assert any(game.endswith("Nf3 {Black resigns} 1-0") for game in games), games
    assert any(game.endswith("2. Nf3 Nc6 *") for game in games), games


def test_what_the_browser_does_not_keep_is_said(board: Board) -> None:
    """Until it does; and then it has everything."""
    board.init_script = FULL_DISK
    play = board.open(Play)
    play.new_game()
    play.make_moves("e2e4")
    expect_games(play.page, "1. e4 *")
    play.page.evaluate("globalThis.full = true")
    play.make_moves("e7e5")
    expect(play.toast).to_contain_text("does not keep your games (The disk is full)")
    dialog = play.library()
    expect(dialog).to_contain_text("does not keep your games")
    expect(dialog).not_to_contain_text("Kept in this browser")
    dialog.get_by_role("button", name="Close").click()
    assert kept_games(play.page) == ["1. e4 *"]
    play.page.evaluate("globalThis.full = false")
    play.make_moves("g1f3")
    expect_games(play.page, "1. e4 e5 2. Nf3 *")
    expect(play.library()).to_contain_text("Kept in this browser")


def test_settings_without_threads_and_files(play: Play) -> None:
    settings = play.settings()
    expect(settings.field("Threads")).to_be_disabled()
    expect(settings.field("Syzygy")).to_be_hidden()
    expect(settings.field("Polyglot book")).to_be_hidden()


def test_another_tab_keeps_games_while_the_page_starts(board: Board) -> None:
    board.init_script = f"delete Navigator.prototype.serviceWorker; {BUSY_TAB}"
    play = board.open(Play)
    expect(play.library().locator("li[data-id]")).to_have_count(1)


def test_without_shared_memory(board: Board) -> None:
    """A request that comes while the engine searches replaces the worker, and nothing is lost."""
    board.init_script = "delete Navigator.prototype.serviceWorker"
    analysis = board.open(Analysis)
    assert not analysis.page.evaluate("crossOriginIsolated")
    analysis.engine(True)
    analysis.engine(False)
    board.expect_connected(analysis.page)
    analysis.to_tab("Play")
    play = Play(analysis.page)
    play.click("e2", "e4")
    play.expect_plies(2)
