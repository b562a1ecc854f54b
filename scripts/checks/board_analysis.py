"""The mode Analyze of Castellan Board: the search, games with variations, their annotation, and what survives a crash."""

from __future__ import annotations

import io
import re
import time

import chess
import chess.engine
import chess.pgn
from playwright.sync_api import FilePayload, Locator, Page, expect

from .board import Board, Scene

BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1"
LOST = "3qk3/8/8/8/8/8/8/4K3 b - - 0 1"
# Names and comments try to inject markup; quotes and backslashes are escaped in tags.
PGN = """[Event "a \\"quoted\\" \\\\ <script>document.title = 'harm'</script>"]
[Site "<img src=x onerror=document.title='harm'>"]
[Date "1858.11.02"]
[Round "?"]
[White "Morphy, Paul"]
[Black "</h2><b>Müller"]
[Result "1-0"]

{Before.} 1. e4 $1 {[%eval 0.30] Best & "<b>"} ( {Or} 1. d4 d5 ( 1... Nf6 2. c4 $5 ) 2. c4 $14 ) ( 1. c4 ) 1... e5
2. Nf3 $6 ( 2. f4 {<i>King's</i> gambit} ) 2... d6 3. d4 Bg4 $2 {[%clk 0:01:02]} 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6
7. Qb3 Qe7 1-0
"""
BLUNDERS = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"
LONG = """[White "Adolf Anderssen"]
[Black "Jean Dufresne"]
[Event "Berlin"]
[Date "1852.??.??"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 Bxb4 5. c3 Ba5 (5... Be7 6. d4 Na5) 6. d4 exd4 7. O-O d3 8. Qb3 Qf6 9. e5 Qg6
10. Re1 Nge7 11. Ba3 b5 {A counter-sacrifice to develop.} 12. Qxb5 Rb8 13. Qa4 Bb6 14. Nbd2 Bb7 15. Ne4 Qf5 16. Bxd3 Qh5
17. Nf6+ gxf6 18. exf6 Rg8 19. Rad1 $1 Qxf3 (19... Qh3 20. Bf1 (20. g3 Rxg3+) 20... Qf5) 20. Rxe7+ Nxe7 21. Qxd7+ Kxd7
22. Bf5+ Ke8 23. Bd7+ Kf8 24. Bxe7# 1-0
"""
SEVERAL = """[Event "One"]
[White "Anna"]
[Black "Bert"]
[Result "1/2-1/2"]

1. e4 e5 1/2-1/2

[Event "Broken"]

1. e4 Ke7 *

[Event "Three"]
[White "Clara <i>"]
[Black "Dora"]

1. d4 d5 2. c4 *
"""


# What a person does.


def analysis(board: Board) -> Page:
    page = board.open("analysis")
    expect(part(page, "FEN")).not_to_have_value("")
    return page


def part(page: Page, name: str) -> Locator:
    return page.locator("#analysis").get_by_label(name, exact=True)


def button(page: Page, name: str) -> Locator:
    return page.locator("#analysis").get_by_role("button", name=name, exact=True)


def play(page: Page, *squares: str) -> None:
    """Clicks on origin, destination, origin and so on; an origin when its side is to move."""
    for origin, destination in zip(squares[::2], squares[1::2], strict=True):
        page.locator(f"#analysis [data-square={origin}].pickable").click()
        page.locator(f"#analysis [data-square={destination}]").click()


def set_fen(page: Page, fen: str) -> None:
    part(page, "FEN").fill(fen)
    part(page, "FEN").press("Enter")


def open_text(page: Page, text: str) -> None:
    button(page, "Open…").click()
    part(page, "PGN or FEN").fill(text)
    button(page, "Load").click()


def open_game(page: Page, text: str) -> None:
    open_text(page, text)
    expect(page.get_by_role("dialog")).to_be_hidden()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        before = now(page).text_content()
        page.keyboard.press(key)
        expect(now(page)).not_to_have_text(before or "")


def engine(page: Page, on: bool) -> None:
    page.get_by_role("switch", name="Engine").set_checked(on)


# What the page shows.


def now(page: Page) -> Locator:
    return page.locator("#analysis .steps output")


def lines(page: Page) -> Locator:
    return page.locator("#analysis .lines li")


def movetext(page: Page) -> str:
    """The moves and comments of the game on one line."""
    return " ".join(page.locator("#analysis .moves").inner_text().replace("\u2011", "-").split())


def expect_board(page: Page, board: chess.Board) -> None:
    expect(part(page, "FEN")).to_have_value(re.compile(re.escape(board.board_fen()) + " "))


def pgn(page: Page) -> str:
    button(page, "Copy PGN").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def game(text: str) -> chess.pgn.Game:
    found = chess.pgn.read_game(io.StringIO(text))
    assert found and not found.errors, found and found.errors
    return found


def moves_of(node: chess.pgn.GameNode) -> object:
    """A game as python-chess reads it: each move with its annotations, and what follows."""
    comments = [" ".join(text.split()) for text in (node.comment, node.starting_comment)]
    here = (node.move.uci() if isinstance(node, chess.pgn.ChildNode) else "", sorted(node.nags), comments)
    return (here, [moves_of(child) for child in node.variations])


def expect_work(board: Board) -> None:
    """A search is running."""
    deadline = time.monotonic() + 10
    before = board.server.processor_seconds()
    while board.server.processor_seconds() - before < 0.2:
        assert time.monotonic() < deadline, "no search is running"
        time.sleep(0.1)


def expect_still(board: Board) -> None:
    """No search is running."""
    deadline = time.monotonic() + 10
    before = board.server.processor_seconds()
    while time.monotonic() < deadline:
        time.sleep(0.5)
        used = board.server.processor_seconds()
        if used - before < 0.1:
            return
        before = used
    raise AssertionError("a search is still running")


# The search.


def test_search(board: Board) -> None:
    page = analysis(board)
    set_fen(page, BACK_RANK)
    engine(page, True)
    expect(lines(page)).to_have_count(3)
    expect(lines(page).first).to_have_text(re.compile(r"^\+?#1\s*1\. Re8#$"))
    expect(part(page, "Evaluation #1")).to_be_visible()
    part(page, "Number of lines").select_option("5")
    expect(lines(page)).to_have_count(5)
    # Different moves, all of them legal.
    position = chess.Board(BACK_RANK)
    firsts = [text.split()[1] for text in lines(page).locator("button:first-child").all_inner_texts()]
    found = {position.parse_san(san.replace("\u2011", "-")) for san in firsts}
    assert len(found) == 5, firsts
    # Scores are White's, whichever side is to move.
    set_fen(page, LOST)
    expect(page.locator("#analysis .score.black").first).to_have_text(re.compile("^[−#]"))
    expect(part(page, "FEN")).to_have_value(LOST)
    engine(page, False)
    expect(lines(page)).to_have_count(0)
    expect_still(board)


def test_lines_are_previewed_and_played(board: Board) -> None:
    page = analysis(board)
    set_fen(page, BACK_RANK)
    engine(page, True)
    move = lines(page).first.locator("button").first
    expect(move).to_have_text("1. Re8#")
    move.hover()
    expect(page.locator("#analysis .previewing [data-square=e8]")).to_have_attribute("aria-label", "e8, white rook")
    expect(part(page, "FEN")).to_have_value(BACK_RANK)
    move.click()
    mate = chess.Board(BACK_RANK)
    mate.push_san("Re8#")
    expect_board(page, mate)
    expect(page.get_by_text("White wins by checkmate.")).to_be_visible()
    expect(lines(page)).to_have_count(0)
    expect_still(board)


def test_a_closed_tab_ends_the_search(board: Board) -> None:
    page = analysis(board)
    engine(page, True)
    expect(lines(page)).to_have_count(3)
    expect_work(board)
    page.close()
    expect_still(board)


def test_another_mode_interrupts_the_search(board: Board) -> None:
    page = analysis(board)
    engine(page, True)
    expect(lines(page)).to_have_count(3)
    page.get_by_role("tab", name="Castling").click()
    expect_still(board)
    page.get_by_role("tab", name="Analyze").click()
    expect(page.get_by_role("switch", name="Engine")).to_be_checked()
    expect(lines(page)).to_have_count(3)


# Games.


def test_a_game_comes_back_as_python_chess_reads_it(board: Board) -> None:
    page = analysis(board)
    open_game(page, PGN)
    shown = page.locator("#analysis .heading").inner_text()
    assert "Morphy, Paul – </h2><b>Müller 1–0" in shown and "<script>" in shown, shown
    assert page.title() == "Castellan Board"
    text = movetext(page)
    for words in ("Before.", 'Best & "<b>"', "Or 1. d4 d5", "1... Nf6 2. c4!?", "2. c4 ⩲", "<i>King's</i> gambit", "Bg4?"):
        assert words in text, f"{words}: {text}"
    ours, theirs = game(pgn(page)), game(PGN)
    assert dict(ours.headers) == dict(theirs.headers), ours.headers
    assert moves_of(ours) == moves_of(theirs), str(ours)
    with page.expect_download() as download:
        button(page, "Download").click()
    assert download.value.suggested_filename == "Morphy_Paul-h2_b_Müller-1858.11.02.pgn"
    assert moves_of(game(download.value.path().read_text(encoding="utf-8"))) == moves_of(theirs)


def test_a_file_with_several_games(board: Board) -> None:
    page = analysis(board)
    button(page, "Open…").click()
    upload: FilePayload = {"name": "games.pgn", "mimeType": "text/plain", "buffer": SEVERAL.encode()}
    page.locator("#analysis input[type=file]").set_input_files(upload)
    choices = page.locator("#analysis .choices li")
    expect(choices).to_have_count(3)
    expect(choices.nth(1)).to_contain_text("game 2, line ")
    expect(choices.nth(1).locator("button")).to_have_count(0)
    choices.nth(2).locator("button").click()
    expect(page.locator("#analysis .players")).to_have_text("Clara <i> – Dora")
    assert movetext(page) == "1. d4 d5 2. c4"


def test_errors_are_explained(board: Board) -> None:
    page = analysis(board)
    play(page, "e2", "e4")
    expect(now(page)).to_have_text("1. e4")
    wrong = page.locator("#analysis [role=alert]:visible")
    for fen, words in (
        ("4k3/8/8/8/8/8/4P4/4K3 w - - 0 1", "Invalid FEN board: expected 8 squares in rank 2 '4P4', found 9"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
    ):
        set_fen(page, fen)
        expect(wrong).to_contain_text(words)
    for text, words in (
        ("1. e4 e5 2. Ke3 *", "move 2.: illegal move 'Ke3'"),
        ("1. e4 {never closed", "game 1, line 1: the comment is not closed"),
        ("hello", "invalid move 'hello'"),
        ("", "the text has no game"),
    ):
        open_text(page, text)
        expect(wrong).to_contain_text(re.compile(re.escape(words), re.IGNORECASE))
        button(page, "Close").click()
    assert movetext(page) == "1. e4", "the game stays"
    play(page, "e8", "e6")
    expect(page.locator("#toast")).to_contain_text("king on e8 cannot move to e6")


def test_what_is_too_large_is_refused(board: Board) -> None:
    page = analysis(board)
    play(page, "e2", "e4")
    wrong = page.locator("#analysis [role=alert]:visible")
    # In JSON a line break and a quotation mark count twice: more than a request may have, and more than a game.
    for count, words in (
        (32_000, "The text is too large: the limit is 4 MiB"),
        (28_500, "The game is too large: as PGN it may have 3.75 MiB"),
    ):
        text = "1. d4 {" + ('"' * 70 + "\n") * count + "} *"
        chosen: FilePayload = {"name": "large.pgn", "mimeType": "text/plain", "buffer": text.encode()}
        page.locator("#analysis input[type=file]").set_input_files(chosen)
        expect(wrong).to_contain_text(re.compile(re.escape(words), re.IGNORECASE))
        assert movetext(page) == "1. e4", "the game stays"
    expect(page.locator("body[data-connected]")).to_be_attached()


def test_variations(board: Board) -> None:
    page = analysis(board)
    play(page, "e2", "e4", "e7", "e5", "g1", "f3")
    expect(now(page)).to_have_text("2. Nf3")
    press(page, "ArrowLeft", "ArrowLeft")
    expect(now(page)).to_have_text("1. e4")
    play(page, "c7", "c5")
    expect(now(page)).to_have_text("1... c5")
    play(page, "g1", "f3")
    expect(now(page)).to_have_text("2. Nf3")
    assert movetext(page) == "1. e4 e5 1... c5 2. Nf3 2. Nf3"
    # The arrow keys: up and down lead to the alternatives, Home and End to the ends of the line.
    press(page, "ArrowUp")
    expect(now(page)).to_have_text("1... e5")
    press(page, "ArrowDown")
    expect(now(page)).to_have_text("1... c5")
    press(page, "End", "Home", "End")
    expect(now(page)).to_have_text("2. Nf3")
    line = chess.Board()
    for san in ("e4", "e5", "Nf3"):
        line.push_san(san)
    expect_board(page, line)
    # A move in the text is clicked; its variation becomes the main line, and is deleted.
    page.locator("#analysis .variation button", has_text="c5").click()
    button(page, "Make this variation the main line").click()
    expect(page.locator("#analysis .variation button").first).to_have_text("1... e5")
    assert movetext(page) == "1. e4 c5 1... e5 2. Nf3 2. Nf3"
    part(page, "Assessment").select_option("!?")
    expect(page.locator("#analysis .mark")).to_have_text("!?")
    part(page, "Comment").fill('Sicilian "<b>"')
    part(page, "Comment").press("Enter")
    expect(page.locator("#analysis .aside p")).to_have_text('Sicilian "<b>"')
    assert '1. e4 c5 $5 {Sicilian "<b>"} (1... e5 2. Nf3) 2. Nf3 *' in pgn(page)
    button(page, "Delete this move and the moves after it").click()
    expect(now(page)).to_have_text("1. e4")
    assert movetext(page) == "1. e4 e5 2. Nf3"
    button(page, "Undo the last change to the game").click()
    expect(page.locator("#analysis .aside p")).to_be_visible()


def test_typed_moves_and_chess960(board: Board) -> None:
    page = analysis(board)
    set_fen(page, "bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1")
    expect(page.locator("#analysis .occasion")).to_contain_text("Chess960")
    for _ in range(2):
        page.locator("#analysis [data-square=a1]").focus()
        page.keyboard.type("Nf3")
        page.keyboard.press("Enter")
    expect(now(page)).to_have_text("1. Nf3")
    expect(page.locator("#toast")).not_to_be_empty()


# The annotation.


def test_annotation(board: Board) -> None:
    page = analysis(board)
    open_game(page, BLUNDERS)
    part(page, "Effort").select_option("Quick")
    button(page, "Annotate game").click()
    expect(button(page, "Annotate again")).to_be_visible()
    expect(page.locator("#analysis .moment.blunder")).to_have_count(1)
    expect(page.locator("#analysis .summary")).to_contain_text(re.compile(r"Blunders \?\?\s*0\s*1"))
    assert "Ke7??" in movetext(page)
    annotated = game(pgn(page))
    assert annotated.headers["Annotator"].startswith("Castellan")
    after = [node.eval() for node in annotated.mainline()]
    # The last move mates; a mate in one is what the blunder allows.
    assert after[3] == chess.engine.PovScore(chess.engine.Mate(1), chess.WHITE) and after[4] is None, after
    # The graph leads through the game.
    box = page.locator("#analysis .graph").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    expect(now(page)).to_have_text("2... Ke7??")
    expect(part(page, "Evaluation +#1").or_(part(page, "Evaluation #1"))).to_be_visible()


def test_annotation_is_canceled(board: Board) -> None:
    page = analysis(board)
    open_game(page, LONG)
    part(page, "Effort").select_option("Deep")
    button(page, "Annotate game").click()
    expect(page.locator("#analysis progress")).to_be_visible()
    expect(page.locator("#analysis .progress")).to_contain_text("0 of 48")
    # Meanwhile the game can be walked through.
    press(page, "ArrowRight", "ArrowRight")
    expect(now(page)).to_have_text("1... e5")
    button(page, "Cancel the annotation").click()
    expect(button(page, "Annotate game")).to_be_visible()
    expect_still(board)
    assert "[%eval" not in pgn(page)


# Crashes.


def test_the_game_survives_the_server(board: Board) -> None:
    page = analysis(board)
    open_game(page, PGN)
    press(page, "ArrowRight", "ArrowDown", "ArrowRight")
    expect(now(page)).to_have_text("1... d5")
    engine(page, True)
    expect(lines(page)).to_have_count(3)
    text, fen = movetext(page), part(page, "FEN").input_value()
    board.server.kill()
    expect(page.locator("#connection")).to_be_visible()
    board.server.start()
    expect(page.locator("#connection")).to_be_hidden()
    expect(lines(page)).to_have_count(3)
    assert (movetext(page), part(page, "FEN").input_value()) == (text, fen)
    # A move can be played, so that the server has the game too.
    play(page, "b1", "c3")
    expect(now(page)).to_have_text("2. Nc3")
    assert moves_of(game(pgn(page))) != moves_of(game(PGN))
    page.reload()
    expect(now(page)).to_have_text("2. Nc3")
    expect(page.get_by_role("switch", name="Engine")).not_to_be_checked()


def test_a_game_of_another_mode(board: Board) -> None:
    page = board.open("play")
    for square in ("e2", "e4"):
        page.locator(f"#play [data-square={square}]").click()
    expect(page.locator("#play .moves button").first).to_have_text("e4")
    page.get_by_role("button", name="Analyze").click()
    expect(page.get_by_role("tab", name="Analyze")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#analysis .moves button").first).to_have_text("e4")


# What is photographed.


def scene_start(page: Page) -> None:
    expect(part(page, "FEN")).not_to_have_value("")


def scene_lines(page: Page) -> None:
    open_game(page, LONG)
    page.locator("#analysis .moves button", has_text="Rad1").first.click()
    engine(page, True)
    expect(lines(page)).to_have_count(3)
    # No search is quick enough to change the picture while it is taken.
    expect(page.locator("#analysis .facts")).to_contain_text(re.compile(r"Depth 1[2-9]"))


def scene_annotated(page: Page) -> None:
    open_game(page, BLUNDERS)
    part(page, "Effort").select_option("Quick")
    button(page, "Annotate game").click()
    expect(button(page, "Annotate again")).to_be_visible()
    press(page, "End", "ArrowLeft")


def scene_choices(page: Page) -> None:
    open_text(page, SEVERAL)
    expect(page.locator("#analysis .choices li")).to_have_count(3)


def scene_error(page: Page) -> None:
    set_fen(page, "4k3/8/8/8/8/8/4P4/4K3 w - - 0 1")
    expect(page.locator("#analysis [role=alert]:visible")).to_be_visible()


SCENES: dict[str, Scene] = {
    "start": scene_start, "lines": scene_lines, "annotated": scene_annotated, "choices": scene_choices, "error": scene_error,
}  # fmt: skip
