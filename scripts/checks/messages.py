"""Sends a session of Castellan Board random messages, and checks that it answers, ends no connection and does not panic.

The messages are requests of the page with parts exchanged, left out, or replaced by what no page sends.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import random
import tempfile
from pathlib import Path
from typing import Any

from .common import Result, add_random_games
from .page_client import Ended, Page, Server

FEN = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8"
PGN = '[White "A"]\n\n1. e4 {[%eval 0.3]} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\n'
# A request of each kind in each mode; `0` and such are replaced like everything else.
REQUESTS: dict[str, list[dict[str, Any]]] = {
    "play": [
        {"type": "state"}, {"type": "new", "side": "both", "start": {"kind": "fen", "fen": FEN}, "clock": "5+3"},
        {"type": "new", "side": "black", "elo": 1000, "start": {"kind": "chess960", "number": 5}, "move_time": 50},
        {"type": "new", "side": "both", "start": {"kind": "dfrc", "white": 1, "black": None}},
        {"type": "restore", "saved": {"actions": ["move e2e4"], "settings": {}, "id": "2026-1"}},
        {"type": "pause"}, {"type": "resume"}, {"type": "rematch"}, {"type": "continue", "id": "2026-1"}, {"type": "review"},
        {"type": "move", "text": "e4"}, {"type": "move", "text": "e1g1"},
        {"type": "premove", "from": "e7", "to": "e5"}, {"type": "cancel_premove"}, {"type": "move_now"}, {"type": "takeback"},
        {"type": "redo"}, {"type": "resign"}, {"type": "offer_draw"}, {"type": "claim_draw"},
        {"type": "claim_draw_with", "text": "e2e4"}, {"type": "hint"},
    ],
    "analysis": [
        {"type": "restore", "pgn": PGN, "path": [0, 1], "id": None}, {"type": "new"},
        {"type": "load_pgn", "text": PGN * 2, "id": None}, {"type": "choose", "game": 1},
        {"type": "load_fen", "fen": FEN}, {"type": "go", "node": 1},
        {"type": "move", "text": "e2e4"}, {"type": "line", "moves": ["e2e4", "e7e5"]}, {"type": "preview", "moves": ["e2e4"]},
        {"type": "move", "text": "O-O"}, {"type": "delete", "node": 1},
        {"type": "promote", "node": 2},
        {"type": "comment", "node": 1, "text": "x"}, {"type": "symbols", "node": 1, "nags": [1, 16]},
        {"type": "shapes", "node": 1, "shapes": []}, {"type": "keep"},
        {"type": "keep_choices"}, {"type": "own_games", "on": True}, {"type": "tags", "tags": [["White", "x"]]},
        {"type": "undo"}, {"type": "redo"}, {"type": "engine", "on": True, "lines": 2}, {"type": "annotate", "nodes": 10},
        {"type": "cancel_annotation"}, {"type": "annotate_kept"}, {"type": "delete_kept"},
    ],
    "training": [
        {"type": "next"}, {"type": "move", "text": "e2e4"}, {"type": "move", "text": "e2e5"},
        {"type": "solve"}, {"type": "annotate", "nodes": 400_000},
        {"type": "cancel_annotation"},
    ],
    "castling": [{"type": "inspect", "fen": FEN, "chess960": True, "moves": ["e2e4"]}],
    "tridim": [
        {"type": "new", "side": "both", "position": None, "rotation": True}, {"type": "limit", "limit": {"depth": 1}},
        {"type": "move", "text": "b2W-b4W"}, {"type": "typed", "text": "b4"}, {"type": "hint"}, {"type": "release"},
        {"type": "go"}, {"type": "stop"}, {"type": "undo"}, {"type": "redo"}, {"type": "claim"}, {"type": "resign"},
        {"type": "restore", "saved": ["side both", "move b2W-b4W"], "limit": {"seconds": 0.1}, "id": None},
    ],
    "editor": [{"type": "check", "fen": FEN, "chess960": False}],
    "engine": [{"options": [["Threads", "1"], ["Hash", "1"]]}],
    "library": [
        {"type": "list"}, {"type": "open", "id": "2026-1"}, {"type": "export"}, {"type": "delete", "ids": ["2026-1"]},
        {"type": "names", "names": {"own": "A", "lichess": "", "chess_com": ""}},
    ],
}  # fmt: skip
VALUES: list[Any] = [
    None, True, -1, 0, 1, 63, 64, 255, 65536, 2**31, 2**63, 2**64, 1e308, 0.5, "", "x", "a1", "e1g1", "0000", FEN, PGN,
    "♔" * 300, "k" * 5000, "\x00", "../../x", [], {}, [[]] * 50, ["move e2e4"] * 300, [2**63] * 20, {"type": "new"},
    {"depth": 2**40},
]  # fmt: skip
# The messages between two that are waited for: fewer than may wait.
BATCH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_random_games(parser, "--messages", 5000)


def changed(rng: random.Random, value: Any) -> Any:
    """The value with some parts exchanged or left out."""
    if rng.random() < 0.06:
        return copy.deepcopy(rng.choice(VALUES))
    if isinstance(value, dict):
        kept = {name: changed(rng, part) if name != "type" else part for name, part in value.items()}
        if kept and rng.random() < 0.1:
            kept.pop(rng.choice(list(kept)))
        return kept
    if isinstance(value, list):
        return [changed(rng, part) for part in value] * rng.choice((1, 1, 1, 2))
    if isinstance(value, str) and value and rng.random() < 0.3:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice(("", " ", "x", "8", "/", "\n", "{", "(")) + value[at + rng.randint(0, 2) :]
    return value


def message(rng: random.Random) -> bytes:
    mode = rng.choice(list(REQUESTS))
    request = changed(rng, rng.choice(REQUESTS[mode]))
    if rng.random() < 0.05:
        return json.dumps({"mode": rng.choice(VALUES), "request": request}).encode()
    if rng.random() < 0.1:
        return json.dumps({"mode": "show", "request": rng.choice(list(REQUESTS))}).encode()
    return json.dumps({"mode": mode, "request": request}).encode()


def check(arguments: argparse.Namespace) -> Result:
    rng, result = random.Random(arguments.seed), Result()
    program = os.path.join(os.path.dirname(arguments.engine), "castellan-board")
    last: list[bytes] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        Server([program, "--no-browser", "--port", "0", "--hash", "1"], Path(folder)) as server,
    ):
        try:
            page = Page(*server.address())
            while result.compared["messages"] < arguments.messages:
                last = [message(rng) for _ in range(BATCH)]
                for one in last:
                    page.send(one)
                # An unknown mode, whose error names it.
                mark = f"mark {result.compared['messages']}"
                page.send(json.dumps({"mode": mark}).encode())
                while mark not in str(event := page.event()):
                    result.cases[event["mode"] + (" error" if "error" in str(event["event"].get("type")) else "")] += 1
                    if "please report" in str(event):
                        raise Ended(str(event))
                result.compared["messages"] += BATCH
        except (Ended, OSError, ValueError) as error:
            result.differences.append(f"{error or type(error).__name__} after one of {last!r:.3000}")
        errors = server.end()
    if errors:
        result.differences.append(errors)
    return result
