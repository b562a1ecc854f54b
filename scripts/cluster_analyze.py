#!/usr/bin/env python3
"""Analyses positions on several processes, or several machines, with `castellan analyze` and Dask distributed.

    scripts/cluster_analyze.py positions.epd --workers 8 --out answers.jsonl -- --nodes 100000 --no-time
    scripts/cluster_analyze.py positions.epd --scheduler tcp://head:8786 --engine castellan -- --depth 20

The file is cut into chunks of lines; each is given to a worker, which runs the program on it as a filter. The answers come out as
one line of JSON a position, in the order of the lines and with their numbers: the same bytes as `castellan analyze --json` writes by
itself, where the work is a matter of nodes or depth and --no-time is given. Behind `--` stand arguments for `castellan analyze`.
Without --scheduler, a scheduler and workers are started here and ended again. With it, `dask scheduler` runs elsewhere, and `dask
worker` on machines that have the program under the name --engine.
A worker that dies is replaced and its chunk given to another; so is a chunk on which the program fails, a few times.
Exit status: 0 all is answered, 1 some lines by an error, 2 the work could not be done, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from lib.cli import EXIT_FAULTS, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, UsageError, parser_for, program_path

DEFAULT_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "castellan"
DEFAULT_CHUNK = 200
# So many chunks for each worker are under way or wait for an older one to be written.
CHUNKS_A_WORKER = 4
DEFAULT_TRIES = 3
ONE_JOB = ("--jobs", "1")
OURS = ("--file", "-f", "--out", "--resume", "--json")


def analyze_chunk(engine: str, arguments: list[str], before: int, lines: bytes) -> tuple[bytes, int]:
    """Run by a worker: the answers to some lines that stand behind `before` others, and how many are errors.

    Uses nothing of this file or its neighbours, which other machines need not have.
    """
    command = [engine, "analyze", "--json", *arguments]
    done = subprocess.run(command, input=lines, capture_output=True, check=False)
    complaint = done.stderr.decode(errors="replace").strip()
    bad = re.search(r"(\d+) lines? of \d+ could not be analysed", complaint)
    if done.returncode != 0 and not (done.returncode == 1 and bad):
        raise RuntimeError(f"'{' '.join(command)}' ended with {done.returncode}: {complaint or 'no word'}")

    def moved(found: re.Match[bytes]) -> bytes:
        return b'{"line":%d,' % (int(found.group(1)) + before)

    return re.sub(rb'^\{"line":(\d+),', moved, done.stdout, flags=re.MULTILINE), int(bad.group(1)) if bad else 0


def chunks(file: BinaryIO, size: int) -> Iterator[tuple[int, bytes]]:
    """So many lines each, and how many stand before them."""
    before = 0
    while lines := list(islice(file, size)):
        yield before, b"".join(lines)
        before += len(lines)


def analyze(arguments: argparse.Namespace, file: BinaryIO, out: BinaryIO) -> int:
    """Writes all answers; how many are errors."""
    from distributed import Client, LocalCluster

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        if arguments.scheduler is None:
            cluster = stack.enter_context(
                LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=arguments.workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            )
        else:
            cluster = arguments.scheduler
        client = stack.enter_context(Client(cluster))  # type: ignore[no-untyped-call]
        room = CHUNKS_A_WORKER * max(arguments.workers, len(client.scheduler_info()["workers"]))
        waiting: deque[object] = deque()
        errors = 0

        def write_oldest() -> int:
            answers, bad = waiting.popleft().result()  # type: ignore[attr-defined]
            out.write(answers)
            out.flush()
            return int(bad)

        for before, lines in chunks(file, arguments.chunk):
            if len(waiting) >= room:
                errors += write_oldest()
            waiting.append(
                client.submit(
                    analyze_chunk, arguments.engine, arguments.analyze, before, lines,
                    pure=False, retries=arguments.tries - 1,
                )
            )  # fmt: skip
        while waiting:
            errors += write_oldest()
        return errors


def read_arguments() -> argparse.Namespace:
    parser = parser_for(__doc__)
    parser.usage = "%(prog)s [options] positions [-- arguments of castellan analyze]"
    parser.add_argument("positions", help="a position a line, FEN or EPD; '-' is standard input")
    parser.add_argument("--engine", default=str(DEFAULT_ENGINE), help="the program (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="worker processes (default: one a core)")
    parser.add_argument("--scheduler", help="address of a scheduler that runs already, as tcp://host:8786")
    parser.add_argument("--chunk", type=int, default=DEFAULT_CHUNK, help="lines given to a worker at once (default: %(default)s)")
    parser.add_argument("--tries", type=int, default=DEFAULT_TRIES, help="for each chunk (default: %(default)s)")
    parser.add_argument("--out", help="a new file for the answers (default: standard output)")
    words = sys.argv[1:]
    # What stands behind '--' is for another program, and nothing here should try to read it.
    at = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:at])
    arguments.analyze = words[at + 1 :]
    for name in ("workers", "chunk", "tries"):
        if getattr(arguments, name) < 1:
            raise UsageError(f"--{name} must be at least 1")
    for word in arguments.analyze:
        if word.split("=", 1)[0] in OURS:
            raise UsageError(f"{word} behind '--': files and JSON are seen to here")
    if not any(word.split("=", 1)[0] == "--jobs" for word in arguments.analyze):
        arguments.analyze[:0] = ONE_JOB
    arguments.engine = program_path(arguments.engine)
    return arguments


def main() -> int:
    try:
        arguments = read_arguments()
        with contextlib.ExitStack() as stack:
            file = sys.stdin.buffer if arguments.positions == "-" else stack.enter_context(open(arguments.positions, "rb"))
            out = stack.enter_context(open(arguments.out, "xb")) if arguments.out else sys.stdout.buffer
            errors = analyze(arguments, file, out)
    except BrokenPipeError:
        # Nobody reads the answers any more; nor shall Python try to when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except ModuleNotFoundError as error:
        print(f"{error}; it is in scripts/requirements.txt", file=sys.stderr)
        return EXIT_USAGE
    except (OSError, RuntimeError, UsageError) as error:
        print(error, file=sys.stderr)
        return EXIT_USAGE
    if errors:
        print(f"{errors} lines could not be analysed", file=sys.stderr)
    return EXIT_FAULTS if errors else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
