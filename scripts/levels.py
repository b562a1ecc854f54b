#!/usr/bin/env python3
"""Measures whether UCI_Elo is calibrated.

    scripts/levels.py --engine target/release/castellan --book openings.epd --games 100 --concurrency 2

Each level plays the one `--step` below it, and with `--anchor stockfish` the levels of `--anchor-at` play Stockfish at the same
UCI_Elo, a scale its authors calibrated to a published rating list. The differences add up to ratings, shifted to agree on
average with the anchors, or without them with the levels. Levels limit themselves by nodes, so other load on the machine does
not matter. The games are played by fastchess.
Exit status: 0 measured, 1 an engine was at fault (illegal move or PV, crash), 2 it cannot be played, 130 interrupted.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from itertools import pairwise

from lib.cli import EXIT_FAULTS, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, UsageError, even, parser_for, positive, program_path
from lib.fastchess import Score, add_match_arguments, engine, match, play, print_faults

LOWEST, HIGHEST = 800, 3000
OWN_NODES = 1_000_000  # more than any level searches
ANCHOR = "stockfish"
ELO_PER_LOGIT = 400 / math.log(10)
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
CONFIDENCE_Z = 1.96  # two-sided 95 %


@dataclass(frozen=True)
class Player:
    """The engine or the anchor at one value of UCI_Elo."""

    elo: int
    anchor: bool = False

    @property
    def name(self) -> str:
        return f"{ANCHOR} {self.elo}" if self.anchor else str(self.elo)


Pairs = list[tuple[Player, Player]]


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", required=True, type=program_path, metavar="PROGRAM")
    top.add_argument("--step", type=positive, default=200, help="between levels; default 200")
    top.add_argument("--from", dest="lowest", type=int, default=LOWEST, metavar="ELO", help=f"default {LOWEST}")
    top.add_argument("--to", dest="highest", type=int, default=HIGHEST, metavar="ELO", help=f"default {HIGHEST}")
    top.add_argument("--anchor", type=program_path, metavar="PROGRAM", help="a Stockfish with UCI_Elo")
    top.add_argument("--anchor-at", type=int, nargs="+", default=[1400, 1800, 2200], metavar="ELO")
    top.add_argument(
        "--anchor-nodes",
        type=positive,
        default=60_000,
        metavar="N",
        help="enough for the depth of its level; default 60000",
    )
    top.add_argument("--games", type=even, default=100, help="per pairing, an even number; default 100")
    add_match_arguments(top)
    return top


def pairs_of(arguments: argparse.Namespace) -> Pairs:
    if not arguments.lowest < arguments.highest:
        raise UsageError("--from must be below --to")
    levels = [Player(elo) for elo in range(arguments.lowest, arguments.highest + 1, arguments.step)]
    pairs = [(upper, lower) for lower, upper in pairwise(levels)]
    for elo in arguments.anchor_at if arguments.anchor else []:
        if Player(elo) not in levels:
            raise UsageError(f"--anchor-at {elo} is not one of the levels {', '.join(level.name for level in levels)}")
        pairs.append((Player(elo), Player(elo, anchor=True)))
    return pairs


def engine_of(player: Player, arguments: argparse.Namespace) -> list[str]:
    program = arguments.anchor if player.anchor else arguments.engine
    nodes = arguments.anchor_nodes if player.anchor else OWN_NODES
    return engine(player.name, program, nodes, ["UCI_LimitStrength=true", f"UCI_Elo={player.elo}", "Hash=16"])


@dataclass(frozen=True)
class Rating:
    """The measured Elo of a level; the error is half a 95 % interval."""

    level: int
    elo: float
    error: float


def difference(score: Score) -> tuple[float, float]:
    """Elo and its variance. A perfect score counts as half a point less, so that both are finite."""
    mean, count = (score.wins + score.draws / 2) / score.games, sum(score.pairs)
    variance = sum(pairs * (share - mean) ** 2 for pairs, share in zip(score.pairs, PAIR_SCORES, strict=True)) / count
    margin = 0.5 / score.games
    mean = min(max(mean, margin), 1 - margin)
    slope = ELO_PER_LOGIT / (mean * (1 - mean))
    return ELO_PER_LOGIT * math.log(mean / (1 - mean)), (slope * (math.sqrt(variance / count) or margin)) ** 2


def ratings_of(pairs: Pairs, scores: list[Score]) -> list[Rating]:
    """The pairs form a tree: each player's rating is the sum of the differences on its way to the lowest level."""
    differences = [difference(score) for score in scores]
    # Which differences a rating adds (1) or subtracts (-1).
    paths: dict[Player, list[float]] = {pairs[0][1]: [0.0] * len(pairs)}
    for number, (first, second) in enumerate(pairs):
        new, known, sign = (first, second, 1.0) if second in paths else (second, first, -1.0)
        paths[new] = [share + sign * (index == number) for index, share in enumerate(paths[known])]
    fixed = [player for player in paths if player.anchor] or list(paths)
    base = [sum(column) / len(fixed) for column in zip(*(paths[player] for player in fixed), strict=True)]
    mean = sum(player.elo for player in fixed) / len(fixed)
    ratings = []
    for player in sorted((player for player in paths if not player.anchor), key=lambda player: player.elo):
        shares = [own - other for own, other in zip(paths[player], base, strict=True)]
        elo = mean + sum(share * elo for share, (elo, _) in zip(shares, differences, strict=True))
        variance = sum(share**2 * variance for share, (_, variance) in zip(shares, differences, strict=True))
        ratings.append(Rating(player.elo, elo, CONFIDENCE_Z * math.sqrt(variance)))
    return ratings


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    scores: list[Score] = []
    faults: list[str] = []
    try:
        pairs = pairs_of(arguments)
        for first, second in pairs:
            engines = [engine_of(player, arguments) for player in (first, second)]
            score, found = play(match(arguments, engines, arguments.games))
            if not scores:
                print("| level | against | W – D – L | Elo |\n|--:|--:|---|--:|")
            counts = f"{score.wins} – {score.draws} – {score.losses}"
            print(f"| {first.name} | {second.name} | {counts} | {score.elo:+.0f} ± {score.error:.0f} |", flush=True)
            scores.append(score)
            faults += found
    except (UsageError, OSError) as error:
        print(f"levels: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    for row in ratings_of(pairs, scores):
        print(f"UCI_Elo {row.level}: measured {row.elo:.0f} ± {row.error:.0f}")
    print_faults(faults)
    return EXIT_FAULTS if faults else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
