//! Promotion on the furthest rank that exists, and the waiting pawn.

use crate::helpers::{assert_errors, boards, both, error_of, legal, position};
use tridim::{Game, GamePosition};

/// Attack boards overhang both corners. A queen on a1 attacks d1 along the rank; a knight attacks
/// b3 and c2.
const ERRORS: &str = "
K e0KL1,k e9KL6,P b7B   | b7B-b8B       | the move promotes a pawn: add =Q, =R, =B or =N
K e0KL1,k e9KL6,P b7B   | b8B           | the move promotes a pawn: add =Q, =R, =B or =N
K e0KL1,k e9KL6,P b7B,n c8B | bxc8B     | the move promotes a pawn: add =Q, =R, =B or =N
K e0KL1,k e9KL6,P z8QL6 | z8QL6-z9QL6   | the move promotes a pawn: add =Q, =R, =B or =N
K e0KL1,k e9KL6,P a7B   | a7B-a8B=Q     | the move does not promote a pawn
K e0KL1,k e9KL6,P a8B   | a8B-a9QL6     | the move promotes a pawn: add =Q, =R, =B or =N
K e0KL1,k e9KL6,P d7B   | d7B-d8B=Q     | the move does not promote a pawn
K e0KL1,k e9KL6,P z7QL4,QL6>KL2,QL1>QL4 | QL4-QL6 | the move promotes a pawn: add =Q, =R, =B or =N
K e0KL1,k e9KL6,P z7QL4,QL6>KL2,QL1>QL4 | QL6     | the move promotes a pawn: add =Q, =R, =B or =N
K e0KL1,k b6B,P a8B,N z8QL6,KL6>KL2     | QL6-KL6 | the move promotes a pawn: add =Q, =R, =B or =N
K d1W,k b8B,p a1W | QL1-QL3 | the move would uncover the pawn on a1W, which attacks the king as a queen or knight
K c2W,k b8B,p a1W | QL1-QL3 | the move would uncover the pawn on a1W, which attacks the king as a queen or knight
K b3N,k b8B,p a1W | QL1-QL3 | the move would uncover the pawn on a1W, which attacks the king as a queen or knight
";

#[test]
fn a_promotion_is_named_where_there_is_one() {
    assert_errors(ERRORS);
    for scene in both("K d2W,k b8B,p a1W") {
        scene.after("QL1-QL3");
    }
}

#[test]
fn carried_pawns_promote() {
    for (pawn, mv, clock) in [
        ("z7QL4", "QL4-QL6=R", 0),
        // One rank below its last rank the pawn does not promote: the board moved, not the pawn.
        ("z6QL4", "QL4-QL6", 1),
    ] {
        for scene in both(&format!("K e0KL1,k e9KL6,P {pawn},QL6>KL2,QL1>QL4")) {
            assert_eq!(scene.after(mv).halfmove_clock(), clock);
        }
    }
}

#[test]
fn uncovering_an_own_pawn_promotes_it() {
    // The passenger gives control of the board, which moves sideways.
    let before = both("K e0KL1,k b6B,P a8B,N z8QL6,KL6>KL2");
    let after = both("K e0KL1,k b6B,Q a8B,N d8KL6,KL6>KL2,QL6>KL6");
    for (scene, expected) in before.iter().zip(after) {
        let next = scene.after("QL6-KL6=Q");
        assert_eq!(boards(&next.to_string()), boards(expected.text()));
        assert_eq!(next.side_to_move(), !scene.us());
    }
}

#[test]
fn an_uncovered_pawn_is_promoted_first() {
    for scene in both("K e0KL1,k b6B,p a1W") {
        let them = !scene.us();
        let uncovered = scene.after("QL1-QL3");
        assert_eq!(uncovered.pending_promotion(), Some(scene.square("a1W")));
        assert_eq!(uncovered.side_to_move(), them);
        let choices = ["a1W=B", "a1W=N", "a1W=Q", "a1W=R"].map(|choice| scene.name(choice));
        assert_eq!(legal(&uncovered), choices);
        for king in ["Kb6B-b7B", "Kb7B"] {
            assert_eq!(
                scene.name(&error_of(&uncovered, &scene.name(king))),
                "the pawn on a1W must be promoted first, for example a1W=Q"
            );
        }
        assert_eq!(position(&uncovered.to_string()), uncovered);
        // The promotion does not pass the turn.
        let chosen = scene.after("QL1-QL3 a1W=N");
        assert_eq!((chosen.side_to_move(), chosen.halfmove_clock()), (them, 0));
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
