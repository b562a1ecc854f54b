"""What match results say about strength: Elo, error bars, likelihood of superiority, SPRT.

The unit of evidence is the pair: one opening played with both colors. The two games of a pair are correlated (an opening that
favors one side gives 1-1), so errors and the SPRT are computed from the five possible pair scores, the pentanomial counts, and
not from single games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # share of the pair's two points
CONFIDENCE_Z = 1.959963984540054  # two-sided 95 %
PRIOR_COUNT = 1e-3  # stands in for outcomes not yet seen, so that no likelihood is zero
BISECTIONS = 100


def elo_from_score(score: float) -> float:
    """The rating difference at which `score` is expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 0.0 - 400 * math.log10(1 / score - 1)


def score_from_elo(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass
class Tally:
    """Results from the first engine's side: single games, and the pairs completed by them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * len(PAIR_SCORES))

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Mean score per game; one half without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def variance_per_game(self) -> float | None:
        """Variance of a game's score as it enters a mean over pairs; None with too few games."""
        count = sum(self.pairs)
        if count >= 2:
            return 2 * _variance(self.pairs, PAIR_SCORES)
        if count == 0 and self.games >= 2:
            return _variance((self.losses, self.draws, self.wins), (0.0, 0.5, 1.0))
        return None

    def standard_error(self) -> float | None:
        variance = self.variance_per_game()
        return None if variance is None else math.sqrt(variance / self.games)

    def elo(self) -> float:
        return elo_from_score(self.score)

    def elo_error(self) -> float | None:
        """Half the width of the 95 % interval; None with too few games, infinite at its edge."""
        error = self.standard_error()
        if error is None:
            return None
        high = elo_from_score(self.score + CONFIDENCE_Z * error)
        low = elo_from_score(self.score - CONFIDENCE_Z * error)
        return math.inf if math.isinf(high) or math.isinf(low) else (high - low) / 2

    def los(self) -> float | None:
        """Likelihood of superiority of the first engine."""
        error = self.standard_error()
        if error is None:
            return None
        if error == 0:
            return 0.5 if self.score == 0.5 else float(self.score > 0.5)
        return 0.5 * (1 + math.erf((self.score - 0.5) / error / math.sqrt(2)))


def _variance(counts: Sequence[float], values: Sequence[float]) -> float:
    total = sum(counts)
    mean = sum(count * value for count, value in zip(counts, values, strict=True)) / total
    return sum(count * (value - mean) ** 2 for count, value in zip(counts, values, strict=True)) / total


def constrained_likelihoods(shares: Sequence[float], values: Sequence[float], mean: float) -> list[float]:
    """The maximum-likelihood distribution with a given mean, after observing `shares`.

    Lagrange's condition gives p_i = share_i / (1 + t (value_i - mean)). The mean decreases in t, so bisection between the
    poles finds the t of the given mean.
    """
    low = -1 / (max(values) - mean)
    high = 1 / (mean - min(values))

    def excess(t: float) -> float:
        return sum(p * (v - mean) / (1 + t * (v - mean)) for p, v in zip(shares, values, strict=True))

    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if excess(middle) > 0:
            low = middle
        else:
            high = middle
    t = (low + high) / 2
    return [p / (1 + t * (v - mean)) for p, v in zip(shares, values, strict=True)]


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """The statistic of the generalized SPRT: the log of the likelihood of the pairs at elo1 over that at elo0."""
    total = sum(pairs)
    if total == 0:
        return 0.0
    counts = [count or PRIOR_COUNT for count in pairs]
    shares = [count / sum(counts) for count in counts]
    at0 = constrained_likelihoods(shares, PAIR_SCORES, score_from_elo(elo0))
    at1 = constrained_likelihoods(shares, PAIR_SCORES, score_from_elo(elo1))
    return sum(count * math.log(p1 / p0) for count, p0, p1 in zip(counts, at0, at1, strict=True))


@dataclass(frozen=True)
class Sprt:
    """A sequential test of elo0 against elo1 (logistic Elo) with error rates alpha and beta."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, tally: Tally) -> float:
        return log_likelihood_ratio(tally.pairs, self.elo0, self.elo1)

    def verdict(self, tally: Tally) -> str | None:
        """`H1` (at least elo1), `H0` (at most elo0), or None while undecided."""
        llr = self.llr(tally)
        return "H1" if llr >= self.upper else "H0" if llr <= self.lower else None
