"""A finished game as PGN, with clocks, scores, depths and times as the comments other programs read.

`[%eval]` is from White's side in pawns and carries the depth after a comma; `[%clk]` is what is left after the move,
`[%emt]` what the move took.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import chess

from .info import Score
from .limits import NS_PER_MS
from .match_types import GameJob, PlayedMove
from .referee import Ending

LINE_WIDTH = 100


def game_to_pgn(job: GameJob, ending: Ending, moves: Sequence[PlayedMove], started: float) -> str:
    """The whole game, tags and movetext, ending in one empty line."""
    board = job.opening.start_board(job.rules.chess960)
    tags = {
        "Event": job.rules.event,
        "Site": "?",
        "Date": time.strftime("%Y.%m.%d", time.localtime(started)),
        "Round": f"{job.round}.{job.number + 1}",
        "White": job.white.name,
        "Black": job.black.name,
        "Result": ending.result,
    }
    if job.rules.chess960:
        tags["Variant"] = "Chess960"
    if job.rules.chess960 or board.fen() != chess.STARTING_FEN:
        tags["SetUp"] = "1"
        tags["FEN"] = board.fen()
    tags["GameStartTime"] = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(started))
    tags["PlyCount"] = str(len(moves))
    tags["Termination"] = ending.termination
    white, black = job.white.limit.pgn_time_control(), job.black.limit.pgn_time_control()
    if white == black:
        tags["TimeControl"] = white
    else:
        tags |= {"WhiteTimeControl": white, "BlackTimeControl": black}
    if job.opening.name:
        tags["Opening"] = job.opening.name
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    words: list[str] = []
    for played in moves:
        if board.turn:
            words.append(f"{board.fullmove_number}.")
        elif not words:
            words.append(f"{board.fullmove_number}...")
        words += [board.san(played.move), _comment(played, board.turn)]
        if board.turn:
            words.append(f"{board.fullmove_number}...")
        board.push(played.move)
    if moves and not board.turn:
        words.pop()
    words += [f"{{{ending.reason}}}", ending.result]
    return f"{head}\n{_wrapped(words)}\n\n"


def _wrapped(words: Sequence[str]) -> str:
    """Lines of limited width; a comment is never broken, as some readers want it in one piece."""
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > LINE_WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def _comment(played: PlayedMove, white: bool) -> str:
    if played.book:
        return "{book}"
    parts: list[str] = []
    if played.score is not None:
        parts.append(f"[%eval {_score_text(played.score, white)}]")
    if played.clock_ns is not None:
        parts.append(f"[%clk {_clock_text(played.clock_ns)}]")
    parts.append(f"[%emt {_clock_text(played.elapsed_ns)}]")
    return "{" + " ".join(parts) + "}"


def _score_text(score: Score, white: bool) -> str:
    sign = 1 if white else -1
    text = f"#{sign * score.mate}" if score.mate is not None else f"{sign * (score.cp or 0) / 100:.2f}"
    return text if score.depth is None else f"{text},{score.depth}"


def _clock_text(nanoseconds: int) -> str:
    milliseconds = nanoseconds // NS_PER_MS
    seconds, milliseconds = divmod(milliseconds, 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{milliseconds:03d}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
