#!/usr/bin/env python3
"""Measures whether UCI_Elo means what it says, and draws the curve for docs/strength.md.

    scripts/levels.py --engine target/release/castellan --book openings.epd --games 100 --concurrency 2 \\
        --results levels/ --svg docs/levels.svg --json levels.json

Each level plays the one `--step` below it, and with `--anchor stockfish` the levels named by `--anchor-at` play
Stockfish set to the same UCI_Elo, whose scale its authors have anchored to a published list. All results together give
one rating for each level. Levels limit themselves by nodes, so no clock runs and load changes nothing. Exit status as
match.py's.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from lib.book import Book, BookError, load_book
from lib.chart import Point, curve
from lib.cli import EXIT_USAGE, UsageError, check_match_size, exit_status, parser_for, program_path
from lib.engine_spec import EachOptions, EngineSpec, SpecError
from lib.journal import JournalError
from lib.limits import Limit, LimitError
from lib.match_runner import MatchPlan, match_settings, run_match
from lib.match_types import Rules
from lib.ratings import Rating, joint_ratings
from lib.report import elo_text
from lib.stats import Tally
from lib.uci_client import preflight

LOWEST, HIGHEST = 800, 3000
OWN_NODES = "1000000"  # more than any level looks at
ANCHOR = "stockfish"


@dataclass(frozen=True)
class Player:
    """The engine or the anchor at one setting of UCI_Elo."""

    elo: int
    anchor: bool = False

    @property
    def name(self) -> str:
        return f"{ANCHOR} {self.elo}" if self.anchor else str(self.elo)


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("--engine", required=True, metavar="PROGRAM")
    top.add_argument("--step", type=int, default=200, help="between levels; default 200")
    top.add_argument("--from", dest="lowest", type=int, default=LOWEST, metavar="ELO", help=f"default {LOWEST}")
    top.add_argument("--to", dest="highest", type=int, default=HIGHEST, metavar="ELO", help=f"default {HIGHEST}")
    top.add_argument("--anchor", metavar="PROGRAM", help="a Stockfish with UCI_Elo")
    top.add_argument("--anchor-at", type=int, nargs="+", default=[1400, 1800, 2200], metavar="ELO")
    top.add_argument("--anchor-nodes", default="60000", metavar="N", help="enough for the depth its level picks at")
    top.add_argument("--games", type=int, default=100, help="a pairing, an even number; default 100")
    top.add_argument("--book", required=True, metavar="FILE", help="level openings; each is played with both colours")
    top.add_argument("--seed", type=int, default=1)
    top.add_argument("--concurrency", type=int, default=1, metavar="N")
    top.add_argument("--results", metavar="FOLDER", help="a file of results for each pairing; what --resume goes on from")
    top.add_argument("--resume", action="store_true")
    top.add_argument("--svg", metavar="FILE")
    top.add_argument("--json", metavar="FILE")
    return top  # fmt: skip


def pairs_of(arguments: argparse.Namespace) -> list[tuple[Player, Player]]:
    if arguments.step < 1 or not arguments.lowest < arguments.highest:
        raise UsageError("--from must lie below --to, and --step be at least 1")
    levels = [Player(elo) for elo in range(arguments.lowest, arguments.highest + 1, arguments.step)]
    pairs = [(upper, lower) for lower, upper in zip(levels, levels[1:], strict=False)]
    if arguments.anchor:
        known = {level.elo for level in levels}
        strangers = [elo for elo in arguments.anchor_at if elo not in known]
        if strangers:
            raise UsageError(f"--anchor-at {strangers[0]} is none of the levels: {sorted(known)}")
        pairs += [(Player(elo), Player(elo, anchor=True)) for elo in arguments.anchor_at]
    return pairs


def spec_of(player: Player, arguments: argparse.Namespace) -> EngineSpec:
    program = arguments.anchor if player.anchor else arguments.engine
    nodes = arguments.anchor_nodes if player.anchor else OWN_NODES
    options = {"UCI_LimitStrength": "true", "UCI_Elo": str(player.elo)}
    spec = EngineSpec(player.name, (program_path(program),), Limit.parse(nodes=nodes), None, options)
    return preflight(spec, EachOptions({"Threads": "1", "Hash": "16"}, {}), {})[0]


def play(pair: tuple[Player, Player], book: Book, arguments: argparse.Namespace) -> tuple[Tally, bool, bool]:
    """The result from the first one's side; whether somebody misbehaved; whether it was interrupted."""
    engines = [spec_of(player, arguments) for player in pair]
    rules = Rules(event="levels")
    settings = match_settings(engines, True, rules, f"{arguments.book}, {book.size} openings", arguments.seed)
    results = None
    resume = False
    if arguments.results:
        Path(arguments.results).mkdir(parents=True, exist_ok=True)
        file = Path(arguments.results) / f"{pair[0].name} - {pair[1].name}.jsonl"
        results, resume = str(file), arguments.resume and file.exists()
    outcome = run_match(
        MatchPlan(engines, True, arguments.games, book, rules, arguments.concurrency, None, results, None, resume, settings)
    )
    return outcome.results.tallies[(0, 1)], bool(outcome.results.faults), outcome.interrupted


def report(pairs: list[tuple[Player, Player]], tallies: list[Tally]) -> str:
    lines = ["| level | against | games | W – D – L | score | Elo (95 %) |", "|--:|---|--:|--:|--:|--:|"]
    for (first, second), tally in zip(pairs, tallies, strict=False):
        lines.append(
            f"| {first.name} | {second.name} | {tally.games} | {tally.wins} – {tally.draws} – {tally.losses}"
            f" | {100 * tally.score:.1f} % | {elo_text(tally)} |"
        )
    return "\n".join(lines)


def ratings_of(pairs: list[tuple[Player, Player]], tallies: list[Tally]) -> list[Rating]:
    """One joint fit, moved so that it agrees with the anchor in the mean, or else with what the levels say."""
    players: list[Player] = []
    for player in (player for pair in pairs for player in pair):
        if player not in players:
            players.append(player)
    index = {player: number for number, player in enumerate(players)}
    met = {(index[first], index[second]): tally for (first, second), tally in zip(pairs, tallies, strict=False)}
    rows = {row.name: row for row in joint_ratings([player.name for player in players], met)}
    fixed = [player for player in players if player.anchor] or players
    shift = sum(player.elo - rows[player.name].elo for player in fixed) / len(fixed)
    own = sorted((player for player in players if not player.anchor), key=lambda player: player.elo)
    return [
        Rating(row.name, row.elo + shift, row.error, row.games, row.score)
        for row in (rows[player.name] for player in own)
    ]


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        check_match_size(arguments.games, arguments.concurrency, arguments.resume, arguments.results)
        pairs = pairs_of(arguments)
        book = load_book(arguments.book, False, arguments.seed, True, None)
        book.opening(0)
        tallies: list[Tally] = []
        faults = interrupted = False
        for pair in pairs:
            tally, bad, interrupted = play(pair, book, arguments)
            faults = faults or bad
            if interrupted:
                break
            tallies.append(tally)
    except (UsageError, SpecError, LimitError, BookError, JournalError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_USAGE
    print(report(pairs, tallies))
    if len(tallies) == len(pairs):
        ratings = ratings_of(pairs, tallies)
        for row in ratings:
            print(f"UCI_Elo {row.name}: measured {row.elo:.0f} ± {row.error:.0f}")
        if arguments.svg:
            points = [Point(float(row.name), row.elo, row.error) for row in ratings]
            Path(arguments.svg).write_text(curve(points, "UCI_Elo", "measured Elo"))
        if arguments.json:
            found = [{"level": int(row.name), "elo": row.elo, "error": row.error} for row in ratings]
            Path(arguments.json).write_text(json.dumps(found, indent=1) + "\n")
    return exit_status(faults, interrupted)


if __name__ == "__main__":
    sys.exit(main())
