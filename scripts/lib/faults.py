"""The ways an engine can break the rules of the wire or of chess.

A fault is data, not an exception: a match goes on after one, counts it, prints it at the end and exits non-zero.
`EngineFault` is the exception a client raises when the search itself cannot be completed.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any


class FaultKind(str, enum.Enum):
    """Every kind that is counted, in the order the report prints them."""

    ILLEGAL_MOVE = "illegal move"
    ILLEGAL_PV = "illegal PV"
    CRASH = "crash"
    STALL = "stall"
    NO_BESTMOVE = "missing bestmove"
    STRAY_BESTMOVE = "unasked bestmove"
    TIME_LOSS = "time loss"


@dataclass(frozen=True)
class Fault:
    """One thing an engine did wrong, and where."""

    engine: str
    kind: FaultKind
    ply: int
    detail: str

    def to_json(self) -> dict[str, Any]:
        return {"engine": self.engine, "kind": self.kind.value, "ply": self.ply, "detail": self.detail}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Fault:
        return Fault(data["engine"], FaultKind(data["kind"]), data["ply"], data["detail"])


class EngineFault(Exception):
    """Raised by the client when an engine can give no (usable) answer."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(f"{kind.value}: {detail}")
        self.kind = kind
        self.detail = detail
