"""The page in other languages: the catalogs agree with each other, and texts are translated where they are shown."""

from __future__ import annotations

import re

from modes import Analysis, Mode, Play
from test_analysis import BLUNDERS

from playwright.sync_api import expect

CATALOGS = """async () => {
    const { LANGUAGES } = await import(new URL("board/language.js", document.baseURI));
    const codes = Object.keys(LANGUAGES).filter((code) => code !== "en");
    const modules = codes.map((code) => import(new URL(`board/languages/${code}.js`, document.baseURI)));
    return Object.fromEntries((await Promise.all(modules)).map((one, index) => [codes[index], one.default]));
}"""
TRANSLATED = """async ([catalog, texts]) => {
    const { translator } = await import(new URL("board/language.js", document.baseURI));
    return texts.map(translator(catalog));
}"""
CATALOG = {
    "{side} to move.": "{side} am Zug.", "White": "Weiß", "Loses {what} after {move}.": "Verliert {what} nach {move}.",
    "a knight": "einen Springer", "{a} and {b}": "{a} und {b}", "a pawn": "einen Bauern", "Save": "Speichern",
}  # fmt: skip
# A template wins over a shorter one; what is unknown stays; notation needs no translation.
TRANSLATIONS = {
    " Save ": " Speichern ",
    "White to move.": "Weiß am Zug.",
    "2. Nf3. White to move.": "2. Nf3. Weiß am Zug.",
    "Loses a knight and a pawn after Rd8+.": "Verliert einen Springer und einen Bauern nach Rd8+.",
    "Shut the door! Loses a pawn after c5.": "Shut the door! Verliert einen Bauern nach c5.",
    "Shut the door!": None,
    # A part of a sentence is also one of its own.
    "A knight.": "Einen Springer.",
    "12... Qxf7+ 1/2-1/2 (+0.35)": "12... Qxf7+ 1/2-1/2 (+0.35)",
}

# Those of a row are translated one by one.
FACTS = {
    "en": ["Depth 12/18 · 1.2 M nodes · 900 k/s · 3 TB hits", " −0.50 on average of 2 · 50 % of 2 games"],
    "de": ["Tiefe 12/18 · 1.2 M Knoten · 900 k/s · 3 Tabellentreffer", " −0.50 im Durchschnitt von 2 · 50 % aus 2 Partien"],
    "es": ["Profundidad 12/18 · 1.2 M nodos · 900 k/s · 3 aciertos en tablas", " −0.50 de media en 2 · 50 % de 2 partidas"],
}


def test_texts_are_translated(play: Play) -> None:
    found = play.page.evaluate(TRANSLATED, [CATALOG, list(TRANSLATIONS)])
    assert found == list(TRANSLATIONS.values())


def test_the_catalogs_have_the_same_texts(play: Play) -> None:
    catalogs = play.page.evaluate(CATALOGS)
    assert len(catalogs) >= 2
    first = next(iter(catalogs.values()))
    for code, catalog in catalogs.items():
        assert list(catalog) == list(first), code
        slots = [(key, text) for key, text in catalog.items() if varying(key) != varying(text) or not text.strip()]
        assert not slots, code
        # The page puts these together of two parts.
        own = [f"{result} with {color}" for result in ("won", "drew", "lost", "played") for color in ("White", "Black")]
        assert set(own) <= set(catalog), code


def test_the_facts_of_a_row_are_translated(play: Play) -> None:
    for code, catalog in play.page.evaluate(CATALOGS).items():
        assert play.page.evaluate(TRANSLATED, [catalog, FACTS["en"]]) == FACTS[code]


def varying(text: str) -> list[str]:
    return sorted(set(re.findall(r"{(\w+)}", text)))


def choose(mode: Mode, language: str) -> None:
    page = mode.page
    page.locator("#settings").click()
    page.locator("#set-language").select_option(label=language)
    expect(page.locator("html")).to_have_attribute("lang", "en" if language == "English" else "de")
    expect(page.locator("body[data-connected]")).to_be_attached()


def test_a_page_in_german(analysis: Analysis) -> None:
    """What was shown before, what comes from the server later, comments, and what people write; PGN is English."""
    analysis.open_game(BLUNDERS)
    analysis.annotate("Quick")
    expect(analysis.button("Annotate again")).to_be_visible()
    choose(analysis, "Deutsch")
    page = analysis.page
    expect(page.get_by_role("tab", name="Trainieren")).to_be_visible()
    expect(analysis.panel.locator(".moves")).to_contain_text("Erlaubt Matt in 1.")
    expect(analysis.button("Neu auswerten")).to_be_visible()
    choose(analysis, "English")
    expect(page.get_by_role("tab", name="Train")).to_be_visible()
    assert "Allows mate in 1." in analysis.pgn()
