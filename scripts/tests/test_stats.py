"""Statistics against values derived by hand or in another way than the code does."""

from __future__ import annotations

import math
import statistics
import unittest

import support  # noqa: F401  (makes lib importable)

from lib.stats import (
    PAIR_SCORES,
    Sprt,
    Tally,
    elo_from_score,
    log_likelihood_ratio,
    score_from_elo,
)


def normal_quantile(p: float) -> float:
    return statistics.NormalDist().inv_cdf(p)


class Elo(unittest.TestCase):
    def test_known_values(self) -> None:
        # 400 log10(s / (1 - s)): 3/4 gives 400 log10 3, 10/11 gives exactly 400.
        self.assertAlmostEqual(elo_from_score(0.75), 190.8485, places=4)
        self.assertAlmostEqual(elo_from_score(10 / 11), 400, places=9)
        self.assertEqual(elo_from_score(0.5), 0)
        self.assertAlmostEqual(elo_from_score(0.25), -190.8485, places=4)
        self.assertEqual((elo_from_score(1), elo_from_score(0)), (math.inf, -math.inf))

    def test_inverse(self) -> None:
        for elo in (-700, -3.5, 0, 12, 400):
            self.assertAlmostEqual(elo_from_score(score_from_elo(elo)), elo, places=9)


class ErrorBars(unittest.TestCase):
    def test_pairs_by_hand(self) -> None:
        # (1·¼ + 2·1/16 + 0 + 2·1/16 + 1·¼) / 10 = 0.075 for a pair's mean, so √(0.075 / 10) for the match.
        tally = Tally(wins=6, draws=8, losses=6, pairs=[1, 2, 4, 2, 1])
        error = tally.standard_error()
        assert error is not None
        self.assertAlmostEqual(error, math.sqrt(0.0075), places=12)
        half = 1.959964 * math.sqrt(0.0075)
        self.assertAlmostEqual(tally.elo_error() or 0, 400 * math.log10((0.5 + half) / (0.5 - half)), places=3)

    def test_pairs_against_a_list_of_pairs(self) -> None:
        counts = [3, 11, 40, 21, 5]
        means = [value for count, value in zip(counts, PAIR_SCORES, strict=True) for _ in range(count)]
        # 2 × 80 games with the same number of points: 0·3 + ½·11 + 1·40 + 1½·21 + 2·5 = 87.
        tally = Tally(wins=50, draws=74, losses=36, pairs=counts)
        self.assertAlmostEqual(tally.score, 87 / 160)
        self.assertAlmostEqual(tally.standard_error() or 0, statistics.pstdev(means) / math.sqrt(80), places=12)

    def test_single_games_without_pairs(self) -> None:
        tally = Tally(wins=10, draws=20, losses=10)
        self.assertAlmostEqual(tally.standard_error() or 0, math.sqrt(0.125 / 40), places=12)

    def test_paired_openings_narrow_the_error(self) -> None:
        # White wins every game: single games vary, but the pairs show no randomness at all.
        self.assertEqual(Tally(wins=10, draws=0, losses=10, pairs=[0, 0, 10, 0, 0]).elo_error(), 0)

    def test_too_few_games(self) -> None:
        self.assertIsNone(Tally(wins=1).elo_error())
        self.assertIsNone(Tally(wins=2, pairs=[0, 0, 0, 0, 1]).los())

    def test_los(self) -> None:
        self.assertAlmostEqual(Tally(5, 10, 5, [1, 2, 4, 2, 1]).los() or 0, 0.5)
        tally = Tally(8, 5, 7, [1, 2, 3, 3, 1])
        error = tally.standard_error()
        assert error is not None
        self.assertAlmostEqual(normal_quantile(tally.los() or 0), (tally.score - 0.5) / error, places=6)


class SequentialTest(unittest.TestCase):
    def test_bounds(self) -> None:
        test = Sprt(0, 5)
        self.assertAlmostEqual(test.upper, math.log(19), places=12)
        self.assertAlmostEqual(test.lower, -math.log(19), places=12)
        self.assertAlmostEqual(Sprt(0, 5, alpha=0.01, beta=0.1).upper, math.log(90), places=12)
        self.assertAlmostEqual(Sprt(0, 5, alpha=0.01, beta=0.1).lower, math.log(0.1 / 0.99), places=12)

    def test_llr_against_a_search_for_the_maximum(self) -> None:
        # With three kinds of pair and a fixed mean one number is free: the share of 1-1. A search finds its best value.
        losses, level, wins = 300, 500, 350

        def best(mean: float) -> float:
            def likelihood(share: float) -> float:
                win = mean - share / 2
                return losses * math.log(1 - share - win) + level * math.log(share) + wins * math.log(win)

            low, high = 1e-9, min(2 * mean, 2 * (1 - mean)) - 1e-9
            for _ in range(200):
                third = (high - low) / 3
                if likelihood(low + third) < likelihood(high - third):
                    low += third
                else:
                    high -= third
            return likelihood((low + high) / 2)

        expected = best(score_from_elo(10)) - best(score_from_elo(-5))
        # The tolerance is for the unseen kinds of pair, which count a thousandth of a pair each.
        self.assertAlmostEqual(log_likelihood_ratio((losses, 0, level, 0, wins), -5, 10), expected, delta=0.01)

    def test_llr_against_the_normal_approximation(self) -> None:
        pairs = (150, 1900, 4000, 2050, 180)
        count = sum(pairs)
        mean = sum(n * v for n, v in zip(pairs, PAIR_SCORES, strict=True)) / count
        variance = sum(n * (v - mean) ** 2 for n, v in zip(pairs, PAIR_SCORES, strict=True)) / count
        s0, s1 = score_from_elo(0), score_from_elo(4)
        expected = count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
        self.assertGreater(expected, 1)
        self.assertAlmostEqual(log_likelihood_ratio(pairs, 0, 4), expected, delta=0.01 * expected)

    def test_signs_and_verdicts(self) -> None:
        self.assertEqual(Sprt(0, 10).llr(Tally()), 0)
        self.assertAlmostEqual(log_likelihood_ratio((10, 20, 40, 20, 10), -5, 5), 0, places=9)
        good = Tally(wins=700, draws=1000, losses=300, pairs=[50, 150, 300, 350, 150])
        bad = Tally(wins=300, draws=1000, losses=700, pairs=[150, 350, 300, 150, 50])
        self.assertEqual(Sprt(0, 10).verdict(good), "H1")
        self.assertEqual(Sprt(0, 10).verdict(bad), "H0")
        self.assertIsNone(Sprt(0, 10).verdict(Tally(1, 0, 1, [0, 0, 1, 0, 0])))


if __name__ == "__main__":
    unittest.main()
