//! Castling in special cases: several rooks, rotation, boards that return, undo, and what the
//! rook does once it has castled.

use crate::helpers::{PositionBuilder, ROTATION};
use tridim::{CastlingKind, Event, Game, Move, Outcome, Position};

use CastlingKind::{KingsideKl, Queenside};

/// Why castling is illegal, as White's squares; empty if it is legal.
fn reason(scene: &PositionBuilder, position: &Position, kind: CastlingKind) -> String {
    let error = position.why_no_castling(kind);
    let error = error.map_or(String::new(), |error| scene.name(&error.to_string()));
    error.replace(&format!("cannot castle {kind}: "), "")
}

#[test]
fn castling_uses_the_nearer_unmoved_rook() {
    for base in PositionBuilder::both("K+ d0KL1,k b8B") {
        let scene = |rooks| base.with(rooks);
        for (rooks, rook) in [
            ("R+ z0QL1", Ok("z0QL1")),
            ("R+ z0QL1,R+ a0QL1", Ok("a0QL1")),
            ("R z0QL1,R+ a0QL1", Ok("a0QL1")),
            (
                "R+ z0QL1,R a0QL1",
                Err("a0QL1 between king and rook is occupied"),
            ),
            ("R z0QL1,R a0QL1", Err("the rook on a0QL1 has moved")),
        ] {
            let position = scene(rooks).position();
            let found = position
                .castle(Queenside)
                .map(|castling| castling.rook_from);
            match rook {
                Ok(rook) => assert_eq!(found, Ok(base.square(rook)), "{rooks}"),
                Err(error) => assert_eq!(reason(&base, &position, Queenside), error),
            }
        }
        // The rook on a0 has no square beside it: king and rook exchange squares.
        let castling = scene("R+ a0QL1")
            .position()
            .castle(Queenside)
            .expect("it is legal");
        assert_eq!(castling.king_to, base.square("a0QL1"));
        assert_eq!(castling.rook_to, base.square("d0KL1"));
        let both_sides = scene("R+ e0KL1,R+ z0QL1").position();
        assert_eq!(
            both_sides.castling_options(base.us()),
            [KingsideKl, Queenside]
        );
    }
}

/// Pieces that move, are carried or rotated lose their right for good; others keep it.
#[test]
fn returning_home_restores_no_right() {
    const KING: &str = "the king on d0KL1 has moved";
    const NEAR: &str = "the rook on e0KL1 has moved";
    const FAR: &str = "the rook on z0QL1 has moved";
    for scene in PositionBuilder::both("K+ d0KL1,R+ e0KL1,R+ z0QL1,k b8B") {
        let start = scene.position();
        assert_eq!(start.castling_options(scene.us()), [KingsideKl, Queenside]);
        for (moves, kingside, queenside) in [
            ("d0KL1-d1W b8B-b7B d1W-d0KL1 b7B-b8B", KING, KING),
            ("e0KL1-e1KL1 b8B-b7B e1KL1-e0KL1 b7B-b8B", NEAR, ""),
            (
                "O-O b8B-b7B e0KL1-e1KL1 b7B-b8B d0KL1-d1KL1 b8B-b7B e1KL1-d0KL1 b7B-b8B \
                 d1KL1-e1KL1 b8B-b7B e1KL1-e0KL1 b7B-b8B",
                KING,
                KING,
            ),
            (
                "QL1-QL2 b8B-b7B",
                "",
                "no attack board stands on its home pin QL1",
            ),
            // The rook steps off, the board goes home empty, the rook returns to its square.
            (
                "QL1-QL2 b8B-b7B z4QL2-a4W b7B-b8B QL2-QL1 b8B-b7B a4W-a0QL1 b7B-b8B \
                 a0QL1-z0QL1 b8B-b7B",
                "",
                FAR,
            ),
        ] {
            let position = scene.after(moves);
            assert_eq!(reason(&scene, &position, KingsideKl), kingside, "{moves}");
            assert_eq!(reason(&scene, &position, Queenside), queenside, "{moves}");
        }
    }
    // An empty board that was away does not matter.
    for scene in PositionBuilder::both("K+ d0KL1,R+ e0KL1,k b8B") {
        let position = scene.after("QL1-QL2 b8B-b7B QL2-QL1 b7B-b8B");
        assert_eq!(reason(&scene, &position, KingsideKl), "");
    }
}

#[test]
fn rotation_forfeits_the_right() {
    for scene in PositionBuilder::both("K+ d0KL1,R+ z0QL1,k b8B") {
        let scene = scene.rules(ROTATION);
        assert_eq!(reason(&scene, &scene.position(), Queenside), "");
        let rotated = scene.after("KL1-KL1 b8B-b7B");
        assert_eq!(scene.letter(&rotated, "d0KL1"), None);
        assert_eq!(scene.letter(&rotated, "e1KL1"), Some('K'));
        for (moves, expected) in [
            ("KL1-KL1 b8B-b7B", "the king is not on rank 0 of KL1 or QL1"),
            (
                "KL1-KL1 b8B-b7B KL1-KL1 b7B-b8B",
                "the king on d0KL1 has moved",
            ),
            (
                "QL1-QL1 b8B-b7B QL1-QL1 b7B-b8B",
                "the rook on z0QL1 has moved",
            ),
        ] {
            assert_eq!(reason(&scene, &scene.after(moves), Queenside), expected);
        }
    }
}

#[test]
fn a_leaving_passenger_returns_control() {
    for scene in PositionBuilder::both("K+ d0KL1,R+ e0KL1,n e1KL1,k b8B") {
        let expected = "Black controls the board on KL1, by the piece on e1KL1";
        assert_eq!(reason(&scene, &scene.position(), KingsideKl), expected);
        let position = scene.after("QL1-QL2 e1KL1-d3N");
        assert_eq!(reason(&scene, &position, KingsideKl), "");
    }
}

#[test]
fn undo_restores_castling_and_redo_castles_again() {
    for scene in PositionBuilder::both("K+ d0KL1,R+ e0KL1,R+ z0QL1,k b8B") {
        for kind in [KingsideKl, Queenside] {
            let mut game = Game::new(scene.position());
            let before = *game.position();
            let castle = before.read_move(kind.notation()).expect("it is legal");
            let events = game.play(castle).expect("it is legal");
            assert_eq!(events.first(), Some(&Event::Moved));
            let castled = *game.position();
            assert_eq!(game.undo(), Some(castle));
            assert_eq!(*game.position(), before);
            assert_eq!(before.castling_options(scene.us()), [KingsideKl, Queenside]);
            assert_eq!(game.redo(), Some(castle));
            assert_eq!(*game.position(), castled);
            assert_eq!(game.moves().collect::<Vec<_>>(), [castle], "one move");
        }
    }
}

#[test]
fn the_castled_rook_gives_check() {
    for scene in PositionBuilder::both("K+ d0KL1,R+ z0QL1,k d8B") {
        let position = scene.position();
        let castle = position.read_move("O-O-O").expect("it is legal");
        assert_eq!(position.notation(castle), "O-O-O+");
        let mut game = Game::new(position);
        let events = game.play(castle).expect("it is legal");
        assert_eq!(events, [Event::Moved, Event::Check]);
        let checkers: Vec<_> = game.position().checkers().into_iter().collect();
        assert_eq!(checkers, [scene.square("d0KL1")]);
    }
}

#[test]
fn the_castled_rook_mates() {
    // The rook attacks the king's file, the queens the files beside it.
    for scene in PositionBuilder::both("K+ d0KL1,R+ z0QL1,k d8B,Q c3N,Q e4KL2") {
        let position = scene.board("KL6", "KL2").position();
        let castle = position.read_move("O-O-O").expect("it is legal");
        assert_eq!(position.notation(castle), "O-O-O#");
        let mut game = Game::new(position);
        game.play(castle).expect("it is legal");
        let winner = scene.us();
        assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner }));
    }
}

#[test]
fn castling_as_the_only_move_is_not_stalemate() {
    // The opposing rook attacks the first rank and controls the other board.
    for scene in PositionBuilder::both("K+ d0KL1,R+ e0KL1,P e1KL1,r a1QL1,k b8B") {
        let position = scene.position();
        assert_eq!(scene.legal(), ["O-O"], "{position}");
        assert!(matches!(position.legal_moves()[..], [Move::Castle(_)]));
        assert!(!position.is_stalemate());
        // As the first move castling is not allowed.
        let first = scene.number(1).position();
        assert!(first.is_stalemate());
        assert_eq!(Game::new(first).outcome(), Some(Outcome::Stalemate));
    }
}
