"""One rating list from all pairings of a match: the maximum-likelihood fit of the logistic model.

Errors come from the sandwich formula, with the real spread of the pair scores between two slices of curvature, so
they are honest about draws and about paired openings. A very broad prior keeps unbeaten engines finite and pins the
mean at zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .stats import CONFIDENCE_Z, Tally, score_from_elo

PRIOR_SD = 1500.0
MAX_STEP = 200.0
ITERATIONS = 200
SETTLED = 1e-9
LOGISTIC = math.log(10) / 400
FALLBACK_VARIANCE = 0.25  # of one game, where a pairing is too short to show its own

Matrix = list[list[float]]


@dataclass(frozen=True)
class Rating:
    """One row of the joint table; the error is half a 95 % interval."""

    name: str
    elo: float
    error: float
    games: int
    score: float


def joint_ratings(names: Sequence[str], tallies: Mapping[tuple[int, int], Tally]) -> list[Rating]:
    """Ratings with mean zero, strongest first. `tallies[(i, j)]` are results from i's side."""
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
        if largest < SETTLED:
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
        _add(matrix, i, j, LOGISTIC**2 * tally.games * (FALLBACK_VARIANCE if variance is None else variance))
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
    """Gauss–Jordan with row exchange; the matrices here are small and positive definite."""
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
