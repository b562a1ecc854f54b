//! What revokes castling rights, and what does not.

use crate::positions::{Builder, after, can_castle, castlings, chess960, standard};
use movegen::{CastlingSide, Color, Position, Role};

/// The castling field of the FEN.
fn rights(position: &Position) -> String {
    let fen = position.fen();
    fen.split(' ').nth(2).expect("six fields").to_owned()
}

/// A table of boards, moves and the rights left after them, starting with all four rights.
#[track_caller]
fn assert_rights_left(side_to_move: char, rows: &[(&str, &str, &str)]) {
    for (board, moves, left) in rows {
        let position = standard(&format!("{board} {side_to_move} KQkq - 0 1"));
        assert_eq!(rights(&after(&position, moves)), *left, "{board} {moves}");
    }
}

const HOME: &str = "r3k2r/8/8/8/8/8/8/R3K2R";

#[test]
fn own_rook_move_from_h1_or_a1_clears_only_its_right() {
    assert_rights_left('w', &[(HOME, "h1g1", "Qkq"), (HOME, "a1b1", "Kkq")]);
    assert_rights_left('b', &[(HOME, "h8g8", "KQq"), (HOME, "a8b8", "KQk")]);
}

#[test]
fn king_move_clears_both_rights_of_its_side() {
    for to in ["d1", "d2", "e2", "f2", "f1"] {
        assert_rights_left('w', &[(HOME, &format!("e1{to}"), "kq")]);
    }
    for to in ["d8", "d7", "e7", "f7", "f8"] {
        assert_rights_left('b', &[(HOME, &format!("e8{to}"), "KQ")]);
    }
}

#[test]
fn enemy_capture_on_h1_or_a1_clears_only_that_right() {
    assert_rights_left(
        'b',
        &[
            ("r3k2r/1b6/8/8/8/8/8/R3K2R", "b7h1", "Qkq"),
            ("r3k2r/8/8/8/8/6n1/8/R3K2R", "g3h1", "Qkq"),
            ("r3k2r/8/8/8/8/8/6p1/R3K2R", "g2h1q", "Qkq"),
            ("r3k2r/6b1/8/8/8/8/8/R3K2R", "g7a1", "Kkq"),
        ],
    );
    assert_rights_left(
        'w',
        &[
            ("r3k2r/8/8/8/8/8/1B6/R3K2R", "b2h8", "KQq"),
            ("r3k2r/8/8/8/8/8/6B1/R3K2R", "g2a8", "KQk"),
        ],
    );
}

#[test]
fn a1xa8_clears_q_of_both_sides_and_h1xh8_k() {
    assert_rights_left('w', &[(HOME, "a1a8", "Kk"), (HOME, "h1h8", "Qq")]);
    assert_rights_left('b', &[(HOME, "a8a1", "Kk"), (HOME, "h8h1", "Qq")]);
}

/// The home squares and no others, as origin and as destination.
#[test]
fn only_home_squares_revoke() {
    assert_rights_left(
        'w',
        &[
            (HOME, "a1a7", "Kkq"),
            (HOME, "h1h2", "Qkq"),
            ("r3k2r/p6p/8/8/8/8/P6P/R3K2R", "a2a3", "KQkq"),
            ("r3k2r/p6p/8/8/8/8/P6P/R3K2R", "h2h4", "KQkq"),
            ("r3k2r/p6p/8/1N6/8/8/P6P/R3K2R", "b5a7", "KQkq"),
            ("r3k2r/p6p/1N6/8/8/8/P6P/R3K2R", "b6a8", "KQk"),
            ("r3k2r/p6p/6N1/8/8/8/P6P/R3K2R", "g6h8", "KQq"),
            ("r3k2r/pQ5p/8/8/8/8/P6P/R3K2R", "b7b8", "KQkq"),
            ("rn2k2r/pQ5p/8/8/8/8/P6P/R3K2R", "b7b8", "KQkq"),
            ("rn2k2r/P6p/8/8/8/8/P6P/R3K2R", "a7b8q", "KQkq"),
        ],
    );
}

#[test]
fn rights_are_revoked_for_good() {
    let moves = "h1h8 e8e7 h8a8 e7f7 e1e2 f7g7 e2e1 g7h7 a8a7 h7h6";
    assert_rights_left('w', &[(HOME, moves, "-")]);
    // A new rook on the home square has no right.
    let position = standard("4k3/8/8/8/8/8/8/R3K1R1 w Q - 0 1");
    let moved = after(&position, "g1h1 e8e7");
    assert_eq!(rights(&moved), "Q");
    assert!(!can_castle(&moved, CastlingSide::King));
}

#[test]
fn blocked_after_the_king_moved_and_came_back() {
    for color in Color::ALL {
        let builder = Builder::castling(color);
        let back = builder.after("e1e2 h8h7 e2e1 h7h8");
        assert_eq!(back.side(color), builder.position().side(color));
        assert!(back.castling_rights().of(color).is_empty());
        for side in CastlingSide::ALL {
            assert!(!can_castle(&back, side), "{back}");
        }
    }
}

#[test]
fn blocked_after_the_rook_moved_and_came_back() {
    for (color, side) in castlings() {
        let builder = Builder::castling(color);
        let (moves, other) = match side {
            CastlingSide::King => ("h1h2 e8e7 h2h1 e7e8", CastlingSide::Queen),
            CastlingSide::Queen => ("a1a2 e8e7 a2a1 e7e8", CastlingSide::King),
        };
        let back = builder.after(moves);
        assert_eq!(back.side(color), builder.position().side(color));
        assert!(!can_castle(&back, side), "{back}");
        assert!(can_castle(&back, other), "{back}");
    }
}

#[test]
fn giving_check_being_in_check_and_being_blocked_remove_no_right() {
    for color in Color::ALL {
        let giving = Builder::castling(color).ours(Role::Knight, "b5");
        let giving = giving.after("b5c7");
        assert!(giving.in_check());
        assert_eq!(rights(&giving), "KQkq");

        let in_check = Builder::castling(color)
            .ours(Role::Knight, "c3")
            .theirs(Role::Rook, "d5")
            .opponent_to_move();
        let checked = in_check.after("d5e5");
        assert!(checked.in_check() && !can_castle(&checked, CastlingSide::King));
        assert_eq!(rights(&checked), "KQkq");
        let over = in_check.after("d5e5 c3e4 e5b5");
        assert!(
            CastlingSide::ALL
                .iter()
                .all(|&side| can_castle(&over, side))
        );

        let blocked = Builder::castling(color).ours(Role::Knight, "g1");
        assert!(!can_castle(&blocked.position(), CastlingSide::King));
        let free = blocked.after("g1f3 e8e7");
        assert!(can_castle(&free, CastlingSide::King), "{free}");
    }
}

#[test]
fn chess960_homes_are_those_of_the_start() {
    let position = chess960("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1");
    for (moves, left) in [
        ("", "KQkq"),
        ("b1a1", "Kkq"),
        ("g1h1", "Qkq"),
        ("b1b8", "Kk"),
        ("g1g8", "Qq"),
        ("e1f1", "kq"),
        ("g1g2 g8g7 g2g1 g7g8", "Qq"),
    ] {
        assert_eq!(rights(&after(&position, moves)), left, "{moves}");
    }
}
