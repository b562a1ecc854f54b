//! Castling's corners: several rooks, rotation, boards that went and came back, undo, and what
//! the rook does once it has castled.

use crate::helpers::{PositionBuilder, ROTATION, after, error_of, legal};
use tridim::{CastlingError, CastlingKind, Color, Event, Game, Move, Outcome, Position};

use CastlingKind::{KingsideKl, Queenside};

/// Both sides' moves, those of the scene's side named as White has them.
fn play(scene: &PositionBuilder, position: &Position, moves: &str) -> Position {
    let words = moves.split_whitespace().enumerate();
    words.fold(*position, |position, (ply, text)| {
        let text = match ply % 2 {
            0 => names(scene, text),
            _ => text.to_owned(),
        };
        after(&position, &text)
    })
}

/// A move as it is on the scene's side.
fn names(scene: &PositionBuilder, text: &str) -> String {
    match text.split_once('-') {
        Some(("O", _)) | None => text.to_owned(),
        Some((from, to)) => format!("{}-{}", scene.name(from), scene.name(to)),
    }
}

/// The enemy king's steps to and fro, at the far end of the board.
fn pace(side: Color) -> (&'static str, &'static str) {
    match side {
        Color::White => ("b8B-b7B", "b7B-b8B"),
        Color::Black => ("b1W-b2W", "b2W-b1W"),
    }
}

#[test]
fn castling_uses_the_nearer_unmoved_rook() {
    for side in Color::ALL {
        let scene = |rooks: &str| {
            PositionBuilder::new(side)
                .with("K+ d0KL1,k b8B")
                .with(rooks)
        };
        // Both unmoved: the nearer one, which has no square beside it and is exchanged with.
        let both = scene("R+ z0QL1,R+ a0QL1");
        let castling = both.position().castle(Queenside).expect("it is open");
        assert_eq!(castling.rook_from, both.square("a0QL1"));
        assert_eq!(castling.king_to, both.square("a0QL1"));
        assert_eq!(castling.rook_to, both.square("d0KL1"));
        // Only the farther one unmoved: it is meant, and the nearer one is in its way.
        let far = scene("R+ z0QL1,R a0QL1");
        let square = far.square("a0QL1");
        let kind = Queenside;
        assert_eq!(
            far.position().why_no_castling(kind),
            Some(CastlingError::Blocked { kind, square })
        );
        // Only the nearer one unmoved.
        let near = scene("R z0QL1,R+ a0QL1");
        let castling = near.position().castle(Queenside).expect("it is open");
        assert_eq!(castling.rook_from, near.square("a0QL1"));
        // Both moved: the nearer one is named.
        let none = scene("R z0QL1,R a0QL1");
        let rook = none.square("a0QL1");
        assert_eq!(
            none.position().why_no_castling(kind),
            Some(CastlingError::RookMoved { kind, rook })
        );
        // Both wings at once.
        let wings = scene("R+ e0KL1,R+ z0QL1");
        assert_eq!(
            wings.position().castling_options(side),
            [KingsideKl, Queenside]
        );
    }
}

#[test]
fn returning_home_restores_no_right() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side).with("K+ d0KL1,R+ e0KL1,R+ z0QL1,k b8B");
        let start = scene.position();
        assert_eq!(start.castling_options(side), [KingsideKl, Queenside]);
        let (there, back) = pace(side);
        let king = scene.square("d0KL1");
        let walked = play(
            &scene,
            &start,
            &format!("d0KL1-d1W {there} d1W-d0KL1 {back}"),
        );
        for kind in [KingsideKl, Queenside] {
            assert_eq!(
                walked.why_no_castling(kind),
                Some(CastlingError::KingMoved { kind, king })
            );
        }
        // A rook takes its own wing along only.
        let kind = KingsideKl;
        let rook = scene.square("e0KL1");
        let walked = play(
            &scene,
            &start,
            &format!("e0KL1-e1KL1 {there} e1KL1-e0KL1 {back}"),
        );
        assert_eq!(
            walked.why_no_castling(kind),
            Some(CastlingError::RookMoved { kind, rook })
        );
        assert_eq!(walked.castling_options(side), [Queenside]);
        // Castled and back on the home squares: lost as well.
        let again = play(
            &scene,
            &start,
            &format!("O-O {there} e0KL1-e1KL1 {back} d0KL1-d1KL1 {there} e1KL1-d0KL1 {back}"),
        );
        assert_eq!(again.castling_options(side), []);
    }
}

#[test]
fn a_board_that_returns_brings_no_right() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side).with("K+ d0KL1,R+ z0QL1,k b8B");
        let start = scene.position();
        let kind = Queenside;
        let (there, back) = pace(side);
        let gone = play(&scene, &start, &format!("QL1-QL2 {there}"));
        let pin = scene.pin("QL1");
        assert_eq!(
            gone.why_no_castling(kind),
            Some(CastlingError::BoardNotHome { kind, pin })
        );
        // The rook steps off, the board goes home empty, the rook returns to where it began.
        let home = play(
            &scene,
            &gone,
            &format!("z4QL2-a4W {back} QL2-QL1 {there} a4W-a0QL1 {back} a0QL1-z0QL1 {there}"),
        );
        let rook = scene.square("z0QL1");
        assert_eq!(
            home.why_no_castling(kind),
            Some(CastlingError::RookMoved { kind, rook })
        );
        // A board that was away empty, with king and rook in place elsewhere, costs nothing.
        let scene = PositionBuilder::new(side).with("K+ d0KL1,R+ e0KL1,k b8B");
        let away = play(
            &scene,
            &scene.position(),
            &format!("QL1-QL2 {there} QL2-QL1 {back}"),
        );
        assert_eq!(away.why_no_castling(KingsideKl), None);
    }
}

#[test]
fn rotation_forfeits_the_right() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side)
            .with("K+ d0KL1,R+ z0QL1,k b8B")
            .rules(ROTATION);
        let start = scene.position();
        let kind = Queenside;
        assert_eq!(start.why_no_castling(kind), None);
        let (there, back) = pace(side);
        let pin = scene.name("KL1");
        let rotated = play(&scene, &start, &format!("KL1-KL1 {there}"));
        assert_eq!(rotated.piece_on(scene.square("d0KL1")), None);
        assert!(
            rotated.piece_on(scene.square("e1KL1")).is_some(),
            "{pin} {rotated}"
        );
        assert!(matches!(
            rotated.why_no_castling(kind),
            Some(CastlingError::KingNotFound { .. })
        ));
        let king = scene.square("d0KL1");
        let home = play(&scene, &rotated, &format!("KL1-KL1 {back}"));
        assert_eq!(
            home.why_no_castling(kind),
            Some(CastlingError::KingMoved { kind, king })
        );
        let rook = scene.square("z0QL1");
        let rotated = play(&scene, &start, &format!("QL1-QL1 {there} QL1-QL1 {back}"));
        assert_eq!(
            rotated.why_no_castling(kind),
            Some(CastlingError::RookMoved { kind, rook })
        );
        // Without the option boards do not side_to_move.
        let plain = PositionBuilder::new(side)
            .with("K+ d0KL1,R+ z0QL1,k b8B")
            .position();
        let words = error_of(&plain, &format!("{pin}-{pin}"));
        assert!(
            words.ends_with("cannot rotate in place: the game is played without rotation"),
            "{words}"
        );
    }
}

#[test]
fn a_leaving_passenger_returns_control() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side).with("K+ d0KL1,R+ e0KL1,n e1KL1,k b8B");
        let start = scene.position();
        assert!(matches!(
            start.why_no_castling(KingsideKl),
            Some(CastlingError::NotControlled { .. })
        ));
        // Own move, then the knight goes where it disturbs nobody.
        let leaves = format!("{}-{}", scene.name("e1KL1"), scene.name("d3N"));
        let free = after(&start, &format!("{} {leaves}", names(&scene, "QL1-QL2")));
        assert_eq!(free.why_no_castling(KingsideKl), None);
    }
}

#[test]
fn undo_restores_castling_and_redo_castles_again() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side).with("K+ d0KL1,R+ e0KL1,R+ z0QL1,k b8B");
        for kind in [KingsideKl, Queenside] {
            let mut game = Game::new(scene.position());
            let before = *game.position();
            let castle = game
                .position()
                .read_move(kind.notation())
                .expect("it is open");
            let events = game.play(castle).expect("it is legal");
            assert_eq!(events.first(), Some(&Event::Moved(castle)));
            let castled = *game.position();
            assert_eq!(game.undo(), Some(castle));
            assert_eq!(*game.position(), before);
            assert_eq!(
                game.position().castling_options(side),
                [KingsideKl, Queenside]
            );
            assert_eq!(game.redo(), Some(castle));
            assert_eq!(*game.position(), castled);
            assert_eq!(
                game.moves().collect::<Vec<_>>(),
                [castle],
                "one move in the record"
            );
        }
    }
}

#[test]
fn the_castled_rook_gives_check() {
    for (side, king) in [(Color::White, "d8B"), (Color::Black, "d8B")] {
        let scene = PositionBuilder::new(side)
            .with("K+ d0KL1,R+ z0QL1")
            .with(&format!("k {king}"));
        let position = scene.position();
        let castle = position.read_move("O-O-O").expect("it is open");
        assert_eq!(position.notation(castle), "O-O-O+");
        let mut game = Game::new(position);
        let events = game.play(castle).expect("it is legal");
        assert_eq!(events, [Event::Moved(castle), Event::Check]);
        let checkers: Vec<_> = game.position().checkers().into_iter().collect();
        assert_eq!(checkers, [scene.square("d0KL1")]);
    }
}

#[test]
fn the_castled_rook_mates() {
    for side in Color::ALL {
        // The rook's new file is the king's, and the queens' are the two beside it.
        let scene = PositionBuilder::new(side).with("K+ d0KL1,R+ z0QL1,k d8B,Q c3N,Q e4KL2");
        let scene = scene.board("KL6", "KL2");
        let position = scene.position();
        let castle = position.read_move("O-O-O").expect("it is open");
        assert_eq!(position.notation(castle), "O-O-O#");
        let mut game = Game::new(position);
        game.play(castle).expect("it is legal");
        assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: side }));
    }
}

#[test]
fn castling_as_the_only_move_is_not_stalemate() {
    for side in Color::ALL {
        // The enemy's rook holds the first rank and, as a passenger, the other board.
        let scene = PositionBuilder::new(side).with("K+ d0KL1,R+ e0KL1,P e1KL1,r a1QL1,k b8B");
        let position = scene.position();
        assert_eq!(legal(&position), ["O-O"], "{position}");
        assert!(!position.is_stalemate());
        assert!(
            position
                .legal_moves()
                .iter()
                .all(|mv| matches!(mv, Move::Castle(_)))
        );
        // The same as the first move of the game, where castling is not allowed.
        let first = scene.number(1).position();
        assert!(first.is_stalemate());
        assert_eq!(Game::new(first).outcome(), Some(Outcome::Stalemate));
    }
}
