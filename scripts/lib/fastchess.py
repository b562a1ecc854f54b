"""Runs matches with fastchess (https://github.com/Disservin/fastchess): the command line, and what it reports."""

from __future__ import annotations

import argparse
import math
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from .cli import UsageError, positive

DEFAULT_OPTIONS = ["Hash=8"]
ADJUDICATION = [
    *("-resign", "movecount=3", "score=500", "twosided=true"),
    *("-draw", "movenumber=30", "movecount=6", "score=10"),
]
REPORT = re.compile(
    r"^Elo: (?P<elo>\S+) \+/- (?P<error>\S+),.*\n"
    r"LOS: .*\n"
    r"Games: \d+, Wins: (?P<wins>\d+), Losses: (?P<losses>\d+), Draws: (?P<draws>\d+),.*\n"
    r"Ptnml\(0-2\): \[(?P<pairs>[\d, ]+)\].*\n"
    r"(?:LLR: (?P<llr>\S+) \(.*?%\) \((?P<lower>\S+), (?P<upper>\S+)\))?",
    re.MULTILINE,
)
# Illegal moves and PVs, missing options and the like are warnings; the others are reasons why a game ended.
FAULT = re.compile("Warning;|Fatal;|disconnects|connection stalls|illegal move|loses on time")
SHOWN_FAULTS = 20


@dataclass(frozen=True)
class Score:
    """The result from the first engine's side. An SPRT accepts H1 when its LLR reaches `upper`, H0 when it reaches `lower`."""

    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]  # pentanomial: pairs of games with 0, ½, 1, 1½ and 2 points
    elo: float
    error: float  # half of the 95 % interval
    llr: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--book", required=True, metavar="FILE", help="openings, PGN or EPD; each is played with both colors")
    parser.add_argument("--seed", type=positive, default=1, metavar="N", help="of everything random; default 1")
    parser.add_argument("--concurrency", type=positive, default=1, metavar="N", help="games at the same time; default 1")
    parser.add_argument("--fastchess", default="fastchess", metavar="PROGRAM", help="default: the one in PATH")


def add_limits(parser: argparse.ArgumentParser) -> None:
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=positive, default=8000, metavar="N", help="nodes per move; default 8000")
    limit.add_argument("--tc", metavar="TIME+INC", help="a clock instead; the machine should be otherwise idle")
    parser.add_argument("--option", action="append", metavar="NAME=VALUE", help="of both engines; default Hash=8")


def settings_of(arguments: argparse.Namespace) -> list[str]:
    """The limit and the options of both engines, in words."""
    return [arguments.tc or f"{arguments.nodes} nodes", *(arguments.option or DEFAULT_OPTIONS)]


def engine_with(name: str, program: str, arguments: argparse.Namespace, options: Sequence[str]) -> list[str]:
    """An engine with the limit and the options of the command line (`add_limits`), and options of its own, NAME=VALUE."""
    options = [*(arguments.option or DEFAULT_OPTIONS), *options]
    for option in options:
        if "=" not in option:
            raise UsageError(f"expected NAME=VALUE, got '{option}'")
    limits = [f"tc={arguments.tc}"] if arguments.tc else [f"nodes={arguments.nodes}", "tc=inf"]
    return ["-engine", f"cmd={program}", f"name={name}", *limits, *(f"option.{option}" for option in options)]


def match(arguments: argparse.Namespace, engines: Sequence[list[str]], games: int, *more: str, start: int = 1) -> list[str]:
    """The command that plays a match. `start` is the number of the first opening."""
    fastchess, book = shutil.which(arguments.fastchess), Path(arguments.book).absolute()
    if fastchess is None:
        raise UsageError(f"'{arguments.fastchess}' not found; install fastchess or name it with --fastchess")
    if not book.is_file():
        raise UsageError(f"no file {arguments.book}")
    book_format = "pgn" if book.suffix == ".pgn" else "epd"
    return [
        *(fastchess, *chain.from_iterable(engines), "-recover", "-ratinginterval", "50"),
        *("-openings", f"file={book}", f"format={book_format}", "order=random", f"start={start}"),
        *("-srand", str(arguments.seed), "-concurrency", str(arguments.concurrency)),
        *("-rounds", str(games // 2), "-games", "2", "-repeat", *more),
    ]


def check_openings(arguments: argparse.Namespace, pairs: int) -> None:
    """Engines at fixed nodes repeat their games, which would then count as independent ones."""
    openings = count_openings(arguments.book)
    if openings < pairs and not arguments.tc:
        raise UsageError(f"{arguments.book} has {openings} openings, too few for {pairs} pairs of games: take a longer book")


def count_openings(book: str) -> int:
    try:
        lines = Path(book).read_text(errors="replace").splitlines()
    except OSError:
        raise UsageError(f"no file {book}") from None
    return sum(1 for line in lines if (line.startswith("[Event ") if book.endswith(".pgn") else line.strip()))


def play(command: Sequence[str], show: bool = False) -> tuple[Score, list[str]]:
    """Runs a match; `show` prints interim reports on a terminal. Returns the score and the faults of the engines."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    show = show and sys.stderr.isatty()
    lines: list[str] = []
    with (
        tempfile.TemporaryDirectory() as folder,  # for the state that fastchess saves
        subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", process_group=0
        ) as process,
    ):
        try:
            for line in process.stdout or ():
                lines.append(line)
                if show and not line.startswith(("Started", "Finished")):
                    print(line, end="", file=sys.stderr)
        except BaseException:
            process.send_signal(signal.SIGINT)  # it ends its engines first
            process.wait()
            raise
    reports = list(REPORT.finditer("".join(lines)))
    if process.returncode != 0 or not reports:
        ending = "".join(lines[-5:]).strip()
        raise UsageError(f"fastchess ended with status {process.returncode}: {' '.join(command)}\n{ending}")
    return score_of(reports[-1]), list(dict.fromkeys(line.rstrip() for line in lines if FAULT.search(line)))


def score_of(report: re.Match[str]) -> Score:
    wins, draws, losses = (int(report[name]) for name in ("wins", "draws", "losses"))
    pairs = tuple(int(count) for count in report["pairs"].split(", "))
    sprt = {name: float(report[name]) for name in ("llr", "lower", "upper") if report[name]}
    return Score(wins, draws, losses, pairs, float(report["elo"]), float(report["error"]), **sprt)


def print_faults(faults: Sequence[str]) -> None:
    for fault in faults[:SHOWN_FAULTS]:
        print(f"fastchess: {fault}")
    if len(faults) > SHOWN_FAULTS:
        print(f"fastchess: {len(faults) - SHOWN_FAULTS} more")
