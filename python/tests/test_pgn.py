"""PGN files against python-chess."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Iterator
from pathlib import Path

import castellan as c
from checks.random_games import COMMENTS, EVALUATIONS, annotated_game

import chess.pgn
import pytest


def same(ours: c.Line, theirs: chess.pgn.Game) -> None:
    """Compares a main line with that of python-chess."""
    board = theirs.board()
    node: chess.pgn.GameNode = theirs
    for played in ours.moves:
        move, *variations = node.variations
        assert (str(played.move), played.san) == (board.uci(move.move), board.san(move.move))
        assert set(played.nags) == move.nags
        assert played.clock == move.clock()
        score = move.eval()
        if score is not None:
            mate = score.white().mate()
            assert (played.eval, played.mate) == (None if mate else score.white().score(mate_score=0) / 100, mate)
        for line, other in zip(played.variations, variations, strict=True):
            assert line.sans[0] == board.san(other.move)
            assert len(line) == 1 + sum(1 for _ in other.mainline())
        board.push(move.move)
        node = move
    assert not node.variations


def test_500_games_make_the_round_trip(tmp_path: Path) -> None:
    rng = random.Random(3)
    games = [annotated_game(rng, COMMENTS + EVALUATIONS) for _ in range(500)]
    path = tmp_path / "games.pgn"
    path.write_text("\n\n".join(str(game) for game in games) + "\n")
    records = list(c.read_pgn(path))
    assert len(records) == len(games)
    for record, game in zip(records, games, strict=True):
        assert record.result == game.headers["Result"]
        assert record.tags["White"] == game.headers["White"]
        same(record.line, game)
        assert c.Record(record.pgn()) == record
        again = chess.pgn.read_game(io.StringIO(record.pgn()))
        assert again is not None
        assert list(again.mainline_moves()) == list(game.mainline_moves())
        assert again.end().board().fen() == game.end().board().fen()
        assert again.end().board().fen(en_passant="legal") == record.game().fen()
    assert list(c.parse_pgn(path.read_text())) == records


BROKEN = """[Event "one"]

1. e4 e5 *

[Event "two"]

1. e4 e5
2. Ke3 *

[Event "three"]

1. d4 *
"""


def test_an_invalid_game_does_not_end_the_file() -> None:
    errors: list[c.PgnError] = []
    assert [record.tags["Event"] for record in c.parse_pgn(BROKEN, on_error=errors.append)] == ["one", "three"]
    (error,) = errors
    assert (error.line, str(error).split(",")[0]) == (8, "game 2")
    assert "Ke3" in error.reason and "cannot move to e3" in error.reason
    reader = c.parse_pgn(BROKEN)
    next(reader)
    with pytest.raises(c.PgnError, match="game 2, line 8"):
        next(reader)
    assert next(reader).tags["Event"] == "three"
    with pytest.raises(StopIteration):
        next(reader)


def test_a_file_is_read_in_the_memory_of_a_game(tmp_path: Path) -> None:
    path = tmp_path / "endless.pgn"
    path.write_text("1. e4 e5 2. Nf3 *\n\n" * 1000)
    reader = c.read_pgn(path)
    first = next(reader)
    # What is appended later is read too: the file has not been read as a whole.
    with path.open("a") as file:
        file.write("1. c4 *\n")
    *_, last = reader
    assert (first.sans, last.sans) == (["e4", "e5", "Nf3"], ["c4"])


def test_null_moves_in_variations_are_kept_and_written() -> None:
    errors: list[c.PgnError] = []
    (record,) = c.parse_pgn("1. e4 e5 2. Nf3 (2. -- d5 {threat}) 2... Nc6 *", on_error=errors.append)
    (variation,) = record.line.moves[2].variations
    assert (variation.sans, variation.moves[0].move, variation.moves[1].comment) == (["--", "d5"], None, "threat")
    assert (errors, record.warnings) == ([], [])
    game = chess.pgn.read_game(io.StringIO(record.pgn()))
    assert game is not None and game.errors == []
    theirs = list(game.mainline())[1].variations[1]
    assert [node.move for node in (theirs, *theirs.mainline())] == [chess.Move.null(), chess.Move.from_uci("d7d5")]


def test_what_is_not_kept_of_a_variation_is_reported() -> None:
    errors: list[c.PgnError] = []
    (record,) = c.parse_pgn("1. e4 e5 2. Nf3 (2. Nf6 d5 {threat}) 2... Nc6 *", on_error=errors.append)
    assert record.pgn().splitlines()[-2] == "1. e4 e5 2. Nf3 Nc6 *"
    assert record.warnings == [str(error) for error in errors]
    assert errors[0].reason.startswith("line 1, variation cut at move 2.: illegal move 'Nf6'")


def test_an_error_has_the_moves_before_it() -> None:
    errors: list[c.PgnError] = []
    assert len(list(c.parse_pgn(BROKEN, on_error=errors.append))) == 2
    (error,) = errors
    assert error.record is not None
    assert error.record.sans == list(chess_sans(BROKEN, 1))


def chess_sans(text: str, number: int) -> Iterator[str]:
    """The moves that python-chess reads of a game, up to the illegal one."""
    pgn = io.StringIO(text)
    games = [chess.pgn.read_game(pgn) for _ in range(number + 1)]
    game = games[number]
    assert game is not None
    return (node.san() for node in game.mainline())


def test_open_and_compressed_files(tmp_path: Path) -> None:
    text = "".join(f'[White "Ä{number}"]\n\n1. e4 e5 *\n\n' for number in range(5000))
    plain, packed = tmp_path / "a.pgn", tmp_path / "a.pgn.gz"
    plain.write_text(text, "utf-8")
    packed.write_bytes(gzip.compress(text.encode()))
    expected = [f"Ä{number}" for number in range(5000)]
    with plain.open("rb") as binary, plain.open(encoding="utf-8") as opened:
        for source in (plain, packed, str(packed), binary, opened, io.StringIO(text)):
            assert [record.tags["White"] for record in c.read_pgn(source)] == expected
    with plain.open() as closed:
        pass
    with pytest.raises(ValueError, match="closed"):
        next(c.read_pgn(closed))
