"""Reading `info` lines: the score a move was played with, and the variations to be checked."""

from __future__ import annotations

from dataclasses import dataclass

MATE_CP = 100_000


@dataclass(frozen=True)
class Score:
    """A score from the mover's side: centipawns, or moves to mate (negative: being mated)."""

    cp: int | None = None
    mate: int | None = None
    depth: int | None = None

    def as_centipawns(self) -> int:
        """One number for adjudication; mates are beyond every centipawn."""
        if self.mate is not None:
            return MATE_CP - self.mate if self.mate > 0 else -MATE_CP - self.mate
        return self.cp or 0


def last_score(lines: list[bytes]) -> Score | None:
    """The score of the main line reported last; bounds count only when nothing exact was said."""
    bound: Score | None = None
    for line in reversed(lines):
        if not line.startswith(b"info") or b" score " not in line:
            continue
        words = line.decode(errors="replace").split()
        if "pv" in words:
            words = words[: words.index("pv")]
        if "string" in words or _after(words, "multipv") not in (None, 1):
            continue
        score = Score(_after(words, "cp"), _after(words, "mate"), _after(words, "depth"))
        if score.cp is None and score.mate is None:
            continue
        if "lowerbound" in words or "upperbound" in words:
            bound = bound or score
            continue
        return score
    return bound


def variations(lines: list[bytes]) -> list[list[str]]:
    """Every different principal variation that was printed."""
    seen: set[bytes] = set()
    found: list[list[str]] = []
    for line in lines:
        at = line.find(b" pv ")
        if at < 0 or not line.startswith(b"info"):
            continue
        tail = line[at + 4 :]
        if tail in seen or b"string" in line[:at].split():
            continue
        seen.add(tail)
        found.append(tail.decode(errors="replace").split())
    return found


def _after(words: list[str], key: str) -> int | None:
    try:
        return int(words[words.index(key) + 1])
    except (ValueError, IndexError):
        return None
