//! Castling in special cases: several rooks, boards that return, and what the rook does once it has
//! castled.

use crate::helpers::PositionBuilder;
use tridim::{CastlingKind, Game, Move, Outcome, Position};

use CastlingKind::{KingsideKl, Queenside};

/// The reasons castling is illegal, as White's squares; empty if it is legal.
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
fn the_castled_rook_gives_check_or_mate() {
    // To mate, queens attack the files beside the king's.
    for (pieces, notation) in [("", "O-O-O+"), (",Q c3N,Q e4KL2", "O-O-O#")] {
        let pieces = format!("K+ d0KL1,R+ z0QL1,k d8B{pieces}");
        for scene in PositionBuilder::both(&pieces) {
            let scene = scene.board("KL6", "KL2");
            let position = scene.position();
            let castle = position.read_move("O-O-O").expect("it is legal");
            assert_eq!(position.notation(castle), notation);
            let checkers: Vec<_> = scene.after("O-O-O").checkers().into_iter().collect();
            assert_eq!(checkers, [scene.square("d0KL1")]);
        }
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
