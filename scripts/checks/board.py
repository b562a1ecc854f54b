"""Uses Castellan Board in a browser, over the real server: headless Chromium driven by Playwright.

With `--board DIRECTORY` it is the static page of `scripts/web.sh`, over Python's file server: the same tests, without those of
the program, and checks/board_static.py.

Every test of the files checks/board_*.py starts with a server and a page of its own. The scenes of these files are then shown
on desktops and a phone, in light and dark mode: nothing may overflow the window, no script may fail, and axe-core may find
nothing to object to.
`--screenshots FOLDER` shows them in all sizes and both modes and keeps a picture of each.
`--only NAME` runs the tests and scenes whose names contain NAME.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from lib.cli import REPOSITORY, program_path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from .common import CheckError, Result, add_jobs
from .page import SIZES as PAGE_SIZES
from .page import chromium

MODES = ("frame", "play", "review", "analysis", "library", "castling", "tridim", "editor", "look")
SIZES = {**PAGE_SIZES, "small": (800, 600)}
# The size and whether it is dark: what is photographed, and what finds most faults.
SHOWN = [(size, dark) for size in SIZES for dark in (False, True)]
CHECKED = [("desktop", False), ("phone", True), ("small", False)]
START_SECONDS = 20
STEP_MILLISECONDS = 30_000
DEFAULT_BOARD = REPOSITORY / "target" / "release" / "castellan-board"


class Server:
    """The program, with a folder of its own for what it keeps. `kill` and `start` again use the same port."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.port, self.address = 0, ""
        self.process: subprocess.Popen[str] | None = None

    def start(self, *options: str) -> None:
        command = [self.program, "--no-browser", "--port", str(self.port), "--hash", "16", *options]
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=[0-9a-f]+", line)
        if not found:
            raise CheckError(f"{self.program} printed {line!r} instead of its address")
        self.address, self.port = found.group(0), int(found.group(1))

    def kill(self) -> None:
        """As if it had crashed."""
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.communicate(timeout=START_SECONDS)
            self.process = None

    def end(self) -> None:
        self.kill()

    def processor_seconds(self) -> float:
        """The processor time used so far: it stands still when no search is running."""
        assert self.process
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class NeedsProgramError(Exception):
    """The static page does not have what the test is about."""


class StaticServer(Server):
    """A file server, which gives out the static page."""

    def start(self, *_options: str) -> None:
        arguments = ["--bind", "127.0.0.1", "--directory", self.program, str(self.port)]
        command = [sys.executable, "-u", "-m", "http.server", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout
        self.port = int(self.process.stdout.readline().partition(" port ")[2].split()[0])
        self.address = f"http://127.0.0.1:{self.port}/"

    def kill(self) -> None:
        raise NeedsProgramError

    def end(self) -> None:
        super().kill()

    def processor_seconds(self) -> float:
        raise NeedsProgramError


class Board:
    """What a test uses: the server and pages of it."""

    def __init__(self, server: Server, browser: Browser) -> None:
        self.server, self.browser = server, browser
        self.contexts: list[BrowserContext] = []
        self.faults: list[str] = []
        self.init_script = ""

    def needs_program(self) -> None:
        """For a test of what the static page does not have."""
        if isinstance(self.server, StaticServer):
            raise NeedsProgramError

    def open(self, mode: str = "", size: str = "desktop", dark: bool = False, motion: bool = False) -> Page:
        """A page of a new visitor, whose local storage is empty. Without `motion` nothing is animated."""
        width, height = SIZES[size]
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce", permissions=["clipboard-read", "clipboard-write"],
        )  # fmt: skip
        self.contexts.append(context)
        context.add_init_script(self.init_script)
        return self.open_tab(context, mode)

    def open_tab(self, context: BrowserContext, mode: str = "") -> Page:
        page = context.new_page()
        page.set_default_timeout(STEP_MILLISECONDS)
        page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        page.on("console", lambda message: self.console(message.type, message.text))
        page.goto(f"{self.server.address}#{mode}")
        expect(page.locator("body[data-connected]")).to_be_attached()
        # A mode is inert until its first state arrives.
        expect(page.locator("main > [role=tabpanel][inert]:not([hidden])")).to_have_count(0)
        return page

    def console(self, kind: str, text: str) -> None:
        # Chromium reports every connection that cannot be made.
        if kind in ("error", "warning") and "WebSocket connection" not in text:
            self.faults.append(f"console {kind}: {text}")

    def close(self) -> None:
        for context in self.contexts:
            context.close()


Test = Callable[[Board], None]
Scene = Callable[[Page], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--board", type=board_path, default=str(DEFAULT_BOARD), metavar="PROGRAM")
    add_jobs(parser)
    parser.add_argument("--only", default="", metavar="NAME", help="the tests and scenes whose names contain it")
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER", help="write castling-pinned-phone-dark.png and so on")


def board_path(text: str) -> str:
    """A program, or the directory of the static page."""
    return text if (Path(text) / "index.html").is_file() else program_path(text)


def check(arguments: argparse.Namespace) -> Result:
    result = Result()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for part in pool.map(check_part, [arguments] * arguments.jobs, range(arguments.jobs)):
            result.add(part)
    return result


def check_part(arguments: argparse.Namespace, part: int) -> Result:
    """The share of one process, from the test numbered `part` in steps of the number of processes, in its own browser."""
    expect.set_options(timeout=STEP_MILLISECONDS)
    result = Result()
    chosen = [(name, run) for name, run in tests(arguments) if arguments.only in name]
    with chromium() as browser:
        for name, run in chosen[part :: arguments.jobs]:
            with board_for(arguments.board, browser) as board:
                try:
                    run(board)
                except NeedsProgramError:
                    result.cases["left out: about the program"] += 1
                except (AssertionError, Error, CheckError) as error:
                    where = traceback.extract_tb(error.__traceback__)
                    line = next((f"line {frame.lineno}: " for frame in reversed(where) if "board_" in frame.filename), "")
                    result.differences.append(f"{name}: {line}{summary(error)}")
                result.differences += (f"{name}: {fault}" for fault in board.faults)
            result.compared[name.partition(" ")[0]] += 1
    return result


def summary(error: Exception) -> str:
    """Without the whole page, which Playwright adds."""
    return str(error).partition("\nAria snapshot")[0].strip() or "assertion failed"


@contextmanager
def board_for(program: str, browser: Browser) -> Iterator[Board]:
    with tempfile.TemporaryDirectory() as folder:
        server = (StaticServer if Path(program).is_dir() else Server)(program, Path(folder))
        server.start()
        board = Board(server, browser)
        try:
            yield board
        finally:
            board.close()
            server.end()


def tests(arguments: argparse.Namespace) -> Iterator[tuple[str, Test]]:
    """All tests and scenes: `test play_…` and `scene castling-pinned`."""
    for mode in (*MODES, "static") if Path(arguments.board).is_dir() else MODES:
        module = importlib.import_module(f"checks.board_{mode}")
        for name, test in vars(module).items():
            if name.startswith("test_"):
                yield f"tests {mode} {name.removeprefix('test_')}", test
        scenes: dict[str, Scene] = module.SCENES
        for name, scene in scenes.items():
            yield f"scenes {mode}-{name}", scene_test(mode, name, scene, arguments.screenshots)


def scene_test(mode: str, name: str, scene: Scene, screenshots: Path | None) -> Test:
    def run(board: Board) -> None:
        page = None
        for size, dark in SHOWN if screenshots else CHECKED:
            # For pictures a page of each size; otherwise one that is resized, in a third of the time.
            if page is None or screenshots:
                page = board.open(mode, size, dark)
                scene(page)
            else:
                width, height = SIZES[size]
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme="dark" if dark else "light")
            shown = f"{mode}-{name}-{size}{'-dark' if dark else ''}"
            if screenshots:
                page.evaluate("document.getElementById('toast').classList.remove('shown')")
                page.screenshot(path=screenshots / f"{shown}.png")
            # Waits for the layout of the new size.
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            needed = page.evaluate("document.documentElement.scrollWidth")
            assert needed <= SIZES[size][0], f"{shown} is {needed} px wide"
            violations = Axe().run(page).response["violations"]
            found = [f"{one['id']}: {node['html'][:120]}" for one in violations for node in one["nodes"]]
            assert not found, f"{shown}: axe-core: {found}"

    return run
