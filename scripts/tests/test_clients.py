"""docs/clients.md is true: its Python runs with the real program, and the program has its options."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unittest

from support import ENGINE, SCRIPTS

import chess.engine
from ruamel.yaml import YAML

RUN_LIMIT_S = 120


class Clients(unittest.TestCase):
    def setUp(self) -> None:
        self.assertTrue(ENGINE.exists(), f"{ENGINE}: run cargo build --release first")

    def block(self, language: str) -> str:
        text = (SCRIPTS.parent / "docs" / "clients.md").read_text()
        blocks = re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
        self.assertEqual(len(blocks), 1, f"blocks of {language}")
        return str(blocks[0])

    def test_python_chess(self) -> None:
        path = os.pathsep.join([str(ENGINE.parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            [sys.executable, "-c", self.block("python")],
            capture_output=True, text=True, timeout=RUN_LIMIT_S, env={**os.environ, "PATH": path}, check=False,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stdout), (0, self.block("text")), done.stderr)

    def test_options_for_lichess_bot(self) -> None:
        settings = YAML(typ="safe").load(self.block("yaml"))["engine"]
        self.assertEqual((settings["name"], settings["protocol"]), (ENGINE.name, "uci"))
        with chess.engine.SimpleEngine.popen_uci(str(ENGINE)) as engine:
            for name, value in settings["uci_options"].items():
                with self.subTest(option=name):
                    self.assertIn(name, engine.options)
                    engine.options[name].parse(value)
