#!/usr/bin/env python3
"""Compares the program with independent implementations, mostly python-chess.

    scripts/crosscheck.py moves --positions 20000
    scripts/crosscheck.py tablebases --tables FOLDER

The subcommands check the rules (moves, reasons, rights, tridim), UCI sessions (sessions), books (book), annotated games and the
judgment of their moves (annotate), its play with endgame tables (tablebases), the growth of its parsers' work
(work), what it makes of failing system calls (faults) and of random messages (messages), and its WebAssembly build (wasm).
`scripts/crosscheck.py SUBCOMMAND --help` has the details.
Exit status: 0 no difference, 1 differences (printed), 2 the check could not be run.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import subprocess
import sys

import checks
from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, add_engine, parser_for

SHOWN_DIFFERENCES = 20


def main(words: list[str] | None = None) -> int:
    top = parser_for(__doc__)
    subparsers = top.add_subparsers(required=True, metavar="SUBCOMMAND")
    for name in sorted(module.name for module in pkgutil.iter_modules(checks.__path__)):
        module = importlib.import_module(f"checks.{name}")
        if not hasattr(module, "check"):
            continue
        summary, _, rest = str(module.__doc__).partition("\n\n")
        parser = subparsers.add_parser(
            name, help=summary, description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        add_engine(parser)
        module.add_arguments(parser)
        parser.set_defaults(check=module.check, name=name)
    arguments = top.parse_args(words)
    # Errors of chess.engine and of checks.common are RuntimeErrors.
    try:
        result = arguments.check(arguments)
    except (RuntimeError, OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
        print(f"crosscheck {arguments.name}: {arguments.engine}: {error or type(error).__name__}", file=sys.stderr)
        return EXIT_USAGE
    for difference in result.differences[:SHOWN_DIFFERENCES]:
        print(difference)
    print("\n".join(result.summary()))
    return EXIT_FAULTS if result.differences else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
