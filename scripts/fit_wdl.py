#!/usr/bin/env python3
"""Fits the win-rate model of `search/src/wdl.rs` to games of the engine against itself.

    scripts/match.py ... --pgn games.pgn
    scripts/fit_wdl.py games.pgn

The model: the chance to win is 1 / (1 + exp((middle - value) / width)), where middle and width are straight lines over
the material left, and the chance to lose is the same from the other side. Printed are the two lines that make the games
most likely, ready to be put in place, and how the fitted chances compare with what happened. Scores in the games are
centipawns scaled by the present model; they are scaled back with the constants read from the source.
Exit status: 0 fitted, 2 when the input is of no use.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from lib.cli import EXIT_OK, EXIT_USAGE

SOURCE = Path(__file__).resolve().parent.parent / "search" / "src" / "wdl.rs"
WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
AT_THE_START = 78
VALUE_STEP = 10
LARGEST_VALUE = 2000
EVAL = re.compile(r"\[%eval (-?\d+(?:\.\d+)?)(?:,(\d+))?\]")
LINE = re.compile(r"const (MIDDLE|WIDTH): \(f64, f64\) = \((-?[\d.]+), (-?[\d.]+)\);")

# (material, value in steps) -> how often a position like it was won, drawn and lost by the side to move
Counts = dict[tuple[int, int], list[int]]


@dataclass(frozen=True)
class Model:
    """Constant and slope of middle and width over the share of material left."""

    middle: tuple[float, float]
    width: tuple[float, float]

    def at(self, material: int) -> tuple[float, float]:
        share = min(material / AT_THE_START, 1.0)
        return self.middle[0] + self.middle[1] * share, self.width[0] + self.width[1] * share

    def chances(self, material: int, value: float) -> tuple[float, float, float]:
        middle, width = self.at(material)
        win, loss = logistic((value - middle) / width), logistic((-value - middle) / width)
        return win, max(1.0 - win - loss, 1e-9), loss


def logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x > -700 else 0.0


def present_model(source: str) -> Model:
    lines = {name: (float(constant), float(slope)) for name, constant, slope in LINE.findall(source)}
    return Model(lines["MIDDLE"], lines["WIDTH"])


def material_of(board: chess.Board) -> int:
    return sum(len(board.pieces(role, color)) * worth for role, worth in WORTH.items() for color in chess.COLORS)


def samples(path: Path, present: Model, from_ply: int) -> Iterator[tuple[int, int, int]]:
    """(material, value in steps, outcome for the side to move as 0 win, 1 draw, 2 loss) of every scored move."""
    outcomes = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
    with path.open(encoding="utf-8") as games:
        while (game := chess.pgn.read_game(games)) is not None:
            outcome = outcomes.get(game.headers.get("Result", "*"))
            if outcome is None:
                continue
            board = game.board()
            for node in game.mainline():
                found = EVAL.search(node.comment)
                if found and board.ply() >= from_ply and not board.is_check():
                    white = board.turn == chess.WHITE
                    material = material_of(board)
                    centipawns = float(found[1]) * (100 if white else -100)
                    value = centipawns * present.at(material)[0] / 100
                    if abs(value) <= LARGEST_VALUE:
                        yield material, round(value / VALUE_STEP), outcome if white else 2 - outcome
                board.push(node.move)


def log_likelihood(model: Model, counts: Mapping[tuple[int, int], list[int]]) -> float:
    if any(model.at(material)[1] < 5 for material in (0, AT_THE_START)):
        return -math.inf
    total = 0.0
    for (material, step), happened in counts.items():
        for times, chance in zip(happened, model.chances(material, step * VALUE_STEP)):
            if times:
                total += times * math.log(max(chance, 1e-12))
    return total


def fit(counts: Counts, start: Model) -> Model:
    """Climbs along one number at a time, with shorter and shorter steps."""
    numbers = [*start.middle, *start.width]

    def model() -> Model:
        return Model((numbers[0], numbers[1]), (numbers[2], numbers[3]))

    best = log_likelihood(model(), counts)
    step = 32.0
    while step >= 0.5:
        improved = False
        for index in range(len(numbers)):
            for change in (step, -step):
                numbers[index] += change
                likelihood = log_likelihood(model(), counts)
                if likelihood > best:
                    best, improved = likelihood, True
                    break
                numbers[index] -= change
        if not improved:
            step /= 2
    return model()


def report(model: Model, counts: Counts) -> str:
    lines = [
        f"const MIDDLE: (f64, f64) = ({model.middle[0]:.1f}, {model.middle[1]:.1f});",
        f"const WIDTH: (f64, f64) = ({model.width[0]:.1f}, {model.width[1]:.1f});",
        "",
        "      value   positions   won: games / model   drawn: games / model",
    ]
    groups: dict[int, list[float]] = defaultdict(lambda: [0.0] * 5)
    for (material, step), happened in counts.items():
        group = groups[math.floor(step * VALUE_STEP / 100)]
        win, draw, _ = model.chances(material, step * VALUE_STEP)
        times = sum(happened)
        for index, amount in enumerate((times, happened[0], happened[1], win * times, draw * times)):
            group[index] += amount
    for low, (times, won, drawn, win, draw) in sorted(groups.items()):
        if -5 <= low < 5:
            lines.append(
                f"{low * 100:>6} .. {low * 100 + 99:>4}  {int(times):>8}   {won / times:>8.1%} / {win / times:>6.1%}"
                f"   {drawn / times:>10.1%} / {draw / times:>6.1%}"
            )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", type=Path, help="PGN files with [%%eval] comments")
    parser.add_argument("--from-ply", type=int, default=16, help="leave out the first plies of a game; default 16")
    arguments = parser.parse_args()
    present = present_model(SOURCE.read_text(encoding="utf-8"))
    counts: Counts = defaultdict(lambda: [0, 0, 0])
    for path in arguments.games:
        try:
            for material, step, outcome in samples(path, present, arguments.from_ply):
                counts[material, step][outcome] += 1
        except OSError as error:
            print(f"{path}: {error.strerror}; expected a PGN file", file=sys.stderr)
            return EXIT_USAGE
    if not counts:
        print("no scored positions: the games need [%eval] comments, as match.py writes them", file=sys.stderr)
        return EXIT_USAGE
    print(report(fit(counts, present), counts))
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
