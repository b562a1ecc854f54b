"""What the command lines of the scripts have in common: exit statuses, argument types and files that are continued."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

EXIT_OK, EXIT_FAULTS, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
REPOSITORY = Path(__file__).resolve().parent.parent.parent
DEFAULT_ENGINE = REPOSITORY / "target" / "release" / "castellan"


class UsageError(ValueError):
    """Invalid arguments; the text says what would be valid."""


def parser_for(documentation: str | None) -> argparse.ArgumentParser:
    """A parser whose --help is the script's head comment: its first paragraph, the options, the rest."""
    summary, _, rest = (documentation or "").partition("\n\n")
    return argparse.ArgumentParser(description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter)


def add_engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine", type=program_path, default=str(DEFAULT_ENGINE), metavar="PROGRAM",
        help="default: target/release/castellan",
    )  # fmt: skip


def positive(text: str) -> int:
    """The type of arguments that count something."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got '{text}'")
    return int(text)


def even(text: str) -> int:
    if positive(text) % 2:
        raise argparse.ArgumentTypeError(f"expected an even number, as each opening is played with both colors, got '{text}'")
    return int(text)


def program_path(program: str) -> str:
    """A path becomes absolute, so that it stays valid in other folders; a bare name is looked up in PATH."""
    return os.path.abspath(program) if os.sep in program else program


def replace_text(path: Path, text: str) -> None:
    """Writes a new file and renames it, so that an interruption or a full disk leaves the old or the new text."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text)
    os.replace(new, path)
