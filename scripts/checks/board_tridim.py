"""The mode Tri-D of Castellan Board: moves in both views, boards, castling, promotion, the engine, and a lost connection.

What is legal, and the position after each move, is that of the slow reference in checks/tridim_rules.py.
"""

from __future__ import annotations

import random
import re
from itertools import islice

from playwright.sync_api import Locator, Page, expect

from . import tridim_rules as rules
from .board import Board, Scene
from .common import CheckError
from .tridim import looks

VIEWS = ("flat", "space")
CASTLING = (
    "W:4/2P1/P+1BP+/NQBN,N:4/1p2/1P2/4,B:nb1n/p+b2/2pp/4,QL1w:P+P+/R+1,KL1w:P+P+/K+R+,QL6b:r+q/p+p+,KL6b:k+r+/p+p+ w - 0 5"
)
# King and rook side by side on the queen's side, and of Black.
CASTLING_ON_QL = "W:4/4/4/4,N:4/4/4/4,B:4/4/4/4,QL1w:2/R+K+,KL1w:2/2,QL6b:2/2,KL6b:2/k1 w - 0 5"
CASTLING_OF_BLACK = "W:4/4/4/3K,N:4/4/4/4,B:4/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:r+1/2,KL6b:k+r+/2 b - 0 5"
LONE_KNIGHT = "W:4/4/4/K3,N:4/4/4/4,B:4/4/4/4,QL1w:2/N1,KL1w:2/2,QL6b:1k/2,KL6b:2/2 w - 0 9"
PROMOTION = "W:4/4/4/K3,N:4/4/4/4,B:4/1P2/4/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:1k/2 w - 0 9"
# The pawn on a8 promotes when the board above it leaves.
WAITING_PAWN = "W:4/4/4/3K,N:4/4/4/4,B:P3/4/3k/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 b - 0 9"
PINNED = "W:4/4/1K2/4,N:4/4/1N2/4,B:1r2/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w - 0 9"
FIFTY_MOVES = "W:4/4/4/R1K1,N:4/4/4/4,B:1k2/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 w - 100 90"
MATE_IN_ONE = "W:4/4/4/K3,N:4/2Q1/4/4,B:4/1N2/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w - 0 9"
# A game to mate with a board move and a promotion; White's moves are the engine's.
WHOLE_GAME = """
    Na1W-b3W Na8B-b6B Nd1W-c3W a7B-a6N a2W-a4W Bb8B-a7B a4W-a5N d7B-d5N a5Nxb6B Nd8B-c6N b6Bxa7B d8KL6-d6N a7Bxz8QL6 a8QL6-a7B
    z8QL6xa9QL6=Q Kd9KL6-d8KL6 Qa9QL6-a8B QL6-QL5 c2W-c3N b7B-b5B Qa8Bxc6N Bc8B-a6B Qc6Nxa6B Kd8KL6-d7B Qa6Bxa7B Kd7B-c6N
    Qa7Bxa6N Kc6N-d7B Qa6Nxz5QL5 Kd7B-c6B Qz5QL5-b5N Kc6B-d6B Nc3Wxb5B
"""
SPACE_AROUND = (30, 30)

# A point of the page where a click means a square, a board or a pin: other boards may cover a part of it.
POINT = """([view, selector, name]) => {
    const shapes = [...document.querySelectorAll(`#tridim .${view} ${selector}`)];
    shapes[0]?.scrollIntoViewIfNeeded();
    const means = (element) => element && element.closest("[data-square], [data-tag], [data-pin]");
    for (const { left, top, width, height } of shapes.map((shape) => shape.getBoundingClientRect())) {
        for (let step = 0; step < 225; step++) {
            const x = left + (width * (((step * 7) % 15) + 0.5)) / 15, y = top + (height * (Math.floor(step / 15) + 0.5)) / 15;
            const found = means(document.elementFromPoint(x, y));
            if (found && found.closest(`.${view}`) && Object.values(found.dataset).includes(name)) return [x, y];
        }
    }
    return null;
}"""


def open_game(board: Board, position: str = "", *, side: str = "both", rotation: bool = False, motion: bool = False) -> Page:
    page = board.open("tridim", motion=motion)
    new_game(page, position, side=side, rotation=rotation)
    return page


def new_game(page: Page, position: str = "", *, side: str = "both", rotation: bool = False) -> None:
    page.get_by_role("button", name="New game…").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_role("radio", name={"both": "Both sides", "white": "White", "black": "Black"}[side]).check()
    dialog.get_by_label("Position as text").fill(position)
    dialog.get_by_label("rotate").set_checked(rotation)
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_be_hidden()
    if side != "black":
        wait_for_position(page, position or rules.START)


def position_of(page: Page) -> str:
    page.get_by_role("button", name="Copy position").click()
    return str(page.evaluate("navigator.clipboard.readText()"))


def wait_for_position(page: Page, expected: str) -> None:
    for _ in range(100):
        if (found := position_of(page)) == expected:
            return
        page.wait_for_timeout(50)
    raise CheckError(f"the position is {found}, expected {expected}")


def point_of(page: Page, view: str, name: str) -> tuple[float, float]:
    if name in rules.SQUARES:
        selectors = [f"[data-square='{name}']"]
    else:
        selectors = [f"[data-tag='{name}']", f"[data-pin='{name}'] .place"]
    for selector in selectors:
        found = page.evaluate(POINT, [view, selector, name])
        if found:
            return found[0], found[1]
    raise CheckError(f"{name} cannot be clicked in the view {view}")


def press(page: Page, view: str, name: str) -> None:
    page.mouse.click(*point_of(page, view, name))


def drag(page: Page, view: str, origin: str, destination: str) -> None:
    page.mouse.move(*point_of(page, view, origin))
    page.mouse.down()
    page.mouse.move(400, 400, steps=3)
    # The pins that are open appear with the drag.
    page.mouse.move(*point_of(page, view, destination), steps=3)
    page.mouse.up()


def confirm(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).click()


def move(page: Page, view: str, origin: str, destination: str) -> None:
    press(page, view, origin)
    press(page, view, destination)
    confirm(page)


def expect_position(page: Page, before: str, text: str, moves: int, *, rotation: bool = False) -> str:
    """The position is that of the reference after a move."""
    after = rules.legal_moves(rules.read(before, rotation))[text].text()
    expect(words(page)).to_have_count(moves)
    found = position_of(page)
    assert found == after, f"after {text}: {found}, expected {after}"
    return found


def words(page: Page) -> Locator:
    """The moves of the game."""
    return page.locator("#tridim .moves li span span")


def marked(page: Page, view: str, kind: str) -> set[str]:
    names = "(selector) => [...document.querySelectorAll(selector)].map(({ dataset: at }) => at.square || at.pin || at.board)"
    return set(page.evaluate(names, f"#tridim .{view} {kind}"))


def test_moves_in_both_views(board: Board) -> None:
    """Moves by clicks in either view; the squares and the boards of both follow."""
    page = open_game(board)
    position = rules.START
    for number, text in enumerate(("b2W-b4N", "c7B-c5N", "b4Nxc5N", "Nd8B-c6N", "Nd1W-c3N"), 1):
        origin, _, destination = text.lstrip("N").replace("x", "-").partition("-")
        move(page, VIEWS[number % 2], origin, destination)
        position = expect_position(page, position, text, number)
        for view in VIEWS:
            assert marked(page, view, ".cell.last") == {origin, destination}


def test_targets(board: Board) -> None:
    """What is highlighted for each piece and board is what the reference allows."""
    page = open_game(board)
    for rotation in (False, True):
        for look in islice(looks(random.Random(11 + rotation), rotation), 5):
            if rules.promoting(look.position, look.position.turn):
                continue
            new_game(page, look.position.text(), rotation=rotation)
            for name, expected in expected_targets(look.position, look.moves).items():
                press(page, "flat", name)
                kind = ".cell.target" if name in rules.SQUARES else ".pin.open, #tridim .flat .level.turns"
                found = {view: marked(page, view, kind.replace(".flat", f".{view}")) for view in VIEWS}
                assert found == dict.fromkeys(VIEWS, expected), f"{look.position.text()} {name}: {found}, expected {expected}"
                page.keyboard.press("Escape")


def expected_targets(position: rules.Position, moves: dict[str, rules.Position]) -> dict[str, set[str]]:
    """For each piece of the side to move, and each board with a legal move, where it may go."""
    targets: dict[str, set[str]] = {
        square: set() for square, piece in position.pieces.items() if rules.side_of(piece) == position.turn
    }
    for text, after in moves.items():
        if text.startswith("O-O"):
            king = position.king(position.turn)
            letter = "R" if position.turn == "w" else "r"
            rooks = {square for square in position.pieces if position.pieces[square] == letter != after.pieces.get(square)}
            targets[king] |= {after.king(position.turn)} | rooks
            continue
        origin, _, destination = text.partition("=")[0].replace("x", "-").partition("-")
        if origin in rules.PINS:
            targets.setdefault(origin, set()).add(destination)
        else:
            targets[origin[-3:] if origin[-3:] in targets else origin[-5:]].add(destination)
    return targets


def test_attack_boards(board: Board) -> None:
    """A board moves by dragging, by choosing board and pin, and rotates in place where the rules allow it."""
    page = open_game(board, LONE_KNIGHT)
    for number, view in enumerate(VIEWS):
        drag(page, view, "QL1", "QL2")
        confirm(page)
        expect_position(page, LONE_KNIGHT, "QL1-QL2", 1)
        assert marked(page, view, ".cell.last") == {"z0QL1", "z4QL2"} & marked(page, view, ".cell")
        page.get_by_role("button", name="Undo").click()
        expect(words(page)).to_have_count(0)
        # An empty square of a board is a part of it.
        press(page, view, ("a0QL1", "z1QL1")[number])
        press(page, view, "QL3")
        confirm(page)
        expect_position(page, LONE_KNIGHT, "QL1-QL3", 1)
        page.get_by_role("button", name="Undo").click()
        expect(words(page)).to_have_count(0)
    # Not to a pin that is too far away.
    press(page, "flat", "QL1")
    press(page, "flat", "QL5")
    expect(page.locator("#toast")).to_have_text("The board on QL1 can move to QL2, QL3, KL1, not to QL5.")
    new_game(page, LONE_KNIGHT, rotation=True)
    press(page, "space", "QL1")
    press(page, "space", "QL1")
    confirm(page)
    expect_position(page, LONE_KNIGHT, "QL1-QL1", 1, rotation=True)


def test_boards_that_cannot_move(board: Board) -> None:
    page = open_game(board)
    press(page, "space", "KL1")
    expect(page.locator("#toast")).to_have_text("The board on KL1 carries 4 pieces; it moves with at most one.")


def test_an_invalid_position_is_explained(board: Board) -> None:
    """The dialog stays open with its text, and the game as it was."""
    page = open_game(board, LONE_KNIGHT)
    page.get_by_role("button", name="New game…").click()
    dialog = page.get_by_role("dialog", name="New game")
    text = dialog.get_by_label("Position as text")
    text.fill("W:4/4/4 w - 0 1")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_have_text("Board W: found 3 ranks, expected 4, separated by '/'.")
    expect(text).to_have_value("W:4/4/4 w - 0 1")
    dialog.get_by_role("button", name="Cancel").click()
    assert position_of(page) == LONE_KNIGHT


def test_castling(board: Board) -> None:
    """Each kind, by the king and by its button: squares highlighted before, the reference's position after."""
    page = board.open("tridim")
    for position, text, king, destination, rook in (
        (CASTLING, "O-O", "d0KL1", "e0KL1", "e0KL1"),
        (CASTLING, "O-O-O", "d0KL1", "a0QL1", "z0QL1"),
        (CASTLING_ON_QL, "O-O", "a0QL1", "z0QL1", "z0QL1"),
        (CASTLING_OF_BLACK, "O-O", "d9KL6", "e9KL6", "e9KL6"),
        (CASTLING_OF_BLACK, "O-O-O", "d9KL6", "a9QL6", "z9QL6"),
    ):
        for view in VIEWS:
            new_game(page, position)
            press(page, view, king)
            assert {king, destination} <= marked(page, view, ".cell.castling-king")
            assert destination in marked(page, view, ".cell.target")
            press(page, view, destination)
            expect(page.locator(".confirmation")).to_contain_text(f"king {king}–{destination}, rook {rook}–{king}")
            assert marked(page, view, ".cell.castling-king") == {king, destination}
            expect(page.locator(f".{view} .way")).to_have_count(2)
            confirm(page)
            expect_position(page, position, text, 1)
        new_game(page, position)
        option = page.locator("#tridim .castling li.open").filter(has=page.get_by_role("button", name=f"{text} ", exact=False))
        name = "O-O-O" if text == "O-O-O" else "O-O kingside"
        option.get_by_role("button", name=name).first.click()
        confirm(page)
        expect_position(page, position, text, 1)


def test_castling_that_is_not_available(board: Board) -> None:
    """The reason stands where the button would be."""
    page = open_game(board)
    options = page.locator("#tridim .castling li")
    expect(options).to_have_count(3)
    for number in range(3):
        expect(options.nth(number)).to_contain_text("Castling is not allowed as the first move")
    new_game(page, CASTLING)
    expect(options.nth(1)).to_contain_text("The king is not on rank 0 of QL1")


def test_promotion(board: Board) -> None:
    page = open_game(board, PROMOTION)
    press(page, "space", "b7B")
    press(page, "space", "b8B")
    page.get_by_role("dialog", name="Promote to").get_by_role("button", name="Knight").click()
    confirm(page)
    expect_position(page, PROMOTION, "b7B-b8B=N", 1)
    # The opponent's board leaves: the pawn that waited below promotes first.
    new_game(page, WAITING_PAWN)
    press(page, "flat", "QL6")
    press(page, "flat", "QL5")
    confirm(page)
    dialog = page.get_by_role("dialog", name="Promote to")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#tridim .status")).to_have_text("White must first promote the pawn on a8B.")
    press(page, "flat", "a8B")
    dialog.get_by_role("button", name="Rook").click()
    confirm(page)
    after = rules.legal_moves(rules.read(WAITING_PAWN))["QL6-QL5"].text()
    expect_position(page, after, "a8B=R", 2)


def test_illegal_moves_are_explained(board: Board) -> None:
    page = open_game(board, PINNED)
    for view in VIEWS:
        press(page, view, "b4N")
        press(page, view, "c6N")
        expect(page.locator("#toast")).to_have_text("The knight on b4N is pinned to its king.")
        for other in VIEWS:
            assert marked(page, other, ".cell.reason") == {"b4N", "b8B"}
    assert position_of(page) == PINNED
    typed = page.get_by_label("Move", exact=True)
    typed.fill("Kb2W-b9")
    typed.press("Enter")
    expect(page.locator("#toast")).to_contain_text("Invalid move 'Kb2W-b9'")
    typed.fill("Ka3W")
    typed.press("Enter")
    confirm(page)
    expect_position(page, PINNED, "Kb2W-a3W", 1)


def test_a_whole_game(board: Board) -> None:
    """From the first move to mate, by clicks and drags in turn."""
    page = open_game(board)
    position = rules.read(rules.START, False)
    for ply, text in enumerate(WHOLE_GAME.split()):
        origin, destination, promotion = re.fullmatch(r"[NBRQK]?([a-z]\d\w+|[QK]L\d)[-x](\w+?)(=Q)?", text).groups()  # type: ignore[union-attr]
        view = "flat" if ply % 4 < 2 else "space"
        if ply % 2:
            press(page, view, origin)
            press(page, view, destination)
        else:
            drag(page, view, origin, destination)
        if promotion:
            page.get_by_role("dialog", name="Promote to").get_by_role("button", name="Queen").click()
        confirm(page)
        expect(words(page)).to_have_count(ply + 1)
        position = rules.legal_moves(position)[text]
    assert position_of(page) == position.text()
    expect(page.locator("#tridim .status")).to_have_text("White wins by checkmate. 1-0")


def test_hint_and_times(board: Board) -> None:
    """A hint is shown and not played; every move has the time when it was made."""
    page = open_game(board)
    page.locator("#tridim .amount").fill("0.05")
    page.locator("#tridim .amount").press("Enter")
    page.get_by_role("button", name="Hint").click()
    status = page.locator("#tridim .status")
    expect(status).to_have_text(re.compile(r"^Try \S+\.$"))
    hint = status.inner_text().removeprefix("Try ").removesuffix(".")
    assert hint in rules.legal_moves(rules.read(rules.START, False))
    expect(words(page)).to_have_count(0)
    move(page, "flat", "b2W", "b3W")
    expect(words(page)).to_have_attribute("title", re.compile("^played at .*20"))


def test_typed_castling_is_confirmed(board: Board) -> None:
    page = open_game(board, CASTLING)
    typed = page.get_by_label("Move", exact=True)
    # The king on its rook's square means castling.
    typed.fill("Kd0KL1-e0KL1")
    typed.press("Enter")
    expect(page.locator("#toast")).to_have_text("e0KL1 is occupied by a piece of the same side; to castle, type O-O.")
    typed.fill("O-O")
    typed.press("Enter")
    expect(page.locator(".confirmation")).to_contain_text("Play O-O: king d0KL1–e0KL1, rook e0KL1–d0KL1?")
    expect(words(page)).to_have_count(0)
    confirm(page)
    expect_position(page, CASTLING, "O-O", 1)


def test_keyboard(board: Board) -> None:
    """From square to square with the arrows, up and down the levels, and without a pointer to the end of the move."""
    page = open_game(board)
    for view in VIEWS:
        page.locator(f".{view} .cell[tabindex='0']").focus()
        expect(page.locator(f".{view} .cell:focus")).to_have_attribute("data-square", "b1W")
        for key, square in (("ArrowUp", "b2W"), ("ArrowLeft", "a2W"), ("ArrowRight", "b2W")):
            page.keyboard.press(key)
            expect(page.locator(f".{view} .cell:focus")).to_have_attribute("data-square", square)
        page.keyboard.press("Enter")
        expect(page.locator(f".{view} .cell:focus")).to_have_attribute("aria-label", "b2W, white pawn")
        for key, square in (("ArrowUp", "b3W"), ("ArrowUp", "b4W"), ("PageUp", "b4N")):
            page.keyboard.press(key)
            expect(page.locator(f".{view} .cell:focus")).to_have_attribute("data-square", square)
        expect(page.locator(f".{view} .cell:focus")).to_have_attribute("aria-label", "b4N, empty, legal move")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect_position(page, rules.START, "b2W-b4N", 1)
        new_game(page)
        expect(words(page)).to_have_count(0)
    # Escape leaves everything as it was.
    page.locator(".flat .cell[data-square='b2W']").focus()
    page.keyboard.press("Enter")
    assert marked(page, "flat", ".cell.target") == {"b3W", "b3N", "b4W", "b4N"}
    page.keyboard.press("Escape")
    assert not marked(page, "flat", ".cell.target")


def test_confirmation(board: Board) -> None:
    """A move is played only when it is confirmed, unless the confirmation is off; that is remembered."""
    page = open_game(board)
    press(page, "flat", "b2W")
    press(page, "flat", "b3W")
    expect(page.locator(".confirmation")).to_contain_text("Play b2W-b3W?")
    page.get_by_role("button", name="Cancel").click()
    assert position_of(page) == rules.START
    page.get_by_label("Confirm moves").uncheck()
    press(page, "flat", "b2W")
    press(page, "flat", "b3W")
    expect_position(page, rules.START, "b2W-b3W", 1)
    page.reload()
    expect(page.get_by_label("Confirm moves")).not_to_be_checked()
    expect_position(page, rules.START, "b2W-b3W", 1)


def test_view(board: Board) -> None:
    """Dragging the background rotates the boards, as do Shift and the arrows; Home restores the view."""
    page = open_game(board)
    square = page.locator(".space .cell[data-square='b3W'] .square")
    place = square.get_attribute("d")
    box = page.locator(".stage:has(.space)").bounding_box()
    assert box and place
    page.mouse.move(box["x"] + SPACE_AROUND[0], box["y"] + SPACE_AROUND[1])
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 60, steps=4)
    page.mouse.up()
    expect(square).not_to_have_attribute("d", place)
    page.get_by_role("button", name="Reset view").click()
    expect(square).to_have_attribute("d", place)
    page.locator(".space .cell[tabindex='0']").focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(square).not_to_have_attribute("d", place)
    page.keyboard.press("Home")
    expect(square).to_have_attribute("d", place)
    for name in ("Flip", "Spread"):
        page.get_by_role("button", name=name).click()
        page.get_by_role("button", name=name).click()
        expect(square).to_have_attribute("d", place)


def test_every_square_can_be_clicked(board: Board) -> None:
    """Nothing hides a square or a board, in either view and from either side."""
    for size in ("desktop", "phone"):
        page = board.open("tridim", size)
        expect(page.locator("#tridim .status")).to_have_text("White to move.")
        squares = list(rules.read(rules.START).squares())
        for view in VIEWS:
            page.locator(f"#tridim [data-view='{view}']").first.click()
            for _ in range(2):
                page.locator(f".{view}").scroll_into_view_if_needed()
                for name in [*squares, "QL1", "KL1", "QL6", "KL6"]:
                    point_of(page, view, name)
                page.get_by_role("button", name="Flip").click()


def test_animation(board: Board) -> None:
    """The piece is drawn on its way, and arrives."""
    page = open_game(board, motion=True)
    page.evaluate(
        """() => {
            window.places = new Set();
            const look = () => {
                const piece = document.querySelector(".flat .piece[data-square=b4N]");
                if (piece) window.places.add(piece.getAttribute("transform"));
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    move(page, "flat", "b2W", "b4N")
    for _ in range(100):
        if page.evaluate("window.places.size") > 3:
            break
        page.wait_for_timeout(50)
    else:
        raise AssertionError("the piece is not drawn on its way")
    still = open_game(board)
    move(still, "flat", "b2W", "b4N")
    place = still.locator(".flat .piece[data-square=b4N]").get_attribute("transform")
    expect(page.locator(".flat .piece[data-square=b4N]")).to_have_attribute("transform", str(place))


def test_engine_and_undo(board: Board) -> None:
    """The engine replies with a legal move; undo takes back both, redo replays them."""
    page = board.open("tridim")
    page.get_by_label("Unit").select_option("depth")
    page.get_by_label("Amount").fill("2")
    page.get_by_label("Amount").press("Enter")
    new_game(page, side="white")
    move(page, "flat", "b2W", "b4N")
    expect(words(page)).to_have_count(2)
    after = rules.legal_moves(rules.read(rules.START))["b2W-b4N"]
    reply = words(page).nth(1).inner_text().rstrip("+#")
    assert position_of(page) == rules.legal_moves(rules.read(after.text()))[reply].text()
    page.get_by_role("button", name="Undo").click()
    expect(words(page)).to_have_count(0)
    assert position_of(page) == rules.START
    page.get_by_role("button", name="Redo").click()
    expect(words(page)).to_have_count(2)
    # As Black: the engine begins.
    new_game(page, side="black")
    expect(words(page)).to_have_count(1)
    expect(page.locator("#tridim .status")).to_have_text("Black to move.")


def test_search_while_another_mode_is_shown(board: Board) -> None:
    """The engine stops when the page shows another mode, and thinks again when it returns."""
    page = board.open("tridim")
    page.get_by_label("Amount").fill("600")
    page.get_by_label("Amount").press("Enter")
    new_game(page, side="black")
    thinks = page.get_by_role("button", name="Move now")
    expect(thinks).to_be_visible()
    page.get_by_role("tab", name="Castling").click()
    for _ in range(50):
        before = board.server.processor_seconds()
        page.wait_for_timeout(300)
        if board.server.processor_seconds() - before < 0.03:
            break
    else:
        raise CheckError("the engine is still thinking")
    page.get_by_role("tab", name="Tri-D").click()
    expect(thinks).to_be_visible()


def test_mate(board: Board) -> None:
    page = open_game(board, MATE_IN_ONE)
    move(page, "space", "c5N", "z8QL6")
    expect(words(page)).to_have_text(["Qc5N-z8QL6#"])
    expect(page.locator("#tridim .status")).to_have_text("White wins by checkmate. 1-0")
    assert marked(page, "flat", ".cell.check") == {"z9QL6"}
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()


def test_claim_and_resignation(board: Board) -> None:
    """A draw can be claimed when it is due; a game that is over takes no moves."""
    page = open_game(board)
    claim = page.get_by_role("button", name="Claim draw")
    expect(claim).to_be_hidden()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog", name="Resign").get_by_role("button", name="Resign").click()
    expect(page.locator("#tridim .status")).to_have_text("White resigns. 0-1")
    press(page, "flat", "b2W")
    assert not marked(page, "flat", ".cell.target")
    new_game(page, FIFTY_MOVES)
    claim.click()
    expect(page.locator("#tridim .status")).to_have_text("Draw claimed by the fifty-move rule. 1/2-1/2")
    assert position_of(page) == FIFTY_MOVES


def test_lost_connection(board: Board) -> None:
    """The server is killed while the engine thinks: the page says so, and the game resumes."""
    page = board.open("tridim")
    page.get_by_label("Amount").fill("600")
    page.get_by_label("Amount").press("Enter")
    new_game(page, side="white")
    move(page, "space", "b2W", "b4N")
    expect(page.get_by_role("button", name="Move now")).to_be_visible()
    board.server.kill()
    expect(page.locator("#connection")).to_be_visible()
    board.server.start()
    expect(page.locator("#connection")).to_be_hidden()
    # The engine thinks again.
    page.get_by_role("button", name="Move now").click()
    expect(words(page)).to_have_count(2)


def proposed(page: Page, name: str, position: str, *presses: str) -> None:
    page.locator(f"#tridim [data-view='{name}']").first.click()
    new_game(page, position)
    view = "flat" if name == "flat" else "space"
    for one in presses:
        press(page, view, one)


def true_places(page: Page) -> None:
    proposed(page, "space", CASTLING)
    page.get_by_role("button", name="Spread").click()


SCENES: dict[str, Scene] = {
    "start": lambda page: expect(page.locator("#tridim .status")).to_have_text("White to move."),
    "piece": lambda page: proposed(page, "space", "", "d1W"),
    "board": lambda page: proposed(page, "flat", LONE_KNIGHT, "QL1"),
    "castling": lambda page: proposed(page, "space", CASTLING, "d0KL1", "a0QL1"),
    "true-places": true_places,
    "new-game": lambda page: page.get_by_role("button", name="New game…").click(),
}
