//! Properties that only games of Tri-Dimensional chess have; the rest is in the tests of the rules
//! of chess, whose games they are.

use crate::helpers::{NO_ROTATION, ROOK_ENDING, ROTATION, after, position, position_under, white};
use tridim::{Event, Game, GamePosition, Outcome, Position};

#[test]
fn a_claimed_draw_is_followed_by_a_game_of_the_same_rules() {
    let fifty_moves = position_under(&format!("{ROOK_ENDING} 100 80"), ROTATION);
    let mut game = Game::new(fifty_moves);
    let claimed = game.claim_draw().expect("the rule applies");
    assert_eq!(*claimed.record.position(), fifty_moves);
    assert_eq!(*game.position(), Position::start(ROTATION));
}

/// A searcher keeps its table from one game to the next.
#[test]
fn rules_are_part_of_the_key() {
    let keys = [ROTATION, NO_ROTATION].map(|rules| Position::start(rules).key());
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn bare_kings_end_the_game() {
    let scene = white("K c1W,k b8B,n c2W");
    let mut game = Game::new(scene.position());
    assert_eq!(game.outcome(), None);
    let capture = game.position().read_move("Kc1Wxc2W");
    let events = game.play(capture.expect("legal")).expect("not over");
    let outcome = Outcome::InsufficientMaterial;
    assert_eq!(events, [Event::Moved, Event::Ended(outcome)]);
}

#[test]
fn pawn_moves_and_captures_reset_the_clock() {
    let scene = white("K c1W,k b8B,P+ a2W,n c2W,R z1QL1");
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
    let castle = white("K+ d0KL1,R+ e0KL1,k b8B");
    assert_eq!(castle.after("O-O").halfmove_clock(), 1);
}

#[test]
fn boards_are_part_of_a_repeated_position() {
    let scene = white("K c1W,k b8B,R a2W,R+ e0KL1");
    let start = scene.position();
    for (moves, same) in [
        ("Ra2W-a1W Kb8B-b7B Ra1W-a2W Kb7B-b8B", true),
        ("QL1-QL2 Kb8B-b7B QL2-QL1 Kb7B-b8B", true),
        ("QL1-QL2 Kb8B-b7B KL1-KL2 Kb7B-b8B", false),
        // The rook has no right to lose: its king has moved.
        ("Re0KL1-e1KL1 Kb8B-b7B Re1KL1-e0KL1 Kb7B-b8B", true),
    ] {
        assert_eq!(start.same_position(&scene.after(moves)), same, "{moves}");
    }
    let castles = white("K+ d0KL1,k b8B,R+ e0KL1");
    let start = castles.position();
    let walked = castles.after("Re0KL1-e1KL1 Kb8B-b7B Re1KL1-e0KL1 Kb7B-b8B");
    assert!(!start.same_position(&walked));
    assert_ne!(start.key(), walked.key());
    // The owners of boards matter.
    let [start, swapped] =
        ["", ",QL1=QL6"].map(|owners| white(&format!("K c1W,k b8B,R a1W{owners}")));
    assert!(!start.position().same_position(&swapped.position()));
}
