"""Scenes of Castellan Board in several sizes, light and dark: nothing overflows the window, axe-core objects to nothing, and
each text is in the catalogs of all languages.

With `--pictures FOLDER` each is shown in all sizes and both themes, and photographed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conftest import SIZES, Board
from modes import FOOLS_MATE, Analysis, Castling, Mode, Play, Training
from test_analysis import BLUNDERS, DRAWN, LONG, SEVERAL
from test_library import ENDGAME, SYZYGY
from test_openings import openings
from test_play import review
from test_training import exercise, progress
from test_tridim import CASTLING
from tridim_mode import Tridim

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

# The sizes and themes that find most faults.
CHECKED = [("desktop", False), ("phone", True), ("small", False)]
ALL = [(size, dark) for size in SIZES for dark in (False, True)]
# What people have written, in `bdi` or as a comment, is no text of the page.
UNTRANSLATED = """async () => {
    const { LANGUAGES, eachText, translator } = await import(new URL("board/language.js", document.baseURI));
    const missing = [];
    for (const code of Object.keys(LANGUAGES).filter((code) => code !== "en")) {
        const translate = translator((await import(new URL(`board/languages/${code}.js`, document.baseURI))).default);
        eachText(document.body, (text) => {
            const isOfPeople = (text.ownerElement ?? text.parentElement).closest("bdi, .moves p, .player");
            // The facts of a row are translated one by one; those of an attribute may be of people.
            const facts = text instanceof Text ? text.nodeValue.split(" · ") : [text.nodeValue];
            if (!isOfPeople && facts.some((fact) => translate(fact) === null)) missing.push(`${code}: ${text.nodeValue}`);
        });
    }
    return missing;
}"""
LAID_OUT = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def play_middlegame(play: Play) -> None:
    play.new_game(fen="r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 1 6")
    play.make_moves("e1g1", "e8g8", "c1g5", "h7h6", "g5h4", "g7g5")
    play.click("f3")


def play_illegal(play: Play) -> None:
    play.new_game(fen="r3k2r/ppp2ppp/2n2n2/8/2b5/2N2N2/PPP2PPP/R3K2R w KQkq - 0 12")
    play.click("e1", "g1")
    expect(play.detail).to_contain_text("f1 is attacked")


def play_claim(play: Play) -> None:
    play.new_game(fen="4k3/8/8/8/8/8/8/R3K3 w - - 98 90")
    play.make_moves("a1a2", "e8d7")
    expect(play.claims).to_be_visible()


def play_promotion(play: Play) -> None:
    play.new_game(fen="1n1q1k2/P3bppp/8/8/8/8/5PPP/6K1 w - - 0 30")
    play.click("a7", "b8")
    expect(play.dialog("Promote to")).to_be_visible()


def play_new_game(play: Play) -> None:
    expect(play.status).to_have_text("Your move.")
    play.button("New game").click()
    play.more_options()
    play.field("Start position").select_option("dfrc")


def play_games(play: Play) -> None:
    for opening in (FOOLS_MATE, ["e2e4", "e7e5"], ["d2d4", "d7d5", "c2c4"]):
        play.new_game()
        play.make_moves(*opening)
    play.library()


def play_settings(play: Play) -> None:
    expect(play.settings().dialog).to_contain_text("core")


def play_staunton(play: Play) -> None:
    settings = play.settings()
    settings.choose("Staunton", "Blue")
    settings.close()


def play_keys(play: Play) -> None:
    play.page.keyboard.press("?")
    expect(play.dialog("Keys")).to_be_visible()


def play_zen(play: Play) -> None:
    play.new_game(clock=("10", "5"))
    play.page.keyboard.press("Alt+z")


def analysis_start(analysis: Analysis) -> None:
    expect(analysis.fen).not_to_have_value("")


def analysis_lines(analysis: Analysis) -> None:
    analysis.open_game(LONG)
    analysis.moves.filter(has_text="Rad1").first.click()
    analysis.engine(True)
    # No search is quick enough to change the picture while it is taken.
    expect(analysis.facts).to_contain_text(re.compile(r"Depth 1[2-9]"))


def analysis_annotated(analysis: Analysis) -> None:
    analysis.open_game(BLUNDERS)
    analysis.annotate("Quick")
    expect(analysis.button("Annotate again")).to_be_visible()
    analysis.press("End", "ArrowLeft")


def analysis_choices(analysis: Analysis) -> None:
    analysis.open_text(SEVERAL)
    expect(analysis.panel.locator(".choices li")).to_have_count(3)


@pytest.mark.program
def analysis_tables(analysis: Analysis) -> None:
    analysis.open_game(f'[FEN "{ENDGAME}"]\n\n*')
    settings = analysis.settings()
    settings.fill("Syzygy", SYZYGY)
    settings.close()
    expect(analysis.panel.locator(".tables")).to_contain_text("White wins")


def analysis_import(analysis: Analysis) -> None:
    analysis.button("Open…").click()
    analysis.panel.get_by_text("From lichess.org or chess.com").click()


def analysis_own_moves(analysis: Analysis) -> None:
    analysis.button("Moves of your games").click()
    exercise(analysis)
    analysis.to_tab("Analyze")
    expect(analysis.panel.locator(".own")).to_have_count(1)


def analysis_answer(analysis: Analysis) -> None:
    training = exercise(analysis)
    training.click("a7", "a6")
    expect(training.answer).to_contain_text("Refutation")


def analysis_progress(analysis: Analysis) -> None:
    progress(analysis, 40)


def analysis_annotating(analysis: Analysis) -> None:
    analysis.upload("1. f3 e5 2. g4 Nc6 0-1\n\n1. e4 e5 1-0\n")
    analysis.dialog("Open a game").get_by_role("button", name="Keep all").click()
    analysis.dialog("Open a game").get_by_role("button", name="Close").click()
    analysis.to_tab("Train")
    expect(analysis.page.get_by_role("button", name="Annotate all")).to_be_visible()


def training_start(training: Training) -> None:
    expect(training.task).to_contain_text("No exercises yet")


def analysis_symbols(analysis: Analysis) -> None:
    analysis.play("e2", "e4")
    analysis.button("Symbols").click()
    expect(analysis.page.get_by_role("menu", name="Symbols")).to_be_visible()


def analysis_tags(analysis: Analysis) -> None:
    analysis.open_game(LONG)
    analysis.choose("Edit", "Tags")


def analysis_editor(analysis: Analysis) -> None:
    editor = analysis.edit()
    editor.brush("white knight", "e4")
    expect(editor.problems).to_contain_text("17 pieces")


def analysis_drawn(analysis: Analysis) -> None:
    analysis.open_game(DRAWN)
    analysis.press("ArrowRight")
    expect(analysis.shapes).to_have_count(4)


def castling_attacked(castling: Castling) -> None:
    castling.show("r3k2r/ppp2ppp/2n2n2/8/2b5/2N2N2/PPP2PPP/R3K2R w KQkq - 0 12")
    expect(castling.panel.locator(".reason").first).to_be_visible()


def castling_confirm(castling: Castling) -> None:
    # In the first example all four are legal.
    castling.button("Castle queenside").click()


def castling_editor(castling: Castling) -> None:
    castling.button("Edit").click()
    castling.button("Attacker").click()
    castling.click("f2")
    expect(castling.attacked).not_to_have_count(0)


def tridim_start(tridim: Tridim) -> None:
    expect(tridim.status).to_have_text("White to move.")


def tridim_castling(tridim: Tridim) -> None:
    tridim.new_game(CASTLING)
    tridim.press("space", "d0KL1", "a0QL1")


def tridim_rules(tridim: Tridim) -> None:
    tridim.button("Rules").click()


def tridim_new_game(tridim: Tridim) -> None:
    tridim.button("New game…").click()


play_review, analysis_exercise, analysis_openings = review, exercise, openings
SCENES = [
    pytest.param(mode, scene, name, marks=getattr(scene, "pytestmark", []), id=name)
    for mode in (Play, Analysis, Training, Castling, Tridim)
    for name, scene in list(globals().items())
    if name.startswith(f"{mode.name}_")
]


@pytest.mark.parametrize(("mode", "scene", "name"), SCENES)
def test_scene(board: Board, mode: type[Mode], scene: Callable[[Any], object], name: str, pytestconfig: pytest.Config) -> None:
    """One page, which is resized: a page for each size takes three times as long."""
    pictures: Path | None = pytestconfig.getoption("pictures")
    shown = board.open(mode)
    scene(shown)
    page = shown.page
    missing = page.evaluate(UNTRANSLATED)
    assert not missing, missing
    for size, dark in ALL if pictures else CHECKED:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.evaluate(LAID_OUT)
        picture = f"{name}-{size}{'-dark' if dark else ''}"
        if pictures:
            page.locator("#toast").evaluate("toast => toast.classList.remove('shown')")
            page.screenshot(path=pictures / f"{picture}.png")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, picture
        if size == "small":
            # axe-core takes a second and finds nothing here that it does not find in the other sizes.
            continue
        violations = Axe().run(page).response["violations"]
        found = [f"{one['id']}: {node['html'][:120]}" for one in violations for node in one["nodes"]]
        assert not found, picture
