"""Ending games early by the engines' own scores. Off unless asked for: it saves time and can hide mistakes."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from .info import Score
from .referee import Ending


@dataclass(frozen=True)
class Adjudication:
    """The opt-in rules of one match; None leaves a rule off."""

    draw_from_move: int | None = None
    draw_moves: int = 0
    draw_cp: int = 0
    resign_moves: int | None = None
    resign_cp: int = 0
    max_moves: int | None = None

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))


def add_adjudication(top: argparse.ArgumentParser) -> None:
    """The options that every program playing games offers."""
    early = top.add_argument_group("adjudication, off by default")
    early.add_argument("--draw", nargs=3, type=int, metavar=("FROM_MOVE", "MOVES", "CP"),
                       help="draw when both scores stay within CP for MOVES moves, from FROM_MOVE on")
    early.add_argument("--resign", nargs=2, type=int, metavar=("MOVES", "CP"),
                       help="lost when both scores agree for MOVES moves that one side is CP behind")
    early.add_argument("--max-moves", type=int, metavar="N", help="draw after N moves")  # fmt: skip


def adjudication_from(arguments: argparse.Namespace) -> Adjudication:
    draw_from, draw_moves, draw_cp = arguments.draw or (None, 0, 0)
    resign_moves, resign_cp = arguments.resign or (None, 0)
    return Adjudication(draw_from, draw_moves, draw_cp, resign_moves, resign_cp, arguments.max_moves)


class Adjudicator:
    """Watches one game. Both sides must agree for as many of their own moves as the rule says."""

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._plies = 0
        self._level_plies = 0
        self._lost_plies = {True: 0, False: 0}

    def after_move(self, white_moved: bool, score: Score | None) -> Ending | None:
        rules = self._rules
        self._plies += 1
        cp = score.as_centipawns() if score else None
        self._level_plies = self._level_plies + 1 if cp is not None and abs(cp) <= rules.draw_cp else 0
        for white, lost in ((white_moved, cp is not None and cp <= -rules.resign_cp),
                            (not white_moved, cp is not None and cp >= rules.resign_cp)):  # fmt: skip
            self._lost_plies[white] = self._lost_plies[white] + 1 if lost else 0
        if rules.resign_moves is not None:
            for white, result in ((True, "0-1"), (False, "1-0")):
                if self._lost_plies[white] >= 2 * rules.resign_moves:
                    return Ending(result, "adjudicated by both scores", "adjudication")
        if (
            rules.draw_from_move is not None
            and self._plies >= 2 * rules.draw_from_move
            and self._level_plies >= 2 * rules.draw_moves
        ):
            return Ending("1/2-1/2", "adjudicated level by both scores", "adjudication")
        if rules.max_moves is not None and self._plies >= 2 * rules.max_moves:
            return Ending("1/2-1/2", f"adjudicated after {rules.max_moves} moves", "adjudication")
        return None
