"""The reasons for which something is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._castellan import Record


class CastellanError(ValueError):
    """A refusal: the message, and what it is made of.

    >>> import castellan
    >>> try:
    ...     castellan.Position("4k3/8/8/8/8/8/8/4K3 x")
    ... except castellan.CastellanError as error:
    ...     print(error.column, error)
    21 invalid FEN side to move 'x': expected 'w' or 'b'
    """

    reason: str
    """The reason alone, without what was refused."""
    column: int | None
    """The column of the fault in the text, from 1, where there is one."""
    line: int | None
    """The line of the fault in the file, from 1, where there is one."""

    def __init__(self, message: str, reason: str | None = None, column: int | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.reason = message if reason is None else reason
        self.column = column
        self.line = line


class FenError(CastellanError):
    """A text is not the FEN of a legal position."""


class MoveError(CastellanError):
    """A text is not a move, or the move is illegal."""


class ClaimError(CastellanError):
    """A draw cannot be claimed, or the game is over."""


class PgnError(CastellanError):
    """A game of a PGN file is invalid."""

    record: Record | None = None
    """The game up to an illegal move, where there is one."""


class OptionError(CastellanError):
    """A value or a file that the engine cannot use."""
