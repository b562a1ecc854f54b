//! Promotion on the furthest rank there is, and the pawn that waits.

use crate::scene::{Scene, after, goals, legal, refusal};
use tridim::{Color, Game, Piece, Role};

/// Kings out of the way.
fn with(side: Color, men: &str) -> Scene {
    Scene::new(side).with("K e0KL1,k e9KL6").with(men)
}

#[test]
fn the_furthest_rank_of_each_file() {
    for side in Color::ALL {
        // From, to, and whether it promotes there; boards overhang both corners.
        for (from, to, promotes) in [
            ("b7B", "b8B", true),
            ("c7B", "c8B", true),
            ("z8QL6", "z9QL6", true),
            ("a7B", "a8B", false),
            ("a7B", "a8QL6", false),
            ("a8B", "a9QL6", true),
            ("a8QL6", "a9QL6", true),
            ("d7B", "d8B", false),
        ] {
            let scene = with(side, &format!("P {from}"));
            let position = scene.position();
            let plain = format!("{}-{}", scene.name(from), scene.name(to));
            let named = format!("{plain}=Q");
            let (right, wrong) = if promotes {
                (&named, &plain)
            } else {
                (&plain, &named)
            };
            let next = after(&position, right);
            let role = next.man_on(scene.square(to)).map(Piece::role);
            assert_eq!(role == Some(Role::Queen), promotes, "{plain}");
            let words = match promotes {
                true => {
                    "a pawn promotes by this move: say what it becomes, as in =Q (Q, R, B or N)"
                }
                false => "no pawn promotes by this move",
            };
            assert_eq!(refusal(&position, wrong), words);
        }
        // Without a board over the corner, the corner is the furthest.
        let scene = with(side, "P a7B").board("QL6", "QL4");
        let promoted = after(
            &scene.position(),
            &format!("{}-{}=N", scene.name("a7B"), scene.name("a8B")),
        );
        assert_eq!(
            promoted.man_on(scene.square("a8B")).map(Piece::role),
            Some(Role::Knight)
        );
        // The edge files have no other end than rank 9: with no board there a pawn stops.
        let scene = with(side, "P z5QL5").board("QL6", "QL5");
        assert_eq!(
            goals(&scene.position(), &scene.name("z5QL5")),
            Vec::<String>::new()
        );
    }
}

#[test]
fn each_promotion_is_a_move_and_no_other() {
    let scene = with(Color::White, "P b7B");
    let moves = legal(&scene.position());
    let promotions: Vec<&String> = moves
        .iter()
        .filter(|name| name.starts_with("b7B"))
        .collect();
    assert_eq!(
        promotions,
        ["b7B-b8B=B", "b7B-b8B=N", "b7B-b8B=Q", "b7B-b8B=R"]
    );
}

#[test]
fn a_carried_pawn_promotes_where_it_arrives() {
    for side in Color::ALL {
        let scene = with(side, "P z7QL4")
            .board("QL6", "KL2")
            .board("QL1", "QL4");
        let go = format!("{}-{}", scene.name("QL4"), scene.name("QL6"));
        let next = after(&scene.position(), &format!("{go}=R"));
        assert_eq!(
            next.man_on(scene.square("z9QL6")).map(Piece::role),
            Some(Role::Rook)
        );
        assert_eq!(next.halfmove_clock(), 0);
        assert!(refusal(&scene.position(), &go).starts_with("a pawn promotes by this move"));
        // A rank below it does not.
        let scene = with(side, "P z6QL4")
            .board("QL6", "KL2")
            .board("QL1", "QL4");
        let next = after(&scene.position(), &go);
        assert_eq!(
            next.man_on(scene.square("z8QL6")).map(Piece::role),
            Some(Role::Pawn)
        );
        assert_eq!(next.halfmove_clock(), 1, "the board moved, not the pawn");
    }
}

#[test]
fn the_owner_uncovers_its_waiting_pawn_and_promotes_it() {
    for side in Color::ALL {
        // Its own rider on the board makes it the mover's: sideways is free.
        let scene = Scene::new(side)
            .with("K e0KL1,k b6B,P a8B,N z8QL6")
            .board("KL6", "KL2");
        let go = format!("{}-{}", scene.name("QL6"), scene.name("KL6"));
        let next = after(&scene.position(), &format!("{go}=Q"));
        assert_eq!(
            next.man_on(scene.square("a8B")).map(Piece::role),
            Some(Role::Queen)
        );
        assert!(
            next.man_on(scene.square("d8KL6")).is_some(),
            "the rider went along"
        );
        assert_eq!(next.turn(), !side);
        assert!(refusal(&scene.position(), &go).starts_with("a pawn promotes by this move"));
    }
}

#[test]
fn the_other_side_uncovers_a_pawn_and_its_owner_chooses_first() {
    for side in Color::ALL {
        // `side` owns the board over the enemy's waiting pawn; the corner is at its own end.
        let scene = Scene::new(side).with("K e0KL1,k b6B,p a1W");
        let position = scene.position();
        let go = format!("{}-{}", scene.name("QL1"), scene.name("QL3"));
        let uncovered = after(&position, &go);
        let pawn = scene.name("a1W");
        assert_eq!(uncovered.waiting_pawn(), Some(scene.square("a1W")));
        assert_eq!(uncovered.turn(), !side);
        let mut choices = ["B", "N", "Q", "R"].map(|letter| format!("{pawn}={letter}"));
        choices.sort_unstable();
        assert_eq!(legal(&uncovered), choices);
        assert!(uncovered.castling_options(!side).is_empty());
        let words = refusal(
            &uncovered,
            &format!("K{}-{}", scene.name("b6B"), scene.name("b7B")),
        );
        assert_eq!(
            words,
            format!("first say what the pawn on {pawn} becomes, such as {pawn}=Q")
        );
        // The text says all of it.
        assert_eq!(crate::scene::position(&uncovered.to_string()), uncovered);
        let chosen = after(&uncovered, &format!("{pawn}=N"));
        assert_eq!(chosen.turn(), !side, "the turn does not pass");
        assert_eq!(
            chosen.man_on(scene.square("a1W")).map(Piece::role),
            Some(Role::Knight)
        );
        assert_eq!((chosen.halfmove_clock(), chosen.waiting_pawn()), (0, None));
        // A game takes the choice back as one step.
        let mut game = Game::new(uncovered);
        let choice = uncovered
            .read_move(&format!("{pawn}=Q"))
            .expect("it is a choice");
        game.play(choice).expect("it is legal");
        game.undo();
        assert_eq!(*game.position(), uncovered);
    }
}

#[test]
fn a_board_may_not_uncover_a_pawn_that_would_attack_its_own_king() {
    for side in Color::ALL {
        // As a queen on a1 it would look along the rank to d1; as a knight at b3 and c2.
        for (king, legal) in [
            ("d1W", false),
            ("c2W", false),
            ("b3N", false),
            ("d2W", true),
        ] {
            let scene = Scene::new(side).with(&format!("K {king},k b8B,p a1W"));
            let go = format!("{}-{}", scene.name("QL1"), scene.name("QL3"));
            let position = scene.position();
            if legal {
                assert!(position.read_move(&go).is_ok(), "{king}");
            } else {
                let expected = format!(
                    "the pawn on {} would be uncovered, and as a queen or knight attack the king",
                    scene.name("a1W")
                );
                assert_eq!(refusal(&position, &go), expected, "{king}");
            }
        }
    }
}
