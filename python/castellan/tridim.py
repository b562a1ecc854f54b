"""Tri-Dimensional chess by Jens Meder's tournament rules."""

from ._castellan import TridimCastling as Castling
from ._castellan import TridimGame as Game
from ._castellan import TridimMove as Move
from ._castellan import TridimPosition as Position
from ._castellan import TridimSearch as Search

__all__ = ["Castling", "Game", "Move", "Position", "Search"]
