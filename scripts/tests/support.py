"""For all tests here: makes `lib` importable and runs the scripts as a person would."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).resolve().parent.parent
STUB = Path(__file__).resolve().parent / "stub_engine.py"
sys.path.insert(0, str(SCRIPTS))

RUN_LIMIT_S = 60
ENGINE = SCRIPTS.parent / "target" / "release" / "castellan"


def stub_command(*modes: str) -> str:
    return " ".join([sys.executable, str(STUB), *modes])


def run_script(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPTS / name), *words], capture_output=True, text=True, timeout=RUN_LIMIT_S
    )


class InFolder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def match(self, *words: str, first: str = "good", second: str = "good") -> subprocess.CompletedProcess[str]:
        """Two stubs named A and B in these modes; the JSON report goes to report.json."""
        return run_script(
            "match.py",
            "--engine", "name=A", f"cmd={stub_command(*first.split())}",
            "--engine", "name=B", f"cmd={stub_command(*second.split())}",
            "--json", self.path("report.json"), *words,
        )  # fmt: skip

    def report(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(Path(self.path("report.json")).read_text())
        return data
