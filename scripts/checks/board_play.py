"""The mode Play of Castellan Board: games played by clicks, drags and keys to their end."""

from __future__ import annotations

import re
import time

import chess
from playwright.sync_api import Locator, Page, expect

from .board import Board, Scene

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]
MATE_PLIES = 160


# What a person does.


def square(page: Page, name: str) -> Locator:
    return page.locator(f"#play [data-square={name}]")


def click(page: Page, *names: str) -> None:
    for name in names:
        square(page, name).click()


def make_moves(page: Page, *moves: str) -> None:
    """Moves of both sides, each when the one before is on the board."""
    shown = page.locator("#play .moves button")
    for move in moves:
        count = shown.count()
        click(page, move[:2], move[2:])
        expect(shown).to_have_count(count + 1)


def drag(page: Page, origin: str, destination: str) -> None:
    """With several steps between, as a hand makes them."""
    box, target = square(page, origin).bounding_box(), square(page, destination).bounding_box()
    assert box and target
    half = box["width"] / 2
    page.mouse.move(box["x"] + half, box["y"] + half)
    page.mouse.down()
    page.mouse.move(target["x"] + half, target["y"] + half, steps=6)
    page.mouse.up()


def button(page: Page, name: str) -> Locator:
    return page.locator("#play").get_by_role("button", name=name, exact=True)


def new_game(
    page: Page, side: str = "Both", start: str = "standard", fen: str = "", numbers: tuple[int | None, ...] = (),
    chess960: bool = False, elo: int = 0, seconds: str = "0.1", clock: tuple[str, str] = ("", ""),
) -> None:  # fmt: skip
    button(page, "New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label(side, exact=True).check()
    dialog.get_by_label("Start position", exact=True).select_option(start)
    if fen:
        dialog.get_by_label("FEN", exact=True).fill(fen)
        dialog.get_by_label("Chess960").set_checked(chess960)
    fields = ("Position number, 0 to 959; White's in DFRC", "Black's position number, 0 to 959")
    for label, number in zip(fields, numbers, strict=False):
        if number is not None:
            dialog.get_by_label(label, exact=True).fill(str(number))
    if side != "Both":
        dialog.get_by_label("Full strength").set_checked(not elo)
    if elo:
        dialog.get_by_role("slider", name="Strength").fill(str(elo))
    dialog.get_by_label("Clock" if clock[0] else "No clock", exact=True).check()
    if side != "Both" and not clock[0]:
        dialog.get_by_label("Castellan thinks for").fill(seconds)
    if clock[0]:
        dialog.get_by_label("Minutes").fill(clock[0])
        dialog.get_by_label("Seconds added per move").fill(clock[1])
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_be_hidden()


def from_fen(page: Page, fen: str, side: str = "Both", chess960: bool = False) -> None:
    new_game(page, side, "fen", fen, chess960=chess960)
    expect_placement(page, fen.split()[0])


# What the page shows.


def placement(page: Page) -> str:
    """The pieces as screen readers find them, as in a FEN."""
    board = chess.BaseBoard(None)
    for label in page.locator("#play [role=gridcell]").evaluate_all("cells => cells.map(cell => cell.ariaLabel)"):
        name, content = label.split(", ")[:2]
        if content != "empty":
            color, role = content.split()
            piece = chess.Piece(chess.PIECE_NAMES.index(role), color == "white")
            board.set_piece_at(chess.parse_square(name), piece)
    return board.board_fen()


def expect_placement(page: Page, expected: str) -> None:
    deadline = time.monotonic() + 15
    while (found := placement(page)) != expected:
        assert time.monotonic() < deadline, f"the board shows {found}, expected {expected}"
        time.sleep(0.05)


def status(page: Page) -> Locator:
    return page.locator("#play .status")


def expect_moves(page: Page, *sans: str) -> None:
    """The whole move list; O-O is written with hyphens that do not break."""
    expect(page.locator("#play .moves button")).to_have_text([san.replace("-", "\u2011") for san in sans])


# The tests.


def test_fools_mate_by_clicks(board: Board) -> None:
    page = board.open("play")
    new_game(page)
    position = chess.Board()
    for uci in FOOLS_MATE:
        click(page, uci[:2], uci[2:])
        position.push_uci(uci)
        expect_placement(page, position.board_fen())
    expect(status(page)).to_have_text("Black wins by checkmate. 0-1")
    expect_moves(page, "f3", "e5", "g4", "Qh4#")
    # Looking back.
    page.keyboard.press("Home")
    expect_placement(page, chess.STARTING_BOARD_FEN)
    page.locator("#play .moves button").nth(1).click()
    expect(page.locator("#play .now")).to_have_text("1... e5")
    button(page, "Last move (End)").click()
    expect_placement(page, position.board_fen())
    # No piece can move, but the mate can be taken back.
    click(page, "e1", "f2")
    expect_placement(page, position.board_fen())
    button(page, "Take back").click()
    expect(status(page)).to_contain_text("Black to move.")
    button(page, "Redo").click()
    expect(status(page)).to_have_text("Black wins by checkmate. 0-1")


def test_a_game_against_the_engine_to_mate(board: Board) -> None:
    """Two queens against the weakest engine; python-chess finds the moves and knows the rules."""
    page = board.open("play")
    new_game(page, "White", "fen", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", elo=800)
    position = chess.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1")
    expect_placement(page, position.board_fen())
    while not position.is_game_over():
        assert position.ply() < MATE_PLIES
        move = mating_move(position)
        position.push(move)
        click(page, chess.square_name(move.from_square), chess.square_name(move.to_square))
        if position.is_game_over():
            break
        buttons = page.locator("#play .moves button")
        expect(buttons).to_have_count(len(position.move_stack) + 1)
        position.push_san(buttons.last.inner_text().replace("\u2011", "-"))
        expect_placement(page, position.board_fen())
    assert position.is_checkmate()
    expect(status(page)).to_have_text("White wins by checkmate. 1-0")


def mating_move(position: chess.Board) -> chess.Move:
    """The move after which Black has the fewest replies, without stalemate or hanging a queen."""

    def cost(move: chess.Move) -> tuple[int, int]:
        position.push(move)
        replies = list(position.legal_moves)
        stalemate = not replies and not position.is_check()
        hangs = any(position.is_capture(reply) for reply in replies)
        result = (1000 if stalemate or hangs else len(replies), position.halfmove_clock)
        position.pop()
        return result

    return min(position.legal_moves, key=cost)


def test_castling(board: Board) -> None:
    """Both sides and colors; by the king's destination, by the rook, by dragging, and typed."""
    page = board.open("play", motion=True)
    for color, side, way in (
        ("w", "O-O", "click"), ("w", "O-O-O", "rook"), ("b", "O-O", "drag"), ("b", "O-O-O", "typed"),
    ):  # fmt: skip
        fen = f"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R {color} KQkq - 0 1"
        from_fen(page, fen)
        rank = "1" if color == "w" else "8"
        king, target, rook = f"e{rank}", ("g" if side == "O-O" else "c") + rank, ("h" if side == "O-O" else "a") + rank
        if way == "drag":
            drag(page, king, target)
        elif way == "typed":
            square(page, king).focus()
            page.keyboard.type(side)
            page.keyboard.press("Enter")
        else:
            click(page, king, rook if way == "rook" else target)
        position = chess.Board(fen)
        position.push_san(side)
        expect_placement(page, position.board_fen())
        expect_moves(page, side)


def test_illegal_moves_are_explained(board: Board) -> None:
    page = board.open("play")
    from_fen(page, "r3k2r/8/8/8/8/5q2/8/R3K2R w KQkq - 0 1")
    drag(page, "e1", "g1")
    detail = page.locator("#play .detail")
    expect(detail).to_have_text("Cannot castle kingside: f1 is attacked by the queen on f3.")
    expect(page.locator("#play .mark.attacked")).to_have_count(1)
    expect(page.locator("#play .mark.attacker")).to_have_count(1)
    expect(page.locator("#play .arrow.threat")).to_have_count(1)
    expect_placement(page, "r3k2r/8/8/8/8/5q2/8/R3K2R")
    # The explanation goes with the next move.
    click(page, "a1", "b1")
    expect(detail).to_have_text("")
    expect(page.locator("#play .mark.attacked")).to_have_count(0)
    from_fen(page, "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1")
    click(page, "e2", "c3")
    expect(detail).to_have_text("The knight on e2 is pinned to its king by the piece on e8.")


def test_promotion(board: Board) -> None:
    page = board.open("play")
    for role, letter in (("queen", "Q"), ("rook", "R"), ("bishop", "B"), ("knight", "N")):
        from_fen(page, "7k/P7/8/8/8/8/8/K7 w - - 0 1")
        click(page, "a7", "a8")
        page.get_by_role("dialog", name="Promote to").get_by_role("button", name=role).click()
        expect_placement(page, f"{letter}6k/8/8/8/8/8/8/K7")
    # It can be thought better of, and the keyboard chooses too.
    from_fen(page, "K7/8/8/8/8/8/p7/7k b - - 0 1")
    drag(page, "a2", "a1")
    dialog = page.get_by_role("dialog", name="Promote to")
    expect(dialog.get_by_role("button", name="queen")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect_placement(page, "K7/8/8/8/8/8/p7/7k")
    drag(page, "a2", "a1")
    page.keyboard.press("n")
    expect_placement(page, "K7/8/8/8/8/8/8/n6k")


def test_claims(board: Board) -> None:
    """Fifty moves at the board, a threefold repetition with an intended move."""
    page = board.open("play")
    claims = page.locator("#play .claims button")
    from_fen(page, "4k3/8/8/8/8/8/8/R3K3 w - - 98 90")
    expect(claims).to_have_count(0)
    make_moves(page, "a1a2")
    expect(claims).to_have_text(["Claim draw with"])
    make_moves(page, "e8d7")
    claims.get_by_text("Claim draw: fifty-move rule").click()
    expect(status(page)).to_have_text("Draw claimed by the fifty-move rule. ½-½")
    expect_placement(page, "8/3k4/8/8/8/8/R7/4K3")
    new_game(page)
    for uci in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        expect(claims).to_have_count(0)
        make_moves(page, uci)
    claims.get_by_text("Claim draw with Ng8: threefold repetition").click()
    expect(status(page)).to_have_text("Draw claimed by threefold repetition. ½-½")


def test_takeback_and_resignation_against_the_engine(board: Board) -> None:
    page = board.open("play")
    new_game(page, "White", elo=800)
    click(page, "e2", "e4")
    moves = page.locator("#play .moves button")
    expect(moves).to_have_count(2)
    button(page, "Take back").click()
    expect(moves).to_have_count(0)
    expect_placement(page, chess.STARTING_BOARD_FEN)
    button(page, "Redo").click()
    expect(moves).to_have_count(2)
    button(page, "Resign").click()
    dialog = page.get_by_role("dialog", name="Resign this game?")
    dialog.get_by_role("button", name="Play on").click()
    expect(status(page)).to_contain_text("Your move.")
    button(page, "Resign").click()
    dialog.get_by_role("button", name="Resign").click()
    expect(status(page)).to_have_text("White resigns. 0-1")


def test_draw_offer_and_hint(board: Board) -> None:
    page = board.open("play")
    new_game(page, "White", elo=800)
    button(page, "Offer draw").click()
    expect(page.locator("#toast")).to_have_text(re.compile("^Castellan declines the draw: "))
    expect(button(page, "Offer draw")).to_be_disabled()
    button(page, "Hint").click()
    expect(page.locator("#play .detail")).to_have_text(re.compile(r"^Try \S+\.$"))
    expect(page.locator("#play .arrow.hint")).to_have_count(1)


def test_chess960(board: Board) -> None:
    """Start positions by number; castling by the rook, also where the king stays or the two change places."""
    page = board.open("play")
    for number in (0, 518, 959):
        new_game(page, start="chess960", numbers=(number,))
        expect_placement(page, chess.Board.from_chess960_pos(number).board_fen())
        expect(page.locator("#play .detail")).to_have_text(f"Chess960 position {number}")
    new_game(page, start="dfrc", numbers=(0, 959))
    expected = chess.Board.from_chess960_pos(959).board_fen().split("/")
    expected[6:] = chess.Board.from_chess960_pos(0).board_fen().split("/")[6:]
    expect_placement(page, "/".join(expected))
    new_game(page, start="chess960")
    expect(page.locator("#play .detail")).to_have_text(re.compile(r"^Chess960 position \d+$"))
    for fen, rook, san in (
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "h1", "O-O"),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "g1", "O-O"),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "a1", "O-O-O"),
    ):
        from_fen(page, fen, chess960=True)
        position = chess.Board(fen, chess960=True)
        king = chess.square_name(position.king(chess.WHITE) or 0)
        click(page, king, rook)
        position.push_san(san)
        expect_placement(page, position.board_fen())


def test_premove(board: Board) -> None:
    """A move out of turn is marked, can be cancelled, and is played at once when the engine has moved."""
    page = board.open("play")
    new_game(page, "White", seconds="600")
    make_moves(page, "e2e4")
    marks, detail = page.locator("#play .mark.premove"), page.locator("#play .detail")
    for cancel in ("Escape", "click"):
        click(page, "d2", "d4")
        expect(marks).to_have_count(2)
        expect(detail).to_contain_text("Premove d2–d4")
        if cancel == "click":
            click(page, "e5")
        else:
            page.keyboard.press(cancel)
        expect(marks).to_have_count(0)
    drag(page, "g1", "f3")
    expect(marks).to_have_count(2)
    button(page, "Move now").click()
    moves = page.locator("#play .moves button")
    expect(moves).to_have_count(3)
    assert [moves.nth(ply).inner_text() for ply in (0, 2)] == ["e4", "Nf3"]
    expect(marks).to_have_count(0)


def test_another_mode_while_the_engine_thinks(board: Board) -> None:
    """Its search is stopped, and starts again when the game is shown."""
    page = board.open("play")
    new_game(page, "White", seconds="2")
    click(page, "e2", "e4")
    expect(status(page)).to_contain_text("Castellan is thinking")
    page.locator("#tab-castling").click()
    expect(page.locator("#castling")).to_be_visible()
    # Longer than the search would have taken.
    time.sleep(0.5)
    before = board.server.processor_seconds()
    time.sleep(2.5)
    assert board.server.processor_seconds() - before < 0.5
    page.locator("#tab-play").click()
    expect(page.locator("#play .moves button")).to_have_count(2)


def test_keyboard_only(board: Board) -> None:
    """Fool's mate by arrow keys and Enter, and by typing; the board tells a screen reader what is where."""
    page = board.open("play")
    button(page, "New game").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("White", exact=True).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    # The position comes first; until the dialog closes, the board cannot have the focus.
    expect(dialog).to_be_hidden()
    expect(status(page)).to_have_text("White to move.")
    square(page, "f2").focus()
    expect(square(page, "f2")).to_have_attribute("aria-label", "f2, white pawn")
    page.keyboard.press("Enter")
    expect(square(page, "f2")).to_have_attribute("aria-selected", "true")
    expect(square(page, "f3")).to_have_attribute("aria-label", "f3, empty, legal move")
    expect(page.locator("#play .chessboard [aria-live]")).to_have_text("white pawn on f2, 2 squares: f3, f4")
    page.keyboard.press("ArrowUp")
    expect(square(page, "f3")).to_be_focused()
    page.keyboard.press("Enter")
    expect_moves(page, "f3")
    for text, sans in (("e7e5", ["f3", "e5"]), ("g4", ["f3", "e5", "g4"]), ("Qh4", ["f3", "e5", "g4", "Qh4#"])):
        page.keyboard.type(text)
        expect(page.locator("#play .typed")).to_have_text(text)
        page.keyboard.press("Enter")
        expect_moves(page, *sans)
    expect(status(page)).to_have_text("Black wins by checkmate. 0-1")


def test_clock(board: Board) -> None:
    """The flag falls by the server's clock."""
    page = board.open("play")
    new_game(page, clock=("0.1", "0"))
    clocks = page.locator("#play .clock")
    expect(clocks).to_have_text(["0:06.0", "0:06.0"])
    click(page, "e2", "e4")
    expect(page.locator("#play .clock.running")).to_have_attribute("data-side", "black")
    expect(status(page)).to_have_text("Black loses on time. 1-0")
    expect(clocks.first).to_have_text("0:00.0")


def test_the_server_is_killed_and_restarted(board: Board) -> None:
    page = board.open("play")
    new_game(page)
    make_moves(page, "e2e4", "e7e5")
    board.server.kill()
    expect(page.locator("#connection")).to_contain_text("No connection")
    board.server.start()
    expect(page.locator("#connection")).to_be_hidden()
    click(page, "g1", "f3")
    expect_moves(page, "e4", "e5", "Nf3")
    # A page that is loaded again continues too, and so does what was taken back.
    button(page, "Take back").click()
    expect_moves(page, "e4", "e5")
    page.reload()
    expect_moves(page, "e4", "e5")
    button(page, "Redo").click()
    expect_moves(page, "e4", "e5", "Nf3")


def test_pgn(board: Board) -> None:
    page = board.open("play")
    new_game(page)
    make_moves(page, *FOOLS_MATE)
    button(page, "Copy PGN").click()
    expect(page.locator("#toast")).to_have_text("PGN copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as download:
        button(page, "Download").click()
    path = download.value.path()
    assert path.read_text() == copied
    assert "1. f3 e5 2. g4 Qh4#" in copied and '[Result "0-1"]' in copied, copied


def test_the_page_starts_at_its_top(board: Board) -> None:
    page = board.open("play", "phone")
    expect(status(page)).to_have_text("Your move.")
    expect(page.locator("#tab-play")).to_be_in_viewport()


def test_settings_are_remembered(board: Board) -> None:
    page = board.open("play")
    expect(status(page)).to_have_text("Your move.")
    sound = button(page, "Sounds")
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    new_game(page, "Black", elo=1800)
    page.reload()
    expect(sound).to_have_attribute("aria-pressed", "false")
    button(page, "New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    expect(dialog.get_by_label("Black", exact=True)).to_be_checked()
    expect(dialog.get_by_role("slider", name="Strength")).to_have_value("1800")
    # An invalid start is explained where it was typed.
    dialog.get_by_label("Start position", exact=True).select_option("fen")
    dialog.get_by_label("FEN", exact=True).fill("8/8/8/8 w - - 0 1")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    expect(dialog).to_be_visible()


# What is shown in pictures.


def scene_middlegame(page: Page) -> None:
    from_fen(page, "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 1 6")
    make_moves(page, "e1g1", "e8g8", "c1g5", "h7h6", "g5h4", "g7g5")
    click(page, "f3")


def scene_illegal(page: Page) -> None:
    from_fen(page, "r3k2r/ppp2ppp/2n2n2/8/2b5/2N2N2/PPP2PPP/R3K2R w KQkq - 0 12")
    click(page, "e1", "g1")
    expect(page.locator("#play .detail")).to_contain_text("f1 is attacked")


def scene_clock(page: Page) -> None:
    new_game(page, "Black", elo=1500, clock=("10", "5"))
    expect(status(page)).to_contain_text("Your move.")


def scene_claim(page: Page) -> None:
    from_fen(page, "4k3/8/8/8/8/8/8/R3K3 w - - 98 90")
    make_moves(page, "a1a2", "e8d7")
    expect(page.locator("#play .claims button")).to_be_visible()


def scene_promotion(page: Page) -> None:
    from_fen(page, "1n1q1k2/P3bppp/8/8/8/8/5PPP/6K1 w - - 0 30")
    click(page, "a7", "b8")
    expect(page.get_by_role("dialog", name="Promote to")).to_be_visible()


def scene_new_game(page: Page) -> None:
    expect(status(page)).to_have_text("Your move.")
    button(page, "New game").click()
    page.get_by_label("Start position", exact=True).select_option("dfrc")


SCENES: dict[str, Scene] = {
    "middlegame": scene_middlegame,
    "illegal": scene_illegal,
    "clock": scene_clock,
    "claim": scene_claim,
    "promotion": scene_promotion,
    "new-game": scene_new_game,
}
