"""The static page: its size, offline, its library and its settings, and where memory cannot be shared."""

from __future__ import annotations

import gzip
from pathlib import Path

from playwright.sync_api import Page, expect

from .board import Board, Scene
from .board_analysis import analysis, engine, lines, now, play
from .board_library import library
from .board_look import settings
from .board_play import FOOLS_MATE, click, make_moves, new_game

SCENES: dict[str, Scene] = {}
MAX_TRANSFER_BYTES = 5_000_000


def played(page: Page, count: int) -> None:
    expect(page.locator("#play .moves button")).to_have_count(count)


def test_the_transfer_is_small(board: Board) -> None:
    files = [path for path in Path(board.server.program).rglob("*") if path.is_file()]
    size = sum(len(gzip.compress(path.read_bytes())) for path in files)
    assert size < MAX_TRANSFER_BYTES, f"{size} bytes, compressed"


def test_offline(board: Board) -> None:
    """After the first visit no server is needed."""
    page = board.open("play")
    assert page.evaluate("crossOriginIsolated")
    click(page, "e2", "e4")
    played(page, 2)
    board.server.end()
    page.reload()
    expect(page.locator("body[data-connected]")).to_be_attached()
    played(page, 2)
    click(page, "d2", "d4")
    played(page, 4)
    page.locator("#tab-castling").click()
    expect(page.locator("#castling .plies")).to_be_attached()
    page.locator("#tab-tridim").click()
    expect(page.locator("#tridim")).to_be_visible()


def test_requests_during_a_search(board: Board) -> None:
    """A search is followed by that of the next position, and ends when it is switched off."""
    page = analysis(board)
    assert page.evaluate("crossOriginIsolated")
    engine(page, True)
    expect(lines(page)).to_have_count(3)
    play(page, "e2", "e4")
    expect(lines(page).first).to_contain_text("1... ")
    engine(page, False)
    expect(lines(page)).to_have_count(0)
    play(page, "e7", "e5")
    expect(now(page)).to_have_text("1... e5")


def test_games_outlive_the_page(board: Board) -> None:
    page = board.open("play")
    new_game(page)
    make_moves(page, *FOOLS_MATE)
    page.reload()
    dialog = library(page)
    expect(dialog).to_contain_text("Kept in this browser")
    games = dialog.locator("li[data-id]")
    expect(games).to_have_count(1)
    games.get_by_role("button", name="Delete").click()
    games.get_by_role("button", name="Really?").click()
    expect(games).to_have_count(0)
    page.reload()
    expect(library(page).locator("li[data-id]")).to_have_count(0)


def test_settings_without_threads_and_files(board: Board) -> None:
    dialog = settings(board.open("play"))
    expect(dialog.get_by_label("Threads")).to_be_disabled()
    expect(dialog.get_by_label("Syzygy")).to_be_hidden()
    expect(dialog.get_by_label("Polyglot book")).to_be_hidden()


def test_without_shared_memory(board: Board) -> None:
    """A request that comes while the engine searches replaces the worker, and nothing is lost."""
    board.init_script = "delete Navigator.prototype.serviceWorker"
    page = board.open("analysis")
    assert not page.evaluate("crossOriginIsolated")
    engine(page, True)
    expect(lines(page)).to_have_count(3)
    engine(page, False)
    expect(lines(page)).to_have_count(0)
    expect(page.locator("body[data-connected]")).to_be_attached()
    page.locator("#tab-play").click()
    click(page, "e2", "e4")
    played(page, 2)
