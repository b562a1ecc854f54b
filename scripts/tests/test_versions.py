"""The version of Cargo.toml is the one that the changelog, the manual pages and the recipes state, with one date.

Until it is tagged, the changelog has one section, Unreleased, without a date.
"""

from __future__ import annotations

import re
import tomllib
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
STATED = {
    "CITATION.cff": r"^version: (.+)$",
    "packaging/README.md": r"--prefix=castellan-([\d.]+)/",
    "packaging/arch/PKGBUILD": r"^pkgver=(.+)$",
    "packaging/castellan-board.metainfo.xml": r'<release version="([^"]+)"',
    "packaging/debian/changelog": r"^castellan \(([^-]+)-",
    "packaging/flake.nix": r'version = "([^"]+)"',
    "packaging/homebrew/castellan.rb": r"castellan-(.+)\.tar",
}
DATED = {
    "CITATION.cff": r"^date-released: (.+)$",
    "common/src/manual.rs": r'DATE: &str = "([^"]+)"',
    "packaging/castellan-board.metainfo.xml": r'date="([^"]+)"',
}


def found(path: str, pattern: str) -> str:
    match = re.search(pattern, (REPOSITORY / path).read_text(), re.MULTILINE)
    return match[1] if match else f"nothing in {path}"


class Versions(unittest.TestCase):
    def test_every_file_states_the_version_and_its_date(self) -> None:
        version = tomllib.loads((REPOSITORY / "Cargo.toml").read_text())["workspace"]["package"]["version"]
        stated = {path: found(path, pattern) for path, pattern in STATED.items()}
        self.assertEqual(stated, dict.fromkeys(STATED, version))
        heading = found("CHANGELOG.md", r"^## (.+)$")
        dates = {path: found(path, pattern) for path, pattern in DATED.items()}
        self.assertEqual(len(set(dates.values())), 1, dates)
        self.assertIn(heading, ["Unreleased", *(f"{version} ({date})" for date in dates.values())])
