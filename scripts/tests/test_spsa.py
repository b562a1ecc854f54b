"""spsa.py: it finds the best values of a known function, and continues a tune from its state."""

from __future__ import annotations

import random
import tempfile
import unittest
from pathlib import Path

from lib.cli import UsageError
from spsa import Parameter, Tune

PARAMETERS = [Parameter(name, 50, 0, 100, 4.0) for name in ("low", "high", "same")]
BEST = {"low": 20, "high": 80, "same": 50}


def tune() -> Tune:
    return Tune(PARAMETERS, 4000, 0.02, 1)


def play(tune: Tune, until: int) -> None:
    """The point that is closer to the best values wins every pair."""
    while tune.finished < until:
        k = tune.finished + 1
        plus, minus = (sum((value - BEST[name]) ** 2 for name, value in tune.point(k, side).items()) for side in (1, -1))
        tune.learn(k, 8 if plus < minus else -8, 4)


class Spsa(unittest.TestCase):
    def test_the_best_values_are_found(self) -> None:
        found = tune()
        play(found, found.pairs)
        for name, value in found.values.items():
            self.assertAlmostEqual(value, BEST[name], delta=8)

    def test_random_results_move_the_values_by_chance(self) -> None:
        names = [f"parameter{number}" for number in range(400)]
        drawn = Tune([Parameter(name, 50, 0, 100, 1.0) for name in names], 4000, 0.002, 1)
        rng = random.Random(1)
        while drawn.finished < drawn.pairs:
            drawn.learn(drawn.finished + 1, rng.choice((-8, 0, 8)), 4)
        squares = [drawn.distance(parameter) ** 2 for parameter in drawn.parameters]
        # 400 squares of normal deviates: their mean has a standard error of 7 %.
        self.assertAlmostEqual(sum(squares) / len(squares) / drawn.chance, 1, delta=0.25)

    def test_points_are_opposite_and_in_range(self) -> None:
        edge = tune()
        edge.values["low"] = 0.0
        for k in range(1, 200):
            plus, minus = edge.point(k, 1), edge.point(k, -1)
            self.assertTrue(all(0 <= value <= 100 for value in (*plus.values(), *minus.values())))
            self.assertLessEqual(abs(plus["high"] + minus["high"] - 100), 1)
            self.assertGreaterEqual(abs(plus["high"] - minus["high"]), 6)

    def test_a_tune_goes_on_where_it_was(self) -> None:
        whole, first, second = tune(), tune(), tune()
        play(whole, 200)
        play(first, 80)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "state.json"
            first.save(path, {"seed": 1})
            second.load(path, {"seed": 1})
            with self.assertRaisesRegex(UsageError, "of another tune: 'seed' was 1, now 2"):
                second.load(path, {"seed": 2})
        play(second, 200)
        self.assertEqual(second.values, whole.values)


if __name__ == "__main__":
    unittest.main()
