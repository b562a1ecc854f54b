"""`python -m castellan analyze|annotate FILE --out OUT --workers N`: the command, on the workers of a process pool or of Dask.

The results are the same, byte for byte, as those of the command (of `analyze`: with `--no-time`). A run that was interrupted
goes on if it is started again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from importlib import import_module
from typing import Any

from . import _batches, _castellan
from ._batches import Run, to_json
from .errors import FenError, PgnError


def report(message: object) -> None:
    print(f"castellan: {message}", file=sys.stderr)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m castellan", description=__doc__)
    parser.add_argument("command", choices=["analyze", "annotate"])
    parser.add_argument("file", metavar="FILE", help="one position per line, or games in PGN")
    parser.add_argument("--out", required=True, metavar="FILE")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, metavar="N", help="processes of this machine (default: one per CPU)")
    where.add_argument("--dask", metavar="SCHEDULER", help="address of a Dask scheduler, such as tcp://host:8786")
    parser.add_argument("--depth", type=int, metavar="PLIES")
    parser.add_argument("--nodes", type=lambda text: int(float(text)), metavar="N")
    parser.add_argument("--movetime", type=int, metavar="MS")
    parser.add_argument("--multipv", type=int, metavar="N")
    parser.add_argument("--hash", type=int, metavar="MB")
    parser.add_argument("--syzygy", metavar="PATH", help="directories with Syzygy tablebases")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--chess960", action="store_true", help="treat positions and games without a Variant tag as Chess960")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    return parser.parse_args()


def executor(given: argparse.Namespace) -> Executor:
    if not given.dask:
        return ProcessPoolExecutor(given.workers or os.cpu_count())
    pool: Executor = import_module("distributed").Client(given.dask).get_executor()
    return pool


def run(given: argparse.Namespace) -> int:
    options = dict[str, Any](text.partition("=")[::2] for text in given.option)
    options |= {"SyzygyPath": given.syzygy} if given.syzygy else {}
    options |= {"UCI_Chess960": True} if given.chess960 else {}
    seconds = given.movetime and given.movetime / 1000
    search = {"depth": given.depth, "nodes": given.nodes, "time": seconds, "hash": given.hash, "options": options}
    count, judged, solved, invalid = 0, 0, 0, list[int | None]()

    def skip(error: PgnError) -> None:
        report(f"{given.file}: {error}")
        invalid.extend([error.line] if error.line else [])

    def add(line: int | None, is_invalid: bool, verdict: bool | None) -> None:
        nonlocal count, judged, solved
        count, judged, solved = count + 1, judged + (verdict is not None), solved + bool(verdict)
        invalid.extend([line] if is_invalid else [])

    def add_earlier(number: int, text: str) -> None:
        """Counts a result of the interrupted run."""
        values = json.loads(text) if form == "json" else {}
        is_invalid = values.get("error") is not None or text.startswith(f"{number}: error ")
        add(number, is_invalid, values.get("solved"))

    with executor(given) as pool:
        if given.command == "analyze":
            search["multipv"] = given.multipv
            form, to_text = ("json", lambda one: to_json(one, given.multipv)) if given.json else ("text", _batches.to_text)
            lines = open(given.file, "rb")
            results = Run(_batches._analyze, lines, None, pool, search).results(given.out, form, to_text, add_earlier)
        else:
            form, games = "pgn", _castellan.read_pgn(given.file, chess960=given.chess960 or None, on_error=skip)
            results = Run(_batches._annotate, games, None, pool, search).results(
                given.out, form, lambda annotation: annotation.record.pgn(), add_earlier
            )
        for result in results:
            is_invalid = isinstance(result, FenError)
            add(result.line if is_invalid else None, is_invalid, getattr(result, "solved", None))
            if not is_invalid and given.command == "analyze" and not given.json:
                for warning in result.warnings:
                    report(f"line {result.line}: {warning}")
    if given.json and judged:
        report(f"solved {solved} of {judged}")
    if not invalid:
        return 0
    if given.command == "analyze":
        report(f"invalid positions: {len(invalid)} of {count}, the first in line {invalid[0]}")
    else:
        report(f"invalid games: {len(invalid)} of {count + len(invalid)}")
    return 1


def main() -> int:
    try:
        return run(arguments())
    except (OSError, ValueError) as error:
        report(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
