"""What match results say about strength: Elo, error bars, likelihood of superiority, SPRT, and a joint rating list.

The unit of evidence is the pair: one opening played with both colors. The two games of a pair are correlated (an opening that
favors one side gives 1-1), so errors and the SPRT are computed from the five possible pair scores, the pentanomial counts, and
not from single games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # share of the pair's two points
CONFIDENCE_Z = 1.959963984540054  # two-sided 95 %
PRIOR_COUNT = 1e-3  # stands in for outcomes not yet seen, so that no likelihood is zero
BISECTIONS = 100
PRIOR_SD = 1500.0  # of a rating; keeps unbeaten engines finite and the mean at zero
MAX_STEP = 200.0
ITERATIONS = 200
CONVERGED = 1e-9
LOGISTIC = math.log(10) / 400
UNKNOWN_VARIANCE = 0.25  # of one game, for a pairing too short to show its own

Matrix = list[list[float]]


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
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

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


@dataclass(frozen=True)
class Rating:
    """A row of the rating list; the error is half a 95 % interval."""

    name: str
    elo: float
    error: float
    games: int
    score: float


def joint_ratings(names: Sequence[str], tallies: Mapping[tuple[int, int], Tally]) -> list[Rating]:
    """Maximum-likelihood ratings of the logistic model with mean zero, strongest first; `tallies[(i, j)]` are i's results.

    Errors come from the sandwich formula, with the measured variance of the pair scores between two factors of curvature, so
    they account for draws and paired openings.
    """
    count = len(names)
    played = {key: tally for key, tally in tallies.items() if tally.games}
    elo = [0.0] * count
    for _ in range(ITERATIONS):
        gradient = [-rating / PRIOR_SD**2 for rating in elo]
        for (i, j), tally in played.items():
            surplus = LOGISTIC * tally.games * (tally.score - score_from_elo(elo[i] - elo[j]))
            gradient[i] += surplus
            gradient[j] -= surplus
        step = [sum(a * b for a, b in zip(row, gradient, strict=True)) for row in inverse(_curvature(elo, played))]
        largest = max(abs(change) for change in step)
        scale = min(1.0, MAX_STEP / largest) if largest else 1.0
        elo = [rating + scale * change for rating, change in zip(elo, step, strict=True)]
        if largest < CONVERGED:
            break
    bread = inverse(_curvature(elo, played))
    errors = _errors(bread, _spread(count, played))
    ratings: list[Rating] = []
    for index, name in enumerate(names):
        own = [(tally, i == index) for (i, j), tally in played.items() if index in (i, j)]
        games = sum(tally.games for tally, _ in own)
        points = sum(tally.games * (tally.score if first else 1 - tally.score) for tally, first in own)
        ratings.append(Rating(name, elo[index], errors[index], games, points / games if games else 0.5))
    return sorted(ratings, key=lambda rating: -rating.elo)


def _curvature(elo: Sequence[float], played: Mapping[tuple[int, int], Tally]) -> Matrix:
    count = len(elo)
    matrix = [[1 / PRIOR_SD**2 if i == j else 0.0 for j in range(count)] for i in range(count)]
    for (i, j), tally in played.items():
        expected = score_from_elo(elo[i] - elo[j])
        _add(matrix, i, j, LOGISTIC**2 * tally.games * expected * (1 - expected))
    return matrix


def _spread(count: int, played: Mapping[tuple[int, int], Tally]) -> Matrix:
    matrix = [[0.0] * count for _ in range(count)]
    for (i, j), tally in played.items():
        variance = tally.variance_per_game()
        _add(matrix, i, j, LOGISTIC**2 * tally.games * (UNKNOWN_VARIANCE if variance is None else variance))
    return matrix


def _add(matrix: Matrix, i: int, j: int, weight: float) -> None:
    matrix[i][i] += weight
    matrix[j][j] += weight
    matrix[i][j] -= weight
    matrix[j][i] -= weight


def _errors(bread: Matrix, meat: Matrix) -> list[float]:
    return [
        CONFIDENCE_Z
        * math.sqrt(
            sum(
                row[a] * weight * row[b] for a, weights in enumerate(meat) for b, weight in enumerate(weights)
            )
        )
        for row in bread
    ]  # fmt: skip


def inverse(matrix: Matrix) -> Matrix:
    """Gauss–Jordan elimination with row exchange; the matrices are small and positive definite."""
    size = len(matrix)
    work = [row[:] + [float(i == j) for j in range(size)] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(work[row][column]))
        work[column], work[pivot] = work[pivot], work[column]
        scale = work[column][column]
        work[column] = [value / scale for value in work[column]]
        for row in range(size):
            if row != column and work[row][column]:
                factor = work[row][column]
                work[row] = [a - factor * b for a, b in zip(work[row], work[column], strict=True)]
    return [row[size:] for row in work]
