"""The modes of Castellan Board's page, and its dialogs: what a person does there, and what is shown."""

from __future__ import annotations

import io
import re
from typing import ClassVar

import chess
import chess.pgn
from playwright.sync_api import FilePayload, FloatRect, Locator, Page, expect

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


class Part:
    """A part of the page with a board."""

    def __init__(self, page: Page, panel: Locator) -> None:
        self.page, self.panel = page, panel

    def choose(self, menu: str, item: str) -> None:
        """Opens a menu, and chooses an item."""
        self.button(menu).click()
        items = self.page.get_by_role("menu", name=menu)
        items.get_by_role("menuitem", name=item).or_(items.get_by_role("menuitemcheckbox", name=item)).click()
        expect(items).to_be_hidden()

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.panel.get_by_role("button", name=name, exact=True)

    def field(self, name: str) -> Locator:
        return self.panel.get_by_label(name, exact=True)

    def square(self, name: str) -> Locator:
        return self.panel.locator(f"[data-square={name}]")

    def click(self, *squares: str) -> None:
        for name in squares:
            self.square(name).click()

    def drag(self, origin: str, destination: str) -> None:
        """With several steps between, as a hand makes them."""
        self.square(origin).drag_to(self.square(destination), steps=6)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def dialog(self, name: str) -> Locator:
        return self.page.get_by_role("dialog", name=name)

    def promote(self, role: str) -> None:
        self.dialog("Promote to").get_by_role("button", name=role).click()

    def expect_placement(self, fen: str) -> None:
        """The pieces of a FEN, as screen readers find them."""
        board = chess.BaseBoard(fen.split()[0])
        labels = []
        for square, name in enumerate(chess.SQUARE_NAMES):
            piece = board.piece_at(square)
            content = f"{chess.COLOR_NAMES[piece.color]} {chess.piece_name(piece.piece_type)}" if piece else "empty"
            labels.append(f"[role=gridcell][aria-label^='{name}, {content}']")
        expect(self.panel.locator(",".join(labels)), f"squares as in {fen}").to_have_count(64)


class Mode(Part):
    """A mode, by its name in the address."""

    name: ClassVar[str]

    def __init__(self, page: Page) -> None:
        super().__init__(page, page.locator(f"#{self.name}"))
        self.moves, self.toast = self.panel.locator(".moves button"), page.locator("#toast")

    def to_tab(self, name: str) -> None:
        if name in ("Castling", "Tri-D"):
            self.page.locator("#more").click()
            self.page.get_by_role("menuitemcheckbox", name=name).click()
        else:
            self.page.get_by_role("tab", name=name).click()

    def clipboard(self) -> str:
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def settings(self) -> Settings:
        self.page.locator("#settings").click()
        return Settings(self.dialog("Settings"))

    def library(self) -> Locator:
        self.button("Games…").click()
        dialog = self.dialog("Your games")
        expect(dialog).to_be_visible()
        return dialog


class Play(Mode):
    name = "play"

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.status, self.detail = self.panel.locator(".status"), self.panel.locator(".detail")
        self.claims, self.clocks = self.panel.locator(".claims button"), self.panel.locator(".clock")
        self.running_clock = self.panel.locator(".clock.running")

    def new_game(
        self, side: str = "Both", start: str = "standard", fen: str = "", numbers: tuple[int, ...] = (),
        chess960: bool = False, elo: int = 0, seconds: str = "0.1", clock: tuple[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.button("New game").click()
        dialog = self.dialog("New game")
        field = dialog.get_by_label
        field(side, exact=True).check()
        self.more_options()
        field("Start position", exact=True).select_option("fen" if fen else start)
        if fen:
            field("FEN", exact=True).fill(fen)
            field("Chess960").set_checked(chess960)
        for label, number in zip(("Position number", "Black's position number"), numbers, strict=False):
            dialog.get_by_role("spinbutton", name=re.compile(f"^{label}")).fill(str(number))
        if side != "Both":
            field("Full strength").set_checked(not elo)
        if elo:
            dialog.get_by_role("slider", name="Strength").fill(str(elo))
            field("Takes a moment").uncheck()
        field("Clock" if clock else "No clock", exact=True).check()
        if clock:
            field("Minutes").fill(clock[0])
            field("Seconds added per move").fill(clock[1])
        elif side != "Both" and not elo:
            field("Castellan thinks for").fill(seconds)
        dialog.get_by_role("button", name="Start").click()
        expect(dialog).to_be_hidden()

    def more_options(self) -> None:
        """Shows those of a new game, if they are not shown yet."""
        if not self.field("Start position").is_visible():
            self.panel.get_by_text("More options").click()

    def make_moves(self, *moves: str) -> None:
        """Moves of both sides, each when the one before is on the board."""
        for move in moves:
            count = self.moves.count()
            self.click(move[:2], move[2:])
            self.expect_plies(count + 1)

    def expect_plies(self, count: int) -> None:
        expect(self.moves).to_have_count(count)

    def expect_moves(self, *sans: str) -> None:
        """The whole move list; O-O is written with hyphens that do not break."""
        expect(self.moves).to_have_text([san.replace("-", "\u2011") for san in sans])


class Analysis(Mode):
    name = "analysis"

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.fen, self.now = self.field("FEN"), self.panel.locator(".steps output")
        self.lines, self.facts = self.panel.locator(".lines li"), self.panel.locator(".engine .facts")
        self.comments, self.shapes = self.panel.locator(".aside p"), self.panel.locator(".drawn")
        self.error = self.panel.get_by_role("alert").filter(visible=True)
        self.occasion, self.players = self.panel.locator(".occasion"), self.panel.locator(".players")
        expect(self.fen).not_to_have_value("")

    def play(self, *squares: str) -> None:
        """Clicks on origin, destination, origin and so on; an origin when its side is to move."""
        for origin, destination in zip(squares[::2], squares[1::2], strict=True):
            self.panel.locator(f"[data-square={origin}].pickable").click()
            self.click(destination)

    def set_fen(self, fen: str) -> None:
        self.fen.fill(fen)
        self.fen.press("Enter")

    def open_text(self, text: str) -> None:
        self.button("Open…").click()
        self.field("PGN or FEN").fill(text)
        self.button("Load").click()

    def open_game(self, text: str) -> None:
        self.open_text(text)
        expect(self.page.get_by_role("dialog")).to_be_hidden()

    def upload(self, text: str, encoding: str = "utf-8") -> None:
        file: FilePayload = {"name": "games.pgn", "mimeType": "text/plain", "buffer": text.encode(encoding)}
        self.panel.locator("input[type=file]").set_input_files(file)

    def download(self) -> tuple[str, str]:
        """The name and the text of the file."""
        with self.page.expect_download() as download:
            self.choose("Share", "Download")
        return download.value.suggested_filename, download.value.path().read_text(encoding="utf-8")

    def press(self, *keys: str) -> None:
        for key in keys:
            before = self.now.text_content()
            self.page.keyboard.press(key)
            expect(self.now).not_to_have_text(before or "")

    def engine(self, on: bool) -> None:
        self.page.get_by_role("switch", name="Engine").set_checked(on)
        expect(self.lines).not_to_have_count(0) if on else expect(self.lines).to_have_count(0)

    def annotate(self, effort: str) -> None:
        self.field("Effort").select_option(effort)
        self.button("Annotate game").click()

    def movetext(self) -> str:
        """The moves and comments of the game on one line."""
        return " ".join(self.panel.locator(".moves").inner_text().replace("\u2011", "-").split())

    def pgn(self) -> str:
        self.choose("Share", "Copy PGN")
        expect(self.toast).to_have_text("PGN copied.")
        return self.clipboard()

    def edit(self) -> Editor:
        self.button("Edit position…").click()
        return Editor(self.page)


class Training(Mode):
    name = "training"

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.task, self.answer = self.panel.locator(".status"), self.panel.locator(".answer")


class Openings(Mode):
    name = "openings"

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.line = self.panel.get_by_label("Line", exact=True)
        self.tree = self.panel.locator(".tree li")


class Castling(Mode):
    name = "castling"

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.fen, self.message = self.field("FEN"), self.panel.locator(".message")
        self.plies, self.sides = self.panel.locator(".plies"), self.panel.locator("[data-castling]")
        self.attacked = self.panel.locator(".mark.attacked")

    def show(self, fen: str, is_chess960: bool = False) -> None:
        # The first report moves the button.
        expect(self.plies).to_be_attached()
        self.fen.fill(fen)
        self.page.locator("#castling-960").set_checked(is_chess960)
        self.button("Show").click()

    def side(self, name: str) -> Locator:
        return self.panel.locator(f"[data-castling='{name}']")

    def cell(self, name: str) -> Locator:
        return self.panel.get_by_role("gridcell", name=name)


class Editor(Part):
    """The dialog in which a position is edited."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, page.get_by_role("dialog", name="Edit the position"))
        self.fen, self.problems = self.field("FEN of the edited position"), self.panel.locator(".problems")

    def brush(self, piece: str, *squares: str) -> None:
        self.button(piece).click()
        self.click(*squares)


class Settings:
    """The dialog of the settings."""

    def __init__(self, dialog: Locator) -> None:
        self.dialog = dialog
        self.field = dialog.get_by_label

    def choose(self, *labels: str) -> None:
        for label in labels:
            self.field(label).check()

    def fill(self, label: str, value: str) -> None:
        self.field(label).fill(value)
        self.field(label).press("Tab")

    def close(self) -> None:
        self.dialog.get_by_role("button", name="Close").click()


def read_game(text: str) -> chess.pgn.Game:
    found = chess.pgn.read_game(io.StringIO(text))
    assert found and not found.errors, found and found.errors
    return found


def box(part: Locator) -> FloatRect:
    found = part.bounding_box()
    assert found, part
    return found


def is_inside(inner: Locator, outer: Locator) -> bool:
    """From top to bottom."""
    one, other = box(inner), box(outer)
    return one["y"] >= other["y"] - 1 and one["y"] + one["height"] <= other["y"] + other["height"] + 1


def overlaps(one: Locator, other: Locator) -> bool:
    a, b = box(one), box(other)
    return (
        a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]
    )  # fmt: skip
