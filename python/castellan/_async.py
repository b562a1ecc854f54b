"""Analyses in programs with asyncio: what waits does so in a thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._castellan import Analysis, Info, SearchResult


async def next_info(analysis: Analysis) -> Info:
    try:
        info = await asyncio.to_thread(next, analysis, None)
    except asyncio.CancelledError:
        analysis.stop()
        raise
    if info is None:
        raise StopAsyncIteration
    return info


async def result(analysis: Analysis) -> SearchResult:
    try:
        return await asyncio.to_thread(analysis.result)
    except asyncio.CancelledError:
        analysis.stop()
        raise
