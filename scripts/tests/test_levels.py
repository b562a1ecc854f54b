"""levels.py with a stub for an engine, and the curve it draws."""

from __future__ import annotations

import json
import unittest
import xml.etree.ElementTree as tree
from pathlib import Path

from levels import HEIGHT, WIDTH, curve
from lib.stats import Rating
from support import InFolder, run_script, stub_command


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


class Curve(unittest.TestCase):
    def test_points_are_in_the_picture_and_agreement_on_the_diagonal(self) -> None:
        measured = ((800, 810, 40), (1000, 1000, 900), (1200, 1190, 30))
        root = tree.fromstring(curve([Rating(str(level), elo, error, 100, 0.5) for level, elo, error in measured]))
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
