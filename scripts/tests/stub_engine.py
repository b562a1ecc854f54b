"""A UCI engine that plays the first legal move and, in a given mode, misbehaves from its second move on.

Modes: good, illegal_move, illegal_pv, crash, stall, no_bestmove, stray, close, garbage, wrong_castling (castles as king takes
rook), needs_stop (moves only then), interrupt (sends SIGINT to the match on its third `ucinewgame`), levels, tune. `at_once`
misbehaves from the first move on; `pids=FOLDER` leaves an empty file named after its process there; `deaf` ignores the end of
its input.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import chess

GARBAGE = (
    b"\xff\xfe\x00 pv\n\ninfo\ninfo score\ninfo depth x score cp y pv\ninfo string a pv h1h1\nbest\n"
    + b"z" * 200_000 + b"\n"
)  # fmt: skip
TUNED = "test.value"
TUNED_THRESHOLD = 50
LAST_GAME = 3


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def misbehave(mode: str, best: chess.Move) -> None:
    if mode == "illegal_move":
        say("bestmove a1h8")
    elif mode == "illegal_pv":
        say(f"info depth 2 score cp 10 pv {best.uci()}", f"info depth 3 score cp 12 pv {best.uci()} a1h8")
        say(f"bestmove {best.uci()}")
    elif mode == "crash":
        sys.stderr.write("stub: on purpose\n")
        sys.exit(3)
    elif mode == "stall":
        while True:
            sys.stdin.readline()
    elif mode == "needs_stop":
        while sys.stdin.readline().strip() not in ("stop", ""):
            pass
        say(f"bestmove {best.uci()}")
    elif mode == "no_bestmove":
        say("bestmove (none)")
    elif mode == "stray":
        say(f"bestmove {best.uci()}", f"bestmove {best.uci()}")
    elif mode == "close":
        os.close(1)
        signal.pause()
    elif mode == "garbage":
        sys.stdout.flush()
        os.write(1, GARBAGE)
        say("info depth 4 score cp 7 nodes 1", f"bestmove {best.uci()} ponder a1a1")
    else:
        say(f"info depth 1 score cp 25 pv {best.uci()}", f"bestmove {best.uci()}")


def match_process() -> int:
    """The parent of the worker that started this engine."""
    return int(Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])


def main() -> None:
    mode = sys.argv[1] if len(sys.argv) > 1 else "good"
    for word in sys.argv[2:]:
        if word.startswith("pids="):
            Path(word.removeprefix("pids="), str(os.getpid())).touch()
    board = chess.Board()
    own_moves = games = value = 0
    chess960 = False
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            say("id name stub", "option name Hash type spin default 16 min 1 max 64",
                "option name Threads type spin default 1 min 1 max 2",
                "option name UCI_Chess960 type check default false")  # fmt: skip
            if mode == "levels":
                say("option name UCI_LimitStrength type check default false",
                    "option name UCI_Elo type spin default 1500 min 800 max 3000")  # fmt: skip
            if mode == "tune":
                say(f"option name {TUNED} type spin default 48 min 0 max 100",
                    "option name test.enabled type spin default 1 min 0 max 1")  # fmt: skip
            say("uciok")
        elif words[0] == "tune" and mode == "tune":
            say(f"info string tune {TUNED} 48 0 100 4", "info string tune test.enabled 1 0 1 1")
        elif words[0] == "setoption":
            name, given = " ".join(words[2:-2]), words[-1]
            if name == TUNED:
                value = int(given)
            elif name == "UCI_Chess960":
                chess960 = given == "true"
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "ucinewgame":
            own_moves = 0
            games += 1
            if mode == "interrupt" and games == LAST_GAME:
                os.kill(match_process(), signal.SIGINT)
                signal.pause()
        elif words[0] == "position":
            moves = words.index("moves") if "moves" in words else len(words)
            board = chess.Board(" ".join(words[2:moves]), chess960=chess960)
            for text in words[moves + 1 :]:
                board.push_uci(text)
        elif words[0] == "go":
            own_moves += 1
            best = min(board.legal_moves, key=chess.Move.uci)
            if mode == "tune" and value >= TUNED_THRESHOLD:
                best = next((move for move in board.legal_moves if board.san(move).endswith("#")), best)
            if mode == "wrong_castling":
                say("bestmove e1h1")
            else:
                misbehave(mode if own_moves > 1 or "at_once" in sys.argv else "good", best)
        elif words[0] == "quit":
            return
    if "deaf" in sys.argv:
        signal.pause()


if __name__ == "__main__":
    main()
