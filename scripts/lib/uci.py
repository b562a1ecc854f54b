"""A UCI client that only moves lines, so that it measures times exactly and hides nothing an engine prints."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Iterator
from itertools import takewhile

READ_SIZE = 1 << 16
ANSWER_TIMEOUT_S = 30.0


def mate_plies(moves: int) -> int:
    """The plies to a mate by its score; negative moves are against the side to move."""
    return 2 * moves - 1 if moves > 0 else -2 * moves


class EngineError(RuntimeError):
    """The engine does not start or does not answer."""


class UciEngine:
    """A running engine, ended by `with`."""

    def __init__(self, program: str) -> None:
        try:
            self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise EngineError(f"cannot start {program}: {error.strerror}") from None
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._unread = b""

    def __enter__(self) -> UciEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def send(self, text: str) -> None:
        try:
            self._input.write(f"{text}\n".encode())
        except BrokenPipeError:
            raise self._ended() from None

    def lines(self, timeout_s: float = ANSWER_TIMEOUT_S) -> Iterator[str]:
        """Lines as they arrive, each within the time."""
        while True:
            while b"\n" not in self._unread:
                if not select.select([self._output], [], [], timeout_s)[0]:
                    raise EngineError(f"no line within {timeout_s:g} s")
                data = os.read(self._output.fileno(), READ_SIZE)
                if not data:
                    raise self._ended()
                self._unread += data
            line, _, self._unread = self._unread.partition(b"\n")
            yield line.decode(errors="replace").strip()

    def answers(self, text: str) -> list[str]:
        """The lines that answer commands, before the next `readyok`."""
        self.send(f"{text}\nisready")
        return list(takewhile(lambda line: line != "readyok", self.lines()))

    def quit(self) -> tuple[list[str], int]:
        """The lines that were not read, and the exit status."""
        self.send("quit")
        try:
            rest, _ = self._process.communicate(timeout=ANSWER_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise EngineError(f"does not end within {ANSWER_TIMEOUT_S:g} s of quit") from None
        return (self._unread + rest).decode(errors="replace").splitlines(), self._process.returncode

    def _ended(self) -> EngineError:
        return EngineError(f"the engine ended with status {self._process.wait()}")
