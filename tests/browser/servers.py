"""Servers of Castellan Board's page: the program, or a file server for the static page."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

STOP_SECONDS = 20


class Server:
    """The program, with a folder of its own for what it keeps. `kill` and `start` again use the same port."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.source, self.folder = source, folder
        self.port, self.address = 0, ""

    def command(self) -> list[str]:
        return [str(self.source), "--no-browser", "--port", str(self.port), "--hash", "16"]

    def start(self) -> None:
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder)}
        self.process = subprocess.Popen(
            self.command(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/(\?token=[0-9a-f]+)?", line)
        assert found, f"{self.source} printed {line!r} instead of its address"
        self.address, self.port = found.group(0), int(found.group(1))

    def kill(self) -> None:
        """As if it had crashed."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=STOP_SECONDS)

    def processor_seconds(self, interval: float) -> float:
        """The processor time used within some seconds."""

        def used() -> float:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        before = used()
        time.sleep(interval)
        return used() - before

    def expect_search(self, running: bool) -> None:
        deadline = time.monotonic() + STOP_SECONDS
        while (self.processor_seconds(0.5) > 0.1) != running:
            assert time.monotonic() < deadline, "a search is still running" if not running else "no search is running"


class StaticServer(Server):
    def command(self) -> list[str]:
        options = ["--bind", "127.0.0.1", "--directory", str(self.source), str(self.port)]
        return [sys.executable, "-u", "-m", "http.server", *options]
