"""A thin UCI client: one process, two pipes, and the clock on the wire.

It owns the process and the exact moment a question left and its answer came; it knows nothing of chess rules. While
an engine thinks the client only sleeps in poll(2) and collects lines, so that the manager takes next to nothing from
the engines. Everything the engine said is judged later, when no clock runs.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from typing import IO

from .engine_spec import EachOptions, EngineSpec, SpecError
from .faults import EngineFault, FaultKind
from .limits import NS_PER_MS, NS_PER_S

READ_SIZE = 1 << 16
START_TIMEOUT_S = 30.0
QUIT_TIMEOUT_S = 1.0
STDERR_TAIL = 300
MAX_UNREAD = 64  # reads; an engine that never stops talking must not hold up the match


@dataclass(frozen=True)
class UciOption:
    """One `option` line. `default`, `minimum`, `maximum` are texts as sent, None where absent."""

    name: str
    kind: str
    default: str | None = None
    minimum: str | None = None
    maximum: str | None = None
    choices: tuple[str, ...] = ()

    def refuses(self, value: str) -> str | None:
        """Why a value cannot be set, in words; None when it can."""
        if self.kind == "spin":
            try:
                number = int(value)
            except ValueError:
                return f"'{value}' is not a whole number"
            low, high = int(self.minimum or number), int(self.maximum or number)
            return None if low <= number <= high else f"{number} is outside {low} … {high}"
        if self.kind == "check" and value not in ("true", "false"):
            return f"'{value}' is neither true nor false"
        if self.kind == "combo" and value not in self.choices:
            return f"'{value}' is none of {', '.join(self.choices)}"
        return None


def parse_option(line: str) -> UciOption | None:
    """Reads `option name N type T default D min A max B var V`; None when the line is no complete option."""
    words = line.split()
    if words[:2] != ["option", "name"] or "type" not in words:
        return None
    at = words.index("type")
    if at + 1 >= len(words):
        return None
    fields: dict[str, str] = {}
    choices: list[str] = []
    key, value = "", list[str]()

    def close() -> None:
        if key == "var":
            choices.append(" ".join(value))
        elif key:
            fields[key] = " ".join(value)

    for word in words[at + 2 :]:
        if word in ("default", "min", "max", "var"):
            close()
            key, value = word, []
        else:
            value.append(word)
    close()
    return UciOption(
        " ".join(words[2:at]), words[at + 1], fields.get("default"), fields.get("min"), fields.get("max"), tuple(choices)
    )


@dataclass
class SearchReply:
    """What came back from one `go`: every line before the bestmove, the bestmove line, and the time it took."""

    lines: list[bytes]
    bestmove: bytes
    elapsed_ns: int


@dataclass
class UciEngine:
    """A running engine. Methods raise EngineFault when it cannot answer; the caller then calls `kill`."""

    spec: EngineSpec
    options: dict[str, UciOption] = field(default_factory=dict)
    id_name: str = ""
    _process: subprocess.Popen[bytes] | None = None
    _stderr: IO[bytes] | None = None
    _poller: select.poll | None = None
    _rest: bytes = b""
    _pending: list[bytes] = field(default_factory=list)
    _sent_options: dict[str, str] = field(default_factory=dict)

    # --- life -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the program and shakes hands. The engine leads its own session, so Ctrl-C reaches only us."""
        self._stderr = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                self.spec.command, cwd=self.spec.directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self._stderr, bufsize=0, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise EngineFault(FaultKind.CRASH, f"cannot start {self.spec.command[0]}: {error.strerror}") from None
        assert self._process.stdout is not None
        self._poller = select.poll()
        self._poller.register(self._process.stdout.fileno(), select.POLLIN | select.POLLHUP)
        self._rest, self._pending, self._sent_options = b"", [], {}
        self.send("uci")
        for line in self.read_until("uciok", START_TIMEOUT_S):
            option = parse_option(line)
            if option is not None:
                self.options[option.name.lower()] = option
            elif line.startswith("id name "):
                self.id_name = line[len("id name ") :].strip()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """Ends the process at once; safe to call in any state."""
        if self._process is not None:
            if self._process.poll() is None:
                # The whole session it leads: behind a shell wrapper the engine is a child of what we started.
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
        if self._stderr is not None:
            self._stderr.close()
        self._process = self._poller = self._stderr = None

    def quit(self) -> None:
        """Asks politely, then kills."""
        if self._process is not None:
            try:
                self.send("quit")
                self._process.wait(QUIT_TIMEOUT_S)
            except (EngineFault, subprocess.TimeoutExpired):
                pass
        self.kill()

    # --- talk -------------------------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise EngineFault(FaultKind.CRASH, "the engine is not running")
        data = (text + "\n").encode()
        descriptor = self._process.stdin.fileno()
        try:
            while data:
                data = data[os.write(descriptor, data) :]
        except OSError:
            raise self._crash("closed its input") from None

    def configure(self, options: dict[str, str]) -> None:
        """Sends the options that changed since the last time."""
        for name, value in options.items():
            if self._sent_options.get(name) != value:
                self.send(f"setoption name {name} value {value}")
                self._sent_options[name] = value

    def synchronise(self) -> None:
        """`isready` until `readyok`; what stood unread before is thrown away."""
        self.send("isready")
        self.read_until("readyok", START_TIMEOUT_S)

    def read_until(self, word: str, timeout_s: float) -> list[str]:
        """The lines before the one whose first word is `word`."""
        deadline = time.monotonic_ns() + round(timeout_s * NS_PER_S)
        seen: list[str] = []
        while True:
            while self._pending:
                line = self._pending.pop(0).decode(errors="replace").strip()
                if line.split(" ", 1)[0] == word:
                    return seen
                seen.append(line)
            if not self._wait(deadline):
                raise EngineFault(FaultKind.STALL, f"no '{word}' within {timeout_s:g} s")
            self._read()

    def unread_lines(self) -> list[bytes]:
        """Whatever the engine said unasked, without waiting."""
        for _ in range(MAX_UNREAD):
            if not self._wait(0):
                break
            self._read()
        lines, self._pending = self._pending, []
        return lines

    def search(self, command: str, deadline_ns: int | None, patience_ns: int) -> SearchReply:
        """Sends `position` and `go` in one write and waits for the bestmove.

        The clock starts just before the write: the engine may be scheduled while we still are in the system call.
        Past its deadline an engine is sent `stop` once, and has `patience_ns` more before it counts as stalled. The
        answer is returned however late it came: the caller's clock judges it.
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

    # --- pipes ------------------------------------------------------------------------------------------------

    def _wait(self, deadline_ns: int) -> bool:
        if self._poller is None:
            raise EngineFault(FaultKind.CRASH, "the engine is not running")
        left = deadline_ns - time.monotonic_ns()
        return bool(self._poller.poll(max(0, -(-left // NS_PER_MS))))

    def _read(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        data = os.read(self._process.stdout.fileno(), READ_SIZE)
        if not data:
            raise self._crash("closed its output")
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._pending += lines

    def _crash(self, what: str) -> EngineFault:
        """Says how the process ended and the last words it wrote to stderr: that is where a panic message is."""
        assert self._process is not None
        try:
            code = self._process.wait(QUIT_TIMEOUT_S)
            what = f"ended with status {code}" if code >= 0 else f"killed by signal {-code}"
        except subprocess.TimeoutExpired:
            what += " but runs on"
        if self._stderr is not None:
            size = self._stderr.seek(0, os.SEEK_END)
            self._stderr.seek(max(0, size - STDERR_TAIL))
            tail = " | ".join(self._stderr.read().decode(errors="replace").split("\n")).strip(" |")
            what += f" ({tail})" if tail else ""
        return EngineFault(FaultKind.CRASH, what)


def preflight(spec: EngineSpec, each: EachOptions, required: dict[str, str]) -> tuple[EngineSpec, list[str]]:
    """Starts the engine once and holds the options against what it offers.

    An engine's own or a required option it lacks is an error (a typing mistake would silently play another match);
    one of `--each` it lacks is left out with a warning. Returns the spec to play with, and the warnings.
    """
    engine = UciEngine(spec)
    try:
        engine.start()
    except EngineFault as fault:
        raise SpecError(f"engine '{spec.name}' does not start: {fault.detail}") from None
    finally:
        engine.quit()
    warnings: list[str] = []
    final: dict[str, str] = {}
    own = {**spec.options, **required}
    for name, value in {**each.options, **own}.items():
        offered = engine.options.get(name.lower())
        if offered is None:
            if name in own:
                known = ", ".join(sorted(option.name for option in engine.options.values()))
                raise SpecError(f"engine '{spec.name}' has no option '{name}'; it has: {known or 'none'}")
            warnings.append(f"engine '{spec.name}' has no option '{name}': left out")
            continue
        refusal = offered.refuses(value)
        if refusal is not None:
            raise SpecError(f"engine '{spec.name}', option '{name}': {refusal}")
        final[offered.name] = value
    return EngineSpec(spec.name, spec.command, spec.limit, spec.directory, final), warnings
