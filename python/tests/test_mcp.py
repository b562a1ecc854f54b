"""The tools for assistants, called by a client of the protocol."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest

pytest.importorskip("mcp")

from castellan.mcp import server

from mcp import Client, StdioServerParameters, stdio_client


def call(tool: str, **arguments: Any) -> Any:
    async def run() -> Any:
        async with Client(server) as client:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result
            return json.loads(result.content[0].text)  # type: ignore[union-attr]

    return asyncio.run(run())


CASTLE = "r3k2r/8/8/8/8/5q2/8/R3K2R w KQ - 0 1"


def test_legality_has_reasons() -> None:
    assert call("legality", move="O-O", fen=CASTLE) == {
        "legal": False,
        "reason": "cannot castle kingside: f1 is attacked by the queen on f3",
    }
    assert call("legality", move="g1f3", moves=["e4", "e5"])["san"] == "Nf3"
    assert call("castling", fen=CASTLE)["kingside"]["right"] == "fulfilled"
    assert "attacked" in call("castling", fen=CASTLE)["queenside"]["path_not_attacked"]


def test_positions_and_analysis() -> None:
    over = call("position", moves=["f3", "e5", "g4", "Qh4"])
    assert (over["legal_moves"], over["outcome"]) == ([], "Black wins by checkmate")
    lines = call("analyze", fen="6k1/5ppp/8/8/8/8/8/R3K3", seconds=0.05, lines=2)["lines"]
    assert (len(lines), lines[0]["score"]) == (2, "mate 1")
    assert call("best_line", fen="6k1/5ppp/8/8/8/8/8/R3K3", seconds=0.05)["moves"] == ["Ra8#"]
    annotated = call("annotate_game", pgn="1. f3 e5 2. g4 Qh4# *", seconds_per_move=0.05)
    assert annotated["white"]["blunders"] == 1
    assert "g4 $4" in annotated["pgn"]


def test_the_program_serves_on_standard_input() -> None:
    async def names() -> set[str]:
        program = StdioServerParameters(command=sys.executable, args=["-m", "castellan.mcp"])
        async with Client(stdio_client(program)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert asyncio.run(names()) == {"legality", "position", "castling", "analyze", "best_line", "annotate_game"}
