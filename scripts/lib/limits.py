"""How long an engine may think: what `--tc`, `--movetime`, `--nodes` and `--depth` mean, and the clock that enforces it.

Times are whole nanoseconds inside, so that no rounding ever favours or hurts an engine; only the `go` command rounds
(down, so that an engine never believes it has more than it has).
"""

from __future__ import annotations

from dataclasses import dataclass

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000


class LimitError(ValueError):
    """A limit that cannot be understood; the text says what would be right."""


def _seconds_to_ns(text: str, whole: str) -> int:
    minutes, separator, seconds = text.rpartition(":")
    try:
        value = float(seconds) + (60 * int(minutes) if separator else 0)
    except ValueError:
        raise LimitError(f"'{whole}' is not a time control: expected [moves/]time[+increment], e.g. 4+0.04") from None
    if not 0 <= value < 1e7:
        raise LimitError(f"'{whole}' is not a time control: times must be between 0 and 10,000,000 seconds")
    return round(value * NS_PER_S)


@dataclass(frozen=True)
class Limit:
    """One side's thinking limits. None means unlimited in that respect."""

    base_ns: int | None = None
    increment_ns: int = 0
    moves_per_session: int | None = None
    movetime_ns: int | None = None
    nodes: int | None = None
    depth: int | None = None

    @staticmethod
    def parse(
        tc: str | None = None, movetime: str | None = None, nodes: str | None = None, depth: str | None = None
    ) -> Limit:
        """Reads the texts of the command line. Nodes and depth may stand beside a clock; a movetime may not."""
        base = moves = fixed = None
        increment = 0
        if tc is not None:
            if movetime is not None:
                raise LimitError("a clock (tc) and a fixed time per move (movetime) exclude each other")
            session, separator, rest = tc.rpartition("/")
            if separator:
                moves = _positive(session, "moves in a time control")
            time, separator, bonus = rest.partition("+")
            base = _seconds_to_ns(time, tc)
            increment = _seconds_to_ns(bonus, tc) if separator else 0
            if base == 0:
                raise LimitError(f"'{tc}' is not a time control: the starting time must be more than nothing")
        if movetime is not None:
            fixed = _seconds_to_ns(movetime, movetime)
            if fixed == 0:
                raise LimitError("movetime must be more than nothing (seconds, e.g. 0.1)")
        limit = Limit(
            base, increment, moves, fixed,
            None if nodes is None else _positive(nodes, "nodes"),
            None if depth is None else _positive(depth, "depth"),
        )  # fmt: skip
        if limit == Limit():
            raise LimitError("no limit: give tc, movetime, nodes or depth")
        return limit

    @property
    def timed(self) -> bool:
        return self.base_ns is not None or self.movetime_ns is not None

    def describe(self) -> str:
        """Short text for the tags and the report: `4+0.04`, `40/60`, `nodes 10000`."""
        parts: list[str] = []
        if self.base_ns is not None:
            text = f"{self.base_ns / NS_PER_S:g}"
            if self.moves_per_session:
                text = f"{self.moves_per_session}/{text}"
            if self.increment_ns:
                text += f"+{self.increment_ns / NS_PER_S:g}"
            parts.append(text)
        if self.movetime_ns is not None:
            parts.append(f"{self.movetime_ns / NS_PER_S:g} s/move")
        if self.nodes is not None:
            parts.append(f"nodes {self.nodes}")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        return ", ".join(parts)

    def pgn_time_control(self) -> str:
        """The PGN TimeControl tag: `4+0.04` or `40/60`, and `-` when no clock runs."""
        if self.base_ns is None:
            return "-"
        return Limit(self.base_ns, self.increment_ns, self.moves_per_session).describe()


def _positive(text: str, what: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise LimitError(f"{what} must be a whole number of at least 1, not '{text}'")
    return value


class Clock:
    """One side's clock through one game."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.remaining_ns = limit.base_ns or 0
        self.moves_to_go = limit.moves_per_session

    def deadline_ns(self) -> int | None:
        """How long this move may take; None when nothing but nodes or depth limits it."""
        if self.limit.base_ns is not None:
            return self.remaining_ns
        return self.limit.movetime_ns

    def charge(self, elapsed_ns: int, margin_ns: int) -> bool:
        """Takes a finished move off the clock; False when the flag fell (beyond the margin)."""
        deadline = self.deadline_ns()
        in_time = deadline is None or elapsed_ns <= deadline + margin_ns
        if self.limit.base_ns is not None:
            self.remaining_ns = max(0, self.remaining_ns - elapsed_ns) + self.limit.increment_ns
            if self.moves_to_go is not None:
                self.moves_to_go -= 1
                if self.moves_to_go == 0:
                    self.moves_to_go = self.limit.moves_per_session
                    self.remaining_ns += self.limit.base_ns
        return in_time


def go_command(white: Clock, black: Clock, white_to_move: bool) -> str:
    """The `go` line for the side to move. Both clocks are told when both run one."""
    mover = white if white_to_move else black
    parts = ["go"]
    if mover.limit.base_ns is not None:
        for clock, time_key, increment_key in ((white, "wtime", "winc"), (black, "btime", "binc")):
            if clock.limit.base_ns is not None:
                parts.append(f"{time_key} {max(1, clock.remaining_ns // NS_PER_MS)}")
                parts.append(f"{increment_key} {clock.limit.increment_ns // NS_PER_MS}")
        if mover.moves_to_go is not None:
            parts.append(f"movestogo {mover.moves_to_go}")
    if mover.limit.movetime_ns is not None:
        parts.append(f"movetime {max(1, mover.limit.movetime_ns // NS_PER_MS)}")
    if mover.limit.nodes is not None:
        parts.append(f"nodes {mover.limit.nodes}")
    if mover.limit.depth is not None:
        parts.append(f"depth {mover.limit.depth}")
    return " ".join(parts)
