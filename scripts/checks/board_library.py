"""Games in Castellan Board beyond the one on the board: the library, tabs, files of many games, tags, addresses, tables."""

from __future__ import annotations

import json
import random
import re
import struct
from pathlib import Path

from lib.cli import REPOSITORY

import chess
import chess.pgn
import chess.polyglot
from playwright.sync_api import FilePayload, Locator, Page, expect

from .board import Board, Scene
from .board_analysis import LONG, button, expect_board, now, open_game, part, pgn, press
from .board_look import box, is_inside, settings
from .board_play import FOOLS_MATE, click, expect_moves, make_moves, new_game

GAMES = 1000
LONG_MOVES = 300
# On d4, e4 and f4 the rook is lost.
ENDGAME = "8/8/8/4k3/7R/8/8/4K3 w - - 0 1"


def library(page: Page, mode: str = "play") -> Locator:
    page.locator(f"#{mode}").get_by_role("button", name="Games…").click()
    dialog = page.get_by_role("dialog", name="Your games")
    expect(dialog).to_be_visible()
    return dialog


def close(page: Page) -> None:
    page.get_by_role("dialog", name="Your games").get_by_role("button", name="Close").click()


def upload(page: Page, text: str) -> None:
    button(page, "Open…").click()
    file: FilePayload = {"name": "games.pgn", "mimeType": "text/plain", "buffer": text.encode()}
    page.locator("#analysis input[type=file]").set_input_files(file)


def test_games_are_kept(board: Board) -> None:
    """Every game, also an unfinished one, outlives the page and the server."""
    page = board.open("play")
    games = library(page).locator("li[data-id]")
    expect(games).to_have_count(0)
    close(page)
    new_game(page)
    make_moves(page, *FOOLS_MATE)
    new_game(page, "White", elo=1000, clock=("10", "5"))
    click(page, "e2", "e4")
    expect(page.locator("#play .moves button")).to_have_count(2)
    board.server.kill()
    board.server.start()
    expect(page.locator("#connection")).to_be_hidden()
    page = board.open("play")
    games = library(page).locator("li[data-id]")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text(re.compile("You – Castellan .* at 1000.*10\\+5.*unfinished"))
    expect(games.last).to_contain_text(re.compile("White – Black 0–1.*2 moves.*Barnes Opening"))
    expect(games.last.get_by_role("button", name="Continue")).to_be_hidden()
    # What is searched.
    page.get_by_label("Search your games").fill("0-1 barnes")
    expect(games).to_have_count(1)
    page.get_by_label("Search your games").fill("")
    # The unfinished one goes on with its clocks.
    games.first.get_by_role("button", name="Continue").click()
    expect(page.locator("#play .moves button").first).to_have_text("e4")
    expect(page.locator("#play .clock.running")).to_have_count(1)
    expect(page.locator("#play .player > b").first).to_have_text(re.compile("at 1000$"))
    # It stays one game.
    click(page, "d2", "d3")
    expect(page.locator("#play .moves button").nth(2)).to_have_text("d3")
    games = library(page).locator("li[data-id]")
    expect(games).to_have_count(2)
    games.last.locator(".row").click()
    expect(page.locator("#analysis .moves")).to_contain_text("Qh4#")
    games = library(page, "analysis").locator("li[data-id]")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.count("[Event ") == 2 and "1. f3 e5 2. g4 Qh4#" in text, text
    games.last.get_by_role("button", name="Delete").click()
    games.last.get_by_role("button", name="Really?").click()
    expect(games).to_have_count(1)
    expect(games.first).to_contain_text("unfinished")


def test_two_tabs(board: Board) -> None:
    """Each tab has a game of its own, also one that was duplicated; when all are closed, the last one is resumed."""
    page = board.open("play")
    new_game(page)
    make_moves(page, "e2e4", "c7c5")
    other = board.open_tab(page.context, "play")
    expect(other.locator("#play .empty")).to_be_visible()
    new_game(other)
    make_moves(other, "d2d4")
    click(page, "g1", "f3")
    expect_moves(page, "e4", "c5", "Nf3")
    for tab, moves in ((page, ["e4", "c5", "Nf3"]), (other, ["d4"])):
        tab.reload()
        expect_moves(tab, *moves)
    session = json.dumps(other.evaluate("Object.entries(sessionStorage)"))
    copied = page.context.new_page()
    copied.add_init_script(f"for (const [key, value] of {session}) sessionStorage.setItem(key, value)")
    copied.goto(f"{board.server.address}#play")
    expect(copied.locator("#play .empty")).to_be_visible()
    for tab in (copied, page, other):
        tab.close()
    page = board.open_tab(page.context, "play")
    expect(page.locator("#play .moves button")).not_to_have_count(0)


def thousand_games() -> str:
    """Games whose first moves and players differ."""
    source = random.Random(1000)
    texts = []
    for number in range(1, GAMES + 1):
        position, sans = chess.Board(), []
        for _ in range(12):
            choices = [move for move in position.legal_moves if not position.gives_check(move)]
            move = source.choice(choices)
            sans.append(position.san(move))
            position.push(move)
        players = f'[White "Player {number}"]\n[Black "Rival {number * 7}"]'
        tags = f'[Event "Open"]\n[Date "2020.01.{number % 28 + 1:02}"]\n{players}\n[Result "1-0"]\n'
        numbered = " ".join(f"{ply // 2 + 1}. {san}" if ply % 2 == 0 else san for ply, san in enumerate(sans))
        texts.append(f"{tags}\n{numbered} 1-0\n")
    return "\n".join(texts)


def test_a_file_of_a_thousand_games(board: Board) -> None:
    page = board.open("analysis")
    expect(part(page, "FEN")).not_to_have_value("")
    upload(page, thousand_games())
    dialog = page.get_by_role("dialog", name="Open a game")
    choices = dialog.locator(".choices button")
    expect(choices).to_have_count(200)
    expect(dialog).to_contain_text("The first 200 of 1000 games")
    dialog.get_by_label("Search the file").fill("1-0 rival 6993")
    expect(choices).to_have_text([re.compile("Player 999 – Rival 6993")])
    dialog.get_by_label("Search the file").fill("nobody")
    expect(dialog).to_contain_text("No game matches.")
    dialog.get_by_label("Search the file").fill("Rival 5439")
    choices.first.click()
    expect(page.locator("#analysis .players")).to_have_text("Player 777 – Rival 5439 1–0")


def test_a_game_of_300_moves(board: Board) -> None:
    source, position = random.Random(300), chess.Board()
    while position.fullmove_number <= LONG_MOVES:
        move = source.choice(list(position.legal_moves))
        position.push(move)
        if position.is_game_over() or position.is_repetition(4) or position.halfmove_clock > 140:
            position.pop()
            zeroing = [one for one in position.legal_moves if position.is_zeroing(one)]
            if position.halfmove_clock > 138 and not zeroing:
                break
            if position.halfmove_clock > 138:
                position.push(source.choice(zeroing))
    game = chess.pgn.Game.from_board(position)
    page = board.open("analysis")
    open_game(page, str(game))
    buttons = page.locator("#analysis .moves button")
    expect(buttons).to_have_count(len(position.move_stack))
    press(page, "End")
    expect_board(page, position)
    assert is_inside(box(page.locator("#analysis .moves .here")), box(page.locator("#analysis .moves")))


def test_tags(board: Board) -> None:
    page = board.open("analysis")
    open_game(page, LONG)
    page.get_by_role("button", name="Edit players, event and date").click()
    dialog = page.get_by_role("dialog", name="Tags of the game")
    expect(dialog.get_by_label("Event")).to_have_value("Berlin")
    dialog.get_by_label("White", exact=True).fill('A. "Adolf" Anderssen')
    dialog.get_by_label("Event").fill("")
    dialog.get_by_label("Result").select_option("1/2-1/2")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#analysis .players")).to_have_text('A. "Adolf" Anderssen – Jean Dufresne ½–½')
    text = pgn(page)
    assert '[White "A. \\"Adolf\\" Anderssen"]' in text and '[Result "1/2-1/2"]' in text and '[Event "?"]' in text, text
    page.get_by_role("button", name="Undo the last change to the game").click()
    expect(page.locator("#analysis .players")).to_have_text("Adolf Anderssen – Jean Dufresne 1–0")
    with page.expect_download() as download:
        button(page, "Download").click()
    assert download.value.suggested_filename == "Adolf_Anderssen-Jean_Dufresne-1852.pgn", download.value.suggested_filename


def test_openings(board: Board) -> None:
    """The name stays when the game leaves the table, follows a transposition, and comes from a code alone."""
    page = board.open("analysis")
    occasion = page.locator("#analysis .occasion")
    open_game(page, "1. Nf3 Nf6 2. c4 e6 3. Nc3 d5 4. d4 h6 5. a3 a6 6. Ra2 *")
    press(page, "End")
    expect(occasion).to_have_text(re.compile("^D37 Queen's Gambit Declined"))
    open_game(page, '[ECO "D92"]\n\n1. e4 *')
    press(page, "Home") if now(page).inner_text() != "Start" else None
    expect(occasion).to_have_text(re.compile("^D92 Grünfeld Defense"))


def test_addresses(board: Board) -> None:
    """An address with a position opens it, and so does one that was copied."""
    page = board.open("fen=4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1")
    expect(page.get_by_role("tab", name="Analyze")).to_have_attribute("aria-selected", "true")
    expect(part(page, "FEN")).to_have_value("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    page.locator("#analysis [data-square=h1]").click()
    page.locator("#analysis [data-square=h7]").click()
    expect(now(page)).to_have_text("1. Rh7")
    button(page, "Copy link").click()
    address = page.evaluate("navigator.clipboard.readText()")
    other = page.context.new_page()
    other.goto(address)
    expect(part(other, "FEN")).to_have_value("4k3/7R/8/8/8/8/8/4K3 b - - 1 1")
    # A reload keeps the game.
    page.reload()
    expect(now(page)).to_have_text("1. Rh7")
    # Once this is answered, so is all that a new page asks for.
    press(page, "ArrowLeft")
    expect(part(page, "FEN")).to_have_value("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    page.evaluate("location.hash = 'fen=nonsense'")
    expect(page.locator("#analysis [role=alert]:visible")).to_contain_text("Invalid FEN")


def write_book(path: Path) -> None:
    """Two moves for the start position: 1. e4 three times as often as 1. d4."""
    position = chess.Board()
    key = chess.polyglot.zobrist_hash(position)
    entries = []
    for uci, weight in (("e2e4", 30), ("d2d4", 10)):
        move = chess.Move.from_uci(uci)
        entries.append(struct.pack(">QHHI", key, move.to_square | move.from_square << 6, weight, 0))
    path.write_bytes(b"".join(sorted(entries)))


def choose_tables(page: Page, book: Path) -> None:
    dialog = settings(page)
    dialog.get_by_label("Syzygy").fill(str(REPOSITORY / "tests" / "data" / "syzygy"))
    dialog.get_by_label("Polyglot book").fill(str(book))
    dialog.get_by_label("Polyglot book").press("Tab")
    expect(dialog).to_contain_text(re.compile(r"\d+ tables"))
    dialog.get_by_role("button", name="Close").click()


def test_tablebase_and_book(board: Board) -> None:
    board.needs_program()
    page = board.open("analysis")
    expect(part(page, "FEN")).not_to_have_value("")
    tables = page.locator("#analysis .tables")
    expect(tables).to_be_hidden()
    book = board.server.folder / "book.bin"
    write_book(book)
    choose_tables(page, book)
    moves = tables.locator("li")
    expect(moves).to_have_text(["e4 75.0 %", "d4 25.0 %"])
    moves.first.click()
    expect(now(page)).to_have_text("1. e4")
    expect(tables).to_be_hidden()
    open_game(page, f'[FEN "{ENDGAME}"]\n\n*')
    expect(tables).to_contain_text(re.compile(r"White wins, DTZ \d+"))
    board_of_endgame = chess.Board(ENDGAME)
    expect(moves).to_have_count(board_of_endgame.legal_moves.count())
    expect(moves.first).to_contain_text(re.compile(r"wins, DTZ \d+"))
    expect(moves.last).to_have_text("Rf4 draws")
    first = moves.first.locator("b").inner_text()
    moves.first.locator("button").click()
    expect(now(page)).to_have_text(re.compile(re.escape(first) + "$"))
    # The choice outlives the page.
    page.reload()
    expect(tables).to_contain_text("White wins")
    dialog = settings(page)
    dialog.get_by_label("Polyglot book").fill("/nowhere/book.bin")
    dialog.get_by_label("Polyglot book").press("Tab")
    expect(dialog.get_by_role("alert")).to_contain_text("Cannot use the book '/nowhere/book.bin'")


def scene_games(page: Page) -> None:
    for opening in (FOOLS_MATE, ["e2e4", "e7e5"], ["d2d4", "d7d5", "c2c4"]):
        new_game(page)
        make_moves(page, *opening)
    library(page)


def scene_tables(page: Page) -> None:
    page.locator("#tab-analysis").click()
    open_game(page, f'[FEN "{ENDGAME}"]\n\n*')
    dialog = settings(page)
    dialog.get_by_label("Syzygy").fill(str(REPOSITORY / "tests" / "data" / "syzygy"))
    dialog.get_by_label("Syzygy").press("Tab")
    dialog.get_by_role("button", name="Close").click()
    expect(page.locator("#analysis .tables")).to_contain_text("White wins")


def scene_tags(page: Page) -> None:
    page.locator("#tab-analysis").click()
    open_game(page, LONG)
    page.get_by_role("button", name="Edit players, event and date").click()


SCENES: dict[str, Scene] = {"games": scene_games, "tables": scene_tables, "tags": scene_tags}
