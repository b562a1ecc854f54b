//! Castling rights are facts about history: what revokes them, and what does not.

use crate::scene::{Scene, after, can_castle, chess960, sides, standard};
use movegen::{CastlingSide, Color, Position, Role};

const HOME: &str = "r3k2r/8/8/8/8/8/8/R3K2R";

/// The castling field of the FEN.
fn rights(position: &Position) -> String {
    position
        .fen()
        .split(' ')
        .nth(2)
        .expect("a field")
        .to_owned()
}

#[test]
fn own_rook_move_from_h1_clears_only_k() {
    let white = standard(&format!("{HOME} w KQkq - 0 1"));
    assert_eq!(rights(&after(&white, "h1g1")), "Qkq");
    let black = standard(&format!("{HOME} b KQkq - 0 1"));
    assert_eq!(rights(&after(&black, "h8g8")), "KQq");
}

#[test]
fn own_rook_move_from_a1_clears_only_q() {
    let white = standard(&format!("{HOME} w KQkq - 0 1"));
    assert_eq!(rights(&after(&white, "a1b1")), "Kkq");
    let black = standard(&format!("{HOME} b KQkq - 0 1"));
    assert_eq!(rights(&after(&black, "a8b8")), "KQk");
}

#[test]
fn king_move_clears_both_rights_of_its_side() {
    let white = standard(&format!("{HOME} w KQkq - 0 1"));
    let black = standard(&format!("{HOME} b KQkq - 0 1"));
    for to in ["d1", "d2", "e2", "f2", "f1"] {
        assert_eq!(rights(&after(&white, &format!("e1{to}"))), "kq");
    }
    for to in ["d8", "d7", "e7", "f7", "f8"] {
        assert_eq!(rights(&after(&black, &format!("e8{to}"))), "KQ");
    }
}

#[test]
fn enemy_capture_on_h1_clears_only_k() {
    let by_bishop = standard("r3k2r/1b6/8/8/8/8/8/R3K2R b KQkq - 0 1");
    assert_eq!(rights(&after(&by_bishop, "b7h1")), "Qkq");
    let by_knight = standard("r3k2r/8/8/8/8/6n1/8/R3K2R b KQkq - 0 1");
    assert_eq!(rights(&after(&by_knight, "g3h1")), "Qkq");
    let by_promotion = standard("r3k2r/8/8/8/8/8/6p1/R3K2R b KQkq - 0 1");
    assert_eq!(rights(&after(&by_promotion, "g2h1q")), "Qkq");
    let black = standard("r3k2r/8/8/8/8/8/1B6/R3K2R w KQkq - 0 1");
    assert_eq!(rights(&after(&black, "b2h8")), "KQq");
}

#[test]
fn enemy_capture_on_a1_clears_only_q() {
    let white = standard("r3k2r/6b1/8/8/8/8/8/R3K2R b KQkq - 0 1");
    assert_eq!(rights(&after(&white, "g7a1")), "Kkq");
    let black = standard("r3k2r/8/8/8/8/8/6B1/R3K2R w KQkq - 0 1");
    assert_eq!(rights(&after(&black, "g2a8")), "KQk");
}

#[test]
fn a1xa8_clears_q_of_both_sides() {
    let position = standard(&format!("{HOME} w KQkq - 0 1"));
    assert_eq!(rights(&after(&position, "a1a8")), "Kk");
    let position = standard(&format!("{HOME} b KQkq - 0 1"));
    assert_eq!(rights(&after(&position, "a8a1")), "Kk");
}

#[test]
fn h1xh8_clears_k_of_both_sides() {
    let position = standard(&format!("{HOME} w KQkq - 0 1"));
    assert_eq!(rights(&after(&position, "h1h8")), "Qq");
}

#[test]
fn blocked_after_the_king_moved_and_came_back() {
    for color in Color::ALL {
        let scene = Scene::castling(color);
        let moves = scene.moves("e1e2 h8h7 e2e1 h7h8");
        let back = after(&scene.position(), &moves);
        assert_eq!(back.side(color), scene.position().side(color));
        for side in CastlingSide::ALL {
            assert!(!can_castle(&back, side), "{back}");
        }
        assert!(back.castling_rights().of(color).is_empty());
    }
}

#[test]
fn blocked_after_the_rook_moved_and_came_back() {
    for (color, side) in sides() {
        let scene = Scene::castling(color);
        let (there_and_back, other) = match side {
            CastlingSide::King => ("h1h2 e8e7 h2h1 e7e8", CastlingSide::Queen),
            CastlingSide::Queen => ("a1a2 e8e7 a2a1 e7e8", CastlingSide::King),
        };
        let back = after(&scene.position(), &scene.moves(there_and_back));
        assert_eq!(back.side(color), scene.position().side(color));
        assert!(!can_castle(&back, side), "{back}");
        assert!(can_castle(&back, other), "{back}");
    }
}

#[test]
fn a_new_rook_on_the_home_square_has_no_right() {
    let position = standard("4k3/8/8/8/8/8/8/R3K1R1 w Q - 0 1");
    let there = after(&position, "g1h1 e8e7");
    assert_eq!(rights(&there), "Q");
    assert!(!can_castle(&there, CastlingSide::King));
}

#[test]
fn check_removes_no_right() {
    for color in Color::ALL {
        let scene = Scene::castling(color)
            .ours(Role::Knight, "c3")
            .theirs(Role::Rook, "d5")
            .their_turn();
        let checked = after(&scene.position(), &scene.moves("d5e5"));
        assert!(checked.in_check());
        assert!(!can_castle(&checked, CastlingSide::King));
        assert_eq!(rights(&checked), "KQkq");
        let met = after(&checked, &scene.moves("c3e4 e5b5"));
        for side in CastlingSide::ALL {
            assert!(can_castle(&met, side), "the check is over: {met}");
        }
    }
}

#[test]
fn being_blocked_for_a_while_removes_no_right() {
    for color in Color::ALL {
        let scene = Scene::castling(color).ours(Role::Knight, "g1");
        assert!(!can_castle(&scene.position(), CastlingSide::King));
        let free = after(&scene.position(), &scene.moves("g1f3 e8e7"));
        assert!(can_castle(&free, CastlingSide::King), "{free}");
    }
}

#[test]
fn giving_check_removes_no_right() {
    for color in Color::ALL {
        let scene = Scene::castling(color).ours(Role::Knight, "b5");
        let checking = after(&scene.position(), &scene.moves("b5c7"));
        assert!(checking.in_check());
        assert_eq!(rights(&checking), "KQkq");
    }
}

/// The table of the rules: these squares and no others, as source and as destination.
#[test]
fn only_home_squares_revoke() {
    for (fen, mv, left) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a7", "Kkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h2", "Qkq"),
        ("r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", "a2a3", "KQkq"),
        ("r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", "h2h4", "KQkq"),
        ("r3k2r/p6p/8/1N6/8/8/P6P/R3K2R w KQkq - 0 1", "b5a7", "KQkq"),
        ("r3k2r/p6p/1N6/8/8/8/P6P/R3K2R w KQkq - 0 1", "b6a8", "KQk"),
        ("r3k2r/p6p/6N1/8/8/8/P6P/R3K2R w KQkq - 0 1", "g6h8", "KQq"),
        ("r3k2r/pQ5p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", "b7b8", "KQkq"),
        ("rn2k2r/pQ5p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", "b7b8", "KQkq"),
        ("rn2k2r/P6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", "a7b8q", "KQkq"),
    ] {
        assert_eq!(rights(&after(&standard(fen), mv)), left, "{fen} {mv}");
    }
}

#[test]
fn rights_are_revoked_once_and_for_all() {
    let position = standard(&format!("{HOME} w KQkq - 0 1"));
    let both = after(
        &position,
        "h1h8 e8e7 h8a8 e7f7 e1e2 f7g7 e2e1 g7h7 a8a7 h7h6",
    );
    assert_eq!(rights(&both), "-");
    assert!(both.castling_rights().is_empty());
}

#[test]
fn chess960_homes_are_those_of_the_start() {
    let position = chess960("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1");
    assert_eq!(rights(&position), "KQkq");
    assert_eq!(rights(&after(&position, "b1a1")), "Kkq");
    assert_eq!(rights(&after(&position, "g1h1")), "Qkq");
    assert_eq!(rights(&after(&position, "b1b8")), "Kk");
    assert_eq!(rights(&after(&position, "g1g8")), "Qq");
    assert_eq!(rights(&after(&position, "e1f1")), "kq");
    let came_back = after(&position, "g1g2 g8g7 g2g1 g7g8");
    assert_eq!(rights(&came_back), "Qq");
}

#[test]
fn a_right_without_rook_or_king_is_dropped_when_read() {
    for (board, left) in [
        ("4k3/8/8/8/8/8/8/4K3", "-"),
        ("r3k2r/8/8/8/8/8/8/4K3", "kq"),
        ("r3k2r/8/8/8/8/8/8/B3K2R", "Kkq"),
        ("r3k2r/8/8/8/8/8/8/r3K2R", "Kkq"),
        ("r3k2r/8/8/8/8/8/4K3/R6R", "kq"),
        ("r2k3r/8/8/8/8/8/8/R3K2R", "KQ"),
        ("1r2k2r/8/8/8/8/8/8/R3K1R1", "Qk"),
    ] {
        // A rook on a1 that is Black's gives check along an open rank: White is to move.
        assert_eq!(
            rights(&standard(&format!("{board} w KQkq - 0 1"))),
            left,
            "{board}"
        );
    }
}
