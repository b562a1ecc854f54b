"""Several games at a time: one worker process a slot, each with its own engines and its own interpreter lock.

Threads would not do: one game's bookkeeping would delay another game's clock. A worker keeps its engines alive from
game to game. When the match process ends for whatever reason, its workers notice and take their engines with them.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
import traceback
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any

from .engine_spec import EngineSpec
from .game import play_game
from .match_types import GameJob, GameRecord
from .uci_client import UciEngine

WORKER_END_S = 5.0


class WorkerError(RuntimeError):
    """A worker failed by itself (not an engine): a defect of these scripts, with its traceback."""


def _on_terminate(_signal: int, _frame: object) -> None:
    sys.exit(0)


def _worker(pipe: Connection) -> None:
    signal.signal(signal.SIGTERM, _on_terminate)
    # A collection in the middle of a move would be charged to an engine; between games it costs nobody.
    gc.disable()
    engines: dict[tuple[Any, ...], UciEngine] = {}

    def engine_for(spec: EngineSpec) -> UciEngine:
        key = (spec.name, spec.command, spec.directory)
        return engines.setdefault(key, UciEngine(spec))

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
    """Plays games `size` at a time. Use it in a `with`: leaving it ends all workers and engines."""

    def __init__(self, size: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipes: list[Connection] = []
        self._processes: list[multiprocessing.process.BaseProcess] = []
        # Children inherit an ignored SIGINT: Ctrl-C is answered once, by the match, also while they still start.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        for _ in range(size):
            ours, theirs = context.Pipe()
            process = context.Process(target=_worker, args=(theirs,))
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)
        signal.signal(signal.SIGINT, handler)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(WORKER_END_S)
            if process.is_alive():
                process.kill()
        for pipe in self._pipes:
            pipe.close()

    def play(self, jobs: Iterator[GameJob]) -> Iterator[GameRecord]:
        """Yields games as they finish. A job is drawn only when a worker is free for it, so that a tuner can make
        it from the newest state; stop consuming to stop playing."""
        busy: set[Connection] = set()
        free = list(self._pipes)
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
