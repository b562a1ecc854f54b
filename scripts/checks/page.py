"""Uses the pages of `castellan annotate --html` in a browser: headless Chromium, without a network.

Two games are annotated, and checks/page.js, run in the page of one, presses keys, clicks, and records what the page shows: on
a small desktop, a large one and a phone, in light and dark mode. The positions must be those of python-chess, also in
variations and in the engine's lines; board, current move and graph must stay in the window; nothing may overflow it, and no
address may be requested. `--screenshots FOLDER` also takes screenshots of each.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chess
from playwright.sync_api import Browser, Error, Page, sync_playwright

from .common import CheckError, Result
from .pgn import games_in
from .random_games import boards_of

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"desktop": (1366, 768), "large": (1920, 1080), "phone": (390, 844)}
# Black takes the queen and is mated: a key moment for every engine. Names and comments try to inject markup.
GAMES = """[Event "Paris <b>1750</b>"]
[Site "javascript:alert(1)"]
[Date "1750.??.??"]
[White "Kermur, Sire de Legall"]
[Black "Saint <script>document.title='harm'</script> \\"Brie\\""]
[WhiteElo "2100"]
[Result "1-0"]
[TimeControl "300+3"]

1. e4 {[%clk 0:05:00]} e5 {[%clk 0:04:58]} 2. Nf3 d6 3. Bc4 {</script><script>document.title = "harm"</script>} Bg4
(3... Be7 4. O-O Nf6 5. Re1) 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

[Event "Club"]
[Date "2024.03.09"]
[White "Anna"]
[Black "Bert"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 1/2-1/2
"""
# Bidi controls, the longest tag and comments of half a megabyte.
LONG_COMMENT = " ".join(["long"] * 100_000)
EDGES = f"""[White "\u202eanna\u202e"]
[Black "{LONG_COMMENT[:15_000]}"]
[Event "\u202eclub\u2067"]
[Site "Reykjavik"]
[Result "1-0"]

1. e4 {{{LONG_COMMENT}}} e5 (1... c5 {{\u202eabc}} 2. Nf3 {{def}}) 2. Qh5 Ke7 {{\u2067{LONG_COMMENT}}} 3. Qxe5# 1-0
"""
COMMENT_LENGTHS = [len(LONG_COMMENT), len(LONG_COMMENT) + 1]
GAME = games_in(GAMES)[0]
BOARDS = [board.board_fen() for board in boards_of(GAME)]
END = len(BOARDS) - 1

Report = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER", help="write desktop.png, phone-dark.png and so on")


def check(arguments: argparse.Namespace) -> Result:
    result = Result()
    result.compared += {"moves of a page": END}
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        result.differences += page_differences(arguments.engine, browser, Path(name), arguments.screenshots)
        result.differences += edge_differences(arguments.engine, browser, Path(name))
    return result


@contextmanager
def chromium() -> Iterator[Browser]:
    """The installed browser, headless."""
    path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if path is None:
        raise CheckError(f"no browser found; looked for {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        with playwright.chromium.launch(executable_path=path, args=options) as browser:
            yield browser


def annotate(engine: str, games: str, pages: Path, *files: str) -> list[Path]:
    """Writes the pages of games, and returns the paths of some."""
    run = subprocess.run(
        [engine, "annotate", "--nodes", "3000", "--html", str(pages)],
        input=games, capture_output=True, text=True, check=False,
    )  # fmt: skip
    paths = [pages / file for file in files]
    if run.returncode != 0 or not all(path.exists() for path in paths):
        raise CheckError(f"annotate: {run.stderr.strip()}")
    return paths


def page_differences(engine: str, browser: Browser, folder: Path, screenshots: Path | None) -> Iterator[str]:
    page, index = annotate(engine, GAMES, folder / "pages", "game-0001.html", "index.html")
    backgrounds = []
    for name, size in SIZES.items():
        report = report_of(browser, page.as_uri(), "page.js", size)
        backgrounds.append(report["background"])
        yield from (f"{name}: {difference}" for difference in layout_differences(report, size))
        if name == "desktop":
            yield from behaviour_differences(report)
        listed = report_of(browser, index.as_uri(), "index.js", size)
        yield from (f"{name}: index: {difference}" for difference in index_differences(listed, size))
    # As the index links it.
    dark = report_of(browser, f"{page.as_uri()}?index", "page.js", SIZES["desktop"], dark=True)
    if dark["toIndex"] != index.name:
        yield f"a page from the index links to {dark['toIndex']}"
    if dark["background"] in backgrounds:
        yield f"the background is {dark['background']} in dark mode too"
    if screenshots:
        for name, size in SIZES.items():
            for kind, address in (("", f"{page.as_uri()}#10"), ("-index", index.as_uri())):
                for scheme, is_dark in (("", False), ("-dark", True)):
                    with opened(browser, address, size, is_dark) as shown:
                        shown.screenshot(path=screenshots / f"{name}{kind}{scheme}.png")


def edge_differences(engine: str, browser: Browser, folder: Path) -> Iterator[str]:
    """Long texts stay in the window, and bidi controls in the text they belong to."""
    (page,) = annotate(engine, EDGES, folder / "edges", "game-0001.html")
    for name, size in SIZES.items():
        report = report_of(browser, page.as_uri(), "edges.js", size)
        yield from (f"{name}: edges: {difference}" for difference in layout_differences(report, size))
        if report["order"] != [True] * 3:
            yield f"{name}: edges: from left to right in heading, occasion, variation: {report['order']}"
        if len(report["title"]) > 500 or report["comments"] != COMMENT_LENGTHS:
            yield f"{name}: edges: a title of {len(report['title'])} characters, comments of {report['comments']}"


@contextmanager
def opened(browser: Browser, address: str, size: tuple[int, int], dark: bool) -> Iterator[Page]:
    width, height = size
    with browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", offline=True
    ) as page:
        page.goto(address)
        yield page


def report_of(browser: Browser, address: str, steps: str, size: tuple[int, int], dark: bool = False) -> Report:
    """What a script records in a page, and then layout.js."""
    scripts = [Path(__file__).with_name(name).read_text() for name in (steps, "layout.js")]
    with opened(browser, address, size, dark) as page:
        try:
            recorded, layout = (page.evaluate(script) for script in scripts)
        except Error as error:
            raise CheckError(f"{steps} in {address}: {error}") from None
        return {**recorded, **layout}


def layout_differences(report: Report, size: tuple[int, int]) -> Iterator[str]:
    if report["width"] != size[0]:
        yield f"the window is {report['width']} wide, expected {size[0]}"
    if report["page"] > report["width"] or report["wide"]:
        yield f"the page is {report['page']} wide in a window of {report['width']}: {report['wide'][:5]}"
    if report["outside"]:
        yield f"not in view: {report['outside']}"


def index_differences(report: Report, size: tuple[int, int]) -> Iterator[str]:
    if report["page"] > size[0]:
        yield f"the page is {report['page']} wide, expected {size[0]}"
    first, second = report["all"]
    if "1–0" not in first or "1750" not in first or "Saint <script>" not in first or "C41" not in first:
        yield f"the first game is {first!r}"
    if "½–½" not in second or "9 March 2024" not in second:
        yield f"the second game is {second!r}"
    if report["links"] != [f"game-{number:04}.html?index" for number in (1, 2)]:
        yield f"the links are {report['links']}"
    for key, expected in (
        ("filtered", [first]), ("none", []), ("back", [first, second]),
        ("sorted", [first, second]), ("reversed", [second, first]),
    ):  # fmt: skip
        if report[key] != expected:
            yield f"{key}: {report[key]}"
    if report["scripts"] != 2:
        yield f"{report['scripts']} scripts"


def behaviour_differences(report: Report) -> Iterator[str]:
    moments = report["moments"]
    if not moments:
        yield "the page has no key moment"
        return
    yield from step_differences(report["notes"], moments)
    if report["title"] != "Kermur, Sire de Legall – Saint <script>document.title='harm'</script> \"Brie\"":
        yield f"the title is {report['title']!r}"
    for expected in ("2100", "1–0", "1750", "Paris <b>1750</b>", "javascript:alert(1)", "5+3", "C41 Philidor Defense"):
        if expected not in report["heading"]:
            yield f"the heading is {report['heading']!r}, expected '{expected}' in it"
    if report["outline"].count("L") != len(BOARDS) + 1:
        yield f"the graph has other points than there are positions: {report['outline']}"
    if report["toIndex"]:
        yield "a page that is opened by itself links to an index"
    if report["requests"] or report["scripts"] != 2 or report["unlabelled"]:
        yield f"requests {report['requests']}, {report['scripts']} scripts, {report['unlabelled']} buttons without text"
    if "Accuracy (lichess)" not in report["summary"] or len(report["summary"]) != 18:
        yield f"the summary is {report['summary']}"
    fen, pgn = report["copied"]
    if fen != chess_board(5).fen():
        yield f"the copied FEN is {fen}, expected {chess_board(5).fen()}"
    copied = games_in(pgn)[0]
    if list(copied.mainline_moves()) != list(GAME.mainline_moves()) or copied.headers["Black"] != GAME.headers["Black"]:
        yield f"the copied PGN is another game: {pgn}"


def chess_board(ply: int) -> chess.Board:
    """The position after a number of moves."""
    return boards_of(GAME)[ply]


def step_differences(notes: list[Report], moments: list[int]) -> Iterator[str]:
    first, second = moments[0], moments[min(1, len(moments) - 1)]
    steps = [("start", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)]
    steps += [("End", END), ("ArrowRight", END), ("ArrowLeft", END - 1), ("Home", 0)]
    steps += [("ArrowDown", first), ("ArrowDown", second), ("ArrowUp", first), ("f", first), ("f", first), ("x", first)]
    steps += [("a", first), ("a", first), ("e", first), ("ArrowRight", first), ("Escape", first)]
    steps += [("ArrowLeft e ArrowLeft", first - 1)]
    steps += [("first", 0), ("forward", 1), ("last", END), ("back", END - 1), ("board right", END), ("board left", END - 1)]
    steps += [("graph", round(END / 2)), ("variation", 5), ("leave", 5), ("move", 7), ("moment", first), ("comment", 5)]
    steps += [("copy FEN", 5), ("copy PGN", 5)]
    if [note["step"] for note in notes] != [step for step, _ in steps]:
        yield f"unexpected steps: {[note['step'] for note in notes]}"
        return
    for note, (step, place) in zip(notes, steps, strict=True):
        shown = note["place"]
        # The middle of the graph is between two moves.
        if abs(shown - place) > (step == "graph"):
            yield f"{step}: at move {shown}, expected {place}"
        if abs(note["marker"] - 100 * shown / END) > 0.01:
            yield f"{step}: the marker is at {note['marker']} %, expected move {shown} of {END}"
        if not 0 <= note["white"] <= 100:
            yield f"{step}: White's part of the evaluation bar is {note['white']} %"
        if note["line"] != "main":
            continue
        if note["board"] != BOARDS[shown]:
            yield f"{step}: the board shows {note['board']}, expected {BOARDS[shown]}"
        if note["here"] != ([shown] if shown else []):
            yield f"{step}: marked moves {note['here']}, expected {shown}"
        if step != "a" and note["arrows"] != (shown != END):
            yield f"{step}: {note['arrows']} arrows"
    yield from line_differences(notes, first)
    flipped = [note["lowest"] for note in notes if note["step"] == "f"]
    if "Brie" not in flipped[0] or "Legall" not in flipped[1]:
        yield f"flipped, the lower name is {flipped}"
    if [note["arrows"] for note in notes if note["step"] == "a"] != [0, 1]:
        yield "A does not hide and show the arrow"
    by_step = {note["step"]: note for note in notes}
    # Which of the bad moves is the first key moment depends on the engine.
    better = f"Best{(first + 1) // 2}{'.' if first % 2 else '...'} "
    for step, expected in (("End", "1–0"), ("ArrowUp", better), ("comment", "</script>")):
        if expected not in by_step[step]["text"]:
            yield f"{step}: the text is {by_step[step]['text']!r}, expected '{expected}' in it"
    if by_step["End"]["clocks"] != ["0:04:58", "0:05:00"]:
        yield f"the clocks are {by_step['End']['clocks']}"


def line_differences(notes: list[Report], root: int) -> Iterator[str]:
    """Positions of the engine's line from a position of the game, and of the game's own variation."""
    at = next(number for number, note in enumerate(notes) if note["step"] == "e")
    for made, note in ((1, notes[at]), (2, notes[at + 1])):
        board = chess_board(root)
        for san in note["steps"][:made]:
            board.push_san(san.split()[-1].replace("\u2011", "-"))
        if note["line"] != "engine" or note["board"] != board.board_fen():
            yield f"engine line: {note['line']}, the board shows {note['board']}, expected {board.board_fen()}"
    note = next(note for note in notes if note["step"] == "variation")
    board = chess_board(5)
    for san in ("Be7", "O-O"):
        board.push_san(san)
    if note["line"] != "variation" or note["board"] != board.board_fen() or len(note["here"]) != 1:
        yield f"variation: {note['line']} {note['here']}, the board shows {note['board']}, expected {board.board_fen()}"
