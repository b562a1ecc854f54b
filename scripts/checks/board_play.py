"""The mode play of Castellan Board."""

from __future__ import annotations

from .board import Scene

SCENES: dict[str, Scene] = {}
