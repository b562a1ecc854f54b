"""The static page: its size, offline, its library and its settings, and where memory cannot be shared."""

from __future__ import annotations

import gzip

from conftest import Board
from modes import FOOLS_MATE, Analysis, Play
from test_library import delete

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.static
# Most of them are the network.
MAX_TRANSFER_BYTES = 5_300_000


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


def test_settings_without_threads_and_files(play: Play) -> None:
    settings = play.settings()
    expect(settings.field("Threads")).to_be_disabled()
    expect(settings.field("Syzygy")).to_be_hidden()
    expect(settings.field("Polyglot book")).to_be_hidden()


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
