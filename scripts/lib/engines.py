"""An engine as the command line describes it (`name=A cmd="./a --x" tc=4+0.04 option.Hash=16`): parsed and checked."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import chess.engine

from .cli import UsageError

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
LONGEST_S = 1e7
LIMIT_KEYS = ("tc", "movetime", "nodes", "depth")
OPTION_PREFIX = "option."


@dataclass(frozen=True)
class Limit:
    """One side's search limits; None means unlimited. Times are whole nanoseconds, so that no rounding favors an engine."""

    base_ns: int | None = None
    increment_ns: int = 0
    moves_per_session: int | None = None
    movetime_ns: int | None = None
    nodes: int | None = None
    depth: int | None = None

    @staticmethod
    def parse(tc: str | None = None, movetime: str | None = None, nodes: str | None = None, depth: str | None = None) -> Limit:
        """Nodes and depth may accompany a clock; a movetime may not."""
        base = moves = None
        increment = 0
        if tc is not None:
            if movetime is not None:
                raise UsageError("a clock (tc) and a fixed time per move (movetime) exclude each other")
            session, separator, rest = tc.rpartition("/")
            moves = _positive(session, "moves in a time control") if separator else None
            time, separator, bonus = rest.partition("+")
            base = _nanoseconds(time, tc)
            increment = _nanoseconds(bonus, tc) if separator else 0
            if base == 0:
                raise UsageError(f"invalid time control '{tc}': the starting time must be positive")
        fixed = None if movetime is None else _nanoseconds(movetime, movetime)
        if fixed == 0:
            raise UsageError("movetime must be positive (in seconds, e.g. 0.1)")
        counts = [None if text is None else _positive(text, name) for text, name in ((nodes, "nodes"), (depth, "depth"))]
        limit = Limit(base, increment, moves, fixed, *counts)
        if limit == Limit():
            raise UsageError("no limit; expected tc, movetime, nodes or depth")
        return limit

    def describe(self) -> str:
        """Short text for tags and reports: `4+0.04`, `40/60`, `nodes 10000`."""
        parts = [] if self.base_ns is None else [self.time_control()]
        if self.movetime_ns is not None:
            parts.append(f"{self.movetime_ns / NS_PER_S:g} s/move")
        parts += [f"{name} {count}" for name, count in (("nodes", self.nodes), ("depth", self.depth)) if count]
        return ", ".join(parts)

    def time_control(self) -> str:
        """As in the PGN tag TimeControl: `4+0.04`, `40/60`, or `-` without a clock."""
        if self.base_ns is None:
            return "-"
        session = f"{self.moves_per_session}/" if self.moves_per_session else ""
        bonus = f"+{self.increment_ns / NS_PER_S:g}" if self.increment_ns else ""
        return f"{session}{self.base_ns / NS_PER_S:g}{bonus}"


def _nanoseconds(text: str, whole: str) -> int:
    minutes, separator, seconds = text.rpartition(":")
    try:
        value = float(seconds) + (60 * int(minutes) if separator else 0)
    except ValueError:
        raise UsageError(f"invalid time control '{whole}'; expected [moves/]time[+increment], e.g. 4+0.04") from None
    if not 0 <= value < LONGEST_S:
        raise UsageError(f"invalid time control '{whole}'; times must be from 0 to {LONGEST_S:.0f} seconds")
    return round(value * NS_PER_S)


def _positive(text: str, what: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"{what} must be a whole number of at least 1, not '{text}'")
    return int(text)


@dataclass(frozen=True)
class EngineSpec:
    """One player: the command, the UCI options, the limits."""

    name: str
    command: tuple[str, ...]
    limit: Limit
    directory: str | None = None
    options: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """For the results file, to recognize another match."""
        return {
            "name": self.name,
            "command": list(self.command),
            "directory": self.directory,
            "limit": self.limit.describe(),
            "options": dict(sorted(self.options.items())),
        }


@dataclass(frozen=True)
class EachOptions:
    """What `--each` sets: options for every engine that has them, and default limits."""

    options: dict[str, str]
    limits: dict[str, str] = field(default_factory=dict)


def parse_each(words: Sequence[str]) -> EachOptions:
    keys, options = _split(words, LIMIT_KEYS)
    return EachOptions(options, keys)


def parse_engine(words: Sequence[str], default_limits: dict[str, str]) -> EngineSpec:
    """Parses one `--engine`. An engine with a limit of its own gets none of the defaults."""
    keys, options = _split(words, ("name", "cmd", "dir", *LIMIT_KEYS))
    command = tuple(shlex.split(keys.get("cmd", "")))
    if not command:
        raise UsageError("--engine needs cmd=PROGRAM")
    name = keys.get("name", command[0].rsplit("/", 1)[-1])
    try:
        limit = Limit.parse(**({key: keys[key] for key in LIMIT_KEYS if key in keys} or default_limits))
    except UsageError as error:
        raise UsageError(f"engine '{name}': {error}") from None
    return EngineSpec(name, command, limit, keys.get("dir"), options)


def _split(words: Sequence[str], known: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
    keys: dict[str, str] = {}
    options: dict[str, str] = {}
    for word in words:
        key, separator, value = word.partition("=")
        if separator and key.startswith(OPTION_PREFIX) and len(key) > len(OPTION_PREFIX):
            options[key.removeprefix(OPTION_PREFIX)] = value
        elif separator and key in known:
            keys[key] = value
        else:
            raise UsageError(f"invalid '{word}'; expected KEY=VALUE with one of {', '.join(known)}, {OPTION_PREFIX}NAME")
    return keys, options


def preflight(spec: EngineSpec, each: EachOptions, required: dict[str, str]) -> tuple[EngineSpec, list[str]]:
    """Starts the engine once and checks the options against those it has.

    An option of its own or a required one that it lacks is an error (a typo would silently play another match); one of `each`
    is left out with a warning. Returns the spec to play with, and the warnings.
    """
    available = options_of(spec)
    warnings: list[str] = []
    final: dict[str, str] = {}
    own = {**spec.options, **required}
    for name, value in {**each.options, **own}.items():
        option = available.get(name)
        if option is None and name in own:
            raise UsageError(f"engine '{spec.name}' has no option '{name}'; it has: {', '.join(sorted(available)) or 'none'}")
        if option is None:
            warnings.append(f"engine '{spec.name}' has no option '{name}'; left out")
            continue
        try:
            option.parse(value)
        except chess.engine.EngineError as error:
            raise UsageError(f"engine '{spec.name}': {error}") from None
        final[option.name] = value
    return replace(spec, options=final), warnings


def options_of(spec: EngineSpec) -> Mapping[str, chess.engine.Option]:
    """The options that the program has; names in any case."""
    try:
        with chess.engine.SimpleEngine.popen_uci(list(spec.command), cwd=spec.directory) as engine:
            return engine.options
    except (OSError, TimeoutError, chess.engine.EngineError) as error:
        raise UsageError(f"engine '{spec.name}' does not start: {error or type(error).__name__}") from None
