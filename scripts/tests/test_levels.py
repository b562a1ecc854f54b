"""levels.py with a stub for an engine, and the curve it draws."""

from __future__ import annotations

import json
import math
import unittest
import xml.etree.ElementTree as tree
from pathlib import Path
from typing import ClassVar

from support import InFolder, run_script, stub_command

from levels import HEIGHT, WIDTH, Player, Rating, curve, ratings_of
from lib.stats import Tally


class Levels(InFolder):
    def run_levels(self, *more: str) -> tuple[int, str, str]:
        engine = self.program("engine", f"exec {stub_command('levels')}")
        # Four plies from the 50-move draw.
        book = self.write("book.epd", "8/8/4k3/8/8/3QK3/8/8 w - - 96 80\n")
        done = run_script("levels.py", "--engine", engine, "--book", book, "--games", "2", *more)
        return done.returncode, done.stdout, done.stderr

    def test_every_level_plays_the_next_and_the_anchor(self) -> None:
        status, text, error = self.run_levels(
            "--from", "800", "--to", "1000", "--anchor", self.path("engine"), "--anchor-at", "1000",
            "--json", self.path("levels.json"), "--svg", self.path("levels.svg"), "--results", self.path("results"),
        )  # fmt: skip
        self.assertEqual(status, 0, error)
        for pair in ("| 1000 | 800 | 2 |", "| 1000 | stockfish 1000 | 2 |"):
            self.assertIn(pair, text)
        found = json.loads(Path(self.path("levels.json")).read_text())
        # All games are drawn: all levels have the rating of the anchor, 1000.
        self.assertEqual([row["level"] for row in found], [800, 1000])
        for row in found:
            self.assertAlmostEqual(row["elo"], 1000, delta=1)
        tree.parse(self.path("levels.svg"))
        self.assertEqual(len(list(Path(self.path("results")).iterdir())), 2)

    def test_an_anchor_at_no_level_is_an_error(self) -> None:
        status, _, error = self.run_levels("--to", "1200", "--anchor", self.path("engine"), "--anchor-at", "1300")
        self.assertEqual(status, 2)
        self.assertIn("1300 is not one of the levels", error)


class Ratings(unittest.TestCase):
    PAIRS: ClassVar = [(Player(1000), Player(800)), (Player(1200), Player(1000)), (Player(1000), Player(1000, anchor=True))]

    def test_sums_of_the_differences(self) -> None:
        # 3/4 is 190.85 Elo, 10/11 is 400.
        step, level = Tally(wins=3000, losses=1000), Tally(wins=500, losses=500)
        for tallies, expected in (
            ([step, step, level], (809.15, 1000, 1190.85)),
            ([level, step, step], (1190.85, 1190.85, 1381.7)),
        ):
            for row, elo in zip(ratings_of(self.PAIRS, tallies), expected, strict=True):
                self.assertAlmostEqual(row.elo, elo, delta=0.01)
        # Without an anchor the mean is that of the levels.
        rows = ratings_of(self.PAIRS[:2], [Tally(wins=10_000, losses=1000), level])
        self.assertEqual([round(row.elo) for row in rows], [733, 1133, 1133])

    def test_errors_add_up_from_the_anchor(self) -> None:
        tally = Tally(wins=3000, losses=1000, pairs=[200, 0, 600, 0, 1200])
        rows = ratings_of(self.PAIRS, [tally, tally, tally])
        error = tally.elo_error() or 0
        for row, count in zip(rows, (2, 1, 2), strict=True):
            self.assertAlmostEqual(row.error, error * math.sqrt(count), delta=0.1)

    def test_a_perfect_score_stays_finite(self) -> None:
        high = ratings_of(self.PAIRS[:1], [Tally(wins=20, pairs=[0, 0, 0, 0, 10])])[1]
        self.assertTrue(1000 < high.elo < 2000 and 0 < high.error < 2000)


class Curve(unittest.TestCase):
    def test_points_are_in_the_picture_and_agreement_on_the_diagonal(self) -> None:
        measured = ((800, 810, 40), (1000, 1000, 900), (1200, 1190, 30))
        root = tree.fromstring(curve([Rating(level, elo, error) for level, elo, error in measured]))
        places = {name: name.rpartition("}")[2] for name in (element.tag for element in root.iter())}
        self.assertIn("polyline", places.values())
        circles = [element for element in root.iter() if element.tag.endswith("circle")]
        self.assertEqual(len(circles), 3)
        for circle in circles:
            self.assertTrue(0 < float(circle.get("cx", "")) < WIDTH)
            self.assertTrue(0 < float(circle.get("cy", "")) < HEIGHT)
        ideal = next(element for element in root.iter() if element.get("class") == "ideal")
        x1, y1, x2, y2 = (float(ideal.get(end, "")) for end in ("x1", "y1", "x2", "y2"))
        x, y = float(circles[1].get("cx", "")), float(circles[1].get("cy", ""))
        self.assertAlmostEqual((y - y1) / (y2 - y1), (x - x1) / (x2 - x1), places=2)

    def test_no_points_are_still_valid_svg(self) -> None:
        tree.fromstring(curve([]))


if __name__ == "__main__":
    unittest.main()
