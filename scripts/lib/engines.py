"""An engine as the command line describes it (`name=A cmd="./a --x" tc=4+0.04 option.Hash=16`): parsed and checked."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import chess.engine

from .cli import UsageError

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
LONGEST_S = 1e7
LIMIT_KEYS = ("tc", "nodes")
OPTION_PREFIX = "option."


@dataclass(frozen=True)
class Limit:
    """One side's search limits; None means unlimited. Times are whole nanoseconds, so that no rounding favors an engine."""

    base_ns: int | None = None
    increment_ns: int = 0
    nodes: int | None = None

    @staticmethod
    def parse(tc: str | None = None, nodes: str | None = None) -> Limit:
        """`tc` is TIME[+INCREMENT] in seconds; nodes may accompany it."""
        if tc is None and nodes is None:
            raise UsageError("no limit; expected tc or nodes")
        if nodes is not None and (not nodes.isdecimal() or int(nodes) < 1):
            raise UsageError(f"nodes must be a whole number of at least 1, not '{nodes}'")
        base, increment = None, 0
        if tc is not None:
            time, separator, bonus = tc.partition("+")
            base, increment = _nanoseconds(time, tc), _nanoseconds(bonus, tc) if separator else 0
            if base == 0:
                raise UsageError(f"invalid time control '{tc}': the starting time must be positive")
        return Limit(base, increment, int(nodes) if nodes else None)

    def time_control(self) -> str:
        """As in the PGN tag TimeControl: `4+0.04`, or `-` without a clock."""
        if self.base_ns is None:
            return "-"
        return f"{self.base_ns / NS_PER_S:g}" + (f"+{self.increment_ns / NS_PER_S:g}" if self.increment_ns else "")


def _nanoseconds(text: str, whole: str) -> int:
    try:
        value = float(text)
    except ValueError:
        raise UsageError(f"invalid time control '{whole}'; expected TIME[+INCREMENT] in seconds, e.g. 4+0.04") from None
    if not 0 <= value < LONGEST_S:
        raise UsageError(f"invalid time control '{whole}'; times must be from 0 to {LONGEST_S:.0f} seconds")
    return round(value * NS_PER_S)


@dataclass(frozen=True)
class EngineSpec:
    """One player: the command, the UCI options, the limits."""

    name: str
    command: tuple[str, ...]
    limit: Limit
    options: dict[str, str] = field(default_factory=dict)


def parse_engine(words: Sequence[str], each: Sequence[str] = ()) -> EngineSpec:
    """Parses one `--engine` with the defaults of `--each`. An engine with a limit of its own gets none of the default ones."""
    default_limits, default_options = split_words(each, LIMIT_KEYS)
    keys, options = split_words(words, ("name", "cmd", *LIMIT_KEYS))
    command = tuple(shlex.split(keys.get("cmd", "")))
    if not command:
        raise UsageError("--engine needs cmd=PROGRAM")
    name = keys.get("name", command[0].rsplit("/", 1)[-1])
    try:
        limit = Limit.parse(**({key: keys[key] for key in LIMIT_KEYS if key in keys} or default_limits))
    except UsageError as error:
        raise UsageError(f"engine '{name}': {error}") from None
    return EngineSpec(name, command, limit, default_options | options)


def split_words(words: Sequence[str], known: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """The KEY=VALUE words, and the options among them."""
    keys: dict[str, str] = {}
    options: dict[str, str] = {}
    for word in words:
        key, separator, value = word.partition("=")
        if separator and key.startswith(OPTION_PREFIX) and len(key) > len(OPTION_PREFIX):
            options[key.removeprefix(OPTION_PREFIX)] = value
        elif separator and key in known:
            keys[key] = value
        else:
            raise UsageError(f"invalid '{word}'; expected KEY=VALUE with one of {', '.join([*known, OPTION_PREFIX])}NAME")
    return keys, options


def checked(spec: EngineSpec) -> EngineSpec:
    """Starts the engine once and checks the options against those it has: a typo would silently play another match."""
    available = options_of(spec)
    options: dict[str, str] = {}
    for name, value in spec.options.items():
        option = available.get(name)
        if option is None:
            raise UsageError(f"engine '{spec.name}' has no option '{name}'; it has: {', '.join(sorted(available)) or 'none'}")
        try:
            option.parse(value)
        except chess.engine.EngineError as error:
            raise UsageError(f"engine '{spec.name}': {error}") from None
        options[option.name] = value
    return replace(spec, options=options)


def options_of(spec: EngineSpec) -> Mapping[str, chess.engine.Option]:
    """The options that the program has; names in any case."""
    try:
        with chess.engine.SimpleEngine.popen_uci(list(spec.command)) as engine:
            return engine.options
    except (OSError, TimeoutError, chess.engine.EngineError) as error:
        raise UsageError(f"engine '{spec.name}' does not start: {error or type(error).__name__}") from None
