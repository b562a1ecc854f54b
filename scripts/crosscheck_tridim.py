#!/usr/bin/env python3
"""Compares the program's Tri-Dimensional chess with scripts/tridim_reference.py, position by position.

    scripts/crosscheck_tridim.py --engine target/release/castellan --positions 2000 --perft 3
    scripts/crosscheck_tridim.py --write tests/data/tridim/reference.txt --positions 300

Random games are played in the reference: from the start, from bare boards late in a game, and from boards on which
castling is near; with rotation and without. At every position `castellan tridim play` must give the same text, the same
legal moves and, after one of them, the same next position. With --write nothing is compared: the positions and what the
reference says of them become a file for the crate's own tests.
Exit status: 0 no difference, 1 differences (printed), 2 the program could not be asked.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import tridim_reference as rules
from lib.cli import EXIT_FAULTS, EXIT_OK, EXIT_USAGE, parser_for

DEFAULT_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "castellan"
DEFAULT_POSITIONS = 2000
PLIES = (5, 40)
LATE_MEN = (1, 8)
ANSWER_SECONDS = 30.0
SHOWN_DIFFERENCES = 10
# How often a game takes a rare move, if it can, or the one that leaves fewest replies, which ends some in mate.
RARE, SQUEEZE = 0.3, 0.04


class EngineError(RuntimeError):
    """The program did not answer as agreed."""


class Engine:
    """One running `castellan tridim play`, asked a few commands at a time."""

    def __init__(self, path: str, rotation: bool) -> None:
        words = [path, "tridim", "play", "--side", "both", *(["--rotation"] if rotation else [])]
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
        )

    def ask(self, commands: list[str], answers: int) -> list[str]:
        """What the lines `Position: ...` and `Legal: ...` say, of which there must be so many."""
        assert self.process.stdin is not None and self.process.stdout is not None
        watchdog = threading.Timer(ANSWER_SECONDS, self.process.kill)
        watchdog.start()
        found: list[str] = []
        heard: list[str] = []
        try:
            self.process.stdin.write("\n".join([*commands, ""]))
            self.process.stdin.flush()
            for line in self.process.stdout:
                heard.append(line)
                if line.startswith(("Position: ", "Legal: ")):
                    found.append(line.partition(": ")[2].strip())
                if len(found) == answers:
                    return found
        except BrokenPipeError as error:
            raise EngineError("the program is gone") from error
        finally:
            watchdog.cancel()
        raise EngineError(f"no answer to {commands}\n{''.join(heard)}")

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def from_start(_: random.Random, rotation: bool) -> rules.Position:
    return rules.read(rules.START, rotation)


def home_rank(side: str) -> int:
    return 0 if side == "w" else 9


def scattered(rng: random.Random, men: list[str], pins: list[str], rotation: bool) -> rules.Position | None:
    """Boards on these pins and men anywhere on them, if that is a legal position."""
    boards = dict(zip(pins, rng.sample("wwbb", 4)))
    empty = rules.Position({}, boards, frozenset(), rng.choice("wb"), None, rng.randint(0, 60), 40, rotation)
    squares = rng.sample(list(empty.squares()), len(men))
    return if_legal(rng, replace(empty, men=dict(zip(squares, men))))


def if_legal(rng: random.Random, position: rules.Position) -> rules.Position | None:
    """The position, with most men that could be unmoved made so, unless it cannot occur."""
    side = position.turn
    if rules.arrived(position, rules.other(side)) or position.in_check(rules.other(side)):
        return None
    if any(rules.board_of(square) in rules.PINS or square[0] not in "ad" for square in rules.arrived(position, side)):
        return None
    waiting = rules.arrived(position, side)
    if len(waiting) > 1:
        return None
    if waiting and any(rules.become(position, waiting[0], man).in_check(rules.other(side)) for man in "QRBN"):
        return None
    unmoved = {
        square
        for square, man in position.men.items()
        if (man.upper() == "P" and rules.is_pawn_start(rules.side_of(man), square))
        or (man.upper() in "KR" and rules.column(square)[1] == home_rank(rules.side_of(man)))
    }
    return replace(position, unmoved=frozenset(square for square in sorted(unmoved) if rng.random() < 0.85))


def late(rng: random.Random, rotation: bool) -> rules.Position:
    """A few men anywhere."""
    while True:
        men = ["K", "k", *rng.choices("PPppNnBbRrQq", k=rng.randint(*LATE_MEN))]
        position = scattered(rng, men, rng.sample(rules.PINS, 4), rotation)
        if position is not None:
            return position


def near_castling(rng: random.Random, rotation: bool) -> rules.Position:
    """Kings and rooks on their back ranks, a few other men anywhere."""
    while True:
        boards = {"QL1": "w", "KL1": "w", "QL6": "b", "KL6": "b"}
        empty = rules.Position({}, boards, frozenset(), rng.choice("wb"), None, 0, rng.choice((1, 9)), rotation)
        men: dict[str, str] = {}
        for side, letters in (("w", "KRR"), ("b", "krr")):
            places = [square for square in empty.squares() if rules.column(square)[1] == home_rank(side)]
            men |= dict(zip(rng.sample(places, 3), letters))
        free = [square for square in empty.squares() if square not in men]
        others = rng.choices("PpNnBbQq", k=rng.randint(*LATE_MEN))
        position = if_legal(rng, replace(empty, men=men | dict(zip(rng.sample(free, len(others)), others))))
        if position is not None:
            return position


def near_promotion(rng: random.Random, rotation: bool) -> rules.Position:
    """Pawns near their ends, under boards and on them, and a few officers."""
    near = {"P": range(6, 10), "p": range(0, 4)}
    while True:
        pins = [*rng.sample(("QL1", "KL1", "QL6", "KL6"), 3), rng.choice(("QL3", "KL4", "QL5", "KL2"))]
        men = ["K", "k", *rng.choices("PPPppp", k=4), *rng.choices("NnBbRr", k=2)]
        position = scattered(rng, men, pins, rotation)
        placed = position is not None and all(
            rules.column(square)[1] in near.get(man, range(10)) for square, man in position.men.items()
        )
        if placed:
            return position


STARTS = (from_start, late, near_castling, near_promotion)


def is_rare(text: str, position: rules.Position, after: rules.Position) -> bool:
    taken = len(position.men) - len(after.men)
    passing = position.passing is not None and taken == 1 and position.passing not in after.men
    return "=" in text or "O" in text or text[:3] in rules.PINS or passing or runs_past_a_pawn(after)


def runs_past_a_pawn(after: rules.Position) -> bool:
    """Whether a pawn has just gone two steps and come to stand beside one of the other side's."""
    if after.passing is None:
        return False
    file, rank = rules.column(after.passing)
    pawn = "P" if after.turn == "w" else "p"
    return any(man == pawn and rules.column(at) in ((file - 1, rank), (file + 1, rank)) for at, man in after.men.items())


@dataclass
class Look:
    """A position as the reference sees it, and one of its moves."""

    rotation: bool
    text: str
    moves: dict[str, rules.Position]
    chosen: str | None

    def line(self) -> str:
        after = self.moves[self.chosen].text() if self.chosen else "-"
        kind = "rotation" if self.rotation else "plain"
        return "\t".join([kind, self.text, " ".join(sorted(self.moves)) or "-", self.chosen or "-", after])


def looks(rng: random.Random, rotation: bool) -> Iterator[Look]:
    """Random games without end."""
    while True:
        position = rng.choice(STARTS)(rng, rotation)
        for _ in range(rng.randint(*PLIES)):
            moves = rules.legal_moves(position)
            over = not moves or len(position.men) == 2
            rare = [text for text, after in moves.items() if is_rare(text, position, after)]
            chosen = None
            if not over:
                chosen = rng.choice(rare if rare and rng.random() < RARE else list(moves))
            if not over and rng.random() < SQUEEZE:
                chosen = min(moves, key=lambda text: len(rules.legal_moves(moves[text])))
            yield Look(rotation, position.text(), moves, chosen)
            if over:
                break
            position = moves[chosen]


@dataclass
class Report:
    positions: int = 0
    moves: int = 0
    met: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def add(self, other: Report) -> None:
        self.positions += other.positions
        self.moves += other.moves
        self.met += other.met
        self.differences += other.differences

    def meet(self, look: Look) -> None:
        self.positions += 1
        self.moves += len(look.moves)
        position = rules.read(look.text, look.rotation)
        check, stuck = position.in_check(position.turn), not look.moves
        self.met["checkmate"] += check and stuck
        self.met["stalemate"] += stuck and not check
        self.met["check"] += check
        self.met["castling kingside"] += "O-O" in look.moves
        self.met["castling queenside"] += "O-O-O" in look.moves
        self.met["waiting pawn"] += any(not {"-", "x"} & {*text} for text in look.moves)
        self.met["promotion by a board"] += any("=" in text and text[:3] in rules.PINS for text in look.moves)
        self.met["en passant"] += position.passing is not None


def compare(engine: Engine, look: Look, report: Report) -> None:
    report.meet(look)
    commands = [f"set {look.text}", "text", "legal"]
    if look.chosen:
        commands += [look.chosen, "text"]
    answers = engine.ask(commands, 3 if look.chosen else 2)
    expected = [look.text, " ".join(sorted(look.moves)) or "-"]
    if look.chosen:
        expected.append(look.moves[look.chosen].text())
    names = ("text", "legal moves", f"after {look.chosen}")
    for name, found, right in zip(names, answers, expected):
        if name == "legal moves":
            found = " ".join(sorted(found.split()))
        if found != right:
            report.differences.append(f"{look.text}\n  {name}\n  the program {found}\n  reference   {right}")


def work(path: str, positions: int, seed: int, rotation: bool) -> Report:
    report = Report()
    engine = Engine(path, rotation)
    try:
        for look in looks(random.Random(seed), rotation):
            compare(engine, look, report)
            if report.positions >= positions or len(report.differences) >= SHOWN_DIFFERENCES:
                return report
    finally:
        engine.close()
    return report


def check_perft(path: str, depth: int) -> list[str]:
    answer = subprocess.run([path, "tridim", "perft", str(depth)], capture_output=True, text=True, check=True)
    found = answer.stdout.split()[-1]
    right = rules.perft(rules.read(rules.START), depth)
    print(f"perft {depth}: {right}")
    return [] if found == str(right) else [f"perft {depth}: the program {found}, reference {right}"]


def is_telling(look: Look) -> bool:
    """Whether a rare rule matters in a position: castling, a waiting pawn, en passant, mate, a pawn carried to its end."""
    carried = any("=" in text and text[:3] in rules.PINS for text in look.moves)
    waiting = any(not {"-", "x"} & {*text} for text in look.moves)
    return "O-O-O" in look.moves or waiting or carried or " - " not in look.text or not look.moves


def write(path: str, positions: int, seed: int) -> None:
    """Positions for the crate's tests, half of them with rotation, as far apart as games allow."""
    lines = []
    for rotation in (False, True):
        rng = random.Random(seed + rotation)
        stream = looks(rng, rotation)
        while len(lines) < positions * (1 + rotation) // 2:
            look = next(stream)
            if rng.random() < 0.1 or is_telling(look):
                lines.append(look.line())
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    top = parser_for(__doc__)
    top.add_argument("--engine", default=str(DEFAULT_ENGINE), metavar="PROGRAM", help="default: target/release/castellan")
    top.add_argument("--positions", type=int, default=DEFAULT_POSITIONS, metavar="N", help="default %(default)s")
    top.add_argument("--perft", type=int, default=0, metavar="DEPTH", help="compares perft from the start as well")
    top.add_argument("--seed", type=int, default=1, help="of the random games; default %(default)s")
    top.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="default: all cores")
    top.add_argument("--write", metavar="FILE", help="writes positions to a file and compares nothing")
    arguments = top.parse_args()
    if arguments.positions < 1 or arguments.jobs < 1 or arguments.perft < 0:
        print("crosscheck_tridim: --positions and --jobs must be at least 1, --perft at least 0", file=sys.stderr)
        return EXIT_USAGE
    if arguments.write:
        write(arguments.write, arguments.positions, arguments.seed)
        return EXIT_OK
    path = os.path.abspath(arguments.engine)
    share = -(-arguments.positions // arguments.jobs)
    total = Report()
    try:
        if arguments.perft:
            total.differences += check_perft(path, arguments.perft)
        jobs = range(arguments.jobs)
        with ProcessPoolExecutor(arguments.jobs) as pool:
            seeds = [arguments.seed * 1000 + job for job in jobs]
            # A third of the positions come from games with rotation.
            plain = [share - share // 3] * arguments.jobs
            turning = [share // 3] * arguments.jobs
            for counts, rotation in ((plain, False), (turning, True)):
                if counts[0]:
                    for report in pool.map(work, [path] * arguments.jobs, counts, seeds, [rotation] * arguments.jobs):
                        total.add(report)
    except (EngineError, OSError, subprocess.CalledProcessError) as error:
        print(f"crosscheck_tridim: {path}: {error}", file=sys.stderr)
        return EXIT_USAGE
    for difference in total.differences[:SHOWN_DIFFERENCES]:
        print(difference)
    print(f"{total.positions} positions, {total.moves} legal moves compared")
    print("met: " + ", ".join(f"{name} {number}" for name, number in sorted(total.met.items())))
    print(f"{len(total.differences)} differences")
    return EXIT_FAULTS if total.differences else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
