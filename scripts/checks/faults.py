"""Checks that no failed system call loses a result, passes for success or damages a file.

A full or broken disk, no more files, memory or threads, a killed process: in run after run of a command strace lets its Nth
call of a kind fail, or all from the Nth on, or kills the process there, until a run has no Nth call. A run that succeeds has
the complete result; another one says why; earlier files stay as they were or are replaced completely; and the command, run
again, gives the result of an undisturbed run. The cases say how far N went. Needs strace.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from lib.cli import positive

from . import page_client
from .common import CheckError, Result, add_jobs

LIMIT_S = 60
# The error of each call; a process is also killed at those that change files.
CHANGES = {
    "openat": "EMFILE", "write": "ENOSPC", "fsync": "EIO", "fdatasync": "EIO", "rename": "EIO", "linkat": "EPERM",
    "unlink": "EACCES", "ftruncate": "EIO", "mkdir": "ENOSPC",
}  # fmt: skip
OTHERS = {
    "read": "EIO", "lseek": "EIO", "statx": "EIO", "getdents64": "EIO", "fcntl": "EMFILE", "flock": "ENOLCK",
    "mmap": "ENOMEM", "brk": "ENOMEM", "mremap": "ENOMEM", "mprotect": "ENOMEM", "clone3": "EAGAIN",
}  # fmt: skip
CALLS = CHANGES | OTHERS
MEMORY = ("mmap", "brk", "mremap", "mprotect")
# Of tokio's own pipe, which no full disk stops.
UNREAL = "failed to wake I/O driver"
MODES = {"once": "error={error}:when={n}", "always": "error={error}:when={n}+", "killed": "signal=KILL:when={n}"}

OLD = "an earlier file\n"
POSITIONS = """\
8/8/8/4k3/8/8/4P3/4K3 w - - 0 1
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
startpos moves e2e4 e7e5
"""
GAMES = '[Event "One"]\n\n1. e4 e5 2. Nf3 *\n\n[Event "Two"]\n\n1. d4 d5 2. c4 e6 3. Nc3 *\n'
ANALYZE = "castellan analyze positions --no-time --nodes 200 --jobs 2 --hash 1"
ANNOTATE = "castellan annotate games.pgn --nodes 50 --jobs 2 --hash 1 --out out"
DATAGEN = "castellan-train datagen --nodes 50 --threads"
TRAIN = "castellan-train train games --out out --hidden 64 --epochs 2 --batch 64 --from-ply 0 --threads 1"


# Exit status, standard output and standard error of a run.
Done = tuple[int, str, str]


def run(command: list[str], folder: Path, text: str) -> Done:
    """The run of a command, which must end."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "RUST_BACKTRACE": "0"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        cwd=folder, env=environment, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            output, errors = process.communicate(text, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, output, errors


def untimed(path: Path) -> bytes:
    """A file without the times of the moves, which differ from run to run."""
    return re.sub(rb" at [\d-]+T[\d:]+Z\b", b"", path.read_bytes())


@dataclass(frozen=True)
class Scenario:
    """A command whose result is a file `out`, or all files in such a folder."""

    command: str
    # What is appended to run it again: the first that succeeds. Without any, the file must be a beginning of the result.
    again: tuple[str, ...] = ("",)
    # Commands that come first, the last of them killed at this call.
    before: tuple[str, ...] = ()
    killed: str = ""
    files: dict[str, str] = field(default_factory=dict)
    text: str = ""
    # Standard output is a result too.
    prints: bool = False
    # The file has games of self-play, which are counted: an interrupted run has other chunks.
    has_games: bool = False
    # In the output and in the file: there must be as many, or a message.
    acknowledged: tuple[str, str] | None = None
    drive: Callable[[list[str], Path, str], Done] = run


SCENARIOS = {
    "analyze": Scenario(f"{ANALYZE} --out out", (" --resume",)),
    "analyze-resume": Scenario(
        f"{ANALYZE} --out out --resume", before=(f"{ANALYZE} --out out",), killed="write:signal=KILL:when=3"
    ),
    "analyze-force": Scenario(f"{ANALYZE} --out out --force", files={"out": OLD}),
    "analyze-print": Scenario(ANALYZE, prints=True),
    "annotate": Scenario(ANNOTATE, (" --resume",)),
    "annotate-resume": Scenario(f"{ANNOTATE} --resume", before=(ANNOTATE,), killed="rename:signal=KILL:when=2"),
    "datagen": Scenario(f"{DATAGEN} 2 --games 6 --out out", has_games=True),
    "datagen-resume": Scenario(
        f"{DATAGEN} 1 --games 8 --out out", has_games=True, killed="write:signal=KILL:when=6",
        before=(f"{DATAGEN} 1 --games 2 --out out", f"{DATAGEN} 1 --games 8 --out out"),
    ),
    "train": Scenario(TRAIN, (" --resume", " --force"), (f"{DATAGEN} 1 --games 4 --out games",)),
    "quantize": Scenario(
        "castellan-train quantize in.checkpoint --out out", files={"out": OLD},
        before=(f"{DATAGEN} 1 --games 4 --out games", TRAIN.replace("--out out", "--out in")),
    ),
    "play": Scenario(
        "castellan play --session out --nodes 100 --ascii", (), text="e4\nNf3\nd4\nquit\n",
        acknowledged=(r"^(?:You|Castellan): \d", "^move "),
    ),
    "play-over": Scenario(
        "castellan play --keep --side both --ascii", (), text="f3\ne5\ng4\nQh4\nquit\n",
        acknowledged=(r"^(?:White|Black): \d", "^move |[a-h][1-8][ #]"),
    ),
    "pgn": Scenario("castellan pgn games.pgn", prints=True),
    "manual": Scenario("castellan man --all out", (), files={"out/empty": ""}),
    "page": Scenario(
        "castellan-board --no-browser --port 0 --hash 1", (), drive=page_client.drive, prints=True,
        acknowledged=("^shown ", "^kept "),
    ),
}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", action="append", choices=SCENARIOS, metavar="SCENARIO", help="may be repeated; default: all")
    parser.add_argument("--call", action="append", choices=CALLS, metavar="CALL", help="may be repeated; default: all")
    parser.add_argument("--every", type=positive, default=1, metavar="N", help="only each Nth call; default: every one")
    add_jobs(parser)


def check(arguments: argparse.Namespace) -> Result:
    result = Result()
    with tempfile.TemporaryDirectory() as top, ThreadPoolExecutor(arguments.jobs) as pool:
        trials = [Trial(name, Path(top) / name, arguments.engine) for name in arguments.only or SCENARIOS]
        runs = [
            pool.submit(trial.all_calls, call, mode, arguments.every)
            for trial in trials
            for call in arguments.call or CALLS
            for mode in MODES
            if mode != "killed" or call in CHANGES
        ]
        for done in runs:
            result.add(done.result())
    return result


class Trial:
    """A scenario, with what an undisturbed run of it leaves."""

    def __init__(self, name: str, top: Path, engine: str) -> None:
        self.name, self.scenario, self.top, self.engine = name, SCENARIOS[name], top, engine
        self.prepared, log = top / "prepared", top / "log"
        self.prepared.mkdir(parents=True)
        for file, text in {"positions": POSITIONS, "games.pgn": GAMES, **self.scenario.files}.items():
            (self.prepared / file).parent.mkdir(exist_ok=True)
            (self.prepared / file).write_text(text)
        for command in self.scenario.before:
            is_killed = self.scenario.killed and command is self.scenario.before[-1]
            traced = self.traced(self.scenario.killed, log) if is_killed else []
            run([*traced, *self.words(command)], self.prepared, "")
        self.earlier = self.result(self.prepared)
        folder = top / "undisturbed"
        shutil.copytree(self.prepared, folder)
        status, self.output, errors = self.scenario.drive(self.words(self.scenario.command), folder, self.scenario.text)
        if status != 0:
            raise CheckError(f"{name}: status {status}: {errors}")
        self.expected, self.names = self.result(folder), names(folder)

    def words(self, command: str) -> list[str]:
        program, *rest = shlex.split(command)
        return [os.path.join(os.path.dirname(self.engine), program), *rest]

    def traced(self, inject: str, log: Path) -> list[str]:
        call = inject.partition(":")[0]
        # Signals need the slow way.
        fast = [] if "signal" in inject else ["--seccomp-bpf"]
        return ["strace", "-f", *fast, "-o", str(log), "-e", f"trace={call}", "-e", f"inject={inject}"]

    def result(self, folder: Path) -> dict[str, bytes]:
        """The files of the result by name."""
        if self.scenario.has_games:
            counted = run(self.words("castellan-train check out"), folder, "")[1]
            return {"out": counted.partition("chunks, ")[2].encode()}
        found = [folder / "out", *(folder / "out").glob("*")]
        # The name of a saved game is a time.
        saved = {path.suffix: untimed(path) for path in (folder / "castellan").rglob("*.*")}
        return {path.name: untimed(path) for path in found if path.is_file()} or saved

    def all_calls(self, call: str, mode: str, every: int) -> Result:
        """Lets one call after the other fail, until there is no further one."""
        result, n = Result(), 1
        while self.one_call(call, mode, n, result):
            result.compared[f"runs of {self.name}"] += 1
            if mode == "once":
                result.cases[f"{self.name} {call}"] = n
            n += every
        return result

    def one_call(self, call: str, mode: str, n: int, result: Result) -> bool:
        """False if the run has no such call."""
        with tempfile.TemporaryDirectory(dir=self.top) as top:
            folder, log = Path(top) / "folder", Path(top) / "log"
            shutil.copytree(self.prepared, folder)
            inject = f"{call}:{MODES[mode].format(error=CALLS[call], n=n)}"
            command = [*self.traced(inject, log), *self.words(self.scenario.command)]
            try:
                done = self.scenario.drive(command, folder, self.scenario.text)
            except subprocess.TimeoutExpired:
                problems = ["does not end"]
            else:
                if not re.search("INJECTED|killed by SIGKILL", log.read_text()):
                    return False
                problems = [*self.faults(done, call, mode, folder), *self.faults_again(done, call, mode, folder)]
            result.differences += [f"{self.name} {inject}: {problem}" for problem in problems]
        return True

    def faults(self, done: Done, call: str, mode: str, folder: Path) -> Iterator[str]:
        """What is wrong with a disturbed run."""
        status, output, errors = done
        if UNREAL in errors:
            return
        found = self.result(folder)
        # The standard library gives up where a thread has no memory for the handler of stack overflows.
        aborted = call in MEMORY and status in (-signal.SIGABRT, -signal.SIGSEGV)
        if "panicked" in errors and "stack_overflow.rs" not in errors:
            yield errors.strip()
        is_whole = all(found.get(name) == content for name, content in self.expected.items())
        is_told = self.scenario.acknowledged and re.search("not (?:saved|kept)", output + errors)
        if status == 0 and not is_told and not (is_whole and (output == self.output or not self.scenario.prints)):
            yield f"status 0 without the result; {errors.strip() or 'no message'}"
        if status not in (0, 1, 2, 127) and not aborted and not (mode == "killed" and status == -signal.SIGKILL):
            yield f"status {status}: {errors.strip()}"
        if status > 0 and not errors and (call, mode) != ("write", "always"):
            yield f"status {status} without a message"
        for name, whole in self.expected.items() if not self.scenario.has_games else ():
            now = found.get(name, b"")
            if now and now not in (whole, self.earlier.get(name)) and (self.scenario.again or not whole.startswith(now)):
                yield f"'{name}' is damaged: {now[-200:]!r}"
        if self.scenario.acknowledged and not is_told and not errors:
            told, kept = (
                len(re.findall(pattern, text, re.MULTILINE))
                for pattern, text in zip(self.scenario.acknowledged, (output, b"".join(found.values()).decode()), strict=True)
            )
            if told > kept:
                yield f"{told} moves were shown, {kept} kept"

    def faults_again(self, done: Done, call: str, mode: str, folder: Path) -> Iterator[str]:
        """What is wrong after the command has been run again, undisturbed."""
        messages = []
        if done[0] != 0 and self.scenario.again:
            for more in self.scenario.again:
                status, _, errors = run(self.words(self.scenario.command + more), folder, self.scenario.text)
                if status == 0:
                    break
                messages.append(errors.strip())
            else:
                # Unless it was at its end.
                if self.result(folder) != self.expected or (folder / "out.partial").exists():
                    yield f"cannot be run again: {messages}"
            if self.result(folder) != self.expected:
                yield f"another result when run again; {done[2].strip()}"
        left = names(folder) - self.names
        if mode == "killed" or call == "unlink":
            left = {name for name in left if not re.search(r"\.\d+\.new$|\.castellan-lock$", name)}
        if left and self.scenario.again:
            yield f"left behind: {sorted(left)}"


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
