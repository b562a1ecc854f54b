"""levels.py with stand-ins for fastchess and the engines, and its arithmetic."""

from __future__ import annotations

import math
import unittest
from typing import ClassVar

from support import InFolder, fastchess_report, run_script

from levels import Player, ratings_of
from lib.fastchess import Score


class Levels(InFolder):
    def run_levels(self, *more: str) -> tuple[int, str, str]:
        book = self.write("book.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n")
        fastchess = self.fastchess(fastchess_report(0, 2, 0, "0, 0, 1, 0, 0"))
        done = run_script("levels.py", "--engine", "/a/engine", "--book", book, "--games", "2", "--fastchess", fastchess, *more)
        return done.returncode, done.stdout, done.stderr

    def test_every_level_plays_the_next_and_the_anchor(self) -> None:
        status, text, error = self.run_levels("--from", "800", "--to", "1000", "--anchor", "/a/anchor", "--anchor-at", "1000")
        self.assertEqual(status, 0, error)
        for pair in ("| 1000 | 800 | 0 – 2 – 0 |", "| 1000 | stockfish 1000 | 0 – 2 – 0 |"):
            self.assertIn(pair, text)
        # All games are drawn: all levels have the rating of the anchor, 1000.
        for level in (800, 1000):
            self.assertIn(f"UCI_Elo {level}: measured 1000 ", text)
        # The last match is that against the anchor.
        given = self.fastchess_arguments()
        self.assertIn("cmd=/a/anchor", given)
        self.assertEqual(given.count("option.UCI_Elo=1000"), 2)

    def test_an_anchor_at_no_level_is_an_error(self) -> None:
        status, _, error = self.run_levels("--to", "1200", "--anchor", "/a/anchor", "--anchor-at", "1300")
        self.assertEqual(status, 2)
        self.assertIn("1300 is not one of the levels", error)


class Ratings(unittest.TestCase):
    PAIRS: ClassVar = [(Player(1000), Player(800)), (Player(1200), Player(1000)), (Player(1000), Player(1000, anchor=True))]

    def test_sums_of_the_differences(self) -> None:
        # 3/4 is 190.85 Elo, 10/11 is 400.
        step, level, large = score(3000, 1000), score(500, 500), score(10_000, 1000)
        for scores, expected in (
            ([step, step, level], (809.15, 1000, 1190.85)),
            ([level, step, step], (1190.85, 1190.85, 1381.7)),
        ):
            for row, elo in zip(ratings_of(self.PAIRS, scores), expected, strict=True):
                self.assertAlmostEqual(row.elo, elo, delta=0.01)
        # Without an anchor the mean is that of the levels.
        rows = ratings_of(self.PAIRS[:2], [large, level])
        self.assertEqual([round(row.elo) for row in rows], [733, 1133, 1133])

    def test_errors_add_up_from_the_anchor(self) -> None:
        # (1·¼ + 2·1/16 + 2·1/16 + 1·¼) / 10 = 0.075 for the mean of a pair; the slope of Elo at ½ is 4 · 400 / ln 10.
        one = Score(6, 8, 6, (1, 2, 4, 2, 1), 0, 0)
        error = 1.96 * math.sqrt(0.0075) * 1600 / math.log(10)
        for row, count in zip(ratings_of(self.PAIRS, [one, one, one]), (2, 1, 2), strict=True):
            self.assertAlmostEqual(row.error, error * math.sqrt(count), delta=0.01)

    def test_a_perfect_score_stays_finite(self) -> None:
        high = ratings_of(self.PAIRS[:1], [score(20, 0)])[1]
        self.assertTrue(1000 < high.elo < 2000 and 0 < high.error < 2000)


def score(wins: int, losses: int) -> Score:
    """Pairs that are won or lost as a whole."""
    return Score(wins, 0, losses, (losses // 2, 0, 0, 0, wins // 2), 0, 0)
