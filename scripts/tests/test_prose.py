"""Comments in Rust: at most 100 columns, and no documentation that opens without a subject."""

from __future__ import annotations

import re
import subprocess
import unittest
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
COLUMNS = 100
# Those of the Python package are its docstrings, whose lines are those of the stubs.
STUBBED = "python/"
OPENER = re.compile(r"\s*//[/!] (What|How|Whether|Why|Where|Whose?|Of|Its|One|The same|As|Not)\b")


def faults(text: str, columns: int) -> Iterator[str]:
    """Commands and examples may be longer."""
    is_code = is_inside = False
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.match(r"\s*//[/!]? ?(.*)", line)
        if comment and comment[1].startswith("```"):
            is_code = not is_code
        if comment and len(line) > columns and not is_code and not re.search("`|cargo run", line):
            yield f"{number}: {len(line)} columns"
        # The first line of a comment opens it.
        if comment and not is_inside and OPENER.match(line):
            yield f"{number}: {line.strip()}"
        is_inside = comment is not None
    if is_code:
        yield "a fence is not closed"


class Prose(unittest.TestCase):
    def test_comments_have_subjects_and_fit(self) -> None:
        listed = subprocess.run(["git", "ls-files", "*.rs"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
        files = listed.stdout.split()
        assert len(files) > 300
        for file in files:
            columns = 120 if file.startswith(STUBBED) else COLUMNS
            with self.subTest(file):
                self.assertEqual(list(faults((REPOSITORY / file).read_text(), columns)), [])

    def test_faults(self) -> None:
        self.assertEqual(list(faults("/// How it is.\nfn f() {}\n", 100)), ["1: /// How it is."])
        self.assertEqual(list(faults("    /// Of it.\n", 100)), ["1: /// Of it."])
        self.assertEqual(list(faults("/// It is.\n/// How, is said there.\n", 100)), [])
        self.assertEqual(list(faults(f"// {'long ' * 20}\n", 100)), ["1: 103 columns"])
        self.assertEqual(list(faults(f"/// ```\n/// {'code ' * 20}\n/// ```\n", 100)), [])
