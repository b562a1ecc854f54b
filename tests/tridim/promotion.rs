//! Promotion on the furthest rank there is, and the pawn that waits.

use crate::helpers::{PositionBuilder, after, destinations, error_of, legal};
use tridim::{Color, Game, Piece, Role};

/// Kings out of the way.
fn with(side: Color, pieces: &str) -> PositionBuilder {
    PositionBuilder::new(side)
        .with("K e0KL1,k e9KL6")
        .with(pieces)
}

#[test]
fn promotion_rank_of_each_file() {
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
            let role = next.piece_on(scene.square(to)).map(Piece::role);
            assert_eq!(role == Some(Role::Queen), promotes, "{plain}");
            let words = match promotes {
                true => "the move promotes a pawn: add =Q, =R, =B or =N",
                false => "the move does not promote a pawn",
            };
            assert_eq!(error_of(&position, wrong), words);
        }
        // Without a board over the corner, the corner is the furthest.
        let scene = with(side, "P a7B").board("QL6", "QL4");
        let promoted = after(
            &scene.position(),
            &format!("{}-{}=N", scene.name("a7B"), scene.name("a8B")),
        );
        assert_eq!(
            promoted.piece_on(scene.square("a8B")).map(Piece::role),
            Some(Role::Knight)
        );
        // The edge files have no other end than rank 9: with no board there a pawn stops.
        let scene = with(side, "P z5QL5").board("QL6", "QL5");
        assert_eq!(
            destinations(&scene.position(), &scene.name("z5QL5")),
            Vec::<String>::new()
        );
    }
}

#[test]
fn each_promotion_is_a_separate_move() {
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
fn carried_pawns_promote() {
    for side in Color::ALL {
        let scene = with(side, "P z7QL4")
            .board("QL6", "KL2")
            .board("QL1", "QL4");
        let go = format!("{}-{}", scene.name("QL4"), scene.name("QL6"));
        let next = after(&scene.position(), &format!("{go}=R"));
        assert_eq!(
            next.piece_on(scene.square("z9QL6")).map(Piece::role),
            Some(Role::Rook)
        );
        assert_eq!(next.halfmove_clock(), 0);
        assert!(error_of(&scene.position(), &go).starts_with("the move promotes a pawn"));
        // A rank below it does not.
        let scene = with(side, "P z6QL4")
            .board("QL6", "KL2")
            .board("QL1", "QL4");
        let next = after(&scene.position(), &go);
        assert_eq!(
            next.piece_on(scene.square("z8QL6")).map(Piece::role),
            Some(Role::Pawn)
        );
        assert_eq!(next.halfmove_clock(), 1, "the board moved, not the pawn");
    }
}

#[test]
fn uncovering_an_own_pawn_promotes_it() {
    for side in Color::ALL {
        // Its own rider on the board makes it the mover's: sideways is free.
        let scene = PositionBuilder::new(side)
            .with("K e0KL1,k b6B,P a8B,N z8QL6")
            .board("KL6", "KL2");
        let go = format!("{}-{}", scene.name("QL6"), scene.name("KL6"));
        let next = after(&scene.position(), &format!("{go}=Q"));
        assert_eq!(
            next.piece_on(scene.square("a8B")).map(Piece::role),
            Some(Role::Queen)
        );
        assert!(
            next.piece_on(scene.square("d8KL6")).is_some(),
            "the rider went along"
        );
        assert_eq!(next.side_to_move(), !side);
        assert!(error_of(&scene.position(), &go).starts_with("the move promotes a pawn"));
    }
}

#[test]
fn an_uncovered_pawn_is_promoted_first() {
    for side in Color::ALL {
        // `side` owns the board over the enemy's pending pawn; the corner is at its own end.
        let scene = PositionBuilder::new(side).with("K e0KL1,k b6B,p a1W");
        let position = scene.position();
        let go = format!("{}-{}", scene.name("QL1"), scene.name("QL3"));
        let uncovered = after(&position, &go);
        let pawn = scene.name("a1W");
        assert_eq!(uncovered.pending_promotion(), Some(scene.square("a1W")));
        assert_eq!(uncovered.side_to_move(), !side);
        let mut choices = ["B", "N", "Q", "R"].map(|letter| format!("{pawn}={letter}"));
        choices.sort_unstable();
        assert_eq!(legal(&uncovered), choices);
        assert!(uncovered.castling_options(!side).is_empty());
        let words = error_of(
            &uncovered,
            &format!("K{}-{}", scene.name("b6B"), scene.name("b7B")),
        );
        assert_eq!(
            words,
            format!("the pawn on {pawn} must be promoted first, for example {pawn}=Q")
        );
        // The text says all of it.
        assert_eq!(crate::helpers::position(&uncovered.to_string()), uncovered);
        let chosen = after(&uncovered, &format!("{pawn}=N"));
        assert_eq!(
            chosen.side_to_move(),
            !side,
            "the side_to_move does not pass"
        );
        assert_eq!(
            chosen.piece_on(scene.square("a1W")).map(Piece::role),
            Some(Role::Knight)
        );
        assert_eq!(
            (chosen.halfmove_clock(), chosen.pending_promotion()),
            (0, None)
        );
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
fn uncovering_a_pawn_may_not_expose_the_king() {
    for side in Color::ALL {
        // As a queen on a1 it would look along the rank to d1; as a knight at b3 and c2.
        for (king, legal) in [
            ("d1W", false),
            ("c2W", false),
            ("b3N", false),
            ("d2W", true),
        ] {
            let scene = PositionBuilder::new(side).with(&format!("K {king},k b8B,p a1W"));
            let go = format!("{}-{}", scene.name("QL1"), scene.name("QL3"));
            let position = scene.position();
            if legal {
                assert!(position.read_move(&go).is_ok(), "{king}");
            } else {
                let expected = format!(
                    "the move would uncover the pawn on {}, which attacks the king as a queen or knight",
                    scene.name("a1W")
                );
                assert_eq!(error_of(&position, &go), expected, "{king}");
            }
        }
    }
}
