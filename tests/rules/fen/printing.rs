//! What is printed: the same text where it said all and no more, else the one that does.

use super::assert_read;
use crate::scene::standard;
use movegen::{Position, START_FEN, Variant};

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
fn en_passant_square_nobody_can_capture_on_is_kept_out_of_key_and_fen() {
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
fn en_passant_square_somebody_can_capture_on_is_kept() {
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

/// Lines from books and test suites, as they are used.
#[test]
fn every_line_of_the_samples_is_read() {
    const PRINTED: [(&str, Variant); 5] = [
        (
            include_str!("../../data/samples/UHO_4060_v4_20k.epd"),
            Variant::Standard,
        ),
        (
            include_str!("../../data/samples/noob_3moves_10k.epd"),
            Variant::Standard,
        ),
        (
            include_str!("../../data/samples/endgames_5k.epd"),
            Variant::Standard,
        ),
        (
            include_str!("../../data/samples/FRC_960.epd"),
            Variant::Chess960,
        ),
        (
            include_str!("../../data/samples/DFRC_5k.epd"),
            Variant::Chess960,
        ),
    ];
    const SUITES: [&str; 2] = [
        include_str!("../../data/samples/STS1-15.epd"),
        include_str!("../../data/samples/mates2000.epd"),
    ];
    let mut lines = 0;
    for (book, variant) in PRINTED {
        for line in book.lines() {
            let position = Position::from_fen(line, variant).expect(line);
            let again = Position::from_fen(&position.shredder_fen(), variant);
            assert_eq!(again, Ok(position), "{line}");
            lines += 1;
        }
    }
    for suite in SUITES {
        for line in suite.lines() {
            let fields: Vec<&str> = line.split(' ').take(4).collect();
            let fen = fields.join(" ");
            let position = standard(&fen);
            assert!(position.has_moves(), "{line}");
            lines += 1;
        }
    }
    assert_eq!(lines, 280);
}
