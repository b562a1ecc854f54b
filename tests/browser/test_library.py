"""Games beyond the one on the board: the library, tabs of the browser, large files, tags, addresses, tables and books."""

from __future__ import annotations

import json
import random
import re
import struct
from pathlib import Path
from urllib.parse import urlencode

from conftest import ROOT, Board
from modes import FOOLS_MATE, Analysis, Play
from test_analysis import LONG

import chess
import chess.pgn
import chess.polyglot
import pytest
from playwright.sync_api import Download, Locator, expect

GAMES = 1000
# On d4, e4 and f4 the rook is lost.
ENDGAME = "8/8/8/4k3/7R/8/8/4K3 w - - 0 1"
SYZYGY = str(ROOT / "tests/data/syzygy")


def delete(game: Locator) -> None:
    """Until the dialog is closed, it can be brought back."""
    game.get_by_role("checkbox", name="Select").check()
    game.page.get_by_role("button", name="Delete 1").click()


@pytest.mark.program
def test_games_are_kept(board: Board, play: Play) -> None:
    """Every game, also an unfinished one, outlives the page and the server."""
    play.new_game()
    play.make_moves(*FOOLS_MATE)
    play.new_game("White", elo=1000, clock=("10", "5"))
    play.click("e2", "e4")
    play.expect_plies(2)
    board.restart(play.page)
    play = board.open(Play)
    games = play.library().locator("li[data-id]")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text(re.compile("You – Castellan .* at 1000.*10\\+5.*unfinished"))
    expect(games.last).to_contain_text(re.compile("White – Black 0–1.*2 moves.*Barnes Opening"))
    expect(games.last.get_by_role("button", name="Continue")).to_be_hidden()
    play.page.get_by_label("Search your games").fill("0-1 barnes")
    expect(games).to_have_count(1)
    play.page.get_by_label("Search your games").press("Enter")
    play.page.get_by_label("Search your games").fill("")
    # The unfinished one goes on with its clocks, and stays one game.
    games.first.get_by_role("button", name="Continue").click()
    expect(play.moves.first).to_have_text("e4")
    expect(play.running_clock).to_have_count(1)
    play.click("d2", "d3")
    expect(play.moves.nth(2)).to_have_text("d3")
    play.library()
    expect(games).to_have_count(2)
    games.last.locator(".row").click()
    analysis = Analysis(play.page)
    expect(analysis.panel.locator(".moves")).to_contain_text("Qh4#")
    analysis.library()
    downloads: list[Download] = []
    play.page.on("download", lambda download: downloads.append(download))
    with play.page.expect_download(lambda download: download.suggested_filename == "castellan-profile.json"):
        play.page.get_by_role("button", name="Download all").click()
    text, profile = (Path(download.path()).read_text(encoding="utf-8") for download in downloads)
    assert text.count("[Event ") == 2 and "1. f3 e5 2. g4 Qh4#" in text, text
    assert json.loads(profile)["names"]["own"] == "", profile
    dialog = play.dialog("Your games")
    dialog.get_by_role("checkbox", name="Select all").check()
    dialog.get_by_role("button", name="Delete 2").click()
    expect(games).to_have_count(0)
    dialog.get_by_role("button", name="Undo: 2 deleted").click()
    expect(games).to_have_count(2)
    delete(games.last)
    dialog.get_by_role("button", name="Close").click()
    analysis.library()
    expect(games).to_have_count(1)
    expect(games.first).to_contain_text("unfinished")


def test_two_tabs(board: Board, play: Play) -> None:
    """Each tab has a game of its own, also one that was duplicated; when all are closed, the last one is resumed."""
    play.new_game()
    play.make_moves("e2e4", "c7c5")
    other = board.open_tab(play.page.context, Play)
    expect(other.panel.locator(".empty")).to_be_visible()
    other.new_game()
    other.make_moves("d2d4")
    play.make_moves("g1f3")
    for tab, moves in ((play, ["e4", "c5", "Nf3"]), (other, ["d4"])):
        tab.page.reload()
        tab.expect_moves(*moves)
    session = json.dumps(other.page.evaluate("Object.entries(sessionStorage)"))
    copied = Play(play.page.context.new_page())
    copied.page.add_init_script(f"for (const [key, value] of {session}) sessionStorage.setItem(key, value)")
    copied.page.goto(f"{board.server.address}#play")
    expect(copied.panel.locator(".empty")).to_be_visible()
    for tab in (copied, play, other):
        tab.page.close()
    expect(board.open_tab(play.page.context, Play).moves).not_to_have_count(0)


def thousand_games() -> str:
    """Games whose first moves and players differ."""
    source = random.Random(1000)
    texts = []
    for number in range(1, GAMES + 1):
        position = chess.Board()
        for _ in range(6):
            position.push(source.choice(list(position.legal_moves)))
        game = chess.pgn.Game.from_board(position)
        game.headers.update(White=f"Player {number}", Black=f"Rival {number * 7}", Result="1-0")
        texts.append(str(game))
    texts[499] = texts[499].replace("Player 500", "Müller").replace("Rival 3500", "Łódź").replace("1-0", "1/2-1/2")
    return "\n\n".join(texts)


def test_a_file_of_a_thousand_games(analysis: Analysis) -> None:
    analysis.button("Open…").click()
    analysis.upload(thousand_games())
    dialog = analysis.dialog("Open a game")
    choices = dialog.locator(".choices button")
    expect(choices).to_have_count(200)
    expect(dialog).to_contain_text("The first 200 of 1000 games")
    search = dialog.get_by_label("Search the file")
    search.fill("1-0 rival 6993")
    expect(choices).to_have_text([re.compile("Player 999 – Rival 6993")])
    expect(dialog).to_contain_text("1 of 1000 games.")
    # Without marks, and results in any notation.
    for words in ("muller", "MÜLLER", "lodz draw", "1/2-1/2", "½"):
        search.fill(words)
        expect(choices).to_have_text([re.compile("Müller – Łódź")])
    search.fill("nobody")
    expect(dialog).to_contain_text("No game matches.")
    search.fill("Rival 5439")
    choices.first.click()
    expect(analysis.players).to_have_text("Player 777 – Rival 5439 1–0")


def test_games_with_a_position(analysis: Analysis) -> None:
    """They are opened where the position occurs; a transposition is one, and another game has the same pawns."""
    for white, moves in (
        ("Ada", "1. e4 e5 2. Nf3 Nc6 3. Bc4 *"),
        ("Bo", "1. Nf3 Nc6 2. e4 e5 3. d4 *"),
        ("Cy", "1. e4 e5 2. Nc3 *"),
    ):
        analysis.open_game(f'[White "{white}"]\n\n{moves}')
        analysis.choose("Edit", "Keep in your games")
    analysis.button("New").click()
    for move in ("e4", "e5", "Nf3", "Nc6"):
        analysis.type(move)
    expect(analysis.now).to_have_text("2... Nc6")
    analysis.button("Games with this position").click()
    dialog = analysis.dialog("Games with this position")
    games = dialog.locator(".choices .row")
    expect(games).to_have_text([re.compile("Bo.*3. d4"), re.compile("Ada.*3. Bc4")])
    dialog.get_by_role("button", name="These pawns").click()
    expect(games).to_have_text([re.compile("Cy.*2. Nc3"), re.compile("Bo"), re.compile("Ada")])
    games.nth(1).click()
    expect(analysis.players).to_contain_text("Bo")
    expect(analysis.now).to_have_text("2... e5")


def test_tags(analysis: Analysis) -> None:
    analysis.open_game(LONG)
    analysis.choose("Edit", "Tags")
    field = analysis.dialog("Tags of the game").get_by_label
    expect(field("Event")).to_have_value("Berlin")
    field("White", exact=True).fill('A. "Adolf" Anderssen')
    field("Event").fill("")
    field("Result").select_option("1/2-1/2")
    analysis.button("Save").click()
    expect(analysis.players).to_have_text('A. "Adolf" Anderssen – Jean Dufresne ½–½')
    text = analysis.pgn()
    assert '[White "A. \\"Adolf\\" Anderssen"]' in text and '[Result "1/2-1/2"]' in text and '[Event "?"]' in text, text
    analysis.choose("Edit", "Undo")
    expect(analysis.players).to_have_text("Adolf Anderssen – Jean Dufresne 1–0")
    assert analysis.download()[0] == "Adolf_Anderssen-Jean_Dufresne-1852.pgn"


def test_addresses(board: Board) -> None:
    """An address with a position opens it, and so does one that was copied; one with a secret token is not."""
    analysis = board.open(Analysis, address="fen=4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1")
    expect(analysis.page.get_by_role("tab", name="Analyze")).to_have_attribute("aria-selected", "true")
    expect(analysis.fen).to_have_value("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    analysis.click("h1", "h7")
    expect(analysis.now).to_have_text("1. Rh7")
    analysis.button("Share").click()
    link = analysis.page.get_by_role("menuitem", name="Copy link")
    if "token=" in analysis.page.url:
        expect(link).to_have_count(0)
        address = re.sub("#.*", "#fen=4k3/7R/8/8/8/8/8/4K3_b_-_-_1_1", analysis.page.url)
    else:
        link.click()
        address = analysis.clipboard()
    other = analysis.page.context.new_page()
    other.goto(address)
    expect(Analysis(other).fen).to_have_value("4k3/7R/8/8/8/8/8/4K3 b - - 1 1")
    # A reload keeps the game.
    analysis.page.reload()
    expect(analysis.now).to_have_text("1. Rh7")
    # Once this is answered, so is all that a new page asks for.
    analysis.press("ArrowLeft")
    expect(analysis.fen).to_have_value("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    analysis.page.evaluate("location.hash = 'fen=nonsense'")
    expect(analysis.error).to_contain_text("Invalid FEN")


def test_a_game_in_the_address(board: Board) -> None:
    """It has comments, symbols, evaluations and variations; the static page copies the same address."""
    movetext = '1. e4 {[%eval 0.3] "Best & by" test+} 1... e5 $2 (1... c5 $1) 2. Qh5 *'
    game = urlencode({"pgn": f'[White "Zoë"]\n[Black "Max"]\n\n{movetext}'})
    analysis = board.open(Analysis, address=game)
    expect(analysis.players).to_contain_text("Zoë – Max")
    expect(analysis.moves).to_have_count(4)
    text = analysis.pgn()
    assert all(part in text for part in ('"Best & by" test+', "$2", "(1... c5 $1)", "[%eval 0.30]")), text
    link = analysis.button("Copy game link")
    if "token=" in analysis.page.url:
        expect(link).to_be_hidden()
        return
    link.click()
    address = analysis.clipboard()
    assert re.fullmatch(r"[^#]+#pgn=[\w%.*+-]+", address), address
    other = board.open(Analysis, address=address.partition("#")[2])
    expect(other.players).to_contain_text("Zoë – Max")
    assert other.pgn() == text


def write_book(path: Path) -> None:
    """Two moves for the start position: 1. e4 three times as often as 1. d4."""
    key = chess.polyglot.zobrist_hash(chess.Board())
    moves = [(chess.Move.from_uci("d2d4"), 10), (chess.Move.from_uci("e2e4"), 30)]
    entries = (struct.pack(">QHHI", key, move.to_square | move.from_square << 6, weight, 0) for move, weight in moves)
    path.write_bytes(b"".join(sorted(entries)))


@pytest.mark.program
def test_tablebase_and_book(analysis: Analysis, tmp_path: Path) -> None:
    tables = analysis.panel.locator(".tables")
    moves = tables.locator("li")
    expect(tables).to_be_hidden()
    write_book(tmp_path / "book.bin")
    settings = analysis.settings()
    settings.fill("Syzygy", SYZYGY)
    settings.fill("Polyglot book", str(tmp_path / "book.bin"))
    expect(settings.dialog).to_contain_text(re.compile(r"\d+ tables"))
    settings.close()
    expect(moves).to_have_text(["e4 75.0 %", "d4 25.0 %"])
    moves.first.click()
    expect(analysis.now).to_have_text("1. e4")
    expect(tables).to_be_hidden()
    analysis.open_game(f'[FEN "{ENDGAME}"]\n\n*')
    expect(tables).to_contain_text(re.compile(r"White wins, DTZ \d+"))
    expect(moves).to_have_count(chess.Board(ENDGAME).legal_moves.count())
    expect(moves.first).to_contain_text(re.compile(r"wins, DTZ \d+"))
    expect(moves.last).to_have_text("Rf4 draws")
    first = moves.first.locator("b").inner_text()
    moves.first.get_by_role("button").click()
    expect(analysis.now).to_have_text(re.compile(re.escape(first) + "$"))
    # The choice outlives the page.
    analysis.page.reload()
    expect(tables).to_contain_text("White wins")
    settings = analysis.settings()
    settings.fill("Polyglot book", "/nowhere/book.bin")
    expect(settings.dialog.get_by_role("alert")).to_contain_text("Cannot use the book '/nowhere/book.bin'")
