//! Every illegal move is explained, with the same reason whichever notation named it; on random
//! positions too, in `random_walk`. Each castling condition is in `castling`.

use crate::positions::{rows_for_both_colors, standard};
use movegen::{File, Game, Position, Rank, SanError, Square, UciMoveError, Variant};
use test_common::{game_after, table};

/// The reason without the text of the move.
fn reason(position: &Position, text: &str) -> String {
    let error = match position.move_from_uci(text) {
        Err(UciMoveError::Malformed(_)) => {
            position.move_from_san(text).expect_err(text).to_string()
        }
        result => result.expect_err(text).to_string(),
    };
    let prefix = format!("illegal move '{text}': ");
    error.strip_prefix(&prefix).unwrap_or(&error).to_owned()
}

/// Each row has a FEN, texts of one move, and the reason, with `White` for `white` where it is to
/// be mirrored.
fn assert_reasons(variant: Variant, table: &str) {
    for [fen, texts, expected] in rows_for_both_colors(table) {
        let expected = expected
            .replace(" a White ", " a white ")
            .replace(" a Black ", " a black ");
        let position = Position::from_fen(&fen, variant).expect(&fen);
        for text in texts.split(' ') {
            assert_eq!(reason(&position, text), expected, "{fen} {text}");
        }
    }
}

#[test]
fn the_piece() {
    for [texts, expected] in table(
        "
        e4e5 e4-e5 e4xe5         | there is no piece on e4
        e7e5 e7-e5               | the pawn on e7 belongs to Black; White is to move
        a1a2 Ra2 Ra1a2 Rxa2 a1-a2 | a2 is occupied by a piece of the same color
        Ke2 e1e2                 | e2 is occupied by a piece of the same color
        Qb5                      | a queen on d1 cannot move to b5
        Nc4                      | no knight can move to c4
        Nb4c6                    | White has no knight on b4
        Nac3                     | White has no knight on the a-file
        N4c3                     | White has no knight on rank 4
        Qa1a2                    | White has no queen on a1
        ",
    ) {
        for text in texts.split(' ') {
            assert_eq!(reason(&Position::default(), text), expected, "{text}");
        }
    }
    let bare = standard("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(reason(&bare, "Qd4"), "White has no queen");
    assert_eq!(reason(&bare, "e4"), "White has no pawn on the e-file");
    assert_eq!(reason(&bare, "dxe4"), "White has no pawn on the d-file");
}

#[test]
fn the_way() {
    assert_reasons(
        Variant::Standard,
        "
        4k3/8/8/8/8/1n6/1P6/4K3 w - - 0 1  | b2b4 b4 b2-b4 | the pawn on b2 cannot move to b4: b3 is occupied
        4k3/8/8/8/1n6/8/1P6/4K3 w - - 0 1  | b2b4 b4 b2xb4 | the pawn on b2 cannot move to b4: b4 is occupied
        4k3/8/8/8/8/1n6/1P6/4K3 w - - 0 1  | b2b3 b3       | the pawn on b2 cannot move to b3: b3 is occupied
        4k3/8/8/8/8/1P6/8/4K3 w - - 0 1    | b3b5 b5       | a pawn on b3 cannot move to b5
        4k3/8/8/8/8/1P6/8/4K3 w - - 0 1    | b3b2 b2       | a pawn on b3 cannot move to b2
        4k3/8/8/8/8/8/1P6/4K3 w - - 0 1    | b2c3 bxc3 bc3 | the pawn on b2 moves to c3 only by capturing, and c3 is empty
        4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1   | e5d6 exd6 e5xd6 | the pawn on d5 cannot be captured en passant: it has not just moved two squares
        4k3/8/8/3nP3/8/8/8/4K3 w - - 0 1   | e5d6 exd6     | the pawn on e5 moves to d6 only by capturing, and d6 is empty
        4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1   | e4d5 exd5     | the pawn on e4 moves to d5 only by capturing, and d5 is empty
        4k3/8/8/8/R2n4/8/8/4K3 w - - 0 1   | a4f4 Rf4 Raf4 | the rook on a4 cannot move to f4: d4 is occupied
        4k3/8/8/8/R2n4/8/8/4K3 w - - 0 1   | a4b8 Rb8      | a rook on a4 cannot move to b8
        4k3/8/2n5/8/Q7/8/8/4K3 w - - 0 1   | a4e8 Qe8 Qxe8 | the queen on a4 cannot move to e8: c6 is occupied
        4k3/6B1/8/4n3/8/8/8/4K3 w - - 0 1  | g7c3 Bc3      | the bishop on g7 cannot move to c3: e5 is occupied
        4k3/8/8/8/8/8/4n3/R3K1R1 w - - 0 1 | Rd5           | no rook can move to d5
        4k3/8/8/8/8/8/8/R1n1K3 w - - 0 1   | Rd1           | the rook on a1 cannot move to d1: c1 is occupied
        4k3/8/8/8/8/P7/P7/4K3 w - - 0 1    | a5            | no pawn can move to a5
        r3k3/8/8/8/r7/n7/P7/4K3 w - - 0 1  | a4            | the pawn on a2 cannot move to a4: a3 is occupied
        4k3/8/8/8/8/8/8/4K3 w - - 0 1      | e1e3 Ke3 Ke1e3 | a king on e1 cannot move to e3
        4k3/8/8/8/8/8/8/3K3R w - - 0 1     | d1g1 Kg1      | a king on d1 cannot move to g1
        ",
    );
}

#[test]
fn double_check() {
    for [fen, text] in table(
        "
        4r1k1/8/8/8/8/5n2/7R/4K3 w - - 0 1  | Rf2
        4r1k1/8/8/8/8/5n2/7R/4K3 w - - 0 1  | h2e2
        4r1k1/8/8/8/8/5n2/6P1/4K3 w - - 0 1 | gxf3
        ",
    ) {
        let expected =
            "the king is in check from the knight on f3 and the rook on e8; only the king can move";
        assert_eq!(reason(&standard(fen), text), expected, "{fen}");
    }
}

/// Two pieces come equally close, for different reasons.
#[test]
fn several_pieces() {
    for [fen, text, expected] in table(
        "
        3rk3/8/8/R2n1n1R/8/8/8/3K4 w - - 0 1 | Re5 | the rook on a5 cannot move to e5: d5 is occupied; the rook on h5 cannot move to e5: f5 is occupied
        4k3/8/8/8/1b5r/2N5/8/4K2R w - - 0 1 | Nc4 | a knight on c3 cannot move to c4
        3rk3/8/8/b7/8/2N5/3N4/3KN2r w - - 0 1 | Nf3 | the knight on e1 is pinned to its king by the rook on h1; the knight on d2 is pinned to its king by the rook on d8
        4k3/8/8/8/1b6/8/6N1/4K1N1 w - - 0 1 | Nf4 | the king is in check from the bishop on b4, and this move does not resolve it
        ",
    ) {
        assert_eq!(reason(&standard(fen), text), expected, "{fen}");
    }
}

#[test]
fn the_safety_of_the_king() {
    assert_reasons(
        Variant::Standard,
        "
        4k3/8/8/8/1b6/8/P7/4K3 w - - 0 1  | a2a3 a3 a2-a3  | the king is in check from the bishop on b4, and this move does not resolve it
        4k3/8/8/8/8/8/N7/K6r w - - 0 1    | a2b4 Nb4 Na2b4 | the king is in check from the rook on h1, and this move does not resolve it
        4k3/8/8/8/8/8/8/K2N3r w - - 0 1   | d1e3 Ne3       | the knight on d1 is pinned to its king by the rook on h1
        4k3/8/8/b7/8/2P5/8/4K3 w - - 0 1  | c3c4 c4        | the pawn on c3 is pinned to its king by the bishop on a5
        4r1k1/8/8/b7/8/2N5/8/4K3 w - - 0 1 | c3d5 Nd5      | the king is in check from the rook on e8, and this move does not resolve it
        4r1k1/8/8/b7/8/2N5/8/4K3 w - - 0 1 | c3e4 Ne4      | the knight on c3 is pinned to its king by the bishop on a5
        3rk3/8/8/8/8/8/8/4K3 w - - 0 1    | e1d1 Kd1       | on d1 the king would be in check from the rook on d8
        4k3/8/8/8/8/8/8/r3K3 w - - 0 1    | e1f1 Kf1 Ke1f1 | on f1 the king would be in check from the rook on a1
        8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1 | e5d6 exd6      | capturing en passant would leave the king in check from the rook on h5
        4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1 | e5d6 exd6    | the pawn on e5 is pinned to its king by the rook on e8
        6k1/8/8/3pP3/1b6/8/8/4K3 w - - 0 1 | e5d6 exd6     | the king is in check from the bishop on b4, and this move does not resolve it
        ",
    );
}

/// The first obstacle for a program, every one for a person; in UCI notation and in SAN.
#[test]
fn several_reasons() {
    for [fen, texts, first, other] in rows_for_both_colors(
        "
        4r1k1/8/8/b7/8/2N5/8/4K3 w - - 0 1 | c3d5 Nd5 | the king is in check from the rook on e8, and this move does not resolve it | the knight on c3 is pinned to its king by the bishop on a5
        4r1k1/8/8/b7/8/2N2n2/8/4K3 w - - 0 1 | c3d5 Nd5 | the king is in check from the knight on f3 and the rook on e8; only the king can move | the knight on c3 is pinned to its king by the bishop on a5
        4k3/8/8/8/1b6/8/r2PK3/8 w - - 0 1 | d2d3 d3 | the pawn on d2 is pinned to its king by the rook on a2 |
        ",
    ) {
        for text in texts.split(' ') {
            let position = standard(&fen);
            let error = match position.move_from_uci(text) {
                Err(error @ UciMoveError::Illegal { .. }) => (error.to_string(), format!("{error:#}")),
                _ => {
                    let error = position.move_from_san(text).expect_err(text);
                    (error.to_string(), format!("{error:#}"))
                }
            };
            let first = format!("illegal move '{text}': {first}");
            let all = if other.is_empty() { first.clone() } else { format!("{first}; {other}") };
            assert_eq!(error, (first, all), "{fen}");
        }
    }
}

#[test]
fn promotions() {
    assert_reasons(
        Variant::Standard,
        "
        8/1P6/4k3/8/8/8/8/4K3 w - - 0 1   | b7b8 b8 b7-b8       | the pawn on b7 promotes; add the new piece: q, r, b or n
        2r5/1P6/4k3/8/8/8/8/4K3 w - - 0 1 | b7c8 bxc8 b7xc8     | the pawn on b7 promotes; add the new piece: q, r, b or n
        8/8/1P2k3/8/8/8/8/4K3 w - - 0 1   | b6b7q b7=Q b6b7=Q   | a pawn cannot promote from b6 to b7
        8/8/4k3/8/8/8/8/R3K3 w - - 0 1    | a1a8q a1a8=Q        | a rook cannot promote from a1 to a8
        8/8/4k3/8/8/8/8/R3K3 w - - 0 1    | b7b8q b7b8=Q b7-b8Q | there is no piece on b7
        8/8/4k3/8/8/8/8/R3K3 w - - 0 1    | b8=Q                | White has no pawn on the b-file
        1r6/1P6/4k3/8/8/8/8/4K3 w - - 0 1 | b7b8q b8=Q b7b8=Q b7b8 b8 | the pawn on b7 cannot move to b8: b8 is occupied
        8/1P6/4k3/8/8/8/8/r3K3 w - - 0 1  | b7b8q b8=Q b7b8=Q b7b8 b8 | the king is in check from the rook on a1, and this move does not resolve it
        8/1PK3r1/4k3/8/8/8/8/8 w - - 0 1  | b7b8n b8=N b8       | the king is in check from the rook on g7, and this move does not resolve it
        q7/1P6/8/3K4/8/8/8/6k1 w - - 0 1  | b7b8q b8=Q b7b8=Q b8 | the pawn on b7 is pinned to its king by the queen on a8
        ",
    );
}

#[test]
fn castling() {
    assert_reasons(
        Variant::Standard,
        "
        4k3/8/8/8/8/8/8/4KB1R w K - 0 1  | O-O 0-0 e1g1 e1h1 e1-g1 Kg1 | cannot castle kingside: f1 is occupied
        5k2/5r2/8/8/8/8/8/4K2R w K - 0 1 | O-O 0-0 e1g1 e1h1 e1-h1 Kg1 | cannot castle kingside: f1 is attacked by the rook on f7
        4k3/8/8/8/8/8/8/4K2B w K - 0 1   | O-O 0-0 e1g1 e1h1 Kh1       | cannot castle kingside: expected the rook on h1, found a White bishop
        4k3/8/8/8/8/8/8/4K1R1 w - - 0 1  | e1b1 Kb1                    | a king on e1 cannot move to b1
        4k3/8/8/8/8/8/8/R3K3 w - - 0 1   | O-O-O 0-0-0 e1c1 e1a1 Kc1   | White may no longer castle queenside: the king or the rook has moved, or the right is not in the FEN
        ",
    );
    assert_reasons(
        Variant::Chess960,
        "
        4k3/8/8/8/8/8/8/RRK5 w B - 0 1 | c1a1     | cannot castle with the rook on a1: the right is that of the rook on b1
        4k3/8/8/8/8/8/8/RRK5 w B - 0 1 | O-O c1g1 | cannot castle kingside: there is no rook on that side of the king
        4k3/8/8/8/8/8/2K5/RR6 w - - 0 1 | O-O-O   | cannot castle queenside: the king stands on c2, not on its first rank
        4k3/8/8/8/8/8/8/1RBK4 w B - 0 1 | O-O-O d1b1 | cannot castle queenside: c1 is occupied
        4k3/8/8/8/8/8/8/5KR1 w G - 0 1 | Kg1      | castling is written O-O
        4k3/8/8/8/8/8/8/R3K3 w - - 0 1 | e1a1 O-O-O | White may no longer castle queenside: the king or the rook has moved, or the right is not in the FEN
        ",
    );
    let legal = standard("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(reason(&legal, "Kg1"), "castling is written O-O");
    assert_eq!(reason(&legal, "Kc1"), "castling is written O-O-O");
    assert_eq!(reason(&legal, "Kh1"), "castling is written O-O");
}

/// A game knows how a right was lost.
#[test]
fn lost_castling_rights() {
    for [fen, moves, side, expected] in rows_for_both_colors(
        "
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | e1e2 h8h7 e2e1 h7h8  | O-O   | White may no longer castle kingside: the king has moved from e1 (1. Ke2)
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | e1e2 h8h7 e2e1 h7h8  | O-O-O | White may no longer castle queenside: the king has moved from e1 (1. Ke2)
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | h1h2 e8e7 h2h1 e7e8  | O-O   | White may no longer castle kingside: the rook has moved from h1 (1. Rh2)
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | a1a2 e8e7 a2a1 e7e8  | O-O-O | White may no longer castle queenside: the rook has moved from a1 (1. Ra2)
        4k3/6b1/8/8/8/1R6/8/R3K3 w Q - 0 1   | b3h3 g7a1 h3b3 a1f6 b3b1 e8e7 b1a1 e7e8 | O-O-O | White may no longer castle queenside: the rook was captured on a1 (1... Bxa1)
        r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1  |                      | O-O   | White may not castle kingside: the right is not in the FEN
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | h1h2 e8e7            | O-O   | cannot castle kingside: expected the rook on h1, found no piece
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | e1e2 e8e7            | O-O   | cannot castle kingside: the king stands on e2, not on e1
        ",
    ) {
        // With Black to begin, the same move has another number.
        let expected = if fen.contains(" b ") {
            expected.replace("(1... ", "(2. ").replace("(1. ", "(1... ")
        } else {
            expected
        };
        let game = game_after(&fen, &moves);
        let error = game.move_from_san(&side).expect_err(&fen).to_string();
        assert_eq!(error, format!("illegal move '{side}': {expected}"), "{fen}");
        let king = game.position().king(game.position().side_to_move());
        if king.file() == File::E && king.rank() != Rank::Second && king.rank() != Rank::Seventh {
            let file = if side == "O-O" { File::G } else { File::C };
            let squares = format!("{king}{}", Square::new(file, king.rank()));
            let error = game.move_from_uci(&squares).expect_err(&fen).to_string();
            assert_eq!(error, format!("illegal move '{squares}': {expected}"), "{fen}");
        }
    }
}

/// A game also knows how the other pawn came to its square, and whether that was just now.
#[test]
fn refused_en_passant_captures() {
    for [fen, moves, capture, double_step, expected] in table(
        "
        4k3/5p2/8/4P3/8/8/8/4K3 w - - 0 1     | e1e2 f7f5 e2e1 e8e7      | e5f6 | false | the pawn on f5 cannot be captured en passant: it has not just moved two squares (it came there with 1... f5)
        4k3/8/5p2/4P3/8/8/8/4K3 w - - 0 1     | e1e2 f6f5                | e5f6 | false | the pawn on f5 cannot be captured en passant: it has not just moved two squares (it came there with 1... f5)
        4k3/8/4p3/4PN2/8/8/8/4K3 w - - 0 1    | e1e2 e6f5                | e5f6 | false | the pawn on f5 cannot be captured en passant: it has not just moved two squares (it came there with 1... exf5)
        4k3/8/8/4Pp2/8/8/8/4K3 w - - 0 1      | e1e2 e8e7                | e5f6 | false | the pawn on f5 cannot be captured en passant: it has not just moved two squares
        4k3/5p2/8/K3P2r/8/8/8/8 b - - 0 1     | f7f5                     | e5f6 | true  | capturing en passant would leave the king in check from the rook on h5
        4r1k1/5p2/8/4P3/8/8/8/4K3 b - - 0 1   | f7f5                     | e5f6 | true  | the pawn on e5 is pinned to its king by the rook on e8
        6k1/2b2p2/8/4P3/8/6K1/8/8 b - - 0 1   | f7f5                     | e5f6 | true  | the pawn on e5 is pinned to its king by the bishop on c7
        4k3/5p2/8/4P3/7r/8/8/4K2R b - - 0 1   | h4h1 e1e2 f7f5           | e5f6 | true  |
        4k3/8/8/K3Pp1r/8/8/8/8 w - - 0 1      | a5b5 e8e7                | e5f6 | false | the pawn on f5 cannot be captured en passant: it has not just moved two squares; capturing en passant would leave the king in check from the rook on h5
        ",
    ) {
        let game = game_after(fen, moves);
        let square = |range: std::ops::Range<usize>| capture[range].parse().expect(capture);
        let report = game.en_passant_report(square(0..2), square(2..4)).expect(fen);
        assert_eq!(report.double_step, Some(double_step == "true"), "{fen}");
        let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
        assert_eq!(errors.join("; "), expected, "{fen}");
        let refusal = game.move_from_uci(capture).err().map(|error| error.to_string());
        let last = errors.last().map(|error| format!("illegal move '{capture}': {error}"));
        assert_eq!(refusal, last, "{fen}");
    }
    let game = Game::default();
    assert_eq!(game.en_passant_report(Square::E2, Square::D3), None);
}

#[test]
fn ambiguous_moves_are_listed() {
    for [fen, text, expected] in table(
        "
        4k3/8/8/8/8/8/3K4/R6R w - - 0 1       | Rd1 | Rad1 or Rhd1
        R7/8/8/7k/8/8/8/R3K3 w - - 0 1        | Rxa4 | R1a4 or R8a4
        k7/8/8/3N4/1N3N2/8/1N3N2/K7 w - - 0 1 | Nd3 | Nb2d3 or Nf2d3 or Nb4d3 or Nf4d3
        k7/8/8/3N4/1N3N2/8/1N3N2/K7 w - - 0 1 | Nbd3 | Nb2d3 or Nb4d3
        ",
    ) {
        let error = standard(fen).move_from_san(text).expect_err(fen);
        assert!(matches!(error, SanError::Ambiguous { .. }), "{error:?}");
        let words = format!("ambiguous move '{text}': expected {expected}");
        assert_eq!(error.to_string(), words);
    }
}
