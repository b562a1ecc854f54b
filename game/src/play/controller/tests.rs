//! The conduct of games, without a front end: the tests choose the engine's moves.

use movegen::{Color, Position, Role, Square, Variant};
use search::Score;

use super::{Command, Controller, Job, Notice, Refusal};
use crate::Side;
use crate::play::{ActionRejected, GameState, Premove, Reply, TridimState, parse_move};

/// White's rook may claim the fifty-move rule after two more plies.
const FIFTY_MOVES: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 98 90";

fn game(side: Side, fen: &str) -> Controller {
    let start = Position::from_fen(fen, Variant::Standard).expect(fen);
    Controller::new(GameState::new(start, side), true)
}

fn start(side: Side) -> Controller {
    Controller::new(GameState::new(Position::default(), side), true)
}

fn play(game: &mut Controller, moves: &[&str]) {
    for text in moves {
        let mv = parse_move(&game.state().game, text).expect(text);
        let notices = game.execute(Command::Move(mv)).expect(text);
        assert!(matches!(
            notices[..],
            [Notice::Played {
                by_engine: false,
                ..
            }]
        ));
    }
}

/// The engine has found this move with this score.
fn reply(game: &mut Controller, text: &str, score: Option<Score>) -> Vec<Notice> {
    let mv = parse_move(&game.state().game, text).expect(text);
    game.found(Some(Reply { mv, score })).expect(text)
}

fn sans(game: &Controller) -> Vec<String> {
    let (game, _) = game.state().played();
    let moves = game.positions().zip(game.moves());
    moves.map(|(position, mv)| position.san(mv)).collect()
}

fn refused(game: &mut Controller, command: Command) -> String {
    let lines = game.state().lines().to_vec();
    let refusal = game.execute(command).expect_err("refused");
    assert_eq!(game.state().lines(), lines);
    refusal.to_string()
}

#[test]
fn the_engine_replies_and_an_undo_takes_both_moves_back() {
    let mut game = start(Side::Black);
    assert_eq!((game.next_job(), game.next_job()), (Some(Job::Move), None));
    let notices = reply(&mut game, "e4", None);
    assert!(matches!(
        notices[..],
        [Notice::Played {
            by_engine: true,
            ..
        }]
    ));
    assert_eq!(game.next_job(), None);
    // There is no move of the user's to take back.
    assert_eq!(refused(&mut game, Command::Undo), "no move to undo");
    play(&mut game, &["e5"]);
    assert_eq!(game.next_job(), Some(Job::Move));
    let e2e4 = parse_move(&start(Side::White).state().game, "e4").expect("legal");
    assert_eq!(
        refused(&mut game, Command::Move(e2e4)),
        "it is not your turn"
    );
    reply(&mut game, "Nf3", None);
    game.execute(Command::Undo).expect("two moves");
    assert_eq!(sans(&game), ["e4"]);
    game.execute(Command::Redo).expect("two moves");
    assert_eq!(sans(&game), ["e4", "e5", "Nf3"]);
    // While the engine thinks, it takes back one; what is found then comes too late.
    play(&mut game, &["Nc6"]);
    assert_eq!(game.next_job(), Some(Job::Move));
    game.execute(Command::Undo).expect("one move");
    assert_eq!((game.job(), game.next_job()), (None, None));
    assert_eq!(reply(&mut game, "Nc6", None), []);
    assert_eq!(sans(&game), ["e4", "e5", "Nf3"]);
    // The engine may make the user's move.
    game.execute(Command::Go).expect("a search");
    assert_eq!(game.next_job(), Some(Job::Move));
    reply(&mut game, "Nc6", None);
    assert_eq!(game.next_job(), Some(Job::Move));
}

#[test]
fn a_search_that_has_become_pointless_is_replaced() {
    let mut game = start(Side::White);
    game.execute(Command::Hint).expect("a search");
    assert_eq!(game.next_job(), Some(Job::Hint));
    // The hint comes too late: the engine is to think about its own move.
    play(&mut game, &["e4"]);
    assert_eq!(game.next_job(), Some(Job::Move));
    // One that is interrupted is named again.
    game.suspend();
    game.restart();
    assert_eq!(game.next_job(), Some(Job::Move));
    // One that fails is not, until the next command.
    game.give_up();
    assert_eq!(game.job(), None);
}

#[test]
fn premoves_are_played_in_a_row_until_one_is_illegal() {
    let mut game = game(Side::Black, "7k/8/8/8/8/8/p7/1n5K w - - 0 1");
    let premove = |from: &str, to: &str, promotion| {
        let square = |text: &str| text.parse::<Square>().expect("a square");
        let (from, to) = (square(from), square(to));
        Command::Premove(Premove {
            from,
            to,
            promotion,
        })
    };
    assert_eq!(game.next_job(), Some(Job::Move));
    let promote = premove("a2", "a1", Some(Role::Rook));
    game.execute(promote).expect("it waits");
    game.execute(Command::CancelPremoves).expect("at any time");
    assert!(game.premoves().is_empty());
    for command in [
        promote,
        premove("a1", "a5", None),
        premove("a5", "h8", None),
        premove("a5", "a6", None),
    ] {
        game.execute(command).expect("it waits");
    }
    for king in ["Kg2", "Kf3", "Ke4"] {
        assert!(!game.has_premove());
        reply(&mut game, king, None);
        assert!(game.has_premove());
        game.play_premove().expect("it may be played");
        game.next_job();
    }
    assert_eq!(sans(&game), ["Kg2", "a1=R", "Kf3", "Ra5", "Ke4"]);
    assert!(game.premoves().is_empty());
    // One that comes when the engine has just moved is a move.
    game.execute(premove("a5", "a4", None)).expect("legal");
    assert_eq!(sans(&game).last().map(String::as_str), Some("Ra4+"));
}

#[test]
fn a_claim_ends_the_game_or_begins_the_next() {
    for plays_on in [false, true] {
        let mut game = game(Side::Both, FIFTY_MOVES);
        if plays_on {
            game = game.playing_on();
        }
        let refusal = refused(&mut game, Command::Claim(None));
        let (words, evidence) = refusal.split_once('\n').expect("two lines");
        let expected = "Draw cannot be claimed: the 50-move rule has not been triggered.";
        assert_eq!(words, expected);
        assert!(evidence.contains("needs 2 more half-moves"), "{evidence}");
        play(&mut game, &["Ra2"]);
        let intended = parse_move(&game.state().game, "Kd7").expect("legal");
        let notices = game.execute(Command::Claim(Some(intended)));
        assert!(matches!(notices.as_deref(), Ok([Notice::Claimed(_)])));
        assert!(game.state().is_over());
        let e4 = parse_move(&game.state().game, "e4").expect("the next game has begun");
        let played = game.execute(Command::Move(e4));
        assert_eq!(played.is_ok(), plays_on, "{played:?}");
        assert_eq!(sans(&game), if plays_on { ["e4"] } else { ["Ra2"] });
    }
    let mut engines = game(Side::Black, FIFTY_MOVES);
    let refusal = refused(&mut engines, Command::Claim(None));
    assert_eq!(refusal, "it is not your turn");
}

#[test]
fn the_engine_claims_and_resigns() {
    let mut drawn = game(Side::Black, "4k3/8/8/8/8/8/8/R3K3 w - - 99 90");
    drawn.next_job();
    let notices = reply(&mut drawn, "Ra2", Some(Score::DRAW));
    let [Notice::Says(words), Notice::Claimed(_)] = &notices[..] else {
        panic!("{notices:?}");
    };
    assert_eq!(words, "Castellan claims a draw with Ra2.");
    assert!(drawn.state().is_over());

    let mut lost = game(Side::White, "4k3/8/8/8/8/8/8/QR2K3 b - - 0 1");
    let mut said = Vec::new();
    for (engines, users) in [("Ke7", "Qc3"), ("Kd6", "Qd4"), ("Kc6", "")] {
        lost.next_job();
        said = reply(&mut lost, engines, Some(Score::mated_in(9)));
        if !users.is_empty() {
            play(&mut lost, &[users]);
        }
    }
    assert_eq!(said, [Notice::Says("Castellan resigns.".to_owned())]);
    let ending = lost.state().ending().map(|(words, _)| words);
    assert_eq!(ending.as_deref(), Some("Black resigns"));
    assert_eq!(lost.next_job(), None);
}

/// Moves and offers that are taken back do not count.
#[test]
fn an_undo_resets_lost_moves_and_declined_offers() {
    let mut game = game(Side::White, "4k3/8/8/8/8/8/8/QR2K3 w - - 0 1");
    for _ in 0..5 {
        play(&mut game, &["Ke2"]);
        game.next_job();
        let notices = reply(&mut game, "Kd7", Some(Score::mated_in(8)));
        assert!(
            matches!(notices[..], [Notice::Played { .. }]),
            "{notices:?}"
        );
        game.execute(Command::Undo).expect("two moves");
    }
    let mut game = start(Side::White);
    for mv in ["e4", "d4"] {
        play(&mut game, &[mv]);
        game.next_job();
        reply(&mut game, "Nf6", Some(Score::DRAW));
        assert!(game.can_offer_draw(), "after {mv}");
        game.offer_draw().expect("an answer");
        assert!(!game.can_offer_draw(), "declined");
        game.execute(Command::Undo).expect("two moves");
    }
}

#[test]
fn draws_are_offered() {
    let mut two = start(Side::Both);
    assert_eq!(two.offer_draw(), Ok(Vec::new()));
    assert!(two.state().is_over());

    let mut game = game(Side::White, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1");
    assert!(game.can_offer_draw());
    game.offer_draw().expect("it thinks about it");
    assert_eq!(game.next_job(), Some(Job::DrawOffer));
    let moves = game.state().game.position().legal_moves();
    assert_eq!(
        game.execute(Command::Move(moves[0])),
        Err(Refusal::Thinking)
    );
    let better = "Castellan declines the draw: it is better.".to_owned();
    assert_eq!(
        game.judged(Score::mated_in(9)),
        Ok(vec![Notice::Says(better)])
    );
    assert_eq!(game.offer_draw(), Err(Refusal::Declined));
    assert!(!game.can_offer_draw());
    play(&mut game, &["Qa7"]);
    game.next_job();
    reply(&mut game, "Kd8", None);
    game.offer_draw().expect("after the next move");
    game.judged(Score::mate_in(9)).expect("an answer");
    let ending = game.state().ending().map(|(words, _)| words);
    assert_eq!(ending.as_deref(), Some("draw by agreement"));
}

/// The game after a claim begins at the same ply as the one before.
#[test]
fn a_claim_forgets_declined_offers() {
    let mut game = game(Side::White, FIFTY_MOVES).playing_on();
    game.offer_draw().expect("it thinks about it");
    game.next_job();
    game.judged(Score::mated_in(9)).expect("an answer");
    assert!(!game.can_offer_draw(), "declined");
    play(&mut game, &["Ra2"]);
    game.next_job();
    reply(&mut game, "Kd7", None);
    game.execute(Command::Claim(None)).expect("a draw");
    assert!(game.can_offer_draw());
}

/// A game with clocks in which the time of Black has run out.
fn flagged() -> Controller {
    let mut state = start(Side::Both).state().clone();
    for line in ["clock 60+0", "move e2e4 60", "move e7e5 0", "move g1f3 60"] {
        state.follow(line).expect(line);
    }
    Controller::new(state, true)
}

#[test]
fn a_clock_that_has_run_out_ends_the_game() {
    let mut game = flagged();
    assert!(game.tick());
    let ending = game.state().ending().map(|(words, _)| words);
    assert_eq!(ending.as_deref(), Some("Black loses on time"));
    assert!(!game.tick());
    let over = ActionRejected::Flagged(Color::Black);
    let intended = game.state().game.position().legal_moves()[0];
    assert_eq!(game.execute(Command::Move(intended)), Err(over.into()));
}

#[test]
fn no_clock_runs_in_a_pause_or_for_a_hint() {
    let mut game = start(Side::Both);
    assert_eq!(game.execute(Command::Pause), Err(Refusal::NoClock));
    let mut state = game.state().clone();
    state.follow("clock 60+0").expect("a clock");
    game.replace(state);
    assert_eq!(game.execute(Command::Pause), Err(Refusal::NoClock));
    play(&mut game, &["e4"]);
    assert!(game.state().is_clock_running());
    game.execute(Command::Pause).expect("a running clock");
    assert!(game.is_paused() && !game.state().is_clock_running());
    let intended = parse_move(&game.state().game, "e5").expect("legal");
    assert_eq!(game.execute(Command::Move(intended)), Err(Refusal::Paused));
    game.execute(Command::Resume).expect("at any time");
    assert!(game.state().is_clock_running());
    game.execute(Command::Hint).expect("a search");
    assert!(!game.state().is_clock_running());
    game.next_job();
    reply(&mut game, "e5", None);
    assert!(game.state().is_clock_running());
    assert_eq!(game.hint(), Some(intended));
    play(&mut game, &["c5"]);
    assert_eq!(game.hint(), None);
}

#[test]
fn a_rematch_changes_sides_and_keeps_the_rest() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1";
    let mut game = game(Side::White, fen);
    let mut state = game.state().clone();
    for line in ["clock 180+2", "level 1200"] {
        state.follow(line).expect(line);
    }
    game.replace(state);
    assert_eq!(game.rematch().err(), Some(Refusal::NotOver));
    play(&mut game, &["Re8#"]);
    let rematch = game.rematch().expect("the game is over");
    let heading = format!("begin standard black {fen}");
    assert_eq!(rematch.lines(), [&heading, "clock 180+2", "level 1200"]);
}

#[test]
fn tridim_is_conducted_the_same_way() {
    let mut game = Controller::new(TridimState::default(), true);
    let mv = game.state().game.position().read_move("b2W-b4N");
    game.execute(Command::Move(mv.expect("legal")))
        .expect("the user's turn");
    assert_eq!(game.next_job(), Some(Job::Move));
    let mv = game.state().game.position().legal_moves()[0];
    game.found(Some(Reply { mv, score: None })).expect("legal");
    game.execute(Command::Undo).expect("two moves");
    assert_eq!(game.state().game.moves().len(), 0);
    let refusal = game.execute(Command::Claim(None)).expect_err("too early");
    assert!(matches!(
        refusal,
        Refusal::Rejected(ActionRejected::Claim(_))
    ));
    game.execute(Command::Resign).expect("at any time");
    assert!(game.state().is_over());
}
