"""One game between two running engines, from `ucinewgame` to the result.

The order of work inside a move matters: between sending `go` and reading `bestmove` nothing else is done; scores are
read and variations checked afterwards, when nobody's clock runs.
"""

from __future__ import annotations

import time

import chess

from .adjudicate import Adjudicator
from .engine_spec import EngineSpec
from .faults import EngineFault, Fault, FaultKind
from .info import last_score, variations
from .limits import Clock, go_command
from .match_types import GameJob, GameRecord, PlayedMove
from .pgn_out import game_to_pgn
from .referee import Ending, LineWalker, Referee, legal_move
from .uci_client import UciEngine

DETAILS_PER_GAME = 3  # illegal variations described in full; the rest are only counted


def play_game(job: GameJob, white: UciEngine, black: UciEngine) -> GameRecord:
    """Plays the game. A crashed or stalled engine is killed here and started again by the next game."""
    cpu_start = time.process_time_ns()
    return _Game(job, white, black).play(cpu_start)


class _Game:
    """The state of one game, so that each step of it can be a short method."""

    def __init__(self, job: GameJob, white: UciEngine, black: UciEngine) -> None:
        self.job = job
        self.engines = {chess.WHITE: white, chess.BLACK: black}
        self.clocks = {chess.WHITE: Clock(job.white.limit), chess.BLACK: Clock(job.black.limit)}
        self.referee = Referee(job.opening.start_board(job.rules.chess960))
        self.walker = LineWalker(self.referee.board)
        self.adjudicator = Adjudicator(job.rules.adjudication)
        self.position = f"position fen {job.opening.fen}"
        self.moves: list[PlayedMove] = []
        self.faults: list[Fault] = []
        self.think_ns = 0

    def play(self, cpu_start: int) -> GameRecord:
        job = self.job
        started = time.time()
        ending = self._prepare()
        for text in job.opening.moves:
            move = self.referee.board.parse_uci(text)
            self._push(PlayedMove(move, book=True))
        ending = ending or self.referee.ending()
        while ending is None:
            ending = self._one_move()
        pgn = game_to_pgn(job, ending, self.moves, started)
        return GameRecord(
            job.number, job.round, job.white.name, job.black.name, ending.result, ending.reason, ending.termination,
            len(self.moves), job.opening.name, self.faults, self.think_ns, time.process_time_ns() - cpu_start, pgn,
        )  # fmt: skip

    def _prepare(self) -> Ending | None:
        """Brings both engines to the start of a game. Lost at once for one that cannot be brought there."""
        for color in (chess.WHITE, chess.BLACK):
            engine = self.engines[color]
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
                engine.configure(self._spec(color).options)
                engine.send("ucinewgame")
                engine.synchronise()
            except EngineFault as fault:
                engine.kill()
                return self._lost(color, fault.kind, f"before the game: {fault.detail}")
        return None

    def _one_move(self) -> Ending | None:
        board = self.referee.board
        color = board.turn
        engine, clock = self.engines[color], self.clocks[color]
        go = go_command(self.clocks[chess.WHITE], self.clocks[chess.BLACK], color)
        deadline = clock.deadline_ns()
        rules = self.job.rules
        patience = rules.untimed_patience_ns if deadline is None else rules.patience_ns
        if deadline is not None:
            deadline += rules.margin_ns
        try:
            self._blame_strays(color)
            reply = engine.search(f"{self.position}\n{go}", deadline, patience)
        except EngineFault as fault:
            engine.kill()
            return self._lost(color, fault.kind, fault.detail)
        self.think_ns += reply.elapsed_ns
        self._check_variations(color, reply.lines)
        before_ns = clock.remaining_ns
        if not clock.charge(reply.elapsed_ns, rules.margin_ns):
            allowed = (clock.limit.movetime_ns or 0) if clock.limit.base_ns is None else before_ns
            return self._lost(
                color, FaultKind.TIME_LOSS, f"took {reply.elapsed_ns / 1e6:.3f} ms of {allowed / 1e6:.3f} ms"
            )
        words = reply.bestmove.decode(errors="replace").split()
        if len(words) < 2 or words[1] in ("(none)", "0000", "NULL"):
            return self._lost(color, FaultKind.NO_BESTMOVE, f"'{' '.join(words)}' with legal moves in {board.fen()}")
        move = legal_move(board, words[1])
        if move is None:
            return self._lost(color, FaultKind.ILLEGAL_MOVE, f"'{words[1]}' in {board.fen()}")
        score = last_score(reply.lines)
        clock_ns = clock.remaining_ns if clock.limit.base_ns is not None else None
        self._push(PlayedMove(move, score, clock_ns, reply.elapsed_ns))
        return self.referee.ending() or self.adjudicator.after_move(color, score)

    def _push(self, played: PlayedMove) -> None:
        text = self.referee.board.uci(played.move)
        self.position += f"{'' if self.moves else ' moves'} {text}"
        self.referee.push(played.move)
        self.walker.advance(text)
        self.moves.append(played)

    def _check_variations(self, color: chess.Color, lines: list[bytes]) -> None:
        for variation in variations(lines):
            bad = self.walker.first_illegal(variation)
            if bad is not None:
                known = sum(fault.kind is FaultKind.ILLEGAL_PV for fault in self.faults)
                detail = ""
                if known < DETAILS_PER_GAME:
                    detail = f"move {bad + 1} of '{' '.join(variation)}' in {self.referee.board.fen()}"
                self._blame(color, FaultKind.ILLEGAL_PV, detail)

    def _blame_strays(self, color: chess.Color) -> None:
        for line in self.engines[color].unread_lines():
            if line.startswith(b"bestmove"):
                self._blame(color, FaultKind.STRAY_BESTMOVE, line.decode(errors="replace").strip())

    def _blame(self, color: chess.Color, kind: FaultKind, detail: str) -> None:
        self.faults.append(Fault(self._spec(color).name, kind, len(self.moves), detail))

    def _lost(self, color: chess.Color, kind: FaultKind, detail: str) -> Ending:
        """The game is lost for `color` through a fault, whatever stands on the board."""
        self._blame(color, kind, detail)
        termination = {
            FaultKind.TIME_LOSS: "time forfeit",
            FaultKind.CRASH: "abandoned",
            FaultKind.STALL: "abandoned",
        }.get(kind, "rules infraction")
        side = "White" if color else "Black"
        return Ending("0-1" if color else "1-0", f"{side}: {kind.value}", termination)

    def _spec(self, color: chess.Color) -> EngineSpec:
        return self.job.white if color else self.job.black
