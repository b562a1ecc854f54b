"""How far a match is, on stderr: a bar on a terminal, a plain line now and then in a log."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from tqdm import tqdm

PLAIN_LINE_EVERY_S = 60.0


class Progress:
    """Counts finished games of `total`."""

    def __init__(self, total: int, done: int) -> None:
        self._total = total
        self._done = done
        self._bar = tqdm(total=total, initial=done, unit="game", dynamic_ncols=True) if sys.stderr.isatty() else None
        self._last_line = time.monotonic()

    def finished(self, status: str) -> None:
        self._done += 1
        if self._bar is not None:
            self._bar.set_postfix_str(status, refresh=False)
            self._bar.update()
        elif time.monotonic() - self._last_line >= PLAIN_LINE_EVERY_S:
            self._last_line = time.monotonic()
            print(f"{self._done} of {self._total} games  {status}", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
