"""The thread that takes the positions of a batch: a queue or a pipe may have none for long.

It is Python's own, since the interpreter ends a daemon thread wherever it waits, also in an iterator that Rust had called.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator


def start(
    wanted: Callable[[], Iterator[object] | None],
    take: Callable[[object], bool],
    end: Callable[[BaseException | None], None],
) -> None:
    def read(*_stdin: object) -> None:
        while (positions := wanted()) is not None:
            try:
                if not any(map(take, positions)):
                    end(None)
            except BaseException as error:
                end(error)
            # While it waits it keeps no object of the caller alive.
            del positions

    # At exit Python aborts if it closes sys.stdin while a thread reads from it: the thread keeps it alive.
    stdin = (sys.stdin, sys.__stdin__)
    threading.Thread(target=read, args=stdin, name="castellan input", daemon=True).start()
