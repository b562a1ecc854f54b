"""Every script explains itself, and says what to install where its dependencies are missing."""

from __future__ import annotations

import subprocess
import sys
import unittest

from support import RUN_LIMIT_S, SCRIPTS, run_process

PROGRAMS = sorted(path.name for path in SCRIPTS.glob("*.py"))


class Help(unittest.TestCase):
    def test_help(self) -> None:
        self.assertGreater(len(PROGRAMS), 3)
        for name in PROGRAMS:
            with self.subTest(name=name):
                done = run_process(name, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("Exit status", done.stdout)

    def test_without_dependencies(self) -> None:
        for name in PROGRAMS:
            with self.subTest(name=name):
                # -S: without the packages installed for this interpreter.
                command = [sys.executable, "-S", str(SCRIPTS / name), "--help"]
                done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_LIMIT_S, check=False)
                if done.returncode != 0:
                    self.assertEqual(done.returncode, 2)
                    self.assertRegex(done.stderr, r"^not installed: .*; run: pip install -r scripts/requirements.txt\n$")
