"""The test of a change, against a stand-in for fastchess: the command, the result, and errors."""

from __future__ import annotations

import unittest

from support import InFolder, run_script

REPORT = """\
Results of new vs old (8000 nodes, 1t, 8MB, book.epd):
Elo: 0 +/- 0, nElo: 0 +/- 0
Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: 0 (50 %)
Ptnml(0-2): [{pairs}], WL/DD Ratio: 1.77
"""


class SprtScript(InFolder):
    def setUp(self) -> None:
        super().setUp()
        self.book = self.write("book.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")

    def fastchess(self, wins: int, draws: int, losses: int, pairs: str, rest: str = "") -> str:
        """A program that writes down its arguments and prints an earlier result and this one."""
        first = REPORT.format(games=2, wins=0, losses=0, draws=2, pairs="0, 0, 1, 0, 0")
        last = REPORT.format(games=wins + draws + losses, wins=wins, losses=losses, draws=draws, pairs=pairs)
        script = f'printf "%s\\n" "$@" > "{self.path("arguments")}"\ncat <<END\n{first}{last}{rest}END'
        return self.program("fastchess", script)

    def test_a_gain_passes(self) -> None:
        fastchess = self.fastchess(3000, 4000, 1000, "100, 500, 1400, 1500, 500")
        done = run_script("sprt.py", "/a/old", "/a/new", "--book", self.book, "--fastchess", fastchess, "--new", "A=1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("SPRT [0, 5] passed: +88.7 ± ", done.stdout)
        self.assertIn("8000 games\n3000-4000-1000, pairs [100, 500, 1400, 1500, 500], LLR ", done.stdout)
        self.assertIn("8000 nodes, Hash=8, book.epd\n", done.stdout)
        given = (self.folder / "arguments").read_text().splitlines()
        new, old = given.index("cmd=/a/new"), given.index("cmd=/a/old")
        self.assertEqual(given[new + 1 : new + 3], ["name=new", "option.A=1"])
        self.assertEqual(given[old + 1], "name=old")
        self.assertIn("nodes=8000", given)
        self.assertIn("option.Hash=8", given)

    def test_a_loss_fails_and_no_difference_is_undecided(self) -> None:
        for wins, losses, pairs, expected in (
            (1000, 3000, "500, 1500, 1400, 500, 100", "failed"),
            (20, 20, "5, 10, 10, 10, 5", "undecided"),
        ):
            fastchess = self.fastchess(wins, 4000, losses, pairs)
            done = run_script("sprt.py", "old", "new", "--book", self.book, "--fastchess", fastchess, "--tc", "4+0.04")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"SPRT [0, 5] {expected}: ", done.stdout)
            self.assertIn("; 4+0.04, Hash=8", done.stdout)

    def test_faults_are_shown(self) -> None:
        fastchess = self.fastchess(20, 10, 20, "5, 5, 5, 5, 5", "Warning; new loses on time\n")
        done = run_script("sprt.py", "old", "new", "--book", self.book, "--fastchess", fastchess)
        self.assertIn("fastchess: Warning; new loses on time\n", done.stdout)

    def test_what_cannot_be_played_is_refused(self) -> None:
        fastchess = self.fastchess(0, 2, 0, "0, 0, 1, 0, 0")
        good = ["old", "new", "--book", self.book, "--fastchess", fastchess]
        for words, expected in (
            (["old", "new", "--book", self.path("none")], "not found; install fastchess"),
            (["old", "new", "--book", self.path("none"), "--fastchess", fastchess], "no file "),
            ([*good, "--bounds", "5", "0"], "ELO0 below ELO1"),
            ([*good, "--option", "Hash"], "expected NAME=VALUE, got 'Hash'"),
            ([*good[:-1], self.program("broken", "exit 3")], "fastchess ended with status 3 after 0 games"),
        ):
            done = run_script("sprt.py", *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
