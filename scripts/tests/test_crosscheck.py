"""crosscheck.py finds what is wrong: the real program with its output changed on the way."""

from __future__ import annotations

from pathlib import Path

from support import ENGINE, InFolder, run_script


class Crosscheck(InFolder):
    def run_with(self, edit: str, *words: str) -> tuple[int, str]:
        """The exit status and output with a program whose output goes through sed."""
        program = Path(self.path("program"))
        program.write_text(f'#!/bin/sh\n"{ENGINE}" "$@" | sed -u \'{edit}\'\n')
        program.chmod(0o755)
        done = run_script("crosscheck.py", *words, "--engine", str(program))
        return done.returncode, done.stdout + done.stderr

    def test_every_wrong_answer_is_a_difference(self) -> None:
        moves = ("moves", "--positions", "200", "--jobs", "1")
        sessions = ("sessions", "--games", "20", "--jobs", "1")
        reasons = ("reasons", "--positions", "200", "--jobs", "1")
        annotate = ("annotate", "--games", "0", "--annotated", "5")
        for words, edit, expected in (
            (moves, "s/^Fen: .*/& /", "FEN:"),
            (moves, "s/^Checkers: -/Checkers: a1/", "Checkers: only the program ['a1']"),
            (moves, "s/^Legal: [a-h][^ ]*/Legal:/", "Legal: only the program []"),
            (moves, "s/^State: none/State: check/", "State: only the program ['check']"),
            (moves, "s/^Claims: .*/Claims: -/", "Claims: only the program []"),
            (moves, "s/^Claims: -/Claims: a1a2=threefold/", "'threefold'], python-chess"),
            (moves, "s/^Fen: .*/info string error: &/", "info string error"),
            (reasons, "s/ is occupied/ is free/", "python-chess: ({"),
            (reasons, "s/ on [a-h]\\([1-8]\\)/ on a\\1/g", "on a"),
            (reasons, "s/illegal move/legal move/", "python-chess: illegal"),
            (sessions, "s/^bestmove .*/bestmove a1a1/", "another best move"),
            (sessions, "s/ ponder .*/ ponder a1a1/", "illegal move a1a1"),
            (sessions, "s/^bestmove .*/&\\n&/", "an unexpected line"),
            (sessions, "s/ pv [^ ]*/ pv a1a1/", "illegal move a1a1"),
            (sessions, "s/ score cp [^ ]*/ score mate 1/", "mate 1"),
            (sessions, "s/^info depth 2 .*/&\\nbestmove (none)/", "best move"),
            (annotate, "s/%eval/%emt/", "no evaluation"),
            (annotate, "s/^1\\. [a-h]4/1. a3/;s/^1\\. Nf3/1. a3/;s/^1\\. [a-h]3/1. Nc3/", "moves"),
        ):
            with self.subTest(words=words, edit=edit):
                status, output = self.run_with(edit, *words)
                self.assertEqual(status, 1, output)
                self.assertIn(expected, output)

    def test_a_success_without_the_result_is_a_difference(self) -> None:
        program = self.program("castellan", f'"{ENGINE}" "$@" || exit 0')
        done = run_script("crosscheck.py", "faults", "--only", "analyze", "--call", "write", "--engine", program)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("status 0 without the result", done.stdout)

    def test_a_panic_is_a_difference(self) -> None:
        board = ENGINE.with_name("castellan-board")
        self.program("castellan-board", f'echo "thread panicked" >&2; exec "{board}" "$@"')
        done = run_script("crosscheck.py", "messages", "--messages", "100", "--engine", self.path("castellan"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("panicked", done.stdout)

    def test_missing_answers_are_an_error_of_the_check(self) -> None:
        for words, edit in (
            (("moves", "--positions", "50", "--jobs", "1"), "/readyok/d"),
            (("moves", "--positions", "50", "--jobs", "1"), "/^State/d"),
        ):
            with self.subTest(edit=edit):
                self.assertEqual(self.run_with(edit, *words)[0], 2)

    def test_invalid_arguments(self) -> None:
        for words in ((), ("moves", "--positions", "0"), ("tablebases", "--tables", ".", "--pieces", "0")):
            with self.subTest(words=words):
                self.assertEqual(run_script("crosscheck.py", *words).returncode, 2)
