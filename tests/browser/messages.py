"""The messages between the pages and the programs, for the compiler of web/ to compare with the types in web/messages.js."""

from __future__ import annotations

import copy
import json
import re
from collections import defaultdict
from functools import reduce
from pathlib import Path
from typing import Any

from playwright.sync_api import WebSocket

LONGEST_TEXT = 40
HEAD = """export {};
/** @import * as types from "../../web/messages.js" */
/** @typedef {keyof types.Requests} Mode */
/** @typedef {{ [Name in Mode]: { mode: Name, request: types.Requests[Name] } }[Mode]} PageRequest */
"""


class Messages:
    """One message of each shape, by the name of their type."""

    def __init__(self) -> None:
        self.seen: dict[str, dict[str, Any]] = defaultdict(dict)

    def add(self, kind: str, message: Any) -> None:
        message = shortened(message)
        self.seen[kind].setdefault(shape(message), message)

    def follow(self, socket: WebSocket) -> None:
        """Adds all that is sent, with the states of games made whole."""
        states: dict[str, Any] = {}

        def receive(text: str | bytes) -> None:
            message = json.loads(text)
            self.add("types.ServerMessage", message)
            mode = message["mode"]
            event = changed(states[mode], message["changes"]) if "changes" in message else message["event"]
            if event.get("type") == "game":
                states[mode] = event
                self.add("types.ServerEvent", {"mode": mode, "event": event})

        socket.on("framereceived", receive)
        socket.on("framesent", lambda text: self.add("PageRequest", json.loads(text)))

    def write(self, path: Path) -> None:
        parts = [HEAD]
        for number, (kind, messages) in enumerate(self.seen.items()):
            values = ",\n".join(map(json.dumps, messages.values()))
            parts.append(f"/** @type {{{kind}[]}} */\nexport const list{number} = [\n{values}\n];\n")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(parts))


def changed(state: Any, changes: list[Any]) -> Any:
    """A state after what the server says has changed."""
    holder: dict[Any, Any] = {"state": copy.deepcopy(state)}
    for path, *change in changes:
        keys = ["state", *path]
        part, last = reduce(dict.__getitem__, keys[:-1], holder), keys[-1]
        match change:
            case [value]:
                part[last] = value
            case [keep, str(rest)]:
                part[last] = part[last].encode("utf-16-le")[: 2 * keep].decode("utf-16-le") + rest
            case [keep, rest]:
                part[last] = part[last][:keep] + rest
    return holder["state"]


def shortened(value: Any) -> Any:
    """With short texts, and one object of each shape in every longer list."""
    match value:
        case str():
            return value[:LONGEST_TEXT]
        case list():
            return list({shape(part): part for part in map(shortened, value)}.values()) if is_objects(value) else value
        case dict():
            return {key: shortened(part) for key, part in value.items()}
    return value


def is_objects(value: list[Any]) -> bool:
    return len(value) > 2 and all(isinstance(part, dict) for part in value)


def shape(value: Any) -> str:
    """The keys of objects, the types of values, and words that may be constants."""
    match value:
        case str():
            return value if re.fullmatch("[a-z_]{3,}", value) else "text"
        case list():
            return f"[{' '.join(sorted(set(map(shape, value))))}]"
        case dict():
            return "{" + ", ".join(f"{key}: {shape(part)}" for key, part in value.items()) + "}"
    return type(value).__name__
