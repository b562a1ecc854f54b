"""The mode Tri-D: moves in both views, boards, castling, promotion, the keyboard, and a lost connection.

What is legal, and the position after each move, is that of the slow reference in scripts/checks/tridim_rules.py.
"""

from __future__ import annotations

import re

from checks import tridim_rules as rules
from conftest import Board
from modes import box
from tridim_mode import VIEWS, Tridim

import pytest
from playwright.sync_api import expect

CASTLING = (
    "W:4/2P1/P+1BP+/NQBN,N:4/1p2/1P2/4,B:nb1n/p+b2/2pp/4,QL1w:P+P+/R+1,KL1w:P+P+/K+R+,QL6b:r+q/p+p+,KL6b:k+r+/p+p+ w - 0 5"
)
# King and rook side by side on the queen's side, and of Black.
CASTLING_ON_QL = "W:4/4/4/4,N:4/4/4/4,B:4/4/4/4,QL1w:2/R+K+,KL1w:2/2,QL6b:2/2,KL6b:2/k1 w - 0 5"
# A rook attacks what the king crosses.
CROSSED = "W:4/4/4/4,N:4/4/4/4,B:2r1/4/4/4,QL1w:2/R+1,KL1w:2/K+R+,QL6b:1k/2,KL6b:2/2 w - 0 9"
CASTLING_OF_BLACK = "W:4/4/4/3K,N:4/4/4/4,B:4/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:r+1/2,KL6b:k+r+/2 b - 0 5"
LONE_KNIGHT = "W:4/4/4/K3,N:4/4/4/4,B:4/4/4/4,QL1w:2/N1,KL1w:2/2,QL6b:1k/2,KL6b:2/2 w - 0 9"
PROMOTION = "W:4/4/4/K3,N:4/4/4/4,B:4/1P2/4/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:1k/2 w - 0 9"
# The pawn on a8 promotes when the board above it leaves.
WAITING_PAWN = "W:4/4/4/3K,N:4/4/4/4,B:P3/4/3k/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 b - 0 9"
PINNED = "W:4/4/1K2/4,N:4/4/1N2/4,B:1r2/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w - 0 9"
FIFTY_MOVES = "W:4/4/4/R1K1,N:4/4/4/4,B:1k2/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 w - 100 90"
# A game to mate with a board move and a promotion; White's moves are the engine's.
OPENING = "Na1W-b3W Na8B-b6B Nd1W-c3W a7B-a6N a2W-a4W Bb8B-a7B a4W-a5N d7B-d5N a5Nxb6B Nd8B-c6N"
REST = """
    b6Bxa7B d8KL6-d6N a7Bxz8QL6 a8QL6-a7B z8QL6xa9QL6=Q Kd9KL6-d8KL6 Qa9QL6-a8B QL6-QL5 c2W-c3N b7B-b5B Qa8Bxc6N
    Bc8B-a6B Qc6Nxa6B Kd8KL6-d7B Qa6Bxa7B Kd7B-c6N Qa7Bxa6N Kc6N-d7B Qa6Nxz5QL5 Kd7B-c6B Qz5QL5-b5N Kc6B-d6B Nc3Wxb5B
"""


def test_a_game_to_mate(tridim: Tridim) -> None:
    """By clicks and drags in turn, from the middle of a game; the last move is marked in both views."""
    position = rules.read(rules.START)
    for text in OPENING.split():
        position = rules.legal_moves(position)[text]
    tridim.new_game(position.text())
    for ply, text in enumerate(REST.split()):
        move = re.fullmatch(r"[NBRQK]?([a-z]\d\w+|[QK]L\d)[-x](\w+?)(=Q)?", text)
        assert move
        origin, destination, promotion = move.groups()
        view = VIEWS[ply // 2 % 2]
        if ply % 2:
            tridim.press(view, origin, destination)
        else:
            tridim.pull(view, origin, destination)
        if promotion:
            tridim.promote("Queen")
        tridim.confirm()
        expect(tridim.words).to_have_count(ply + 1)
        position = rules.legal_moves(position)[text]
        if ply < 5:
            assert [tridim.marked(view, ".cell.last") for view in VIEWS] == [{origin, destination}] * 2
    assert tridim.position() == position.text()
    expect(tridim.status).to_have_text("White wins by checkmate. 1-0")
    assert tridim.marked("flat", ".cell.check") == {position.king("b")}
    expect(tridim.button("Resign")).to_be_disabled()


@pytest.mark.parametrize(("view", "empty_square"), [("flat", "a0QL1"), ("space", "z1QL1")])
def test_attack_boards(tridim: Tridim, view: str, empty_square: str) -> None:
    """A board moves by dragging, and by choosing board and pin; an empty square of a board is a part of it."""
    tridim.new_game(LONE_KNIGHT)
    tridim.press("flat", "QL1")
    assert [tridim.marked(view, ".pin.open") for view in VIEWS] == [{"QL2", "QL3"}] * 2
    tridim.page.keyboard.press("Escape")
    tridim.pull(view, "QL1", "QL2")
    tridim.confirm()
    tridim.expect_position(LONE_KNIGHT, "QL1-QL2")
    assert tridim.marked(view, ".cell.last") == {"z0QL1", "z4QL2"} & tridim.marked(view, ".cell")
    tridim.undo()
    tridim.move(view, empty_square, "QL3")
    tridim.expect_position(LONE_KNIGHT, "QL1-QL3")
    tridim.undo()
    # Not to a pin that is too far away.
    tridim.press("flat", "QL1", "QL5")
    expect(tridim.toast).to_have_text("The board on QL1 can move to QL2, QL3, KL1, not to QL5.")


def test_a_board_rotates_in_place(tridim: Tridim) -> None:
    tridim.new_game(LONE_KNIGHT, rotation=True)
    tridim.press("space", "QL1")
    assert [tridim.marked(view, ".level.turns") for view in VIEWS] == [{"QL1"}] * 2
    tridim.page.keyboard.press("Escape")
    tridim.move("space", "QL1", "QL1")
    tridim.expect_position(LONE_KNIGHT, "QL1-QL1", rotation=True)


def test_an_invalid_position_is_explained(tridim: Tridim) -> None:
    """The dialog stays open with its text, and the game as it was."""
    tridim.new_game(LONE_KNIGHT)
    tridim.button("New game…").click()
    dialog = tridim.dialog("New game")
    text = dialog.get_by_label("Position as text")
    text.fill("W:4/4/4 w - 0 1")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_have_text("Board W: found 3 ranks, expected 4, separated by '/'.")
    expect(text).to_have_value("W:4/4/4 w - 0 1")
    dialog.get_by_role("button", name="Cancel").click()
    assert tridim.position() == LONE_KNIGHT


@pytest.mark.parametrize(
    ("position", "text", "king", "destination", "rook"),
    [
        (CASTLING, "O-O", "d0KL1", "e0KL1", "e0KL1"),
        (CASTLING, "O-O-O", "d0KL1", "a0QL1", "z0QL1"),
        (CASTLING_ON_QL, "O-O", "a0QL1", "z0QL1", "z0QL1"),
        (CASTLING_OF_BLACK, "O-O", "d9KL6", "e9KL6", "e9KL6"),
        (CASTLING_OF_BLACK, "O-O-O", "d9KL6", "a9QL6", "z9QL6"),
    ],
)
def test_castling(tridim: Tridim, position: str, text: str, king: str, destination: str, rook: str) -> None:
    """By the king and by its button: squares highlighted before, the reference's position after."""
    tridim.new_game(position)
    for view in VIEWS:
        tridim.press(view, king)
        assert {king, destination} <= tridim.marked(view, ".cell.castling-king")
        assert destination in tridim.marked(view, ".cell.target")
        tridim.press(view, destination)
        expect(tridim.confirmation).to_contain_text(f"king {king}–{destination}, rook {rook}–{king}")
        assert tridim.marked(view, ".cell.castling-king") == {king, destination}
        expect(tridim.panel.locator(f".{view} .way")).to_have_count(2)
        tridim.confirm()
        tridim.expect_position(position, text)
        tridim.undo()
    name = "O-O-O" if text == "O-O-O" else "O-O kingside"
    tridim.panel.locator(".castling li.open").get_by_role("button", name=name).first.click()
    tridim.confirm()
    tridim.expect_position(position, text)


def test_an_activated_board_takes_castling_away(tridim: Tridim) -> None:
    tridim.new_game(CROSSED)
    castling = tridim.panel.locator(".castling li.open")
    expect(castling).to_have_count(2)
    expect(tridim.button("Activate board")).to_be_hidden()
    tridim.press("flat", "QL1")
    tridim.button("Activate board").click()
    expect(castling).to_have_count(0)
    assert tridim.position() == CROSSED.replace(" w ", " w@QL1 ")
    tridim.button("Release board").click()
    expect(castling).to_have_count(2)


def test_promotion(tridim: Tridim) -> None:
    tridim.new_game(PROMOTION)
    tridim.press("space", "b7B", "b8B")
    tridim.promote("Knight")
    tridim.confirm()
    tridim.expect_position(PROMOTION, "b7B-b8B=N")
    # The opponent's board leaves: the pawn that waited below promotes first.
    tridim.new_game(WAITING_PAWN)
    tridim.move("flat", "QL6", "QL5")
    expect(tridim.dialog("Promote to")).to_be_visible()
    tridim.page.keyboard.press("Escape")
    expect(tridim.status).to_have_text("White must first promote the pawn on a8B.")
    tridim.press("flat", "a8B")
    tridim.promote("Rook")
    tridim.confirm()
    after = rules.legal_moves(rules.read(WAITING_PAWN))["QL6-QL5"].text()
    tridim.expect_position(after, "a8B=R", 2)


def test_illegal_moves_are_explained(tridim: Tridim) -> None:
    tridim.press("space", "KL1")
    expect(tridim.toast).to_have_text("The board on KL1 carries 4 pieces; it moves with at most one.")
    tridim.new_game(PINNED)
    for view in VIEWS:
        tridim.press(view, "b4N", "c6N")
        expect(tridim.toast).to_have_text("The knight on b4N is pinned to its king.")
        assert [tridim.marked(other, ".cell.reason") for other in VIEWS] == [{"b4N", "b8B"}] * 2
    assert tridim.position() == PINNED
    tridim.typed.fill("Kb2W-b9")
    tridim.typed.press("Enter")
    expect(tridim.toast).to_contain_text("Invalid move 'Kb2W-b9'")


def test_keyboard(tridim: Tridim) -> None:
    """From square to square with the arrows, up and down the levels, and without a pointer to the end of the move."""
    press = tridim.page.keyboard.press
    for view in VIEWS:
        tridim.panel.locator(f".{view} .cell[tabindex='0']").focus()
        focused = tridim.panel.locator(f".{view} .cell:focus")
        expect(focused).to_have_attribute("data-square", "b1W")
        for key, square in (("ArrowUp", "b2W"), ("ArrowLeft", "a2W"), ("ArrowRight", "b2W")):
            press(key)
            expect(focused).to_have_attribute("data-square", square)
        press("Enter")
        expect(focused).to_have_attribute("aria-label", "b2W, white pawn")
        for key, square in (("ArrowUp", "b3W"), ("ArrowUp", "b4W"), ("PageUp", "b4N")):
            press(key)
            expect(focused).to_have_attribute("data-square", square)
        expect(focused).to_have_attribute("aria-label", "b4N, empty, legal move")
        press("Enter")
        press("Enter")
        tridim.expect_position(rules.START, "b2W-b4N")
        tridim.new_game()
    # Escape leaves everything as it was.
    tridim.panel.locator(".flat .cell[data-square='b2W']").press("Enter")
    assert tridim.marked("flat", ".cell.target") == {"b3W", "b3N", "b4W", "b4N"}
    press("Escape")
    assert not tridim.marked("flat", ".cell.target")


def test_confirmation(tridim: Tridim) -> None:
    """A move is played only when it is confirmed, unless the confirmation is off; that is remembered."""
    tridim.press("flat", "b2W", "b3W")
    expect(tridim.confirmation).to_contain_text("Play b2W-b3W?")
    tridim.button("Cancel").click()
    assert tridim.position() == rules.START
    tridim.field("Confirm moves").uncheck()
    tridim.press("flat", "b2W", "b3W")
    tridim.expect_position(rules.START, "b2W-b3W")
    tridim.page.reload()
    expect(tridim.field("Confirm moves")).not_to_be_checked()
    tridim.expect_position(rules.START, "b2W-b3W")


def test_the_engine_and_its_hints(tridim: Tridim) -> None:
    """A hint is shown and not played; every move has the time when it was made; the moves are rows of two."""
    tridim.think_for(0.05)
    tridim.button("Hint").click()
    expect(tridim.status).to_have_text(re.compile(r"^Try \S+\.$"))
    hint = tridim.status.inner_text().removeprefix("Try ").removesuffix(".")
    assert hint in rules.legal_moves(rules.read(rules.START))
    expect(tridim.words).to_have_count(0)
    for count in range(1, 7):
        tridim.button("Engine move").click()
        expect(tridim.words).to_have_count(count)
    expect(tridim.words.first).to_have_attribute("title", re.compile("^played at .*20"))
    rows = [box(row) for row in tridim.panel.locator(".moves li").all()]
    assert len(rows) == 3 == len({row["y"] for row in rows}) and len({row["x"] for row in rows}) == 1


def test_the_engine_moves_in_a_game_that_is_continued(tridim: Tridim) -> None:
    tridim.think_for(600)
    tridim.new_game(side="White")
    tridim.move("space", "b2W", "b4N")
    expect(tridim.button("Move now")).to_be_visible()
    # This is for the next search, not for the one that runs.
    tridim.think_for(0.05)
    tridim.library().get_by_role("button", name="Continue").click()
    expect(tridim.words).to_have_count(2)


@pytest.mark.program
def test_lost_connection(board: Board, tridim: Tridim) -> None:
    """The server is killed while the engine thinks: the page says so, and the game resumes."""
    tridim.think_for(600)
    tridim.new_game(side="White")
    tridim.move("space", "b2W", "b4N")
    expect(tridim.button("Move now")).to_be_visible()
    board.restart(tridim.page)
    # The engine thinks again.
    tridim.button("Move now").click()
    expect(tridim.words).to_have_count(2)
    tridim.button("Undo").click()
    expect(tridim.words).to_have_count(0)
    tridim.button("Redo").click()
    expect(tridim.words).to_have_count(2)
    # The library has it once, as it is now.
    kept = tridim.library().locator("li")
    expect(kept).to_have_text([re.compile("You – Castellan.*Tri-D · 1 move · unfinished")])
    kept.locator(".row").click()
    expect(tridim.words).to_have_count(2)


def test_the_view(tridim: Tridim) -> None:
    """Dragging the background rotates the boards, as do Shift and the arrows; Home restores the view."""
    square = tridim.panel.locator(".space .cell[data-square='b3W'] .square")
    place = square.get_attribute("d") or ""
    stage = tridim.panel.locator(".stage:has(.space)")
    stage.drag_to(stage, source_position={"x": 30, "y": 30}, target_position={"x": 200, "y": 60}, steps=4)
    expect(square).not_to_have_attribute("d", place)
    tridim.button("Reset view").click()
    expect(square).to_have_attribute("d", place)
    tridim.panel.locator(".space .cell[tabindex='0']").press("Shift+ArrowRight")
    expect(square).not_to_have_attribute("d", place)
    tridim.page.keyboard.press("Home")
    expect(square).to_have_attribute("d", place)
    for name in ("Flip", "Spread"):
        tridim.button(name).click()
        expect(square).not_to_have_attribute("d", place)
        tridim.button(name).click()
        expect(square).to_have_attribute("d", place)


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_every_square_can_be_clicked(board: Board, size: str) -> None:
    """Nothing hides a square or a board, in either view and from either side."""
    tridim = board.open(Tridim, size)
    expect(tridim.status).to_have_text("White to move.")
    names = [*rules.read(rules.START).squares(), "QL1", "KL1", "QL6", "KL6"]
    for view in VIEWS:
        tridim.panel.locator(f"[data-view='{view}']").first.click()
        for _ in range(2):
            tridim.panel.locator(f".{view}").scroll_into_view_if_needed()
            for name in names:
                tridim.point(view, name)
            tridim.button("Flip").click()


def test_animation(board: Board) -> None:
    """The piece is drawn on its way, and arrives."""
    places = []
    for motion in (True, False):
        tridim = board.open(Tridim, motion=motion)
        tridim.new_game()
        tridim.page.clock.install(time=0)
        tridim.page.clock.pause_at(1000)
        tridim.move("flat", "b2W", "b4N")
        piece = tridim.panel.locator(".flat .piece[data-square=b4N]")
        expect(piece).to_be_attached()
        for _ in range(4 if motion else 1):
            tridim.page.clock.run_for(100)
            places.append(piece.get_attribute("transform"))
    assert len({*places}) == 4 and places[3] == places[4], places
