//! SAN, both ways, and the variants of it that people type. The expected texts are those of the PGN
//! standard and of python-chess.

use crate::positions::{square, standard};
use movegen::{Move, Position, SanError, Variant};
use test_common::table;

/// Both ways.
#[test]
fn san_of_legal_moves() {
    for [fen, uci, san] in table(
        "
        r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | d2d3  | d3
        r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | h2h4  | h4
        r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | b1c3  | Nc3
        r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | c4f7  | Bxf7+
        r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | f3e5  | Nxe5
        r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | e1e2  | Ke2
        r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | h1g1  | Rg1
        r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | d1e2  | Qe2
        4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1                              | e4d5  | exd5
        4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1                              | e5d6  | exd6
        4k3/8/8/8/8/8/8/4K2R w K - 0 1                                 | e1g1  | O-O
        4k3/8/8/8/8/8/8/R3K3 w Q - 0 1                                 | e1c1  | O-O-O
        4k2r/8/8/8/8/8/8/4K3 b k - 0 1                                 | e8g8  | O-O
        r3k3/8/8/8/8/8/8/4K3 b q - 0 1                                 | e8c8  | O-O-O
        5k2/8/8/8/8/8/8/4K2R w K - 0 1                                 | e1g1  | O-O+
        3k4/8/8/8/8/8/8/R3K3 w Q - 0 1                                 | e1c1  | O-O-O+
        4k2r/8/8/8/8/8/8/5K2 b k - 0 1                                 | e8g8  | O-O+
        4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1                           | e1g1  | O-O#
        2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1                           | e1c1  | O-O-O#
        4k3/8/8/8/8/8/8/R2K3R w - - 0 1                                | h1f1  | Rf1
        4k3/8/8/8/8/8/3K4/R6R w - - 0 1                                | a1d1  | Rad1
        4k3/8/8/8/8/8/3K4/R6R w - - 0 1                                | h1d1  | Rhd1
        R7/8/8/7k/8/8/8/R3K3 w - - 0 1                                 | a1a4  | R1a4
        R7/8/8/7k/8/8/8/R3K3 w - - 0 1                                 | a8a4  | R8a4
        8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1                                | h4e1  | Qh4e1
        8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1                                | e4e1  | Qee1
        8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1                                | h1e1  | Q1e1
        k7/8/8/1N3N2/8/8/8/K4N2 w - - 0 1                              | b5d4  | Nbd4
        k7/8/8/1N3N2/8/8/8/K4N2 w - - 0 1                              | f5d4  | Nfd4
        k7/8/8/3N4/1N3N2/8/1N3N2/K7 w - - 0 1                          | b4d3  | Nb4d3
        k7/8/8/3N4/1N3N2/8/1N3N2/K7 w - - 0 1                          | f2d3  | Nf2d3
        4k3/8/8/8/8/8/3K4/R2n3R w - - 0 1                              | a1d1  | Raxd1
        4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1                            | g1e2  | Ne2
        4k3/4r3/8/8/8/4N3/8/4K1N1 w - - 0 1                            | g1f3  | Nf3
        6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1                              | a1a8  | Ra8#
        6k1/5pp1/8/8/8/8/8/R3K3 w - - 0 1                              | a1a8  | Ra8+
        rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2 | d8h4  | Qh4#
        4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1                              | e4c5  | Nc5+
        k7/8/1K6/8/8/8/8/2Q5 w - - 0 1                                 | c1c7  | Qc7
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1                               | b7b8q | b8=Q
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1                               | b7b8n | b8=N
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1                               | b7c8q | bxc8=Q+
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1                               | b7c8r | bxc8=R+
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1                               | b7c8b | bxc8=B
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1                               | b7c8n | bxc8=N
        ",
    ) {
        let position = standard(fen);
        let mv = position.move_from_uci(uci).expect(uci);
        assert_eq!(position.san(mv), san, "{fen} {uci}");
        assert_eq!(position.move_from_san(san), Ok(mv), "{fen} {san}");
    }
}

/// Without its file, a pawn's move to an enemy piece is a blocked push.
#[test]
fn a_capture_names_the_file_of_the_pawn() {
    let position = standard("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    for text in ["d5", "xd5", "4d5"] {
        assert!(position.move_from_san(text).is_err(), "{text}");
    }
    assert!(position.move_from_san("ed5").is_ok());
}

#[test]
fn lenient_parsing() {
    for [fen, uci, texts] in table(
        "
        4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1    | e1g1  | 0-0 o-o O-O+ O-O!?
        4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1    | e1c1  | 0-0-0 0-0-0#
        4k3/8/8/3p4/4P3/8/8/4K2R w - - 0 1  | e4d5  | ed5 e4d5 e4xd5 e4-d5 e:d5 exd5+ exd5# exd5! exd5?? exd5+!?
        4k3/8/8/3p4/4P3/8/8/4K2R w - - 0 1  | h1h8  | Rh8 Rh8+ Rh1h8 Rhh8 R1h8 Rh1-h8+
        4k3/8/8/3p4/4P3/8/8/4K2R w - - 0 1  | e4e5  | e5 e4e5
        4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1   | e5d6  | exd6 exd6e.p. exd6e.p.! ed6
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1    | b7b8q | b8Q b8=Q b8=q
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1    | b7b8n | b8=N
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1    | b7c8r | bxc8=R+ bc8R
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1    | b7c8q | b7xc8=Q
        4k3/8/8/3p4/8/2N5/8/4K1N1 w - - 0 1 | c3d5  | Nd5 Ncxd5 N3xd5
        4k3/8/8/3p4/8/2N5/8/4K1N1 w - - 0 1 | c3e2  | Nce2
        4k3/8/8/3p4/8/2N5/8/4K1N1 w - - 0 1 | g1e2  | Ng1e2 N1e2 g1e2 g1-e2
        4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1    | e1g1  | e1g1 e1-g1 e1h1
        2r4k/1P6/8/8/8/8/8/4K3 w - - 0 1    | b7b8q | b7b8=Q b7-b8=Q b7b8Q
        ",
    ) {
        let position = standard(fen);
        let expected = position.move_from_uci(uci).expect(uci);
        for text in texts.split(' ') {
            let found = position.move_from_san(text);
            assert_eq!(found, Ok(expected), "{text} in {fen}");
        }
    }
}

#[test]
fn malformed_moves() {
    let position = Position::default();
    for text in [
        "", "e", "e9", "i4", "Xe4", "Nf", "N", "x", "=", "=Q", "e4=", "e4=X", "Nf3=Q", "O", "O-",
        "O-O-O-O", "OO", "--", "Z0", "+", "#", "!?", "e.p.", "Nf3 Nf6", "é4", "♘f3", "\0", "e4\0",
        "Nbb1c3", "N11c3", "1-0", "*", "1.e4",
    ] {
        let error = position.move_from_san(text).expect_err(text);
        assert!(matches!(error, SanError::Malformed(_)), "{text}: {error:?}");
        assert!(
            error.to_string().contains("expected SAN such as e4"),
            "{error}"
        );
    }
}

#[test]
fn a_pawn_cannot_promote_to_a_king_or_pawn() {
    let position = standard("8/1P6/4k3/8/8/8/8/4K3 w - - 0 1");
    for text in ["b8=K", "b8=P", "b8K", "b8=k"] {
        assert!(position.move_from_san(text).is_err(), "{text}");
    }
}

#[test]
fn errors_quote_long_texts_only_in_part() {
    let text = "N".repeat(1_000_000);
    let error = Position::default()
        .move_from_san(&text)
        .expect_err("malformed");
    assert!(error.to_string().len() < 200);
}

#[test]
fn notation_of_an_illegal_move_does_not_panic() {
    let position = Position::default();
    for mv in [
        Move::normal(square("e4"), square("e5")),
        Move::castling(square("a1"), square("h8")),
        Move::en_passant(square("h8"), square("a1")),
    ] {
        assert!(!position.san(mv).is_empty());
        assert_eq!(mv.uci(Variant::Chess960).to_string().len(), 4);
    }
}
