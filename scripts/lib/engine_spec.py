"""What a person says about an engine (`name=A cmd="./a --x" tc=4+0.04 option.Hash=16`), checked and as data.

Nothing here starts a process; `preflight` in uci_client.py holds a spec against what the program really offers.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .limits import Limit, LimitError

LIMIT_KEYS = ("tc", "movetime", "nodes", "depth")
OPTION_PREFIX = "option."


class SpecError(ValueError):
    """An engine description that cannot be understood; the text says what would be right."""


@dataclass(frozen=True)
class EngineSpec:
    """One player: how to start it, what to set, how long it may think."""

    name: str
    command: tuple[str, ...]
    limit: Limit
    directory: str | None = None
    options: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """For the results file: enough to refuse resuming a different match."""
        return {
            "name": self.name,
            "command": list(self.command),
            "directory": self.directory,
            "limit": self.limit.describe(),
            "options": dict(sorted(self.options.items())),
        }


@dataclass(frozen=True)
class EachOptions:
    """What `--each` said: options every engine gets that has them, and default limits."""

    options: dict[str, str]
    limits: dict[str, str]


def _split(words: Sequence[str], known: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
    keys: dict[str, str] = {}
    options: dict[str, str] = {}
    for word in words:
        key, separator, value = word.partition("=")
        if not separator:
            raise SpecError(f"'{word}' is not key=value; the keys are {', '.join(known)} and {OPTION_PREFIX}NAME")
        if key.startswith(OPTION_PREFIX) and len(key) > len(OPTION_PREFIX):
            options[key[len(OPTION_PREFIX) :]] = value
        elif key in known:
            keys[key] = value
        else:
            raise SpecError(f"unknown key '{key}'; the keys are {', '.join(known)} and {OPTION_PREFIX}NAME")
    return keys, options


def parse_each(words: Sequence[str]) -> EachOptions:
    keys, options = _split(words, LIMIT_KEYS)
    return EachOptions(options, keys)


def parse_engine(words: Sequence[str], default_limits: dict[str, str]) -> EngineSpec:
    """Reads one `--engine`. An engine that names any limit of its own takes none of the defaults."""
    keys, options = _split(words, ("name", "cmd", "dir", *LIMIT_KEYS))
    if "cmd" not in keys:
        raise SpecError("an engine needs cmd=PROGRAM")
    command = tuple(shlex.split(keys["cmd"]))
    if not command:
        raise SpecError("cmd= is empty: it must name a program")
    own_limits = {key: keys[key] for key in LIMIT_KEYS if key in keys}
    limits = own_limits or default_limits
    name = keys.get("name", command[0].rsplit("/", 1)[-1])
    try:
        limit = Limit.parse(**limits)
    except LimitError as error:
        raise SpecError(f"engine '{name}': {error}") from None
    return EngineSpec(name, command, limit, keys.get("dir"), options)
