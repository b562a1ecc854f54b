//! What is read, what is put right, and what is refused in which words.

use super::{BARE, assert_read, assert_refused};
use movegen::{Position, Setup, Square, Variant};

#[test]
fn missing_clocks_are_0_1() {
    assert_read(&format!("{BARE} w - -"), &format!("{BARE} w - - 0 1"));
    assert_read(&format!("{BARE} w - - 7"), &format!("{BARE} w - - 7 1"));
}

#[test]
fn fullmove_0_is_1() {
    assert_read(&format!("{BARE} w - - 3 0"), &format!("{BARE} w - - 3 1"));
}

#[test]
fn any_blanks_between_fields() {
    assert_read(
        &format!("  {BARE}\tb   -  - \n 3 9 "),
        &format!("{BARE} b - - 3 9"),
    );
}

#[test]
fn negative_or_non_numeric_clocks_are_refused() {
    for (clocks, field, text) in [
        ("-1 1", "halfmove clock", "'-1'"),
        ("x 1", "halfmove clock", "'x'"),
        ("+5 1", "halfmove clock", "'+5'"),
        ("1.5 1", "halfmove clock", "'1.5'"),
        ("70000 1", "halfmove clock", "'70000'"),
        ("0 -1", "fullmove number", "'-1'"),
        ("0 one", "fullmove number", "'one'"),
        (
            "0 99999999999999999999",
            "fullmove number",
            "'99999999999999999999'",
        ),
    ] {
        let fen = format!("{BARE} w - - {clocks}");
        assert_refused(
            &fen,
            &[field, text, "expected a whole number from 0 to 65535"],
        );
    }
}

#[test]
fn en_passant_square_of_the_wrong_rank_is_refused() {
    for (turn, square, rank) in [("w", "e3", "6"), ("b", "e6", "3"), ("w", "e4", "6")] {
        let fen = format!("{BARE} {turn} - {square} 0 1");
        let must = format!("must be on rank {rank}");
        assert_refused(&fen, &["en passant", &format!("'{square}'"), &must]);
    }
    for text in ["e", "z6", "e9", "e66", "E6", "--", "é6"] {
        let fen = format!("{BARE} w - {text} 0 1");
        let quoted = format!("'{text}'");
        assert_refused(
            &fen,
            &["en passant", &quoted, "expected '-' or a square such as e3"],
        );
    }
}

/// A setup need not come from a FEN, and may then name any square.
#[test]
fn en_passant_square_of_the_wrong_rank_in_a_setup_is_dropped() {
    let mut setup: Setup = "4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1".parse().expect("a setup");
    for square in Square::all() {
        setup.en_passant = Some(square);
        let position = setup.position(Variant::Standard).expect("legal");
        assert_eq!(position.en_passant(), None, "{square}");
    }
}

#[test]
fn missing_fields_are_named() {
    for (fen, field) in [
        ("", "board"),
        ("   ", "board"),
        (BARE, "side to move"),
        ("4k3/8/8/8/8/8/8/4K3 w", "castling"),
        ("4k3/8/8/8/8/8/8/4K3 w -", "en passant square"),
    ] {
        assert_refused(
            fen,
            &[
                &format!("missing {field}"),
                "expected at least board, side to move",
            ],
        );
    }
}

#[test]
fn extra_tokens_are_named() {
    assert_refused(
        &format!("{BARE} w - - 0 1 extra"),
        &["after the sixth field", "'extra'"],
    );
}

#[test]
fn side_to_move_is_w_or_b() {
    for text in ["x", "W", "white", "-", "ww"] {
        let fen = format!("{BARE} {text} - - 0 1");
        assert_refused(
            &fen,
            &["side to move", &format!("'{text}'"), "expected 'w' or 'b'"],
        );
    }
}

#[test]
fn wrong_numbers_of_ranks() {
    for (board, count) in [
        ("4k3/8/8/8/8/8/4K3", "7"),
        ("4k3/8/8/8/8/8/8/8/4K3", "9"),
        ("4k3", "1"),
        ("4k3/8/8/8/8/8/8/4K3/", "9"),
    ] {
        let fen = format!("{board} w - - 0 1");
        assert_refused(
            &fen,
            &[
                "board",
                &format!("{count} ranks"),
                "expected 8, separated by '/'",
            ],
        );
    }
}

#[test]
fn wrong_rank_lengths() {
    for (board, rank, width) in [
        ("4k2/8/8/8/8/8/8/4K3", "rank 8 '4k2'", "7"),
        ("4k3/9/8/8/8/8/8/4K3", "rank 7", "9"),
        ("4k3/8/ppppppppp/8/8/8/8/4K3", "rank 6 'ppppppppp'", "9"),
        ("4k3/8/8/8/8/8/8/4K4", "rank 1 '4K4'", "9"),
        ("4k3/8/8//8/8/8/4K3", "rank 5 ''", "0"),
        ("4k3/88/8/8/8/8/8/4K3", "rank 7 '88'", "16"),
    ] {
        if board.contains('9') {
            assert_refused(&format!("{board} w - - 0 1"), &["board", rank, "'9'"]);
            continue;
        }
        let squares = format!("{width} squares");
        assert_refused(
            &format!("{board} w - - 0 1"),
            &["board", rank, &squares, "expected 8"],
        );
    }
}

#[test]
fn unknown_letters() {
    for (board, rank, letter) in [
        ("4x3/8/8/8/8/8/8/4K3", "rank 8", "'x'"),
        ("4k3/8/8/8/8/8/8/4K2é", "rank 1", "'é'"),
        ("4k3/0p7/8/8/8/8/8/4K3", "rank 7", "'0'"),
        ("4k3/8/8/3.4/8/8/8/4K3", "rank 5", "'.'"),
    ] {
        let fen = format!("{board} w - - 0 1");
        assert_refused(
            &fen,
            &["board", rank, letter, "expected one of PNBRQKpnbrqk or 1-8"],
        );
    }
}

#[test]
fn each_side_has_one_king() {
    for (board, words) in [
        ("8/8/8/8/8/8/8/4K3", "Black has 0 kings"),
        ("4k3/8/8/8/8/8/8/8", "White has 0 kings"),
        ("4k3/8/8/8/8/8/8/K3K3", "White has 2 kings"),
        ("k3k3/8/8/8/8/8/8/4K3", "Black has 2 kings"),
        ("8/8/8/8/8/8/8/8", "has 0 kings"),
    ] {
        assert_refused(&format!("{board} w - - 0 1"), &[words, "exactly one"]);
    }
}

#[test]
fn side_not_to_move_in_check() {
    for (fen, words) in [
        (
            "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
            "Black is in check from e1 with White to move",
        ),
        (
            "4k3/8/8/8/8/5n2/8/4K3 b - - 0 1",
            "White is in check from f3 with Black to move",
        ),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "in check from"),
        (
            "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1",
            "Black is in check from d7",
        ),
    ] {
        assert_refused(fen, &[words, "the side not to move must not be in check"]);
    }
}

#[test]
fn pawn_on_the_first_or_last_rank() {
    for (board, square) in [
        ("4k3/8/8/8/8/8/8/P3K3", "a1"),
        ("4k2P/8/8/8/8/8/8/4K3", "h8"),
        ("4k3/8/8/8/8/8/8/4K2p", "h1"),
        ("p3k3/8/8/8/8/8/8/4K3", "a8"),
    ] {
        let words = format!("pawn on {square}");
        assert_refused(&format!("{board} w - - 0 1"), &[&words, "ranks 2 to 7"]);
    }
}

#[test]
fn too_many_pieces() {
    assert_refused(
        "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1",
        &["White has 17 pieces", "at most 16"],
    );
    assert_refused(
        "rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1",
        &["Black has 17 pieces", "at most 16"],
    );
}

#[test]
fn impossible_promotions() {
    for (board, words) in [
        (
            "4k3/8/8/8/8/P7/PPPPPPPP/4K3",
            "White has 9 pawns and at least 0 promoted",
        ),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3",
            "White has 8 pawns and at least 1 promoted",
        ),
        (
            "nnn1k3/pppppppp/8/8/8/8/8/4K3",
            "Black has 8 pawns and at least 1 promoted",
        ),
        (
            "4k3/8/8/8/8/8/PPPPPP2/BBBBBK2",
            "White has 6 pawns and at least 3 promoted",
        ),
        (
            "4k3/8/8/QQQ5/QQQ5/QQQ5/Q7/K7",
            "White has 0 pawns and at least 9 promoted",
        ),
    ] {
        let fen = format!("{board} w - - 0 1");
        assert_refused(&fen, &[words, "together they can be at most 8"]);
    }
    for board in [
        "1k6/8/8/QQQ5/QQQ5/QQQ5/8/3K4",
        "k7/7p/8/8/8/8/PPPPPPP1/RRR1K3",
    ] {
        assert!(Position::from_fen(&format!("{board} b - - 0 1"), Variant::Standard).is_ok());
    }
}

#[test]
fn long_texts_are_not_repeated_whole() {
    let long = "8".repeat(1_000_000);
    for fen in [
        long.clone(),
        format!("{BARE} {long} - - 0 1"),
        format!("{BARE} w {long} - 0 1"),
        format!("{BARE} w - {long} 0 1"),
        format!("{BARE} w - - {long} 1"),
        format!("{BARE} w - - 0 1 {long}"),
        format!("{long}/8/8/8/8/8/8/8 w - - 0 1"),
    ] {
        let error = Position::from_fen(&fen, Variant::Standard).expect_err("too long");
        assert!(error.to_string().len() < 400, "{error}");
    }
}
