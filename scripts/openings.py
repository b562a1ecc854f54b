#!/usr/bin/env python3
"""Writes the table of opening names, formats/src/openings.tsv, from the data set lichess-org/chess-openings (CC0).

    scripts/openings.py chess-openings

FOLDER is a copy of the data set, with the files a.tsv to e.tsv, such as data/openings of the crate esca. Each line of the
table is an ECO code, a name, the number of moves that are those of the line before, and the moves after them.
Exit status: 0 written, 2 a file cannot be read or written.
"""

from __future__ import annotations

import csv
import sys
from itertools import takewhile
from pathlib import Path

from lib.cli import EXIT_OK, EXIT_USAGE, REPOSITORY, parser_for

VOLUMES = "abcde"
TABLE = REPOSITORY / "formats" / "src" / "openings.tsv"


def rows(folder: Path) -> list[tuple[list[str], str, str]]:
    found = []
    for volume in VOLUMES:
        with (folder / f"{volume}.tsv").open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                moves = [word for word in row["pgn"].split() if not word[0].isdigit()]
                found.append((moves, row["eco"], row["name"]))
    return sorted(found)


def table(found: list[tuple[list[str], str, str]]) -> str:
    lines, last = [], list[str]()
    for moves, eco, name in found:
        pairs = zip(last, moves, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        lines.append(f"{eco}\t{name}\t{shared}\t{' '.join(moves[shared:])}\n")
        last = moves
    return "".join(lines)


def main() -> int:
    parser = parser_for(__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    try:
        TABLE.write_text(table(rows(folder)), encoding="utf-8")
    except OSError as error:
        print(f"openings.py: {error}", file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
