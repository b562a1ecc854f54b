#!/usr/bin/env python3
"""Uses a page of `castellan annotate --html` in a real browser: headless Chromium, without a network.

    scripts/check_page.py --engine target/release/castellan

A game is annotated, and a script of ours is put at the end of its page: it presses keys and clicks, and writes down what the
page then shows. The positions must be those python-chess finds, the marker on the graph must stand where the move is, on a
phone's width nothing may lie outside the window, and no address may be asked for. `--screenshots FOLDER` also takes pictures:
desktop, phone and dark mode. Exit status: 0 all well, 1 faults (printed), 2 the program or the browser could not be used.
"""

from __future__ import annotations

import argparse
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, parser_for

DEFAULT_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "castellan"
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
PATIENCE = 120
PHONE = 390
# Black takes the queen and is mated: a moment that decides a game for whoever judges it.
GAME = """[Event "Paris <b>1750</b>"]
[White "Kermur, Sire de Legall"]
[Black "Saint Brie"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 {</script><script>document.title = "harm"</script>} Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
"""

# What is done on the page, each step followed by a note of what it shows.
HOOK = """
<script>
(() => {
  const notes = [], at = (id) => document.getElementById(id);
  const note = (done) => notes.push({
    done,
    place: Number(document.body.dataset.place),
    board: at("board").dataset.position,
    men: document.querySelectorAll("#board .man").length,
    marker: parseFloat(at("marker").style.left),
    here: [...document.querySelectorAll("#moves .here")].map((move) => Number(move.dataset.place)),
    said: at("said").textContent,
    lowest: document.querySelector("#below b").textContent,
  });
  const press = (key) => {
    document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    note(key);
  };
  const click = (name, element, share) => {
    const box = element.getBoundingClientRect();
    element.dispatchEvent(new MouseEvent("click", {
      bubbles: true, clientX: box.left + share * box.width, clientY: box.top + box.height / 2,
    }));
    note(name);
  };
  note("start");
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "ArrowLeft", "Home"])
    press(key);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "f", "f", "x"]) press(key);
  click("first", at("first"), 0.5);
  click("forward", at("forward"), 0.5);
  click("last", at("last"), 0.5);
  click("back", at("back"), 0.5);
  click("board right", at("board"), 0.9);
  click("board left", at("board"), 0.1);
  click("graph", at("graph"), 0.5);
  click("move", document.querySelector('#moves button[data-place="7"]'), 0.5);
  click("moment", document.querySelector("#moments button"), 0.5);
  click("comment", document.querySelector('#moves button[data-place="5"]'), 0.5);
  const wide = [...document.querySelectorAll("main *")].filter((element) =>
    element.getBoundingClientRect().right > innerWidth + 1).map((element) => element.tagName + "#" + element.id);
  const report = {
    notes, wide, title: document.title, width: innerWidth, page: document.documentElement.scrollWidth,
    asked: performance.getEntriesByType("resource").map((entry) => entry.name),
    moments: [...document.querySelectorAll("#moments button")].map((moment) => Number(moment.dataset.place)),
    dots: document.querySelectorAll("#graph .moment").length,
    outline: document.querySelector("#graph path").getAttribute("d"),
    paper: getComputedStyle(document.body).backgroundColor,
  };
  const told = document.createElement("pre");
  told.id = "report";
  told.textContent = JSON.stringify(report);
  (parent === window ? document : parent.document).body.append(told);
})();
</script>
"""


class UseError(RuntimeError):
    """The program or the browser could not be used."""


def find_browser(named: str | None) -> str:
    for name in [named] if named else BROWSERS:
        if path := shutil.which(name):
            return path
    raise UseError(f"no browser found; looked for {', '.join([named] if named else BROWSERS)}")


def browse(browser: str, folder: Path, address: Path, *words: str) -> str:
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
    command += ["--allow-file-access-from-files", f"--user-data-dir={folder / 'profile'}", *words, address.as_uri()]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        raise UseError(f"{browser} did not end") from error
    if done.returncode != 0:
        raise UseError(f"{browser}: {done.stderr.strip()[-500:]}")
    return done.stdout


def report_of(browser: str, folder: Path, page: Path, *words: str) -> dict:
    dom = browse(browser, folder, page, "--dump-dom", "--virtual-time-budget=5000", *words)
    found = re.search(r'<pre id="report">(.*?)</pre>', dom, re.DOTALL)
    if not found:
        raise UseError(f"the script in {page.name} has not told anything: {dom[-500:]}")
    return json.loads(html.unescape(found.group(1)))


def annotate(engine: str, folder: Path) -> Path:
    words = [engine, "annotate", "--nodes", "3000", "--html", str(folder / "pages")]
    done = subprocess.run(words, input=GAME, capture_output=True, text=True, check=False)
    page = folder / "pages" / "game-0001.html"
    if done.returncode != 0 or not page.exists():
        raise UseError(f"{' '.join(words)}: {done.stderr.strip()}")
    return page


def boards() -> list[str]:
    game = chess.pgn.read_game(io.StringIO(GAME))
    if game is None:
        raise UseError("python-chess finds no game")
    return [game.board().board_fen(), *(node.board().board_fen() for node in game.mainline())]


def faults_in_notes(notes: list[dict], moments: list[int]) -> Iterator[str]:
    expected = boards()
    end = len(expected) - 1
    steps = [("start", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)]
    steps += [("End", end), ("ArrowRight", end), ("ArrowLeft", end - 1), ("Home", 0)]
    second = moments[1] if len(moments) > 1 else moments[0]
    steps += [("ArrowDown", moments[0]), ("ArrowDown", second), ("ArrowUp", moments[0])]
    steps += [("f", moments[0]), ("f", moments[0]), ("x", moments[0])]
    steps += [("first", 0), ("forward", 1), ("last", end), ("back", end - 1), ("board right", end), ("board left", end - 1)]
    steps += [("graph", round(end / 2)), ("move", 7), ("moment", moments[0])]
    steps += [("comment", 5)]
    if [note["done"] for note in notes] != [done for done, _ in steps]:
        yield f"other steps than these were taken: {[note['done'] for note in notes]}"
        return
    for note, (done, place) in zip(notes, steps, strict=True):
        # Halfway between two moves either may be meant.
        near = 1 if done == "graph" else 0
        if abs(note["place"] - place) > near:
            yield f"{done}: at move {note['place']}, not {place}"
        shown = note["place"]
        if note["board"] != expected[shown] or note["men"] != sum(map(str.isalpha, expected[shown])):
            yield f"{done}: the board shows {note['board']}, not {expected[shown]}"
        if abs(note["marker"] - 100 * shown / end) > 0.01:
            yield f"{done}: the marker stands at {note['marker']} %, not where move {shown} of {end} is"
        if note["here"] != ([shown] if shown else []):
            yield f"{done}: of the moves {note['here']} are marked, not {shown}"
    flipped = [note["lowest"] for note in notes if note["done"] == "f"]
    if "Brie" not in flipped[0] or "Legall" not in flipped[1]:
        yield f"turned around, the lower name is {flipped}"
    if "1-0" not in next(note["said"] for note in notes if note["done"] == "End"):
        yield "the result is not said at the end"
    if "Better: " not in next(note["said"] for note in notes if note["done"] == "ArrowDown"):
        yield "nothing better is named at the first moment"
    if "</script>" not in notes[-1]["said"]:
        yield "the comment is not shown as it is"


def faults(report: dict) -> Iterator[str]:
    if not report["moments"]:
        yield "the page names no moment that decided the game"
        return
    yield from faults_in_notes(report["notes"], report["moments"])
    if report["title"] != "Kermur, Sire de Legall – Saint Brie":
        yield f"the title is {report['title']!r}"
    if report["dots"] != len(report["moments"]):
        yield f"{report['dots']} dots on the graph for {len(report['moments'])} moments"
    if report["outline"].count("L") != len(boards()) + 1:
        yield f"the graph has other points than there are positions: {report['outline']}"
    if report["asked"]:
        yield f"addresses were asked for: {report['asked']}"


def phone_faults(report: dict) -> Iterator[str]:
    if report["width"] != PHONE:
        yield f"the window is {report['width']} wide, not {PHONE}"
    if report["page"] > report["width"] or report["wide"]:
        yield f"the page is {report['page']} wide in a window of {report['width']}: {report['wide'][:5]}"


def check(engine: str, browser: str, folder: Path, pictures: Path | None) -> list[str]:
    page = annotate(engine, folder)
    hooked = page.with_name("hooked.html")
    hooked.write_text(page.read_text().replace("</body>", HOOK + "</body>"))
    # A window has a least width; a frame has not.
    frame = page.with_name("frame.html")
    style = f"width:{PHONE}px;height:1600px;border:0"
    frame.write_text(f'<body style="margin:0"><iframe src="{hooked.name}" style="{style}"></iframe></body>')
    desktop = report_of(browser, folder, hooked)
    found = list(faults(desktop))
    found += [f"on a phone: {fault}" for fault in phone_faults(report_of(browser, folder, frame))]
    dark_mode = "--blink-settings=preferredColorScheme=0"
    dark = report_of(browser, folder, hooked, dark_mode)
    if dark["paper"] == desktop["paper"]:
        found.append(f"the paper is {dark['paper']} in dark mode too")
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        frame.write_text(frame.read_text().replace(hooked.name, f"{page.name}#10"))
        for name, what, words in [
            ("desktop", page, ["--window-size=1200,900"]),
            ("phone", frame, [f"--window-size={PHONE + 130},1600"]),
            ("dark", page, ["--window-size=1200,900", dark_mode]),
        ]:
            browse(browser, folder, what, f"--screenshot={(pictures / f'{name}.png').resolve()}", *words)
    return found


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", default=str(DEFAULT_ENGINE), metavar="PROGRAM", help="default: target/release/castellan")
    top.add_argument("--browser", metavar="PROGRAM", help=f"default: the first there is of {', '.join(BROWSERS)}")
    top.add_argument("--screenshots", type=Path, metavar="FOLDER", help="takes pictures of the page")
    return top


def main() -> int:
    arguments = parser().parse_args()
    try:
        browser = find_browser(arguments.browser)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            found = check(os.path.abspath(arguments.engine), browser, Path(name), arguments.screenshots)
    except (UseError, OSError) as error:
        print(f"check_page: {error}", file=sys.stderr)
        return EXIT_USAGE
    for fault in found:
        print(fault)
    print(f"a page of {len(boards()) - 1} moves used in {browser}; {len(found)} faults")
    return EXIT_FAULTS if found else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
