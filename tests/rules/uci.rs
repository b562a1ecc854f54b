//! Moves in UCI notation that are read. That every move is read as it is written is in
//! `random_walk`.

use crate::positions::{chess960, square, standard};
use movegen::{Move, Position, Role, UciMoveError};

/// The king's target means castling where the king cannot step to it.
#[test]
fn castling_by_the_target_of_the_king() {
    let position = chess960("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1");
    let long = Move::castling(square("f1"), square("b1"));
    assert_eq!(position.move_from_uci("f1c1"), Ok(long));
    let step = Move::normal(square("f1"), square("g1"));
    assert_eq!(position.move_from_uci("f1g1"), Ok(step));
}

#[test]
fn a_king_move_of_two_squares_elsewhere_is_not_castling() {
    let position = standard("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    for text in ["e2g2", "e2c2", "e2g1", "e2h1"] {
        assert!(position.move_from_uci(text).is_err(), "{text}");
    }
}

#[test]
fn promotions_in_capitals_and_to_nothing_else() {
    let (from, to) = (square("b7"), square("c8"));
    let knight = Move::promotion(from, to, Role::Knight);
    let position = standard("2r5/1P6/4k3/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(position.move_from_uci("b7c8N"), Ok(knight));
    for role in [Role::Pawn, Role::King] {
        let promotion = Move::promotion(from, to, role).promotion_role();
        assert_eq!(promotion, Some(Role::Queen));
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
