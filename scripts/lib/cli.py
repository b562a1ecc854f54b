"""What the command lines of the scripts have in common: exit statuses and small readings of arguments."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from .engine_spec import SpecError

EXIT_OK, EXIT_FAULTS, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130


class UsageError(ValueError):
    """The command line asks for something that cannot be done; the text says what could."""


def parser_for(documentation: str | None) -> argparse.ArgumentParser:
    """A parser whose --help is the script's own head comment: its first line, the options, the rest."""
    summary, _, rest = (documentation or "").partition("\n\n")
    return argparse.ArgumentParser(
        description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def name_values(texts: Sequence[str]) -> dict[str, str]:
    """`NAME=VALUE` options of one engine."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name:
            raise SpecError(f"--option '{text}' is not NAME=VALUE")
        pairs[name] = value
    return pairs


def program_path(program: str) -> str:
    """A path stays right wherever the engine is started from; a bare name is looked up in PATH."""
    return os.path.abspath(program) if os.sep in program else program


def check_match_size(games: int, concurrency: int, resume: bool, results: str | None) -> None:
    if games < 2 or games % 2:
        raise UsageError(f"--games {games}: an even number, as each opening is played with both colours")
    if concurrency < 1:
        raise UsageError("--concurrency must be at least 1")
    if resume and results is None:
        raise UsageError("--resume needs the --results file of the match to go on with")


def exit_status(faults: bool, interrupted: bool) -> int:
    """A fault matters more than an interruption: it must not be missed."""
    return EXIT_FAULTS if faults else EXIT_INTERRUPTED if interrupted else EXIT_OK
