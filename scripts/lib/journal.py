"""The results file: one JSON line about the match, then one for every finished game, in the order they finished.

It is what a match resumes from. A line is written after the game's PGN and says how long the PGN file was then, so
a half-written game (in either file) is recognised and cut off.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO

from .faults import Fault
from .match_types import GameRecord

FORMAT = 1


class JournalError(ValueError):
    """The results file cannot be used for this match; the text says why and what would be right."""


class Journal:
    """Appends finished games to the results file and the PGN; either may be absent."""

    def __init__(self, path: str | None, pgn_path: str | None, settings: dict[str, Any], resume: bool) -> None:
        self.finished: list[GameRecord] = []
        self._journal: BinaryIO | None = None
        self._pgn: BinaryIO | None = None
        settings = {**settings, "pgn": pgn_path}
        pgn_size: int | None = None
        if path is not None:
            if resume and Path(path).exists():
                keep, pgn_size = self._load(path, settings)
                self._journal = open(path, "r+b")
                self._journal.truncate(keep)
                self._journal.seek(keep)
            else:
                self._journal = _create(path)
                self._line({"format": FORMAT, "settings": settings})
        if pgn_path is not None:
            self._pgn = _create(pgn_path) if pgn_size is None else _continue_pgn(pgn_path, pgn_size, path)

    def add(self, record: GameRecord) -> None:
        pgn_size = 0
        if self._pgn is not None:
            self._pgn.write(record.pgn.encode())
            self._pgn.flush()
            pgn_size = self._pgn.tell()
        if self._journal is not None:
            data = {key: value for key, value in vars(record).items() if key not in ("pgn", "faults")}
            data["faults"] = [fault.to_json() for fault in record.faults]
            self._line({"game": data, "pgn_size": pgn_size})

    def close(self) -> None:
        for file in (self._journal, self._pgn):
            if file is not None:
                file.close()

    def _line(self, data: dict[str, Any]) -> None:
        assert self._journal is not None
        self._journal.write(json.dumps(data).encode() + b"\n")
        self._journal.flush()

    def _load(self, path: str, settings: dict[str, Any]) -> tuple[int, int]:
        """Reads the games; returns how many bytes of the two files are whole."""
        keep = pgn_size = 0
        for number, line in enumerate(Path(path).read_bytes().splitlines(keepends=True), 1):
            if not line.endswith(b"\n"):
                break
            try:
                data = json.loads(line)
                if number == 1:
                    _compare(path, data["settings"], settings)
                else:
                    fields = dict(data["game"], pgn="")
                    fields["faults"] = [Fault.from_json(fault) for fault in fields["faults"]]
                    self.finished.append(GameRecord(**fields))
                    pgn_size = data["pgn_size"]
            except (KeyError, TypeError, json.JSONDecodeError) as error:
                raise JournalError(f"{path}, line {number}: not a line of a results file ({error})") from None
            keep += len(line)
        if keep == 0:
            raise JournalError(f"{path} is empty or cut off in its first line: remove it to start anew")
        return keep, pgn_size


def _create(path: str) -> BinaryIO:
    try:
        return open(path, "xb")
    except FileExistsError:
        raise JournalError(f"{path} exists: give --resume to go on with that match, or another name") from None


def _continue_pgn(pgn_path: str, size: int, journal_path: str | None) -> BinaryIO:
    if not Path(pgn_path).exists() or Path(pgn_path).stat().st_size < size:
        raise JournalError(f"{pgn_path} is missing or shorter than {journal_path} says: it held {size} bytes of games")
    pgn = open(pgn_path, "r+b")
    pgn.truncate(size)
    pgn.seek(size)
    return pgn


def _compare(path: str, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    ours = json.loads(json.dumps(ours))
    for key in sorted(theirs.keys() | ours.keys()):
        if theirs.get(key) != ours.get(key):
            raise JournalError(
                f"{path} belongs to another match: {key} was {json.dumps(theirs.get(key))}, now {json.dumps(ours.get(key))}"
            )
