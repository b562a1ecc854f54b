"""The choice of positions, the figure itself, and a run with engines that stand in for referee and network."""

from __future__ import annotations

import json
from pathlib import Path

from support import InFolder, run_script

# The referee: 120 centipawns for the side to move. The network: half of that; it can load no other.
REFEREE = """while read -r word rest; do case $word in
uci) echo uciok;; isready) echo readyok;; go) echo info depth 1 score cp 120 nodes 1; echo bestmove e2e4;;
esac; done"""
NETWORK = """while read -r word rest; do case $word in
uci) echo uciok;; isready) echo readyok;; setoption) echo "info string error: cannot use EvalFile: broken";;
position) fen=$rest;; eval) case $fen in *" w "*) value=+0.60;; *) value=-0.60;; esac; echo "Network: $value for White";;
esac; done"""
GAME = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4 7. Nxd4 c5 8. Nb3 Qxd1 9. Rxd1 Bg4 10. f3 *"


class EvalQuality(InFolder):
    def test_one_position_of_seven_plies_unless_it_is_noisy(self) -> None:
        from eval_quality import quiet_positions

        pgn = Path(self.write("games.pgn", GAME + "\n"))
        # After ply 5 Black plays a6; after 12 White recaptures; after 19 the game ends.
        self.assertEqual(quiet_positions(pgn, 10, 1), ["r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"])

    def test_the_share_that_is_unexplained(self) -> None:
        from eval_quality import unexplained

        scores = [-240, -120, 0, 120, 240]
        self.assertLess(unexplained([score / 77 for score in scores], scores), 1e-6)
        self.assertAlmostEqual(unexplained([0.0] * 5, scores), 1)
        self.assertGreater(unexplained([1.0, -1.0, 0.0, 1.0, -1.0], scores), 0.3)

    def test_a_network_that_agrees_with_the_referee_and_scores_that_are_kept(self) -> None:
        games = self.write("games.pgn", f"{GAME}\n\n{GAME.replace('3. Bb5 a6', '3. Nc3 Nf6 4. d3 d6 5. Be2 Be7 *')}\n")
        scores, referee, network = self.path("scores.jsonl"), self.program("referee", REFEREE), self.program("net", NETWORK)
        Path(scores).write_text(
            "".join(json.dumps({"fen": f"8/8/8/8/8/5k2/8/5K1R {side} - - 0 1", "score": score}) + "\n"
                    for side, score in (("w", 120), ("b", -120)))
        )  # fmt: skip
        done = run_script("eval_quality.py", "--engine", network, "--scores", scores)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout.splitlines()[1], r"^built-in +0\.0000 +- +- +0\.0000$")

        new = self.path("new.jsonl")
        words = ("--engine", network, "--referee", referee, "--scores", new, "--jobs", "2")
        self.assertEqual(run_script("eval_quality.py", games, *words).returncode, 0)
        kept = [json.loads(line) for line in Path(new).read_text().splitlines()]
        self.assertTrue(kept)
        self.assertTrue(all(position["score"] == (120 if " w " in position["fen"] else -120) for position in kept))
        self.assertEqual(run_script("eval_quality.py", *words).returncode, 0)

    def test_errors(self) -> None:
        empty = self.write("empty.pgn", "")
        scores = self.write("scores.jsonl", json.dumps({"fen": "8/8/8/8/8/5k2/8/5K1R w - - 0 1", "score": 1}) + "\n")
        for words, message in (
            ((), "no games (name a PGN, or --scores with a file that exists)"),
            ((self.path("none.pgn"),), "none.pgn"),
            ((empty,), "no quiet positions"),
            (("--scores", scores, "--engine", self.program("net", NETWORK), "--net", "a.net"), "cannot use EvalFile: broken"),
            (("--scores", self.write("bad.jsonl", "{}\n")), "bad.jsonl: expected a 'fen' and a 'score' in line '{}'"),
            (("--scores", scores, "--engine", "/nonexistent"), "cannot start /nonexistent"),
        ):
            with self.subTest(words=words):
                done = run_script("eval_quality.py", *words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)
