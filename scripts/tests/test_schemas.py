"""Every `--json` output is valid by its schema in docs/schemas."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import unittest

from support import ENGINE, RUN_LIMIT_S, SCRIPTS

from jsonschema import Draft202012Validator

SCHEMAS = SCRIPTS.parent / "docs/schemas"
POSITIONS = """\
6k1/5ppp/8/8/8/8/8/R5K1 w - - id "mate.1"; bm Ra8; c0 "Ra8=10, Ra7=2";
8/8/8/8/8/5k2/8/4K2R w K - am O-O; id "mate.2";
not a position
7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
4k3/8/8/8/8/8/8/4K2B w K - 0 1
"""
# The arguments, the schema, its alternatives that appear, and the input.
RUNS = [
    ("analyze --json --depth 3", "analyze", {0, 1}, POSITIONS),
    ("analyze --json --depth 3 --no-time --multipv 2", "analyze", {0, 1}, POSITIONS),
    ("fen --json", "fen", {0}, POSITIONS),
    ("fen --json --to epd", "fen", {0}, POSITIONS),
    ("fen --json --explain e1g1 startpos", "fen", {0}, ""),
]


class Schemas(unittest.TestCase):
    def run_engine(self, arguments: str, text: str) -> str:
        command = [str(ENGINE), *shlex.split(arguments)]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=RUN_LIMIT_S, check=False)
        return done.stdout

    def test_outputs(self) -> None:
        for arguments, name, wanted, text in RUNS:
            schema = json.loads((SCHEMAS / f"{name}.json").read_text())
            Draft202012Validator.check_schema(schema)
            alternatives = [{"$defs": schema.get("$defs", {}), **one} for one in schema.get("oneOf", [schema])]
            found = set()
            for line in self.run_engine(arguments, text).splitlines():
                value = json.loads(line)
                valid = {number for number, one in enumerate(alternatives) if Draft202012Validator(one).is_valid(value)}
                with self.subTest(arguments=arguments, line=line):
                    self.assertEqual(len(valid), 1)
                found |= valid
            with self.subTest(arguments=arguments):
                self.assertEqual(found, wanted)

    def test_every_command_has_a_schema(self) -> None:
        """And every schema is tested."""
        commands = re.findall(r"^  (\w+)  ", self.run_engine("--help", ""), re.MULTILINE)
        with_json = {one for one in commands if "--json" in self.run_engine(f"{one} --help", "")}
        tested = {arguments.split()[0] for arguments, *_ in RUNS}
        self.assertEqual(with_json, tested)
        self.assertEqual({path.stem for path in SCHEMAS.iterdir()}, {name for _, name, *_ in RUNS})
