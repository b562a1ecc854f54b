"""The pages of `castellan annotate --html`, opened from disk without a network; python-chess knows the positions."""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from conftest import ROOT, SIZES
from modes import box, read_game

import chess
import chess.pgn
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

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
GAME = read_game(GAMES)
BOARDS = [GAME.board(), *(node.board() for node in GAME.mainline())]
END = len(BOARDS) - 1
# Whether elements follow each other from left to right and down.
IN_ORDER = """(parent) => [...parent.children].every((one, index, all) => {
    if (index === 0) return true;
    const start = one.getClientRects()[0], end = [...all[index - 1].getClientRects()].pop();
    return start.top >= end.bottom - 1 || start.left >= end.right - 1;
})"""
OVERFLOWING = """() => [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.tagName + "#" + one.id)"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With pages/, two games, and edges/, a game of extremes."""
    folder = tmp_path_factory.mktemp("annotated")
    for name, games in (("pages", GAMES), ("edges", EDGES)):
        command = [str(ROOT / "target/release/castellan"), "annotate", "--nodes", "3000", "--html", str(folder / name)]
        subprocess.run(command, input=games, text=True, check=True, capture_output=True)
    return folder


@pytest.fixture(params=SIZES)
def sized(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = SIZES[request.param]
    with browser.new_page(viewport={"width": width, "height": height}, offline=True) as page:
        yield page


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    """The first game, on a desktop."""
    width, height = SIZES["desktop"]
    context = browser.new_context(
        viewport={"width": width, "height": height}, offline=True, permissions=["clipboard-read", "clipboard-write"]
    )
    with context, context.new_page() as page:
        page.goto((folder / "pages/game-0001.html").as_uri())
        yield page


def expect_board(page: Page, board: chess.Board) -> None:
    """The pieces as they are drawn, White below."""
    pieces = []
    for square, piece in board.piece_map().items():
        x, y = 100 * chess.square_file(square), 100 * (7 - chess.square_rank(square))
        color = chess.COLOR_NAMES[piece.color]
        letter = chess.piece_symbol(piece.piece_type)
        pieces.append(f"use.{color}[href='#{letter}'][transform^='translate({x} {y})']")
    expect(page.locator("#board use")).to_have_count(len(pieces))
    expect(page.locator("#board").locator(",".join(pieces)), board.fen()).to_have_count(len(pieces))


def expect_place(page: Page, ply: int) -> None:
    """A position of the game, in all that shows where one is."""
    expect(page.locator("body")).to_have_attribute("data-place", str(ply))
    expect(page.locator("body")).to_have_attribute("data-line", "main")
    expect_board(page, BOARDS[ply])
    here = page.locator("#moves .here")
    expect(here).to_have_count(1) if ply else expect(here).to_have_count(0)
    if ply:
        expect(here).to_have_attribute("data-place", str(ply))
    marker = page.locator("#graph .marker").evaluate("marker => parseFloat(marker.style.left)")
    assert abs(marker - 100 * ply / END) < 0.01
    assert 0 <= page.locator("#bar i").evaluate("part => parseFloat(part.style.height)") <= 100


def click_at(part: Locator, share: float) -> None:
    part.click(position={"x": share * box(part)["width"], "y": box(part)["height"] / 2})


def moments(page: Page) -> list[int]:
    return [int(place) for place in page.locator("#moments button").evaluate_all("all => all.map(one => one.dataset.place)")]


def test_stepping_through_the_game(page: Page) -> None:
    press, first = page.keyboard.press, moments(page)[0]
    for key, ply in (
        ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", END), ("ArrowRight", END),
        ("ArrowLeft", END - 1), ("Home", 0), ("ArrowDown", first), ("x", first),
    ):  # fmt: skip
        press(key)
        expect_place(page, ply)
    for button, ply in (("first", 0), ("forward", 1), ("last", END), ("back", END - 1)):
        page.locator(f"#{button}").click()
        expect_place(page, ply)
    for share, ply in ((0.9, END), (0.1, END - 1)):
        click_at(page.locator("#board"), share)
        expect_place(page, ply)
    click_at(page.locator("#graph"), 0.5)
    expect_place(page, int(page.locator("body").get_attribute("data-place") or ""))
    page.locator("#moves button[data-place='7']").click()
    expect_place(page, 7)
    page.locator("#moments button").first.click()
    expect_place(page, first)
    page.goto(f"{page.url}#10")
    page.reload()
    expect_place(page, 10)


def test_lines(page: Page) -> None:
    """The engine's line from a position, and the variation of the game; Escape and a button lead back."""
    first = moments(page)[0]
    page.locator("#moments button").first.click()
    board = BOARDS[first].copy()
    for key in ("e", "ArrowRight"):
        page.keyboard.press(key)
        steps = page.locator("#said .step").all_inner_texts()
        board.push_san(re.sub(r"[?!]", "", steps[len(board.move_stack) - first].split()[-1].replace("\u2011", "-")))
        expect(page.locator("body")).to_have_attribute("data-line", "engine")
        expect_board(page, board)
    page.keyboard.press("Escape")
    expect_place(page, first)
    for key in ("ArrowLeft", "e", "ArrowLeft"):
        page.keyboard.press(key)
    expect_place(page, first - 1)
    # That of the game; the engine may have added others.
    page.locator("#moves .variation", has_text="Be7").locator(".step").nth(1).click()
    board = BOARDS[5].copy()
    for san in ("Be7", "O-O"):
        board.push_san(san)
    expect(page.locator("body")).to_have_attribute("data-line", "variation")
    expect(page.locator("#moves .here")).to_have_count(1)
    expect_board(page, board)
    page.locator("#leave").click()
    expect_place(page, 5)


def test_what_is_said(page: Page) -> None:
    heading, said = page.locator("header"), page.locator("#said")
    assert page.title() == "Kermur, Sire de Legall – Saint <script>document.title='harm'</script> \"Brie\""
    for words in ("2100", "1–0", "1750", "Paris <b>1750</b>", "javascript:alert(1)", "5+3", "C41 Philidor Defense"):
        expect(heading).to_contain_text(words)
    expect(page.locator("#summary")).to_contain_text("Accuracy (lichess)")
    expect(page.locator("#summary :is(th, td)")).to_have_count(18)
    outline = page.locator("#graph path").first.get_attribute("d") or ""
    assert outline.count("L") == len(BOARDS) + 1
    page.keyboard.press("End")
    expect(said).to_contain_text("1–0")
    expect(page.locator(".clock")).to_have_text(["0:04:58", "0:05:00"])
    page.locator("#moves button[data-place='5']").click()
    expect(said).to_contain_text("</script>")
    # Which of the bad moves is the first key moment depends on the engine.
    first = moments(page)[0]
    page.locator("#moments button").first.click()
    expect(said).to_contain_text(f"Best{(first + 1) // 2}{'.' if first % 2 else '...'} ")
    arrows, lowest = page.locator("#board .arrow"), page.locator("#below b")
    for count in (0, 1):
        page.keyboard.press("a")
        expect(arrows).to_have_count(count)
    for name in ("Brie", "Legall"):
        page.keyboard.press("f")
        expect(lowest).to_contain_text(name)
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0
    expect(page.locator("script")).to_have_count(2)
    for button in page.get_by_role("button").all():
        expect(button).not_to_have_accessible_name("")


def test_copies(page: Page) -> None:
    page.locator("#moves button[data-place='5']").click()
    page.locator("#copy-fen").click()
    expect(page.locator("#copy-fen")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == BOARDS[5].fen()
    page.locator("#copy-pgn").click()
    expect(page.locator("#copy-pgn")).to_have_text("Copied")
    copied = chess.pgn.read_game(io.StringIO(page.evaluate("navigator.clipboard.readText()")))
    assert copied and list(copied.mainline_moves()) == list(GAME.mainline_moves())
    assert copied.headers["Black"] == GAME.headers["Black"]


@pytest.mark.parametrize("file", ["pages/game-0001.html", "edges/game-0001.html"])
def test_layout(sized: Page, folder: Path, file: str) -> None:
    """Nothing overflows the window; board, current move and graph are in it, also when the page is scrolled."""
    sized.goto((folder / file).as_uri())
    size = sized.viewport_size
    assert size and sized.evaluate("document.documentElement.scrollWidth") == size["width"]
    assert sized.evaluate(OVERFLOWING) == []
    sized.locator("#moves button[data-place='3']").click()
    sized.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    for part in ("#board", "#bar", "#now", "#graph"):
        expect(sized.locator(part)).to_be_in_viewport(ratio=0.99)


def test_edges(sized: Page, folder: Path) -> None:
    """Long texts are shown whole, and bidi controls stay in the text they belong to."""
    sized.goto((folder / "edges/game-0001.html").as_uri())
    for part in ("#players", "#occasion", "#moves .variation"):
        assert sized.locator(part).first.evaluate(IN_ORDER), part
    assert len(sized.title()) <= 500
    lengths = sized.locator("#moves .aside > p").evaluate_all("all => all.map(one => one.textContent.length)")
    assert lengths == [len(LONG_COMMENT), len(LONG_COMMENT) + len("\u2067") + len(" Allows mate in 1.")]
