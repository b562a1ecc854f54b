"""The tuner: its arithmetic on a function with a known maximum, its errors, and a whole run with a stand-in for fastchess."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from support import InFolder, fastchess_report, run_script

from lib.cli import UsageError
from spsa import Parameter, Schedule, Tuning, read_parameters


class Arithmetic(unittest.TestCase):
    def test_the_schedule_ends_at_the_given_values(self) -> None:
        parameter = Parameter("a.b", 50, 0, 100, 4)
        schedule = Schedule(1000, 0.002)
        self.assertAlmostEqual(schedule.push(parameter, 1000), 4)
        # a_end / c_end = r_end · step² / step
        self.assertAlmostEqual(schedule.gain(parameter, 1000), 0.002 * 4)
        self.assertGreater(schedule.push(parameter, 1), 4)
        self.assertGreater(schedule.gain(parameter, 1), schedule.gain(parameter, 1000))

    def test_climbs_to_the_top_of_a_parabola(self) -> None:
        tops = {"a.x": 70, "a.y": 20}
        tuning = Tuning([Parameter("a.x", 40, 0, 100, 4), Parameter("a.y", 40, 0, 100, 4)], Schedule(3000, 0.05), 7)

        def height(point: dict[str, int]) -> float:
            return -sum((point[name] - top) ** 2 for name, top in tops.items())

        for k in range(1, 3001):
            probe = tuning.probe(k)
            tuning.learn(probe, max(-2, min(2, (height(probe.plus) - height(probe.minus)) / 100)))
        for name, top in tops.items():
            self.assertAlmostEqual(tuning.values[name], top, delta=3)

    def test_points_stay_in_range_and_opposite(self) -> None:
        tuning = Tuning([Parameter("a.x", 1, 0, 3, 2), Parameter("a.y", 500, 0, 1000, 10)], Schedule(100, 0.002), 1)
        signs = set()
        for k in range(1, 50):
            probe = tuning.probe(k)
            signs.add(probe.signs["a.y"])
            for point in (probe.plus, probe.minus):
                self.assertTrue(0 <= point["a.x"] <= 3)
            self.assertEqual((probe.plus["a.y"] > 500) - (probe.plus["a.y"] < 500), probe.signs["a.y"])
            self.assertAlmostEqual(probe.plus["a.y"] + probe.minus["a.y"], 1000, delta=1)
        self.assertEqual(signs, {-1, 1})

    def test_table(self) -> None:
        rows = read_parameters(["readyok", "info string tune a.b 5 -1 10 0.5"])
        self.assertEqual(rows, [Parameter("a.b", 5, -1, 10, 0.5)])
        for line, expected in (
            ("info string tune a.b 5 -1 10", "expected 'info string tune"),
            ("info string tune a.b 11 -1 10 1", "in the range"),
        ):
            with self.subTest(line=line), self.assertRaisesRegex(UsageError, expected):
                read_parameters([line])


TABLE = """while read -r word; do case $word in
tune) echo info string tune test.value 48 0 100 4;;
quit) exit;;
esac; done"""
# The point whose value is at least 50 wins both games of a pair, the other one loses them.
SCORE = """for word; do case $word in
name=*) name=${word#name=};;
option.test.value=*) eval "$name=$((${word#*=} >= 50))";;
-rounds) rounds=next;;
*) test "$rounds" = next && rounds=$word;;
esac; done
wins=$((2 * rounds * plus * (1 - minus))) losses=$((2 * rounds * minus * (1 - plus)))"""


class WholeRun(InFolder):
    """The value starts at 48 with a step of 4, and wins from 50 on."""

    def setUp(self) -> None:
        super().setUp()
        fastchess = self.fastchess(fastchess_report("$wins", 0, "$losses", "0, 0, 1, 0, 0"), SCORE)
        engine, book = self.program("engine", TABLE), self.write("book.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n")
        self.words = ("--engine", engine, "--book", book, "--fastchess", fastchess, "--state", self.path("s.json"))

    def state(self) -> dict[str, object]:
        data: dict[str, object] = json.loads(Path(self.path("s.json")).read_text())
        return data

    def value(self) -> float:
        values = self.state()["values"]
        assert isinstance(values, dict)
        return float(values["test.value"])

    def test_value_rises_while_rising_wins_and_resume_continues(self) -> None:
        words = (*self.words, "--pairs", "24", "--batch", "5", "--r-end", "0.5", "--nodes", "100")
        done = run_script("spsa.py", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.state()["finished"], 24)
        self.assertIn("test.value", done.stdout)
        # The last batch has four pairs, and its first opening is the 21st.
        given = self.fastchess_arguments()
        self.assertEqual(given[given.index("-rounds") + 1], "4")
        self.assertTrue({"start=21", "nodes=100", "name=plus", "name=minus"} <= set(given))
        self.assertEqual(run_script("spsa.py", *words).returncode, 2)
        before = self.value()
        self.assertGreater(before, 50)
        again = run_script("spsa.py", *words, "--resume")
        self.assertEqual((again.returncode, self.value()), (0, before))
        other = run_script("spsa.py", *words, "--resume", "--seed", "9")
        self.assertEqual(other.returncode, 2)
        self.assertIn("seed was 1, now 9", other.stderr)

    def test_perturbation_belongs_to_the_tuning(self) -> None:
        words = (*self.words, "--pairs", "2", "--push", "2.5")
        self.assertEqual(run_script("spsa.py", *words).returncode, 0)
        rows = self.state()["parameters"]
        assert isinstance(rows, list)
        self.assertEqual([row["step"] for row in rows], [10.0])
        positive, another = "must be positive numbers", "belongs to another tuning"
        for other, complaint in (
            (("--push", "0"), positive), (("--push", "nan"), positive), (("--r-end", "inf"), positive),
            (("--resume", "--push", "3"), another),
        ):  # fmt: skip
            with self.subTest(other=other):
                refused = run_script("spsa.py", *words, *other)
                self.assertEqual(refused.returncode, 2)
                self.assertIn(complaint, refused.stderr)

    def test_a_fault_is_shown_and_fails(self) -> None:
        fault = "Finished game 1 (plus vs minus): 0-1 {White makes an illegal move}"
        self.fastchess(fastchess_report(0, 0, 2, "1, 0, 0, 0, 0") + f"{fault}\n")
        done = run_script("spsa.py", *self.words, "--pairs", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"fastchess: {fault}\n", done.stdout)

    def test_not_a_tuning_build(self) -> None:
        self.program("engine", "exec cat")
        done = run_script("spsa.py", *self.words)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is it a tuning build?", done.stderr)
