"""A UCI client that measures exactly: one process, two pipes, and the time from `go` to `bestmove`.

python-chess's client parses each line while the engine thinks; a match at 10 ms per move needs one that only sleeps in poll(2)
and collects lines. It knows no chess rules: the lines are judged later, when no clock runs.
"""

from __future__ import annotations

import enum
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

from .engines import NS_PER_MS, NS_PER_S

READ_SIZE = 1 << 16
ANSWER_TIMEOUT_S = 30.0
QUIT_TIMEOUT_S = 1.0
EXIT_TIMEOUT_S = 0.1  # a program that closed a pipe because it ends is gone by then
STDERR_TAIL = 300
MAX_UNREAD = 64  # reads; an engine that never stops printing must not hold up the match


class FaultKind(enum.StrEnum):
    """What is counted against an engine, in the order of the report."""

    ILLEGAL_MOVE = "illegal move"
    ILLEGAL_PV = "illegal PV"
    CRASH = "crash"
    STALL = "stall"
    NO_BESTMOVE = "missing bestmove"
    STRAY_BESTMOVE = "unexpected bestmove"
    TIME_LOSS = "time loss"


@dataclass(frozen=True)
class Fault:
    """A fault is data, not an exception: the match goes on, reports it and exits with status 1."""

    engine: str
    kind: FaultKind
    ply: int
    detail: str

    @staticmethod
    def from_json(data: dict[str, Any]) -> Fault:
        return Fault(data["engine"], FaultKind(data["kind"]), data["ply"], data["detail"])


class EngineFault(RuntimeError):
    """The engine cannot answer."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


@dataclass
class SearchReply:
    """The answer to a `go`: the lines before the bestmove, the bestmove line, and the time it took."""

    lines: list[bytes]
    bestmove: bytes
    elapsed_ns: int


class UciEngine:
    """A running engine. Methods raise EngineFault when it cannot answer; the caller then calls `kill`."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = tuple(command)
        self._process: subprocess.Popen[bytes] | None = None

    # Process

    def start(self) -> None:
        """Starts the program. It leads its own session, so that Ctrl-C reaches only us."""
        self._stderr: IO[bytes] = tempfile.TemporaryFile()
        self._rest, self._pending = b"", list[bytes]()
        self._sent_options: dict[str, str] = {}
        try:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self._stderr, bufsize=0, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise EngineFault(FaultKind.CRASH, f"cannot start {self.command[0]}: {error.strerror}") from None
        self._input, self._output = pipes(self._process)
        self._poller = select.poll()
        self._poller.register(self._output.fileno(), select.POLLIN | select.POLLHUP)

    def handshake(self) -> None:
        self.send("uci")
        self.read_until("uciok")

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._running_process().pid

    def kill(self) -> None:
        """Ends the process at once; valid in any state."""
        if self._process is not None:
            if self.running:
                # The whole session: behind a shell wrapper the engine is a child of what was started.
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for file in (self._input, self._output, self._stderr):
                file.close()
        self._process = None

    def quit(self) -> None:
        if self._process is not None:
            try:
                self.send("quit")
                self._process.wait(QUIT_TIMEOUT_S)
            except (EngineFault, subprocess.TimeoutExpired):
                pass
        self.kill()

    # Protocol

    def send(self, text: str) -> None:
        self._running_process()
        data = (text + "\n").encode()
        try:
            while data:
                data = data[os.write(self._input.fileno(), data) :]
        except OSError:
            raise self._crash("closed its input") from None

    def configure(self, options: dict[str, str]) -> None:
        """Sends the options that changed since the last call."""
        for name, value in options.items():
            if self._sent_options.get(name) != value:
                self.send(f"setoption name {name} value {value}")
                self._sent_options[name] = value

    def synchronize(self) -> None:
        """`isready` until `readyok`; drops what was unread before."""
        self.send("isready")
        self.read_until("readyok")

    def lines(self, timeout_s: float = ANSWER_TIMEOUT_S) -> Iterator[str]:
        """Lines as they arrive; a stall when none arrives in time."""
        while True:
            while self._pending:
                yield self._pending.pop(0).decode(errors="replace").strip()
            if not self._wait(time.monotonic_ns() + round(timeout_s * NS_PER_S)):
                raise EngineFault(FaultKind.STALL, f"no line within {timeout_s:g} s")
            self._read()

    def read_until(self, word: str, timeout_s: float = ANSWER_TIMEOUT_S) -> list[str]:
        """The lines before the one that starts with `word`."""
        seen: list[str] = []
        for line in self.lines(timeout_s):
            if line.split(" ", 1)[0] == word:
                break
            seen.append(line)
        return seen

    def unread_lines(self) -> list[bytes]:
        """What the engine has printed so far, without waiting."""
        for _ in range(MAX_UNREAD):
            if not self._wait(0):
                break
            self._read()
        lines, self._pending = self._pending, []
        return lines

    def search(self, command: str, deadline_ns: int | None, patience_ns: int) -> SearchReply:
        """Sends `position` and `go` in one write and waits for the bestmove.

        The clock starts just before the write: the engine may be scheduled while we still are in the system call. Past its
        deadline an engine gets one `stop`, and `patience_ns` later it counts as stalled. A late answer is returned: the
        caller's clock judges it.
        """
        lines: list[bytes] = []
        start = time.monotonic_ns()
        self.send(command)
        limit = start + (patience_ns if deadline_ns is None else deadline_ns)
        stopped = deadline_ns is None
        while True:
            if self._wait(limit):
                self._read()
                now = time.monotonic_ns()
                for index, line in enumerate(self._pending):
                    if line.startswith(b"bestmove"):
                        lines += self._pending[:index]
                        del self._pending[: index + 1]
                        return SearchReply(lines, line.rstrip(b"\r"), now - start)
                lines += self._pending
                self._pending.clear()
                if now < limit:
                    continue
            if stopped:
                raise EngineFault(FaultKind.STALL, f"no bestmove {(limit - start) / NS_PER_S:.3f} s after go")
            self.send("stop")
            stopped, limit = True, limit + patience_ns

    # Pipes

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise EngineFault(FaultKind.CRASH, "the engine is not running")
        return self._process

    def _wait(self, deadline_ns: int) -> bool:
        self._running_process()
        left = deadline_ns - time.monotonic_ns()
        return bool(self._poller.poll(max(0, -(-left // NS_PER_MS))))

    def _read(self) -> None:
        data = os.read(self._output.fileno(), READ_SIZE)
        if not data:
            raise self._crash("closed its output")
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._pending += lines

    def _crash(self, what: str) -> EngineFault:
        """How the process ended, with the end of its stderr, where a panic message is."""
        try:
            code = self._running_process().wait(EXIT_TIMEOUT_S)
            what = f"exit status {code}" if code >= 0 else f"killed by signal {-code}"
        except subprocess.TimeoutExpired:
            what += " but still runs"
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - STDERR_TAIL))
        tail = " | ".join(self._stderr.read().decode(errors="replace").split("\n")).strip(" |")
        return EngineFault(FaultKind.CRASH, f"{what} ({tail})" if tail else what)


def pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None and process.stdout is not None
    return process.stdin, process.stdout
