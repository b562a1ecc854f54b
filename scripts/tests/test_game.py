"""The parts of a game: limits and clocks, `info` lines, legality, endings, adjudication, PGN, engine descriptions."""

from __future__ import annotations

import io
import random
import time
import unittest

import support  # noqa: F401  (makes lib importable)

from lib.cli import UsageError
from lib.engines import NS_PER_MS, NS_PER_S, EngineSpec, Limit, parse_engine
from lib.game import Clock, GameJob, PlayedMove, Rules, game_to_pgn, go_command, last_score, variations
from lib.openings import Opening
from lib.rules import Adjudication, Adjudicator, Ending, PvChecker, ending, legal_move

import chess
import chess.pgn
from chess.engine import Cp, Mate


class Clocks(unittest.TestCase):
    def test_parse(self) -> None:
        self.assertEqual(Limit.parse(tc="4+0.04"), Limit(4 * NS_PER_S, 40 * NS_PER_MS))
        self.assertEqual(Limit.parse(tc="60+0.5", nodes="9"), Limit(60 * NS_PER_S, NS_PER_S // 2, 9))
        self.assertEqual(Limit.parse(nodes="9"), Limit(nodes=9))
        for bad in ({"tc": "x"}, {"tc": "0"}, {"tc": "-1"}, {"tc": "nan"}, {"tc": "1+"}, {"tc": "40/5"}, {"nodes": "0"},
                    {"nodes": "x"}, {}):  # fmt: skip
            with self.subTest(bad=bad), self.assertRaises(UsageError):
                Limit.parse(**bad)

    def test_flag_falls_exactly_at_zero(self) -> None:
        limit = Limit.parse(tc="1+0.5")
        self.assertTrue(Clock(limit).charge(NS_PER_S, 0))
        self.assertFalse(Clock(limit).charge(NS_PER_S + 1, 0))
        self.assertTrue(Clock(limit).charge(NS_PER_S + 1, 1))

    def test_increment(self) -> None:
        clock = Clock(Limit.parse(tc="10+1"))
        clock.charge(3 * NS_PER_S, 0)
        self.assertEqual(clock.remaining_ns, 8 * NS_PER_S)
        clock.charge(8 * NS_PER_S, 0)
        self.assertEqual(clock.remaining_ns, NS_PER_S)

    def test_go(self) -> None:
        white, black = Clock(Limit.parse(tc="4+0.04")), Clock(Limit.parse(nodes="500"))
        white.charge(NS_PER_MS // 2, 0)
        # Rounded down: 4000 ms - 0.5 ms + 40 ms.
        self.assertEqual(go_command(white, black, True), "go wtime 4039 winc 40")
        self.assertEqual(go_command(white, black, False), "go nodes 500")
        both = Clock(Limit.parse(tc="1+0"))
        self.assertEqual(go_command(both, both, False), "go wtime 1000 winc 0 btime 1000 binc 0")


class InfoLines(unittest.TestCase):
    def test_last_exact_score_of_the_main_line(self) -> None:
        lines = [
            b"info depth 5 score cp 31 nodes 9 pv e2e4",
            b"info depth 6 multipv 2 score cp -90 pv a2a3",
            b"info depth 6 score cp 77 lowerbound nodes 12",
            b"info string score cp 999",
        ]
        self.assertEqual(last_score(lines), (Cp(31), 5))
        self.assertEqual(last_score(lines[2:]), (Cp(77), 6))
        self.assertEqual(last_score([b"info depth 9 score mate -3 pv e2e4"]), (Mate(-3), 9))
        self.assertEqual(last_score([b"info score cp x", b"bestmove e2e4", b"\xff"]), (None, None))

    def test_variations(self) -> None:
        lines = [
            b"info depth 1 pv e2e4 e7e5\r",
            b"info depth 2 pv e2e4 e7e5\r",
            b"info string see pv d2d4",
            b"info multipv 2 pv d2d4",
        ]
        self.assertEqual(variations(lines), [["e2e4", "e7e5"], ["d2d4"]])


class Legality(unittest.TestCase):
    def test_notation(self) -> None:
        standard = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        chess960 = chess.Board(standard.fen(), chess960=True)
        for text, in_standard, in_chess960 in (
            ("e1g1", True, False), ("e1h1", False, True), ("e1f1", True, True), ("E1F1", False, False),
            ("0000", False, False), ("a1a1", False, False), ("", False, False), ("N@e4", False, False), ("a1a8q", False, False),
        ):  # fmt: skip
            with self.subTest(text=text):
                self.assertEqual(legal_move(standard, text) is not None, in_standard)
                self.assertEqual(legal_move(chess960, text) is not None, in_chess960)

    def test_promotion_needs_its_letter(self) -> None:
        board = chess.Board("8/P6k/8/8/8/8/7K/8 w - - 0 1")
        self.assertIsNone(legal_move(board, "a7a8"))
        self.assertIsNotNone(legal_move(board, "a7a8n"))

    def test_checker_agrees_with_a_fresh_board_along_random_games(self) -> None:
        rng = random.Random(2)
        for chess960 in (False, True):
            board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
            checker = PvChecker(board)
            previous: list[str] = []
            checked = {True: 0, False: 0}
            for _ in range(60):
                if board.is_game_over():
                    break
                for _ in range(6):
                    line = self.random_line(board, rng, previous)
                    expected = self.first_illegal(board, line)
                    self.assertEqual(checker.first_illegal(line), expected, (board.fen(), line))
                    checked[expected is None] += 1
                    previous = line
                first = previous[0] if previous and self.first_illegal(board, previous[:1]) is None else None
                move = board.parse_uci(first) if first else rng.choice(list(board.legal_moves))
                checker.advance(board.uci(move))
                board.push(move)
                previous = previous[1:] if first else []
            self.assertGreater(checked[True], 50)
            self.assertGreater(checked[False], 50)

    @staticmethod
    def random_line(board: chess.Board, rng: random.Random, previous: list[str]) -> list[str]:
        """A line that mostly begins like the one before and often ends in illegal moves."""
        copy = board.copy(stack=False)
        line: list[str] = []
        for text in previous[: rng.randrange(len(previous) + 1)]:
            if legal_move(copy, text) is None:
                break
            copy.push_uci(text)
            line.append(text)
        for _ in range(rng.randrange(1, 6)):
            if not any(copy.legal_moves):
                break
            move = rng.choice(list(copy.legal_moves))
            line.append(copy.uci(move))
            copy.push(move)
        if rng.random() < 0.5:
            line.append(chess.Move(rng.randrange(64), rng.randrange(64)).uci())
            line += line[:1]
        return line

    @staticmethod
    def first_illegal(board: chess.Board, line: list[str]) -> int | None:
        copy = board.copy(stack=False)
        for index, text in enumerate(line):
            if text not in {copy.uci(move) for move in copy.legal_moves}:
                return index
            copy.push_uci(text)
        return None


class Endings(unittest.TestCase):
    def ending(self, fen: str, *moves: str) -> str | None:
        board = chess.Board(fen)
        for index, text in enumerate(moves):
            self.assertIsNone(ending(board), f"before {text}, move {index + 1}")
            board.push_uci(text)
        end = ending(board)
        return None if end is None else f"{end.result} {end.reason}"

    def test_endings(self) -> None:
        shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
        for fen, moves, expected in (
            (chess.STARTING_FEN, ("f2f3", "e7e5", "g2g4", "d8h4"), "0-1 Black mates"),
            ("7k/8/5QK1/8/8/8/8/8 w - - 0 1", ("f6f7",), "1/2-1/2 stalemate"),
            ("8/8/4k3/8/8/3rK3/8/8 w - - 0 1", ("e3d3",), "1/2-1/2 insufficient material"),
            (chess.STARTING_FEN, shuffle * 2, "1/2-1/2 threefold repetition"),
            (chess.STARTING_FEN, shuffle, None),
            # The castling rights are lost on the way: the position has occurred twice only.
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", ("e1e2", "e8e7", "e2e1", "e7e8") * 2, None),
            ("8/8/4k3/8/8/3QK3/8/8 w - - 98 80", ("d3d4",), None),
            ("8/8/4k3/8/8/3QK3/8/8 w - - 99 80", ("d3d4",), "1/2-1/2 50-move rule"),
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 99 80", ("f7g7",), "1-0 White mates"),
        ):
            with self.subTest(fen=fen, moves=moves):
                self.assertEqual(self.ending(fen, *moves), expected)


class Adjudicating(unittest.TestCase):
    def run_scores(self, rules: Adjudication, *scores: int) -> list[str | None]:
        judge = Adjudicator(rules)
        endings = [judge.after_move(index % 2 == 0, Cp(cp)) for index, cp in enumerate(scores)]
        return [end.result if end else None for end in endings]

    def test_off_by_default(self) -> None:
        self.assertEqual(set(self.run_scores(Adjudication(), *([0] * 400))), {None})

    def test_resign_needs_both_for_the_whole_time(self) -> None:
        rules = Adjudication(resign=(2, 500))
        self.assertEqual(self.run_scores(rules, 600, -500, 700, -900), [None, None, None, "1-0"])
        self.assertEqual(self.run_scores(rules, 600, -500, 499, -900, 600, -600), [None] * 6)
        self.assertEqual(self.run_scores(rules, -600, 500, -700, 900)[-1], "0-1")

    def test_draw_waits_for_its_move(self) -> None:
        rules = Adjudication(draw=(3, 1, 5))
        self.assertEqual(self.run_scores(rules, 0, 5, -5, 0, 0, 0), [None] * 5 + ["1/2-1/2"])
        self.assertEqual(self.run_scores(rules, 0, 0, 0, 0, 0, 6), [None] * 6)


class PgnText(unittest.TestCase):
    def test_python_chess_reads_everything_back(self) -> None:
        limit = Limit.parse(tc="4+0.04")
        opening = Opening("4k3/P7/8/8/8/8/8/4K2R b K - 3 40", ("e8d7",), "book:7")
        job = GameJob(6, 4, EngineSpec("A", ("a",), limit), EngineSpec("B", ("b",), limit), opening, Rules())
        moves = [
            PlayedMove(chess.Move.from_uci("e8d7")),
            PlayedMove(chess.Move.from_uci("e1g1"), Cp(123), 9, 3_961_500_000, 78_900_000),
            PlayedMove(chess.Move.from_uci("d7c7"), Cp(456), 8, 4_000_000_000, 40_000_000),
            PlayedMove(chess.Move.from_uci("a7a8n"), Mate(-2), 3, 1_000_000, 0),
        ]
        text = game_to_pgn(job, Ending("0-1", "White: time loss", "time forfeit"), moves, time.gmtime(0))
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        self.assertEqual(game.errors, [])
        self.assertEqual(game.headers["FEN"], opening.fen)
        self.assertEqual(
            (game.headers["SetUp"], game.headers["Termination"], game.headers["Result"]), ("1", "time forfeit", "0-1")
        )
        self.assertEqual((game.headers["Round"], game.headers["Opening"]), ("4.7", "book:7"))
        nodes = list(game.mainline())
        self.assertEqual([node.move for node in nodes], [played.move for played in moves])
        self.assertEqual([node.eval_depth() for node in nodes], [None, 9, 8, 3])
        self.assertEqual([str(node.eval().white()) if node.eval() else None for node in nodes],  # type: ignore[union-attr]
                         [None, "+123", "-456", "#-2"])  # fmt: skip
        self.assertEqual([node.clock() for node in nodes], [None, 3.961, 4.0, 0.001])
        self.assertEqual(nodes[1].emt(), 0.078)
        self.assertTrue(text.rstrip().endswith("0-1"))

    def test_quotes_in_a_name_are_escaped(self) -> None:
        limit = Limit.parse(nodes="1")
        a, b = EngineSpec('the "A"', ("a",), limit), EngineSpec("B\\", ("b",), limit)
        job = GameJob(0, 1, a, b, Opening(chess.STARTING_FEN), Rules())
        text = game_to_pgn(job, Ending("1/2-1/2", "adjudicated", "adjudication"), [], time.gmtime(0))
        self.assertIn('[White "the \\"A\\""]\n[Black "B\\\\"]', text)
        self.assertNotIn("[FEN", text)


class Descriptions(unittest.TestCase):
    def test_engine(self) -> None:
        spec = parse_engine(["cmd=./a --x 'b c'", "name=A", "option.Move Overhead=5"], ["tc=4", "option.Hash=8"])
        self.assertEqual((spec.command, spec.limit), (("./a", "--x", "b c"), Limit(4 * NS_PER_S)))
        self.assertEqual(spec.options, {"Move Overhead": "5", "Hash": "8"})
        own = parse_engine(["cmd=a", "nodes=5", "option.Hash=1"], ["tc=4", "option.Hash=8"])
        self.assertEqual((own.limit, own.options), (Limit(nodes=5), {"Hash": "1"}))
        for words in (["name=A"], ["cmd=a", "colour=white"], ["cmd=a", "x"], ["cmd="]):
            with self.subTest(words=words), self.assertRaises(UsageError):
                parse_engine(words, ["tc=1"])


if __name__ == "__main__":
    unittest.main()
