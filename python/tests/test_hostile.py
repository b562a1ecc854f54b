"""Anything given to anything: an error or an answer, and never a panic, a crash or a wait without end."""

from __future__ import annotations

import faulthandler
import inspect
import math
import random
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import castellan as c

import pytest


class Liar:
    """Answers with what no caller expects, and changes the dict that it is in."""

    def __init__(self) -> None:
        self.within: dict[Any, Any] = {"Hash": self}

    def __str__(self) -> str:
        self.within[len(self.within)] = self
        return "1"

    def __index__(self) -> int:
        return 2**70

    def __len__(self) -> int:
        return 2**62

    def __iter__(self) -> Iterator[Any]:
        raise SystemExit

    def __fspath__(self) -> str:
        return "\0"


START = c.Position().fen()
PLAIN: list[Any] = [
    None, True, 0, 1, 2, -1, 63, 64, 2**31, 2**63, 2**64, -(2**63), 0.5, 1e308, math.nan, math.inf,
    "", "x", "e4", "e2", "e2e4", "white", "knight", "Hash", "1-0", "fifty_moves", START, "1. e4 e5 *", "\0", "\ud800",
    "♔" * 1000, "k" * 100_000, b"", b"\xff", object(), len, ValueError,
]  # fmt: skip
CHANGEABLE: list[Callable[[], Any]] = [
    list, dict, lambda: [1], lambda: ["e4"], lambda: {"Hash": 1}, lambda: {1: 2}, lambda: iter(["e4"]),
]  # fmt: skip
OBJECTS: list[Callable[[], Any]] = [
    Liar, lambda: Liar().within, c.Position, c.Game, lambda: c.Move("e2e4"), lambda: c.Record("1. e4 *"),
    lambda: c.Engine(hash=1), lambda: c.Engine(hash=1).analyse(START, depth=1), lambda: c.Engine(hash=1).search(START, depth=1),
    lambda: c.analyze([START], depth=1),
]  # fmt: skip


def value(rng: random.Random) -> Any:
    return rng.choice(PLAIN) if rng.random() < 0.6 else rng.choice(CHANGEABLE + OBJECTS)()


class Interrupted(Exception):
    """By the timer, as by Ctrl-C."""


def interrupt(*_: object) -> None:
    raise Interrupted


def calls(rng: random.Random) -> Iterator[tuple[str, Callable[[], object]]]:
    """A function, a class or an attribute of an object, with random arguments."""
    public = [getattr(c, name) for name in c.__all__]
    while True:
        thing: Any = rng.choice(public)
        if rng.random() < 0.7:
            owner = rng.choice(OBJECTS)()
            name = rng.choice(
                [name for name in dir(owner) if name not in ("__class__", "__init_subclass__", "__subclasshook__")]
            )
            try:
                thing = getattr(owner, name)
            except Exception as error:
                check(error, name)
                continue
        if not callable(thing):
            continue
        try:
            names = [name for name, one in inspect.signature(thing).parameters.items() if one.kind != one.POSITIONAL_ONLY]
        except (TypeError, ValueError):
            names = []
        given = [value(rng) for _ in range(rng.randint(0, 3))]
        named = {name: value(rng) for name in names if rng.random() < 0.3}
        yield f"{thing!r:.80} {given!r:.200} {named!r:.200}", partial(thing, *given, **named)


def check(error: Exception, name: str) -> None:
    assert not isinstance(error, SystemError), name
    assert "internal" not in str(error), name


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_anything_given_to_anything(positions: int, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = signal.signal(signal.SIGALRM, interrupt)
    for (name, call), _ in zip(calls(random.Random(seed)), range(positions // 10), strict=False):
        faulthandler.dump_traceback_later(30, exit=True)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            call()
        except (Interrupted, SystemExit):
            pass
        except Exception as error:
            check(error, name)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    faulthandler.cancel_dump_traceback_later()
    signal.signal(signal.SIGALRM, before)
