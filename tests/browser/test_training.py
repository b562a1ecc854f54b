"""Training on one's own games in Analyze, and the settings of how moves are entered."""

from __future__ import annotations

import json
import re

from conftest import STEP_MILLISECONDS, Board
from modes import Analysis, Castling, Mode, Play, Training

import pytest
from playwright.sync_api import FilePayload, Locator, Route, expect

ANNOTATED = (
    '[White "Bo"]\n[Black "Ada"]\n[Result "1-0"]\n\n'
    "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Bc4 {[%eval 0.2]} Nc6 {[%eval 0.2]} "
    "3. Qh5 {[%eval 0.0]} Nf6?? {[%eval #1] Allows mate in 1.} (3... g6 {[%eval 0.0]} 4. Qf3 Nf6) 4. Qxf7# 1-0"
)
LONG = (
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 "
    "11. Nbd2 Bb7 12. Bc2 Re8 13. Qe2 c5 14. dxe5 Nxe5 15. Nxe5 dxe5 16. Nf3 h6 17. a4 Qc7 18. Qd3 Nh7 1-0"
)
TWO_GAMES = '[White "Ada/X"]\n\n1. e4 e5 1-0\n\n[White "Bo"]\n[Black "ada/x"]\n\n1. e4 c5 1/2-1/2\n'


def annotation_of(mode: Mode) -> Locator:
    """The progress in the header."""
    return mode.page.get_by_role("group", name="Annotation in the background")


def exercise(analysis: Analysis) -> Training:
    """With one game of the user in the library, in which they made one mistake."""
    settings = analysis.settings()
    settings.fill("Your name", "Ada")
    settings.close()
    analysis.open_game(ANNOTATED)
    analysis.choose("Edit", "Keep in your games")
    expect(analysis.toast).to_have_text("1 game is kept in your games.")
    analysis.to_tab("Train")
    training = Training(analysis.page)
    expect(training.task).to_have_text("Black to move. In the game you lost points here: find a better move.")
    return training


def test_a_mistake_is_an_exercise(analysis: Analysis) -> None:
    training = exercise(analysis)
    expect(training.panel).to_contain_text("0 of 10 today, 1 due of 1 exercise")
    # Black is below, and the answer is not to be seen.
    expect(training.panel.get_by_role("gridcell").first).to_have_attribute("data-square", "h1")
    expect(training.answer).to_be_empty()
    expect(training.panel.get_by_text("Bo", exact=True)).to_be_hidden()
    training.click("a7", "a6")
    # The refutation is played on the board, and its moves can be stepped through; then there is a second try.
    expect(training.task).to_have_text("a6?? is not good: it leads to #1 instead of 0.00. You have another try.")
    expect(training.answer).to_have_text("Refutation: Allows mate in 1. 3... a64. Qxf7#")
    step = training.answer.locator("[aria-current=step]")
    expect(step).to_have_text("4. Qxf7#")
    training.expect_placement("r1bqkbnr/1ppp1Qpp/p1n5/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR")
    training.page.keyboard.press("ArrowLeft")
    expect(step).to_have_text("3... a6")
    expect(training.panel.locator(".arrow.threat")).to_have_count(1)
    training.button("Try again").press("Enter")
    expect(step).to_have_count(0)
    for told in ("the piece on g7", "the piece on g7 goes to g6"):
        training.button("Hint").click()
        expect(training.answer).to_contain_text(f"Hint: {told}")
    expect(training.button("Hint")).to_be_hidden()
    training.click("g8", "f6")
    expect(training.task).to_contain_text("Nf6?? is not good")
    expect(training.answer).to_contain_text("Best: 3... g64. Qf3Nf6")
    training.answer.get_by_role("button", name="Nf6").last.click()
    expect(step).to_have_text("Nf6")
    training.page.keyboard.press("ArrowLeft")
    expect(step).to_have_text("4. Qf3")
    expect(training.answer).to_contain_text("You played: Nf6?? Allows mate in 1.")
    # The exercise is sent again, which changes nothing of it.
    training.panel.get_by_text("Which exercises").click()
    training.field("Exercises a day").select_option("20")
    expect(training.panel).to_contain_text("of 20 today")
    expect(step).to_have_text("4. Qf3")
    training.button("Analyze").click()
    expect(analysis.now).to_have_text("3. Qh5")
    expect(analysis.panel.get_by_role("gridcell").first).to_have_attribute("data-square", "h1")
    analysis.page.get_by_role("button", name="Back to the exercise").click()
    expect(training.answer).to_contain_text("Best")
    training.button("Next").press("Enter")
    expect(training.task).to_contain_text("Nothing is due until 2")
    # The answer outlives the page.
    training.page.reload()
    expect(training.task).to_contain_text("Nothing is due until 2")


def test_the_first_start_leads_to_an_exercise(board: Board) -> None:
    """From files through the names in them; what another page does is in the header."""
    training = board.open(Training)
    other = board.open_tab(training.page.context, Play)
    training.button("Get your games…").click()
    dialog = training.dialog("Train with your own games")
    start = dialog.get_by_role("button", name="Find my mistakes")
    expect(start).to_be_disabled()
    moves = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"
    games = [f'[Event "Club"]\n[White "Rival {day}"]\n[Black "Ada"]\n[Date "2026.01.0{day}"]\n\n{moves}\n' for day in (1, 2, 3)]
    files: list[FilePayload] = [
        {"name": name, "mimeType": "text/plain", "buffer": "\n".join(some).encode()}
        for name, some in (("a.pgn", games[:2]), ("b.pgn", [*games[1:], '[Event "Club"]\n\n1. Ke5 *\n']))
    ]  # fmt: skip
    dialog.locator("input[type=file]").set_input_files(files)
    expect(dialog.get_by_role("status")).to_have_text("3 new games, 1 known, 1 that cannot be read")
    expect(dialog.get_by_label(re.compile("^Ada 3 games"))).to_be_checked()
    start.click()
    expect(training.task).to_contain_text("Black to move. In the game you lost points here", timeout=4 * STEP_MILLISECONDS)
    expect(annotation_of(training)).to_be_hidden(timeout=4 * STEP_MILLISECONDS)
    expect(training.panel).to_contain_text("1 due of 1 exercise")
    if not board.server.source.is_dir():
        other.page.reload()
        other.library().get_by_role("button", name="Get games…").click()
        expect(other.dialog("Train with your own games").get_by_label(re.compile("^Ada"))).to_be_checked()


@pytest.mark.program
def test_the_progress_is_in_every_header_and_any_page_cancels(board: Board, analysis: Analysis) -> None:
    analysis.upload("\n".join(f'[Black "You"]\n[Round "{number}"]\n\n{LONG}\n' for number in range(3)))
    dialog = analysis.dialog("Open a game")
    dialog.get_by_role("button", name="Keep all").click()
    dialog.get_by_role("button", name="Annotate them").click()
    analysis.page.close()
    # It goes on without a page, and the crash of the server loses nothing.
    for _ in range(2):
        other = board.open(Play)
        shown = annotation_of(other)
        expect(shown).to_contain_text(re.compile(r"[0-2] of [1-3] games"))
        board.restart(other.page)
        expect(shown).to_be_visible()
        other.page.close()
    pages: list[Mode] = [board.open(Play), board.open(Castling)]
    pages[0].page.get_by_role("button", name="Cancel the annotation in the background").click()
    for page in pages:
        expect(annotation_of(page)).to_be_hidden()
    board.server.expect_search(False)


def test_a_day_of_exercises(analysis: Analysis) -> None:
    """Two exercises, of which a daily number is shown; they are put aside and come back, and chosen by their groups."""
    training = progress(analysis, 4)
    task, undo = training.task, training.button("Undo")
    expect(training.panel).to_contain_text("0 of 10 today, 2 due of 2 exercises")
    training.button("Not useful").click()
    expect(task).to_contain_text("White to move")
    training.button("Later").click()
    expect(task).to_contain_text("Nothing is due until 2")
    for color in ("White", "Black"):
        undo.click()
        expect(task).to_contain_text(f"{color} to move")
    expect(undo).to_be_hidden()
    training.button("Not useful").click()
    training.panel.get_by_text("Which exercises").click()
    training.button("Bring back 1").click()
    training.field("Kind of the exercises").select_option("??")
    expect(task).to_contain_text("Black to move")
    training.field("Phase of the exercises").select_option("Endgame")
    expect(task).to_have_text("Nothing is due in this choice.")
    for name in ("Kind", "Phase"):
        training.field(f"{name} of the exercises").select_option("")
    training.field("Exercises a day").select_option("5")
    expect(training.panel).to_contain_text("0 of 5 today")


@pytest.mark.program
def test_the_move_before_is_shown_first(board: Board) -> None:
    training = exercise(board.open(Analysis, motion=True))
    training.expect_placement("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR")
    training.expect_placement("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR")


def studied_games(count: int) -> str:
    """Annotated games of Ada on successive days, with both colors: one by the scholar's mate, one with a weaker reply."""
    opening = "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Bc4 {[%eval 0.2]} Nc6 {[%eval 0.2]} 3. Qh5 {[%eval 0.0]}"
    games = []
    for day in range(count):
        players = ("Ada", f"Rival {day}") if day % 3 == 0 else (f"Rival {day}", "Ada")
        reply = "Nf6?? {[%eval #1]} 4. Qxf7# 1-0" if day % 2 else f"g6 {{[%eval {day % 5 / 4}]}} 4. d3? {{[%eval -1.2]}} 0-1"
        tags = f'[White "{players[0]}"]\n[Black "{players[1]}"]\n[Date "2026.{1 + day // 28:02}.{1 + day % 28:02}"]'
        games.append(f"{tags}\n\n{opening} {reply}\n")
    return "\n".join(games)


def progress(analysis: Analysis, count: int) -> Training:
    """With that many annotated games of the user in the library."""
    settings = analysis.settings()
    settings.fill("Your name", "Ada")
    settings.close()
    analysis.upload(studied_games(count))
    dialog = analysis.dialog("Open a game")
    dialog.get_by_role("button", name="Keep all").click()
    expect(dialog.get_by_role("button", name="Undo")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    analysis.to_tab("Train")
    training = Training(analysis.page)
    expect(training.panel.locator(".trend")).to_be_visible()
    return training


def test_progress_leads_to_the_moves(analysis: Analysis) -> None:
    training = progress(analysis, 6)
    shown = training.panel.locator(".trend")
    # With White 4. d3? of the first game; with Black 3... Nf6?? of two games.
    moves = shown.locator(".choices button")
    expect(moves).to_have_count(0)
    expect(shown.locator(".groups h3")).to_have_text(["Phases", "Colors", "Openings"])
    expect(shown.locator(".group")).to_contain_text(
        ["Opening", re.compile(r"Black.*[+−]\d+\.\d ± \d"), re.compile(r"White.*[+−]\d"), "Bishop"]
    )
    shown.get_by_role("button", name=re.compile("^Opening")).click()
    expect(moves).to_contain_text(["3... Nf6??", "3... Nf6??", "4. d3?"])
    shown.get_by_role("button", name=re.compile("^Black")).click()
    expect(moves).to_contain_text(["3... Nf6?? Rival 5, 6 January 2026", "3... Nf6?? Rival 1, 2 January 2026"])
    # The first game is at the left edge of the graph; the keys go on from it.
    shown.locator(".graph").click(position={"x": 2, "y": 20})
    training.page.keyboard.press("ArrowRight")
    expect(moves).to_contain_text(["Rival 1"])
    training.page.keyboard.press("ArrowLeft")
    expect(shown.get_by_role("heading", level=3).last).to_contain_text("Rival 0, 1 January 2026")
    moves.click()
    expect(analysis.now).to_have_text("3... g6")


def test_other_names_and_a_deck_that_is_imported(analysis: Analysis) -> None:
    """A form of the name in the file that is ticked, and the deck that was exported, with another exercise."""
    settings = analysis.settings()
    settings.fill("Your name", "Müller, Adele")
    settings.close()
    analysis.open_game(ANNOTATED.replace("Ada", "A. Mueller"))
    analysis.choose("Edit", "Keep in your games")
    expect(analysis.toast).to_have_text("1 game is kept in your games.")
    analysis.to_tab("Train")
    training = Training(analysis.page)
    expect(training.task).to_contain_text("No exercises yet")
    settings = analysis.settings()
    settings.dialog.get_by_role("button", name="Names in your games").click()
    names = analysis.dialog("Which names are yours?").get_by_role("checkbox")
    expect(names.first).not_to_be_checked()
    analysis.dialog("Which names are yours?").get_by_label("A. Mueller").check()
    analysis.dialog("Which names are yours?").get_by_role("button", name="Close").click()
    settings.close()
    training.button("Not useful").click()
    expect(training.task).to_contain_text("Nothing is due")
    analysis.to_tab("Analyze")
    library = analysis.library()
    with analysis.page.expect_download(lambda download: download.suggested_filename == "castellan-profile.json") as download:
        library.get_by_role("button", name="Download all").click()
    profile = json.loads(download.value.path().read_text(encoding="utf-8"))
    [card] = profile["exercises"].values()
    assert card["dropped"]
    profile["exercises"]["8/8/8/8/8/8/8/8 w - -"] = {"box": 1, "due": card["due"]}
    file: FilePayload = {"name": "castellan-profile.json", "mimeType": "application/json", "buffer": b"{"}
    library.locator("input[type=file]").set_input_files(file)
    expect(analysis.toast).to_contain_text("This is not a profile of Castellan")
    library.locator("input[type=file]").set_input_files({**file, "buffer": json.dumps(profile).encode()})
    expect(analysis.toast).to_have_text("1 exercise is new or changed.")


@pytest.mark.program
def test_the_games_of_a_file_are_annotated(board: Board, analysis: Analysis) -> None:
    """In the background, with progress and the time left; the rest after the server has been started again."""
    moves = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"
    analysis.upload("\n".join(f'[Black "You"]\n[Round "{number}"]\n\n{moves}\n' for number in range(40)))
    dialog = analysis.dialog("Open a game")
    dialog.get_by_role("button", name="Keep all").click()
    dialog.get_by_role("button", name="Annotate them").click()
    dialog.get_by_role("button", name="Close").click()
    analysis.to_tab("Train")
    training = Training(analysis.page)
    annotation = training.panel.get_by_role("region", name="Annotation")
    expect(annotation).to_contain_text(re.compile(r"\d+ of 40 games, \d+.* left"), timeout=4 * STEP_MILLISECONDS)
    board.restart(training.page)
    expect(annotation).to_contain_text(re.compile(r"\d of \d+ games"))
    # The games that are done show progress.
    expect(training.panel.locator(".trend .graph")).to_be_visible()
    annotation.get_by_role("button", name="Cancel").click()
    expect(annotation).to_contain_text(re.compile(r"\d+ games of the library are not annotated"))
    annotation.get_by_label("Effort").select_option("Quick")
    annotation.get_by_role("button", name="Annotate all").click()
    expect(annotation).to_be_hidden(timeout=4 * STEP_MILLISECONDS)
    expect(training.task).to_contain_text("to move. In the game you lost points here")


def open_import(analysis: Analysis, answers: dict[str, str]) -> tuple[Locator, list[str]]:
    """The dialog, and the addresses that are asked of a fake of both sites; one without an answer is not found."""
    asked: list[str] = []

    def answer(route: Route) -> None:
        url = route.request.url
        asked.append(url)
        body = answers.get(url.partition("?")[0])
        route.fulfill(status=404 if body is None else 200, body=body or "", headers={"Access-Control-Allow-Origin": "*"})

    for address in ("https://*.org/**", "https://*.com/**"):
        analysis.page.context.route(address, answer)
    analysis.button("Open…").click()
    dialog = analysis.dialog("Open a game")
    dialog.get_by_text("From lichess.org or chess.com").click()
    return dialog, asked


def test_a_site_that_cannot_be_reached(board: Board, analysis: Analysis) -> None:
    dialog, _ = open_import(analysis, {})
    analysis.page.context.route("https://lichess.org/**", lambda route: route.abort())
    dialog.get_by_label("User name").fill("ada")
    dialog.get_by_role("button", name="Get the games").click()
    expect(dialog.get_by_role("alert")).to_have_text("No games from lichess.org: lichess.org cannot be reached.")
    # Chromium reports it too.
    board.faults.clear()


def test_games_of_a_user_are_loaded_kept_and_explored(analysis: Analysis) -> None:
    """Nothing is sent before the button is pressed, and then to that site alone."""
    dialog, asked = open_import(analysis, {"https://lichess.org/api/games/user/ada%2Fx": TWO_GAMES})
    expect(dialog).to_contain_text("Your browser asks lichess.org for the public games of this user")
    dialog.get_by_label("User name").fill("ada/x")
    assert asked == []
    dialog.get_by_role("button", name="Get the games").click()
    choices = dialog.locator(".choices button")
    expect(choices).to_contain_text(["won with White", "drew with Black"])
    assert asked == ["https://lichess.org/api/games/user/ada%2Fx?max=100&clocks=true"]
    dialog.get_by_role("button", name="Keep all").click()
    expect(analysis.toast).to_have_text("2 games are kept in your games.")
    # Which can be undone, and done again.
    dialog.get_by_role("button", name="Undo: delete the 2 games").click()
    expect(analysis.toast).to_have_text("2 games are deleted again.")
    dialog.get_by_role("button", name="Keep all").click()
    expect(dialog.get_by_role("button", name="Undo")).to_be_visible()
    choices.first.click()
    analysis.button("Moves of your games").click()
    known = analysis.panel.locator(".tables .own")
    expect(known).to_have_text(["e4 1: 100 % (+1 =0 −0)", "e4 1: 50 % (+0 =1 −0)"])
    expect(analysis.panel.locator(".tables")).to_contain_text("Your games with Black")
    expect(known.last.locator(".chances")).to_have_attribute("aria-label", "You win 0 %, draw 100 %, You lose 0 %")
    known.first.click()
    expect(known).to_have_text(["e5 1: 100 % (+1 =0 −0)", "c5 1: 50 % (+0 =1 −0)"])
    # With the symbol that a move has in the game.
    known.first.click()
    analysis.choose("Symbols", "interesting move")
    analysis.press("ArrowLeft")
    expect(known).to_have_text(["e5!? 1: 100 % (+1 =0 −0)", "c5 1: 50 % (+0 =1 −0)"])
    analysis.press("ArrowRight")
    analysis.choose("Symbols", "interesting move")
    analysis.press("ArrowLeft")
    # The name that was said to be one's own is now in the settings; without it the games are those of others.
    settings = analysis.settings()
    expect(settings.field("on lichess.org")).to_have_value("ada/x")
    settings.fill("on lichess.org", "")
    settings.close()
    expect(known).to_have_count(0)
    expect(analysis.panel.locator(".tables")).to_contain_text("You finished no game with this position.")
    # A change is kept in place of the game, under the name it has in the library.
    analysis.library().locator("li .row").first.click()
    analysis.play("e2", "e4")
    analysis.choose("Edit", "Keep in your games")
    expect(analysis.toast).to_have_text("1 game is kept in your games.")
    expect(analysis.library().locator("li")).to_have_count(2)


def test_games_of_chess_com(board: Board, analysis: Analysis) -> None:
    """The latest games, month by month until there are enough; a user's games are seen from the side they played."""
    months = "https://api.chess.com/pub/player/ada/games/"
    archives = json.dumps({"archives": [f"{months}2026/{month:02}" for month in (8, 9, 10)]})
    game = '[Event "Live Chess"]\n[White "{}"]\n[Black "{}"]\n\n1. e4 e5 1-0\n'
    september = "".join(game.format(name, "Ada") for name in ("Old", "Middle", "Bo"))
    answers = {f"{months}archives": archives, f"{months}2026/10/pgn": "", f"{months}2026/09/pgn": september}
    dialog, asked = open_import(analysis, answers)
    dialog.get_by_label("Site").select_option("chess.com")
    expect(dialog).to_contain_text("Your browser asks api.chess.com for the public games of this user")
    dialog.get_by_label("User name").fill("Nobody")
    get = dialog.get_by_role("button", name="Get the games")
    # Chromium reports what is not found.
    get.click()
    expect(dialog).to_contain_text("No games from chess.com: there is no such user.")
    board.faults.clear()
    dialog.get_by_label("User name").fill("Ada")
    dialog.get_by_label("Number of games").fill("2")
    get.click()
    expect(dialog.locator(".choices button")).to_contain_text(["Bo", "Middle"])
    assert asked[1:] == [f"{months}archives", f"{months}2026/10/pgn", f"{months}2026/09/pgn"]
    dialog.locator(".choices button").first.click()
    expect(analysis.panel.locator(".player .name")).to_have_text(["Bo", "Ada"])


def test_symbols_and_drawings_are_kept(analysis: Analysis) -> None:
    analysis.play("e2", "e4")
    analysis.choose("Symbols", "good move")
    marks = analysis.panel.locator(".moves .mark")
    expect(marks).to_have_count(1)
    # Choosing a symbol again removes it.
    for symbol, count in [
        ("White is slightly better", 2),
        ("novelty", 3),
        ("White is slightly better", 2),
        ("novelty", 1),
        ("White is slightly better", 2),
    ]:
        analysis.choose("Symbols", symbol)
        expect(marks).to_have_count(count)
    analysis.square("d5").click(button="right")
    expect(analysis.shapes).to_have_count(1)
    assert "1. e4 $1 $14 {[%csl Gd5]}" in " ".join(analysis.pgn().split())
    # A click does not remove what is kept.
    analysis.click("e5")
    expect(analysis.shapes).to_have_count(1)
    analysis.square("d5").click(button="right")
    expect(analysis.shapes).to_have_count(0)


def test_how_moves_are_entered(board: Board, play: Play) -> None:
    settings = play.settings()
    settings.fill("Your name", "Ada Byron")
    settings.choose("Always promote to a queen", "Confirm moves in Play")
    settings.close()
    play.new_game(side="White", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1", elo=800)
    expect(play.panel.locator(".player > b").last).to_have_text("Ada Byron")
    play.click("a7", "a8")
    play.button("Cancel").click()
    play.expect_plies(0)
    play.click("a7", "a8")
    play.button("Play a8=Q+").click()
    play.expect_plies(2)
    # Only the board, and back.
    play.page.keyboard.press("Alt+z")
    expect(play.button("Resign")).to_be_hidden()
    expect(play.page.locator("#settings")).to_be_hidden()
    play.page.keyboard.press("Escape")
    expect(play.button("Resign")).to_be_visible()


def test_typed_moves_are_confirmed(play: Play) -> None:
    """With the origin, with hyphens and with small letters, which mean a pawn where it can move."""
    settings = play.settings()
    settings.choose("Confirm moves in Play")
    settings.close()
    play.new_game(fen="6k1/P7/8/8/2p5/1P6/4B3/R3K2R w KQ - 0 1")
    moves = {
        "bc4": "bxc4", "Be2-c4": "Bxc4+", "Be2c4": "Bxc4+", "e2-c4": "Bxc4+", "bd3": "Bd3", "a8q": "a8=Q+", "Rhg1": "Rg1+",
        "o-o": "O-O", "E1-c1": "O-O-O",
    }  # fmt: skip
    for text, san in moves.items():
        play.type(text)
        expect(play.claims).to_have_text([f"Play {san}".replace("-", "\u2011"), "Cancel"])
        play.button("Cancel").click()
    play.expect_plies(0)
