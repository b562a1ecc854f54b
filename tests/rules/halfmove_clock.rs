//! The halfmove clock: what resets it, what increments it, and what happens at 100 and 150.

use crate::positions::{Builder, after, castlings, standard};
use movegen::{CastlingSide, Color, Event, Game, Outcome, Position, Role};

/// Mate in one with the hundredth ply.
const MATE_ON_THE_HUNDREDTH_PLY: &str = "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88";

/// Asserts the clock after moves, starting from a clock of 30.
#[track_caller]
fn assert_clock_after(builder: &Builder, moves: &str, expected: u16) {
    let after = builder.clone().clock(30).after(moves);
    assert_eq!(after.halfmove_clock(), expected, "{moves}");
}

/// A game with a rook against a bare king, this clock and White to move.
fn with_clock(clock: u16) -> Game {
    Game::new(standard(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90")))
}

fn play(game: &mut Game, text: &str) -> Vec<Event> {
    let mv = game.position().move_from_uci(text).expect(text);
    game.play(mv).expect(text)
}

#[test]
fn starts_at_0() {
    assert_eq!(Position::default().halfmove_clock(), 0);
    assert_eq!(Game::default().position().halfmove_clock(), 0);
    let four_fields = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_eq!(standard(four_fields).halfmove_clock(), 0);
}

#[test]
fn starts_at_the_fifth_field_of_the_fen() {
    for clock in [0, 1, 42, 99, 100, 101, 149, 150, 5000, u16::MAX] {
        let position = standard(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90"));
        assert_eq!(position.halfmove_clock(), clock);
    }
}

#[test]
fn quiet_move_adds_1() {
    for color in Color::ALL {
        let builder = Builder::kings(color, "e1", "f8");
        for (role, mv) in [
            (Role::Knight, "b3d4"),
            (Role::Bishop, "b3d5"),
            (Role::Rook, "b3b7"),
            (Role::Queen, "b3b7"),
        ] {
            assert_clock_after(&builder.clone().ours(role, "b3"), mv, 31);
        }
        assert_clock_after(&builder, "e1e2", 31);
        // A move that revokes a castling right too.
        assert_clock_after(&Builder::castling(color), "h1h2", 31);
        assert_clock_after(&Builder::castling(color), "e1e2", 31);
    }
}

#[test]
fn castle_adds_1() {
    for (color, side) in castlings() {
        let mv = match side {
            CastlingSide::King => "e1g1",
            CastlingSide::Queen => "e1c1",
        };
        assert_clock_after(&Builder::castling(color), mv, 31);
    }
}

#[test]
fn pawn_move_capture_en_passant_and_promotion_give_0() {
    for color in Color::ALL {
        let kings = Builder::kings(color, "e1", "e6");
        let pawn = kings.clone().ours(Role::Pawn, "b2");
        let captures = kings
            .clone()
            .ours(Role::Rook, "b3")
            .ours(Role::Pawn, "c4")
            .theirs(Role::Knight, "b5")
            .theirs(Role::Knight, "d2");
        let en_passant = kings
            .clone()
            .ours(Role::Pawn, "c5")
            .theirs(Role::Pawn, "b7")
            .opponent_to_move();
        let promotion = kings.ours(Role::Pawn, "b7");
        for (builder, moves) in [
            (&pawn, "b2b3"),
            (&pawn, "b2b4"),
            (&captures, "b3b5"),
            (&captures, "c4b5"),
            (&captures, "e1d2"),
            (&en_passant, "b7b5 c5b6"),
            (&promotion, "b7b8q"),
            (&promotion, "b7b8r"),
            (&promotion, "b7b8b"),
            (&promotion, "b7b8n"),
        ] {
            assert_clock_after(builder, moves, 0);
        }
    }
}

#[test]
fn a_null_move_adds_1() {
    let passed = with_clock(12).position().make_null();
    assert_eq!(passed.map(|passed| passed.halfmove_clock()), Some(13));
}

#[test]
fn a_sequence_of_moves() {
    let mut position = Position::default();
    for (mv, clock) in [
        ("e2e4", 0),
        ("b8c6", 1),
        ("g1f3", 2),
        ("g8f6", 3),
        ("e4e5", 0),
        ("d7d5", 0),
        ("e5d6", 0),
        ("e7d6", 0),
        ("f1e2", 1),
        ("f8e7", 2),
        ("e1g1", 3),
        ("e8g8", 4),
        ("f3g5", 5),
        ("d8e8", 6),
        ("g5h7", 0),
        ("g8h7", 0),
    ] {
        position = after(&position, mv);
        assert_eq!(position.halfmove_clock(), clock, "after {mv}");
    }
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
    let passed = last.make_null().and_then(|passed| passed.make_null());
    assert_eq!(passed.map(|passed| passed.halfmove_clock()), Some(u16::MAX));
}

#[test]
fn reaching_exactly_100_raises_the_event() {
    let mut game = with_clock(99);
    let mv = game.position().move_from_uci("a1a2").expect("it is legal");
    let events = game.play(mv).expect("it is legal");
    assert_eq!(events, [Event::Moved(mv), Event::FiftyMoveRuleAvailable]);
    assert_eq!(game.position().halfmove_clock(), 100);
}

#[test]
fn the_event_follows_the_check_event() {
    let mut game = with_clock(99);
    let mv = game.position().move_from_uci("a1a8").expect("it is legal");
    let events = game.play(mv).expect("it is legal");
    let expected = [
        Event::Moved(mv),
        Event::Check,
        Event::FiftyMoveRuleAvailable,
    ];
    assert_eq!(events, expected);
}

#[test]
fn the_event_repeats_with_every_move_past_100() {
    let mut game = with_clock(99);
    for mv in ["a1a2", "e8e7", "a2a3", "e7e6"] {
        let events = play(&mut game, mv);
        assert!(events.contains(&Event::FiftyMoveRuleAvailable), "{mv}");
    }
}

#[test]
fn reaching_99_raises_no_event() {
    let mut game = with_clock(98);
    let mv = game.position().move_from_uci("a1a2").expect("it is legal");
    assert_eq!(game.play(mv), Ok(vec![Event::Moved(mv)]));
    assert_eq!(game.position().halfmove_clock(), 99);
}

#[test]
fn a_capture_at_99_raises_no_event() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/p7/R3K3 w - - 99 90"));
    let events = play(&mut game, "a1a2");
    assert!(!events.contains(&Event::FiftyMoveRuleAvailable));
    assert_eq!(game.position().halfmove_clock(), 0);
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
    assert_eq!(events, [Event::Moved(mate), Event::Ended(outcome)]);
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

#[test]
fn fen_keeps_the_clock() {
    for clock in [0, 1, 42, 99, 100, 149] {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 b - - {clock} 90");
        assert_eq!(standard(&fen).fen(), fen);
        assert_eq!(standard(&standard(&fen).fen()), standard(&fen));
    }
}
