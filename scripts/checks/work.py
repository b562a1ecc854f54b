"""Checks that no parser's work grows faster than its input.

The program reads inputs of a size and of twice that size under valgrind, which counts instructions. Beyond those for an empty
input, twice the input may take at most 2.2 times as many.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Callable

from .common import CheckError, Result

MOST_GROWTH = 2.2
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", action="append", choices=INPUTS, metavar="INPUT", help="may be repeated; default: all")


def check(arguments: argparse.Namespace) -> Result:
    result = Result()
    for name in arguments.only or INPUTS:
        command, size, text = INPUTS[name]
        none, once, twice = (instructions([arguments.engine, *command], text(size * times)) for times in (0, 1, 2))
        growth = (twice - none) / max(once - none, 1)
        result.compared["inputs"] += 1
        if growth > MOST_GROWTH:
            result.differences.append(
                f"{name}: {once - none:,} instructions at size {size}, {growth:.2f} times as many at twice that"
            )
    return result


def instructions(command: list[str], text: str) -> int:
    """Those of a run that reads this text, whatever it answers."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*valgrind, *command], input=text.encode(), capture_output=True, timeout=300, check=False)
    counted = COUNT.search(done.stderr)
    if counted is None:
        raise CheckError(f"valgrind counted nothing: {done.stderr.decode(errors='replace')[-300:]}")
    return int(counted[1])
