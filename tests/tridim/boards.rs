//! Attack boards: pins, control, activation, and the reasons of illegal moves.

use crate::helpers::{after, assert_errors, both, error_of, legal, pin, position, white};
use tridim::{Flank, Pin};

#[test]
fn pins_have_the_adjacent_pins_of_the_rules() {
    for flank in Flank::ALL {
        let pins = (1..=6).map(|level| Pin::new(flank, level));
        let counts: Vec<usize> = pins.map(|pin| pin.adjacent().count()).collect();
        assert_eq!(counts, [3, 4, 5, 5, 4, 3]);
    }
    for (name, expected) in [
        ("QL1", "QL2 QL3 KL1"),
        ("KL4", "KL2 KL3 KL5 KL6 QL4"),
        ("KL6", "KL4 KL5 QL6"),
    ] {
        let adjacent = pin(name).adjacent().map(|pin| pin.to_string());
        assert_eq!(adjacent.collect::<Vec<_>>().join(" "), expected);
    }
    for one in Pin::all() {
        assert_eq!(one.to_string().parse(), Ok(one));
        let mut adjacent = one.adjacent();
        assert!(adjacent.all(|other| other.adjacent().any(|pin| pin == one)));
    }
    for text in ["QL0", "QL7", "ql1", "QL", "ML1", "QL11"] {
        let error = text.parse::<Pin>().expect_err(text).to_string();
        let expected = "is not a pin: expected QL or KL and a level 1-6, such as QL1";
        assert_eq!(error, format!("'{text}' {expected}"));
    }
}

#[test]
fn the_passenger_or_else_the_owner_controls_a_board() {
    let spec = "K b1W,k b8B,N z8QL6,n z1QL1";
    for (scene, contested) in both(spec).iter().zip(both(&format!("{spec},n a8QL6"))) {
        let us = scene.us();
        for (name, controller) in [
            ("QL6", Some(us)),
            ("QL1", Some(!us)),
            ("KL1", Some(us)),
            ("QL3", None),
        ] {
            let pin = pin(&scene.name(name));
            assert_eq!(scene.position().placement().controller(pin), controller);
        }
        let pin = pin(&scene.name("QL6"));
        assert_eq!(contested.position().placement().controller(pin), None);
    }
}

/// QL2 covers a4 and a5: W and N have an a4, N and B an a5. The king may not be carried into a
/// line of a rook, nor a passenger away that shields it.
const ERRORS: &str = "
K b1W,k b8B,N z8QL6,n z1QL1 | QL1-QL2 | Black controls the board on QL1
K b1W,k b8B,p a4W | QL1-QL2 | on QL2 the board would be directly above or below the pawn on a4W
K b1W,k b8B,p a4N | QL1-QL2 | on QL2 the board would be directly above or below the pawn on a4N
K b1W,k b8B,p a5N | QL1-QL2 | on QL2 the board would be directly above or below the pawn on a5N
K b1W,k b8B,p a5B | QL1-QL2 | on QL2 the board would be directly above or below the pawn on a5B
K b1W,k b8B,P z4QL5,KL1>QL5 | QL1-QL2 | on QL2 the board would be directly above or below the pawn on z4QL5
K b1W,k b8B,N z2QL3,QL1>QL3 | QL3-QL2 | the board on QL3 carries a piece: it moves forward or sideways, not back to QL2
K b1W,k b8B | QL2-QL3   | no attack board stands on QL2
K b1W,k b8B | QL1-KL1   | KL1 is occupied by another board
K b1W,k b8B | QL1-QL2=Q | the move does not promote a pawn
K b1W,k b8B | QL1-QL1   | the board on QL1 cannot rotate in place: the game is played without rotation
K b1W,k b8B,R z0QL1,Q a0QL1 | QL1-QL3 | the board on QL1 carries 2 pieces; it moves with at most one
K z0QL1,r b4N,k e9KL6 | QL1-QL2 | the board move would leave the king attacked from b4N
K z0QL1,N z4QL2,r z8QL6,k b8B,KL1>QL2 | QL2-KL2 | the board move would leave the king attacked from z8QL6
";

#[test]
fn illegal_board_moves_have_reasons() {
    assert_errors(ERRORS);
    let bare = white("K b1W,k b8B");
    let expected = "the board on QL1 can move to QL2, QL3, KL1, not to QL5";
    assert_eq!(bare.error("QL1-QL5"), expected);
    for legal in ["K b1W,k b8B,n a4W", "K b1W,k b8B,n a5B"] {
        white(legal).after("QL1-QL2");
    }
    for scene in both("K z0QL1,r b4N,k e9KL6") {
        let next = scene.after("QL1-QL3");
        assert!(next.placement().checkers(scene.us()).is_empty());
    }
}

#[test]
fn only_the_activated_board_moves() {
    let start = white("K b1W,k b8B").position();
    let activated = start.activate(pin("QL1")).expect("it has moves");
    assert_eq!(activated, white("K b1W,k b8B,@QL1").position());
    assert_eq!(legal(&activated), ["QL1-QL2", "QL1-QL3"]);
    let expected = "the board on QL1 is activated: move it or release it";
    for other in ["Kb1W-b2W", "Kb2W", "KL1-KL2"] {
        assert_eq!(error_of(&activated, other), expected);
    }
    assert!(activated.activate(pin("KL1")).is_err(), "one at a time");
    assert_eq!(after(&activated, "QL1-QL2").activated_board(), None);
    assert_eq!(activated.release(), start);
    let error = |name| start.activate(pin(name)).expect_err(name).to_string();
    assert_eq!(error("QL6"), "Black controls the board on QL6");
    assert_eq!(error("QL4"), "no attack board stands on QL4");
    let text = activated.to_string();
    assert!(text.contains(" w@QL1 "), "{text}");
    assert_eq!(position(&text), activated);
}
