"""Uses a page of `castellan annotate --html` in a browser: headless Chromium, without a network.

A game is annotated, and checks/page.js, added to its page, presses keys, clicks, and records what the page shows. The positions
must be those of python-chess, the marker on the graph must be at the current move, on a phone's width nothing may overflow the
window, and no address may be requested. `--screenshots FOLDER` also takes screenshots: desktop, phone and dark mode.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .common import CheckError, Result
from .pgn import games_in
from .random_games import boards_of

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER_SECONDS = 120
PHONE_WIDTH = 390
DARK_MODE = "--blink-settings=preferredColorScheme=0"
STEPS = Path(__file__).with_name("page.js")
# Black takes the queen and is mated: a key moment for every engine.
GAME = """[Event "Paris <b>1750</b>"]
[White "Kermur, Sire de Legall"]
[Black "Saint Brie"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 {</script><script>document.title = "harm"</script>} Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7
7. Nd5# 1-0
"""
BOARDS = [board.board_fen() for board in boards_of(games_in(GAME)[0])]
END = len(BOARDS) - 1

Report = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--browser", metavar="PROGRAM", help=f"default: the first found of {', '.join(BROWSERS)}")
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER", help="write desktop.png, phone.png and dark.png")


def check(arguments: argparse.Namespace) -> Result:
    names = [arguments.browser] if arguments.browser else BROWSERS
    browser = next((path for name in names if (path := shutil.which(name))), None)
    if browser is None:
        raise CheckError(f"no browser found; looked for {', '.join(names)}")
    result = Result()
    result.compared += {"moves of a page": END}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        result.differences += page_differences(arguments.engine, browser, Path(name), arguments.screenshots)
    return result


def page_differences(engine: str, browser: str, folder: Path, screenshots: Path | None) -> Iterator[str]:
    run = subprocess.run(
        [engine, "annotate", "--nodes", "3000", "--html", str(folder / "pages")],
        input=GAME, capture_output=True, text=True, check=False,
    )  # fmt: skip
    page = folder / "pages" / "game-0001.html"
    if run.returncode != 0 or not page.exists():
        raise CheckError(f"annotate: {run.stderr.strip()}")
    hooked = page.with_name("hooked.html")
    hooked.write_text(page.read_text().replace("</body>", f"<script>\n{STEPS.read_text()}</script>\n</body>"))
    # A window has a minimum width; a frame has none.
    frame = page.with_name("frame.html")
    style = f"width:{PHONE_WIDTH}px;height:1600px;border:0"
    frame.write_text(f'<body style="margin:0"><iframe src="{hooked.name}" style="{style}"></iframe></body>')
    desktop = report_of(browser, folder, hooked)
    yield from desktop_differences(desktop)
    yield from (f"on a phone: {difference}" for difference in phone_differences(report_of(browser, folder, frame)))
    dark = report_of(browser, folder, hooked, DARK_MODE)
    if dark["paper"] == desktop["paper"]:
        yield f"the background is {dark['paper']} in dark mode too"
    if screenshots:
        screenshots.mkdir(parents=True, exist_ok=True)
        frame.write_text(frame.read_text().replace(hooked.name, f"{page.name}#10"))
        for name, what, options in (
            ("desktop", page, ["--window-size=1200,900"]),
            ("phone", frame, [f"--window-size={PHONE_WIDTH + 130},1600"]),
            ("dark", page, ["--window-size=1200,900", DARK_MODE]),
        ):
            browse(browser, folder, what, f"--screenshot={(screenshots / f'{name}.png').resolve()}", *options)


def browse(browser: str, folder: Path, page: Path, *options: str) -> str:
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
    command += ["--allow-file-access-from-files", f"--user-data-dir={folder / 'profile'}", *options, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=BROWSER_SECONDS, check=False)
    if done.returncode != 0:
        raise CheckError(f"{browser}: {done.stderr.strip()[-500:]}")
    return done.stdout


def report_of(browser: str, folder: Path, page: Path, *options: str) -> Report:
    """What checks/page.js recorded."""
    dom = browse(browser, folder, page, "--dump-dom", "--virtual-time-budget=5000", *options)
    found = re.search(r'<pre id="report">(.*?)</pre>', dom, re.DOTALL)
    if not found:
        raise CheckError(f"no report from the script in {page.name}: {dom[-500:]}")
    report: Report = json.loads(html.unescape(found.group(1)))
    return report


def desktop_differences(report: Report) -> Iterator[str]:
    moments = report["moments"]
    if not moments:
        yield "the page has no key moment"
        return
    yield from step_differences(report["notes"], moments)
    if report["title"] != "Kermur, Sire de Legall – Saint Brie":
        yield f"the title is {report['title']!r}"
    if report["dots"] != len(moments):
        yield f"{report['dots']} dots on the graph for {len(moments)} key moments"
    if report["outline"].count("L") != len(BOARDS) + 1:
        yield f"the graph has other points than there are positions: {report['outline']}"
    if report["requests"]:
        yield f"addresses were requested: {report['requests']}"


def step_differences(notes: list[Report], moments: list[int]) -> Iterator[str]:
    first, second = moments[0], moments[min(1, len(moments) - 1)]
    steps = [("start", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)]
    steps += [("End", END), ("ArrowRight", END), ("ArrowLeft", END - 1), ("Home", 0)]
    steps += [("ArrowDown", first), ("ArrowDown", second), ("ArrowUp", first), ("f", first), ("f", first), ("x", first)]
    steps += [("first", 0), ("forward", 1), ("last", END), ("back", END - 1), ("board right", END), ("board left", END - 1)]
    steps += [("graph", round(END / 2)), ("move", 7), ("moment", first), ("comment", 5)]
    if [note["step"] for note in notes] != [step for step, _ in steps]:
        yield f"unexpected steps: {[note['step'] for note in notes]}"
        return
    for note, (step, place) in zip(notes, steps, strict=True):
        shown = note["place"]
        # The middle of the graph is between two moves.
        if abs(shown - place) > (step == "graph"):
            yield f"{step}: at move {shown}, expected {place}"
        if note["board"] != BOARDS[shown] or note["pieces"] != sum(map(str.isalpha, BOARDS[shown])):
            yield f"{step}: the board shows {note['board']}, expected {BOARDS[shown]}"
        if abs(note["marker"] - 100 * shown / END) > 0.01:
            yield f"{step}: the marker is at {note['marker']} %, expected move {shown} of {END}"
        if note["here"] != ([shown] if shown else []):
            yield f"{step}: marked moves {note['here']}, expected {shown}"
    flipped = [note["lowest"] for note in notes if note["step"] == "f"]
    if "Brie" not in flipped[0] or "Legall" not in flipped[1]:
        yield f"flipped, the lower name is {flipped}"
    texts = {note["step"]: note["text"] for note in notes}
    for step, expected in (("End", "1-0"), ("ArrowUp", "Best: "), ("comment", "</script>")):
        if expected not in texts[step]:
            yield f"{step}: the text is {texts[step]!r}, expected '{expected}' in it"


def phone_differences(report: Report) -> Iterator[str]:
    if report["width"] != PHONE_WIDTH:
        yield f"the window is {report['width']} wide, expected {PHONE_WIDTH}"
    if report["page"] > report["width"] or report["wide"]:
        yield f"the page is {report['page']} wide in a window of {report['width']}: {report['wide'][:5]}"
