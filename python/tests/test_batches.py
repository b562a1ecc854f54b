"""Batches on the workers of executors: a process pool, a Dask cluster, MPI; nothing is lost, and nothing is done twice."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import castellan as c
from castellan import _batches
from castellan._batches import Run, to_json

import pytest

FENS = [c.Position.chess960_start(number).fen() for number in range(200)]
GAMES = ["1. f3 e5 2. g4 Qh4# 0-1", "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", '[White "J\xf6rg"]\n\n1. d4 d5 2. c4 *'] * 3
PROGRAMS = [Path(__file__).parents[2] / "target" / profile / "castellan" for profile in ("release", "quick")]


def lines(results: Iterator[c.SearchResult]) -> str:
    return "".join(to_json(result, None) for result in results)


def die(path: Path, times: int, fen: str) -> str:
    """Kills the process that reads a `Deadly` line, `times` times."""
    with path.open("a+") as file:
        file.write("x")
        file.flush()
        if path.stat().st_size <= times:
            os.kill(os.getpid(), signal.SIGKILL)
    return fen


class Deadly(str):
    path: Path
    times: int

    def __reduce__(self) -> tuple[Callable[..., str], tuple[object, ...]]:
        return die, (self.path, self.times, str(self))


def with_deadly(path: Path, times: int) -> list[str]:
    line = Deadly(FENS[77])
    line.path, line.times = path, times
    return [*FENS[:77], line, *FENS[78:]]


def test_a_batch_whose_worker_died_is_tried_again(tmp_path: Path) -> None:
    expected = lines(c.analyze(FENS, nodes=300, hash=1))
    with ProcessPoolExecutor(2) as pool, pytest.warns(RuntimeWarning, match="died .* tried again"):
        positions = with_deadly(tmp_path / "deaths", 2)
        assert lines(c.analyze(positions, nodes=300, hash=1, executor=pool)) == expected
    assert (tmp_path / "deaths").stat().st_size == 3
    with ProcessPoolExecutor(2) as pool, pytest.warns(RuntimeWarning), pytest.raises(BrokenExecutor):
        list(c.analyze(with_deadly(tmp_path / "more", 99), nodes=300, hash=1, executor=pool))


def test_batches_on_executors(tmp_path: Path) -> None:
    mixed: list[Any] = ["# a comment\n", FENS[0], b"nonsense", c.Game(moves=["e4"]), b"\xe9", FENS[1], c.Position()]
    games = [c.Record(game) for game in GAMES]
    expected = [(result.line, result.pv) for result in c.analyze(mixed, depth=4, multipv=2, on_error=print)]
    annotations = [c.annotate(game, nodes=300) for game in games]
    pools: list[Executor | None] = [ThreadPoolExecutor(3), ProcessPoolExecutor(2), None]
    for number, pool in enumerate(pools):
        errors: list[c.FenError] = []
        out = tmp_path / f"{number}.json"
        results = c.analyze(mixed, depth=4, multipv=2, executor=pool, out=out, on_error=errors.append)
        assert [(result.line, result.pv) for result in results] == expected
        assert [error.line for error in errors] == [3, 5]
        assert out.read_bytes() == (tmp_path / "0.json").read_bytes()
        assert list(c.annotate_games(games, nodes=300, executor=pool)) == annotations
        assert c.annotate(games[0], nodes=300, executor=pool) == annotations[0]
        refused = c.analyze(mixed, executor=pool, out=tmp_path / f"{number}", options={"EvalFile": "no such file"})
        with pytest.raises(c.OptionError, match="no such file"):
            next(refused)
        batch = c.analyze(["nonsense", FENS[0]], depth=1, executor=pool, out=tmp_path / f"{number}.txt")
        with pytest.raises(c.FenError, match="line 1"):
            next(batch)
        assert next(batch).line == 2
        if pool:
            pool.shutdown()


def test_the_input_is_read_as_far_as_batches_are_in_flight() -> None:
    taken = itertools.count()

    def broken() -> Iterator[str]:
        yield from FENS[:3]
        raise OSError("the disk is gone")

    with ThreadPoolExecutor(2) as pool:
        next(c.analyze((FENS[0] for _ in taken), depth=1, hash=1, executor=pool))
        assert next(taken) == 2 * 2
        with pytest.raises(ValueError, match="expected jobs from 1, found 0"):
            c.analyze(FENS, executor=pool, jobs=0)
        taken = itertools.count()
        endless = c.analyze((FENS[0] for _ in taken), depth=1, hash=1, executor=pool, jobs=3)
        for _ in range(500):
            next(endless)
        assert next(taken) < 500 + 3 * 256 + 2
        results = c.analyze(broken(), depth=1, executor=pool)
        assert [next(results).line for _ in range(3)] == [1, 2, 3]
        with pytest.raises(OSError, match="the disk"):
            next(results)


def test_a_script_ends_while_its_input_waits() -> None:
    script = "import sys, castellan as c; next(c.analyze(sys.stdin.buffer, depth=1, hash=1, jobs=2))"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(FENS[0].encode() + b"\n")
        process.stdin.flush()
        assert process.wait(60) == 0


def test_a_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    out, partial = tmp_path / "out", tmp_path / "out.partial"
    run = c.analyze(FENS, nodes=50, hash=1, out=out)
    assert [result.line for result, _ in zip(run, range(20), strict=False)] == list(range(1, 21))
    with pytest.raises(BlockingIOError):
        next(c.analyze(FENS, nodes=50, hash=1, out=out))
    del run
    assert not out.exists()
    kept = partial.read_bytes()
    for changed, nodes in (([FENS[1], *FENS[1:]], 50), (FENS[:19], 50), (FENS, 51)):
        with pytest.raises(c.OptionError, match=r"has changed|had \["):
            next(c.analyze(changed, nodes=nodes, hash=1, out=out))
        assert partial.read_bytes() == kept
    partial.write_bytes(kept[:-9] + b"damaged\n")
    with ThreadPoolExecutor(2) as pool:
        results = c.analyze(FENS, hash=1, nodes=50, out=out, executor=pool)
        assert [result.line for result in results] == list(range(len(kept.splitlines()) - 1, 201))
    assert out.read_text() == lines(c.analyze(FENS, nodes=50, hash=1))
    assert not partial.exists()
    with pytest.raises(FileExistsError):
        next(c.analyze(FENS, nodes=50, hash=1, out=out))
    partial.write_text("something else\n")
    out.unlink()
    with pytest.raises(c.OptionError, match="not from an interrupted run"):
        next(c.analyze(FENS, nodes=50, hash=1, out=out))


def test_a_file_that_appears_during_a_run_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = c.analyze(FENS[:3], nodes=50, hash=1, out=out)
    assert [next(run).line for _ in range(3)] == [1, 2, 3]
    out.write_text("another")
    with pytest.raises(FileExistsError, match="appeared during the run"):
        next(run)
    assert out.read_text() == "another"
    out.unlink()
    assert list(c.analyze(FENS[:3], nodes=50, hash=1, out=out)) == []
    assert out.read_text() == lines(c.analyze(FENS[:3], nodes=50, hash=1))


def module(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "castellan", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not any(path.exists() for path in PROGRAMS), reason="the program is not built")
def test_the_module_writes_what_the_command_writes(tmp_path: Path) -> None:
    program = next(path for path in PROGRAMS if path.exists())
    epd, pgn = tmp_path / "a.epd", tmp_path / "a.pgn"
    board = "6k1/5ppp/8/8/8/8/8/R5K1 w - -"
    invalid = ["nonsense", "4k3/8/8/8/8/8/8/4K3 \x1b[31m"]
    many = [f'{board} bm Ra8; id "a\tb\xe9";', f'{board} id "{"x" * 100}";', *invalid, "", "# x", "startpos moves e4 e5"]
    ends = ["7k/5Q2/6K1/8/8/8/8/8 b", "7k/6Q1/6K1/8/8/8/8/8 b", "8/8/8/8/8/4k3/8/4K3", "r3k2r/8/8/8/8/8/8/R3K2R w K - - bm x"]
    epd.write_bytes("\n".join([*many, *ends, c.Position.chess960_start(0).fen()]).encode() + b"\n\xe9\n")
    pgn.write_bytes("\n\n".join([*GAMES, "1. e4 e5 2. Ke4 *", "1. e4 (1. e6) *"]).encode("latin-1"))
    rows = [(epd, "analyze", flags) for flags in ([], ["--json"], ["--multipv=3"], ["--json", "--multipv=2", "--chess960"])]
    ends_of_runs = []
    for number, (file, name, flags) in enumerate([*rows, (pgn, "annotate", [])]):
        ours, theirs = tmp_path / f"{number}.py", tmp_path / f"{number}.rs"
        found = module(name, file, "--nodes=500", *flags, "--out", ours, "--workers", 2)
        untimed = ["--no-time"] if name == "analyze" else []
        command = [program, name, file, "--nodes=500", *flags, *untimed, "--out", theirs]
        expected = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        assert ours.read_bytes() == theirs.read_bytes()
        assert (found.returncode, found.stderr.splitlines()[-1]) == (expected.returncode, expected.stderr.splitlines()[-1])
        ends_of_runs.append((found.returncode, found.stderr.splitlines()[-2:]))
    # A run that goes on counts the results of the interrupted one.
    forms: list[tuple[int, str, Callable[[Any], str]]] = [
        (0, "text", _batches.to_text),
        (1, "json", lambda result: to_json(result, None)),
        (4, "pgn", lambda annotation: annotation.record.pgn()),
    ]
    for number, form, to_text in forms:
        out, flags = tmp_path / form, ["--json"] if form == "json" else []
        if form == "pgn":
            file, name, run = pgn, "annotate", Run(_batches._annotate, c.read_pgn(pgn), None, None, {"nodes": 500})
        else:
            positions = epd.read_bytes().splitlines(keepends=True)
            file, name, run = epd, "analyze", Run(_batches._analyze, positions, None, None, {"nodes": 500})
        assert [to_text(result) for result in itertools.islice(run.results(out, form, to_text), 4)]
        found = module(name, file, "--nodes=500", *flags, "--out", out, "--workers", 2)
        assert (found.returncode, found.stderr.splitlines()[-2:]) == ends_of_runs[number]
        assert out.read_bytes() == (tmp_path / f"{number}.py").read_bytes()
    again = module("analyze", epd, "--out", tmp_path / "0.py")
    assert (again.returncode, again.stderr) == (1, f"castellan: '{tmp_path / '0.py'}' exists\n")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler with three workers."""
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port=0", "--no-dashboard", "--host=127.0.0.1"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads=1", "--no-nanny", "--no-dashboard"]
    file_of = f"--scheduler-file={file}"
    with (tmp_path / "log").open("wb") as log:
        started = [subprocess.Popen([*one, file_of], stdout=log, stderr=log) for one in (command, worker, worker, worker)]
        for _ in range(600):
            if file.exists():
                break
            time.sleep(0.1)
        yield file.read_text().split('"address": "')[1].split('"')[0], started[1:]
        for process in reversed(started):
            process.kill()
            process.wait()


def test_a_dask_cluster_that_loses_a_worker(cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path) -> None:
    address, workers = cluster
    client: Any = pytest.importorskip("distributed").Client(address)
    with client:
        client.wait_for_workers(3)
        results = c.analyze(FENS * 3, nodes=3000, hash=1, executor=client.get_executor())
        found = []
        for number, result in enumerate(results):
            found.append(result)
            if number == 5:
                workers[1].kill()
        assert len(client.scheduler_info()["workers"]) == 2
        assert "".join(to_json(result, None) for result in found) == lines(c.analyze(FENS * 3, nodes=3000, hash=1))
    (tmp_path / "a.epd").write_text("\n".join(FENS))
    assert (
        module("analyze", tmp_path / "a.epd", "--nodes=50", "--json", "--out", tmp_path / "out", "--dask", address).stderr == ""
    )
    assert (tmp_path / "out").read_text() == lines(c.analyze(FENS, nodes=50))


MPI = """
import sys
import castellan as c
from mpi4py.futures import MPIPoolExecutor

if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        print(len(list(c.analyze(open(sys.argv[1]), nodes=300, hash=1, executor=pool, out=sys.argv[2]))))
"""


@pytest.mark.skipif(not shutil.which("mpiexec"), reason="no MPI")
def test_mpi(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    script, positions, out = tmp_path / "script.py", tmp_path / "positions", tmp_path / "out"
    script.write_text(MPI)
    positions.write_text("\n".join(FENS))
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = ["mpiexec", "-n", "3", "--oversubscribe", sys.executable, "-m", "mpi4py.futures", script, positions, out]
    run = subprocess.run([*map(str, command)], capture_output=True, text=True, env=environment, check=False)
    assert run.stdout == "200\n", run.stderr
    assert out.read_text() == lines(c.analyze(FENS, nodes=300, hash=1))
