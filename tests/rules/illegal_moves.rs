//! Every illegal move is explained.

use crate::positions::{chess960, standard};
use movegen::{Position, Setup, Square, Variant};
use test_common::positions::{KIWIPETE, START};

#[track_caller]
fn assert_reason(position: &Position, text: &str, reason: &str) {
    let error = position.move_from_uci(text).expect_err("an illegal move");
    assert_eq!(
        error.to_string(),
        format!("illegal move '{text}': {reason}")
    );
}

#[test]
fn castling_errors_name_the_condition_and_the_square() {
    for (fen, text, reason) in [
        (
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "e1g1",
            "White may no longer castle kingside: \
             the king or the rook has moved, or the right is not in the FEN",
        ),
        (
            "r3k3/8/8/8/8/8/8/4K3 b - - 0 1",
            "e8c8",
            "Black may no longer castle queenside: \
             the king or the rook has moved, or the right is not in the FEN",
        ),
        (
            "4k3/8/8/8/8/8/8/4KN1R w K - 0 1",
            "e1g1",
            "cannot castle kingside: f1 is occupied",
        ),
        (
            "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1",
            "e1c1",
            "cannot castle queenside: b1 is occupied",
        ),
        (
            "4k3/8/8/8/1b6/8/8/4K2R w K - 0 1",
            "e1g1",
            "cannot castle kingside: the king is in check from b4",
        ),
        (
            "5k2/5r2/8/8/8/8/8/4K2R w K - 0 1",
            "e1g1",
            "cannot castle kingside: f1 is attacked",
        ),
        (
            "5k2/5r2/8/8/8/8/8/4K2R w K - 0 1",
            "e1h1",
            "cannot castle kingside: f1 is attacked",
        ),
        (
            "6k1/6r1/8/8/8/8/8/4K2R w K - 0 1",
            "e1g1",
            "cannot castle kingside: g1 is attacked",
        ),
        (
            "r3k3/8/8/8/8/8/8/3RK3 b q - 0 1",
            "e8c8",
            "cannot castle queenside: d8 is attacked",
        ),
    ] {
        assert_reason(&standard(fen), text, reason);
    }
    let blocked = chess960("4k3/8/8/8/8/8/8/RK1N4 w A - 0 1");
    assert_reason(&blocked, "b1a1", "cannot castle queenside: d1 is occupied");
}

#[test]
fn dropped_rights_name_the_piece_instead_of_the_rook() {
    for (fen, expected) in [
        (
            "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "cannot castle kingside: expected the rook on h1, found no piece",
        ),
        (
            "4k3/8/8/8/8/8/8/B3K3 w Q - 0 1",
            "cannot castle queenside: expected the rook on a1, found a white bishop",
        ),
        (
            "4k2R/8/8/8/8/8/8/4K3 b k - 0 1",
            "cannot castle kingside: expected the rook on h8, found a white rook",
        ),
        (
            "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
            "cannot castle kingside: the king is not on its home square e1",
        ),
    ] {
        let setup: Setup = fen.parse().expect("a setup");
        let dropped = setup.dropped_rights(Variant::Standard);
        let reasons: Vec<String> = dropped
            .iter()
            .map(|(_, reason)| reason.to_string())
            .collect();
        assert_eq!(reasons, [expected]);
    }
}

#[test]
fn errors_of_other_moves() {
    for (fen, text, reason) in [
        (START, "e4e5", "there is no piece on e4"),
        (
            START,
            "e7e5",
            "the pawn on e7 belongs to Black; White is to move",
        ),
        (START, "a1a2", "a2 is occupied by a piece of the same color"),
        (START, "e2e5", "a pawn on e2 cannot move to e5"),
        (START, "a1a5", "a rook on a1 cannot move to a5"),
        (
            "8/1P6/4k3/8/8/8/8/4K3 w - - 0 1",
            "b7b8",
            "the pawn on b7 promotes; add the new piece: q, r, b or n",
        ),
        (
            "8/8/1P2k3/8/8/8/8/4K3 w - - 0 1",
            "b6b7q",
            "a pawn cannot promote from b6 to b7",
        ),
        (
            "8/8/4k3/8/8/8/8/R3K3 w - - 0 1",
            "a1a8q",
            "a rook cannot promote from a1 to a8",
        ),
        (
            "3rk3/8/8/8/8/8/8/4K3 w - - 0 1",
            "e1d1",
            "the king would be in check on d1",
        ),
        (
            "4k3/8/8/8/8/8/8/K2N3r w - - 0 1",
            "d1e3",
            "the knight on d1 is pinned to its king",
        ),
        (
            "4k3/8/8/8/8/8/N7/K6r w - - 0 1",
            "a2b4",
            "the king is in check from h1, and this move does not resolve it",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
            "e5d6",
            "a pawn on e5 cannot move to d6",
        ),
    ] {
        assert_reason(&standard(fen), text, reason);
    }
}

#[test]
fn every_error_has_words() {
    let position = standard(KIWIPETE);
    for from in Square::all() {
        for to in Square::all() {
            if let Err(reason) = position.find_move(from, to, None) {
                let words = reason.to_string();
                assert!(words.contains(' ') && words.is_ascii(), "{words}");
            }
        }
    }
}
