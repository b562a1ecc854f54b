"""After and around a game in Castellan Board: its review, a rematch, pauses, material, and the choices for a new game."""

from __future__ import annotations

import random
import re

import chess
from playwright.sync_api import Page, expect

from .board import Board, Scene
from .board_play import button, click, expect_moves, expect_placement, from_fen, make_moves, new_game, status

SCHOLARS_MATE = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1"
MOVES = 60


def reviewed(page: Page) -> None:
    """A game that is over and reviewed."""
    new_game(page)
    make_moves(page, *SCHOLARS_MATE)
    expect(status(page)).to_have_text("White wins by checkmate. 1-0")
    # A short game is reviewed only on request.
    button(page, "Review the game").click()
    expect(page.locator("#play .review table")).to_be_visible()


def test_the_review_of_a_game(board: Board) -> None:
    """The mistakes are those that everybody sees; better moves can be tried."""
    page = board.open("play")
    reviewed(page)
    review = page.locator("#play .review")
    expect(review).to_contain_text("Accuracy")
    expect(review).to_contain_text("Average centipawn loss")
    moment = review.get_by_role("button", name=re.compile(r"3\.\.\. Nf6\?\?"))
    expect(moment).to_contain_text("#1")
    expect(page.locator("#play .moves")).to_contain_text("Nf6??")
    moment.click()
    expect(page.locator("#play .now")).to_have_text("3... Nf6")
    page.get_by_role("button", name=re.compile("Find better moves")).click()
    while "Nf6??" not in status(page).inner_text():
        before = status(page).inner_text()
        button(page, "Next").click()
        expect(status(page)).not_to_have_text(before)
    expect(status(page)).to_contain_text("Find a better move for Black.")
    position = chess.Board()
    for uci in SCHOLARS_MATE[:5]:
        position.push_uci(uci)
    expect_placement(page, position.board_fen())
    # The blunder again, then the defense.
    click(page, "a7", "a6")
    expect(page.locator("#play .detail")).to_have_text("a6??: try another move.")
    expect_placement(page, position.board_fen())
    click(page, "g7", "g6")
    expect(page.locator("#play .detail")).to_have_text(re.compile("^g6 is (a good|the best) move.$"))
    button(page, "Stop").click()
    expect(status(page)).to_have_text("White wins by checkmate. 1-0")
    # The annotations go along.
    button(page, "Analyze").click()
    expect(page.locator("#analysis .moves")).to_contain_text("Nf6??")


def test_a_longer_game_is_reviewed_at_once(board: Board) -> None:
    page = board.open("play")
    new_game(page)
    make_moves(page, "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "f8c5", "e1g1", "d7d6")
    button(page, "Resign").click()
    page.get_by_role("dialog", name="Resign for White?").get_by_role("button", name="Resign").click()
    expect(page.locator("#play .review table")).to_be_visible()
    expect(page.locator("#play .review")).to_contain_text("No mistake decided the game.")


def test_rematch(board: Board) -> None:
    """The same start with the other side and the same strength."""
    page = board.open("play")
    new_game(page, "White", "fen", MATE_IN_ONE, elo=900)
    expect_placement(page, MATE_IN_ONE.split()[0])
    click(page, "e1", "e8")
    expect(status(page)).to_have_text("White wins by checkmate. 1-0")
    button(page, "Rematch").click()
    names = page.locator("#play .player > b")
    expect(names).to_have_text([re.compile("at 900$"), "You"])
    # White, which the engine plays now, moves first.
    expect(page.locator("#play [role=gridcell]").first).to_have_attribute("data-square", "h1")
    expect(page.locator("#play .moves button").first).to_be_visible()


def test_pause(board: Board) -> None:
    page = board.open("play")
    new_game(page, clock=("3", "2"))
    expect(button(page, "Pause")).to_be_hidden()
    make_moves(page, "e2e4", "e7e5")
    button(page, "Pause").click()
    expect(status(page)).to_contain_text("Paused.")
    clocks = page.locator("#play .clock").all_inner_texts()
    expect(page.locator("#play .clock.running")).to_have_count(0)
    click(page, "g1", "f3")
    expect(page.locator("#play .detail")).to_have_text("The game is paused.")
    # It stays paused after a reload, and no time passes.
    page.reload()
    expect(status(page)).to_contain_text("Paused.")
    page.wait_for_timeout(1200)
    assert page.locator("#play .clock").all_inner_texts() == clocks
    button(page, "Resume").click()
    expect(page.locator("#play .clock.running")).to_have_count(1)
    make_moves(page, "g1f3")


def test_material(board: Board) -> None:
    page = board.open("play")
    from_fen(page, "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    material = page.locator("#play .material")
    for shown in material.all():
        expect(shown).to_be_hidden()
    make_moves(page, "e4d5", "d8d5", "b1c3", "d5a5", "b2b4", "a5b4")
    expect(material.last).to_have_attribute("aria-label", "Captured: 1 pawn")
    expect(material.first).to_have_attribute("aria-label", "Captured: 2 pawns; +1 ahead")
    page.keyboard.press("Home")
    expect(material.first).to_be_hidden()
    # A promoted pawn is not lost.
    from_fen(page, "8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    click(page, "a7", "a8")
    page.get_by_role("dialog", name="Promote to").get_by_role("button", name="Queen").click()
    expect(material.last).to_have_attribute("aria-label", "Captured: nothing; +9 ahead")


def test_clocks_and_levels_by_name(board: Board) -> None:
    page = board.open("play")
    button(page, "New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_role("button", name="15+10").click()
    expect(dialog.get_by_label("Clock", exact=True)).to_be_checked()
    expect(dialog.get_by_label("Minutes")).to_have_value("15")
    expect(dialog.get_by_label("Seconds added per move")).to_have_value("10")
    dialog.get_by_role("button", name="Master", exact=True).click()
    expect(dialog.get_by_role("slider", name="Strength")).to_have_value("2400")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator("#play .clock")).to_have_text(["15:00", "15:00"])
    expect(page.locator("#play .player > b").first).to_have_text(re.compile("at 2400$"))


def test_a_draw_is_not_given_away(board: Board) -> None:
    """A level game is not drawn at once, and a lost one is."""
    page = board.open("play")
    new_game(page, "White", elo=800)
    click(page, "e2", "e4")
    expect(page.locator("#play .moves button")).to_have_count(2)
    button(page, "Offer draw").click()
    reasons = re.compile(r"^Castellan declines the draw: it (plays on until move 30|is better)\.$")
    expect(page.locator("#toast")).to_have_text(reasons)
    expect(button(page, "Offer draw")).to_be_disabled()
    new_game(page, "White", "fen", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    expect_placement(page, "4k3/8/8/8/8/8/8/Q3K3")
    button(page, "Offer draw").click()
    expect(status(page)).to_have_text("Draw by agreement. ½-½")


def test_a_game_of_60_moves(board: Board) -> None:
    """Random legal moves, by clicks, as python-chess plays them."""
    page = board.open("play")
    new_game(page)
    source, position = random.Random(38), chess.Board()
    while position.fullmove_number <= MOVES:
        choices = [move for move in position.legal_moves if not move.promotion]
        move = source.choice(choices)
        position.push(move)
        if position.is_game_over() or position.is_repetition(3) or len(list(position.legal_moves)) < 3:
            position.pop()
            continue
        click(page, chess.square_name(move.from_square), chess.square_name(move.to_square))
        expect(page.locator("#play .moves button")).to_have_count(len(position.move_stack))
    expect_placement(page, position.board_fen())
    page.reload()
    expect_placement(page, position.board_fen())


def scene_review(page: Page) -> None:
    reviewed(page)


def scene_find(page: Page) -> None:
    reviewed(page)
    page.get_by_role("button", name=re.compile("Find better moves")).click()
    button(page, "Show the best move").click()


def scene_material(page: Page) -> None:
    from_fen(page, "r1bqk2r/ppp2ppp/2n5/3np3/1bB5/2N2N2/PPPP1PPP/R1BQ1RK1 w kq - 0 7")
    make_moves(page, "c4d5", "b4c3", "d5c6", "b7c6", "b2c3")
    expect_moves(page, "Bxd5", "Bxc3", "Bxc6+", "bxc6", "bxc3")


SCENES: dict[str, Scene] = {"review": scene_review, "find": scene_find, "material": scene_material}
