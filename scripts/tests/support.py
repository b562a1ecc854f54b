"""For all tests: makes the scripts importable and runs them as a user would."""

from __future__ import annotations

import contextlib
import importlib
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
ENGINE = SCRIPTS.parent / "target" / "release" / "castellan"
RUN_LIMIT_S = 300
sys.path.insert(0, str(SCRIPTS))


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

    def fastchess(self, output: str, script: str = "") -> str:
        """Stands in for fastchess: writes its arguments to a file, runs a script, and prints the output."""
        return self.program("fastchess", f'printf "%s\\n" "$@" > "{self.path("arguments")}"\n{script}\ncat <<END\n{output}END')

    def fastchess_arguments(self) -> list[str]:
        return Path(self.path("arguments")).read_text().splitlines()


def fastchess_report(
    wins: int | str, draws: int, losses: int | str, pairs: str, elo: str = "0.00 +/- 0.00", llr: str = ""
) -> str:
    """What fastchess prints after a game."""
    return (
        "Results of new vs old (8000 nodes, 1t, 8MB, book.epd):\n"
        f"Elo: {elo}, nElo: -nan +/- -nan\n"
        "LOS: -nan %, DrawRatio: 100.00 %, PairsRatio: -nan\n"
        f"Games: 2, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: 0.0 (50.00 %)\n"
        f"Ptnml(0-2): [{pairs}], WL/DD Ratio: 1.77\n"
        f"{llr}\n"
    )
