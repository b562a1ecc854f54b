"""The openings of one's own games, and the repertoire, which is drilled in Train."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import Board
from modes import Analysis, Openings, Training

from playwright.sync_api import FilePayload, expect

TWICE = """(key) => {
    for (const _ of [1, 2]) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""
# Left, right, left, and left once more when the second answer is shown, before the third.
FASTER_THAN_ANSWERS = """() => {
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    let answers = 0;
    const observer = new MutationObserver(() => {
        answers += 1;
        if (answers < 2) return;
        observer.disconnect();
        press("ArrowLeft");
    });
    observer.observe(document.querySelector("#openings [aria-label=Line]"), { childList: true });
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowLeft"]) press(key);
}"""
# 3. Bc4 has cost 40 and 60 centipawns, and 2. f4 left the usual 2. Nf3.
GAMES = (
    "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.2]} Nc6 {[%eval 0.3]} 3. Bc4 {[%eval -0.1]} 1-0",
    "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.2]} Nc6 {[%eval 0.3]} 3. Bc4 {[%eval -0.3]} 0-1",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2",
    "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. f4 {[%eval -0.4]} 1-0",
)


def openings(analysis: Analysis) -> Openings:
    settings = analysis.settings()
    settings.fill("Your name", "Ada")
    settings.close()
    for number, moves in enumerate(GAMES, 1):
        analysis.open_game(f'[White "Ada"]\n[Black "Rival {number}"]\n\n{moves}')
        expect(analysis.players).to_contain_text(f"Rival {number}")
        analysis.choose("Edit", "Keep in your games")
        expect(analysis.toast).to_have_text("1 game is kept in your games.")
        analysis.page.locator("#toast").evaluate("(toast) => { toast.textContent = ''; }")
    analysis.to_tab("Openings")
    return Openings(analysis.page)


def test_a_tree_of_own_games_and_a_repertoire(board: Board, analysis: Analysis) -> None:
    shown = openings(analysis)
    expect(shown.tree).to_have_text(["☆e4463 %"])
    for move, line in (("e4", "1. e4"), ("e5", "1. e4e5")):
        shown.type(move)
        expect(shown.line).to_have_text(line)
    expect(shown.tree).to_have_text(["☆Nf3350 %−0.10", "☆f41100 %−0.70"])
    shown.page.keyboard.press("ArrowRight")
    expect(shown.line).to_have_text("1. e4e52. Nf3")
    # Keys do not wait for answers.
    for key, line in (("ArrowLeft", "1. e4"), ("ArrowRight", "1. e4e52. Nf3")):
        shown.page.evaluate(TWICE, key)
        expect(shown.line).to_have_text(line)
    shown.page.evaluate(FASTER_THAN_ANSWERS)
    expect(shown.line).to_have_text("1. e4")
    costly = shown.panel.get_by_label("Costly lines").get_by_role("button")
    expect(costly).to_have_text(["1. e4 e5 2. Nf3 Nc6 3. Bc4 −0.50 on average of 2 · 50 % of 2 games"])
    left = shown.panel.get_by_label("Where you left your line").get_by_role("button")
    expect(left).to_have_text(["2. f4 not Nf3, your usual move Rival 4"])
    # A line becomes the repertoire, another move takes the place of one of its moves, and Train asks for them.
    costly.click()
    shown.button("Add line to repertoire").click()
    repertoire = shown.panel.get_by_label("Repertoire", exact=True)
    expect(repertoire).to_contain_text("3 positions with White")
    expect(shown.button("Remove from repertoire")).to_be_visible()
    shown.page.keyboard.press("ArrowLeft")
    expect(shown.line).to_have_text("1. e4e52. Nf3Nc6")
    shown.button("Make Bb5 the move of the repertoire").click()
    expect(shown.tree.last.get_by_role("button", pressed=True)).to_be_visible()
    expect(left).to_have_text(
        [re.compile("^3. Bc4 not Bb5, your repertoire 2 games"), re.compile("^2. f4 not Nf3, your repertoire")]
    )
    with shown.page.expect_download() as saved:
        repertoire.get_by_role("button", name="Export").click()
    assert saved.value.suggested_filename == "castellan-repertoire-white.pgn"
    assert "1. e4 e5 2. Nf3 Nc6 3. Bb5" in Path(saved.value.path()).read_text(encoding="utf-8")
    pgn = b"1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bc4 *"
    repertoire.locator("input[type=file]").set_input_files(FilePayload(name="lines.pgn", mimeType="", buffer=pgn))
    expect(shown.toast).to_have_text("1 move added. 1 left out where the repertoire has another.")
    repertoire.get_by_role("button", name="Drill").click()
    training = Training(shown.page)
    expect(training.task).to_have_text("White to move. What is the move of your repertoire?")
    training.type("d4")
    expect(training.task).to_have_text("d4 is not the move of your repertoire. You have another try.")
    training.type("e4")
    expect(training.task).to_have_text("e4 is the move of your repertoire.")
    training.button("Analyze").click()
    expect(analysis.now).to_have_text("Start")
    # It is kept.
    other = board.open_tab(shown.page.context, Openings)
    expect(other.panel.get_by_label("Repertoire", exact=True)).to_contain_text("4 positions with White")
