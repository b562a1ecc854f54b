//! Draws that a player may claim, and what claiming does.

use crate::scene::{follow, standard};
use movegen::{Claim, ClaimError, Color, Event, Game, Outcome, Position};

const REFUSED: &str = "Draw cannot be claimed: the 50-move rule has not been triggered.";
/// Both knights out and home again: the position of the start once more.
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn claim_at_100() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 99 90"));
    follow(&mut game, "a1a2");
    assert_eq!(game.claims(), [Claim::FiftyMoves]);
    let ended = game.clone();
    let claimed = game.claim_draw().expect("100 plies");
    assert_eq!(claimed.claim, Claim::FiftyMoves);
    assert_eq!(claimed.record, ended);
    let outcome = Outcome::DrawClaimed(Claim::FiftyMoves);
    assert_eq!(claimed.outcome(), outcome);
    assert_eq!(outcome.result(), "1/2-1/2");
    assert_eq!(outcome.winner(), None);
    let expected = [Event::DrawClaimed(Claim::FiftyMoves), Event::Ended(outcome)];
    assert_eq!(claimed.events(), expected);
}

#[test]
fn claim_puts_the_board_back_to_the_start_with_nothing_to_undo_or_redo() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 99 90"));
    follow(&mut game, "a1a2 e8e7");
    assert!(game.undo().is_some());
    game.claim_draw().expect("100 plies");
    assert_eq!(*game.position(), Position::default());
    assert_eq!(game.moves().len(), 0);
    assert_eq!(game.undo(), None);
    assert_eq!(game.redo(), None);
    assert_eq!(game.outcome(), None);
}

#[test]
fn claim_at_99() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 98 90"));
    follow(&mut game, "a1a2");
    let before = game.clone();
    let refusal = game.claim_draw().expect_err("99 plies");
    assert_eq!(refusal, ClaimError::NotTriggered);
    assert_eq!(refusal.to_string(), REFUSED);
    assert_eq!(game, before, "nothing changes");
}

#[test]
fn claim_in_a_position_set_up_at_100() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 100 90"));
    assert!(game.claim_draw().is_ok());
}

#[test]
fn claim_is_gone_after_a_pawn_move() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/P7/R3K3 w - - 100 90"));
    assert_eq!(game.claims(), [Claim::FiftyMoves]);
    follow(&mut game, "a2a3");
    assert!(game.claims().is_empty());
    assert!(game.claim_draw().is_err());
}

#[test]
fn claim_by_threefold_repetition() {
    let mut game = Game::default();
    assert_eq!(game.occurrences(), 1);
    follow(&mut game, SHUFFLE);
    assert_eq!(game.occurrences(), 2);
    assert!(game.claims().is_empty());
    assert!(game.claim_draw().is_err());
    follow(&mut game, SHUFFLE);
    assert_eq!(game.occurrences(), 3);
    assert_eq!(game.claims(), [Claim::Threefold]);
    assert_eq!(game.outcome(), None, "it has to be claimed");
    let claimed = game.claim_draw().expect("three times");
    assert_eq!(claimed.outcome(), Outcome::DrawClaimed(Claim::Threefold));
    assert_eq!(claimed.record.moves().len(), 8);
}

#[test]
fn threefold_event_with_the_third_occurrence() {
    let mut game = Game::default();
    let mut announced = Vec::new();
    for text in [SHUFFLE; 2].join(" ").split(' ') {
        let mv = game.position().move_from_uci(text).expect(text);
        let events = game.play(mv).expect(text);
        announced.push(events.contains(&Event::ThreefoldAvailable));
    }
    let mut expected = [false; 8];
    expected[7] = true;
    assert_eq!(announced, expected);
}

#[test]
fn fivefold_repetition_ends_the_game() {
    let mut game = Game::default();
    for _ in 0..3 {
        follow(&mut game, SHUFFLE);
    }
    assert_eq!(game.occurrences(), 4);
    assert_eq!(game.outcome(), None);
    follow(&mut game, SHUFFLE);
    assert_eq!(game.occurrences(), 5);
    assert_eq!(game.outcome(), Some(Outcome::FivefoldRepetition));
    let refusal = game.claim_draw().expect_err("the game is over");
    assert_eq!(refusal, ClaimError::Over(Outcome::FivefoldRepetition));
}

#[test]
fn undo_takes_a_repetition_back() {
    let mut game = Game::default();
    follow(&mut game, SHUFFLE);
    follow(&mut game, SHUFFLE);
    assert_eq!(game.occurrences(), 3);
    game.undo();
    assert_eq!(game.occurrences(), 2);
    game.redo();
    assert_eq!(game.occurrences(), 3);
}

#[test]
fn other_castling_rights_are_another_position() {
    let mut game = Game::new(standard("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
    let men = game.position().occupied();
    follow(&mut game, "a1b1 e8e7 b1a1 e7e8");
    assert_eq!(game.position().occupied(), men);
    assert_eq!(game.occurrences(), 1, "rights are gone");
    follow(&mut game, "a1b1 e8e7 b1a1 e7e8");
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn a_possible_capture_in_passing_is_another_position() {
    let mut game = Game::new(standard("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"));
    follow(&mut game, "e2e4");
    assert!(game.position().en_passant().is_some());
    follow(&mut game, "e8d8 e1d1 d8e8 d1e1");
    assert_eq!(game.position().side_to_move(), Color::Black);
    assert_eq!(
        game.occurrences(),
        1,
        "the pawn cannot be taken in passing any more"
    );
    follow(&mut game, "e8d8 e1d1 d8e8 d1e1");
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn an_impossible_capture_in_passing_is_not_another_position() {
    let mut game = Game::new(standard("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1"));
    follow(&mut game, "e2e4");
    assert_eq!(game.position().en_passant(), None, "the pawn is pinned");
    follow(&mut game, "d8c8 e1f1 c8d8 f1e1");
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn the_same_men_with_the_other_side_to_move_are_another_position() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
    follow(&mut game, "e1d1 e8d8 d1e2 d8e8 e2e1");
    assert_eq!(game.position().side_to_move(), Color::Black);
    assert_eq!(game.occurrences(), 1);
}

#[test]
fn repetition_is_not_counted_across_a_capture_or_pawn_move() {
    let mut game = Game::new(standard("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1"));
    follow(&mut game, "e1d1 e8d8 d1e1 d8e8");
    assert_eq!(game.occurrences(), 2);
    follow(&mut game, "a2a3 a7a6");
    assert_eq!(game.occurrences(), 1);
}

#[test]
fn both_claims_at_once() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 92 90"));
    for _ in 0..2 {
        follow(&mut game, "e1d1 e8d8 d1e1 d8e8");
    }
    assert_eq!(game.claims(), [Claim::FiftyMoves, Claim::Threefold]);
}

#[test]
fn no_claim_when_stalemated() {
    let game = Game::new(standard("k7/2Q5/1K6/8/8/8/8/8 b - - 120 120"));
    assert_eq!(game.outcome(), Some(Outcome::Stalemate));
    assert!(game.claims().is_empty());
}
