"""A match: the schedule, worker processes, the results file, early end by SPRT."""

from __future__ import annotations

import contextlib
import gc
import json
import multiprocessing
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, BinaryIO

from tqdm import tqdm

from .cli import UsageError
from .engines import EngineSpec
from .game import GameJob, GameRecord, Rules, play_game
from .openings import Openings
from .stats import Sprt, Tally
from .uci import Fault, UciEngine

POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}  # half points for White
WORKER_END_S = 5.0


@dataclass(frozen=True)
class MatchPlan:
    """A match of two engines. Games are numbered so that a longer match begins with the shorter one."""

    engines: tuple[EngineSpec, EngineSpec]
    games: int
    openings: Openings
    book: str
    rules: Rules
    concurrency: int = 1
    sprt: Sprt | None = None
    results_path: str | None = None
    pgn_path: str | None = None
    resume: bool = False

    def settings(self) -> dict[str, Any]:
        """What must be the same when a match is resumed. The number of games may grow."""
        rules = {key: value for key, value in asdict(self.rules).items() if key != "patience_ns"}
        return {"engines": [asdict(engine) for engine in self.engines], "rules": rules, "book": self.book}

    def jobs(self, done: Container[int]) -> Iterator[GameJob]:
        """The games left; each opening is played with both colors."""
        for number in range(self.games):
            if number not in done:
                white, black = self.engines if number % 2 == 0 else self.engines[::-1]
                yield GameJob(number, number // 2 + 1, white, black, self.openings.opening(number // 2), self.rules)


@dataclass
class Results:
    """Everything counted so far, from the first engine's side."""

    first: str
    second: str
    tally: Tally = field(default_factory=Tally)
    games: dict[int, GameRecord] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    interrupted: bool = False

    def add(self, record: GameRecord) -> None:
        """Adds a game; its pair counts once both games are finished."""
        self.games[record.number] = record
        points = self._points(record)
        self.tally.wins += points == 2
        self.tally.draws += points == 1
        self.tally.losses += points == 0
        if (partner := self.games.get(record.number ^ 1)) is not None:
            self.tally.pairs[points + self._points(partner)] += 1
        self.faults += record.faults
        self.endings[record.reason] += 1

    def _points(self, record: GameRecord) -> int:
        points = POINTS[record.result]
        return points if record.white == self.first else 2 - points

    def fault_counts(self) -> dict[str, Counter[str]]:
        """By engine; only engines with faults."""
        counts: dict[str, Counter[str]] = {}
        for fault in self.faults:
            counts.setdefault(fault.engine, Counter())[fault.kind.value] += 1
        return counts


def run_match(plan: MatchPlan, status: Callable[[Results], str]) -> Results:
    """Plays the games left. Every finished game is on disk before the next one starts."""
    results = Results(plan.engines[0].name, plan.engines[1].name)

    def over() -> bool:
        decided = plan.sprt is not None and plan.sprt.verdict(results.tally) is not None
        return decided or len(results.games) >= plan.games

    with contextlib.closing(Journal(plan)) as journal, Interrupts() as interrupts:
        for record in journal.finished:
            results.add(record)
        try:
            if not over():
                with games_bar(plan.games, len(results.games)) as bar, WorkerPool(plan.concurrency) as pool:
                    for record in pool.play(plan.jobs(set(results.games))):
                        with interrupts.held():
                            journal.add(record)
                            results.add(record)
                        bar.set_postfix_str(status(results), refresh=False)
                        bar.update()
                        if over():
                            break
        except KeyboardInterrupt:
            results.interrupted = True
    return results


def games_bar(total: int, done: int, unit: str = "game") -> tqdm[None]:
    """Progress on stderr: a bar on a terminal, a line per minute in a log."""
    return tqdm(total=total, initial=done, unit=unit, mininterval=0.1 if sys.stderr.isatty() else 60)


class Interrupts:
    """SIGTERM ends a match as Ctrl-C does, and neither interrupts what is `held`: a game is recorded everywhere or nowhere."""

    def __enter__(self) -> Interrupts:
        self._holding = self._pending = False
        signals = [signal.SIGTERM]
        if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            signals.append(signal.SIGINT)
        self._previous = {number: signal.signal(number, self._interrupt) for number in signals}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _interrupt(self, _signal: int, _frame: object) -> None:
        if not self._holding:
            raise KeyboardInterrupt
        self._pending = True

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        self._holding = True
        try:
            yield
        finally:
            self._holding = False
        if self._pending:
            raise KeyboardInterrupt


class Journal:
    """The results file: a line with the settings, then one JSON line per finished game. A line cut off is dropped.

    The PGN file holds the same games; on a resume it is written anew from the results file.
    """

    def __init__(self, plan: MatchPlan) -> None:
        self.finished: list[GameRecord] = []
        self._file: BinaryIO | None = None
        self._pgn: BinaryIO | None = None
        resumed = plan.resume and plan.results_path is not None and Path(plan.results_path).exists()
        if plan.results_path is not None and resumed:
            keep = self._load(plan.results_path, plan.settings())
            self._file = open(plan.results_path, "r+b")
            self._file.truncate(keep)
            self._file.seek(keep)
        elif plan.results_path is not None:
            self._file = _create(plan.results_path)
            self._write({"settings": plan.settings()})
        if plan.pgn_path is not None:
            self._pgn = open(plan.pgn_path, "wb") if resumed else _create(plan.pgn_path)
            self._pgn.write("".join(record.pgn for record in self.finished).encode())
            self._pgn.flush()

    def add(self, record: GameRecord) -> None:
        if self._pgn is not None:
            self._pgn.write(record.pgn.encode())
            self._pgn.flush()
        if self._file is not None:
            self._write({"game": asdict(record)})

    def close(self) -> None:
        for file in (self._file, self._pgn):
            if file is not None:
                file.close()

    def _write(self, data: dict[str, Any]) -> None:
        assert self._file is not None
        self._file.write(json.dumps(data).encode() + b"\n")
        self._file.flush()

    def _load(self, path: str, settings: dict[str, Any]) -> int:
        """Reads the games; returns the size of the complete lines."""
        keep = 0
        for number, line in enumerate(Path(path).read_bytes().splitlines(keepends=True), 1):
            if not line.endswith(b"\n"):
                break
            try:
                data = json.loads(line)
                if number == 1:
                    _compare(path, data["settings"], json.loads(json.dumps(settings)))
                else:
                    self.finished.append(GameRecord.from_json(data["game"]))
            except (KeyError, TypeError, json.JSONDecodeError) as error:
                raise UsageError(f"{path}, line {number}: invalid results file ({error})") from None
            keep += len(line)
        if keep == 0:
            raise UsageError(f"{path} has no complete line; remove it to start again")
        return keep


def _create(path: str) -> BinaryIO:
    try:
        return open(path, "xb")
    except FileExistsError:
        raise UsageError(f"{path} already exists; use --resume to continue that match, or another name") from None


def _compare(path: str, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    for key in sorted(theirs.keys() | ours.keys()):
        if theirs.get(key) != ours.get(key):
            raise UsageError(
                f"{path} belongs to another match: {key} was {json.dumps(theirs.get(key))}, now {json.dumps(ours.get(key))}"
            )


class WorkerError(RuntimeError):
    """A worker failed, not an engine: a bug of these scripts, with its traceback."""


def _worker(pipe: Connection) -> None:
    """Plays games until the match process closes the pipe or ends. Engines stay running from game to game."""
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit(0))
    # A garbage collection within a move would count against an engine.
    gc.disable()
    engines: dict[str, UciEngine] = {}

    def engine_for(spec: EngineSpec) -> UciEngine:
        return engines.setdefault(spec.name, UciEngine(spec.command))

    try:
        while True:
            job: GameJob = pipe.recv()
            pipe.send(play_game(job, engine_for(job.white), engine_for(job.black)))
            gc.collect()
    except (EOFError, BrokenPipeError):
        pass
    except Exception:
        pipe.send(traceback.format_exc())
    finally:
        for engine in engines.values():
            engine.kill()


class WorkerPool:
    """One process per concurrent game: with threads, one game's bookkeeping would delay another game's clock.

    Leaving the `with` ends all workers and their engines.
    """

    def __init__(self, size: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._workers: dict[Connection, BaseProcess] = {}
        # Children inherit an ignored SIGINT: only the match handles Ctrl-C, also while they start.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        for _ in range(size):
            ours, theirs = context.Pipe()
            process = context.Process(target=_worker, args=(theirs,))
            process.start()
            theirs.close()
            self._workers[ours] = process
        signal.signal(signal.SIGINT, handler)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._workers.values():
            process.terminate()
        for pipe, process in self._workers.items():
            process.join(WORKER_END_S)
            if process.is_alive():
                process.kill()
            pipe.close()

    def play(self, jobs: Iterator[GameJob]) -> Iterator[GameRecord]:
        """Yields games as they finish. A job is drawn only when a worker is free, so that a tuner makes it from the newest
        values."""
        busy: set[Connection] = set()
        free = list(self._workers)
        while True:
            while free and (job := next(jobs, None)) is not None:
                pipe = free.pop()
                pipe.send(job)
                busy.add(pipe)
            if not busy:
                return
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                try:
                    answer = ready.recv()
                except EOFError:
                    raise WorkerError("a worker process ended unexpectedly") from None
                if not isinstance(answer, GameRecord):
                    raise WorkerError(str(answer))
                busy.remove(ready)
                free.append(ready)
                yield answer
