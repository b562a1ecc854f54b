//! When castling is a legal move in standard chess, what it does, and why it is refused.

use crate::scene::{Scene, can_castle, follow, sides, standard};
use movegen::{CastlingError, CastlingSide, Color, Game, Move, Piece, Role, Square, Variant};

/// What a side's castling is about, as the side that castles sees it.
struct Squares {
    rook: &'static str,
    /// All squares between king and rook.
    between: &'static [&'static str],
    transit: &'static str,
    landing: &'static str,
}

const fn squares(side: CastlingSide) -> Squares {
    match side {
        CastlingSide::King => Squares {
            rook: "h1",
            between: &["f1", "g1"],
            transit: "f1",
            landing: "g1",
        },
        CastlingSide::Queen => Squares {
            rook: "a1",
            between: &["b1", "c1", "d1"],
            transit: "d1",
            landing: "c1",
        },
    }
}

/// The square of a file on the fifth rank, from where a rook looks down an open file.
fn above(square: &str) -> String {
    format!("{}5", &square[..1])
}

#[track_caller]
fn assert_refused(scene: &Scene, side: CastlingSide, expected: CastlingError) {
    let position = scene.position();
    assert!(!can_castle(&position, side), "{position}");
    assert_eq!(position.castling_move(side), Err(expected), "{position}");
}

#[track_caller]
fn assert_allowed(scene: &Scene, side: CastlingSide) {
    let position = scene.position();
    assert!(can_castle(&position, side), "{position}");
    let castle = position.castling_move(side).expect("it is allowed");
    assert!(position.is_legal(castle));
}

#[test]
fn targets_g1_c1_g8_c8_present_when_all_conditions_hold() {
    let expected = [
        (Color::White, CastlingSide::King, "e1g1", "e1h1"),
        (Color::White, CastlingSide::Queen, "e1c1", "e1a1"),
        (Color::Black, CastlingSide::King, "e8g8", "e8h8"),
        (Color::Black, CastlingSide::Queen, "e8c8", "e8a8"),
    ];
    for (color, side, in_standard, in_chess960) in expected {
        let position = Scene::castling(color).position();
        assert!(can_castle(&position, side));
        let castle = position.castling_move(side).expect("all conditions hold");
        assert_eq!(castle.uci(Variant::Standard).to_string(), in_standard);
        assert_eq!(castle.uci(Variant::Chess960).to_string(), in_chess960);
    }
}

#[test]
fn blocked_by_a_piece_between_for_each_square_between() {
    for (color, side) in sides() {
        for on in squares(side).between {
            for scene in [
                Scene::castling(color).ours(Role::Bishop, on),
                Scene::castling(color).theirs(Role::Knight, on),
            ] {
                let square = scene.square(on);
                assert_refused(&scene, side, CastlingError::Blocked { side, square });
            }
        }
    }
}

#[test]
fn a_piece_between_on_one_wing_does_not_block_the_other() {
    for color in Color::ALL {
        assert_allowed(
            &Scene::castling(color).ours(Role::Knight, "b1"),
            CastlingSide::King,
        );
        assert_allowed(
            &Scene::castling(color).ours(Role::Knight, "g1"),
            CastlingSide::Queen,
        );
    }
}

#[test]
fn blocked_in_check() {
    for (color, side) in sides() {
        for (role, on) in [
            (Role::Rook, "e5"),
            (Role::Bishop, "b4"),
            (Role::Knight, "d3"),
            (Role::Pawn, "d2"),
            (Role::Queen, "h4"),
        ] {
            let scene = Scene::castling(color).theirs(role, on);
            let checker = scene.square(on);
            assert_refused(&scene, side, CastlingError::InCheck { side, checker });
        }
    }
}

#[test]
fn blocked_when_transit_square_is_attacked() {
    for (color, side) in sides() {
        let transit = squares(side).transit;
        let scene = Scene::castling(color).theirs(Role::Rook, &above(transit));
        let square = scene.square(transit);
        assert_refused(&scene, side, CastlingError::Attacked { side, square });
    }
}

#[test]
fn blocked_when_landing_square_is_attacked() {
    for (color, side) in sides() {
        let landing = squares(side).landing;
        let scene = Scene::castling(color).theirs(Role::Rook, &above(landing));
        let square = scene.square(landing);
        assert_refused(&scene, side, CastlingError::Attacked { side, square });
    }
}

#[test]
fn blocked_when_a_pawn_a_knight_or_the_enemy_king_attacks_the_way() {
    for color in Color::ALL {
        for (role, on, attacked) in [
            (Role::Pawn, "g2", "f1"),
            (Role::Pawn, "h2", "g1"),
            (Role::Knight, "g3", "f1"),
            (Role::Knight, "h3", "g1"),
        ] {
            let scene = Scene::castling(color).theirs(role, on);
            let (side, square) = (CastlingSide::King, scene.square(attacked));
            assert_refused(&scene, side, CastlingError::Attacked { side, square });
        }
        for (side, king, attacked) in [
            (CastlingSide::King, "g2", "f1"),
            (CastlingSide::Queen, "b2", "c1"),
        ] {
            let scene = Scene::castling(color).empty("e8").theirs(Role::King, king);
            let square = scene.square(attacked);
            assert_refused(&scene, side, CastlingError::Attacked { side, square });
        }
    }
}

#[test]
fn allowed_when_only_b1_is_attacked() {
    for color in Color::ALL {
        let scene = Scene::castling(color).theirs(Role::Rook, "b5");
        let attacked = scene.position().threats().all;
        assert!(attacked.has(scene.square("b1")));
        assert_allowed(&scene, CastlingSide::Queen);
    }
}

#[test]
fn allowed_when_only_the_rook_is_attacked() {
    for (color, side) in sides() {
        let rook = squares(side).rook;
        let scene = Scene::castling(color).theirs(Role::Rook, &above(rook));
        assert!(scene.position().threats().all.has(scene.square(rook)));
        assert_allowed(&scene, side);
    }
}

#[test]
fn blocked_when_the_right_is_off_each_right_separately() {
    for (color, side) in sides() {
        let scene = Scene::castling(color).without_right(color, side);
        assert_refused(&scene, side, CastlingError::NoRight { color, side });
        for (other_color, other_side) in sides().filter(|&other| other != (color, side)) {
            let mut other = scene.clone();
            if other_color != color {
                other = other.their_turn();
            }
            assert_allowed(&other, other_side);
        }
    }
}

#[test]
fn blocked_when_the_rook_is_missing_is_a_bishop_or_is_an_enemy_rook() {
    for (color, side) in sides() {
        let rook = squares(side).rook;
        let whole = Scene::castling(color);
        let bishop = Some(Piece::new(color, Role::Bishop));
        let enemy = Some(Piece::new(!color, Role::Rook));
        for (scene, found) in [
            (whole.clone().empty(rook), None),
            (whole.clone().ours(Role::Bishop, rook), bishop),
            (whole.clone().empty(rook).theirs(Role::Rook, rook), enemy),
        ] {
            let home = scene.square(rook);
            let dropped = scene.setup().dropped_rights(Variant::Standard);
            let reasons: Vec<CastlingError> =
                dropped.into_iter().map(|(_, reason)| reason).collect();
            assert_eq!(reasons, [CastlingError::RookNotHome { side, home, found }]);
            assert!(!can_castle(&scene.position(), side));
            assert_eq!(
                scene.position().castling_move(side),
                Err(CastlingError::NoRight { color, side })
            );
        }
    }
}

#[test]
fn blocked_when_the_king_is_not_at_home() {
    for (color, side) in sides() {
        let scene = Scene::castling(color).empty("e1").ours(Role::King, "e2");
        let home = scene.square("e1");
        let dropped = scene.setup().dropped_rights(Variant::Standard);
        let expected = CastlingError::KingNotHome { side, home };
        assert!(
            dropped.iter().any(|&(_, reason)| reason == expected),
            "{dropped:?}"
        );
        assert!(!can_castle(&scene.position(), side));
    }
}

/// Everything is wrong at once; put right one by one, each leaves the next as the reason.
#[test]
fn conditions_are_asked_in_order() {
    for color in Color::ALL {
        let side = CastlingSide::King;
        let wrong = Scene::castling(color)
            .without_right(color, side)
            .ours(Role::Knight, "g1")
            .theirs(Role::Rook, "e5")
            .theirs(Role::Rook, "f5");
        assert_refused(&wrong, side, CastlingError::NoRight { color, side });
        let blocked = Scene::castling(color)
            .ours(Role::Knight, "g1")
            .theirs(Role::Rook, "e5")
            .theirs(Role::Rook, "f5");
        let square = blocked.square("g1");
        assert_refused(&blocked, side, CastlingError::Blocked { side, square });
        let in_check = blocked.empty("g1");
        let checker = in_check.square("e5");
        assert_refused(&in_check, side, CastlingError::InCheck { side, checker });
        let attacked = in_check.empty("e5");
        let square = attacked.square("f1");
        assert_refused(&attacked, side, CastlingError::Attacked { side, square });
        assert_allowed(&attacked.empty("f5"), side);
    }
}

#[test]
fn attacks_are_the_same_whether_the_enemy_may_castle_or_not() {
    for color in Color::ALL {
        let with = Scene::castling(color);
        let without = sides().fold(with.clone(), |scene, (other, side)| {
            scene.without_right(other, side)
        });
        assert_eq!(with.position().threats(), without.position().threats());
    }
}

fn assert_lands(color: Color, side: CastlingSide, king: &str, rook: &str) {
    let scene = Scene::castling(color);
    let position = scene.position();
    let castle = position.castling_move(side).expect("all conditions hold");
    let next = position.try_play(castle).expect("it is legal");
    let man = |role| Some(Piece::new(color, role));
    assert_eq!(next.piece_on(scene.square(king)), man(Role::King));
    assert_eq!(next.piece_on(scene.square(rook)), man(Role::Rook));
    assert_eq!(next.piece_on(scene.square("e1")), None);
    assert_eq!(next.piece_on(scene.square(squares(side).rook)), None);
    assert!(
        next.castling_rights().of(color).is_empty(),
        "both rights are gone"
    );
    assert_eq!(
        next.castling_rights().of(!color),
        position.castling_rights().of(!color)
    );
    assert_eq!(next.occupied().count(), position.occupied().count());
}

#[test]
fn e1g1_puts_king_g1_rook_f1_and_clears_both_rights() {
    for color in Color::ALL {
        assert_lands(color, CastlingSide::King, "g1", "f1");
    }
}

#[test]
fn e1c1_puts_king_c1_rook_d1_and_clears_both_rights() {
    for color in Color::ALL {
        assert_lands(color, CastlingSide::Queen, "c1", "d1");
    }
}

#[test]
fn castle_is_in_the_legal_moves() {
    for (color, side) in sides() {
        let scene = Scene::castling(color);
        let castle = Move::castling(scene.square("e1"), scene.square(squares(side).rook));
        assert!(scene.position().legal_moves().contains(&castle));
        assert!(scene.position().quiet_moves().contains(&castle));
        assert!(!scene.position().noisy_moves().contains(&castle));
    }
}

#[test]
fn castle_is_not_in_the_legal_moves_when_in_check() {
    for color in Color::ALL {
        let position = Scene::castling(color).theirs(Role::Rook, "e5").position();
        assert!(position.in_check());
        assert!(!position.legal_moves().iter().any(|mv| mv.is_castling()));
    }
}

#[test]
fn undo_after_castling() {
    for (color, side) in sides() {
        let before = Scene::castling(color).clock(7).position();
        let mut game = Game::new(before);
        let castle = before.castling_move(side).expect("all conditions hold");
        game.play(castle).expect("it is legal");
        let castled = *game.position();
        assert_eq!(castled.halfmove_clock(), 8);
        assert_eq!(game.undo(), Some(castle));
        assert_eq!(*game.position(), before);
        assert_eq!(game.position().fen(), before.fen());
        assert!(can_castle(game.position(), side));
        assert_eq!(game.redo(), Some(castle));
        assert_eq!(*game.position(), castled);
    }
}

#[test]
fn undo_of_a_rook_move_gives_its_right_back() {
    for color in Color::ALL {
        let scene = Scene::castling(color);
        let mut game = Game::new(scene.position());
        follow(&mut game, &scene.moves("h1h2"));
        assert!(game.undo().is_some());
        assert_eq!(*game.position(), scene.position());
        assert!(can_castle(game.position(), CastlingSide::King));
    }
}

#[test]
fn castling_does_not_go_around_corners() {
    let no_way = standard("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for to in Square::all() {
        let castle = Move::castling(Square::E1, to);
        let expected = to == Square::A1 || to == Square::H1;
        assert_eq!(no_way.is_legal(castle), expected, "{to}");
    }
}
