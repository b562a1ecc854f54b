#!/usr/bin/env python3
"""Analyzes positions, or plays games to train on, on several processes or machines with Dask distributed.

    scripts/cluster.py analyze positions.epd --workers 8 --out answers.jsonl -- --nodes 100000 --no-time
    scripts/cluster.py analyze positions.epd --scheduler tcp://head:8786 --engine castellan -- --depth 20
    scripts/cluster.py datagen --games 1000000 --out games.cg --workers 8 -- --seed 7 --nodes 200 --book openings.epd

Workers run the program on chunks of the work; arguments after `--` are for `castellan analyze` or `castellan-train datagen`.
The output is the same, byte for byte, as that of the program on one machine:

- analyze: one line of JSON per position in the order of the input, as `castellan analyze --json` writes with a limit of nodes
  or depth and --no-time.
- datagen: the file that one uninterrupted `castellan-train datagen` writes. Finished chunks are kept in OUT.parts until all are
  there; the same command resumes with those that are missing.

Without --scheduler, a scheduler and workers are started here and ended again. With it, `dask scheduler` runs elsewhere, and
`dask worker` on machines that have the program --engine and the files named in the arguments. A chunk whose worker dies or
whose run fails is tried again elsewhere.
Exit status: 0 all done, 1 some lines are errors, 2 the work failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from lib.cli import (
    DEFAULT_ENGINE,
    EXIT_FAULTS,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_USAGE,
    UsageError,
    parser_for,
    positive,
    program_path,
)

CHUNKS_PER_WORKER = 4  # in progress, or waiting for an older one to be written
DEFAULT_TRIES = 3
DEFAULT_LINES = 200
DEFAULT_GAMES = 10
GAMES_PER_CHUNK = 256  # of a game file: a part of whole chunks ends where a chunk of one long run ends
TRAIN = DEFAULT_ENGINE.with_name("castellan-train")


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
        return b"%b%d," % (found.group(1), int(found.group(2)) + before)

    return re.sub(rb'^(\{"version":1,"line":)(\d+),', renumbered, done.stdout, flags=re.MULTILINE), errors


def play_chunk(engine: str, arguments: list[str], first: int, games: int) -> tuple[int, bytes]:
    """Runs on a worker: the number of the first game, and a file of this one and those that follow it. As above, on its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "games")
        command = [engine, "datagen", "--out", str(out), "--first", str(first), "--games", str(games), *arguments]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode != 0:
            message = done.stderr.decode(errors="replace").strip()
            raise RuntimeError(f"'{' '.join(command)}': exit status {done.returncode}: {message}")
        return first, out.read_bytes()


def results(arguments: argparse.Namespace, task: Callable[..., Any], work: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """Runs a task on the workers for each piece of work; the results in the order of the work."""
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
        waiting: deque[Any] = deque()
        for piece in work:
            if len(waiting) >= room:
                yield waiting.popleft().result()
            waiting.append(
                client.submit(
                    task, arguments.engine, arguments.program, *piece, pure=False, retries=arguments.tries - 1
                )
            )  # fmt: skip
        while waiting:
            yield waiting.popleft().result()


def chunks(file: BinaryIO, size: int) -> Iterator[tuple[int, bytes]]:
    """Lines, with the number of lines before them."""
    before = 0
    while lines := list(islice(file, size)):
        yield before, b"".join(lines)
        before += len(lines)


def analyze(arguments: argparse.Namespace) -> int:
    errors = 0
    with contextlib.ExitStack() as stack:
        file = sys.stdin.buffer if arguments.positions == "-" else stack.enter_context(open(arguments.positions, "rb"))
        out = stack.enter_context(open(arguments.out, "xb")) if arguments.out else sys.stdout.buffer
        for answers, bad in results(arguments, analyze_chunk, chunks(file, arguments.chunk)):
            out.write(answers)
            out.flush()
            errors += bad
    if errors:
        print(f"cluster: {errors} lines could not be analyzed", file=sys.stderr)
    return EXIT_FAULTS if errors else EXIT_OK


def datagen(arguments: argparse.Namespace) -> int:
    if os.path.exists(arguments.out):
        raise UsageError(f"{arguments.out} exists already; choose another --out")
    folder = Path(arguments.out + ".parts")
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{arguments.out} is in use by another process") from None
        return play_parts(arguments, folder)


def play_parts(arguments: argparse.Namespace, folder: Path) -> int:
    from tqdm import tqdm

    # Other arguments would play other games: parts of two runs must not be mixed.
    run = folder / "run.json"
    wanted = json.dumps({"games": arguments.games, "chunk": arguments.chunk, "arguments": arguments.program})
    if not run.exists():
        run.write_text(wanted)
    elif run.read_text() != wanted:
        raise UsageError(f"{folder} is of a run with other arguments; repeat these, or remove it: {run.read_text()}")

    size = arguments.chunk * GAMES_PER_CHUNK
    parts = {first: folder / f"{first:010}.cg" for first in range(0, arguments.games, size)}
    missing = [(first, min(size, arguments.games - first)) for first, part in parts.items() if not part.exists()]
    bar = tqdm(total=len(parts), initial=len(parts) - len(missing), unit="part", disable=not sys.stderr.isatty())
    for first, games in results(arguments, play_chunk, missing):
        unfinished = parts[first].with_suffix(".partial")
        unfinished.write_bytes(games)
        unfinished.rename(parts[first])
        bar.update()
    bar.close()
    merged = folder / "merged.cg"
    merged.unlink(missing_ok=True)
    done = subprocess.run([arguments.engine, "merge", "--out", merged, *parts.values()], check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the parts in {folder} cannot be merged")
    merged.rename(arguments.out)
    shutil.rmtree(folder)
    return EXIT_OK


def read_arguments() -> argparse.Namespace:
    parser = parser_for(__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    positions = commands.add_parser("analyze", help="analyze positions", usage="%(prog)s [options] positions [-- arguments]")
    positions.add_argument("positions", help="a position per line, FEN or EPD; - for standard input")
    positions.add_argument("--out", help="a new file for the answers; default: standard output")
    games = commands.add_parser("datagen", help="play games", usage="%(prog)s [options] [-- arguments]")
    games.add_argument("--out", required=True, help="a new game file")
    games.add_argument("--games", type=positive, required=True, help="how many, from number 0 of the seed")
    for command, engine, chunk, unit, reserved in (
        (positions, DEFAULT_ENGINE, DEFAULT_LINES, "lines", ["--file", "-f", "--out", "--resume", "--json"]),
        (games, TRAIN, DEFAULT_GAMES, f"{GAMES_PER_CHUNK} games", ["--out", "--first", "--games", "--for"]),
    ):
        command.add_argument(
            "--engine", type=program_path, default=str(engine), metavar="PROGRAM", help=f"default: target/release/{engine.name}"
        )
        command.add_argument("--workers", type=positive, default=os.cpu_count() or 1, help="processes; default: one per core")
        command.add_argument("--scheduler", help="address of a running scheduler, e.g. tcp://host:8786")
        command.add_argument("--chunk", type=positive, default=chunk, help=f"times {unit} per run; default %(default)s")
        command.add_argument("--tries", type=positive, default=DEFAULT_TRIES, help="per chunk; default %(default)s")
        command.set_defaults(reserved=reserved)
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:at])
    arguments.program = words[at + 1 :]
    names = [word.split("=", 1)[0] for word in arguments.program]
    if used := [name for name in names if name in arguments.reserved]:
        raise UsageError(f"{used[0]} after '--': this script sets it")
    one = "--jobs" if arguments.command == "analyze" else "--threads"
    if one not in names:
        arguments.program[:0] = [one, "1"]
    return arguments


def main() -> int:
    try:
        arguments = read_arguments()
        return analyze(arguments) if arguments.command == "analyze" else datagen(arguments)
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
        print(f"cluster: {error}", file=sys.stderr)
        return EXIT_USAGE


if __name__ == "__main__":
    sys.exit(main())
