//! The castling field: which letters name which rooks, and rights without a king or rook at home.

use super::{BARE, assert_read, assert_refused};
use crate::scene::chess960;

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
fn unknown_castling_letters_are_refused() {
    for (text, letter) in [
        ("KX", "'X'"),
        ("i", "'i'"),
        ("K-", "'-'"),
        ("1", "'1'"),
        ("é", "'é'"),
    ] {
        let fen = format!("{BARE} w {text} - 0 1");
        let quoted = format!("'{text}'");
        assert_refused(&fen, &["castling", &quoted, letter, "KQkq", "A-H"]);
    }
}

/// X-FEN: `KQkq` mean the outermost rooks; a letter names one that is not.
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
fn in_standard_chess_only_the_corners_have_rights() {
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
