"""match.py as a whole, with engines that each do one thing wrong: counted, reported, and the exit status is 1."""

from __future__ import annotations

import json
import os
import signal
import unittest
from pathlib import Path

from support import InFolder, run_process, run_script

from lib.match import Interrupts

import chess.pgn

SHORT = ("--max-moves", "4")
# A clock that never runs out, one that has run out when the answer arrives, and the patience for an engine that never answers.
CLOCK = ("--each", "tc=1000")
NO_TIME = "tc=0.000001"
NO_PATIENCE = ("--patience", "0.001")


class Misbehavior(InFolder):
    """Each fault costs B both games, or is only counted."""

    def test_every_fault_is_counted_and_ends_the_game_or_not(self) -> None:
        for mode, limit, words, faults, score_of_a, termination in (
            ("good", CLOCK[1], (), {}, 0.5, "adjudication"),
            ("garbage", CLOCK[1], (), {}, 0.5, "adjudication"),
            ("illegal_move", CLOCK[1], (), {"illegal move": 2}, 1, "rules infraction"),
            ("no_bestmove", CLOCK[1], (), {"missing bestmove": 2}, 1, "rules infraction"),
            # 4 moves each, the first of them correct: 3 illegal PVs per game.
            ("illegal_pv", CLOCK[1], (), {"illegal PV": 6}, 0.5, "adjudication"),
            # Two crashes prove the restart: the second game could not have started without it.
            ("crash", CLOCK[1], (), {"crash": 2}, 1, "abandoned"),
            ("close", CLOCK[1], (), {"crash": 2}, 1, "abandoned"),
            ("good", NO_TIME, (), {"time loss": 2}, 1, "time forfeit"),
            ("good", NO_TIME, ("--margin", "1000000"), {}, 0.5, "adjudication"),
            ("needs_stop at_once", NO_TIME, ("--patience", "1000"), {"time loss": 2}, 1, "time forfeit"),
            ("stall at_once", NO_TIME, NO_PATIENCE, {"stall": 2}, 1, "abandoned"),
            ("stall at_once", "nodes=1", NO_PATIENCE, {"stall": 2}, 1, "abandoned"),
        ):
            with self.subTest(mode=mode, limit=limit, words=words):
                pgn = Path(self.path("games.pgn"))
                pgn.unlink(missing_ok=True)
                done = self.match(*SHORT, *CLOCK, "--pgn", str(pgn), *words, second=mode, limit=limit)
                report = self.report()
                self.assertEqual((done.returncode, report["faults"]), (1, {"B": faults}) if faults else (0, {}), done.stderr)
                self.assertEqual((report["pairings"][0]["games"], report["pairings"][0]["score"]), (2, score_of_a))
                shown = [f"B: {kind} {count}" for kind, count in faults.items()] or ["Faults: none"]
                self.assertIn(shown[0], done.stdout)
                self.assertIn(f'[Termination "{termination}"]', pgn.read_text().split("\n\n")[0])
                if mode == "crash":
                    self.assertIn("stub: on purpose", report["fault_details"][0]["detail"])

    def test_unexpected_bestmove(self) -> None:
        # Seen before the next move of the same engine; after its last move only when a game follows.
        done = self.match(*SHORT, *CLOCK, second="stray")
        self.assertEqual(done.returncode, 1)
        self.assertGreaterEqual(self.report()["faults"]["B"]["unexpected bestmove"], 4)

    def test_castling_must_be_in_the_notation_of_the_variant(self) -> None:
        Path(self.path("book.epd")).write_text("4k3/8/8/8/8/8/8/4K2R w K - 0 1\n")
        words = ("--each", "nodes=1", "--max-moves", "1", "--book", self.path("book.epd"))
        # As Black the text is invalid in both variants; as White it is castling in Chess960 only.
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
    def test_invalid_arguments(self) -> None:
        for words, expected in (
            (("--games", "3", *CLOCK), "even number"),
            ((), "no limit"),
            (("--each", "tc=abc"), "invalid time control"),
            (("--each", "tc=1", "Hash=1"), "invalid 'Hash=1'"),
            (("--each", "tc=1", "depth=1"), "invalid 'depth=1'"),
            ((*CLOCK, "option.Ponder=true"), "no option 'Ponder'"),
            ((*CLOCK, "--engine", "cmd=x"), "two --engine"),
            ((*CLOCK, "option.Hash=65"), "expected value for option 'Hash'"),
            ((*CLOCK, "--sprt", "5", "0"), "ELO0 below ELO1"),
            ((*CLOCK, "--book", self.path("none.epd")), "cannot read the book"),
            ((*CLOCK, "--resume"), "--results"),
        ):
            with self.subTest(words=words):
                done = self.match(*words)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(expected, done.stderr)

    def test_sprt_stops_the_match(self) -> None:
        done = self.match(*CLOCK, "--games", "200", "--sprt", "0", "400", second="illegal_move")
        report = self.report()["pairings"][0]
        self.assertEqual(report["sprt"]["verdict"], "H1")
        self.assertLess(report["games"], 200)
        self.assertIn("[-2.944, 2.944]", done.stdout)
        self.assertIn(f"| A | B | {report['games']} | {report['games']} – 0 – 0 | 100.0 % |", done.stdout)


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
        done = self.match(*self.words(2), "--resume", second="garbage")
        self.assertEqual(done.returncode, 2)
        self.assertIn("engines was", done.stderr)

    def test_faults_survive_a_resume(self) -> None:
        self.match(*self.words(2), second="illegal_move")
        done = self.match(*self.words(2), "--resume", second="illegal_move")
        self.assertEqual((done.returncode, self.report()["faults"]), (1, {"B": {"illegal move": 2}}))


class Interrupting(InFolder):
    def test_an_interrupt_waits_until_a_game_is_recorded(self) -> None:
        recorded = []
        with self.assertRaises(KeyboardInterrupt), Interrupts() as interrupts:
            with interrupts.held():
                signal.raise_signal(signal.SIGTERM)
                recorded.append("game")
            recorded.append("next game")
        self.assertEqual(recorded, ["game"])

    def test_interrupt_reports_keeps_results_and_leaves_no_engine(self) -> None:
        # Where tests run in the background of a shell, SIGINT is ignored, and children inherit that.
        previous = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, previous)
        pids = self.folder / "pids"
        pids.mkdir()
        modes = f"interrupt deaf pids={pids}"
        words = (*CLOCK, "--games", "200", "--max-moves", "2", "--concurrency", "2", "--results", self.path("r.jsonl"))
        done = run_process("match.py", *self.match_words(modes, f"good deaf pids={pids}"), *words)
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertIn("Interrupted", done.stdout)
        self.assertNotIn("Traceback", done.stderr)
        report = self.report()
        self.assertTrue(report["interrupted"])
        games = report["pairings"][0]["games"]
        self.assertGreaterEqual(games, 2)
        self.assertEqual(games, Path(self.path("r.jsonl")).read_bytes().count(b"\n") - 1)
        self.assertGreaterEqual(len(list(pids.iterdir())), 2)
        for pid in pids.iterdir():
            with self.subTest(pid=pid.name), self.assertRaises(ProcessLookupError):
                os.kill(int(pid.name), 0)


if __name__ == "__main__":
    unittest.main()
