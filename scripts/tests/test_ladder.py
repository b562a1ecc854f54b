"""ladder.py with a stub in the place of an opponent: the table and its conditions."""

from __future__ import annotations

import os
import unittest
from pathlib import Path
from unittest import mock

from support import InFolder, run_script, stub_command


class Table(InFolder):
    def engine(self, name: str, mode: str) -> str:
        program = Path(self.path(name))
        program.write_text(f"#!/bin/sh\nexec {stub_command(mode)}\n")
        program.chmod(0o755)
        return str(program)

    def ladder(self, mode: str) -> tuple[int, str]:
        own, _ = self.engine("own", "good"), self.engine("stockfish", mode)
        # Four plies from the fifty-move draw: the first own move of each engine is well-behaved, the second is not.
        Path(self.path("book.epd")).write_text("8/8/4k3/8/8/3QK3/8/8 w - - 96 80\n")
        with mock.patch.dict(os.environ, {"PATH": f"{self.folder}:{os.environ['PATH']}"}):
            done = run_script("ladder.py", "--engine", own, "--opponents", "stockfish", "--games", "2", "--tc", "20",
                              "--book", self.path("book.epd"))  # fmt: skip
        return done.returncode, done.stdout

    def test_row_and_conditions(self) -> None:
        status, text = self.ladder("good")
        self.assertEqual(status, 0)
        self.assertIn("| stockfish | 2 | 0 – 2 – 0 | 50.0 % | +0.0 ± ? | none |", text)
        self.assertRegex(text, r"own, \d{4}-\d\d-\d\d: 20 s, one thread, Hash 16, .* book\.epd \(seed 1\)")

    def test_opponents_faults_are_told_and_make_the_status_non_zero(self) -> None:
        status, text = self.ladder("illegal_move")
        self.assertEqual(status, 1)
        self.assertIn("| stockfish | 2 | 2 – 0 – 0 | 100.0 % | +∞ ± ? | illegal move 2 |", text)


if __name__ == "__main__":
    unittest.main()
