//! The halfmove clock: what sets it back, what lets it run, and what 100 and 150 mean.

use crate::scene::{Scene, after, sides, standard};
use movegen::{CastlingSide, Color, Event, Game, Outcome, Position, Role};

/// The position of the rules' page: mate in one on the hundredth ply.
const MATE_ON_THE_HUNDREDTH_PLY: &str = "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88";

/// The clock after moves of the side to move, from a clock of 30.
fn clock_after(scene: Scene, moves: &str) -> u16 {
    const STARTED: u16 = 30;
    let scene = scene.clock(STARTED);
    after(&scene.position(), &scene.moves(moves)).halfmove_clock()
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
        for (role, mv) in [
            (Role::Knight, "b3d4"),
            (Role::Bishop, "b3d5"),
            (Role::Rook, "b3b7"),
            (Role::Queen, "b3b7"),
        ] {
            let scene = Scene::kings(color, "e1", "f8").ours(role, "b3");
            assert_eq!(clock_after(scene, mv), 31, "{role:?}");
        }
        assert_eq!(clock_after(Scene::kings(color, "e1", "g8"), "e1e2"), 31);
    }
}

#[test]
fn pawn_move_gives_0() {
    for color in Color::ALL {
        let scene = Scene::kings(color, "e1", "e8").ours(Role::Pawn, "b2");
        assert_eq!(clock_after(scene.clone(), "b2b3"), 0);
        assert_eq!(clock_after(scene, "b2b4"), 0);
    }
}

#[test]
fn capture_gives_0() {
    for color in Color::ALL {
        let scene = Scene::kings(color, "e1", "e8")
            .ours(Role::Rook, "b3")
            .ours(Role::Pawn, "c4")
            .theirs(Role::Knight, "b5")
            .theirs(Role::Knight, "d2");
        assert_eq!(clock_after(scene.clone(), "b3b5"), 0);
        assert_eq!(clock_after(scene.clone(), "c4b5"), 0);
        assert_eq!(clock_after(scene, "e1d2"), 0);
    }
}

#[test]
fn en_passant_gives_0() {
    for color in Color::ALL {
        let scene = Scene::kings(color, "e1", "e8")
            .ours(Role::Pawn, "c5")
            .theirs(Role::Pawn, "d7")
            .their_turn();
        assert_eq!(clock_after(scene, "d7d5 c5d6"), 0);
    }
}

#[test]
fn promotion_gives_0() {
    for color in Color::ALL {
        let scene = Scene::kings(color, "e1", "e6").ours(Role::Pawn, "b7");
        for role in ["q", "r", "b", "n"] {
            assert_eq!(clock_after(scene.clone(), &format!("b7b8{role}")), 0);
        }
    }
}

#[test]
fn castle_adds_1() {
    for (color, side) in sides() {
        let castle = match side {
            CastlingSide::King => "e1g1",
            CastlingSide::Queen => "e1c1",
        };
        assert_eq!(clock_after(Scene::castling(color), castle), 31);
    }
}

#[test]
fn losing_a_right_adds_1() {
    for color in Color::ALL {
        assert_eq!(clock_after(Scene::castling(color), "h1h2"), 31);
        assert_eq!(clock_after(Scene::castling(color), "e1e2"), 31);
    }
}

#[test]
fn passing_adds_1() {
    let passed = standard("4k3/8/8/8/8/8/8/R3K3 w - - 12 90").make_null();
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
fn does_not_run_over() {
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
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 99 90"));
    let mv = game.position().move_from_uci("a1a2").expect("it is legal");
    let events = game.play(mv).expect("it is legal");
    assert_eq!(events, [Event::Moved(mv), Event::FiftyMoveRuleAvailable]);
    assert_eq!(game.position().halfmove_clock(), 100);
}

#[test]
fn the_event_follows_the_check_event() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 99 90"));
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
fn the_event_comes_again_with_every_move_past_100() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 99 90"));
    for mv in ["a1a2", "e8e7", "a2a3", "e7e6"] {
        let events = play(&mut game, mv);
        assert!(events.contains(&Event::FiftyMoveRuleAvailable), "{mv}");
    }
}

#[test]
fn reaching_99_raises_no_event() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 98 90"));
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
    let mut game = Game::new(standard("4k3/8/8/8/8/8/8/R3K3 w - - 148 90"));
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
