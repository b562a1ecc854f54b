"""What Python expects of objects: text, equality, pickling, errors."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import castellan as c
from castellan import tridim

import pytest

DATA = Path(__file__).parents[2] / "tests/data"


def objects() -> list[object]:
    claimed = c.Game(moves=["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"])
    claimed.claim_draw()
    resigned, agreed = c.Game(moves=["e4"]), c.Game(moves=["e4"])
    resigned.resign("white")
    agreed.agree_draw()
    return [
        c.Move("e2e4"),
        c.Move("a7a8n"),
        c.Position(),
        c.Position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9"),
        c.Position.chess960_start(0),
        c.Position.chess960_start(7, 900),
        c.Game(),
        c.Game(c.Position("4k3/8/8/8/8/8/8/R3K2R"), ["O-O-O", "Ke7"]),
        claimed,
        resigned,
        agreed,
        c.Record('[White "A \\"b\\" c"]\n\n1. e4 {x} (1. d4 $1) e5 1/2-1/2'),
        tridim.Position(),
        tridim.Position(rotation=True).play("b2W-b4N"),
    ]


@pytest.mark.parametrize("value", objects(), ids=lambda value: type(value).__name__)
def test_values_are_picklable_and_readable(value: object) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.copy(value) == copy.deepcopy(value) == value
    names = {**vars(c), "Position": type(value)} if isinstance(value, tridim.Position) else vars(c)
    read = eval(repr(value), dict(names))
    # What players do besides is not among the moves.
    assert read == value or (isinstance(value, c.Game) and read.moves == value.moves)
    assert value != "something else"


def test_copies_keep_the_skipped_square_and_the_warnings() -> None:
    """An en passant capture would leave the king in check, but the square counts for a Polyglot key."""
    skipped = c.Position("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    game = c.Game(skipped)
    copies: list[c.Position | c.Game] = [copy.copy(skipped), copy.deepcopy(skipped), game.start, copy.deepcopy(game)]
    copies += [pickle.loads(pickle.dumps(value)) for value in (skipped, game)]
    played = c.Position("4r1k1/3p4/8/4P3/8/8/8/4K3 b").play("d5")
    copies.append(c.Game(played).start)
    assert c.polyglot_key(skipped) != c.polyglot_key(skipped.fen())
    for copied in copies:
        assert c.polyglot_key(copied) == c.polyglot_key(skipped)
    warned: list[c.Position | c.Record] = [
        c.Position("4k3/8/8/8/8/8/8/4K2B w K d6 0 0"),
        c.Position("4k3/8/3p4/3p4/8/8/8/1K3RR1 w FG d6 0 1"),
        c.Position().edit({"h1": None}),
        c.Record("1. e4 (1. e6) e5 *"),
    ]
    for value in warned:
        for same in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert same.warnings == value.warnings != []
    # The text that it is written to would be read with a warning.
    null_move = c.Record.from_line(c.Record("1. e4 -- *").line)
    assert pickle.loads(pickle.dumps(null_move)).warnings == null_move.warnings == []


def test_results_are_picklable() -> None:
    chess960 = c.Position("bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1")
    limited = {"UCI_LimitStrength": True, "UCI_Elo": 800, "StrengthSeed": 1}
    found = [
        c.Engine(hash=1).search(chess960, depth=4, multipv=3),
        c.Engine(hash=1).search("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", depth=3),
        c.Engine(hash=1).search("7k/5Q2/6K1/8/8/8/8/8 b", depth=3),
        c.Engine(hash=1, options=limited).search(c.Game(moves=["e4"]), depth=8),
    ]
    mated = c.Game(moves=["f3", "e5", "g4", "Qh4"])
    annotation = c.annotate(mated, nodes=300)
    line = c.Record(
        "{[%eval 0.2] [%clk 1:30:00] first} 1. e4 $1 {[%eval 0.3] [%clk 0:01:02.5] x} (1. -- e5 {y}) 1... e5 {[%eval #-3]} *"
    ).line
    assert (line.comment, line.eval, line.mate, line.clock) == ("first", 0.2, None, 5400)
    conditions = c.Position().castling("white", "king")
    epd = c.Epd('6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id "Back rank.1";')
    values = (
        annotation,
        annotation.white,
        mated.outcome,
        c.Score(mate=-3),
        line,
        *line.moves,
        *conditions,
        epd,
        c.Clock(1, 2, 3, 4, 5),
    )
    for value in (*found, *found[0].lines, *values):
        assert pickle.loads(pickle.dumps(value)) == value
    assert found[0] != found[1] and found[0].lines[0] != found[0].lines[1]


def test_a_notebook_draws_a_position() -> None:
    drawing = ElementTree.fromstring(c.Position("4k3/8/8/8/8/8/8/R3K3 w Q -")._repr_svg_())
    pieces = {(text.get("x"), text.get("y"), text.get("fill")): text.text for text in drawing if text.text}
    assert c.Game("4k3/8/8/8/8/8/8/R3K3 w Q -")._repr_svg_() == c.Position("4k3/8/8/8/8/8/8/R3K3 w Q -")._repr_svg_()
    assert c.Record("1. e4 *")._repr_svg_() == c.Position().play("e4")._repr_svg_()
    assert pieces == {("202", "37", "black"): "♚\ufe0e", ("22", "352", "white"): "♜\ufe0e", ("202", "352", "white"): "♚\ufe0e"}


def test_moves_are_equal_to_their_texts() -> None:
    moves = c.Position().legal_moves()
    assert "e2e4" in moves and "e2e5" not in moves and "something else" not in moves
    assert {c.Move("e2e4"), "e2e4"} == {"e2e4"} and c.Move("e7e8q") != "e7e8"
    assert c.Move("e7e8Q") == c.Move("e7e8q") != "e7e8Q"
    for san in ("e4", "Nf3", "O-O", "Rxa8+", "e8=Q"):
        with pytest.raises(ValueError, match="is SAN, which depends on the position"):
            assert san in moves


def test_openings_have_names() -> None:
    game = c.Game(moves=["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6"])
    assert game.opening == c.Record.from_game(game).opening == ("B90", "Sicilian Defense: Najdorf Variation")
    assert c.Game("4k3/8/8/8/8/8/8/4K3").opening is None


def test_moves_and_positions_are_keys() -> None:
    moves = dict(zip(c.Position().legal_moves(), c.Position().legal_sans(), strict=True))
    assert moves[c.Move("g1f3")] == "Nf3"
    one, other = (c.Game(moves=text.split()).position for text in ("Nf3 d5 e3", "e3 d5 Nf3"))
    assert one != other  # the clock differs
    assert len({c.Game(moves=text.split()).position for text in ("e3 d5 d4", "d4 d5 e3")}) == 1
    assert len({tridim.Position(), tridim.Position(), tridim.Position(rotation=True)}) == 2
    with pytest.raises(TypeError):
        hash(c.Game())


@pytest.mark.parametrize(
    ("fen", "column", "part"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x", 45, "side to move"),
        ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 14, "unexpected 'x' in rank 7"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 1O 1", 27, "halfmove clock"),
        ("8/8/8/8/8/8/8/8 w", None, "0 kings"),
    ],
)
def test_a_fen_error_says_where(fen: str, column: int | None, part: str) -> None:
    with pytest.raises(c.FenError, match=part) as caught:
        c.Position(fen)
    assert isinstance(caught.value, ValueError)
    assert caught.value.column == column
    assert caught.value.reason == str(caught.value)
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (str(copied), copied.column) == (str(caught.value), column)


def test_a_move_error_has_the_reason_alone() -> None:
    with pytest.raises(c.MoveError) as caught:
        c.Position().play("e2e5")
    assert str(caught.value) == f"illegal move 'e2e5': {caught.value.reason}"
    assert caught.value.reason == c.Position().why_illegal("e2e5")
    for text in ("e9", "", "e2e4x", "Ne4 "):
        with pytest.raises(c.MoveError):
            c.Position().play(text)
    with pytest.raises(TypeError):
        c.Position().play(4)  # type: ignore[arg-type]


def test_other_refusals_are_value_errors() -> None:
    with pytest.raises(ValueError, match="invalid square"):
        c.Position().piece_on("e9")
    with pytest.raises(ValueError, match="invalid color"):
        c.Position().attackers("e4", "red")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="959"):
        c.Position.chess960_start(960)
    with pytest.raises(c.OptionError, match="Hash"):
        c.Engine(hash=0)
    with pytest.raises(c.OptionError, match="unknown option"):
        c.Engine(options={"Thread": 1})
    with pytest.raises(FileNotFoundError, match=r"no such file\.pgn"):
        c.read_pgn("no such file.pgn")
    with pytest.raises(ValueError, match="claimed"):
        c.Game().__setstate__(c.Outcome("fifty_moves"))


def test_the_turn_decides_whose_castling_conditions_follow_a_null_move() -> None:
    position = c.Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert all(position.castling("black", "queen"))
    with pytest.raises(ValueError, match="in check"):
        c.Position("r3k2r/8/8/8/8/8/8/R3K1r1 w Q - 0 1").castling("black", "king")


def test_what_a_fen_states_and_the_position_cannot_have_is_kept_as_words() -> None:
    read = c.Position("4k3/8/8/8/8/8/8/4K2B w K d6 0 1")
    assert [warning.split(":")[0] for warning in read.warnings] == ["castling right K dropped", "en passant square d6 dropped"]
    assert c.Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1").warnings == []
    record = c.Record('[FEN "4k3/8/8/8/8/8/8/4K2B w K - 0 1"]')
    assert [warning.split(":")[0] for warning in record.warnings] == ["castling right K dropped"]


def test_a_fen_is_standard_chess_unless_it_names_rooks_of_chess960() -> None:
    rows = [line.split("|") for line in (DATA / "variants.txt").read_text().splitlines() if line[0] != "#"]
    assert len(rows) > 10
    for fen, variant, rights, in_standard in ([cell.strip() for cell in row] for row in rows):
        letters = fen.split()[2]
        for told, is_960, kept in [(None, variant == "chess960", rights), (False, False, in_standard)]:
            for read in (c.Position(fen, told), c.Epd(fen, told).position):
                assert (read.chess960, str(read).split()[2]) == (is_960, kept), fen
                assert len(read.warnings) == len(letters) - len(kept.strip("-")), fen
                assert eval(repr(read), {"Position": c.Position}) == read
        (record,) = c.parse_pgn(f'[FEN "{fen}"]\n\n*')
        assert ("[Variant" in record.pgn()) == (variant == "chess960")
        assert len(record.warnings) == len(letters) - len(rights.strip("-"))
    careless = "1r2k2r/8/8/8/8/8/8/R3K2R w KQkq - - bm O-O"
    (result,) = c.analyze([careless], depth=1)
    expected = ["'-' in place of hmvc", "operation bm", "castling right q dropped"]
    for warnings in (result.warnings, pickle.loads(pickle.dumps(result)).warnings, c.Epd(careless).warnings):
        assert [warning.startswith(start) for warning, start in zip(warnings, expected, strict=True)] == [True] * 3, warnings
    assert c.Position("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", chess960=True).play("O-O")
    reason = c.Position("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1").why_illegal("O-O")
    assert reason == "cannot castle kingside: the king stands on f1, not on e1"


def test_scores_are_ordered() -> None:
    """From mated at once to a mate in one."""
    scores = [
        c.Engine(hash=1).search(fen, depth=6).score
        for fen in (
            "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
            "7k/8/6K1/8/8/8/8/R7 b - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1",
            "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
            "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        )
    ]
    assert [score.mate for score in scores if score.mate is not None] == [0, -1, 2, 1]
    assert sorted(scores) == scores
    assert all(one < other and other >= one for one, other in pairwise(scores))
    assert [-score for score in reversed(scores)] == sorted(-score for score in scores)
    for score in scores:
        assert pickle.loads(pickle.dumps(-score)) == -score != score or score.cp == 0
    mated = c.Engine(hash=1).search("R5k1/5ppp/8/8/8/8/8/6K1 b", depth=1)
    assert mated.white_score == c.Score(mate=0, given=True) > c.Score(mate=1) > c.Score(cp=9)
    black = c.Engine(hash=1).search(c.Game(moves=["f3", "e5", "g4"]), depth=2)
    assert (str(black.white_score), str(black.lines[0].white_score)) == ("mate -1", "mate -1")
