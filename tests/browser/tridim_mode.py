"""The mode Tri-D of Castellan Board's page, in its two views."""

from __future__ import annotations

from checks import tridim_rules as rules
from modes import Mode

from playwright.sync_api import Page, expect

VIEWS = ("flat", "space")

# A point of the page where a click means a square, a board or a pin: other boards may cover a part of it.
POINT = """([view, selector, name]) => {
    const shapes = [...document.querySelectorAll(`#tridim .${view} :is(${selector})`)];
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


class Tridim(Mode):
    name = "tridim"

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.status, self.words = self.panel.locator(".status"), self.panel.locator(".moves li span span")
        self.confirmation = self.panel.locator(".confirmation")
        self.options, self.typed = self.panel.locator(".castling li"), self.field("Move")

    def new_game(self, position: str = "", side: str = "Both sides", rotation: bool = False) -> None:
        self.button("New game…").click()
        dialog = self.dialog("New game")
        dialog.get_by_role("radio", name=side).check()
        dialog.get_by_label("Position as text").fill(position)
        dialog.get_by_label("rotate").set_checked(rotation)
        dialog.get_by_role("button", name="Start").click()
        expect(dialog).to_be_hidden()

    def think_for(self, seconds: float) -> None:
        self.field("Amount").fill(str(seconds))
        self.field("Amount").press("Enter")

    def position(self) -> str:
        self.button("Copy position").click()
        return self.clipboard()

    def point(self, view: str, name: str) -> tuple[float, float]:
        square, board = f"[data-square='{name}']", f"[data-tag='{name}'], [data-pin='{name}'] .place"
        found = self.page.evaluate(POINT, [view, square if name in rules.SQUARES else board, name])
        assert found, f"{name} cannot be clicked in the view {view}"
        return found[0], found[1]

    def press(self, view: str, *names: str) -> None:
        for name in names:
            self.page.mouse.click(*self.point(view, name))

    def pull(self, view: str, origin: str, destination: str) -> None:
        self.page.mouse.move(*self.point(view, origin))
        self.page.mouse.down()
        self.page.mouse.move(400, 400, steps=3)
        # The pins that are open appear with the drag.
        self.page.mouse.move(*self.point(view, destination), steps=3)
        self.page.mouse.up()

    def confirm(self) -> None:
        self.button("Play").click()

    def move(self, view: str, origin: str, destination: str) -> None:
        self.press(view, origin, destination)
        self.confirm()

    def undo(self) -> None:
        count = self.words.count()
        self.button("Undo").click()
        expect(self.words).to_have_count(count - 1)

    def expect_position(self, before: str, text: str, moves: int = 1, rotation: bool = False) -> str:
        """The position is that of the reference after a move."""
        after = rules.legal_moves(rules.read(before, rotation))[text].text()
        expect(self.words).to_have_count(moves)
        assert self.position() == after, f"after {text}"
        return after

    def marked(self, view: str, kind: str) -> set[str]:
        """The squares, pins and boards that a selector finds."""
        found = self.panel.locator(f".{view} :is({kind})")
        return set(found.evaluate_all("all => all.map(({ dataset: at }) => at.square || at.pin || at.board)"))
