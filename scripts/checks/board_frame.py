"""The frame of Castellan Board's page and its server: the limit of pages, tabs, and a lost connection."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from .board import Board, Scene

SCENES: dict[str, Scene] = {}
PANELS = ("play", "analysis", "castling", "tridim")


def test_too_many_pages(board: Board) -> None:
    """The ninth page is refused until another is closed."""
    board.needs_program()
    pages = [board.open() for _ in range(8)]
    ninth = pages[0].context.new_page()
    ninth.goto(board.server.address)
    expect(ninth.locator("#connection")).to_contain_text("too many pages are open")
    pages[7].close()
    expect(ninth.locator("#connection")).to_be_hidden()


def test_tabs(board: Board) -> None:
    """Tabs by click, keyboard and address; exactly one panel is shown."""
    page = board.open()

    def shows(mode: str) -> None:
        for other in PANELS:
            expect(page.locator(f"#{other}")).to_be_visible(visible=other == mode)
            expect(page.locator(f"#tab-{other}")).to_have_attribute("aria-selected", str(other == mode).lower())

    shows("play")
    for mode in PANELS:
        page.locator(f"#tab-{mode}").click()
        shows(mode)
    page.keyboard.press("ArrowRight")
    shows("play")
    page.keyboard.press("ArrowLeft")
    shows("tridim")
    page.reload()
    shows("tridim")


def test_server_restarted(board: Board) -> None:
    """The page says that the server is gone, and continues when it is back."""
    page = board.open("castling")
    board.server.kill()
    expect(page.locator("#connection")).to_contain_text("No connection to castellan-board")
    time.sleep(1)
    board.server.start()
    expect(page.locator("#connection")).to_be_hidden()
    assert_alive(page)


def assert_alive(page: Page) -> None:
    page.locator("#tab-castling").click()
    expect(page.locator("#castling")).to_be_visible()
