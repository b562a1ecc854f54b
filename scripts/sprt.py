#!/usr/bin/env python3
"""Tests a change: plays NEW against OLD with fastchess until an SPRT decides, and prints the result for the commit message.

    scripts/sprt.py castellan-old castellan-new --book UHO_4060_v4.epd
    scripts/sprt.py old new --book openings.epd --tc 4+0.04 --option Hash=16 --bounds -3 1
    scripts/sprt.py tuning tuning --book openings.epd --new null_move.depth=127     # one build, other values

Games have a fixed number of nodes by default, so that other load on the machine does not matter. Decided games are adjudicated.
Exit status: 0 the test passed (H1), 1 it failed (H0), --games ran out, or an engine was at fault (illegal move or PV, crash,
loss on time), 2 it cannot be played, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lib.cli import EXIT_FAULTS, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, UsageError, even, parser_for, program_path
from lib.fastchess import (
    ADJUDICATION,
    Score,
    add_limits,
    add_match_arguments,
    check_openings,
    count_openings,
    engine_with,
    match,
    play,
    print_faults,
    settings_of,
)

MOST_GAMES = 40_000


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("old", type=program_path, metavar="OLD", help="the engine without the change")
    top.add_argument("new", type=program_path, metavar="NEW", help="the engine with it")
    top.add_argument("--bounds", nargs=2, type=float, default=[0.0, 5.0], metavar=("ELO0", "ELO1"), help="default 0 5")
    top.add_argument("--games", type=even, metavar="N", help="at most; default 40000, or the openings twice")
    add_limits(top)
    top.add_argument("--new", action="append", default=[], dest="new_options", metavar="NAME=VALUE", help="option of NEW")
    top.add_argument("--old", action="append", default=[], dest="old_options", metavar="NAME=VALUE", help="option of OLD")
    add_match_arguments(top)
    return top


def command(arguments: argparse.Namespace) -> list[str]:
    elo0, elo1 = arguments.bounds
    if not elo0 < elo1:
        raise UsageError("--bounds needs ELO0 below ELO1")
    engines = [
        engine_with("new", arguments.new, arguments, arguments.new_options),
        engine_with("old", arguments.old, arguments, arguments.old_options),
    ]
    sprt = ["-sprt", f"elo0={elo0:g}", f"elo1={elo1:g}", "alpha=0.05", "beta=0.05", "model=logistic"]
    games = arguments.games or min(MOST_GAMES, 2 * count_openings(arguments.book))
    check_openings(arguments, games // 2)
    return match(arguments, engines, games, *sprt, *ADJUDICATION)


def report(arguments: argparse.Namespace, score: Score) -> str:
    elo0, elo1 = arguments.bounds
    verdict = "passed" if score.llr >= score.upper else "failed" if score.llr <= score.lower else "undecided"
    return (
        f"SPRT [{elo0:g}, {elo1:g}] {verdict}: {score.elo:+.1f} ± {score.error:.1f} Elo, {score.games} games\n"
        f"{score.wins}-{score.draws}-{score.losses}, pairs {list(score.pairs)}, LLR {score.llr:.2f} "
        f"({score.lower:.2f}, {score.upper:.2f}); {', '.join([*settings_of(arguments), Path(arguments.book).name])}"
    )


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        score, faults = play(command(arguments), show=True)
    except (UsageError, OSError) as error:
        print(f"sprt: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    print(report(arguments, score))
    print_faults(faults)
    return EXIT_OK if score.llr >= score.upper and not faults else EXIT_FAULTS


if __name__ == "__main__":
    sys.exit(main())
