#!/usr/bin/env python3
"""Tests a change: plays NEW against OLD with fastchess until an SPRT decides, and prints the result for the commit message.

    scripts/sprt.py castellan-old castellan-new --book UHO_4060_v4.epd
    scripts/sprt.py old new --book openings.epd --tc 4+0.04 --option Hash=16 --bounds -3 1
    scripts/sprt.py tuning tuning --book openings.epd --new null_move.enabled=0     # one build, other values

By default at fixed nodes: no clock noise, and other programs may run beside. Decided games are adjudicated. fastchess is looked
up in PATH. Exit status: 0 the test passed (H1), 1 it failed (H0) or --games ran out, 2 it cannot be played, 130 interrupted.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lib.cli import EXIT_FAULTS, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, UsageError, even, parser_for, positive, program_path
from lib.stats import PAIR_SCORES, Sprt, Tally

COUNTS = re.compile(r"^Games: \d+, Wins: (\d+), Losses: (\d+), Draws: (\d+),", re.MULTILINE)
PAIRS = re.compile(r"^Ptnml\(0-2\): \[" + ", ".join([r"(\d+)"] * len(PAIR_SCORES)) + r"\]", re.MULTILINE)
FAULTS = ("disconnects", "stalls", "illegal move", "loses on time", "Illegal PV")
ADJUDICATION = [
    *("-resign", "movecount=3", "score=500", "twosided=true"),
    *("-draw", "movenumber=30", "movecount=6", "score=10"),
]


def parser() -> argparse.ArgumentParser:
    top = parser_for(__doc__)
    top.add_argument("old", type=program_path, metavar="OLD", help="the engine without the change")
    top.add_argument("new", type=program_path, metavar="NEW", help="the engine with it")
    top.add_argument("--book", required=True, metavar="FILE", help="openings, .pgn or .epd; each is played with both colors")
    limit = top.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=positive, default=8000, metavar="N", help="nodes per move; default 8000")
    limit.add_argument("--tc", metavar="TIME+INC", help="a clock instead; nothing else should run then")
    top.add_argument("--bounds", nargs=2, type=float, default=[0.0, 5.0], metavar=("ELO0", "ELO1"), help="default 0 5")
    top.add_argument("--games", type=even, default=40_000, metavar="N", help="at most; default 40000")
    top.add_argument("--concurrency", type=positive, default=1, metavar="N")
    top.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of both engines; default Hash=8")
    top.add_argument("--new", action="append", default=[], dest="new_options", metavar="NAME=VALUE", help="option of NEW")
    top.add_argument("--old", action="append", default=[], dest="old_options", metavar="NAME=VALUE", help="option of OLD")
    top.add_argument("--seed", type=positive, default=1, metavar="N", help="of the order of the openings; default 1")
    top.add_argument("--fastchess", default="fastchess", metavar="PROGRAM")
    return top


def options(settings: list[str]) -> list[str]:
    for setting in settings:
        if "=" not in setting:
            raise UsageError(f"expected NAME=VALUE, got '{setting}'")
    return [f"option.{setting}" for setting in settings]


def command(arguments: argparse.Namespace) -> list[str]:
    elo0, elo1 = arguments.bounds
    if not elo0 < elo1:
        raise UsageError("--bounds needs ELO0 below ELO1")
    fastchess = shutil.which(arguments.fastchess)
    if fastchess is None:
        raise UsageError(f"'{arguments.fastchess}' not found; install fastchess or name it with --fastchess")
    if not Path(arguments.book).is_file():
        raise UsageError(f"no file {arguments.book}")
    limit = ["tc=" + arguments.tc] if arguments.tc else [f"nodes={arguments.nodes}", "tc=inf"]
    book = [f"file={Path(arguments.book).absolute()}", "format=" + ("pgn" if arguments.book.endswith(".pgn") else "epd")]
    return [
        fastchess,
        *("-engine", f"cmd={arguments.new}", "name=new", *options(arguments.new_options)),
        *("-engine", f"cmd={arguments.old}", "name=old", *options(arguments.old_options)),
        *("-each", "proto=uci", *limit, *options(arguments.option or ["Hash=8"])),
        *("-openings", *book, "order=random", "-srand", str(arguments.seed)),
        *("-rounds", str(arguments.games // 2), "-games", "2", "-repeat", "-concurrency", str(arguments.concurrency)),
        *("-sprt", f"elo0={elo0:g}", f"elo1={elo1:g}", "alpha=0.05", "beta=0.05", "model=logistic"),
        *("-ratinginterval", "50", *ADJUDICATION),
    ]


def play(words: list[str], sprt: Sprt) -> tuple[Tally, list[str]]:
    """Runs fastchess, with the current result on a terminal. Returns the result and the lines that tell of faults."""
    tally, faults, counts = Tally(), [], None
    with (
        tempfile.TemporaryDirectory() as folder,  # for the state that fastchess saves
        subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process,
    ):
        for line in process.stdout or ():
            if any(fault in line for fault in FAULTS):
                faults.append(line.rstrip())
            counts = COUNTS.match(line) or counts
            pairs = PAIRS.match(line)
            if counts and pairs:
                wins, losses, draws = map(int, counts.groups())
                tally = Tally(wins, draws, losses, [int(count) for count in pairs.groups()])
                if sys.stderr.isatty():
                    print(f"\r\x1b[K{strength(tally)}, LLR {sprt.llr(tally):.2f}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    if process.returncode != 0 or not tally.games:
        raise UsageError(f"fastchess ended with status {process.returncode} after {tally.games} games: {' '.join(words)}")
    return tally, faults


def strength(tally: Tally) -> str:
    error = tally.elo_error()
    return f"{tally.elo():+.1f} ± {error:.1f} Elo, {tally.games} games" if error is not None else f"{tally.games} games"


def report(arguments: argparse.Namespace, tally: Tally, sprt: Sprt) -> str:
    verdict = {"H1": "passed", "H0": "failed", None: "undecided"}[sprt.verdict(tally)]
    limit = f"{arguments.tc}" if arguments.tc else f"{arguments.nodes} nodes"
    settings = ", ".join([limit, *(arguments.option or ["Hash=8"]), Path(arguments.book).name])
    return (
        f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}] {verdict}: {strength(tally)}\n"
        f"{tally.wins}-{tally.draws}-{tally.losses}, pairs {tally.pairs}, LLR {sprt.llr(tally):.2f} "
        f"({sprt.lower:.2f}, {sprt.upper:.2f}); {settings}"
    )


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    sprt = Sprt(*arguments.bounds)
    try:
        tally, faults = play(command(arguments), sprt)
    except (UsageError, OSError) as error:
        print(f"sprt: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    print(report(arguments, tally, sprt))
    for fault in faults:
        print(f"fastchess: {fault}")
    return EXIT_OK if sprt.verdict(tally) == "H1" else EXIT_FAULTS


if __name__ == "__main__":
    sys.exit(main())
