"""One game between two running engines, from `ucinewgame` to its PGN.

The order within a move matters: between sending `go` and reading `bestmove` nothing else is done; scores are parsed and PVs
checked afterwards, when no clock runs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import chess
import chess.engine
import chess.pgn

from .engines import NS_PER_MS, NS_PER_S, EngineSpec, Limit
from .openings import Opening
from .rules import Adjudication, Adjudicator, Ending, PvChecker, ending, legal_move
from .uci import EngineFault, Fault, FaultKind, UciEngine

DETAILS_PER_GAME = 3  # illegal PVs described; the others are only counted
ABANDONED = (FaultKind.CRASH, FaultKind.STALL)


@dataclass(frozen=True)
class Rules:
    """What is the same for every game of a match."""

    chess960: bool = False
    margin_ns: int = 0
    patience_ns: int = 60 * NS_PER_S
    adjudication: Adjudication = field(default_factory=Adjudication)
    check_pvs: bool = True
    event: str = "match"


@dataclass(frozen=True)
class GameJob:
    """A game to be played. `number` counts from 0 through the match; the two games of a pair follow each other."""

    number: int
    round: int
    white: EngineSpec
    black: EngineSpec
    opening: Opening
    rules: Rules


@dataclass
class GameRecord:
    """A finished game."""

    number: int
    round: int
    white: str
    black: str
    result: str
    reason: str
    faults: list[Fault]
    pgn: str

    @staticmethod
    def from_json(data: dict[str, Any]) -> GameRecord:
        return GameRecord(**{**data, "faults": [Fault.from_json(fault) for fault in data["faults"]]})


@dataclass(frozen=True)
class PlayedMove:
    """A move and what is known of it; a book move has no score and took no time."""

    move: chess.Move
    score: chess.engine.Score | None = None
    depth: int | None = None
    clock_ns: int | None = None
    elapsed_ns: int | None = None


class Clock:
    """One side's clock through one game; `remaining_ns` is None if only nodes limit it."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.remaining_ns = limit.base_ns

    def charge(self, elapsed_ns: int, margin_ns: int) -> bool:
        """Takes a move's time off the clock; False if that exceeds the time left and the margin."""
        if self.remaining_ns is None:
            return True
        in_time = elapsed_ns <= self.remaining_ns + margin_ns
        self.remaining_ns = max(0, self.remaining_ns - elapsed_ns) + self.limit.increment_ns
        return in_time


def go_command(white: Clock, black: Clock, white_to_move: bool) -> str:
    """The `go` line for the side to move. Times are rounded down, so that no engine believes it has more than it has."""
    mover = white if white_to_move else black
    parts = ["go"]
    if mover.remaining_ns is not None:
        for clock, letter in ((white, "w"), (black, "b")):
            if clock.remaining_ns is not None:
                parts.append(f"{letter}time {max(1, clock.remaining_ns // NS_PER_MS)}")
                parts.append(f"{letter}inc {clock.limit.increment_ns // NS_PER_MS}")
    if mover.limit.nodes is not None:
        parts.append(f"nodes {mover.limit.nodes}")
    return " ".join(parts)


def last_score(lines: list[bytes]) -> tuple[chess.engine.Score | None, int | None]:
    """The last score of the main line and its depth; bounds count only if there is nothing exact."""
    bound: tuple[chess.engine.Score | None, int | None] = (None, None)
    for line in reversed(lines):
        if not line.startswith(b"info") or b" score " not in line:
            continue
        words = line.decode(errors="replace").partition(" pv ")[0].split()
        if "string" in words or _after(words, "multipv") not in (None, 1):
            continue
        cp, mate = _after(words, "cp"), _after(words, "mate")
        if cp is None and mate is None:
            continue
        found = chess.engine.Cp(cp) if cp is not None else chess.engine.Mate(mate or 0), _after(words, "depth")
        if "lowerbound" not in words and "upperbound" not in words:
            return found
        bound = bound if bound[0] else found
    return bound


def _after(words: list[str], key: str) -> int | None:
    try:
        return int(words[words.index(key) + 1])
    except (ValueError, IndexError):
        return None


def variations(lines: list[bytes]) -> list[list[str]]:
    """Every different PV that was printed."""
    found: dict[bytes, None] = {}
    for line in lines:
        head, separator, tail = line.partition(b" pv ")
        if separator and line.startswith(b"info") and b"string" not in head.split():
            found[tail] = None
    return [tail.decode(errors="replace").split() for tail in found]


def play_game(job: GameJob, white: UciEngine, black: UciEngine) -> GameRecord:
    """Plays the game. A crashed or stalled engine is killed; the next game starts it again."""
    return _Game(job, white, black).play()


class _Game:
    def __init__(self, job: GameJob, white: UciEngine, black: UciEngine) -> None:
        self.job = job
        self.engines = {chess.WHITE: white, chess.BLACK: black}
        self.specs = {chess.WHITE: job.white, chess.BLACK: job.black}
        self.clocks = {color: Clock(spec.limit) for color, spec in self.specs.items()}
        self.board = chess.Board(job.opening.fen, chess960=job.rules.chess960)
        self.pvs = PvChecker(self.board)
        self.adjudicator = Adjudicator(job.rules.adjudication)
        self.position = f"position fen {job.opening.fen}"
        self.moves: list[PlayedMove] = []
        self.faults: list[Fault] = []

    def play(self) -> GameRecord:
        job, started = self.job, time.localtime()
        end = self._prepare()
        for text in job.opening.moves:
            self._push(PlayedMove(self.board.parse_uci(text)))
        end = end or ending(self.board)
        while end is None:
            end = self._one_move()
        pgn = game_to_pgn(job, end, self.moves, started)
        return GameRecord(job.number, job.round, job.white.name, job.black.name, end.result, end.reason, self.faults, pgn)

    def _prepare(self) -> Ending | None:
        """Brings both engines to the start of a game; one that fails has lost."""
        for color, engine in self.engines.items():
            try:
                if engine.running:
                    self._blame_strays(color)
            except EngineFault as fault:
                self._blame(color, fault.kind, f"between games: {fault.detail}")
                engine.kill()
            try:
                if not engine.running:
                    engine.kill()
                    engine.start()
                    engine.handshake()
                engine.configure(self.specs[color].options)
                engine.send("ucinewgame")
                engine.synchronize()
            except EngineFault as fault:
                engine.kill()
                return self._lost(color, fault.kind, f"before the game: {fault.detail}")
        return None

    def _one_move(self) -> Ending | None:
        color, rules = self.board.turn, self.job.rules
        engine, clock = self.engines[color], self.clocks[color]
        go = go_command(self.clocks[chess.WHITE], self.clocks[chess.BLACK], color)
        left = clock.remaining_ns
        try:
            self._blame_strays(color)
            deadline = None if left is None else left + rules.margin_ns
            reply = engine.search(f"{self.position}\n{go}", deadline, rules.patience_ns)
        except EngineFault as fault:
            engine.kill()
            return self._lost(color, fault.kind, fault.detail)
        if rules.check_pvs:
            self._check_variations(color, reply.lines)
        if not clock.charge(reply.elapsed_ns, rules.margin_ns):
            detail = f"took {reply.elapsed_ns / 1e6:.3f} ms of {(left or 0) / 1e6:.3f} ms"
            return self._lost(color, FaultKind.TIME_LOSS, detail)
        words = reply.bestmove.decode(errors="replace").split()
        if len(words) < 2 or words[1] in ("(none)", "0000", "NULL"):
            detail = f"'{' '.join(words)}' with legal moves in {self.board.fen()}"
            return self._lost(color, FaultKind.NO_BESTMOVE, detail)
        move = legal_move(self.board, words[1])
        if move is None:
            return self._lost(color, FaultKind.ILLEGAL_MOVE, f"'{words[1]}' in {self.board.fen()}")
        score, depth = last_score(reply.lines)
        self._push(PlayedMove(move, score, depth, clock.remaining_ns, reply.elapsed_ns))
        return ending(self.board) or self.adjudicator.after_move(color, score)

    def _push(self, played: PlayedMove) -> None:
        text = self.board.uci(played.move)
        self.position += f"{'' if self.moves else ' moves'} {text}"
        self.board.push(played.move)
        if self.job.rules.check_pvs:
            self.pvs.advance(text)
        self.moves.append(played)

    def _check_variations(self, color: chess.Color, lines: list[bytes]) -> None:
        for variation in variations(lines):
            illegal = self.pvs.first_illegal(variation)
            if illegal is not None:
                known = sum(fault.kind is FaultKind.ILLEGAL_PV for fault in self.faults)
                detail = f"move {illegal + 1} of '{' '.join(variation)}' in {self.board.fen()}"
                self._blame(color, FaultKind.ILLEGAL_PV, detail if known < DETAILS_PER_GAME else "")

    def _blame_strays(self, color: chess.Color) -> None:
        for line in self.engines[color].unread_lines():
            if line.startswith(b"bestmove"):
                self._blame(color, FaultKind.STRAY_BESTMOVE, line.decode(errors="replace").strip())

    def _blame(self, color: chess.Color, kind: FaultKind, detail: str) -> None:
        self.faults.append(Fault(self.specs[color].name, kind, len(self.moves), detail))

    def _lost(self, color: chess.Color, kind: FaultKind, detail: str) -> Ending:
        """A loss through a fault, whatever the position."""
        self._blame(color, kind, detail)
        termination = (
            "time forfeit" if kind is FaultKind.TIME_LOSS else "abandoned" if kind in ABANDONED else "rules infraction"
        )
        return Ending("0-1" if color else "1-0", f"{'White' if color else 'Black'}: {kind}", termination)


def game_to_pgn(job: GameJob, end: Ending, moves: list[PlayedMove], started: time.struct_time) -> str:
    """The game with evaluations (from White's side, with depth), clocks and times per move as comments."""
    game = chess.pgn.Game()
    game.setup(chess.Board(job.opening.fen, chess960=job.rules.chess960))
    white, black = job.white.limit.time_control(), job.black.limit.time_control()
    game.headers.update(
        Event=_escaped(job.rules.event),
        Date=time.strftime("%Y.%m.%d", started),
        Round=f"{job.round}.{job.number + 1}",
        White=_escaped(job.white.name),
        Black=_escaped(job.black.name),
        Result=end.result,
        GameStartTime=time.strftime("%Y-%m-%dT%H:%M:%S%z", started),
        PlyCount=str(len(moves)),
        Termination=end.termination,
        **({"TimeControl": white} if white == black else {"WhiteTimeControl": white, "BlackTimeControl": black}),
        **({"Opening": _escaped(job.opening.name)} if job.opening.name else {}),
    )
    node: chess.pgn.GameNode = game
    for played in moves:
        color = node.turn()
        node = node.add_variation(played.move, comment="book" if played.elapsed_ns is None else "")
        if played.score is not None:
            node.set_eval(chess.engine.PovScore(played.score, color), played.depth)
        if played.clock_ns is not None:
            node.set_clock(played.clock_ns // NS_PER_MS / 1000)
        if played.elapsed_ns is not None:
            node.set_emt(played.elapsed_ns // NS_PER_MS / 1000)
    node.comment = f"{node.comment} {end.reason}".strip()
    return game.accept(chess.pgn.StringExporter(columns=100)) + "\n\n"


def _escaped(text: str) -> str:
    """A tag value; python-chess writes it as it is."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
