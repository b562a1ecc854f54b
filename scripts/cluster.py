#!/usr/bin/env python3
"""Analyzes positions on several processes or machines, with `castellan analyze` and Dask distributed.

    scripts/cluster_analyze.py positions.epd --workers 8 --out answers.jsonl -- --nodes 100000 --no-time
    scripts/cluster_analyze.py positions.epd --scheduler tcp://head:8786 --engine castellan -- --depth 20

The file is cut into chunks of lines, and workers run the program on them as a filter. The output is one line of JSON per
position in the order of the input, the same bytes as `castellan analyze --json` writes with a limit of nodes or depth and
--no-time. Arguments after `--` are for `castellan analyze`.
Without --scheduler, a scheduler and workers are started here and ended again. With it, `dask scheduler` runs elsewhere, and
`dask worker` on machines that have the program --engine. A chunk whose worker dies or whose run fails is tried again elsewhere.
Exit status: 0 all analyzed, 1 some lines are errors, 2 the work failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from lib.cli import EXIT_FAULTS, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, UsageError, add_engine, parser_for, positive

DEFAULT_CHUNK = 200
CHUNKS_PER_WORKER = 4  # in progress, or waiting for an older one to be written
DEFAULT_TRIES = 3
RESERVED = ("--file", "-f", "--out", "--resume", "--json")


def analyze_chunk(engine: str, arguments: list[str], before: int, lines: bytes) -> tuple[bytes, int]:
    """Runs on a worker: the answers to lines that follow `before` others, and how many are errors.

    Uses nothing of this file or its neighbors, which other machines may not have.
    """
    command = [engine, "analyze", "--json", *arguments]
    done = subprocess.run(command, input=lines, capture_output=True, check=False)
    errors = sum(json.loads(answer)["error"] is not None for answer in done.stdout.splitlines())
    if done.returncode != 0 and not (done.returncode == 1 and errors):
        message = done.stderr.decode(errors="replace").strip()
        raise RuntimeError(f"'{' '.join(command)}': exit status {done.returncode}: {message}")

    def renumbered(found: re.Match[bytes]) -> bytes:
        return b'{"line":%d,' % (int(found.group(1)) + before)

    return re.sub(rb'^\{"line":(\d+),', renumbered, done.stdout, flags=re.MULTILINE), errors


def chunks(file: BinaryIO, size: int) -> Iterator[tuple[int, bytes]]:
    """Lines, with the number of lines before them."""
    before = 0
    while lines := list(islice(file, size)):
        yield before, b"".join(lines)
        before += len(lines)


def analyze(arguments: argparse.Namespace, file: BinaryIO, out: BinaryIO) -> int:
    """Writes all answers; returns how many are errors."""
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
        room = CHUNKS_PER_WORKER * max(arguments.workers, len(client.scheduler_info()["workers"]))
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
    add_engine(parser)
    parser.add_argument("positions", help="a position per line, FEN or EPD; - for standard input")
    parser.add_argument("--workers", type=positive, default=os.cpu_count() or 1, help="worker processes; default: one per core")
    parser.add_argument("--scheduler", help="address of a running scheduler, e.g. tcp://host:8786")
    parser.add_argument("--chunk", type=positive, default=DEFAULT_CHUNK, help="lines per run; default %(default)s")
    parser.add_argument("--tries", type=positive, default=DEFAULT_TRIES, help="per chunk; default %(default)s")
    parser.add_argument("--out", help="a new file for the answers; default: standard output")
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:at])
    arguments.analyze = words[at + 1 :]
    names = [word.split("=", 1)[0] for word in arguments.analyze]
    if reserved := [name for name in names if name in RESERVED]:
        raise UsageError(f"{reserved[0]} after '--': this script sets it")
    if "--jobs" not in names:
        arguments.analyze[:0] = ["--jobs", "1"]
    return arguments


def main() -> int:
    try:
        arguments = read_arguments()
        with contextlib.ExitStack() as stack:
            file = sys.stdin.buffer if arguments.positions == "-" else stack.enter_context(open(arguments.positions, "rb"))
            out = stack.enter_context(open(arguments.out, "xb")) if arguments.out else sys.stdout.buffer
            errors = analyze(arguments, file, out)
    except BrokenPipeError:
        # The reader is gone; Python must not flush to it when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except ModuleNotFoundError as error:
        print(f"not installed: {error.name}; run: pip install -r scripts/requirements.txt", file=sys.stderr)
        return EXIT_USAGE
    except (OSError, RuntimeError, UsageError) as error:
        print(f"cluster_analyze: {error}", file=sys.stderr)
        return EXIT_USAGE
    if errors:
        print(f"cluster_analyze: {errors} lines could not be analyzed", file=sys.stderr)
    return EXIT_FAULTS if errors else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
