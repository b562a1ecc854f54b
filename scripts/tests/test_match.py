"""match.py as a whole, with engines that do each thing wrong once: counted, printed, and the exit status non-zero."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from support import RUN_LIMIT_S, SCRIPTS, InFolder, run_script, stub_command

import chess.pgn

SHORT = ("--max-moves", "4")
CLOCK = ("--tc", "20")


class Misbehaviour(InFolder):
    def check_fault(self, mode: str, kind: str, *words: str, count: int = 2, result_for_good: float = 1.0) -> None:
        done = self.match(*SHORT, *(words or CLOCK), "--pgn", self.path("games.pgn"), second=mode)
        self.assertEqual(done.returncode, 1, done.stderr)
        report = self.report()
        self.assertEqual(report["faults"], {"B": {kind: count}})
        self.assertIn(f"B: {kind} {count}", done.stdout)
        self.assertEqual(report["pairings"][0]["score"], result_for_good)
        self.assertEqual(report["pairings"][0]["games"], 2)

    def termination(self) -> str:
        with open(self.path("games.pgn")) as text:
            game = chess.pgn.read_game(text)
        assert game is not None
        return game.headers["Termination"]

    def test_good_engines_have_no_faults(self) -> None:
        done = self.match(*SHORT, *CLOCK)
        self.assertEqual((done.returncode, self.report()["faults"]), (0, {}), done.stderr)
        self.assertIn("Faults: none", done.stdout)

    def test_illegal_move(self) -> None:
        self.check_fault("illegal_move", "illegal move")
        self.assertEqual(self.termination(), "rules infraction")

    def test_missing_bestmove(self) -> None:
        self.check_fault("no_bestmove", "missing bestmove")
        self.assertEqual(self.termination(), "rules infraction")

    def test_illegal_pv_is_counted_and_the_game_goes_on(self) -> None:
        # 4 moves each, the first of them well-behaved: 3 bad variations a game.
        self.check_fault("illegal_pv", "illegal PV", count=6, result_for_good=0.5)
        self.assertEqual(self.termination(), "adjudication")

    def test_crash_restarts_for_the_next_game(self) -> None:
        # Two crashes prove the restart: the second game could not have been begun without it.
        self.check_fault("crash", "crash")
        self.assertIn("stub: on purpose", self.report()["fault_details"][0]["detail"])
        self.assertEqual(self.termination(), "abandoned")

    def test_closed_pipe_is_a_crash(self) -> None:
        self.check_fault("close", "crash")

    def test_stall(self) -> None:
        self.check_fault("stall", "stall", "--tc", "0.3", "--patience", "0.3")
        self.assertEqual(self.termination(), "abandoned")

    def test_stall_without_a_clock(self) -> None:
        self.check_fault("stall", "stall", "--nodes", "1", "--untimed-patience", "0.5")

    def test_time_loss(self) -> None:
        self.check_fault("late", "time loss", "--tc", "0.4")
        self.assertEqual(self.termination(), "time forfeit")

    def test_answer_to_a_stop_after_the_flag_is_a_time_loss_and_no_stall(self) -> None:
        self.check_fault("needs_stop", "time loss", "--tc", "0.3", "--patience", "20")

    def test_margin_forgives(self) -> None:
        done = self.match("--max-moves", "2", "--tc", "0.4+0.4", "--margin", "2000", second="late")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_unasked_bestmove(self) -> None:
        # Seen before the next move of the same engine; after its last move only when a game follows.
        done = self.match(*SHORT, *CLOCK, second="stray")
        self.assertEqual(done.returncode, 1)
        self.assertGreaterEqual(self.report()["faults"]["B"]["unasked bestmove"], 4)

    def test_garbage_lines_are_no_fault(self) -> None:
        done = self.match(*SHORT, *CLOCK, second="garbage")
        self.assertEqual((done.returncode, self.report()["faults"]), (0, {}), done.stdout)

    def test_castling_must_be_in_the_notation_of_the_variant(self) -> None:
        Path(self.path("book.epd")).write_text("4k3/8/8/8/8/8/8/4K2R w K - 0 1\n")
        words = ("--nodes", "1", "--max-moves", "1", "--book", self.path("book.epd"))
        # As Black the text is no move in either variant; as White it is castling in Chess960 only.
        done = self.match(*words, second="wrong_castling")
        self.assertEqual((done.returncode, self.report()["faults"]), (1, {"B": {"illegal move": 2}}), done.stderr)
        done = self.match(*words, "--variant", "chess960", "--pgn", self.path("games.pgn"), second="wrong_castling")
        self.assertEqual((done.returncode, self.report()["faults"]), (1, {"B": {"illegal move": 1}}), done.stderr)
        self.assertIn("1. O-O", Path(self.path("games.pgn")).read_text())

    def test_engine_that_does_not_start(self) -> None:
        done = run_script("match.py", "--engine", "cmd=./no-such-engine", "name=A", "--engine", "name=B", "cmd=x", *CLOCK)
        self.assertEqual(done.returncode, 2)
        self.assertIn("does not start", done.stderr)


class CommandLine(InFolder):
    def test_refusals_name_what_is_wrong(self) -> None:
        for words, expected in (
            (("--games", "3", *CLOCK), "even number"),
            ((), "no limit"),
            (("--tc", "abc"), "not a time control"),
            ((*CLOCK, "--each", "Hash=1"), "unknown key 'Hash'"),
            ((*CLOCK, "--each", "option.Hash=65"), "outside 1 … 64"),
            ((*CLOCK, "--sprt", "5", "0"), "ELO0 below ELO1"),
            ((*CLOCK, "--book", self.path("none.epd")), "cannot read the book"),
            ((*CLOCK, "--resume"), "--results"),
        ):
            with self.subTest(words=words):
                done = self.match(*words)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(expected, done.stderr)

    def test_option_of_each_that_is_not_offered_is_left_out_with_a_warning(self) -> None:
        done = self.match(*SHORT, *CLOCK, "--each", "option.Threads=1")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no option 'Threads'", done.stderr)

    def test_sprt_stops_the_match(self) -> None:
        done = self.match(*CLOCK, "--games", "200", "--sprt", "0", "400", second="illegal_move")
        report = self.report()["pairings"][0]
        self.assertEqual(report["sprt"]["verdict"], "H1")
        self.assertLess(report["games"], 200)
        self.assertIn("[-2.944, 2.944]", done.stdout)

    def test_three_engines_round_robin_and_gauntlet(self) -> None:
        third = ("--engine", "name=C", f"cmd={stub_command('good')}")
        self.match(*third, *SHORT, *CLOCK)
        self.assertEqual(
            [(row["first"], row["second"], row["games"]) for row in self.report()["pairings"]],
            [("A", "B", 2), ("A", "C", 2), ("B", "C", 2)],
        )
        done = self.match(*third, *SHORT, *CLOCK, "--gauntlet", "--concurrency", "2")
        self.assertEqual([(row["first"], row["second"]) for row in self.report()["pairings"]], [("A", "B"), ("A", "C")])
        self.assertIn("Joint fit", done.stdout)


class Resuming(InFolder):
    def words(self, games: int) -> tuple[str, ...]:
        return (*SHORT, *CLOCK, "--games", str(games), "--results", self.path("r.jsonl"), "--pgn", self.path("g.pgn"))

    def games(self) -> list[int]:
        return [json.loads(line)["game"]["number"] for line in Path(self.path("r.jsonl")).read_text().splitlines()[1:]]

    def pgn_games(self) -> int:
        count = 0
        with open(self.path("g.pgn")) as text:
            while (game := chess.pgn.read_game(text)) is not None:
                self.assertEqual(game.errors, [])
                count += 1
        return count

    def test_finished_games_are_kept_and_half_written_ones_replayed(self) -> None:
        self.match(*self.words(4))
        journal, pgn = Path(self.path("r.jsonl")), Path(self.path("g.pgn"))
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join(lines[:3]) + lines[3][:30])
        done = self.match(*self.words(6), "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(journal.read_bytes().splitlines(keepends=True)[:3], lines[:3])
        self.assertEqual(sorted(self.games()), list(range(6)))
        self.assertEqual(self.pgn_games(), 6)
        self.assertEqual(self.report()["pairings"][0]["games"], 6)
        before = pgn.read_bytes()
        pgn.write_bytes(before + b'[Event "half a ga')
        self.match(*self.words(6), "--resume")
        self.assertEqual(pgn.read_bytes(), before)

    def test_existing_results_are_never_overwritten(self) -> None:
        self.match(*self.words(2))
        before = Path(self.path("r.jsonl")).read_bytes()
        done = self.match(*self.words(2))
        self.assertEqual((done.returncode, Path(self.path("r.jsonl")).read_bytes()), (2, before))
        self.assertIn("--resume", done.stderr)

    def test_another_match_is_refused(self) -> None:
        self.match(*self.words(2))
        done = self.match(*self.words(2), "--resume", second="slow")
        self.assertEqual(done.returncode, 2)
        self.assertIn("engines was", done.stderr)

    def test_faults_survive_a_resume(self) -> None:
        self.match(*self.words(2), second="illegal_move")
        done = self.match(*self.words(2), "--resume", second="illegal_move")
        self.assertEqual((done.returncode, self.report()["faults"]), (1, {"B": {"illegal move": 2}}))


class Interrupting(InFolder):
    def test_interrupt_reports_keeps_results_and_leaves_no_engine(self) -> None:
        pids = self.folder / "pids"
        pids.mkdir()
        modes = f"slow deaf pids={pids}"
        command = [
            sys.executable, str(SCRIPTS / "match.py"), "--engine", "name=A", f"cmd={stub_command(*modes.split())}",
            "--engine", "name=B", f"cmd={stub_command(*modes.split())}", "--tc", "60", "--games", "200",
            "--max-moves", "2", "--concurrency", "2", "--results", self.path("r.jsonl"), "--json", self.path("report.json"),
        ]  # fmt: skip
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_hear_interrupts
        ) as process:
            limit = time.monotonic() + RUN_LIMIT_S
            journal = Path(self.path("r.jsonl"))
            while time.monotonic() < limit and not (journal.exists() and journal.read_bytes().count(b"\n") >= 4):
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=RUN_LIMIT_S)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("Interrupted", out)
        self.assertNotIn("Traceback", err)
        report = self.report()
        self.assertTrue(report["interrupted"])
        self.assertEqual(report["pairings"][0]["games"], journal.read_bytes().count(b"\n") - 1)
        self.assertGreaterEqual(len(list(pids.iterdir())), 4)
        for pid in pids.iterdir():
            self.assertFalse(_alive(int(pid.name)), f"engine {pid.name} still runs")


def _hear_interrupts() -> None:
    """Where these tests run in the background of a shell, interrupts are ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _alive(pid: int) -> bool:
    limit = time.monotonic() + 5
    while time.monotonic() < limit:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.02)
    return True


if __name__ == "__main__":
    unittest.main()
