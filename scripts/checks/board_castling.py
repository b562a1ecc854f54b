"""The castling inspector of Castellan Board: conditions for both colors, squares on the board, confirmation, the clock."""

from __future__ import annotations

import random

import chess
from playwright.sync_api import Locator, Page, expect

from .board import Board, Scene

CASTLING = {"white kingside": "e1g1", "white queenside": "e1c1", "black kingside": "e8g8", "black queenside": "e8c8"}


def show(page: Page, fen: str, is_chess960: bool = False) -> None:
    # The first report moves the button.
    expect(page.locator("#castling .plies")).to_be_attached()
    page.locator("#castling").get_by_label("FEN", exact=True).fill(fen)
    page.locator("#castling-960").set_checked(is_chess960)
    page.get_by_role("button", name="Show").click()


def side(page: Page, name: str) -> Locator:
    return page.locator(f"[data-castling='{name}']")


def test_conditions(board: Board) -> None:
    """The verdict for the side to move is that of python-chess, and each reason is shown at its condition."""
    page = board.open("castling")
    generator = random.Random(7)
    for number in range(30):
        pieces = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        pieces.turn = generator.choice(chess.COLORS)
        free = [square for square in chess.SQUARES if not pieces.piece_at(square)]
        for square in generator.sample(free, 5):
            roles = [chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]
            pieces.set_piece_at(square, chess.Piece(generator.choice(roles), generator.choice(chess.COLORS)))
        if not pieces.is_valid():
            continue
        pieces.halfmove_clock = number
        show(page, pieces.fen())
        color = "white" if pieces.turn else "black"
        expect(page.locator("#castling h2").first).to_have_text(f"{color.capitalize()} to move")
        expect(page.locator("#castling .plies")).to_have_text(str(number))
        for wing in ("kingside", "queenside"):
            legal = chess.Move.from_uci(CASTLING[f"{color} {wing}"]) in pieces.legal_moves
            expect(side(page, f"{color} {wing}").get_by_role("button").first).to_contain_text("legal" if legal else "not legal")
            failed = side(page, f"{color} {wing}").locator(".reason").count()
            assert (failed == 0) == legal, f"{pieces.fen()} {wing}: {failed} reasons"


def test_attacked_way(board: Board) -> None:
    page = board.open("castling")
    show(page, "4k3/8/8/8/8/5q2/8/4K2R w K - 0 1")
    kingside = side(page, "white kingside")
    expect(kingside.locator(".reason")).to_have_text("f1 is attacked")
    expect(kingside.locator("li").nth(5)).to_contain_text("✗")
    expect(page.locator("#castling .arrow.threat")).to_have_count(1)
    expect(page.locator("#castling .mark.attacked")).to_have_count(1)
    # The same is said about the move itself, and nothing changes.
    page.get_by_role("gridcell", name="e1").click()
    page.get_by_role("gridcell", name="g1").click()
    expect(page.locator("#castling .message")).to_contain_text("f1 is attacked")
    expect(page.get_by_role("gridcell", name="e1, white king")).to_be_visible()


def test_move_before_the_answer_to_show(board: Board) -> None:
    """An illegal move in the position before says nothing about the one that Show asked for."""
    page = board.open("castling")
    panel, text = page.locator("#castling"), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    expect(panel.locator(".plies")).to_be_visible()
    page.get_by_role("gridcell", name="a1").click()
    panel.get_by_label("FEN", exact=True).fill(text)
    # Both in one task, so that no answer can arrive between them.
    panel.get_by_role("button", name="Show").evaluate(
        """(show, square) => {
            show.click();
            square.focus();
            square.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        }""",
        panel.locator("[data-square=b3]").element_handle(),
    )
    expect(panel.locator(".message")).to_contain_text("b3")
    expect(panel.locator("[data-square=a8]")).not_to_have_accessible_name("a8, black rook")
    expect(side(page, "white kingside")).to_be_visible()
    expect(panel.get_by_role("button", name="Undo")).to_be_disabled()


def test_castling_is_confirmed(board: Board) -> None:
    page = board.open("castling", motion=True)
    show(page, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9")
    expect(page.locator("#castling .plies")).to_have_text("3")
    page.get_by_role("gridcell", name="e1").click()
    page.get_by_role("gridcell", name="c1").click()
    question = page.get_by_role("group", name="Confirm castling")
    expect(question).to_contain_text("from e1 to c1, the rook from a1 to d1")
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_be_hidden()
    expect(page.get_by_role("gridcell", name="e1, white king")).to_be_visible()
    page.get_by_role("button", name="Castle kingside").click()
    question.get_by_role("button", name="Castle", exact=True).click()
    expect(page.get_by_role("gridcell", name="g1, white king")).to_be_visible()
    expect(page.get_by_role("gridcell", name="f1, white rook")).to_be_visible()
    effects = page.locator("#castling .effects")
    expect(effects).to_contain_text("White may no longer castle queenside.")
    expect(effects).to_contain_text("The halfmove clock is now 4.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("gridcell", name="e1, white king")).to_be_visible()
    expect(page.locator("#castling .plies")).to_have_text("3")


def test_chess960(board: Board) -> None:
    page = board.open("castling")
    show(page, "4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", True)
    page.get_by_role("gridcell", name="b1, white king").click()
    page.get_by_role("gridcell", name="g1, white rook").click()
    page.get_by_role("button", name="Castle", exact=True).click()
    expect(page.get_by_role("gridcell", name="g1, white king")).to_be_visible()
    expect(page.get_by_role("gridcell", name="f1, white rook")).to_be_visible()


def test_clock(board: Board) -> None:
    page = board.open("castling")
    show(page, "r3k2r/8/8/8/8/P7/8/R3K2R w KQkq - 99 80")
    clock = page.locator("#castling .card").last
    expect(clock).to_contain_text("A draw can be claimed after another ply.")
    expect(clock).to_contain_text("Moves that reset it (captures and pawn moves): ")
    expect(clock).to_contain_text("a4")
    expect(clock).to_contain_text("Rxh8+ (Kk)")
    page.get_by_role("gridcell", name="a1").click()
    page.get_by_role("gridcell", name="b1").click()
    expect(clock).to_contain_text("can claim a draw by the fifty-move rule")


def test_bad_fen(board: Board) -> None:
    page = board.open("castling")
    show(page, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    for wrong, part in (
        ("", "FEN"), ("8/8/8/8/8/8/8/8 w - - 0 1", "king"), ("4k3/8/8/8/8/8/8/4K2R x K - 0 1", "'x'"),
        ("<img src=x onerror=alert(1)>", "<img"),
    ):  # fmt: skip
        show(page, wrong)
        expect(page.locator("#castling .message")).to_contain_text(part)
        expect(page.get_by_role("gridcell", name="e1, white king")).to_be_visible()
    show(page, "4k3/8/8/8/8/8/8/4K2B w K - 0 1")
    expect(page.locator("#castling .message")).to_contain_text("expected the rook on h1")


def test_restored(board: Board) -> None:
    """The position survives a reload and a new start of the server."""
    page = board.open("castling")
    show(page, "4k3/8/8/8/8/8/8/4K2R w K - 42 50")
    expect(page.locator("#castling .plies")).to_have_text("42")
    # On a busy machine the next renderer may still see the storage as it was.
    page.wait_for_timeout(500)
    page.reload()
    expect(page.locator("#castling .plies")).to_have_text("42")
    board.server.kill()
    board.server.start()
    expect(page.locator("#connection")).to_be_hidden()
    page.get_by_role("gridcell", name="h1").click()
    page.get_by_role("gridcell", name="h5").click()
    expect(page.locator("#castling .plies")).to_have_text("43")


def attacked_scene(page: Page) -> None:
    show(page, "r3k2r/ppp2ppp/2n2n2/8/2b5/2N2N2/PPP2PPP/R3K2R w KQkq - 0 12")
    expect(page.locator("#castling .reason").first).to_be_visible()


def confirmed_scene(page: Page) -> None:
    # In the first example all four are legal.
    page.get_by_role("button", name="Castle queenside").click()


SCENES: dict[str, Scene] = {"attacked": attacked_scene, "confirm": confirmed_scene}
