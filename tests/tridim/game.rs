//! Games: claims, draws, mate first, events.

use crate::helpers::{MATE_IN_ONE, NO_ROTATION, PositionBuilder, ROOK_ENDING, after, position};
use tridim::{Claim, ClaimError, Color, Event, Game, Outcome, PlayError, Position};

fn play(game: &mut Game, text: &str) -> Vec<Event> {
    let mv = game.position().read_move(text);
    let mv = mv.unwrap_or_else(|error| panic!("{text}: {error}"));
    game.play(mv)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A rook ending with this halfmove clock.
fn clocked(clock: u16) -> Game {
    Game::new(position(&format!("{ROOK_ENDING} {clock} 80")))
}

#[test]
fn the_fifty_move_rule_is_a_claim() {
    let mut game = clocked(98);
    assert_eq!(play(&mut game, "Kc1W-c2W").len(), 1, "99 plies");
    assert_eq!(game.claim_draw(), Err(ClaimError::NotTriggered));
    assert_eq!(
        ClaimError::NotTriggered.to_string(),
        "Draw cannot be claimed: the 50-move rule has not been triggered."
    );
    // A board move counts.
    let events = play(&mut game, "KL6-KL5");
    assert_eq!(events.get(1), Some(&Event::FiftyMoveRuleAvailable));
    assert_eq!(game.claims(), [Claim::FiftyMoves]);
    assert_eq!(game.outcome(), None, "not claimed");
    let claimed = game.claim_draw().expect("the rule applies");
    assert_eq!(claimed.outcome(), Outcome::DrawClaimed(Claim::FiftyMoves));
    assert_eq!(claimed.outcome().result(), "1/2-1/2");
    assert_eq!(claimed.record.moves().len(), 2);
    // A new game, with nothing to undo.
    assert_eq!(*game.position(), Position::start(NO_ROTATION));
    assert_eq!((game.undo(), game.redo()), (None, None));
}

#[test]
fn pawn_moves_and_captures_reset_the_clock() {
    let scene = PositionBuilder::white("K c1W,k b8B,P+ a2W,n c2W,R z1QL1");
    let start = position(&scene.text().replace(" 0 2", " 42 30"));
    assert_eq!(start.halfmove_clock(), 42);
    assert_eq!(start.to_string().split(' ').nth(3), Some("42"));
    for (text, clock) in [
        ("Kc1W-d1W", 43),
        ("a2W-a3N", 0),
        ("Kc1Wxc2W", 0),
        ("KL1-KL2", 43),
    ] {
        assert_eq!(after(&start, text).halfmove_clock(), clock, "{text}");
    }
    let castle = PositionBuilder::white("K+ d0KL1,R+ e0KL1,k b8B");
    assert_eq!(castle.after("O-O").halfmove_clock(), 1);
}

#[test]
fn seventy_five_moves_end_the_game() {
    let mut game = clocked(149);
    let events = play(&mut game, "Kc1W-c2W");
    // No claim is announced beside the outcome.
    assert_eq!(events[1..], [Event::Ended(Outcome::SeventyFiveMoves)]);
    let mv = game.position().legal_moves()[0];
    assert_eq!(
        game.play(mv),
        Err(PlayError::Over(Outcome::SeventyFiveMoves))
    );
}

#[test]
fn mate_precedes_the_seventy_five_move_rule() {
    let mut game = Game::new(position(&format!("{MATE_IN_ONE} 149 90")));
    let events = play(&mut game, "Qc5N-z8QL6#");
    let winner = Color::White;
    let outcome = Outcome::Checkmate { winner };
    assert_eq!(events.last(), Some(&Event::Ended(outcome)));
    assert_eq!(game.position().halfmove_clock(), 150);
    assert_eq!(game.claims(), []);
}

#[test]
fn threefold_is_a_claim_and_fivefold_ends() {
    let mut game = Game::new(Position::start(NO_ROTATION));
    let lap = ["Na1W-b3N", "Na8B-b6N", "Nb3N-a1W", "Nb6N-a8B"];
    for text in lap {
        play(&mut game, text);
    }
    assert_eq!((game.occurrences(), game.claims()), (2, vec![]));
    let mut events = Vec::new();
    for text in lap {
        events = play(&mut game, text);
    }
    assert_eq!(events.last(), Some(&Event::ThreefoldAvailable));
    assert_eq!(game.claims(), [Claim::Threefold]);
    // Undo and redo restore the claim.
    game.undo();
    assert_eq!(game.claims(), []);
    game.redo();
    assert_eq!(game.claims(), [Claim::Threefold]);
    for text in lap.into_iter().chain(lap) {
        events = play(&mut game, text);
    }
    assert_eq!(events[1..], [Event::Ended(Outcome::FivefoldRepetition)]);
}

#[test]
fn boards_are_part_of_a_repeated_position() {
    let scene = PositionBuilder::white("K c1W,k b8B,R a2W,R+ e0KL1");
    let start = scene.position();
    for (moves, repeats) in [
        ("Ra2W-a1W Kb8B-b7B Ra1W-a2W Kb7B-b8B", true),
        ("QL1-QL2 Kb8B-b7B QL2-QL1 Kb7B-b8B", true),
        ("QL1-QL2 Kb8B-b7B KL1-KL2 Kb7B-b8B", false),
        // The rook has no right to lose: its king has moved.
        ("Re0KL1-e1KL1 Kb8B-b7B Re1KL1-e0KL1 Kb7B-b8B", true),
    ] {
        assert_eq!(start.repeats(&scene.after(moves)), repeats, "{moves}");
    }
    let castles = PositionBuilder::white("K+ d0KL1,k b8B,R+ e0KL1");
    let start = castles.position();
    let walked = castles.after("Re0KL1-e1KL1 Kb8B-b7B Re1KL1-e0KL1 Kb7B-b8B");
    assert!(!start.repeats(&walked));
    assert_ne!(start.key(), walked.key());
    // The owners of boards matter.
    let scene = PositionBuilder::white("K c1W,k b8B,R a1W");
    let swapped = scene.swap_owners("QL1", "QL6").position();
    assert!(!scene.position().repeats(&swapped));
}

#[test]
fn bare_kings_end_the_game() {
    let scene = PositionBuilder::white("K c1W,k b8B,n c2W");
    let mut game = Game::new(scene.position());
    assert_eq!(game.outcome(), None);
    let events = play(&mut game, "Kc1Wxc2W");
    let outcome = Outcome::InsufficientMaterial;
    assert_eq!(events.last(), Some(&Event::Ended(outcome)));
    assert_eq!(game.claim_draw(), Err(ClaimError::Over(outcome)));
}

#[test]
fn a_new_move_clears_redo() {
    let mut game = Game::new(Position::start(NO_ROTATION));
    play(&mut game, "b2W-b3W");
    play(&mut game, "b7B-b6B");
    assert!(game.undo().is_some());
    play(&mut game, "c7B-c6B");
    assert_eq!(game.redo(), None);
    assert_eq!(game.moves().len(), 2);
    assert_eq!(game.positions().count(), 3);
}
