"""The table of overshoots, of an engine that sleeps and of ones that fail. Only lower bounds: a busy machine is slower."""

from __future__ import annotations

from support import InFolder, run_script

SLEEPER = """while read -r word rest; do case $word in
uci) echo uciok;; isready) echo readyok;; go) sleep 0.05; echo bestmove e2e4;; quit) exit;;
esac; done"""


class Overshoot(InFolder):
    def test_percentile(self) -> None:
        from overshoot import percentile

        self.assertEqual(percentile([float(n) for n in range(1000, 0, -1)], 99), 990)
        self.assertEqual(percentile([3.0, 1.0, 2.0], 99), 3)
        self.assertEqual(percentile([3.0, 1.0, 2.0], 1), 1)

    def test_the_time_beyond_the_limit(self) -> None:
        done = run_script("overshoot.py", "--moves", "2", f"a={self.program('sleeper', SLEEPER)}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()]
        self.assertEqual(rows[0], ["limit", "a: median, 99 %, worst"])
        median = {row[0]: float(row[1].split(",")[0]) for row in rows[2:]}
        self.assertEqual(len(median), 11)
        self.assertGreaterEqual(median["`go movetime 1`"], 49)
        self.assertGreaterEqual(median["`go wtime 20 btime 20`"], 30)

    def test_errors(self) -> None:
        for words, message in (
            (["castellan"], "expected NAME=PROGRAM, got 'castellan'"),
            (["a=/nonexistent"], "cannot start /nonexistent: No such file or directory"),
            ([f"a={self.program('crash', 'read -r line; exit 3')}"], "the engine ended with status 3"),
            (["--positions", self.path("none.epd"), "a=b"], "none.epd"),
        ):
            with self.subTest(words=words):
                done = run_script("overshoot.py", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(message, done.stderr)
