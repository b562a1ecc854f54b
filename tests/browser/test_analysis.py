"""The mode Analyze: the search, games with variations, their annotation, what is drawn, and what survives a crash."""

from __future__ import annotations

import re

from conftest import Board
from modes import Analysis, Play, box, is_inside, read_game

import chess
import chess.engine
import chess.pgn
import pytest
from playwright.sync_api import expect

BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1"
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

1. Ke7 *

[Event "Three"]
[White "Clara <i>"]
[Black "Dora"]

1. d4 d5 2. c4 *
"""
DRAWN = "1. e4 {[%csl Gd5,Re5] The idea [%cal Ge2e4,Yd1h5].} e5 *"


def moves_of(node: chess.pgn.GameNode) -> object:
    """A game as python-chess reads it: each move with its annotations, and what follows."""
    comments = [" ".join(text.split()) for text in (node.comment, node.starting_comment)]
    here = (node.move.uci() if isinstance(node, chess.pgn.ChildNode) else "", sorted(node.nags), comments)
    return (here, [moves_of(child) for child in node.variations])


# The search.


def test_lines_are_previewed_and_played(analysis: Analysis) -> None:
    analysis.set_fen(BACK_RANK)
    analysis.engine(True)
    expect(analysis.lines).to_have_count(3)
    analysis.field("Number of lines").select_option("5")
    expect(analysis.lines).to_have_count(5)
    expect(analysis.lines.first).to_have_text(re.compile(r"^\+?#1\s*1\. Re8#$"))
    expect(analysis.field("Evaluation #1")).to_be_visible()
    # Different moves, all of them legal.
    position = chess.Board(BACK_RANK)
    firsts = [text.split()[1] for text in analysis.lines.locator(".step:first-child").all_inner_texts()]
    assert len({position.parse_san(san.replace("\u2011", "-")) for san in firsts}) == 5, firsts
    move = analysis.lines.first.locator(".step").first
    move.hover()
    preview = analysis.panel.locator(".previewing [data-square=e8]")
    expect(preview).to_have_attribute("aria-label", "e8, white rook")
    expect(analysis.fen).to_have_value(BACK_RANK)
    move.click()
    expect(analysis.fen).to_have_value(re.compile("^4R1k1/"))
    expect(analysis.page.get_by_text("White wins by checkmate.")).to_be_visible()
    expect(analysis.lines).to_have_count(0)


def test_threat(analysis: Analysis) -> None:
    """Black threatens mate; in check there is no threat."""
    analysis.set_fen("6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1")
    analysis.button("Threat").click()
    expect(analysis.lines.first).to_contain_text("1... Ra1#")
    expect(analysis.panel.locator(".arrow.threat").first).to_be_attached()
    # The moves cannot be played.
    analysis.lines.first.get_by_role("button").first.click()
    expect(analysis.now).to_have_text("Start")
    analysis.set_fen("6k1/5ppp/8/8/8/7P/5PP1/r5K1 w - - 0 1")
    expect(analysis.facts).to_contain_text("White is in check")


def test_the_engine_is_on_again(analysis: Analysis) -> None:
    for on in (True, False):
        analysis.engine(on)
        analysis.page.reload()
        switch = analysis.page.get_by_role("switch", name="Engine")
        expect(switch).to_be_checked(checked=on)
        expect(analysis.lines).to_have_count(3 if on else 0)


@pytest.mark.program
def test_another_mode_interrupts_the_search_and_a_closed_tab_ends_it(board: Board, analysis: Analysis) -> None:
    analysis.engine(True)
    board.server.expect_search(True)
    analysis.to_tab("Castling")
    board.server.expect_search(False)
    analysis.to_tab("Analyze")
    expect(analysis.page.get_by_role("switch", name="Engine")).to_be_checked()
    expect(analysis.lines).to_have_count(3)
    board.server.expect_search(True)
    analysis.page.close()
    board.server.expect_search(False)


# Games.


def test_a_game_comes_back_as_python_chess_reads_it(analysis: Analysis) -> None:
    analysis.open_game(PGN)
    shown = analysis.panel.locator(".heading").inner_text()
    assert "Morphy, Paul – </h2><b>Müller 1–0" in shown and "<script>" in shown, shown
    assert analysis.page.title() == "Castellan Board"
    text = analysis.movetext()
    for words in ("Before.", 'Best & "<b>"', "Or 1. d4 d5", "1... Nf6 2. c4!?", "2. c4 ⩲", "<i>King's</i> gambit", "Bg4?"):
        assert words in text, f"{words}: {text}"
    ours, theirs = read_game(analysis.pgn()), read_game(PGN)
    assert dict(ours.headers) == dict(theirs.headers)
    assert moves_of(ours) == moves_of(theirs), str(ours)
    name, text = analysis.download()
    assert name == "Morphy_Paul-h2_b_Müller-1858.11.02.pgn"
    assert moves_of(read_game(text)) == moves_of(theirs)


def test_a_file_in_windows_1252(analysis: Analysis) -> None:
    """As older programs write it; in UTF-8 the same text has other bytes."""
    for encoding in ("windows-1252", "utf-8"):
        analysis.upload('[White "Müller"]\n[Black "Dušako"]\n\n1. e4 {schön’} *', encoding)
        expect(analysis.players).to_have_text("Müller – Dušako")
        expect(analysis.comments).to_have_text("schön’")
        analysis.upload("1. d4 *")
        expect(analysis.players).not_to_contain_text("Müller")
    both = b'[White "M\xfcller"]\n' + '[Black "Çelik"]\n\n1. e4 *'.encode()
    analysis.upload(both.decode("latin-1"), "latin-1")
    expect(analysis.players).to_have_text("Müller – Çelik")


def test_a_file_with_several_games(analysis: Analysis) -> None:
    analysis.button("Open…").click()
    analysis.upload(SEVERAL)
    choices = analysis.panel.locator(".choices li")
    expect(choices).to_have_count(3)
    expect(choices.nth(1)).to_contain_text("game 2, line ")
    expect(choices.nth(1).get_by_role("button")).to_have_count(0)
    choices.nth(2).get_by_role("button").click()
    expect(analysis.players).to_have_text("Clara <i> – Dora")
    assert analysis.movetext() == "1. d4 d5 2. c4"
    # The other games of the file, without the broken one, and back to the list.
    expect(analysis.button("Next game of the file")).to_be_disabled()
    analysis.button("Previous game of the file").click()
    expect(analysis.players).to_have_text("Anna – Bert ½–½")
    analysis.button("Next game of the file").click()
    expect(analysis.players).to_have_text("Clara <i> – Dora")
    analysis.button("Game 3 of 3").click()
    expect(choices.nth(2)).to_be_visible()
    choices.nth(0).get_by_role("button").click()
    expect(analysis.players).to_have_text("Anna – Bert ½–½")


def test_a_position_is_played(analysis: Analysis) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    analysis.set_fen(fen)
    expect(analysis.fen).to_have_value(fen)
    analysis.button("Play from here").click()
    dialog = analysis.page.get_by_role("dialog", name="New game")
    expect(dialog.get_by_label("FEN", exact=True)).to_have_value(fen)
    expect(dialog.get_by_label("White", exact=True)).to_be_checked()
    dialog.get_by_role("button", name="Start").click()
    play = Play(analysis.page)
    play.click("e1", "g1")
    expect(play.moves.first).to_have_text("O\u2011O")
    # The next game begins as usual.
    play.button("New game").click()
    expect(dialog.get_by_label("Start position", exact=True)).to_have_value("standard")


def test_errors_are_explained(analysis: Analysis) -> None:
    analysis.play("e2", "e4")
    expect(analysis.now).to_have_text("1. e4")
    analysis.set_fen("4k3/8/8/8/8/8/8/8 w - - 0 1")
    expect(analysis.error).to_contain_text("White has 0 kings")
    analysis.open_text("rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    dialog = analysis.dialog("Open a game")
    expect(dialog.get_by_role("alert")).to_contain_text("unexpected '9' in rank 3")
    dialog.get_by_role("button", name="Close").click()
    # In JSON a line break and a quotation mark count twice: more than a request may have, and more than a game.
    for count, words in (
        (32_000, "The text is too large: the limit is 4 MiB"),
        (28_500, "The game is too large: as PGN it may have 3.75 MiB"),
    ):
        analysis.upload("1. d4 {" + ('"' * 70 + "\n") * count + "} *")
        expect(analysis.error).to_contain_text(re.compile(re.escape(words), re.IGNORECASE))
    assert analysis.movetext() == "1. e4", "the game stays"
    analysis.play("e8", "e6")
    expect(analysis.toast).to_contain_text("king on e8 cannot move to e6")
    analysis.to_tab("Castling")
    expect(analysis.toast).not_to_have_class(re.compile("shown"))


def test_keys_undo_and_redo(analysis: Analysis) -> None:
    analysis.play("e2", "e4", "e7", "e5")
    expect(analysis.now).to_have_text("1... e5")
    for keys, moves in (
        ("Control+z", "1. e4"),
        ("Control+Shift+z", "1. e4 e5"),
        ("Control+z", "1. e4"),
        ("Control+y", "1. e4 e5"),
    ):
        analysis.page.keyboard.press(keys)
        expect(analysis.moves).to_have_count(len(moves.split()) - 1)
        assert analysis.movetext() == moves


def test_variations(analysis: Analysis) -> None:
    analysis.play("e2", "e4", "e7", "e5", "g1", "f3")
    expect(analysis.now).to_have_text("2. Nf3")
    analysis.press("ArrowLeft", "ArrowLeft")
    analysis.play("c7", "c5")
    expect(analysis.now).to_have_text("1... c5")
    analysis.play("g1", "f3")
    expect(analysis.now).to_have_text("2. Nf3")
    assert analysis.movetext() == "1. e4 e5 1... c5 2. Nf3 2. Nf3"
    # The arrow keys: up and down lead to the alternatives, Home and End to the ends of the line.
    for key, shown in (("ArrowUp", "1... e5"), ("ArrowDown", "1... c5"), ("Home", "Start"), ("End", "2. Nf3")):
        analysis.page.keyboard.press(key)
        expect(analysis.now).to_have_text(shown)
    # A move in the text is clicked; its variation becomes the main line, and is deleted.
    variation = analysis.panel.locator(".variation button")
    variation.filter(has_text="c5").click()
    analysis.choose("Edit", "Promote")
    expect(variation.first).to_have_text("1... e5")
    assert analysis.movetext() == "1. e4 c5 1... e5 2. Nf3 2. Nf3"
    analysis.choose("Symbols", "interesting move")
    expect(analysis.panel.locator(".mark")).to_have_text("!?")
    analysis.field("Comment").fill('Sicilian "<b>"')
    analysis.field("Comment").press("Enter")
    expect(analysis.comments).to_have_text('Sicilian "<b>"')
    assert '1. e4 c5 $5 {Sicilian "<b>"} (1... e5 2. Nf3) 2. Nf3 *' in analysis.pgn()
    analysis.choose("Edit", "Delete")
    expect(analysis.now).to_have_text("1. e4")
    assert analysis.movetext() == "1. e4 e5 2. Nf3"
    analysis.choose("Edit", "Undo")
    expect(analysis.comments).to_be_visible()
    analysis.choose("Edit", "Redo")
    expect(analysis.now).to_have_text("1. e4")


def test_symbols_on_the_board_and_while_exploring(analysis: Analysis) -> None:
    """The symbol of a move is on its square, and where other panels list the move."""
    badge = analysis.panel.locator(".badge")
    analysis.open_game("1. f3 $2 (1. e4 $1) 1... e5 2. g4 $4 Qh4# $3 0-1")
    expect(badge).to_have_count(0)
    for symbol in ("?", "", "??", "!!"):
        analysis.press("ArrowRight")
        expect(badge).to_have_text([symbol] if symbol else [])
    # In the square's right upper corner.
    square, placed = box(analysis.square("h4")), box(badge)
    assert placed["x"] + placed["width"] / 2 > square["x"] + square["width"] / 2
    assert placed["y"] + placed["height"] / 2 < square["y"] + square["height"] / 2
    analysis.press("ArrowLeft")
    analysis.engine(True)
    expect(analysis.lines.first).to_have_text(re.compile(r"2\.\.\. Qh4#!!$"))
    expect(analysis.lines.last).not_to_contain_text("!")


def test_the_first_move_may_decide(analysis: Analysis) -> None:
    analysis.open_game('[WhiteAccuracy "50"]\n\n1. g4 $4 {[%eval -1.5]} (1. e4 {[%eval 0.3]}) 1... d5 {[%eval -1.5]} *')
    moment = analysis.panel.locator(".moments li")
    expect(moment).to_have_text("1. g4?? +0.30 → −1.50. Better was e4.")


def test_the_annotation_of_a_game(analysis: Analysis) -> None:
    analysis.open_game(BLUNDERS)
    analysis.annotate("Quick")
    expect(analysis.button("Annotate again")).to_be_visible()
    expect(analysis.panel.locator(".moment.blunder")).to_have_count(1)
    expect(analysis.panel.locator(".summary")).to_contain_text(re.compile(r"Blunders \?\?\s*0\s*1"))
    assert "Ke7??" in analysis.movetext()
    annotated = read_game(analysis.pgn())
    assert annotated.headers["Annotator"].startswith("Castellan")
    after = [node.eval() for node in annotated.mainline()]
    # The last move mates; a mate in one is what the blunder allows.
    assert after[3] == chess.engine.PovScore(chess.engine.Mate(1), chess.WHITE) and after[4] is None, after
    # The graph leads through the game.
    graph = analysis.panel.locator(".graph")
    graph.click(position={"x": box(graph)["width"] * 0.8, "y": box(graph)["height"] / 2})
    expect(analysis.now).to_have_text("2... Ke7??")
    expect(analysis.panel.get_by_label(re.compile(r"^Evaluation \+?#1$"))).to_be_visible()


@pytest.mark.program
def test_an_annotation_is_canceled(board: Board, analysis: Analysis) -> None:
    analysis.open_game(LONG)
    analysis.annotate("Deep")
    expect(analysis.panel.locator(".progress")).to_contain_text("0 of 48")
    # Meanwhile the game can be walked through.
    analysis.press("ArrowRight", "ArrowRight")
    expect(analysis.now).to_have_text("1... e5")
    analysis.button("Cancel the annotation").click()
    expect(analysis.button("Annotate game")).to_be_visible()
    board.server.expect_search(False)
    assert "[%eval" not in analysis.pgn()


@pytest.mark.program
def test_the_game_survives_the_server(board: Board, analysis: Analysis) -> None:
    analysis.open_game(PGN)
    analysis.press("ArrowRight", "ArrowDown", "ArrowRight")
    expect(analysis.now).to_have_text("1... d5")
    analysis.engine(True)
    text, fen = analysis.movetext(), analysis.fen.input_value()
    board.restart(analysis.page)
    expect(analysis.lines).to_have_count(3)
    assert (analysis.movetext(), analysis.fen.input_value()) == (text, fen)
    # A move can be played, so that the server has the game too.
    analysis.play("b1", "c3")
    expect(analysis.now).to_have_text("2. Nc3")
    assert moves_of(read_game(analysis.pgn())) != moves_of(read_game(PGN))
    analysis.page.reload()
    expect(analysis.now).to_have_text("2. Nc3")
    expect(analysis.page.get_by_role("switch", name="Engine")).to_be_checked()


@pytest.mark.program
def test_a_file_does_not_survive_the_server(board: Board, analysis: Analysis) -> None:
    """Its game does, and nothing is offered that the server no longer knows."""
    analysis.upload(SEVERAL)
    dialog = analysis.dialog("Open a game")
    dialog.locator(".choices button").first.click()
    place, annotate = analysis.button("Game 1 of 3"), dialog.get_by_role("button", name="Annotate them")
    expect(place).to_be_visible()
    board.restart(analysis.page)
    expect(place).to_be_hidden()
    expect(analysis.players).to_have_text("Anna – Bert ½–½")
    analysis.upload(SEVERAL)
    dialog.get_by_role("button", name="Keep all").click()
    expect(annotate).to_be_visible()
    board.restart(analysis.page)
    expect(annotate).to_be_hidden()
    expect(dialog.get_by_label("PGN or FEN")).to_be_visible()


# What is drawn.


def shapes(analysis: Analysis) -> list[str]:
    return sorted(analysis.shapes.evaluate_all("all => all.map(one => one.getAttribute('class').replace(' drawn', ''))"))


def draw(analysis: Analysis, origin: str, destination: str) -> None:
    analysis.square(origin).hover()
    analysis.page.mouse.down(button="right")
    analysis.square(destination).hover()
    analysis.page.mouse.up(button="right")


def test_arrows_and_circles(analysis: Analysis) -> None:
    draw(analysis, "e2", "e4")
    draw(analysis, "d5", "d5")
    assert shapes(analysis) == ["arrow green", "circle green"]
    # Another color replaces the one before.
    for key, color in (("Shift", "red"), ("Alt", "blue")):
        analysis.page.keyboard.down(key)
        draw(analysis, "a1", "a8")
        analysis.page.keyboard.up(key)
        assert shapes(analysis) == sorted([f"arrow {color}", "arrow green", "circle green"])
    # The same again removes it; the rest belongs to the position.
    draw(analysis, "d5", "d5")
    analysis.click("e5")
    assert shapes(analysis) == ["arrow blue", "arrow green"]
    analysis.play("e2", "e4")
    expect(analysis.now).to_have_text("1. e4")
    assert shapes(analysis) == []
    analysis.press("ArrowLeft")
    expect(analysis.shapes).to_have_count(2)
    assert shapes(analysis) == ["arrow blue", "arrow green"]


def test_shapes_of_a_pgn_and_the_wheel(analysis: Analysis) -> None:
    analysis.open_game(DRAWN)
    analysis.square("e4").hover()
    analysis.page.mouse.wheel(0, 120)
    expect(analysis.now).to_have_text("1. e4")
    expect(analysis.shapes).to_have_count(4)
    assert shapes(analysis) == ["arrow green", "arrow yellow", "circle green", "circle red"]
    # A comment is changed, and they stay.
    analysis.field("Comment").fill("Better.")
    analysis.page.keyboard.press("Enter")
    expect(analysis.comments).to_have_text("Better.")
    expect(analysis.shapes).to_have_count(4)
    # The wheel leaves the move whose comment is being written.
    analysis.field("Comment").fill("Best.")
    analysis.square("e4").hover()
    for by, shown, count in ((120, "1... e5", 0), (-120, "1. e4", 4)):
        analysis.page.mouse.wheel(0, by)
        expect(analysis.now).to_have_text(shown)
        expect(analysis.shapes).to_have_count(count)
        expect(analysis.comments).to_have_text("Best.")


def test_symbols_need_no_font(analysis: Analysis) -> None:
    analysis.open_game("1. e4 e5 2. Nc3 $14 $2 *")
    name = analysis.moves.filter(has_text="Nc3").locator("b")
    expect(name).to_have_text(re.compile(r"^Nc3\?\s*⩲$"))
    expect(name.locator(".glyph svg path")).to_have_count(1)


def test_evaluation_is_readable(board: Board) -> None:
    analysis = board.open(Analysis, "phone")
    analysis.engine(True)
    label = analysis.panel.locator(".evaluation span")
    expect(label).not_to_be_empty()
    assert label.evaluate("one => parseFloat(getComputedStyle(one).fontSize) >= 12 && one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize("size", ["desktop", "small", "large"])
def test_the_move_shown_stays_in_view(board: Board, size: str) -> None:
    analysis = board.open(Analysis, size)
    analysis.open_game(LONG)
    analysis.press("End")
    here, moves = analysis.panel.locator(".moves .here"), analysis.panel.locator(".moves")
    assert is_inside(here, moves)
    analysis.press("ArrowLeft")
    analysis.engine(True)
    assert is_inside(here, moves)
