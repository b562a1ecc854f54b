//! Attack boards: pins, control, direction, shadows, check.

use crate::helpers::{
    NO_ROTATION, PositionBuilder, ROTATION, after, error_of, legal, pin, position, square,
};
use tridim::{Color, Flank, Pin, Position};

/// The moves of boards, in alphabetical order.
fn board_moves(position: &Position) -> Vec<String> {
    let mut names = legal(position);
    names.retain(|name| name.starts_with(['Q', 'K']) && name.as_bytes().get(3) == Some(&b'-'));
    names
}

#[test]
fn pins_have_the_adjacent_pins_of_the_rules() {
    for flank in Flank::ALL {
        let counts: Vec<usize> = (1..=6)
            .map(|level| Pin::new(flank, level).adjacent().count())
            .collect();
        assert_eq!(counts, [3, 4, 5, 5, 4, 3]);
    }
    let names = |name: &str| {
        let adjacent = pin(name).adjacent().map(|pin| pin.to_string());
        adjacent.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("QL1"), "QL2 QL3 KL1");
    assert_eq!(names("KL4"), "KL2 KL3 KL5 KL6 QL4");
    assert_eq!(names("KL6"), "KL4 KL5 QL6");
    for one in Pin::all() {
        assert_eq!(one.to_string().parse(), Ok(one));
        assert!(
            one.adjacent()
                .all(|other| other.adjacent().any(|pin| pin == one))
        );
    }
    for text in ["QL0", "QL7", "ql1", "QL", "ML1", "QL11"] {
        let error = text.parse::<Pin>().expect_err(text).to_string();
        assert_eq!(
            error,
            format!("'{text}' is not a pin: expected QL or KL and a level 1-6, such as QL1")
        );
    }
}

#[test]
fn occupied_boards_do_not_move_backward() {
    for side in Color::ALL {
        let base = PositionBuilder::new(side)
            .with("K b1W,k b8B")
            .board("QL1", "QL3");
        let names = |scene: &PositionBuilder| {
            let moves = board_moves(&scene.position());
            let pin = scene.name("QL3");
            let destinations = moves
                .iter()
                .filter_map(|name| name.strip_prefix(pin.as_str()));
            let mut destinations: Vec<String> =
                destinations.map(|goal| scene.name(&goal[1..])).collect();
            destinations.sort_unstable();
            destinations
        };
        assert_eq!(names(&base), ["KL3", "QL1", "QL2", "QL4", "QL5"]);
        let carrying = base.clone().with("N z2QL3");
        assert_eq!(names(&carrying), ["KL3", "QL4", "QL5"]);
        let back = format!("{}-{}", base.name("QL3"), base.name("QL2"));
        assert_eq!(
            error_of(&carrying.position(), &back),
            format!(
                "the board on {} carries a piece: it moves forward or sideways, not back to {}",
                base.name("QL3"),
                base.name("QL2")
            )
        );
        // The passenger keeps its place.
        let moved = after(
            &carrying.position(),
            &format!("{}-{}", base.name("QL3"), base.name("KL3")),
        );
        assert!(moved.piece_on(base.square("d2KL3")).is_some());
        assert_eq!(moved.placement().owner(base.pin("KL3")), Some(side));
        assert_eq!(moved.placement().owner(base.pin("QL3")), None);
        // Two pieces are too many.
        let crowded = carrying.with("P a2QL3");
        assert_eq!(names(&crowded), Vec::<String>::new());
        let words = error_of(&crowded.position(), &back);
        assert!(
            words.ends_with("carries 2 pieces; it moves with at most one"),
            "{words}"
        );
    }
}

#[test]
fn the_passenger_or_else_the_owner_controls_a_board() {
    for side in Color::ALL {
        let ridden = PositionBuilder::new(side).with("K b1W,k b8B,N z8QL6,n z1QL1");
        let placement = *ridden.position().placement();
        assert_eq!(placement.controller(ridden.pin("QL6")), Some(side));
        assert_eq!(placement.controller(ridden.pin("QL1")), Some(!side));
        assert_eq!(placement.controller(ridden.pin("KL1")), Some(side));
        assert_eq!(
            placement.controller(ridden.pin("QL3")),
            None,
            "no board is there"
        );
        let moves = board_moves(&ridden.position());
        let from = |pin: &str| moves.iter().any(|name| name.starts_with(&ridden.name(pin)));
        // Forward of level 6 there is nothing; across stands the other board.
        assert!(!from("QL6") && !from("QL1") && from("KL1"));
        let try_foreign = format!("{}-{}", ridden.name("QL1"), ridden.name("QL2"));
        assert_eq!(
            error_of(&ridden.position(), &try_foreign),
            format!("{} controls the board on {}", !side, ridden.name("QL1"))
        );
        let both = PositionBuilder::new(side).with("K b1W,k b8B,N z8QL6,n a8QL6");
        assert_eq!(
            both.position().placement().controller(both.pin("QL6")),
            None
        );
    }
}

#[test]
fn boards_may_not_shadow_a_piece_other_than_a_knight() {
    for side in Color::ALL {
        let scene = |pieces: &str| PositionBuilder::new(side).with("K b1W,k b8B").with(pieces);
        let go = |scene: &PositionBuilder| format!("{}-{}", scene.name("QL1"), scene.name("QL2"));
        // QL2 covers a4 and a5: W and N have an a4, N and B an a5.
        for at in ["a4W", "a4N", "a5N", "a5B"] {
            let shaded = scene(&format!("p {at}"));
            let words = error_of(&shaded.position(), &go(&shaded));
            let expected = format!(
                "on {} the board would be directly above or below the pawn on {}",
                shaded.name("QL2"),
                shaded.name(at)
            );
            assert_eq!(words, expected);
            let knight = scene(&format!("n {at}"));
            assert!(knight.position().read_move(&go(&knight)).is_ok());
        }
        // A board at another height with a piece on it casts its shadow too.
        let above = scene("P z4QL5").board("KL1", "QL5");
        let words = error_of(&above.position(), &go(&above));
        assert!(
            words.ends_with(&format!("the pawn on {}", above.name("z4QL5"))),
            "{words}"
        );
    }
}

#[test]
fn illegal_board_moves_have_reasons() {
    let start = Position::start(NO_ROTATION);
    assert_eq!(error_of(&start, "QL2-QL3"), "no attack board stands on QL2");
    assert_eq!(
        error_of(&start, "QL1-QL3"),
        "the board on QL1 carries 4 pieces; it moves with at most one"
    );
    let bare = PositionBuilder::new(Color::White)
        .with("K b1W,k b8B")
        .position();
    assert_eq!(
        error_of(&bare, "QL1-KL1"),
        "KL1 is occupied by another board"
    );
    assert_eq!(
        error_of(&bare, "QL1-QL5"),
        "the board on QL1 can move to QL2, QL3, KL1, not to QL5"
    );
    assert_eq!(
        error_of(&bare, "QL1-QL2=Q"),
        "the move does not promote a pawn"
    );
}

#[test]
fn board_moves_obey_the_check_rules() {
    for side in Color::ALL {
        // The king may not be carried into a rook's line.
        let scene = PositionBuilder::new(side).with("K z0QL1,r b4N,k e9KL6");
        let name = |name: &str| scene.name(name);
        let words = error_of(
            &scene.position(),
            &format!("{}-{}", name("QL1"), name("QL2")),
        );
        assert_eq!(
            words,
            format!(
                "the board move would leave the king attacked from {}",
                name("b4N")
            )
        );
        let safe = after(
            &scene.position(),
            &format!("{}-{}", name("QL1"), name("QL3")),
        );
        assert!(!safe.placement().checkers(side).any());
        // Nor may a passenger that shields it be carried away.
        let scene = PositionBuilder::new(side).with("K z0QL1,R d0KL1,r e0KL1,k b8B");
        assert!(!scene.position().in_check());
        // A board move may answer a check: the king is carried out of the line.
        let scene = PositionBuilder::new(side).with("K z0QL1,r z9QL6,k e8KL6");
        assert!(scene.position().in_check());
        let moves = board_moves(&scene.position());
        assert_eq!(
            moves,
            Vec::<String>::new(),
            "on every pin it would be on the file"
        );
        let scene = scene.board("KL1", "KL3");
        let across = format!("{}-{}", scene.name("QL1"), scene.name("KL1"));
        assert_eq!(board_moves(&scene.position()), [across]);
    }
}

#[test]
fn boards_rotate_in_place_with_the_rotation_rule() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side)
            .with("K b1W,k b8B,N z0QL1")
            .rules(ROTATION);
        let name = scene.name("QL1");
        let rotated = after(&scene.position(), &format!("{name}-{name}"));
        assert!(rotated.piece_on(scene.square("a1QL1")).is_some());
        assert_eq!(rotated.piece_on(scene.square("z0QL1")), None);
        let crowded = scene.with("P z1QL1").position();
        assert!(error_of(&crowded, &format!("{name}-{name}")).contains("carries 2 pieces"));
    }
    // An empty board may side_to_move, and nothing has changed but the side_to_move.
    let bare = PositionBuilder::new(Color::White)
        .with("K b1W,k b8B")
        .rules(ROTATION)
        .position();
    let passed = after(&bare, "QL1-QL1");
    assert_eq!(passed.placement(), bare.placement());
    assert_eq!(passed.side_to_move(), Color::Black);
}

#[test]
fn only_the_activated_board_moves() {
    let start = PositionBuilder::new(Color::White)
        .with("K b1W,k b8B")
        .position();
    let activated = start.activate(pin("QL1")).expect("it has moves");
    assert_eq!(legal(&activated), ["QL1-QL2", "QL1-QL3"]);
    let words = "the board on QL1 is activated: move it or release it";
    assert_eq!(error_of(&activated, "Kb1W-b2W"), words);
    assert_eq!(error_of(&activated, "KL1-KL2"), words);
    assert!(activated.activate(pin("KL1")).is_err(), "one at a time");
    assert_eq!(after(&activated, "QL1-QL2").activated_board(), None);
    assert_eq!(activated.release(), start);
    let words = |name| start.activate(pin(name)).map_err(|error| error.to_string());
    assert_eq!(
        words("QL6"),
        Err("Black controls the board on QL6".to_owned())
    );
    assert_eq!(
        words("QL4"),
        Err("no attack board stands on QL4".to_owned())
    );
    let text = activated.to_string();
    assert!(text.contains(" w@QL1 "), "{text}");
    assert_eq!(position(&text), activated);
    assert_eq!(
        activated.piece_on(square("b1W")),
        start.piece_on(square("b1W"))
    );
}
