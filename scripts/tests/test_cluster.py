"""The cluster gives the same answers and games as one process, whatever happens to the workers. With the real program."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import unittest
from pathlib import Path

from support import ENGINE, SCRIPTS, TRAIN, InFolder, run_process

SUITE = SCRIPTS.parent / "tests" / "data" / "mates2000.epd"
POSITIONS = 60
WORK = ("--nodes", "200", "--no-time")
RUN_LIMIT_S = 300

# Stands in for the program; some of its runs kill the worker that started them, or fail.
UNRELIABLE = """#!{python}
import os, signal, sys
for run in range(1, 1000):
    try:
        os.close(os.open(f"{folder}/run {{run}}", os.O_CREAT | os.O_EXCL))
        break
    except FileExistsError:
        pass
if run in {killing}:
    os.kill(os.getppid(), signal.SIGKILL)
    sys.exit(9)
if run in {failing}:
    sys.exit("no memory")
os.execv("{engine}", ["{engine}", *sys.argv[1:]])
"""


@unittest.skipUnless(importlib.util.find_spec("distributed"), "Dask distributed is not installed")
class Cluster(InFolder):
    def setUp(self) -> None:
        super().setUp()
        for program in (ENGINE, TRAIN):
            self.assertTrue(program.exists(), f"{program}: run cargo build --release --workspace first")

    def suite(self, *more: str) -> str:
        lines = SUITE.read_text().splitlines()
        path = Path(self.path("positions.epd"))
        path.write_bytes("".join(f"{line}\r\n" for line in [*lines[:: len(lines) // POSITIONS], *more]).encode())
        return str(path)

    def engine(self, killing: tuple[int, ...] = (), failing: tuple[int, ...] = (), program: Path = ENGINE) -> str:
        text = UNRELIABLE.format(python=sys.executable, folder=self.folder, engine=program, killing=killing, failing=failing)
        Path(self.write("engine", text)).chmod(0o755)
        return self.path("engine")

    def analyze(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        return self.cluster("analyze", *words)

    def cluster(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, str(SCRIPTS / "cluster.py"), *words]
        return subprocess.run(command, capture_output=True, timeout=RUN_LIMIT_S, check=False)

    def alone(self, suite: str) -> bytes:
        command = [str(ENGINE), "analyze", "--json", *WORK, "--file", suite]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout

    def runs(self) -> int:
        return len(list(self.folder.glob("run *")))

    def test_a_killed_worker_changes_nothing(self) -> None:
        suite = self.suite()
        alone = self.alone(suite)
        self.assertGreaterEqual(alone.count(b"\n"), POSITIONS)
        engine = self.engine(killing=(4,), failing=(6,))
        done = self.analyze(suite, "--workers", "2", "--chunk", "7", "--engine", engine, "--", *WORK)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""))
        self.assertTrue(done.stdout == alone, "the answers differ from those of one process")
        chunks = -(-alone.count(b"\n") // 7)
        self.assertGreaterEqual(self.runs(), chunks + 2, "two chunks must run again")

    def test_bad_lines_keep_their_place(self) -> None:
        suite = self.suite("", "# remark", "nothing", "8/8/8/8/8/8/8/8 w - - 0 1")
        out = self.path("answers")
        done = self.analyze(suite, "--workers", "1", "--chunk", "13", "--engine", str(ENGINE), "--out", out, "--", *WORK)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, b"", b"cluster: 2 lines could not be analyzed\n"))
        answers = Path(out).read_bytes()
        self.assertTrue(answers == self.alone(suite), "the answers differ from those of one process")
        last = json.loads(answers.splitlines()[-1])
        self.assertEqual(last["line"], len(Path(suite).read_text().splitlines()))

    def test_a_program_that_always_fails_ends_the_work(self) -> None:
        engine = self.engine(failing=tuple(range(1, 100)))
        done = self.analyze(self.suite(), "--workers", "1", "--engine", engine, "--tries", "2", "--", *WORK)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn("no memory", done.stderr.decode())
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr.decode())

    def test_games_are_those_of_one_process(self) -> None:
        play = ("--seed", "3", "--nodes", "20")
        alone, out = self.path("alone.cg"), self.path("games.cg")
        count = str(2 * 256 + 40)
        command = [str(TRAIN), "datagen", "--out", alone, "--games", count, "--threads", "2", *play]
        subprocess.run(command, capture_output=True, check=True)

        words = ("datagen", "--games", count, "--out", out, "--chunk", "1", "--workers", "3")
        failing = self.cluster(*words, "--tries", "1", "--engine", self.engine(failing=(3,), program=TRAIN), "--", *play)
        self.assertEqual(failing.returncode, 2)
        self.assertIn("no memory", failing.stderr.decode())
        self.assertFalse(Path(out).exists())
        other = self.cluster(*words, "--engine", str(TRAIN), "--", "--seed", "4")
        self.assertEqual(other.returncode, 2)
        self.assertIn("other arguments", other.stderr.decode())

        killing = self.engine(killing=(self.runs() + 1,), program=TRAIN)
        done = self.cluster(*words, "--engine", killing, "--", *play)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""))
        self.assertTrue(Path(out).read_bytes() == Path(alone).read_bytes(), "the file differs from that of one process")
        self.assertEqual(list(self.folder.glob("*.parts")), [])


class InvalidArguments(InFolder):
    def test_errors_name_the_argument(self) -> None:
        there = self.write("there", "kept")
        for words, reason in (
            (("analyze", self.path("none")), "none"),
            (("analyze", there, "--workers", "0"), "at least 1, got '0'"),
            (("analyze", there, "--chunk", "0"), "at least 1, got '0'"),
            (("analyze", there, "--out", there), "exists"),
            (("analyze", there, "--", "--file", "x"), "--file after '--'"),
            (("analyze", there, "--", "--out=x"), "--out after '--'"),
            (("datagen", "--games", "10", "--out", there), "exists already"),
            (("datagen", "--games", "10", "--out", there, "--", "--first", "7"), "--first after '--'"),
        ):
            with self.subTest(words=words):
                done = run_process("cluster.py", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(reason, done.stderr)
        self.assertEqual(Path(there).read_text(), "kept")
