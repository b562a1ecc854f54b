"""The settings of Castellan Board, and the layout of its page: what must stay in view, at every size, in light and dark."""

from __future__ import annotations

import os
import re

from lib.cli import REPOSITORY

from playwright.sync_api import FloatRect, Locator, Page, expect

from .board import SIZES, Board, Scene
from .board_analysis import LONG, engine, open_game, press
from .board_analysis import part as analysis_part
from .board_tridim import open_game as open_tridim


def settings(page: Page) -> Locator:
    page.locator("#settings").click()
    return page.get_by_role("dialog", name="Settings")


def close(page: Page) -> None:
    page.get_by_role("dialog", name="Settings").get_by_role("button", name="Close").click()


def box(part: Locator) -> FloatRect:
    found = part.bounding_box()
    assert found, part
    return found


def overlaps(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]
    )  # fmt: skip


def is_inside(inner: FloatRect, outer: FloatRect) -> bool:
    return inner["y"] >= outer["y"] - 1 and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1


def test_the_look_is_kept(board: Board) -> None:
    page = board.open("play")
    piece = page.locator("#play use.piece").first
    background = "getComputedStyle(document.body).backgroundColor"
    square = "getComputedStyle(document.querySelector('#play .board .dark')).fill"
    light, wood = page.evaluate(background), page.evaluate(square)
    dialog = settings(page)
    dialog.get_by_label("Dark").check()
    dialog.get_by_label("Staunton").check()
    dialog.get_by_label("Green").check()
    dialog.get_by_label("Coordinates").uncheck()
    for _ in range(2):
        expect(piece).to_have_attribute("href", re.compile("^#staunton-"))
        assert page.evaluate(background) != light
        assert page.evaluate(square) != wood
        expect(page.locator("#play .board text").first).to_be_hidden()
        page.reload()
        expect(page.locator("body[data-connected]")).to_be_attached()
    dialog = settings(page)
    dialog.get_by_label("As the system").check()
    close(page)
    assert page.evaluate(background) == light


def test_the_engine_is_set(board: Board) -> None:
    """Threads, hash, lines and tablebases: shown with what the machine has, used by the next search, and kept."""
    board.needs_program()
    page = board.open("analysis")
    engine(page, True)
    dialog = settings(page)
    expect(dialog).to_contain_text(re.compile(rf"of {os.cpu_count()} cores?") if os.cpu_count() else "of")
    expect(dialog).to_contain_text("MB of memory available")
    dialog.get_by_label("Threads").fill("2")
    dialog.get_by_label("Hash table").fill("32")
    dialog.get_by_label("Lines in Analyze").select_option("2")
    dialog.get_by_label("Syzygy").fill(str(REPOSITORY / "tests" / "data" / "syzygy"))
    dialog.get_by_label("Syzygy").press("Tab")
    expect(dialog).to_contain_text(re.compile(r"\d+ tables, up to \d pieces"))
    close(page)
    expect(page.locator("#analysis .engine-facts")).to_have_text(re.compile("2 of .* 32 MB"))
    expect(page.locator("#analysis .lines li")).to_have_count(2)
    page.reload()
    expect(page.locator("#analysis .engine-facts")).to_have_text(re.compile("2 of .* 32 MB"))
    board.server.kill()
    board.server.start()
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("#analysis .engine-facts")).to_have_text(re.compile("2 of .* 32 MB"))
    dialog = settings(page)
    expect(dialog).to_contain_text(re.compile(r"\d+ tables"))
    dialog.get_by_label("Syzygy").fill("/nowhere/at/all")
    dialog.get_by_label("Syzygy").press("Tab")
    expect(dialog.get_by_role("alert")).to_contain_text("/nowhere/at/all")
    dialog.get_by_role("button", name="Reset").click()
    expect(dialog.get_by_label("Threads")).to_have_value("1")
    expect(dialog.locator(".wrong")).to_be_empty()


def test_the_move_shown_stays_in_view(board: Board) -> None:
    for size in ("desktop", "small", "large"):
        page = board.open("analysis", size)
        expect(analysis_part(page, "FEN")).not_to_have_value("")
        open_game(page, LONG)
        press(page, "End")
        here, moves = page.locator("#analysis .moves .here"), page.locator("#analysis .moves")
        assert is_inside(box(here), box(moves)), f"{size}: {box(here)} {box(moves)}"
        engine(page, True)
        press(page, "ArrowLeft")
        expect(page.locator("#analysis .lines li")).not_to_have_count(0)
        assert is_inside(box(here), box(moves)), f"{size} with engine: {box(here)} {box(moves)}"
        page.context.close()


def test_messages_hide_nothing(board: Board) -> None:
    """A toast and a lost connection lie over the header, and move nothing."""
    for size in SIZES:
        page = board.open("play", size)
        rows = page.locator("#play .player")
        before = [box(rows.first), box(rows.last)]
        page.get_by_role("button", name="Copy FEN").click()
        toast = page.locator("#toast.shown")
        expect(toast).to_be_visible()
        page.evaluate("scrollTo(0, 0)")
        for part in (rows.first, rows.last, page.locator("#play .chessboard")):
            assert not overlaps(box(toast), box(part)), f"{size}: {box(toast)} {box(part)}"
        board.server.kill()
        expect(page.locator("#connection")).to_be_visible()
        assert [box(rows.first), box(rows.last)] == before, size
        assert not overlaps(box(page.locator("#connection")), box(rows.first)), size
        board.server.start()
        expect(page.locator("#connection")).to_be_hidden()
        page.context.close()


def test_no_label_is_cut(board: Board) -> None:
    for size in SIZES:
        page = board.open("play", size)
        expect(page.get_by_role("button", name="New game", exact=True)).to_be_visible()
        cut = page.locator("#play button:visible").evaluate_all(
            "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
        )
        assert not cut, f"{size}: {cut}"
        page.context.close()


def test_tridim_moves_are_rows(board: Board) -> None:
    page = open_tridim(board)
    page.locator("#tridim .amount").fill("0.01")
    page.locator("#tridim .amount").press("Enter")
    rows = page.locator("#tridim .moves li")
    for number in range(14):
        page.get_by_role("button", name="Engine move").click()
        expect(rows).to_have_count(number // 2 + 1)
        expect(rows.last.locator("> span").nth(1 + number % 2)).not_to_be_empty()
    tops = [box(rows.nth(index))["y"] for index in range(rows.count())]
    assert tops == sorted(set(tops)), tops
    lefts = {box(rows.nth(index))["x"] for index in range(rows.count())}
    assert len(lefts) == 1, lefts


def test_symbols_need_no_font(board: Board) -> None:
    page = board.open("analysis")
    expect(analysis_part(page, "FEN")).not_to_have_value("")
    open_game(page, "1. e4 e5 2. Nc3 $14 $2 *")
    name = page.locator("#analysis .moves button", has_text="Nc3").locator("b")
    assert name.inner_text().replace("\n", "").split() == ["Nc3?", "⩲"], name.inner_text()
    expect(name.locator(".glyph svg path")).to_have_count(1)


def test_evaluation_is_readable(board: Board) -> None:
    page = board.open("analysis", "phone")
    engine(page, True)
    label = page.locator("#analysis .evaluation span")
    expect(label).not_to_be_empty()
    assert label.evaluate("one => parseFloat(getComputedStyle(one).fontSize) >= 12 && one.scrollWidth <= one.clientWidth")


def settings_scene(page: Page) -> None:
    dialog = settings(page)
    expect(dialog).to_contain_text("cores" if (os.cpu_count() or 1) > 1 else "core")


def staunton_scene(page: Page) -> None:
    dialog = settings(page)
    dialog.get_by_label("Staunton").check()
    dialog.get_by_label("Blue").check()
    close(page)


SCENES: dict[str, Scene] = {"settings": settings_scene, "staunton": staunton_scene}
