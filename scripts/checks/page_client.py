"""Castellan Board and pages of it, for the checks `faults` and `messages`.

In `faults` two pages play games, whose moves the library must keep.
"""

from __future__ import annotations

import base64
import json
import os
import re
import select
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

TIMEOUT_S, START_S = 20, 2
# Said by the second page to the first, whatever fails.
EXPECTED_NOTE = "played on another page"


class Ended(Exception):
    """The server, its session or a request has failed, with a message."""


class Page:
    """The WebSocket of a page."""

    def __init__(self, port: int, token: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET /socket?token={token} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}",
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", "", "",
        )  # fmt: skip
        self.socket.sendall("\r\n".join(lines).encode())
        while line := self.file.readline().strip():
            if line.startswith(b"HTTP/") and b" 101 " not in line:
                raise Ended(f"the server answers {line!r}")
        self.notes: list[str] = []
        self.event()

    def request(self, mode: str, **request: object) -> Any:
        """Sends a request; returns the event that answers it."""
        self.send(json.dumps({"mode": mode, "request": request}).encode())
        while True:
            message = self.event()
            event = message["event"]
            if event["type"] == "note":
                self.notes.append(event["text"])
            elif event["type"] in ("error", "illegal", "failed", "not_started"):
                raise Ended(str(event))
            elif message["mode"] == mode and event["type"] != "started":
                return event

    def send(self, data: bytes) -> None:
        long = bytes([0xFF]) + len(data).to_bytes(8, "big")
        length = bytes([0x80 | len(data)]) if len(data) < 126 else long
        self.socket.sendall(b"\x81" + length + bytes(4) + data)

    def event(self) -> Any:
        head = self.file.read(2)
        if len(head) < 2:
            raise Ended("the server has closed the connection")
        length = head[1]
        if length >= 126:
            length = int.from_bytes(self.file.read(2 if length == 126 else 8), "big")
        data = self.file.read(length)
        if head[0] & 15 == 8:
            raise Ended(f"the server has closed the connection: {data[2:].decode()}")
        return json.loads(data)


class Server(subprocess.Popen[str]):
    """Castellan Board with its games in this folder."""

    def __init__(self, command: list[str], folder: Path) -> None:
        environment = {**os.environ, "XDG_STATE_HOME": str(folder), "RUST_BACKTRACE": "0"}
        pipe = subprocess.PIPE
        super().__init__(command, stdout=pipe, stderr=pipe, text=True, env=environment, start_new_session=True)

    def address(self) -> tuple[int, str]:
        assert self.stdout is not None
        line = self.stdout.readline() if select.select([self.stdout], [], [], START_S)[0] else ""
        address = re.search(r"127\.0\.0\.1:(\d+)/\?token=(\w+)", line)
        if not address:
            raise Ended("no address")
        return int(address[1]), address[2]

    def end(self) -> str:
        """Ends the server as Ctrl-C does; returns its messages."""
        os.killpg(self.pid, signal.SIGINT)
        try:
            return self.communicate(timeout=TIMEOUT_S)[1]
        except subprocess.TimeoutExpired:
            os.killpg(self.pid, signal.SIGKILL)
            raise


def drive(command: list[str], folder: Path, _text: str) -> tuple[int, str, str]:
    """Exit status, shown moves and messages; the games of the library, by their moves, are then the files of `out`."""
    shown: list[str] = []
    exported: list[str] = []
    pages: list[Page] = []
    problem = ""
    with Server(command, folder) as server:
        try:
            address = server.address()
            play(lambda: Page(*address), pages, shown, exported)
        except (Ended, OSError, ValueError) as error:
            problem = f"{error or type(error).__name__}\n"
        finally:
            for page in pages:
                page.socket.close()
            errors = server.end()
    (folder / "out").mkdir(exist_ok=True)
    for number, path in enumerate(sorted((folder / "castellan" / "games").glob("*[mn]"))):
        moves = re.findall(r"[a-hN][a-z]*\d(?= )|[a-d]\d\w-[a-d]\d\w", re.sub(r"\[.*\n", "", path.read_text()))
        (folder / "out" / str(number)).write_text("".join(f"kept {move}\n" for move in moves))
    notes = "".join(f"{note}\n" for page in pages for note in page.notes if EXPECTED_NOTE not in note)
    messages = errors + problem + notes
    output = [*(f"shown {move}\n" for move in shown), *(f"exported {move}\n" for move in exported)]
    return server.returncode or int(bool(messages)), "".join(output), messages


def play(connect: Any, pages: list[Page], shown: list[str], exported: list[str]) -> None:
    """One page begins a game, another continues it, the first plays on in a game of its own; all games are exported."""
    pages.append(first := connect())
    first.request("play", type="new", side="both")
    first.request("play", type="typed", text="e4")
    shown.append("e4")
    games = first.request("library", type="list")["games"]
    if not games:
        raise Ended("the game is not in the library")
    pages.append(second := connect())
    second.request("play", type="continue", id=games[0]["id"])
    for move in ("e5", "Nf3"):
        second.request("play", type="typed", text=move)
        shown.append(move)
    for move in ("c5", "Nc3"):
        first.request("play", type="typed", text=move)
        shown.append(move)
    first.request("tridim", type="new", side="both")
    for move in ("b2W-b4W", "b7B-b5N"):
        first.request("tridim", type="move", text=move)
        shown.append(move)
    text = first.request("library", type="export")["pgn"]
    exported += re.findall(r"\w+(?= \*)", text)
    # After what could not be exported.
    first.request("library", type="list")
