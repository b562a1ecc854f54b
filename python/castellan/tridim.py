"""Tri-Dimensional chess by Jens Meder's tournament rules."""

from ._castellan import TridimPosition as Position

__all__ = ["Position"]
