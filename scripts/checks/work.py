"""Checks that no parser's work grows faster than its input.

The program reads inputs of a size and of twice that size under valgrind, which counts instructions. Beyond those for an empty
input, twice the input may take at most 2.2 times as many. Random inputs repeat a few words between others.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

from .common import CheckError, Result, add_jobs

MOST_GROWTH = 2.2
# Below this, what a run does once, such as a message, would count.
LEAST = 200_000
COUNT = re.compile(rb"Collected : (\d+)")
PGN = ["pgn"]
UCI: list[str] = []
KNIGHTS = ["Nf3", "Nf6", "Ng1", "Ng8"]


def moves(count: int) -> str:
    return " ".join(KNIGHTS[ply % 4] for ply in range(count))


# Command, size and text of an input, which is empty at size 0.
INPUTS: dict[str, tuple[list[str], int, Callable[[int], str]]] = {
    "tags": (PGN, 4000, lambda size: "".join(f'[T{tag} "x"]\n' for tag in range(size)) + "\n1. e4 *\n"),
    "one tag again": (PGN, 4000, lambda size: '[T "x"]\n' * size + "\n1. e4 *\n"),
    "moves": (PGN, 4000, lambda size: f"1. {moves(size)} *\n"),
    "variations": (PGN, 2000, lambda size: "1. e4 " + "(1. d4) " * size + "*\n"),
    "nested variations": (PGN, 60, lambda size: "1. e4 " + "(1. d4 " * size + ")" * size + " *\n"),
    "comments": (PGN, 4000, lambda size: "1. e4 " + "{x} " * size + "*\n"),
    "a comment": (PGN, 40_000, lambda size: "1. e4 {" + "x " * size + "} *\n"),
    "symbols": (PGN, 4000, lambda size: "1. e4 " + "$1 " * size + "*\n"),
    "unfinished braces": (PGN, 4000, lambda size: "1. e4 {" * size + "\n"),
    "games": (PGN, 200, lambda size: '[Event "x"]\n\n1. e4 e5 *\n\n' * size),
    "positions": (["fen"], 1000, lambda size: "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1\n" * size),
    "operations": (["fen"], 4000, lambda size: "8/8/4k3/8/8/3K4/4P3/8 w - -" + "".join(f" c{op} 1;" for op in range(size))),
    "moves of a position": (
        UCI, 2000,
        lambda size: "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * size + "\n",
    ),
    "words of go": (UCI, 4000, lambda size: "go searchmoves" + " a1a2" * size + "\n"),
    "an option's value": (UCI, 100_000, lambda size: "setoption name SyzygyPath value " + "x" * size + "\n"),
    "unknown words": (UCI, 4000, lambda size: "x " * size + "\n"),
}  # fmt: skip


# Of which random inputs are made: for a command, and for a UCI session, whose input is one line.
WORDS: list[tuple[list[str], str]] = [
    (PGN, '[Event "x"]\n|[FEN "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1"]\n|\n|\n\n|1. e4 e5 |2. Nf3 |Nf6 |Ng1 |Ng8 |e4 |O-O |x |( |) '
          '|(1. d4 )|{ |} |{[%clk 0:01:00]} |; |;x\n|$1 |$ |! |?? |-- |1... |. |* |1-0 |\\ |" |[ |]|%|\xa0|\u202e'),
    (["fen"], "8/8/4k3/8/8/3K4/4P3/8 |w |- |KQkq |e3 |0 |1 |;|c0 |id |bm |Ke3 |\"x\" |\"|\n|#|moves |startpos |e2e4 |x|/|\\"),
    (UCI, "position |startpos |fen |8/8/4k3/8/8/3K4/4P3/8 w - - 0 1 |moves |g1f3 g8f6 f3g1 f6g8 |e2e4 |1 "
          "|x|setoption |name |value |Hash |- |\\|\"|\t"),
]  # fmt: skip
RANDOM_BYTES = 40_000


def random_inputs(rng: random.Random) -> Iterator[tuple[str, tuple[list[str], int, Callable[[int], str]]]]:
    while True:
        command, text = rng.choice(WORDS)
        words = text.split("|")
        first, unit, last = ("".join(rng.choices(words, k=rng.randint(low, 4))) for low in (0, 1, 0))
        parts = (first, unit, last)
        yield f"{command} {parts}", (command, RANDOM_BYTES // len(unit), partial(repeated, parts))


def repeated(parts: tuple[str, str, str], size: int) -> str:
    first, unit, last = parts
    return f"{first}{unit * size}{last}\n" if size else ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--random", type=int, default=0, metavar="N", help="also N random inputs; default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the random inputs; default %(default)s")
    add_jobs(parser)
    parser.add_argument("--only", action="append", choices=INPUTS, metavar="INPUT", help="may be repeated; default: all")


def check(arguments: argparse.Namespace) -> Result:
    result = Result()
    random_ones = dict(islice(random_inputs(random.Random(arguments.seed)), arguments.random))
    inputs = {**{name: INPUTS[name] for name in arguments.only or INPUTS}, **random_ones}
    with ThreadPoolExecutor(arguments.jobs) as pool:
        work = {name: pool.submit(growth, arguments.engine, *one) for name, one in inputs.items()}
        for name, counted in work.items():
            once, times = counted.result()
            result.compared["inputs"] += 1
            if times > MOST_GROWTH:
                result.differences.append(f"{name}: {once:,} instructions, {times:.2f} times as many for twice the input")
    return result


def growth(engine: str, command: list[str], size: int, text: Callable[[int], str]) -> tuple[int, float]:
    """The instructions of an input, and how many times as many twice the input takes."""
    none, once, twice = (instructions([engine, *command], text(size * times)) for times in (0, 1, 2))
    return once - none, (twice - none) / max(once - none, LEAST)


def instructions(command: list[str], text: str) -> int:
    """Those of a run that reads this text, whatever it answers."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*valgrind, *command], input=text.encode(), capture_output=True, timeout=300, check=False)
    counted = COUNT.search(done.stderr)
    if counted is None:
        raise CheckError(f"valgrind counted nothing: {done.stderr.decode(errors='replace')[-300:]}")
    return int(counted[1])
