//! FEN, both ways: what is accepted, what is corrected, what is an error, and what is written.

use crate::positions::{chess960, standard};
use movegen::{Position, START_FEN, Setup, Square, Variant};
use test_common::repository_file;

/// Two kings, for tests of the other fields.
const KINGS: &str = "4k3/8/8/8/8/8/8/4K3";

/// Asserts how a standard position is written after parsing.
#[track_caller]
fn assert_read(fen: &str, expected: &str) {
    assert_eq!(standard(fen).fen(), expected, "{fen}");
}

/// Asserts that an error contains these words, in both variants.
#[track_caller]
fn assert_error(fen: &str, words: &[&str]) {
    for variant in [Variant::Standard, Variant::Chess960] {
        let error = Position::from_fen(fen, variant).expect_err(fen).to_string();
        for word in words {
            assert!(error.contains(word), "'{fen}': no '{word}' in '{error}'");
        }
    }
}

#[test]
fn the_start_position() {
    assert_eq!(standard(START_FEN), Position::default());
    assert_eq!(Position::default().fen(), START_FEN);
    assert_eq!(Position::default().to_string(), START_FEN);
}

#[test]
fn clock_above_100_is_accepted_and_kept() {
    for clock in [42, 99, 100, 101, 149, 150, 65535] {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 300");
        assert_read(&fen, &fen);
        assert_eq!(standard(&fen).halfmove_clock(), clock);
    }
}

#[test]
fn en_passant_square_without_a_legal_capture_is_in_neither_key_nor_fen() {
    for (with, without) in [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        (
            "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
            "4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1",
        ),
        (
            "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/3p4/8/3pP3/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 1",
        ),
    ] {
        assert_read(with, without);
        assert_eq!(standard(with).key(), standard(without).key());
        assert_eq!(standard(with), standard(without));
    }
}

#[test]
fn en_passant_square_with_a_legal_capture_is_kept() {
    for fen in [
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ] {
        assert_read(fen, fen);
        let without = fen
            .replace(" d6 ", " - ")
            .replace(" e3 ", " - ")
            .replace(" f6 ", " - ");
        assert_ne!(standard(fen).key(), standard(&without).key());
    }
}

/// Lines of opening books and test suites.
#[test]
fn every_line_of_the_samples_is_parsed() {
    let mut lines = 0;
    for (name, fields, variant) in [
        ("UHO_4060_v4_20k", 6, Variant::Standard),
        ("noob_3moves_10k", 6, Variant::Standard),
        ("endgames_5k", 6, Variant::Standard),
        ("STS1-15", 4, Variant::Standard),
        ("mates2000", 4, Variant::Standard),
        ("FRC_960", 6, Variant::Chess960),
        ("DFRC_5k", 6, Variant::Chess960),
    ] {
        for line in repository_file(&format!("tests/data/samples/{name}.epd")).lines() {
            let fen: Vec<&str> = line.split(' ').take(fields).collect();
            let position = Position::from_fen(&fen.join(" "), variant).expect(line);
            assert!(position.has_moves(), "{line}");
            let again = Position::from_fen(&position.shredder_fen(), variant);
            assert_eq!(again, Ok(position), "{line}");
            lines += 1;
        }
    }
    assert_eq!(lines, 280);
}

#[test]
fn missing_clocks_are_0_1() {
    assert_read(&format!("{KINGS} w - -"), &format!("{KINGS} w - - 0 1"));
    assert_read(&format!("{KINGS} w - - 7"), &format!("{KINGS} w - - 7 1"));
}

#[test]
fn fullmove_number_0_is_1() {
    assert_read(&format!("{KINGS} w - - 3 0"), &format!("{KINGS} w - - 3 1"));
}

#[test]
fn any_whitespace_between_fields() {
    assert_read(
        &format!("  {KINGS}\tb   -  - \n 3 9 "),
        &format!("{KINGS} b - - 3 9"),
    );
}

#[test]
fn negative_or_non_numeric_clocks_are_errors() {
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
        let fen = format!("{KINGS} w - - {clocks}");
        assert_error(
            &fen,
            &[field, text, "expected a whole number from 0 to 65535"],
        );
    }
}

#[test]
fn en_passant_square_of_the_wrong_rank_is_an_error() {
    for (side_to_move, square, rank) in [("w", "e3", "6"), ("b", "e6", "3"), ("w", "e4", "6")] {
        let fen = format!("{KINGS} {side_to_move} - {square} 0 1");
        let must = format!("must be on rank {rank}");
        assert_error(&fen, &["en passant", &format!("'{square}'"), &must]);
    }
    for text in ["e", "z6", "e9", "e66", "E6", "--", "é6"] {
        let fen = format!("{KINGS} w - {text} 0 1");
        let quoted = format!("'{text}'");
        assert_error(
            &fen,
            &["en passant", &quoted, "expected '-' or a square such as e3"],
        );
    }
}

/// A setup not made from a FEN may have any en passant square.
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
        (KINGS, "side to move"),
        ("4k3/8/8/8/8/8/8/4K3 w", "castling"),
        ("4k3/8/8/8/8/8/8/4K3 w -", "en passant square"),
    ] {
        assert_error(
            fen,
            &[
                &format!("missing {field}"),
                "expected at least board, side to move",
            ],
        );
    }
}

#[test]
fn extra_fields_are_named() {
    assert_error(
        &format!("{KINGS} w - - 0 1 extra"),
        &["after the sixth field", "'extra'"],
    );
}

#[test]
fn side_to_move_is_w_or_b() {
    for text in ["x", "W", "white", "-", "ww"] {
        let fen = format!("{KINGS} {text} - - 0 1");
        assert_error(
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
        assert_error(
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
            assert_error(&format!("{board} w - - 0 1"), &["board", rank, "'9'"]);
            continue;
        }
        let squares = format!("{width} squares");
        assert_error(
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
        assert_error(
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
        assert_error(&format!("{board} w - - 0 1"), &[words, "exactly one"]);
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
        assert_error(fen, &[words, "the side not to move must not be in check"]);
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
        assert_error(&format!("{board} w - - 0 1"), &[&words, "ranks 2 to 7"]);
    }
}

#[test]
fn too_many_pieces() {
    assert_error(
        "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1",
        &["White has 17 pieces", "at most 16"],
    );
    assert_error(
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
        assert_error(&fen, &[words, "together they can be at most 8"]);
    }
    for board in [
        "1k6/8/8/QQQ5/QQQ5/QQQ5/8/3K4",
        "k7/7p/8/8/8/8/PPPPPPP1/RRR1K3",
    ] {
        assert!(Position::from_fen(&format!("{board} b - - 0 1"), Variant::Standard).is_ok());
    }
}

#[test]
fn errors_quote_long_texts_only_in_part() {
    let long = "8".repeat(1_000_000);
    for fen in [
        long.clone(),
        format!("{KINGS} {long} - - 0 1"),
        format!("{KINGS} w {long} - 0 1"),
        format!("{KINGS} w - {long} 0 1"),
        format!("{KINGS} w - - {long} 1"),
        format!("{KINGS} w - - 0 1 {long}"),
        format!("{long}/8/8/8/8/8/8/8 w - - 0 1"),
    ] {
        let error = Position::from_fen(&fen, Variant::Standard).expect_err("too long");
        assert!(error.to_string().len() < 400, "{error}");
    }
}

#[test]
fn castling_right_without_its_rook_or_king_is_dropped() {
    for (board, read) in [
        ("4k3/8/8/8/8/8/8/4K3", "-"),
        ("r3k2r/8/8/8/8/8/8/4K2R", "Kkq"),
        ("r3k3/8/8/8/8/8/8/R3K2B", "Qq"),
        ("r3k2r/8/8/8/8/8/4K3/R6R", "kq"),
        ("r2k3r/8/8/8/8/8/8/R3K2R", "KQ"),
    ] {
        assert_read(
            &format!("{board} w KQkq - 0 1"),
            &format!("{board} w {read} - 0 1"),
        );
    }
    let no_king = chess960("r3k2r/8/8/8/8/8/4K3/R6R w HAha - 0 1");
    assert_eq!(no_king.fen(), "r3k2r/8/8/8/8/8/4K3/R6R w kq - 0 1");
}

#[test]
fn castling_letters_in_any_order_and_repeated() {
    const BOARD: &str = "r3k2r/8/8/8/8/8/8/R3K2R";
    let expected = format!("{BOARD} w KQkq - 0 1");
    for letters in [
        "KQkq", "qkQK", "kKqQ", "KKQQkkqq", "KQkqKQkq", "HAha", "ahAH", "KAhq", "KHQAkqha",
    ] {
        assert_read(&format!("{BOARD} w {letters} - 0 1"), &expected);
        assert_eq!(
            chess960(&format!("{BOARD} w {letters} - 0 1")).fen(),
            expected
        );
    }
    assert_read(&format!("{BOARD} w - - 0 1"), &format!("{BOARD} w - - 0 1"));
    for (letters, read) in [("K", "K"), ("qQ", "Qq"), ("a", "q"), ("Hh", "Kk")] {
        assert_read(
            &format!("{BOARD} w {letters} - 0 1"),
            &format!("{BOARD} w {read} - 0 1"),
        );
    }
}

#[test]
fn unknown_castling_letters_are_errors() {
    for (text, letter) in [
        ("KX", "'X'"),
        ("i", "'i'"),
        ("K-", "'-'"),
        ("1", "'1'"),
        ("é", "'é'"),
    ] {
        let fen = format!("{KINGS} w {text} - 0 1");
        let quoted = format!("'{text}'");
        assert_error(&fen, &["castling", &quoted, letter, "KQkq", "A-H"]);
    }
}

/// X-FEN: `KQkq` are the outermost rooks, a file letter is another one.
#[test]
fn x_fen() {
    for (fen, shredder) in [
        (
            "rk2r3/8/8/8/8/8/8/RK2R3 w KQkq - 0 1",
            "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
        ),
        (
            "r1r1k1rr/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1",
            "r1r1k1rr/8/8/8/8/8/8/RR2K1RR w HAha - 0 1",
        ),
        (
            "r1r1k1rr/8/8/8/8/8/8/RR2K1RR w GBgc - 0 1",
            "r1r1k1rr/8/8/8/8/8/8/RR2K1RR w GBgc - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/RR2K1R1 w KB - 0 1",
            "4k3/8/8/8/8/8/8/RR2K1R1 w GB - 0 1",
        ),
    ] {
        let position = chess960(fen);
        assert_eq!(position.fen(), fen);
        assert_eq!(position.shredder_fen(), shredder);
        assert_eq!(chess960(shredder), position);
    }
}

#[test]
fn in_standard_chess_only_corner_rooks_have_rights() {
    const BOARD: &str = "1r2k1r1/8/8/8/8/8/8/1R2K1R1";
    assert_read(
        &format!("{BOARD} w KQkq - 0 1"),
        &format!("{BOARD} w - - 0 1"),
    );
    assert_read(
        &format!("{BOARD} w GBgb - 0 1"),
        &format!("{BOARD} w - - 0 1"),
    );
    assert_eq!(
        chess960(&format!("{BOARD} w KQkq - 0 1"))
            .castling_rights()
            .rooks()
            .count(),
        4
    );
}
