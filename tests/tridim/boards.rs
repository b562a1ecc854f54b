//! Attack boards: pins, control, activation, and the reasons of illegal moves.

use crate::helpers::{NO_ROTATION, PositionBuilder, after, error_of, legal, pin, position};
use tridim::{Flank, Pin, Position};

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
    for scene in PositionBuilder::both("K b1W,k b8B,N z8QL6,n z1QL1") {
        let us = scene.us();
        let controller = |scene: &PositionBuilder, name| {
            scene.position().placement().controller(scene.pin(name))
        };
        assert_eq!(controller(&scene, "QL6"), Some(us));
        assert_eq!(controller(&scene, "QL1"), Some(!us));
        assert_eq!(controller(&scene, "KL1"), Some(us));
        assert_eq!(controller(&scene, "QL3"), None, "no board is there");
        assert_eq!(controller(&scene.with("n a8QL6"), "QL6"), None);
        assert_eq!(scene.error("QL1-QL2"), "Black controls the board on QL1");
    }
}

#[test]
fn boards_may_not_shadow_a_piece_other_than_a_knight() {
    for scene in PositionBuilder::both("K b1W,k b8B") {
        // QL2 covers a4 and a5: W and N have an a4, N and B an a5.
        for at in ["a4W", "a4N", "a5N", "a5B"] {
            assert_eq!(
                scene.with(&format!("p {at}")).error("QL1-QL2"),
                format!("on QL2 the board would be directly above or below the pawn on {at}")
            );
            scene.with(&format!("n {at}")).after("QL1-QL2");
        }
        // So does a piece on another attack board.
        assert_eq!(
            scene.with("P z4QL5").board("KL1", "QL5").error("QL1-QL2"),
            "on QL2 the board would be directly above or below the pawn on z4QL5"
        );
    }
}

#[test]
fn illegal_board_moves_have_reasons() {
    let start = Position::start(NO_ROTATION);
    let bare = PositionBuilder::white("K b1W,k b8B").position();
    let carrying = PositionBuilder::white("K b1W,k b8B,N z2QL3").board("QL1", "QL3");
    for (position, text, expected) in [
        (
            &carrying.position(),
            "QL3-QL2",
            "the board on QL3 carries a piece: it moves forward or sideways, not back to QL2",
        ),
        (&start, "QL2-QL3", "no attack board stands on QL2"),
        (
            &start,
            "QL1-QL3",
            "the board on QL1 carries 4 pieces; it moves with at most one",
        ),
        (&bare, "QL1-KL1", "KL1 is occupied by another board"),
        (
            &bare,
            "QL1-QL5",
            "the board on QL1 can move to QL2, QL3, KL1, not to QL5",
        ),
        (&bare, "QL1-QL2=Q", "the move does not promote a pawn"),
        (
            &bare,
            "QL1-QL1",
            "the board on QL1 cannot rotate in place: the game is played without rotation",
        ),
    ] {
        assert_eq!(error_of(position, text), expected);
    }
}

#[test]
fn board_moves_obey_the_check_rules() {
    // The king may not be carried into a rook's line.
    for scene in PositionBuilder::both("K z0QL1,r b4N,k e9KL6") {
        assert_eq!(
            scene.error("QL1-QL2"),
            "the board move would leave the king attacked from b4N"
        );
        assert!(
            scene
                .after("QL1-QL3")
                .placement()
                .checkers(scene.us())
                .is_empty()
        );
    }
    // A passenger that shields the king may not be carried away.
    for scene in PositionBuilder::both("K z0QL1,N z4QL2,r z8QL6,k b8B") {
        assert_eq!(
            scene.board("KL1", "QL2").error("QL2-KL2"),
            "the board move would leave the king attacked from z8QL6"
        );
    }
}

#[test]
fn only_the_activated_board_moves() {
    let start = PositionBuilder::white("K b1W,k b8B").position();
    let activated = start.activate(pin("QL1")).expect("it has moves");
    assert_eq!(legal(&activated), ["QL1-QL2", "QL1-QL3"]);
    let expected = "the board on QL1 is activated: move it or release it";
    assert_eq!(error_of(&activated, "Kb1W-b2W"), expected);
    assert_eq!(error_of(&activated, "KL1-KL2"), expected);
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
