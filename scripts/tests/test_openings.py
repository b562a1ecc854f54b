"""Openings: what a line means, the order of lines, and errors that name the line."""

from __future__ import annotations

import unittest

from support import InFolder

from lib.cli import UsageError
from lib.openings import board_of, load_openings

import chess

PLAIN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
ENDGAME = "4k3/2r1P2p/6p1/pn1R4/5PP1/B6P/3N3K/8 b - -"


class Epd(unittest.TestCase):
    def test_fields(self) -> None:
        for line, clocks in (
            (f"{PLAIN}", "0 1"),
            (f"{PLAIN} 7 42", "7 42"),
            (f"{PLAIN} hmvc 3; fmvn 12;", "3 12"),
            (f"{PLAIN} fmvn 12; hmvc 3;", "3 12"),
            (f'{PLAIN} id "x 5 9"; bm Nf3;', "0 1"),
            (f"{PLAIN} 99 80 ; comment", "99 80"),
        ):
            with self.subTest(line=line):
                self.assertEqual(board_of(line).fen(en_passant="fen"), f"{PLAIN} {clocks}")

    def test_too_short(self) -> None:
        with self.assertRaisesRegex(ValueError, "2 fields; expected 4"):
            board_of("8/8/8/8/8/8/8/8 w")


class Files(InFolder):
    def test_epd_with_and_without_clocks(self) -> None:
        path = self.write("b.epd", f"# comment\n{PLAIN}\n\n{ENDGAME} 12 47\n")
        book = load_openings(path, False, None)
        self.assertEqual([book.opening(n).fen for n in range(3)], [f"{PLAIN} 0 1", f"{ENDGAME} 12 47", f"{PLAIN} 0 1"])
        self.assertEqual(book.opening(1).name, "b.epd:4")

    def test_order_depends_on_the_seed_only_and_uses_every_line_once(self) -> None:
        path = self.write("b.epd", "".join(f"{PLAIN} 0 {n}\n" for n in range(1, 101)))
        first = [load_openings(path, False, 5).opening(n).fen for n in range(100)]
        again = [load_openings(path, False, 5).opening(n).fen for n in range(100)]
        other = [load_openings(path, False, 6).opening(n).fen for n in range(100)]
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(len(set(first)), 100)

    def test_errors_name_the_line(self) -> None:
        for text, expected in (
            ("8/8/8/8/8/8/8/8 w - -", "b.epd:1: illegal position"),
            (f"{PLAIN}x", "b.epd:1: "),
            ("7k/5Q2/5K2/8/8/8/8/8 b - -", "the game is over"),
            ("nrbbkqnr/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQNR w HBhb -", "--variant chess960"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(UsageError, expected):
                load_openings(self.write("b.epd", text + "\n"), False, 1).opening(0)
        with self.assertRaisesRegex(UsageError, "no opening"):
            load_openings(self.write("b.epd", "\n"), False, 1)

    def test_chess960(self) -> None:
        path = self.write("b.epd", "nrbbkqnr/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQNR w HBhb - 0 1\n")
        board = chess.Board(load_openings(path, True, 1).opening(0).fen, chess960=True)
        self.assertEqual(board.castling_rights, chess.BB_B1 | chess.BB_H1 | chess.BB_B8 | chess.BB_H8)
        without = load_openings(None, True, 1)
        self.assertEqual(len({without.opening(n).fen for n in range(without.size)}), 960)

    def test_pgn(self) -> None:
        path = self.write("b.pgn", '[Event "x"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 *\n\n'
                          f'[SetUp "1"]\n[FEN "{ENDGAME} 12 47"]\n\n47... Kf7 48. e8=Q+ *\n')  # fmt: skip
        book = load_openings(path, False, None)
        self.assertEqual((book.opening(0).fen, book.opening(0).moves), (chess.STARTING_FEN, ("e2e4", "e7e5", "g1f3")))
        self.assertEqual((book.opening(1).fen, book.opening(1).moves), (f"{ENDGAME} 12 47", ("e8f7", "e7e8q")))

    def test_illegal_move_in_a_pgn_is_named(self) -> None:
        with self.assertRaisesRegex(UsageError, "game 1"):
            load_openings(self.write("b.pgn", "1. e4 e5 2. Ke3 *\n"), False, None)

    def test_without_a_book(self) -> None:
        self.assertEqual(load_openings(None, False, 1).opening(7).fen, chess.STARTING_FEN)


if __name__ == "__main__":
    unittest.main()
