"""Fixtures of the tests in a browser: Castellan Board, its pages, and headless Chromium.

pytest -n 2                                      the program target/release/castellan-board
pytest -n 2 --board=target/web/board             the static page that scripts/web.sh makes
pytest -n 2 -k scene --pictures=FOLDER           a picture of every scene in every size, light and dark
pytest -n 2 --delay=250                          answers arrive that many milliseconds late, which reveals races
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from modes import Analysis, Castling, Mode, Play
from servers import Server, StaticServer
from tridim_mode import Tridim

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# The last two are a page at 200 %, and a phone on its side.
SIZES = {
    "desktop": (1366, 768), "large": (1920, 1080), "phone": (390, 844), "small": (800, 600),
    "zoomed": (683, 384), "landscape": (844, 390), "narrow": (360, 740),
}  # fmt: skip
STEP_MILLISECONDS = 30_000
DELAYED = """{
    const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
    const late = (listener) => (event) => setTimeout(listener, %d, event);
    Object.defineProperty(WebSocket.prototype, "onmessage", { set(listener) { set.call(this, late(listener)); } });
}"""

M = TypeVar("M", bound=Mode)

expect.set_options(timeout=STEP_MILLISECONDS)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--board", type=Path, default=ROOT / "target/release/castellan-board", help="a program or a static page")
    parser.addoption("--delay", type=int, default=0, help="by which answers arrive late, in milliseconds")
    parser.addoption("--pictures", type=Path, help="folder for pictures of the scenes")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leaves out what the static page, or the program, does not have."""
    other = "program" if item.config.getoption("board").is_dir() else "static"
    if item.get_closest_marker(other):
        pytest.skip(f"about the {other}")


class Board:
    """A server, and pages of it."""

    def __init__(self, server: Server, new_context: Callable[..., BrowserContext], delay: int) -> None:
        self.server, self.new_context = server, new_context
        self.init_script = DELAYED % delay if delay else ""
        self.faults: list[str] = []

    def open(self, mode: type[M], size: str = "desktop", dark: bool = False, motion: bool = False, address: str = "") -> M:
        """The page of a new visitor, whose local storage is empty. Without `motion` nothing is animated."""
        width, height = SIZES[size]
        context = self.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce", permissions=["clipboard-read", "clipboard-write"],
        )  # fmt: skip
        context.add_init_script(self.init_script)
        return self.open_tab(context, mode, address)

    def open_tab(self, context: BrowserContext, mode: type[M], address: str = "") -> M:
        page = context.new_page()
        page.set_default_timeout(STEP_MILLISECONDS)
        page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        page.on("console", self.console)
        page.goto(f"{self.server.address}#{address or mode.name}")
        self.expect_connected(page)
        return mode(page)

    def expect_connected(self, page: Page) -> None:
        expect(page.locator("body[data-connected]")).to_be_attached()
        # A mode is inert until its first state arrives.
        expect(page.locator("main > section[inert]:not([hidden])")).to_have_count(0)

    def restart(self, page: Page) -> None:
        """The server crashes, the page says so, and a new one is found."""
        self.server.kill()
        expect(page.locator("#connection")).to_contain_text("No connection to castellan-board")
        self.server.start()
        expect(page.locator("#connection")).to_be_hidden()

    def console(self, message: ConsoleMessage) -> None:
        # Chromium reports every connection that cannot be made.
        if message.type in ("error", "warning") and "WebSocket connection" not in message.text:
            self.faults.append(f"console {message.type}: {message.text}")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path, f"no browser found; looked for {', '.join(BROWSERS)}"
    options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    return {**browser_type_launch_args, "executable_path": path, "args": options}


@pytest.fixture
def board(pytestconfig: pytest.Config, tmp_path: Path, new_context: Callable[..., BrowserContext]) -> Iterator[Board]:
    source: Path = pytestconfig.getoption("board")
    server = (StaticServer if source.is_dir() else Server)(source, tmp_path)
    server.start()
    board = Board(server, new_context, pytestconfig.getoption("delay"))
    yield board
    server.kill()
    assert not board.faults


@pytest.fixture
def play(board: Board) -> Play:
    return board.open(Play)


@pytest.fixture
def analysis(board: Board) -> Analysis:
    return board.open(Analysis)


@pytest.fixture
def castling(board: Board) -> Castling:
    return board.open(Castling)


@pytest.fixture
def tridim(board: Board) -> Tridim:
    """With a game of both sides."""
    tridim = board.open(Tridim)
    tridim.new_game()
    return tridim
