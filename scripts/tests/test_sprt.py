"""The test of a change: the command, the result and errors with a stand-in for fastchess; faults with fastchess itself."""

from __future__ import annotations

import shutil
import unittest

from support import InFolder, fastchess_report, run_script

BOUNDS = "(-2.94, 2.94) [0.00, 5.00]"
# Plays d2d4 as White and d7d5 as Black, and misbehaves with its first move.
ENGINE = """while read -r word rest; do case $word in
uci) echo id name x; echo "option name Hash type spin default 1 min 1 max 9"; echo uciok;;
isready) echo readyok;;
position) case $rest in *moves*) move=d7d5;; *) move=d2d4;; esac;;
go) {go};;
quit) exit;;
esac; done"""
GOOD = "echo info depth 1 score cp 0 pv $move; echo bestmove $move"


class SprtScript(InFolder):
    def setUp(self) -> None:
        super().setUp()
        self.book = self.write("book.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")

    def test_a_gain_passes(self) -> None:
        first = fastchess_report(0, 2, 0, "0, 0, 1, 0, 0", llr=f"LLR: 0.00 (0.0%) {BOUNDS}")
        pairs = "100, 500, 1400, 1500, 500"
        last = fastchess_report(3000, 4000, 1000, pairs, "88.74 +/- 7.21", f"LLR: 2.95 (100.1%) {BOUNDS}")
        fastchess = self.fastchess(first + last)
        done = run_script("sprt.py", "/a/old", "/a/new", "--book", self.book, "--fastchess", fastchess, "--new", "A=1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(
            done.stdout,
            "SPRT [0, 5] passed: +88.7 ± 7.2 Elo, 8000 games\n"
            f"3000-4000-1000, pairs [{pairs}], LLR 2.95 (-2.94, 2.94); 8000 nodes, Hash=8, book.epd\n",
        )
        given = self.fastchess_arguments()
        new, old = given.index("cmd=/a/new"), given.index("cmd=/a/old")
        self.assertEqual(given[new + 1 : new + 6], ["name=new", "nodes=8000", "tc=inf", "option.Hash=8", "option.A=1"])
        self.assertEqual(given[old + 1 : old + 6], ["name=old", "nodes=8000", "tc=inf", "option.Hash=8", "-recover"])

    def test_a_loss_fails_and_no_difference_is_undecided(self) -> None:
        for llr, expected in (("LLR: -2.95 (-100.2%)", "failed"), ("LLR: -0.05 (-1.8%)", "undecided")):
            fastchess = self.fastchess(fastchess_report(1, 2, 1, "0, 0, 2, 0, 0", "-nan +/- -nan", f"{llr} {BOUNDS}"))
            done = run_script("sprt.py", "old", "new", "--book", self.book, "--fastchess", fastchess, "--tc", "4+0.04")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"SPRT [0, 5] {expected}: ", done.stdout)
            self.assertIn("; 4+0.04, Hash=8", done.stdout)

    def test_a_fault_fails_what_would_pass(self) -> None:
        report = fastchess_report(20, 0, 0, "0, 0, 0, 0, 10", llr=f"LLR: 3.00 (102.0%) {BOUNDS}")
        for line, faults in (("Started game 1", 0), ("Warning; Illegal PV move a1a1 from new", 1)):
            fastchess = self.fastchess(f"{line}\n{line}\n{report}")
            done = run_script("sprt.py", "old", "new", "--book", self.book, "--fastchess", fastchess)
            self.assertEqual((done.returncode, done.stdout.count(f"fastchess: {line}\n")), (faults, faults))

    def test_what_cannot_be_played_is_refused(self) -> None:
        fastchess = self.fastchess("")
        good = ["old", "new", "--book", self.book, "--fastchess", fastchess]
        for words, expected in (
            (["old", "new", "--book", self.book, "--fastchess", "no-such-program"], "not found; install fastchess"),
            (["old", "new", "--book", self.path("none"), "--fastchess", fastchess], "no file "),
            ([*good, "--bounds", "5", "0"], "ELO0 below ELO1"),
            ([*good, "--option", "Hash"], "expected NAME=VALUE, got 'Hash'"),
            (good, "fastchess ended with status 0"),
            ([*good[:-1], self.program("broken", "echo bad; exit 3")], "fastchess ended with status 3"),
        ):
            done = run_script("sprt.py", *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)

    @unittest.skipUnless(shutil.which("fastchess"), "fastchess is not in PATH")
    def test_fastchess_reports_every_fault(self) -> None:
        draw = ["--option", "Hash=2", "--games", "2", "--bounds", "0", "500", "--tc", "0.5"]
        for go, expected in (
            ("echo info depth 1 score cp 0 pv a1h8; echo bestmove a1h8", "makes an illegal move"),
            (
                "echo info depth 1 score cp 0 pv $move a1h8; echo bestmove $move",
                "Warning; Illegal PV move - move a1h8 from new",
            ),
            ("exit 3", "disconnects"),
            ("sleep 1; echo bestmove $move", "loses on time"),
            ("echo bestmove", "makes an illegal move"),
        ):
            old, new = self.program("old", ENGINE.format(go=GOOD)), self.program("new", ENGINE.format(go=go))
            done = run_script("sprt.py", old, new, "--book", self.book, *draw)
            with self.subTest(go=go):
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(expected, done.stdout)
