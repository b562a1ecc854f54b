//! Promotion on the furthest rank that exists, and the waiting pawn.

use crate::helpers::{PositionBuilder, error_of, legal, position};
use tridim::Game;

const MISSING: &str = "the move promotes a pawn: add =Q, =R, =B or =N";
const UNEXPECTED: &str = "the move does not promote a pawn";

/// Positions with the kings out of the way.
fn both(pieces: &str) -> [PositionBuilder; 2] {
    PositionBuilder::both(&format!("K e0KL1,k e9KL6,{pieces}"))
}

#[test]
fn a_promotion_is_named_where_there_is_one() {
    // Attack boards overhang both corners.
    for (from, to, promotes) in [
        ("b7B", "b8B", true),
        ("z8QL6", "z9QL6", true),
        ("a7B", "a8B", false),
        ("a8B", "a9QL6", true),
        ("d7B", "d8B", false),
    ] {
        for scene in both(&format!("P {from}")) {
            let plain = format!("{from}-{to}");
            let queen = format!("{plain}=Q");
            let (illegal, error) = if promotes {
                (plain, MISSING)
            } else {
                (queen, UNEXPECTED)
            };
            assert_eq!(scene.error(&illegal), error);
        }
    }
}

#[test]
fn carried_pawns_promote() {
    for scene in both("P z7QL4") {
        let scene = scene.board("QL6", "KL2").board("QL1", "QL4");
        assert_eq!(scene.after("QL4-QL6=R").halfmove_clock(), 0);
        assert_eq!(scene.error("QL4-QL6"), MISSING);
        // One rank below its last rank the pawn does not promote.
        let scene = scene.without("z7QL4").with("P z6QL4");
        let next = scene.after("QL4-QL6");
        assert_eq!(next.halfmove_clock(), 1, "the board moved, not the pawn");
    }
}

#[test]
fn uncovering_an_own_pawn_promotes_it() {
    // The passenger gives control of the board, which moves sideways.
    for scene in PositionBuilder::both("K e0KL1,k b6B,P a8B,N z8QL6") {
        let scene = scene.board("KL6", "KL2");
        let next = scene.after("QL6-KL6=Q");
        assert_eq!(scene.letter(&next, "a8B"), Some('Q'));
        assert_eq!(scene.letter(&next, "d8KL6"), Some('N'));
        assert_eq!(next.side_to_move(), !scene.us());
        assert_eq!(scene.error("QL6-KL6"), MISSING);
    }
}

#[test]
fn an_uncovered_pawn_is_promoted_first() {
    for scene in PositionBuilder::both("K e0KL1,k b6B,p a1W") {
        let them = !scene.us();
        let uncovered = scene.after("QL1-QL3");
        assert_eq!(uncovered.pending_promotion(), Some(scene.square("a1W")));
        assert_eq!(uncovered.side_to_move(), them);
        let choices = ["a1W=B", "a1W=N", "a1W=Q", "a1W=R"].map(|choice| scene.name(choice));
        assert_eq!(legal(&uncovered), choices);
        assert_eq!(uncovered.castling_options(them), []);
        assert_eq!(
            scene.name(&error_of(&uncovered, &scene.name("Kb6B-b7B"))),
            "the pawn on a1W must be promoted first, for example a1W=Q"
        );
        assert_eq!(position(&uncovered.to_string()), uncovered);
        // The promotion does not pass the turn.
        let chosen = scene.after("QL1-QL3 a1W=N");
        assert_eq!((chosen.side_to_move(), chosen.halfmove_clock()), (them, 0));
        assert_eq!(scene.letter(&chosen, "a1W"), Some('n'));
        assert_eq!(chosen.pending_promotion(), None);
        // It is a move of its own for undo.
        let mut game = Game::new(uncovered);
        let choice = uncovered.read_move(&scene.name("a1W=Q"));
        game.play(choice.expect("it is legal"))
            .expect("it is legal");
        game.undo();
        assert_eq!(*game.position(), uncovered);
    }
}

#[test]
fn uncovering_a_pawn_may_not_expose_the_king() {
    // A queen on a1 attacks d1 along the rank; a knight attacks b3 and c2.
    for (king, legal) in [
        ("d1W", false),
        ("c2W", false),
        ("b3N", false),
        ("d2W", true),
    ] {
        for scene in PositionBuilder::both(&format!("K {king},k b8B,p a1W")) {
            if legal {
                scene.after("QL1-QL3");
            } else {
                assert_eq!(
                    scene.error("QL1-QL3"),
                    "the move would uncover the pawn on a1W, which attacks the king as a queen or knight"
                );
            }
        }
    }
}
