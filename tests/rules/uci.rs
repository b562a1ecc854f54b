//! Moves in UCI notation, both ways. Castling in standard chess is in `castling`.

use crate::positions::{chess960, square, standard};
use movegen::{Move, Position, Role, UciMoveError, Variant};

#[test]
fn castling_from_other_homes() {
    let position = chess960("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1");
    let short = position.move_from_uci("f1h1").expect("legal");
    let long = position.move_from_uci("f1b1").expect("legal");
    assert_eq!(position.move_from_uci("f1c1"), Ok(long));
    assert!(short.is_castling() && long.is_castling());
    let step = position.move_from_uci("f1g1").expect("legal");
    assert!(!step.is_castling());
}

#[test]
fn a_king_move_of_two_squares_elsewhere_is_not_castling() {
    let position = standard("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    for text in ["e2g2", "e2c2", "e2g1", "e2h1"] {
        assert!(position.move_from_uci(text).is_err(), "{text}");
    }
}

#[test]
fn promotions() {
    let position = standard("2r5/1P6/4k3/8/8/8/8/4K3 w - - 0 1");
    for (letter, role) in [
        ("q", Role::Queen),
        ("r", Role::Rook),
        ("b", Role::Bishop),
        ("n", Role::Knight),
    ] {
        let expected = Move::promotion(square("b7"), square("c8"), role);
        let text = format!("b7c8{letter}");
        assert_eq!(position.move_from_uci(&text), Ok(expected));
        assert_eq!(expected.uci(Variant::Standard).to_string(), text);
        let upper = format!("b7c8{}", letter.to_uppercase());
        assert_eq!(position.move_from_uci(&upper), Ok(expected));
    }
}

#[test]
fn malformed_moves() {
    let position = Position::default();
    for text in [
        "", "e", "e2", "e2e", "e2e9", "i2e4", "e2-e4", "e2e4e5", "e7e8k", "e7e8p", "e7e8=q",
        "0000", "O-O", " e2e4", "e2e4 ", "E2E4", "é2e4", "e2é4", "♔e1", "\0\0\0\0", "e2e4\n",
    ] {
        let error = position.move_from_uci(text).expect_err(text);
        assert!(
            matches!(error, UciMoveError::Malformed(_)),
            "{text}: {error}"
        );
        assert!(
            error.to_string().contains("expected two squares"),
            "{error}"
        );
    }
}

#[test]
fn errors_quote_long_texts_only_in_part() {
    let text = "x".repeat(1_000_000);
    let error = Position::default()
        .move_from_uci(&text)
        .expect_err("malformed");
    assert!(error.to_string().len() < 200);
}
