"""Ending games early by the engines' own scores. Off unless asked for: it saves time and can hide mistakes."""

from __future__ import annotations

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
