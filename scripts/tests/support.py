"""For all tests: makes the scripts importable and runs them as a user would."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).resolve().parent.parent
STUB = Path(__file__).resolve().parent / "stub_engine.py"
ENGINE = SCRIPTS.parent / "target" / "release" / "castellan"
RUN_LIMIT_S = 300
sys.path.insert(0, str(SCRIPTS))


def stub_command(*modes: str) -> str:
    return " ".join([sys.executable, str(STUB), *modes])


def run_process(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / name), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=RUN_LIMIT_S, check=False)


def run_script(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The same within this process, which spares the start of another Python."""
    main = importlib.import_module(name.removesuffix(".py")).main
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            status = main(list(words))
        except SystemExit as error:
            status = int(error.code or 0)
    return subprocess.CompletedProcess([name, *words], status, out.getvalue(), err.getvalue())


class InFolder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def write(self, name: str, text: str) -> str:
        Path(self.path(name)).write_text(text)
        return self.path(name)

    def program(self, name: str, script: str) -> str:
        """A shell script that stands in for an engine."""
        Path(self.write(name, f"#!/bin/sh\n{script}\n")).chmod(0o755)
        return self.path(name)

    def match(self, *words: str, second: str = "good", limit: str | None = None) -> subprocess.CompletedProcess[str]:
        """Two stubs named A and B, B in this mode and maybe with a limit of its own; the report goes to report.json."""
        return run_script("match.py", *self.match_words("good", second), *([limit] if limit else []), *words)

    def match_words(self, first: str, second: str) -> list[str]:
        return [
            "--json", self.path("report.json"),
            "--engine", "name=A", f"cmd={stub_command(*first.split())}",
            "--engine", "name=B", f"cmd={stub_command(*second.split())}",
        ]  # fmt: skip

    def report(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(Path(self.path("report.json")).read_text())
        return data
