//! Games: events in order, undo and redo, very long games.

use crate::positions::{play, push, standard, with_clock};
use movegen::{Color, Event, Game, Move, Outcome, PlayError, Position, Square};

#[test]
fn events_of_a_move() {
    let winner = Color::Black;
    for (before, text, expected) in [
        ("", "e2e4", &[][..]),
        ("e2e4 d7d5", "f1b5", &[Event::Check]),
        // Mate is no check.
        (
            "f2f3 e7e5 g2g4",
            "d8h4",
            &[Event::Ended(Outcome::Checkmate { winner })],
        ),
    ] {
        let mut game = Game::default();
        push(&mut game, before);
        let events = play(&mut game, text);
        assert_eq!(events, [&[Event::Moved], expected].concat(), "{text}");
    }
}

#[test]
fn all_events_of_one_move_in_order() {
    let mut game = Game::new(standard("3k4/8/8/8/8/8/8/R3K3 w - - 90 90"));
    push(&mut game, "a1a8 d8d7 a8a1 d7d8 a1a8 d8d7 a8a1 d7d8");
    let events = play(&mut game, "a1a8");
    assert_eq!(
        events,
        [Event::Moved, Event::Check, Event::ThreefoldAvailable]
    );
    push(&mut game, "d8d7 a8a1 d7d8");
    let events = play(&mut game, "a1a8");
    let expected = [
        Event::Moved,
        Event::Check,
        Event::FiftyMoveRuleAvailable,
        Event::ThreefoldAvailable,
    ];
    assert_eq!(events, expected);
}

/// The 150th ply and the fifth occurrence end the game: there is nothing to claim.
#[test]
fn an_outcome_leaves_no_claim() {
    let shuffle = "e1d1 e8d8 d1e1 d8e8 ";
    let four = shuffle.repeat(4);
    let before_last = four.strip_suffix(" d8e8 ").expect("four times");
    for (clock, before, last, outcome) in [
        (149, "", "e1d1", Outcome::SeventyFiveMoves),
        (0, before_last, "d8e8", Outcome::FivefoldRepetition),
    ] {
        let mut game = with_clock(clock);
        push(&mut game, before);
        let events = play(&mut game, last);
        assert_eq!(events, [Event::Moved, Event::Ended(outcome)]);
        assert_eq!(game.available_claims().count(), 0);
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = Game::default();
    push(&mut game, "e2e4 e7e5");
    game.undo();
    let before = game.clone();
    for mv in [
        Move::normal(Square::E1, Square::E8),
        Move::normal(Square::A8, Square::A8),
        Move::castling(Square::E1, Square::H1),
        Move::en_passant(Square::A1, Square::H8),
    ] {
        assert_eq!(game.play(mv), Err(PlayError::Illegal));
        assert_eq!(game.push(mv), Err(PlayError::Illegal));
        assert_eq!(game, before);
    }
    assert!(game.redo().is_some(), "redo is still possible");
}

#[test]
fn nothing_to_undo_at_the_start_and_nothing_to_redo_after_a_new_move() {
    let mut game = Game::default();
    assert_eq!((game.undo(), game.redo()), (None, None));
    assert_eq!(game, Game::default());
    push(&mut game, "e2e4 e7e5 g1f3");
    game.undo();
    game.undo();
    push(&mut game, "c7c5");
    assert_eq!(game.redo(), None);
    assert_eq!(game.moves().len(), 2);
}

#[test]
fn moves_and_positions_start_at_the_first() {
    let mut game = Game::default();
    push(&mut game, "e2e4 e7e5 g1f3");
    let moves: Vec<String> = game
        .moves()
        .map(|mv| mv.uci(movegen::Variant::Standard).to_string())
        .collect();
    assert_eq!(moves, ["e2e4", "e7e5", "g1f3"]);
    let positions: Vec<&Position> = game.positions().collect();
    assert_eq!(positions.len(), 4);
    assert_eq!(positions.first(), Some(&game.start()));
    assert_eq!(positions.last(), Some(&game.position()));
}

/// A GUI may send such a list although the game is over by rule.
#[test]
fn a_list_of_ten_thousand_plies() {
    const PLIES: usize = 10_000;
    let mut game = Game::default();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for text in shuffle.into_iter().cycle().take(PLIES) {
        push(&mut game, text);
    }
    assert_eq!(game.moves().len(), PLIES);
    assert_eq!(game.position().halfmove_clock(), 10_000);
    assert_eq!(game.position().fullmove_number(), 5_001);
    assert_eq!(game.occurrences(), PLIES / shuffle.len() + 1);
    assert_eq!(game.outcome(), Some(Outcome::SeventyFiveMoves));
    for _ in 0..PLIES {
        assert!(game.undo().is_some());
    }
    assert_eq!(*game.position(), Position::default());
}
