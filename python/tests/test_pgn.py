"""PGN files against python-chess."""

from __future__ import annotations

import gzip
import io
import random
from pathlib import Path

import castellan as c
from checks.random_games import COMMENTS, EVALUATIONS, annotated_game

import chess.pgn
import pytest
import zstandard


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
    # It has the moves up to the illegal one.
    pgn = io.StringIO(BROKEN)
    _, theirs = chess.pgn.read_game(pgn), chess.pgn.read_game(pgn)
    assert error.record and theirs and error.record.sans == [node.san() for node in theirs.mainline()]
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


def test_open_and_compressed_files(tmp_path: Path) -> None:
    text = "".join(f'[White "Ä{number}"]\n\n1. e4 e5 *\n\n' for number in range(5000))
    plain, packed, zstandard_packed = (tmp_path / name for name in ("a.pgn", "a.pgn.gz", "a.pgn.zst"))
    plain.write_text(text, "utf-8")
    packed.write_bytes(gzip.compress(text.encode()))
    zstandard_packed.write_bytes(zstandard.compress(text.encode()))
    expected = [f"Ä{number}" for number in range(5000)]
    with plain.open("rb") as binary, plain.open(encoding="utf-8") as opened:
        for source in (plain, packed, str(packed), zstandard_packed, binary, opened, io.StringIO(text)):
            assert [record.tags["White"] for record in c.read_pgn(source)] == expected
    (latin,) = c.parse_pgn('[White "Jörg"]\n\n1. e4 *'.encode("latin-1"))
    assert latin.tags["White"] == "Jörg"
    with plain.open() as closed:
        pass
    with pytest.raises(ValueError, match="closed"):
        next(c.read_pgn(closed))


def test_records_are_written_as_python_chess_reads_them() -> None:
    rng = random.Random(3)
    for _ in range(50):
        theirs = annotated_game(rng, COMMENTS + EVALUATIONS)
        record = c.Record(str(theirs))

        def copied(line: c.Line) -> c.Line:
            nodes = []
            for node in line.moves:
                variations = [copied(variation) for variation in node.variations]
                node = c.Node(
                    node.before,
                    node.move,
                    nags=node.nags,
                    comment=node.comment,
                    eval=node.eval,
                    mate=node.mate,
                    clock=node.clock,
                    variations=variations,
                )
                nodes.append(node)
            return c.Line(line.start, nodes, line.comment)

        outcome = record.game().outcome
        if outcome and outcome.result != record.result:
            continue
        built = c.Record.from_line(copied(record.line), record.tags, record.result)
        assert built == record
        if not record.line.moves:
            continue
        first, *others = record.line.moves
        alternative = next(move for move in first.before.legal_moves() if move != first.move)
        variation = c.Line(first.before, [alternative])
        changed = first.replace(comment="new", nags=[3], variations=[*first.variations, variation])
        text = c.Record.from_line(c.Line(first.before, [changed, *others])).pgn()
        read = chess.pgn.read_game(io.StringIO(text))
        assert read and not read.errors
        main, *rest = read.variations
        assert main.comment.endswith("new") and main.nags == {3}
        assert read.board().uci(rest[-1].move) == str(alternative)


def test_what_no_line_can_have() -> None:
    start = c.Position()
    with pytest.raises(c.MoveError):
        c.Line(start, ["e4", "e4"])
    with pytest.raises(ValueError, match="not one of"):
        c.Line(start, ["e4", c.Node(start, "d4")])
    with pytest.raises(ValueError, match="alternative"):
        c.Node(start, "e4", variations=[c.Line(start.play("e4"), ["e5"])])
    with pytest.raises(ValueError, match="in check"):
        c.Node(c.Position("4k3/8/8/8/8/8/8/4K2r w"), None)
    with pytest.raises(ValueError, match="found 'x'"):
        c.Record.from_line(c.Line(start, []), result="x")
    with pytest.raises(TypeError):
        c.Node(start, "e4").replace(remark="?")  # type: ignore[call-arg]
    for value in ({"eval": 0.5, "mate": 3}, {"eval": float("nan")}):
        with pytest.raises(ValueError, match="either a finite eval or mate"):
            c.Node(start, "e4", **value)  # type: ignore[arg-type]
    for pawns in (20000.0, -10000.0, 9999.999):
        with pytest.raises(ValueError, match="an eval between"):
            c.Node(start, "e4", eval=pawns)
    with pytest.raises(ValueError, match="in at least one move"):
        c.Node(start, "e4", mate=0)
    line = c.Line(start, [c.Node(start, "d4", eval=-9999.99)])
    for _ in range(50):
        line = c.Line(start, [c.Node(start, "e4", variations=[line])])
    deepest = c.Record.from_line(line)
    assert c.Record(deepest.pgn()) == deepest and "[%eval -9999.99]" in deepest.pgn()
    with pytest.raises(ValueError, match="more than 50 deep"):
        c.Node(start, "e4", variations=[line])
    mate = c.Node(start, "e4", mate=3)
    assert (mate.replace(eval=0.5).eval, mate.replace(eval=0.5).mate) == (0.5, None)
    assert (mate.replace(eval=0.5).replace(mate=2).eval, mate.replace(comment="x").mate) == (None, 3)


def test_a_result_is_kept_and_contradicts_no_end() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    record = c.Record(f'[White "Ann"]\n[Result "1-0"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. e4 1-0\n')
    assert record.tags == {"White": "Ann"}
    game, tags = record.game(), {**record.tags, "Result": "1-0", "FEN": fen, "SetUp": "1"}
    for made in (
        c.Record.from_line(record.line, tags),
        c.Record.from_line(record.line, record.tags, "1-0"),
        c.Record.from_game(game, tags),
        c.Record.from_game(game, record.tags, result="1-0"),
    ):
        assert made == record
        assert chess.pgn.read_game(io.StringIO(made.pgn())).headers["Result"] == "1-0"  # type: ignore[union-attr]
        assert made.tags == record.tags
    with pytest.raises(ValueError, match="the result is 1-0, found '0-1'"):
        c.Record.from_game(game, tags, "0-1")
    with pytest.raises(ValueError, match="expected 1-0, 0-1, "):
        c.Record.from_game(game, {"Result": "won"})
    mate = c.Game(moves=["f3", "e5", "g4", "Qh4"])
    fivefold = c.Game(moves=["Nf3", "Nf6", "Ng1", "Ng8"] * 4)
    for ended, result, others in ((mate, "0-1", ("1-0", "1/2-1/2")), (fivefold, "1/2-1/2", ("1-0", "0-1"))):
        line = c.Line(ended.start, ended.moves)
        for tag in (result, "*"):
            assert c.Record.from_game(ended, {"Result": tag}).result == result
            assert c.Record.from_line(line, {"Result": tag}).result == result
        for tag in others:
            refusal = f"the result is {result}, found '{tag}'"
            with pytest.raises(ValueError, match=refusal):
                c.Record.from_game(ended, {"Result": tag})
            with pytest.raises(ValueError, match=refusal):
                c.Record.from_line(line, result=tag)


def test_a_tag_that_pgn_cannot_have_is_refused() -> None:
    game = c.Game()
    for name in ("White Elo", "_x", "", "Zürich", 'a"b', "a\nb"):
        with pytest.raises(ValueError, match="invalid tag '"):
            c.Record.from_game(game, {name: "x"})
        with pytest.raises(ValueError, match="expected a name of letters"):
            c.Record.from_line(c.Line(game.start, []), {name: "x"})
    record = c.Record.from_game(game, {"White_2": "A\nB"})
    assert record.tags["White_2"] == c.Record(record.pgn()).tags["White_2"] == "A B"


def test_epd_as_python_chess_reads_it() -> None:
    for text in (
        '6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8 Kf2; id "Back rank.1"; c0 "Ra8=10, Kf2=4";',
        "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 12; fmvn 40; am Kd7;",
    ):
        board, operations = chess.Board.from_epd(text)
        epd = c.Epd(text)
        assert epd.position.fen() == board.fen()
        assert epd.id == operations.get("id")
        for code in ("bm", "am"):
            moves = operations.get(code, [])
            assert isinstance(moves, list)
            assert [str(move) for move in epd.moves(code)] == [str(move) for move in moves]
    # A mate is no move.
    assert c.Epd("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8 #1;").moves("bm") == [c.Move("a1a8")]
    with pytest.raises(c.MoveError):
        c.Epd("4k3/8/8/8/8/8/4P3/4K3 b - - bm e4;").moves("bm")
    with pytest.raises(ValueError, match="board 'x'"):
        c.Epd("x y z")
