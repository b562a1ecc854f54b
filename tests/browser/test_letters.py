"""The letters of pieces in the user's language: what is shown, what is typed, and PGN, which stays English."""

from __future__ import annotations

from modes import Analysis, Play

from playwright.sync_api import Page, expect

# A knight, a bishop, a rook with its rank, a queen with its square, a king, and a promotion.
MOVES = "Nbd2 Bxc4+ R1e2 Qh4xe1# Kd7, e8=R"
SHOWN = {
    "en": MOVES,
    "de": "Sbd2 Lxc4+ T1e2 Dh4xe1# Kd7, e8=T",
    "fr": "Cbd2 Fxc4+ T1e2 Dh4xe1# Rd7, e8=T",
    "es": "Cbd2 Axc4+ T1e2 Dh4xe1# Rd7, e8=T",
    "nl": "Pbd2 Lxc4+ T1e2 Dh4xe1# Kd7, e8=T",
    "pt": "Cbd2 Bxc4+ T1e2 Dh4xe1# Rd7, e8=T",
    "ru": "Кbd2 Сxc4+ Л1e2 Фh4xe1# Крd7, e8=Л",
    "figurines": "♘bd2 ♗xc4+ ♖1e2 ♕h4xe1# ♔d7, e8=♖",
}
# What has the form of a move in no language stays.
WORDS = "O-O, KQkq, ECO B12, Queen's Gambit, Kd7x, a Rb9"
# The letters of the language come first, then English ones, then small ones that are not files.
TYPED = {
    "en": {"Nf3": "Nf3", "nf3": "Nf3", "bc4": "bc4", "Sf3": "Sf3", "e8q": "e8Q", "e2e4": "e2e4", "resign": "resign"},
    "de": {"Sf3": "Nf3", "sf3": "Nf3", "Nf3": "Nf3", "Dd4": "Qd4", "dxe4": "dxe4", "D2D4": "D2D4", "e8D": "e8Q", "e8s": "e8N"},
    "fr": {"Re1": "Ke1", "Te1": "Re1", "Nf3": "Nf3", "e8=R": "e8=R", "bxa8F+": "bxa8B+", "O-O": "O-O"},
    "es": {"Ra1": "Ka1", "Axe6": "Bxe6", "Cf3": "Nf3", "c4": "c4", "Qd2": "Qd2"},
    "nl": {"Pf3": "Nf3", "pf3": "Nf3", "Lb5": "Bb5", "Bb5": "Bb5"},
    "pt": {"Bb5": "Bb5", "Cc3": "Nc3", "Rf1": "Kf1"},
    "ru": {"Крe2": "Ke2", "Кe2": "Ne2", "кe2": "Ne2", "Сb5": "Bb5", "Bb5": "Bb5", "e8=Ф": "e8=Q"},
    "figurines": {"♘f3": "Nf3", "♞f6": "Nf6", "Nf3": "Nf3", "e8=♕": "e8=Q"},
}  # fmt: skip
CONVERTED = """async ([language, texts, name]) => {
    const letters = await import("/shared/letters.js");
    letters.setLetters(language);
    return texts.map(letters[name]);
}"""


def test_the_letters_of_each_language(play: Play) -> None:
    page = play.page
    for language, shown in SHOWN.items():
        assert page.evaluate(CONVERTED, [language, [MOVES, WORDS], "localized"]) == [shown, WORDS]
    for language, moves in TYPED.items():
        assert page.evaluate(CONVERTED, [language, list(moves), "english"]) == list(moves.values()), language


def choose(page: Page, language: str) -> None:
    page.locator("#settings").click()
    page.get_by_label("Piece letters").select_option(language)
    page.get_by_role("dialog", name="Settings").get_by_role("button", name="Close").click()


def test_a_game_with_german_letters(play: Play) -> None:
    """Moves are typed and shown in German, in Play and in Analyze, also after a reload; the PGN is English."""
    play.new_game()
    play.make_moves("e2e4", "e7e5", "d1h5")
    choose(play.page, "de")
    play.expect_moves("e4", "e5", "Dh5")
    expect(play.status).to_contain_text("2. Dh5. ")
    play.type("Sc6")
    play.type("Lc4")
    play.type("Nf6")
    # A small letter is that of a file.
    play.type("dxf7")
    expect(play.detail).to_contain_class("wrong")
    play.type("Dxf7")
    play.expect_moves("e4", "e5", "Dh5", "Sc6", "Lc4", "Sf6", "Dxf7#")
    play.page.reload()
    play.expect_moves("e4", "e5", "Dh5", "Sc6", "Lc4", "Sf6", "Dxf7#")
    play.button("Copy PGN").click()
    expect(play.toast).to_have_text("PGN copied.")
    assert "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#" in play.clipboard()


def test_an_analysis_with_other_letters(analysis: Analysis) -> None:
    """Comments, variations and lines of the engine; a promotion by its key."""
    analysis.open_game("1. e4 e5 2. Qh5 {Allows Nf6.} (2. Nf3 {main} Nc6) 2... Ke7 $4 *")
    choose(analysis.page, "fr")
    assert analysis.movetext() == "1. e4 e5 2. Dh5 … Allows Cf6. 2. Cf3 main 2... Cc6 2. … Re7??"
    analysis.press("End")
    analysis.engine(True)
    expect(analysis.lines.first).to_contain_text("Dxe5#")
    choose(analysis.page, "figurines")
    expect(analysis.now).to_have_text("2... ♔e7??")
    expect(analysis.lines.first).to_contain_text("♕xe5#")
    assert "2. Qh5 {Allows Nf6.} (2. Nf3 {main} 2... Nc6) 2... Ke7 $4" in analysis.pgn().replace("\n", " ")
    analysis.engine(False)
    choose(analysis.page, "es")
    analysis.set_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    analysis.play("a7", "a8")
    analysis.page.keyboard.press("c")
    expect(analysis.now).to_have_text("1. a8=C")
    analysis.button("Previous move (←)").click()
    expect(analysis.now).to_have_text("Start")
    analysis.type("a8T")
    expect(analysis.now).to_have_text("1. a8=T")
