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

PROGRAM = StdioServerParameters(command=sys.executable, args=["-m", "castellan.mcp"])


def answer(tool: str, **arguments: Any) -> tuple[bool, str]:
    """Whether the call failed, and the text."""

    async def run() -> tuple[bool, str]:
        async with Client(server) as client:
            result = await client.call_tool(tool, arguments)
            return bool(result.is_error), result.content[0].text  # type: ignore[union-attr]

    return asyncio.run(run())


def call(tool: str, **arguments: Any) -> Any:
    failed, text = answer(tool, **arguments)
    assert not failed, text
    return json.loads(text)


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
        async with Client(stdio_client(PROGRAM)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert asyncio.run(names()) == {"legality", "position", "castling", "analyze", "best_line", "annotate_game"}


def test_refusals_reach_the_client() -> None:
    for tool, arguments, reason in (
        ("position", {"fen": "8/8/8 w"}, "expected 8 ranks"),
        ("analyze", {"moves": ["e2e5"]}, "e5"),
        ("best_line", {"fen": "4k3/8/8/8/8/8/8/4K3 x"}, "expected 'w' or 'b'"),
        ("annotate_game", {"pgn": "1. Nf3 Nf6 2. Ng1 Ng8 " * 300}, "the game has 1200 plies; at most 1000"),
    ):
        failed, text = answer(tool, **arguments)
        assert failed
        assert reason in text


def test_no_request_waits_for_another_or_for_one_that_was_cancelled() -> None:
    """Thirty seconds of analysis are cancelled once a short one has been answered, and the program ends with its input."""

    async def run() -> float:
        loop = asyncio.get_running_loop()
        started = loop.time()
        async with Client(stdio_client(PROGRAM)) as client:
            long = [asyncio.create_task(client.call_tool("analyze", {"seconds": 30})) for _ in range(2)]
            assert not (await client.call_tool("analyze", {"seconds": 0.05})).is_error
            assert not any(task.done() for task in long)
            long[0].cancel()
            with pytest.raises(asyncio.CancelledError):
                await long[0]
            long[1].cancel()
        return loop.time() - started

    assert asyncio.run(run()) < 25
