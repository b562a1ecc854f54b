//! FEN, both ways: what is accepted, what is corrected, what is an error, and what is written.

use crate::positions::{chess960, standard};
use movegen::{Dropped, Position, START_FEN, Setup, Square, Validated, Variant};
use test_common::{positions::variants, repository_file, table};

/// Asserts that an error contains these words, in both variants.
#[track_caller]
fn assert_error(fen: &str, words: &str) {
    for variant in [Variant::Standard, Variant::Chess960] {
        let error = Position::from_fen(fen, variant).expect_err(fen).to_string();
        for word in words.split(" + ") {
            assert!(error.contains(word), "'{fen}': no '{word}' in '{error}'");
        }
    }
}

/// The FEN of a standard position after parsing.
#[test]
fn what_is_read_and_written() {
    for [fen, expected] in table(
        "
        4k3/8/8/8/8/8/8/R3K3 w - - 42 300    | 4k3/8/8/8/8/8/8/R3K3 w - - 42 300
        4k3/8/8/8/8/8/8/R3K3 w - - 65535 300 | 4k3/8/8/8/8/8/8/R3K3 w - - 65535 300
        4k3/8/8/8/8/8/8/4K3 w - -            | 4k3/8/8/8/8/8/8/4K3 w - - 0 1
        4k3/8/8/8/8/8/8/4K3 w - - 7          | 4k3/8/8/8/8/8/8/4K3 w - - 7 1
        4k3/8/8/8/8/8/8/4K3 w - - 3 0        | 4k3/8/8/8/8/8/8/4K3 w - - 3 1
        4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1     | 4k3/8/8/8/8/8/8/4K3 w - - 0 1
        r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1  | r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1
        r3k3/8/8/8/8/8/8/R3K2B w KQkq - 0 1  | r3k3/8/8/8/8/8/8/R3K2B w Qq - 0 1
        r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1 | r3k2r/8/8/8/8/8/4K3/R6R w kq - 0 1
        r2k3r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | r2k3r/8/8/8/8/8/8/R3K2R w KQ - 0 1
        r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1    | r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1
        r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1    | r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1
        r3k2r/8/8/8/8/8/8/R3K2R w qQ - 0 1   | r3k2r/8/8/8/8/8/8/R3K2R w Qq - 0 1
        r3k2r/8/8/8/8/8/8/R3K2R w a - 0 1    | r3k2r/8/8/8/8/8/8/R3K2R w q - 0 1
        r3k2r/8/8/8/8/8/8/R3K2R w Hh - 0 1   | r3k2r/8/8/8/8/8/8/R3K2R w Kk - 0 1
        1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1 | 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1
        1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1 | 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1
        ",
    ) {
        assert_eq!(standard(fen).fen(), expected, "{fen}");
    }
    let spaces = "  4k3/8/8/8/8/8/8/4K3\tb   -  - \n 3 9 ";
    assert_eq!(standard(spaces).fen(), "4k3/8/8/8/8/8/8/4K3 b - - 3 9");
    assert_eq!(standard(START_FEN), Position::default());
    assert_eq!(Position::default().fen(), START_FEN);
    assert_eq!(Position::default().to_string(), START_FEN);
}

/// Fields left out behind the board: White to move, rights of kings and rooks at home, clocks 0 1.
#[test]
fn missing_fields() {
    for [fen, in_standard, in_chess960] in table(
        "
        r3k2r/8/8/R6r/8/8/8/R3K2R             | w KQkq - 0 1 | w HAha - 0 1
        r3k2r/8/8/R6r/8/8/8/R3K2R w           | w KQkq - 0 1 | w HAha - 0 1
        r3k2r/8/8/R6r/8/8/8/R3K2R b           | b KQkq - 0 1 | b HAha - 0 1
        r3k2r/8/8/R6r/8/8/8/R3K2R b Qk        | b Qk - 0 1   | b Ah - 0 1
        r3k2r/8/8/R6r/8/8/8/R3K2R b -         | b - - 0 1    | b - - 0 1
        r3k2r/8/8/R6r/8/8/8/R3K2R w -         | w - - 0 1    | w - - 0 1
        r3k2r/8/8/R6r/8/8/8/R3K2R w KQkq -    | w KQkq - 0 1 | w HAha - 0 1
        r3k2r/8/8/R6r/8/8/8/R3K2R w KQkq - 99 | w KQkq - 99 1 | w HAha - 99 1
        4k3/8/8/8/8/8/8/4K3                   | w - - 0 1    | w - - 0 1
        4k2r/8/8/8/8/8/8/R3K3 b               | b Qk - 0 1   | b Ah - 0 1
        r2k3r/8/8/8/8/8/8/R3K2B               | w Q - 0 1    | w Aha - 0 1
        r3k1nR/8/8/8/8/8/8/r1B1K2R b          | b Kq - 0 1   | b Ha - 0 1
        r3k2r/8/8/8/8/8/4K3/R6R               | w kq - 0 1   | w ha - 0 1
        1r2k1r1/8/8/8/8/8/8/RR2K1R1           | w Q - 0 1    | w GAgb - 0 1
        6k1/5ppp/8/8/8/8/8/R5K1               | w - - 0 1    | w A - 0 1
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR | w KQkq - 0 1 | w HAha - 0 1
        bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN | w - - 0 1 | w GEge - 0 1
        ",
    ) {
        let board = fen.split(' ').next().expect("a board");
        assert_eq!(
            standard(fen).fen(),
            format!("{board} {in_standard}"),
            "{fen}"
        );
        let written = chess960(fen).shredder_fen();
        assert_eq!(written, format!("{board} {in_chess960}"), "{fen}");
    }
    assert_eq!(
        standard("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
        Position::default()
    );
}

#[test]
fn en_passant_square_is_kept_only_with_a_legal_capture() {
    for [fen, square, kept] in table(
        "
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 | e3 | no
        4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1                           | d6 | no
        4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1                            | d6 | no
        4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1                         | d6 | no
        4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1                         | d6 | no
        4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1                           | d6 | yes
        4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1                           | e3 | yes
        rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3 | f6 | yes
        ",
    ) {
        let without = fen.replace(&format!(" {square} "), " - ");
        let kept = kept == "yes";
        assert_eq!(standard(fen).fen(), if kept { fen } else { &without });
        assert_eq!(standard(&without).fen(), without);
        assert_eq!(standard(fen) != standard(&without), kept, "{fen}");
        let keys_differ = standard(fen).key() != standard(&without).key();
        assert_eq!(keys_differ, kept, "{fen}");
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

/// Each error says which field is wrong, quotes it and says what would be right.
#[test]
fn malformed_fields() {
    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3";
    for text in ["e", "z6", "e9", "e66", "E6", "--", "é6"] {
        let words = format!("en passant + '{text}' + expected '-' or a square such as e3");
        assert_error(&format!("{KINGS} w - {text} 0 1"), &words);
    }
    for text in ["x", "W", "white", "-", "ww"] {
        let words = format!("side to move + '{text}' + expected 'w' or 'b'");
        assert_error(&format!("{KINGS} {text} - - 0 1"), &words);
    }
    for (text, letter) in [("KX", 'X'), ("i", 'i'), ("K-", '-'), ("1", '1'), ("é", 'é')] {
        let words = format!("castling + '{text}' + '{letter}' + KQkq + A-H");
        assert_error(&format!("{KINGS} w {text} - 0 1"), &words);
    }
    for text in ["-1", "x", "+5", "1.5", "70000", "99999999999999999999"] {
        let expected = format!("'{text}' + expected a whole number from 0 to 65535");
        let halfmove = format!("{KINGS} w - - {text} 1");
        assert_error(&halfmove, &format!("halfmove clock + {expected}"));
        let fullmove = format!("{KINGS} w - - 0 {text}");
        assert_error(&fullmove, &format!("fullmove number + {expected}"));
    }
    for blank in ["", "   "] {
        assert_error(
            blank,
            "empty FEN + expected a board + side to move, castling rights",
        );
    }
}

#[test]
fn errors_say_what_is_wrong_and_what_would_be_right() {
    for [fen, words] in table(
        "
        4k3/8/8/8/8/8/8/4K3 w 0                   | castling + '0' + KQkq
        4k3/8/8/8/8/8/8/4K3 w - 0                 | en passant + '0' + expected '-'
        r3k2r/8/8/R6r/8/8/8/R3K2                  | board + expected 8 squares in rank 1 'R3K2', found 7
        8/8/8/8/8/8/8/4K3                         | Black has 0 kings + exactly one
        4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra       | after the sixth field + 'extra'
        4k3/8/8/8/8/8/8/4K3 w - e3 0 1            | en passant + 'e3' + must be on rank 6
        4k3/8/8/8/8/8/8/4K3 b - e6 0 1            | en passant + 'e6' + must be on rank 3
        4k3/8/8/8/8/8/8/4K3 w - e4 0 1            | en passant + 'e4' + must be on rank 6
        4k3/8/8/8/8/8/4K3 w - - 0 1               | board + expected 8 ranks separated by '/', found 7
        4k3/8/8/8/8/8/8/8/4K3 w - - 0 1           | board + expected 8 ranks separated by '/', found 9
        4k3/8/8/8/8/8/8/4K3/ w - - 0 1            | board + expected 8 ranks separated by '/', found 9
        4k2/8/8/8/8/8/8/4K3 w - - 0 1             | board + expected 8 squares in rank 8 '4k2', found 7
        4k3/9/8/8/8/8/8/4K3 w - - 0 1             | board + rank 7 + '9'
        4k3/8/ppppppppp/8/8/8/8/4K3 w - - 0 1     | board + expected 8 squares in rank 6 'ppppppppp', found 9
        4k3/88/8/8/8/8/8/4K3 w - - 0 1            | board + expected 8 squares in rank 7 '88', found 16
        4x3/8/8/8/8/8/8/4K3 w - - 0 1             | board + rank 8 + 'x' + expected one of PNBRQKpnbrqk or 1-8
        4k3/8/8/8/8/8/8/4K2é w - - 0 1            | board + rank 1 + 'é' + expected one of PNBRQKpnbrqk or 1-8
        4k3/0p7/8/8/8/8/8/4K3 w - - 0 1           | board + rank 7 + '0' + expected one of PNBRQKpnbrqk or 1-8
        4k3/8/8/3.4/8/8/8/4K3 w - - 0 1           | board + rank 5 + '.' + expected one of PNBRQKpnbrqk or 1-8
        8/8/8/8/8/8/8/4K3 w - - 0 1               | Black has 0 kings + exactly one
        4k3/8/8/8/8/8/8/8 w - - 0 1               | White has 0 kings + exactly one
        4k3/8/8/8/8/8/8/K3K3 w - - 0 1            | White has 2 kings + exactly one
        k3k3/8/8/8/8/8/8/4K3 w - - 0 1            | Black has 2 kings + exactly one
        4k3/8/8/8/8/8/8/K3R3 w - - 0 1            | Black is in check from e1 with White to move + the side not to move must not be in check
        4k3/8/8/8/8/5n2/8/4K3 b - - 0 1           | White is in check from f3 with Black to move + the side not to move must not be in check
        8/8/8/3kK3/8/8/8/8 w - - 0 1              | in check from + the side not to move must not be in check
        4k3/3P4/8/8/8/8/8/4K3 w - - 0 1           | Black is in check from d7 + the side not to move must not be in check
        4k3/8/8/8/8/8/8/P3K3 w - - 0 1            | pawn on a1 + ranks 2 to 7
        4k2P/8/8/8/8/8/8/4K3 w - - 0 1            | pawn on h8 + ranks 2 to 7
        4k3/8/8/8/8/8/8/4K2p w - - 0 1            | pawn on h1 + ranks 2 to 7
        p3k3/8/8/8/8/8/8/4K3 w - - 0 1            | pawn on a8 + ranks 2 to 7
        4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1 | White has 17 pieces + at most 16
        rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1 | Black has 17 pieces + at most 16
        4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1     | White has at least 9 pawns and promoted pieces (9+0); a side has at most 8
        4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1    | White has at least 9 pawns and promoted pieces (8+1); a side has at most 8
        nnn1k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1   | Black has at least 9 pawns and promoted pieces (8+1); a side has at most 8
        4k3/8/8/8/8/8/PPPPPP2/BBBBBK2 w - - 0 1   | White has at least 9 pawns and promoted pieces (6+3); a side has at most 8
        4k3/8/8/QQQ5/QQQ5/QQQ5/Q7/K7 w - - 0 1    | White has at least 9 pawns and promoted pieces (0+9); a side has at most 8
        ",
    ) {
        assert_error(fen, words);
    }
    standard("1k6/8/8/QQQ5/QQQ5/QQQ5/8/3K4 b - - 0 1");
    standard("k7/7p/8/8/8/8/PPPPPPP1/RRR1K3 b - - 0 1");
}

#[test]
fn all_faults_are_named_the_first_one_first() {
    let error = |fen: &str| fen.parse::<Position>().expect_err(fen);
    let fen = "4k3/8/8/8/8/8/8/4K2 x KX e9 -1 1 extra";
    let text = error(fen).to_string();
    let faults: Vec<&str> = text.split("; ").collect();
    let fields = [
        "board",
        "side to move",
        "castling",
        "en passant",
        "halfmove",
        "after the sixth",
    ];
    assert_eq!(faults.len(), fields.len(), "{text}");
    assert!(
        faults
            .iter()
            .zip(fields)
            .all(|(fault, field)| fault.contains(field)),
        "{text}"
    );
    assert_eq!(error(fen).column(fen), Some(17));
    // And all ranks of the board.
    assert_eq!(
        error("4k2/8/8/3x4/8/8/8/4K3 w - - 0 1").to_string(),
        "invalid FEN board: expected 8 squares in rank 8 '4k2', found 7; \
         invalid FEN board: unexpected 'x' in rank 5, expected one of PNBRQKpnbrqk or 1-8"
    );
    // Without a board nothing is known of the other words.
    let text = error("FEN: 4k3/8/8/8/8/8/8/4K3 w - - 0 1").to_string();
    assert!(text.contains("'FEN:'") && !text.contains("; "), "{text}");
}

#[test]
fn a_move_number_that_is_corrected_is_named() {
    let read = |fen| {
        Validated::from_fen(fen, Variant::Standard)
            .expect(fen)
            .dropped
    };
    assert_eq!(
        read("4k3/8/8/8/8/8/8/4K3 w - - 3 0"),
        [Dropped::FullmoveNumber]
    );
    assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - - 3 1"), []);
}

#[test]
fn the_variant_of_a_fen() {
    for [fen, variant, printed, in_standard] in variants() {
        let told = Validated::from_fen(fen, Variant::Standard).expect(fen);
        let found = Validated::from_fen(fen, None).expect(fen);
        let expected = Variant::from_chess960(variant == "chess960");
        let field = fen.split(' ').nth(2).expect(fen);
        for (read, variant, rights) in [
            (told, Variant::Standard, in_standard),
            (found, expected, printed),
        ] {
            assert_eq!(read.position.variant(), variant, "{fen}");
            let text = read.position.to_string();
            assert_eq!(text.split(' ').nth(2), Some(rights), "{fen}");
            assert_eq!(text.parse(), Ok(read.position), "{fen}");
            let kept = rights.trim_start_matches('-').len();
            assert_eq!(read.dropped.len(), field.len() - kept, "{fen}");
        }
    }
}

/// Rights that are dropped in standard chess only are marked.
#[test]
fn a_dropped_right_of_chess960_is_marked() {
    for [fen, of_chess960] in table(
        "
        1r2k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | q
        r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1  | KQ
        4k3/8/8/8/8/8/8/R4K2 w KQ - 0 1       | Q
        4k3/8/8/8/8/8/8/1R2K1RR w HGB - 0 1   | B
        4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1      |
        ",
    ) {
        let dropped = Validated::from_fen(fen, Variant::Standard)
            .expect(fen)
            .dropped;
        let marked = dropped.iter().filter(|dropped| dropped.is_of_chess960());
        let letters = marked.map(|dropped| match dropped {
            Dropped::Right { right, .. } => right.letter(),
            _ => panic!("{fen}: {dropped}"),
        });
        assert_eq!(letters.collect::<String>(), of_chess960, "{fen}");
    }
}

#[test]
fn errors_quote_long_texts_only_in_part() {
    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3";
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

/// A setup not made from a FEN may have any en passant square.
#[test]
fn en_passant_square_of_the_wrong_rank_in_a_setup_is_dropped() {
    let mut setup: Setup = "4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1".parse().expect("a setup");
    for square in Square::all() {
        setup.en_passant = Some(square);
        let read = setup.position(Variant::Standard).expect("legal");
        assert_eq!(read.position.en_passant(), None, "{square}");
        let kept = read.dropped.is_empty();
        assert_eq!(kept, read.en_passant.is_some(), "{square}: {read:?}");
        assert!(!kept || square.rank() == movegen::Rank::Sixth, "{square}");
    }
}

#[test]
fn castling_letters_in_any_order_and_repeated() {
    const HOME: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for letters in [
        "KQkq", "qkQK", "kKqQ", "KKQQkkqq", "KQkqKQkq", "HAha", "ahAH", "KAhq", "KHQAkqha",
    ] {
        let fen = HOME.replace("KQkq", letters);
        assert_eq!(standard(&fen).fen(), HOME, "{letters}");
        assert_eq!(chess960(&fen).fen(), HOME, "{letters}");
    }
}

/// X-FEN: `KQkq` are the outermost rooks, a file letter is another one.
#[test]
fn x_fen() {
    for [fen, written, shredder] in table(
        "
        rk2r3/8/8/8/8/8/8/RK2R3 w KQkq - 0 1     | KQkq | EAea
        r1r1k1rr/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1 | KQkq | HAha
        r1r1k1rr/8/8/8/8/8/8/RR2K1RR w GBgc - 0 1 | GBgc | GBgc
        4k3/8/8/8/8/8/8/RR2K1R1 w KB - 0 1        | KB   | GB
        1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1  | KQkq | GBgb
        r3k2r/8/8/8/8/8/4K3/R6R w HAha - 0 1      | kq   | ha
        ",
    ) {
        let position = chess960(fen);
        let with = |rights: &str| {
            let mut fields: Vec<&str> = fen.split(' ').collect();
            fields[2] = rights;
            fields.join(" ")
        };
        assert_eq!(position.fen(), with(written));
        assert_eq!(position.shredder_fen(), with(shredder));
        assert_eq!(chess960(&position.shredder_fen()), position);
    }
}

/// A king castles with one rook on each side: the outermost of those whose rights are written.
#[test]
fn an_inner_rook_has_no_right_beside_an_outer_one() {
    let setup: Setup = "4k3/8/8/8/8/8/8/RR2K1RR w BGAH - 0 1"
        .parse()
        .expect("a setup");
    let read = setup.position(Variant::Chess960).expect("legal");
    assert_eq!(
        read.position.shredder_fen(),
        "4k3/8/8/8/8/8/8/RR2K1RR w HA - 0 1"
    );
    let dropped: Vec<String> = read.dropped.iter().map(ToString::to_string).collect();
    let expected = [("B", "b1", "a1"), ("G", "g1", "h1")].map(|(letter, square, home)| {
        format!(
            "castling right {letter} dropped: cannot castle with the rook on {square}: the right is that of the rook on {home}"
        )
    });
    assert_eq!(dropped, expected);
}
