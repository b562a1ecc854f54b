//! The halfmove clock: what resets it, what increments it, and what happens at 100 and 150.

use crate::positions::{after, play, rows_for_both_colors, standard, with_clock};
use movegen::{Color, Event, Game, Outcome, Position};

/// Mate in one with the hundredth ply.
const MATE_ON_THE_HUNDREDTH_PLY: &str = "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88";

#[test]
fn starts_at_0_or_at_the_fifth_field_of_the_fen() {
    assert_eq!(Position::default().halfmove_clock(), 0);
    assert_eq!(Game::default().position().halfmove_clock(), 0);
    let four_fields = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_eq!(standard(four_fields).halfmove_clock(), 0);
    for clock in [0, 1, 42, 99, 100, 101, 149, 150, 5000, u16::MAX] {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 b - - {clock} 90");
        assert_eq!(standard(&fen).halfmove_clock(), clock);
        assert_eq!(standard(&fen).fen(), fen);
        assert_eq!(standard(&standard(&fen).fen()), standard(&fen));
    }
}

#[test]
fn pawn_moves_and_captures_give_0_and_other_moves_add_1() {
    for [fen, moves, clock] in rows_for_both_colors(
        "
        5k2/8/8/8/8/1N6/8/4K3 w - - 30 1       | b3d4      | 31
        5k2/8/8/8/8/1B6/8/4K3 w - - 30 1       | b3d5      | 31
        5k2/8/8/8/8/1R6/8/4K3 w - - 30 1       | b3b7      | 31
        5k2/8/8/8/8/1Q6/8/4K3 w - - 30 1       | b3b7      | 31
        5k2/8/8/8/8/8/8/4K3 w - - 30 1         | e1e2      | 31
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 30 1  | h1h2      | 31
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 30 1  | e1e2      | 31
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 30 1  | e1g1      | 31
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 30 1  | e1c1      | 31
        8/8/4k3/8/8/8/1P6/4K3 w - - 30 1       | b2b3      | 0
        8/8/4k3/8/8/8/1P6/4K3 w - - 30 1       | b2b4      | 0
        8/8/4k3/1n6/2P5/1R6/3n4/4K3 w - - 30 1 | b3b5      | 0
        8/8/4k3/1n6/2P5/1R6/3n4/4K3 w - - 30 1 | c4b5      | 0
        8/8/4k3/1n6/2P5/1R6/3n4/4K3 w - - 30 1 | e1d2      | 0
        8/1p6/4k3/2P5/8/8/8/4K3 b - - 30 1     | b7b5 c5b6 | 0
        8/1P6/4k3/8/8/8/8/4K3 w - - 30 1       | b7b8q     | 0
        8/1P6/4k3/8/8/8/8/4K3 w - - 30 1       | b7b8r     | 0
        8/1P6/4k3/8/8/8/8/4K3 w - - 30 1       | b7b8b     | 0
        8/1P6/4k3/8/8/8/8/4K3 w - - 30 1       | b7b8n     | 0
        ",
    ) {
        let found = after(&standard(&fen), &moves).halfmove_clock();
        assert_eq!(found.to_string(), clock, "{fen} {moves}");
    }
}

#[test]
fn a_null_move_adds_1() {
    let passed = with_clock(12).position().null_move();
    assert_eq!(passed.map(|passed| passed.halfmove_clock()), Some(13));
}

#[test]
fn clocks_saturate() {
    let last = standard(&format!(
        "4k3/8/8/8/8/8/8/R3K3 w - - {} {}",
        u16::MAX,
        u16::MAX
    ));
    let next = after(&last, "a1a2 e8e7");
    assert_eq!(next.halfmove_clock(), u16::MAX);
    assert_eq!(next.fullmove_number(), u16::MAX);
    let passed = last.null_move().and_then(|passed| passed.null_move());
    assert_eq!(passed.map(|passed| passed.halfmove_clock()), Some(u16::MAX));
}

#[test]
fn the_fifty_move_event_comes_after_the_check_with_every_move_from_100_on() {
    use Event::{Check, FiftyMoveRuleAvailable};
    for (clock, mv, events) in [
        (98, "a1a2", &[][..]),
        (99, "a1a2", &[FiftyMoveRuleAvailable]),
        (99, "a1a8", &[Check, FiftyMoveRuleAvailable]),
        (100, "a1a2", &[FiftyMoveRuleAvailable]),
        (101, "a1a2", &[FiftyMoveRuleAvailable]),
        (102, "a1a2", &[FiftyMoveRuleAvailable]),
    ] {
        let mut game = with_clock(clock);
        let found = play(&mut game, mv);
        assert!(matches!(found.first(), Some(Event::Moved)));
        assert_eq!(&found[1..], events, "{clock} {mv}");
        assert_eq!(game.position().halfmove_clock(), clock + 1);
    }
}

#[test]
fn mate_on_the_hundredth_ply_is_mate() {
    let position = standard(MATE_ON_THE_HUNDREDTH_PLY);
    let mate = position.move_from_san("Qh8#").expect("the mate");
    let mut game = Game::new(position);
    let outcome = Outcome::Checkmate {
        winner: Color::White,
    };
    let events = game.play(mate).expect("it is legal");
    assert_eq!(events, [Event::Moved, Event::Ended(outcome)]);
    assert_eq!(game.position().halfmove_clock(), 100);
    assert_eq!(game.outcome(), Some(outcome));
    assert_eq!(outcome.result(), "1-0");
    assert!(game.claims().is_empty());
    assert!(game.claim_draw().is_err());
}

#[test]
fn seventy_five_moves_end_the_game() {
    let mut game = with_clock(148);
    play(&mut game, "a1a2");
    assert_eq!(game.position().halfmove_clock(), 149);
    assert_eq!(game.outcome(), None);
    let events = play(&mut game, "e8e7");
    assert_eq!(
        events.last(),
        Some(&Event::Ended(Outcome::SeventyFiveMoves))
    );
    assert_eq!(game.outcome(), Some(Outcome::SeventyFiveMoves));
    assert_eq!(Outcome::SeventyFiveMoves.result(), "1/2-1/2");
    let mv = game.position().move_from_uci("a2a3").expect("a legal move");
    assert!(game.play(mv).is_err(), "the game is over");
}

#[test]
fn mate_on_the_hundred_and_fiftieth_ply_is_mate() {
    let fen = MATE_ON_THE_HUNDREDTH_PLY.replace("99", "149");
    let mut game = Game::new(standard(&fen));
    play(&mut game, "e8h8");
    assert_eq!(game.position().halfmove_clock(), 150);
    let winner = Color::White;
    assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner }));
}

#[test]
fn stalemate_on_the_hundred_and_fiftieth_ply_is_stalemate() {
    let mut game = Game::new(standard("k7/8/1K6/2Q5/8/8/8/8 w - - 149 120"));
    play(&mut game, "c5c7");
    assert_eq!(game.outcome(), Some(Outcome::Stalemate));
    assert!(game.claims().is_empty());
}
