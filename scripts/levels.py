#!/usr/bin/env python3
"""Measures whether UCI_Elo is calibrated, and draws the curve of docs/strength.md.

    scripts/levels.py --engine target/release/castellan --book openings.epd --games 100 --concurrency 2 \\
        --results levels/ --svg docs/levels.svg --json levels.json

Each level plays the one `--step` below it, and with `--anchor stockfish` the levels of `--anchor-at` play Stockfish at the same
UCI_Elo, a scale its authors calibrated to a published rating list. The differences add up to ratings, shifted to agree on
average with the anchors, or without them with the levels. Levels limit themselves by nodes, so no clock runs and load changes
nothing. Exit status as of match.py.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from lib.cli import EXIT_USAGE, UsageError, even, exit_status, parser_for, positive, program_path
from lib.engines import EngineSpec, Limit, checked
from lib.game import Rules
from lib.match import MatchPlan, run_match
from lib.openings import Openings, load_openings
from lib.report import status, table
from lib.stats import CONFIDENCE_Z, Tally, elo_from_score

LOWEST, HIGHEST = 800, 3000
OWN_NODES = "1000000"  # more than any level searches
ANCHOR = "stockfish"
ELO_PER_LOGIT = 400 / math.log(10)

WIDTH, HEIGHT = 640, 480
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 52
TICK = 200
STYLE = (
    ".grid{stroke:#8884}.ideal{stroke:#888;stroke-dasharray:5 4}.bar{stroke:#27c;stroke-width:1.5}"
    ".curve{fill:none;stroke:#27c;stroke-width:2}circle{fill:#27c}text{fill:#888}"
)


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
        "--anchor-nodes", default="60000", metavar="N", help="enough for the depth at which its level picks a move"
    )
    top.add_argument("--games", type=even, default=100, help="per pairing, an even number; default 100")
    top.add_argument("--book", required=True, metavar="FILE", help="balanced openings; each is played with both colors")
    top.add_argument("--seed", type=int, default=1)
    top.add_argument("--concurrency", type=positive, default=1, metavar="N")
    top.add_argument("--results", metavar="FOLDER", help="a results file per pairing, for --resume")
    top.add_argument("--resume", action="store_true")
    top.add_argument("--svg", metavar="FILE")
    top.add_argument("--json", metavar="FILE")
    return top


def pairs_of(arguments: argparse.Namespace) -> Pairs:
    if not arguments.lowest < arguments.highest:
        raise UsageError("--from must be below --to")
    if arguments.resume and arguments.results is None:
        raise UsageError("--resume needs the --results folder")
    levels = [Player(elo) for elo in range(arguments.lowest, arguments.highest + 1, arguments.step)]
    pairs = [(upper, lower) for lower, upper in pairwise(levels)]
    for elo in arguments.anchor_at if arguments.anchor else []:
        if Player(elo) not in levels:
            raise UsageError(f"--anchor-at {elo} is not one of the levels {', '.join(level.name for level in levels)}")
        pairs.append((Player(elo), Player(elo, anchor=True)))
    return pairs


def plan_of(pair: tuple[Player, Player], openings: Openings, arguments: argparse.Namespace) -> MatchPlan:
    results = None
    if arguments.results:
        Path(arguments.results).mkdir(parents=True, exist_ok=True)
        results = str(Path(arguments.results) / f"{pair[0].name} - {pair[1].name}.jsonl")
    book = f"{arguments.book}, {openings.size} openings, seed {arguments.seed}"
    first, second = (spec_of(player, arguments) for player in pair)
    return MatchPlan(
        (first, second), arguments.games, openings, book, Rules(event="levels"),
        arguments.concurrency, results_path=results, resume=arguments.resume,
    )  # fmt: skip


def spec_of(player: Player, arguments: argparse.Namespace) -> EngineSpec:
    program = arguments.anchor if player.anchor else arguments.engine
    nodes = arguments.anchor_nodes if player.anchor else OWN_NODES
    options = {"UCI_LimitStrength": "true", "UCI_Elo": str(player.elo), "Threads": "1", "Hash": "16"}
    return checked(EngineSpec(player.name, (program,), Limit.parse(nodes=nodes), options))


@dataclass(frozen=True)
class Rating:
    """The measured Elo of a level; the error is half a 95 % interval."""

    level: int
    elo: float
    error: float


def difference(tally: Tally) -> tuple[float, float]:
    """Elo and its variance. A perfect score counts as half a point less, so that both are finite."""
    margin = 0.5 / tally.games
    score = min(max(tally.score, margin), 1 - margin)
    slope = ELO_PER_LOGIT / (score * (1 - score))
    return elo_from_score(score), (slope * (tally.standard_error() or margin)) ** 2


def ratings_of(pairs: Pairs, tallies: list[Tally]) -> list[Rating]:
    """The pairs form a tree: each player's rating is the sum of the differences on its way to the lowest level."""
    differences = [difference(tally) for tally in tallies]
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


def curve(ratings: Sequence[Rating]) -> str:
    """Measured Elo with error bars against UCI_Elo, as SVG. Both axes have one scale, so that agreement is the diagonal."""
    values = [end for row in ratings for end in (float(row.level), row.elo - row.error, row.elo + row.error)]
    low = (min(values, default=0) // TICK) * TICK
    span = max(-(-max(values, default=TICK) // TICK) * TICK - low, TICK)

    def across(value: float) -> float:
        return LEFT + (value - low) / span * (WIDTH - LEFT - RIGHT)

    def up(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / span * (HEIGHT - TOP - BOTTOM)

    def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
        return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'

    def text(place: str, anchor: str, words: str) -> str:
        return f'<text {place} text-anchor="{anchor}">{words}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">']
    parts.append(f"<style>{STYLE}</style>")
    for number in range(int(span // TICK) + 1):
        value = low + number * TICK
        parts.append(line(across(value), up(low), across(value), up(low + span), "grid"))
        parts.append(line(across(low), up(value), across(low + span), up(value), "grid"))
        parts.append(text(f'x="{across(value):.1f}" y="{HEIGHT - BOTTOM + 18}"', "middle", f"{value:.0f}"))
        parts.append(text(f'x="{LEFT - 8}" y="{up(value) + 4:.1f}"', "end", f"{value:.0f}"))
    parts.append(line(across(low), up(low), across(low + span), up(low + span), "ideal"))
    points = [(across(float(row.level)), row) for row in ratings]
    parts.append(f'<polyline class="curve" points="{" ".join(f"{x:.1f},{up(row.elo):.1f}" for x, row in points)}"/>')
    for x, row in points:
        parts.append(line(x, up(row.elo + row.error), x, up(row.elo - row.error), "bar"))
        parts.append(f'<circle cx="{x:.1f}" cy="{up(row.elo):.1f}" r="3"/>')
    parts.append(text(f'x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}"', "middle", "UCI_Elo"))
    turned = f'transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"'
    return "\n".join([*parts, text(turned, "middle", "measured Elo"), "</svg>\n"])


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    tallies: list[Tally] = []
    faults = interrupted = False
    try:
        pairs = pairs_of(arguments)
        openings = load_openings(arguments.book, seed=arguments.seed)
        for pair in pairs:
            results = run_match(plan_of(pair, openings, arguments), status)
            faults, interrupted = faults or bool(results.faults), results.interrupted
            if interrupted:
                break
            tallies.append(results.tally)
    except (UsageError, OSError) as error:
        print(f"levels: {error}", file=sys.stderr)
        return EXIT_USAGE
    print(table((first.name, second.name, tally) for (first, second), tally in zip(pairs, tallies, strict=False)))
    if len(tallies) == len(pairs):
        ratings = ratings_of(pairs, tallies)
        for row in ratings:
            print(f"UCI_Elo {row.level}: measured {row.elo:.0f} ± {row.error:.0f}")
        if arguments.svg:
            Path(arguments.svg).write_text(curve(ratings))
        if arguments.json:
            rows = [{"level": row.level, "elo": row.elo, "error": row.error} for row in ratings]
            Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    return exit_status(faults, interrupted)


if __name__ == "__main__":
    sys.exit(main())
