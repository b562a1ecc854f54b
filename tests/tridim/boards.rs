//! Attack boards: pins, control, direction, shadows, check.

use crate::scene::{PLAIN, Scene, TURNING, after, legal, pin, position, refusal, square};
use tridim::{Color, Flank, Pin, Position};

/// The moves of boards, in alphabetical order.
fn board_moves(position: &Position) -> Vec<String> {
    let mut names = legal(position);
    names.retain(|name| name.starts_with(['Q', 'K']) && name.as_bytes().get(3) == Some(&b'-'));
    names
}

#[test]
fn every_pin_has_the_neighbours_of_the_rules() {
    for flank in Flank::ALL {
        let counts: Vec<usize> = (1..=6)
            .map(|level| Pin::new(flank, level).neighbours().count())
            .collect();
        assert_eq!(counts, [3, 4, 5, 5, 4, 3]);
    }
    let names = |name: &str| {
        let neighbours = pin(name).neighbours().map(|pin| pin.to_string());
        neighbours.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("QL1"), "QL2 QL3 KL1");
    assert_eq!(names("KL4"), "KL2 KL3 KL5 KL6 QL4");
    assert_eq!(names("KL6"), "KL4 KL5 QL6");
    for one in Pin::all() {
        assert_eq!(one.to_string().parse(), Ok(one));
        assert!(
            one.neighbours()
                .all(|other| other.neighbours().any(|pin| pin == one))
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
fn an_empty_board_goes_anywhere_next_and_an_occupied_one_not_back() {
    for side in Color::ALL {
        let base = Scene::new(side).with("K b1W,k b8B").board("QL1", "QL3");
        let names = |scene: &Scene| {
            let moves = board_moves(&scene.position());
            let pin = scene.name("QL3");
            let goals = moves
                .iter()
                .filter_map(|name| name.strip_prefix(pin.as_str()));
            let mut goals: Vec<String> = goals.map(|goal| scene.name(&goal[1..])).collect();
            goals.sort_unstable();
            goals
        };
        assert_eq!(names(&base), ["KL3", "QL1", "QL2", "QL4", "QL5"]);
        let carrying = base.clone().with("N z2QL3");
        assert_eq!(names(&carrying), ["KL3", "QL4", "QL5"]);
        let back = format!("{}-{}", base.name("QL3"), base.name("QL2"));
        assert_eq!(
            refusal(&carrying.position(), &back),
            format!(
                "with a man on it the board on {} goes forward or sideways, not back to {}",
                base.name("QL3"),
                base.name("QL2")
            )
        );
        // The passenger keeps its place.
        let moved = after(
            &carrying.position(),
            &format!("{}-{}", base.name("QL3"), base.name("KL3")),
        );
        assert!(moved.man_on(base.square("d2KL3")).is_some());
        assert_eq!(moved.world().owner(base.pin("KL3")), Some(side));
        assert_eq!(moved.world().owner(base.pin("QL3")), None);
        // Two men are too many.
        let crowded = carrying.with("P a2QL3");
        assert_eq!(names(&crowded), Vec::<String>::new());
        let words = refusal(&crowded.position(), &back);
        assert!(words.starts_with("2 men stand on the board on"), "{words}");
    }
}

#[test]
fn a_passenger_controls_and_an_empty_board_is_its_owners() {
    for side in Color::ALL {
        let ridden = Scene::new(side).with("K b1W,k b8B,N z8QL6,n z1QL1");
        let world = *ridden.position().world();
        assert_eq!(world.controller(ridden.pin("QL6")), Some(side));
        assert_eq!(world.controller(ridden.pin("QL1")), Some(!side));
        assert_eq!(world.controller(ridden.pin("KL1")), Some(side));
        assert_eq!(
            world.controller(ridden.pin("QL3")),
            None,
            "no board is there"
        );
        let moves = board_moves(&ridden.position());
        let from = |pin: &str| moves.iter().any(|name| name.starts_with(&ridden.name(pin)));
        // Forward of level 6 there is nothing; across stands the other board.
        assert!(!from("QL6") && !from("QL1") && from("KL1"));
        let try_foreign = format!("{}-{}", ridden.name("QL1"), ridden.name("QL2"));
        assert_eq!(
            refusal(&ridden.position(), &try_foreign),
            format!("{} controls the board on {}", !side, ridden.name("QL1"))
        );
        let both = Scene::new(side).with("K b1W,k b8B,N z8QL6,n a8QL6");
        assert_eq!(both.position().world().controller(both.pin("QL6")), None);
    }
}

#[test]
fn no_board_comes_to_stand_over_or_under_a_man_but_a_knight() {
    for side in Color::ALL {
        let scene = |men: &str| Scene::new(side).with("K b1W,k b8B").with(men);
        let go = |scene: &Scene| format!("{}-{}", scene.name("QL1"), scene.name("QL2"));
        // QL2 covers a4 and a5: W and N have an a4, N and B an a5.
        for at in ["a4W", "a4N", "a5N", "a5B"] {
            let shaded = scene(&format!("p {at}"));
            let words = refusal(&shaded.position(), &go(&shaded));
            let expected = format!(
                "on {} the board would stand above or below the pawn on {}",
                shaded.name("QL2"),
                shaded.name(at)
            );
            assert_eq!(words, expected);
            let knight = scene(&format!("n {at}"));
            assert!(knight.position().read_move(&go(&knight)).is_ok());
        }
        // A board at another height with a man on it casts its shadow too.
        let above = scene("P z4QL5").board("KL1", "QL5");
        let words = refusal(&above.position(), &go(&above));
        assert!(
            words.ends_with(&format!("the pawn on {}", above.name("z4QL5"))),
            "{words}"
        );
    }
}

#[test]
fn what_is_in_a_boards_way_is_said() {
    let start = Position::start(PLAIN);
    assert_eq!(refusal(&start, "QL2-QL3"), "no attack board stands on QL2");
    assert_eq!(
        refusal(&start, "QL1-QL3"),
        "4 men stand on the board on QL1: it moves with one at most"
    );
    let bare = Scene::new(Color::White).with("K b1W,k b8B").position();
    assert_eq!(refusal(&bare, "QL1-KL1"), "another board stands on KL1");
    assert_eq!(
        refusal(&bare, "QL1-QL5"),
        "from QL1 a board goes to QL2, QL3, KL1, not to QL5"
    );
    assert_eq!(refusal(&bare, "QL1-QL2=Q"), "no pawn promotes by this move");
}

#[test]
fn check_holds_for_boards_as_for_men() {
    for side in Color::ALL {
        // The king may not be carried into a rook's line.
        let scene = Scene::new(side).with("K z0QL1,r b4N,k e9KL6");
        let name = |name: &str| scene.name(name);
        let words = refusal(
            &scene.position(),
            &format!("{}-{}", name("QL1"), name("QL2")),
        );
        assert_eq!(
            words,
            format!(
                "moving the board would leave the king attacked from {}",
                name("b4N")
            )
        );
        let safe = after(
            &scene.position(),
            &format!("{}-{}", name("QL1"), name("QL3")),
        );
        assert!(!safe.world().checkers(side).any());
        // Nor may a passenger that shields it be carried away.
        let scene = Scene::new(side).with("K z0QL1,R d0KL1,r e0KL1,k b8B");
        assert!(!scene.position().in_check());
        // A board move may answer a check: the king is carried out of the line.
        let scene = Scene::new(side).with("K z0QL1,r z9QL6,k e8KL6");
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
fn with_rotation_boards_turn_in_place() {
    for side in Color::ALL {
        let scene = Scene::new(side).with("K b1W,k b8B,N z0QL1").rules(TURNING);
        let name = scene.name("QL1");
        let turned = after(&scene.position(), &format!("{name}-{name}"));
        assert!(turned.man_on(scene.square("a1QL1")).is_some());
        assert_eq!(turned.man_on(scene.square("z0QL1")), None);
        let crowded = scene.with("P z1QL1").position();
        assert!(refusal(&crowded, &format!("{name}-{name}")).starts_with("2 men stand"));
    }
    // An empty board may turn, and nothing has changed but the turn.
    let bare = Scene::new(Color::White)
        .with("K b1W,k b8B")
        .rules(TURNING)
        .position();
    let passed = after(&bare, "QL1-QL1");
    assert_eq!(passed.world(), bare.world());
    assert_eq!(passed.turn(), Color::Black);
}

#[test]
fn an_activated_board_is_what_moves() {
    let start = Scene::new(Color::White).with("K b1W,k b8B").position();
    let held = start.activate(pin("QL1")).expect("it has moves");
    assert_eq!(legal(&held), ["QL1-QL2", "QL1-QL3"]);
    let words = "the board on QL1 has been activated: it moves, or is released";
    assert_eq!(refusal(&held, "Kb1W-b2W"), words);
    assert_eq!(refusal(&held, "KL1-KL2"), words);
    assert!(held.activate(pin("KL1")).is_err(), "one at a time");
    assert_eq!(after(&held, "QL1-QL2").held_board(), None);
    assert_eq!(held.release(), start);
    let words = |name| start.activate(pin(name)).map_err(|error| error.to_string());
    assert_eq!(
        words("QL6"),
        Err("Black controls the board on QL6".to_owned())
    );
    assert_eq!(
        words("QL4"),
        Err("no attack board stands on QL4".to_owned())
    );
    let text = held.to_string();
    assert!(text.contains(" w@QL1 "), "{text}");
    assert_eq!(position(&text), held);
    assert_eq!(held.man_on(square("b1W")), start.man_on(square("b1W")));
}
