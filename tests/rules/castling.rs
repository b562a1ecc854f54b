//! The six conditions of castling in standard chess, and its effects.

use crate::positions::{Builder, can_castle, castlings, push, standard};
use movegen::{CastlingError, CastlingSide, Color, Game, Move, Piece, Role, Square, Variant};

/// The squares of castling to one side, from the point of view of the castling side.
struct Squares {
    rook: &'static str,
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

/// The square from which a rook attacks `square` along the file.
fn above(square: &str) -> String {
    format!("{}5", &square[..1])
}

#[track_caller]
fn assert_illegal(builder: &Builder, side: CastlingSide, expected: CastlingError) {
    let position = builder.position();
    assert!(!can_castle(&position, side), "{position}");
    assert_eq!(position.castling_move(side), Err(expected), "{position}");
}

#[track_caller]
fn assert_legal(builder: &Builder, side: CastlingSide) {
    let position = builder.position();
    assert!(can_castle(&position, side), "{position}");
    let mv = position.castling_move(side).expect("castling is legal");
    assert!(position.is_legal(mv));
}

#[test]
fn targets_g1_c1_g8_c8_present_when_all_conditions_hold() {
    for (color, side, standard, chess960) in [
        (Color::White, CastlingSide::King, "e1g1", "e1h1"),
        (Color::White, CastlingSide::Queen, "e1c1", "e1a1"),
        (Color::Black, CastlingSide::King, "e8g8", "e8h8"),
        (Color::Black, CastlingSide::Queen, "e8c8", "e8a8"),
    ] {
        let position = Builder::castling(color).position();
        let mv = position.castling_move(side).expect("castling is legal");
        assert_eq!(mv.uci(Variant::Standard).to_string(), standard);
        assert_eq!(mv.uci(Variant::Chess960).to_string(), chess960);
        assert!(position.legal_moves().contains(&mv));
        assert!(position.quiet_moves().contains(&mv));
        assert!(!position.noisy_moves().contains(&mv));
    }
}

#[test]
fn blocked_by_a_piece_between_for_each_square_between() {
    for (color, side) in castlings() {
        for on in squares(side).between {
            for builder in [
                Builder::castling(color).ours(Role::Bishop, on),
                Builder::castling(color).theirs(Role::Knight, on),
            ] {
                let square = builder.square(on);
                assert_illegal(&builder, side, CastlingError::Blocked { side, square });
            }
        }
    }
}

#[test]
fn a_piece_between_on_one_side_does_not_block_the_other() {
    for color in Color::ALL {
        let builder = Builder::castling(color);
        assert_legal(
            &builder.clone().ours(Role::Knight, "b1"),
            CastlingSide::King,
        );
        assert_legal(&builder.ours(Role::Knight, "g1"), CastlingSide::Queen);
    }
}

#[test]
fn blocked_in_check() {
    for (color, side) in castlings() {
        for (role, on) in [
            (Role::Rook, "e5"),
            (Role::Bishop, "b4"),
            (Role::Knight, "d3"),
            (Role::Pawn, "d2"),
            (Role::Queen, "h4"),
        ] {
            let builder = Builder::castling(color).theirs(role, on);
            let checker = builder.square(on);
            assert_illegal(&builder, side, CastlingError::InCheck { side, checker });
            let moves = builder.position().legal_moves();
            assert!(!moves.iter().any(|mv| mv.is_castling()));
        }
    }
}

#[test]
fn blocked_when_transit_or_landing_square_is_attacked() {
    for (color, side) in castlings() {
        for attacked in [squares(side).transit, squares(side).landing] {
            let builder = Builder::castling(color).theirs(Role::Rook, &above(attacked));
            let square = builder.square(attacked);
            assert_illegal(&builder, side, CastlingError::Attacked { side, square });
        }
    }
}

#[test]
fn blocked_when_a_pawn_a_knight_or_the_enemy_king_attacks_the_path() {
    for color in Color::ALL {
        for (side, role, on, attacked) in [
            (CastlingSide::King, Role::Pawn, "g2", "f1"),
            (CastlingSide::King, Role::Pawn, "h2", "g1"),
            (CastlingSide::King, Role::Knight, "g3", "f1"),
            (CastlingSide::King, Role::Knight, "h3", "g1"),
            (CastlingSide::King, Role::King, "g2", "f1"),
            (CastlingSide::Queen, Role::King, "b2", "c1"),
        ] {
            let mut builder = Builder::castling(color);
            if role == Role::King {
                builder = builder.without("e8");
            }
            let builder = builder.theirs(role, on);
            let square = builder.square(attacked);
            assert_illegal(&builder, side, CastlingError::Attacked { side, square });
        }
    }
}

#[test]
fn allowed_when_only_b1_or_only_the_rook_is_attacked() {
    for (color, side) in castlings() {
        let rook = squares(side).rook;
        for attacked in [rook, "b1"] {
            let builder = Builder::castling(color).theirs(Role::Rook, &above(attacked));
            let threats = builder.position().threats();
            assert!(threats.all.has(builder.square(attacked)));
            assert_legal(&builder, side);
        }
    }
}

#[test]
fn blocked_when_the_right_is_off_each_right_separately() {
    for (color, side) in castlings() {
        let builder = Builder::castling(color).without_right(color, side);
        assert_illegal(&builder, side, CastlingError::NoRight { color, side });
        for (other_color, other_side) in castlings().filter(|&other| other != (color, side)) {
            let mut other = builder.clone();
            if other_color != color {
                other = other.opponent_to_move();
            }
            assert_legal(&other, other_side);
        }
    }
}

#[test]
fn blocked_when_the_rook_is_missing_is_a_bishop_or_is_an_enemy_rook() {
    for (color, side) in castlings() {
        let rook = squares(side).rook;
        let builder = Builder::castling(color);
        let bishop = Piece::new(color, Role::Bishop);
        let enemy_rook = Piece::new(!color, Role::Rook);
        for (builder, found) in [
            (builder.clone().without(rook), None),
            (builder.clone().ours(Role::Bishop, rook), Some(bishop)),
            (builder.clone().theirs(Role::Rook, rook), Some(enemy_rook)),
        ] {
            let home = builder.square(rook);
            let dropped = builder.setup().dropped_rights(Variant::Standard);
            let reasons: Vec<_> = dropped.into_iter().map(|(_, reason)| reason).collect();
            assert_eq!(reasons, [CastlingError::RookNotHome { side, home, found }]);
            assert_illegal(&builder, side, CastlingError::NoRight { color, side });
        }
    }
}

#[test]
fn blocked_when_the_king_is_not_at_home() {
    for (color, side) in castlings() {
        let builder = Builder::castling(color)
            .without("e1")
            .ours(Role::King, "e2");
        let home = builder.square("e1");
        let dropped = builder.setup().dropped_rights(Variant::Standard);
        let expected = CastlingError::KingNotHome { side, home };
        assert!(dropped.iter().any(|&(_, reason)| reason == expected));
        assert_illegal(&builder, side, CastlingError::NoRight { color, side });
    }
}

/// All conditions fail at first; each one fixed, the next is reported.
#[test]
fn conditions_are_checked_in_order() {
    for color in Color::ALL {
        let side = CastlingSide::King;
        let all_wrong = Builder::castling(color)
            .ours(Role::Knight, "g1")
            .theirs(Role::Rook, "e5")
            .theirs(Role::Rook, "f5");
        let square = |name| all_wrong.square(name);
        let no_right = all_wrong.clone().without_right(color, side);
        assert_illegal(&no_right, side, CastlingError::NoRight { color, side });
        let blocked = CastlingError::Blocked {
            side,
            square: square("g1"),
        };
        assert_illegal(&all_wrong, side, blocked);
        let unblocked = all_wrong.clone().without("g1");
        let in_check = CastlingError::InCheck {
            side,
            checker: square("e5"),
        };
        assert_illegal(&unblocked, side, in_check);
        let no_check = unblocked.without("e5");
        let attacked = CastlingError::Attacked {
            side,
            square: square("f1"),
        };
        assert_illegal(&no_check, side, attacked);
        assert_legal(&no_check.without("f5"), side);
    }
}

#[test]
fn attacks_do_not_depend_on_castling_rights() {
    for color in Color::ALL {
        let with = Builder::castling(color);
        let without = castlings().fold(with.clone(), |builder, (color, side)| {
            builder.without_right(color, side)
        });
        assert_eq!(with.position().threats(), without.position().threats());
    }
}

#[track_caller]
fn assert_castles_to(color: Color, side: CastlingSide, king: &str, rook: &str) {
    let builder = Builder::castling(color);
    let position = builder.position();
    let mv = position.castling_move(side).expect("castling is legal");
    let home = builder.square(squares(side).rook);
    assert_eq!(mv, Move::castling(builder.square("e1"), home));
    let next = position.try_play(mv).expect("castling is legal");
    let piece = |role| Some(Piece::new(color, role));
    assert_eq!(next.piece_on(builder.square(king)), piece(Role::King));
    assert_eq!(next.piece_on(builder.square(rook)), piece(Role::Rook));
    assert_eq!(next.piece_on(builder.square("e1")), None);
    assert_eq!(next.piece_on(home), None);
    assert_eq!(next.occupied().count(), position.occupied().count());
    assert!(next.castling_rights().of(color).is_empty());
    assert_eq!(
        next.castling_rights().of(!color),
        position.castling_rights().of(!color)
    );
}

#[test]
fn e1g1_puts_king_g1_rook_f1_and_clears_both_rights() {
    for color in Color::ALL {
        assert_castles_to(color, CastlingSide::King, "g1", "f1");
    }
}

#[test]
fn e1c1_puts_king_c1_rook_d1_and_clears_both_rights() {
    for color in Color::ALL {
        assert_castles_to(color, CastlingSide::Queen, "c1", "d1");
    }
}

#[test]
fn undo_after_castling() {
    for (color, side) in castlings() {
        let before = Builder::castling(color).clock(7).position();
        let mut game = Game::new(before);
        let mv = before.castling_move(side).expect("castling is legal");
        game.play(mv).expect("castling is legal");
        let castled = *game.position();
        assert_eq!(castled.halfmove_clock(), 8);
        assert_eq!(game.undo(), Some(mv));
        assert_eq!(*game.position(), before);
        assert_eq!(game.position().fen(), before.fen());
        assert!(can_castle(game.position(), side));
        assert_eq!(game.redo(), Some(mv));
        assert_eq!(*game.position(), castled);
    }
}

#[test]
fn undo_of_a_rook_move_restores_its_right() {
    for color in Color::ALL {
        let builder = Builder::castling(color);
        let mut game = Game::new(builder.position());
        push(&mut game, &builder.moves("h1h2"));
        assert!(game.undo().is_some());
        assert_eq!(*game.position(), builder.position());
        assert!(can_castle(game.position(), CastlingSide::King));
    }
}

#[test]
fn no_other_square_is_a_castling_target() {
    let position = standard("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for to in Square::all() {
        let mv = Move::castling(Square::E1, to);
        let expected = to == Square::A1 || to == Square::H1;
        assert_eq!(position.is_legal(mv), expected, "{to}");
    }
}
