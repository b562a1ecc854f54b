"""Positions and games in batches on the workers of an executor, which may be on other machines.

An executor is anything with the interface of `concurrent.futures.Executor`: a process pool, that of a Dask client, of MPI.
"""

from __future__ import annotations

import json
import os
import sys
import time
import uuid
import warnings
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from . import _castellan
from ._castellan import Annotation, Engine, Game, Position, Record, SearchResult
from .errors import FenError, OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

_PER_WORKER, _IN_FLIGHT, _TRIES, _SECONDS, _LARGEST = 2, 64, 3, 1.0, 256
"""Batches in flight per worker, and without a number of workers; tries of a batch, its seconds of work and its most items."""

_T = TypeVar("_T")
# Results with the numbers of their items.
_Numbered = Iterator[tuple[Any, Any]]
_Work = Callable[..., _Numbered]


class Limits(TypedDict, total=False):
    """The limits of each search, and the options of the engine."""

    depth: int | None
    nodes: int | None
    time: float | None
    hash: int | None
    options: Mapping[str, str | int | bool] | None


class Search(Limits, total=False):
    """The same for positions."""

    multipv: int | None
    threads: int | None


def analyze(
    positions: Iterable[Position | Game | str | bytes],
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    out: str | os.PathLike[str] | None = None,
    on_error: Callable[[FenError], object] | None = None,
    **search: Unpack[Search],
) -> Iterator[SearchResult]:
    """Searches each of many positions, on all cores, and yields the results in their order.

    Positions are FENs, positions or games. The iterable, which may be a queue, a pipe or another file, is read in a thread
    of its own, never by more than `jobs` positions ahead of the results: blank lines and lines that begin with '#' are
    skipped, and a line may be one of EPD, or have moves, as for the command. Each is searched as if it were the first. An
    invalid line raises FenError in its place, with its number among the lines, after which the iterator goes on; with
    `on_error`, that is called with the error instead; an error of the iterable itself is always raised. Limits and options are
    those of `Engine.search`.

    With an `executor` its workers search them, in batches of which it has up to `jobs` at a time: two per worker, or 64
    if the executor does not tell their number. A batch whose worker died is tried again, with a warning. With `out` the results
    are also written to that file, as by the command with `--json --no-time`, once all are complete. Until then they are in
    FILE.partial, from which another run with the same arguments continues: it yields the results that are not there yet.

    >>> fens = ["6k1/5ppp/8/8/8/8/8/R3K3", "r5k1/8/8/8/8/8/5PPP/6K1 b"]
    >>> [result.sans[0] for result in analyze(fens, nodes=1000)]
    ['Ra8#', 'Ra1#']
    """
    if executor is None and out is None:
        return _castellan.analyze(positions, jobs=jobs, on_error=on_error, **search)
    run = Run(_analyze, positions, jobs, executor, {**search})
    return Results(run.results(out, "json", lambda result: to_json(result, search.get("multipv"))), on_error)


def annotate_games(
    games: Iterable[Game | Record],
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    out: str | os.PathLike[str] | None = None,
    **limits: Unpack[Limits],
) -> Iterator[Annotation]:
    """Annotates each of many games, as `annotate`, and yields them in their order; `executor` and `out` are as for
    `analyze`. The file has the games in PGN.

    >>> [game.black.blunders for game in annotate_games(parse_pgn("1. f3 e5 2. g4 b6 *"), nodes=1000)]
    [1]
    """
    run = Run(_annotate, games, jobs, executor, {**limits})
    return Results(run.results(out, "pgn", lambda annotation: annotation.record.pgn()), None)


def annotate(
    game: Game | Record, *, jobs: int | None = None, executor: Executor | None = None, **limits: Unpack[Limits]
) -> Annotation:
    """Annotates a game with evaluations, assessments, better moves and accuracy, with an `executor` on a worker of it.
    Existing annotations are kept, except old evaluations.

    >>> annotation = annotate(Game(moves=["f3", "e5", "g4", "Qh4"]), nodes=1000)
    >>> annotation.white.blunders
    1
    """
    if executor is None:
        return _castellan.annotate(game, jobs=jobs, **limits)
    return next(annotate_games([game], jobs=jobs, executor=executor, **limits))


class Results(Iterator[_T]):
    """An iterator that goes on after the error of a line."""

    def __init__(self, results: Iterator[_T | FenError], on_error: Callable[[FenError], object] | None) -> None:
        self.results = results
        self.on_error = on_error

    def __next__(self) -> _T:
        for result in self.results:
            if not isinstance(result, FenError):
                return result
            if self.on_error is None:
                raise result
            self.on_error(result)
        raise StopIteration


def _open(run: str, threads: int | None, hash: int | None, options: tuple[tuple[str, str | int | bool], ...]) -> Engine:
    return Engine(threads=threads, hash=hash, options=dict(options))


_engine = lru_cache(maxsize=4)(_open)
"""The engine of a worker for a run, which opens network and tables once."""


def _analyze(first: int, jobs: int | None, lines: Iterable[Any], engine: Engine, limits: Any) -> _Numbered:
    results = _castellan.analyze(lines, jobs=jobs, engine=engine, first_line=first, **limits)
    while True:
        try:
            for result in results:
                yield result.line, result
            return
        except FenError as error:
            yield error.line, error


def _annotate(first: int, jobs: int | None, games: Iterable[Any], engine: Engine, limits: Any) -> _Numbered:
    for number, game in enumerate(games, first):
        yield number, _castellan.annotate(game, jobs=jobs, engine=engine, **limits)


def _results(work: _Work, run: str, first: int, jobs: int | None, items: Iterable[Any], search: Search) -> _Numbered:
    limits: dict[str, Any] = {**search}
    options = tuple((limits.pop("options", None) or {}).items())
    engine = _engine(run, limits.pop("threads", None), limits.pop("hash", None), options)
    return work(first, jobs, items, engine, limits)


def _batch(work: _Work, run: str, first: int, items: list[Any], search: Search, attempt: int) -> Any:
    """Does a batch on a worker, and returns the seconds and the results; its own errors are among them. Dask takes calls with
    the same arguments for one, hence `attempt`."""
    begun = time.monotonic()
    found: list[tuple[Any, Any]] = []
    try:
        found.extend(_results(work, run, first, 1, items, search))
    except Exception as error:
        found.append((None, error))
    return time.monotonic() - begun, found


class Run:
    """The work on the items of an iterable."""

    def __init__(self, work: _Work, items: Iterable[Any], jobs: int | None, executor: Executor | None, search: Any) -> None:
        self.work, self.search, self.name, self.jobs = work, search, uuid.uuid4().hex, jobs
        self.error: Exception | None = None
        self.items = enumerate(self.until_error(items), 1)
        self.executor = executor
        self.pool: Any = executor
        # A worker has the next batch when it is done with one, and a stream is read no further than that. The pools of the
        # standard library and of loky tell the number of their workers, those of Dask and MPI do not.
        workers: int | None = getattr(executor, "_max_workers", None)
        in_flight = _PER_WORKER * workers if workers else _IN_FLIGHT
        self.in_flight = in_flight if jobs is None else jobs
        if executor and self.in_flight < 1:
            raise ValueError(f"expected jobs from 1, found {jobs}")

    def until_error(self, items: Iterable[Any]) -> Iterator[Any]:
        """The items; an error waits until the results before it are out."""
        try:
            yield from items
        except Exception as error:
            self.error = error

    def results(
        self,
        out: str | os.PathLike[str] | None,
        form: str,
        text: Callable[[Any], str],
        on_earlier: Callable[[int, str], object] = lambda number, text: None,
    ) -> Iterator[Any]:
        """The results in the order of the items, which are also written to `out` in a form. `on_earlier` receives number and
        text of each result of the interrupted run."""
        if out is None:
            for _, _, result in self.in_order():
                yield result
            return
        given = sorted(self.search.items())
        settings = [_castellan.__version__, form, *(f"{name}={value}" for name, value in given if value)]
        with _Output(Path(out), settings) as output:
            first = 1
            for number, earlier in output.skip(self.items):
                on_earlier(number, earlier)
                first = number + 1
            for number, item, result in self.in_order(first):
                output.append([number, _checksum(item), text(result)])
                yield result
            output.finish()

    def submit(self, batch: list[tuple[int, Any]], attempt: int = 1) -> tuple[Executor, Future[Any]]:
        items = [item for _, item in batch]
        call = (self.work, self.name, batch[0][0], items, self.search, attempt)
        try:
            return self.pool, self.pool.submit(_batch, *call)
        except BrokenExecutor:
            # A process of it died, after which it takes no more work.
            if not isinstance(self.pool, ProcessPoolExecutor):
                raise
            pool: Any = self.pool
            self.pool = ProcessPoolExecutor(pool._max_workers, pool._mp_context, pool._initializer, pool._initargs)
            return self.pool, self.pool.submit(_batch, *call)

    def in_order(self, first: int = 1) -> Iterator[tuple[int, Any, Any]]:
        """The results from an item on, with the numbers and the items that they belong to."""
        yield from self.on_workers() if self.executor else self.here(first)
        if self.error:
            raise self.error

    def here(self, first: int) -> Iterator[tuple[int, Any, Any]]:
        """In this process and in one batch: the input may wait for a result before it gives the next item."""
        taken: deque[tuple[int, Any]] = deque()

        def items() -> Iterator[Any]:
            for number, item in self.items:
                taken.append((number, item))
                yield item

        for number, result in _results(self.work, self.name, first, self.jobs, items(), self.search):
            # Blank lines and comments have no result.
            while taken[0][0] < number:
                taken.popleft()
            _, item = taken.popleft()
            yield number, item, result

    def on_workers(self) -> Iterator[tuple[int, Any, Any]]:
        """In batches on the workers of the executor."""
        size, attempt = 1, 1
        batch: list[tuple[int, Any]]
        waiting: deque[tuple[list[tuple[int, Any]], Executor, Future[Any]]] = deque()
        try:
            while True:
                while len(waiting) < self.in_flight and (batch := list(islice(self.items, size))):
                    waiting.append((batch, *self.submit(batch)))
                if not waiting:
                    break
                batch, pool, future = waiting[0]
                try:
                    seconds, found = future.result()
                except Exception as error:
                    if attempt == _TRIES:
                        raise
                    attempt += 1
                    first, last = batch[0][0], batch[-1][0]
                    message = f"the worker of items {first} to {last} died ({error!r}); they are tried again"
                    warnings.warn(message, RuntimeWarning, stacklevel=5)
                    for place, (again, its_pool, other) in enumerate(waiting):
                        is_done = other.done() and not other.exception()
                        # A pool that broke ends all of its futures.
                        if other is future or (isinstance(error, BrokenExecutor) and its_pool is pool and not is_done):
                            waiting[place] = (again, *self.submit(again, attempt))
                    continue
                waiting.popleft()
                attempt = 1
                size = max(1, min(_LARGEST, round(_SECONDS * len(batch) / max(seconds, 1e-6))))
                for number, result in found:
                    if isinstance(result, Exception) and not isinstance(result, FenError):
                        raise result
                    yield number, batch[number - batch[0][0]][1], result
        finally:
            for _, _, future in waiting:
                future.cancel()
            if self.pool is not self.executor:
                self.pool.shutdown(cancel_futures=True)


def _checksum(item: object) -> int:
    return zlib.crc32(repr(item).encode())


class _Output:
    """The file of `out`. Until it is complete FILE.partial has a line with the settings and one for each result: a checksum,
    and in JSON the number of the item, its checksum and the text."""

    def __init__(self, path: Path, settings: list[str]) -> None:
        if path.exists():
            raise FileExistsError(f"'{path}' exists")
        self.path, self.partial = path, Path(f"{path}.partial")
        self.file = self.partial.open("a+b")
        if sys.platform != "win32":
            import fcntl

            # Of two processes the second is refused.
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                self.file.close()
                raise BlockingIOError(
                    error.errno, "another run writes it; wait for it, or use another file", str(self.partial)
                ) from None
        self.file.seek(0)
        before = self.read()
        if before is None and self.partial.stat().st_size:
            raise OptionError(f"'{self.partial}' is not from an interrupted run")
        if before is None:
            self.append(settings)
        elif before != settings:
            raise OptionError(f"the interrupted run of '{self.partial}' had {before}, this one has {settings}")

    def __enter__(self) -> _Output:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def append(self, value: Any) -> None:
        line = json.dumps(value).encode() + b"\n"
        self.file.write(b"%08x %b" % (zlib.crc32(line), line))
        self.file.flush()

    def read(self) -> Any:
        """The next line, None after the last one that is undamaged."""
        start = self.file.tell()
        checksum, _, line = self.file.readline().partition(b" ")
        if line.endswith(b"\n") and checksum == b"%08x" % zlib.crc32(line):
            return json.loads(line)
        self.file.seek(start)
        return None

    def skip(self, items: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, str]]:
        """Skips the items of the interrupted run, and yields number and text of each of its results."""
        while result := self.read():
            item = next((item for number, item in items if number == result[0]), None)
            if _checksum(item) != result[1]:
                raise OptionError(f"the input has changed: item {result[0]} is not the one in the interrupted run")
            yield result[0], result[2]
        self.file.truncate(self.file.tell())

    def finish(self) -> None:
        self.file.seek(0)
        self.read()
        new = Path(f"{self.path}.new")
        with new.open("wb") as file:
            while result := self.read():
                file.write(result[2].encode())
        if self.file.read(1):
            raise OSError(f"'{self.partial}' was damaged during the run; another run computes the rest again")
        if self.path.exists():
            new.unlink()
            raise FileExistsError(f"'{self.path}' appeared during the run; move it, and another run completes this one")
        self.file.close()
        os.replace(new, self.path)
        self.partial.unlink()


def _line(result: Any) -> dict[str, Any]:
    """A line of analysis as docs/schemas/analyze.json has it."""
    score = {"cp": result.score.cp} if result.score.mate is None else {"mate": result.score.mate}
    bound = getattr(result, "bound", "exact")
    return {
        "score": score,
        **({} if bound == "exact" else {"bound": bound}),
        "wdl": result.wdl,
        "depth": result.depth,
        "seldepth": getattr(result, "seldepth", 0),
        "pv": [str(move) for move in result.pv],
        "san": result.sans,
    }


def to_json(result: SearchResult | FenError, multipv: int | None) -> str:
    """The line that `castellan analyze --json --no-time` writes."""
    values: dict[str, Any] = {"version": 1, "line": result.line}
    if isinstance(result, FenError):
        values.update(id=None, fen=None, bestmove=None, nodes=None, error=result.reason)
    else:
        position, lines = result.position, [_line(line) for line in result.lines]
        values |= {
            "id": result.id,
            "fen": position.shredder_fen() if position.chess960 else position.fen(),
            "bestmove": result.move and str(result.move),
            **({} if result.solved is None else {"solved": result.solved}),
            **(lines or [_line(result)])[0],
            "nodes": result.nodes,
            **({"lines": lines} if lines and (multipv or 1) > 1 else {}),
            **({"warnings": result.warnings} if result.warnings else {}),
            "error": None,
        }
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"


def to_text(result: SearchResult | FenError) -> str:
    """The lines that `castellan analyze --no-time` writes."""
    if isinstance(result, FenError):
        return f"{result.line}: error {_castellan.escape_controls(result.reason)}\n"
    head = f"{result.line}:" if result.id is None else f"{result.line} {_castellan.excerpt(result.id)}:"
    texts: list[str] = []
    lines: list[Any] = [*result.lines] or [result]
    for line in lines:
        bound = "" if getattr(line, "bound", "exact") == "exact" else f" {line.bound}bound"
        win, draw, loss = line.wdl
        numbers = f"wdl {win} {draw} {loss} depth {line.depth} nodes {result.nodes}"
        texts.append(" ".join([f"{head} {line.score}{bound} {numbers} pv", *line.sans]) + "\n")
    return "".join(texts)
