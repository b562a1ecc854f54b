"""Random combinations: the model on results with known effects, and whole runs with a stand-in for fastchess."""

from __future__ import annotations

import json
import random
import resource
import unittest
from pathlib import Path

from support import InFolder, fastchess_report, run_script

from combinations import ELO_PER_SCORE, Batch, Change, Model

EFFECTS = {"good": 12.0, "bad": -9.0, "nothing": 0.0}


class Regression(unittest.TestCase):
    def test_finds_the_effects(self) -> None:
        model = Model([Change(name, (), 0.0) for name in EFFECTS], 20.0)
        rng = random.Random(1)
        for first in range(3000):
            sides = tuple(tuple(name for name in EFFECTS if rng.random() < 0.5) for _ in range(2))
            elo = sum(EFFECTS[name] * ((name in sides[0]) - (name in sides[1])) for name in EFFECTS)
            # Two games: each is won, drawn or lost with a chance that makes this difference.
            chance = 0.5 + elo / ELO_PER_SCORE
            points = sum(rng.random() < chance for _ in range(4))
            model.batches.append(Batch(first, (sides[0], sides[1]), tuple(int(points == place) for place in range(5))))
        means, deviations = model.posterior()
        for mean, deviation, effect in zip(means, deviations, EFFECTS.values(), strict=True):
            self.assertLess(abs(mean - effect), 3 * deviation)
            self.assertLess(deviation, 6)

    def test_without_games_the_prior_is_left(self) -> None:
        model = Model([Change("a", (), 2.0), Change("b", (), -5.0)], 6.0)
        self.assertEqual(model.posterior(), ([2.0, -5.0], [6.0, 6.0]))

    def test_what_is_behind_is_drawn_less(self) -> None:
        model = Model([Change("even", (), 0.0), Change("behind", (), -5.0)], 6.0)
        rng = random.Random(1)
        drawn = [side for _ in range(500) for side in model.draw(rng)]
        for name, share in (("even", 0.5), ("behind", 0.25)):
            self.assertAlmostEqual(sum(name in side for side in drawn) / len(drawn), share, delta=0.06)


CHANGES = '[good]\noptions = { "a.b" = 3, "a.c" = 4 }\nprior = 2\n[other]\noptions = { "d.e" = 1 }\n'
# The side with the change wins all games of a batch.
SCORE = """for word; do case $word in
name=*) name=${word#name=};;
option.a.b=3) eval "$name=1";;
-rounds) rounds=next;;
*) test "$rounds" = next && rounds=$word;;
esac; done
won=$((first * (1 - second) * rounds)) lost=$((second * (1 - first) * rounds)) even=$((rounds - won - lost))"""


class WholeRun(InFolder):
    def setUp(self) -> None:
        super().setUp()
        fastchess = self.fastchess(fastchess_report("$won", 0, "$lost", "$lost, 0, $even, 0, $won"), SCORE)
        self.book = self.write("book.epd", "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n" * 60)
        self.words = [
            *(self.write("changes.toml", CHANGES), "--engine", "castellan", "--book", self.book),
            *("--fastchess", fastchess, "--state", self.path("state"), "--option", "Hash=32"),
        ]

    def test_runs_continue_and_show_what_wins(self) -> None:
        first = run_script("combinations.py", *self.words, "--pairs", "6")
        self.assertEqual((first.returncode, first.stdout.splitlines()[-1]), (0, "6 pairs of games"))
        done = run_script("combinations.py", *self.words, "--pairs", "60")
        rows = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual((rows[1][0], rows[2][0]), ("good", "other"))
        self.assertGreater(float(rows[1][1]), 5)
        self.assertEqual(run_script("combinations.py", *self.words, "--show").stdout, done.stdout)
        batches = [json.loads(line) for line in Path(self.path("state")).read_text().splitlines()[1:]]
        self.assertEqual([batch["first"] for batch in batches], [1, 5, *range(7, 61, 4)])
        given = self.fastchess_arguments()
        self.assertIn("start=59", given)
        for side in batches[-1]["sides"]:
            wanted = ["option.a.b=3", "option.a.c=4"] if "good" in side else []
            at = given.index("name=first" if side is batches[-1]["sides"][0] else "name=second")
            self.assertEqual([word for word in given[at + 4 :][: len(wanted)] if wanted], wanted)

    def test_a_full_disk_loses_one_batch(self) -> None:
        """A limit on the size of files stands in for it."""
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, limits)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, limits[1]))
        full = run_script("combinations.py", *self.words, "--pairs", "60", "--batch", "1")
        self.assertEqual(full.returncode, 2)
        self.assertIn("File too large", full.stderr)
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        self.assertGreater(len(Path(self.path("state")).read_text().splitlines()), 10)
        done = run_script("combinations.py", *self.words, "--pairs", "60")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "60 pairs of games"))

    def test_what_cannot_be_judged_is_refused(self) -> None:
        settings = ["castellan", "8000 nodes", "Hash=32", "book.epd", "seed 1", "good a.b=3 a.c=4", "other d.e=1"]
        changed = CHANGES.replace('"d.e" = 1', '"d.e" = 2')
        for words, expected in (
            ([*self.words, "--pairs", "61"], "has 60 openings, too few for 61 pairs"),
            ([self.write("empty.toml", ""), *self.words[1:]], "has no change"),
            ([self.write("bad.toml", "[a]\nprior = 1"), *self.words[1:]], "expected tables with 'options'"),
            ([*self.words[:-1], "Hash=64"], "games with other settings"),
            ([self.write("changed.toml", changed), *self.words[1:]], "games with other settings or changes"),
        ):
            Path(self.path("state")).write_text(json.dumps(settings) + "\n")
            done = run_script("combinations.py", *words)
            with self.subTest(expected=expected):
                self.assertEqual(done.returncode, 2)
                self.assertIn(expected, done.stderr)
