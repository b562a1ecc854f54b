//! Draws as the search sees them: the fifty-move rule to the ply, repetition, stalemate, too
//! little material, and roots where there is little or nothing to choose.
//!
//! Distances to mate were counted by trying every line; the rest follows from the rules.

use crate::searcher::{Answer, ask, fresh, game, game_after, to_depth};
use movegen::{Game, Move};
use search::{Limits, PlayerClock, Score, Searcher};
use std::time::Duration;

/// Far more than a pawn: what a won game looks like before its mate is in sight.
const WINNING: i32 = 300;

/// Men and turn, and in how many moves the side to move mates.
const MATES: [(&str, i32); 12] = [
    ("1k6/8/1K6/8/8/3R4/8/8 w", 1),
    ("8/8/5K1k/8/8/8/1R6/8 w", 1),
    ("8/8/8/8/7Q/8/2K5/k7 w", 1),
    ("8/8/2R5/8/8/8/3K4/k7 w", 2),
    ("3k4/8/3K4/8/8/8/2R5/8 w", 2),
    ("1k6/8/8/K7/4Q3/8/8/8 w", 2),
    ("3Q4/8/8/8/8/3K4/8/k7 w", 2),
    ("8/8/6R1/5K1k/8/8/8/8 w", 3),
    ("8/8/8/3R4/3K4/k7/8/8 w", 3),
    ("8/5R2/8/8/2K5/8/8/1k6 w", 3),
    ("8/8/8/8/k7/8/1Q6/2K5 w", 3),
    ("8/7k/8/3K4/8/8/6Q1/8 w", 3),
];

/// Men and turn, and in how many moves the side to move is mated.
const MATED: [(&str, i32); 8] = [
    ("7k/5K2/8/6R1/8/8/8/8 b", 1),
    ("8/8/2R5/8/8/8/2K5/k7 b", 1),
    ("8/8/4Q3/8/8/2K5/8/3k4 b", 1),
    ("2K5/k7/4Q3/8/8/8/8/8 b", 1),
    ("8/4R3/8/8/8/3K4/8/3k4 b", 2),
    ("5k2/8/5K2/8/R7/8/8/8 b", 2),
    ("6k1/8/6K1/4Q3/8/8/8/8 b", 2),
    ("8/4K2k/8/6Q1/8/8/8/8 b", 2),
];

/// None of those mates takes more moves.
const MOST_MOVES: u32 = 3;

/// A game that begins with this clock.
fn with_clock(men: &str, clock: u32) -> Game {
    game(&format!("{men} - - {clock} 120"))
}

fn deep(game: &Game, depth: u32) -> Answer {
    ask(&mut fresh(), game, to_depth(depth))
}

/// Looks for those mates without leaving anything out.
fn for_mates() -> Limits {
    Limits {
        mate: Some(MOST_MOVES),
        ..to_depth(2 * MOST_MOVES)
    }
}

/// The value of one move of a game's present position.
fn value_of(game: &Game, mv: &str, depth: u32) -> Score {
    let limits = Limits {
        search_moves: vec![move_of(game, mv)],
        ..to_depth(depth)
    };
    let answer = ask(&mut fresh(), game, limits);
    assert_eq!(answer.best_move(), mv);
    answer.last().score
}

fn move_of(game: &Game, mv: &str) -> Move {
    game.position().move_from_uci(mv).expect(mv)
}

fn assert_legal(answer: &Answer, game: &Game) {
    let best = answer.outcome.best_move.expect("a move");
    assert!(game.position().is_legal(best), "{}", game.position());
}

/// The clock with which mate falls on the hundredth ply exactly.
fn latest_clock(plies: i32) -> u32 {
    100 - plies.unsigned_abs()
}

#[test]
fn mate_on_the_hundredth_ply_is_mate() {
    let game = game("4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88");
    for depth in 1..=8 {
        let answer = deep(&game, depth);
        assert_eq!(answer.last().score, Score::mate_in(1), "depth {depth}");
        let mv = answer.outcome.best_move.expect("a move");
        assert!(game.position().play_unchecked(mv).is_checkmate());
    }
}

#[test]
fn mates_in_time_are_found_to_the_last_ply_and_draws_begin_one_ply_later() {
    for (men, moves) in MATES {
        let plies = 2 * moves - 1;
        let mate = Score::mate_in(plies as usize);
        let early = (0..=latest_clock(plies)).step_by(3);
        // A mate in one is on the board before anybody can claim: see below.
        let late = (latest_clock(plies) + 1)..=99;
        let early = early
            .chain([latest_clock(plies)])
            .map(|clock| (clock, mate));
        for (clock, expected) in early.chain(late.map(|clock| (clock, Score::DRAW))) {
            let game = with_clock(men, clock);
            let answer = ask(&mut fresh(), &game, for_mates());
            assert_eq!(answer.last().score, expected, "{men}, clock {clock}");
            assert_legal(&answer, &game);
        }
    }
}

#[test]
fn the_side_being_mated_is_saved_by_the_clock_in_the_same_way() {
    for (men, moves) in MATED {
        let plies = 2 * moves;
        for (clock, expected) in [
            (0, Score::mated_in(plies as usize)),
            (latest_clock(plies), Score::mated_in(plies as usize)),
            (latest_clock(plies) + 1, Score::DRAW),
        ] {
            let game = with_clock(men, clock);
            let answer = ask(&mut fresh(), &game, for_mates());
            assert_eq!(answer.last().score, expected, "{men}, clock {clock}");
            assert_legal(&answer, &game);
        }
    }
}

#[test]
fn what_the_table_learnt_with_one_clock_is_not_believed_with_another() {
    for (men, moves) in MATES.into_iter().filter(|&(_, moves)| moves > 1) {
        let plies = 2 * moves - 1;
        let mate = Score::mate_in(plies as usize);
        let (early, late) = (latest_clock(plies), latest_clock(plies) + 1);
        let mut search = fresh();
        for (clock, expected) in [
            (0, mate),
            (late, Score::DRAW),
            (early, mate),
            (late, Score::DRAW),
            (0, mate),
            (early, mate),
        ] {
            let game = with_clock(men, clock);
            let answer = ask(&mut search, &game, for_mates());
            assert_eq!(answer.last().score, expected, "{men}, clock {clock}");
        }
    }
}

#[test]
fn a_won_ending_whose_clock_runs_out_is_a_draw_for_both_sides() {
    // The quickest mates from here take more moves than the clock leaves.
    let endings = [
        "8/8/8/3k4/8/8/8/2Q1K3",
        "8/8/8/3k4/8/8/8/2R1K3",
        "8/8/8/3k4/8/8/8/2B1KB2",
        "8/8/8/3k4/8/8/8/2B1KN2",
    ];
    for men in endings {
        for turn in ["w", "b"] {
            let men = format!("{men} {turn}");
            for clock in [94, 96, 97, 98, 99] {
                let game = with_clock(&men, clock);
                // Six plies are left at most; reductions must not hide the last of them.
                let answer = deep(&game, 12);
                assert_eq!(answer.last().score, Score::DRAW, "{men}, clock {clock}");
                assert_eq!(answer.last().centipawns, 0);
                assert_legal(&answer, &game);
            }
        }
        let early = deep(&with_clock(&format!("{men} w"), 0), 8);
        assert!(early.last().score.raw() > WINNING, "{men}");
    }
}

#[test]
fn a_pawn_is_moved_when_only_that_sets_the_clock_back() {
    let men = "4k3/8/8/8/8/3Q4/2P5/4K3 w";
    for clock in [98, 99, 100, 150] {
        let game = with_clock(men, clock);
        let answer = deep(&game, 10);
        assert!(answer.last().score.raw() > WINNING, "clock {clock}");
        let best = answer.best_move();
        assert!(best.starts_with("c2"), "{best} with clock {clock}");
    }
    // With one ply more the defender's is the hundredth.
    let defender = with_clock("4k3/8/8/8/8/3Q4/2P5/4K3 b", 99);
    assert_eq!(deep(&defender, 8).last().score, Score::DRAW);
    let defender = with_clock("4k3/8/8/8/8/3Q4/2P5/4K3 b", 98);
    assert!(deep(&defender, 8).last().score.raw() < -WINNING);
}

#[test]
fn roots_at_and_beyond_the_clock_still_get_a_move_and_its_score() {
    for clock in [98, 99, 100, 101, 150, 400] {
        // Mate at once comes before any clock.
        let game = with_clock("1k6/8/1K6/8/8/3R4/8/8 w", clock);
        let answer = deep(&game, 6);
        assert_eq!(answer.last().score, Score::mate_in(1), "clock {clock}");
        assert_eq!(answer.best_move(), "d3d8");
        // Mate in two comes too late.
        let game = with_clock("3k4/8/3K4/8/8/8/2R5/8 w", clock);
        let answer = deep(&game, 6);
        assert_eq!(answer.last().score, Score::DRAW, "clock {clock}");
        assert_legal(&answer, &game);
    }
}

#[test]
fn repetition_is_avoided_when_winning() {
    // White's queen went back and forth; the third time would be a draw.
    let start = "r3k3/p7/8/8/8/8/3Q1PPP/4K3 b - - 0 1";
    let history = "a8b8 d2d1 b8a8 d1d2 a8b8 d2d1 b8a8";
    let game = game_after(start, history);
    assert_eq!(value_of(&game, "d1d2", 1), Score::DRAW);
    assert_eq!(value_of(&game, "d1d2", 8), Score::DRAW);
    let answer = deep(&game, 8);
    assert_ne!(answer.best_move(), "d1d2");
    assert!(answer.last().score.raw() > WINNING);
    // Without the past the same move is as good as any.
    let forgotten = crate::searcher::game(&game.position().fen());
    assert!(value_of(&forgotten, "d1d2", 8).raw() > WINNING);
}

#[test]
fn a_move_that_lets_the_loser_repeat_is_avoided_too() {
    let start = "r3k3/p7/8/8/8/8/5PPP/3QK3 w - - 0 1";
    let game = game_after(start, "d1d2 a8b8 d2d1 b8a8 d1d2 a8b8");
    assert_eq!(value_of(&game, "d2d1", 6), Score::DRAW);
    let answer = deep(&game, 8);
    assert_ne!(answer.best_move(), "d2d1");
    assert!(answer.last().score.raw() > WINNING);
}

#[test]
fn once_before_the_root_is_no_draw_yet() {
    let start = "r3k3/p7/8/8/8/8/5PPP/3QK3 w - - 0 1";
    let game = game_after(start, "d1d2 a8b8");
    assert!(value_of(&game, "d2d1", 8).raw() > WINNING);
}

#[test]
fn repetition_is_sought_when_losing() {
    let start = "r3k3/p7/8/8/8/8/5PPP/3QK3 w - - 0 1";
    let game = game_after(start, "d1d2 a8b8 d2d1 b8a8 d1d2 a8b8 d2d1");
    for depth in [2, 8] {
        let answer = deep(&game, depth);
        assert_eq!(answer.last().score, Score::DRAW);
        assert_eq!(answer.best_move(), "b8a8");
    }
    let forgotten = crate::searcher::game(&game.position().fen());
    assert!(deep(&forgotten, 8).last().score.raw() < -WINNING);
}

#[test]
fn perpetual_check_saves_a_lost_game() {
    // Black mates on the second rank; White's queen can check on e8 and h5 for ever.
    let game = game("6k1/6p1/8/7Q/8/8/q2r4/7K w - - 0 1");
    let answer = deep(&game, 10);
    assert_eq!(answer.last().score, Score::DRAW);
    assert_eq!(answer.best_move(), "h5e8");
}

#[test]
fn a_winner_does_not_stalemate() {
    let game = game("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    assert_eq!(value_of(&game, "f1f7", 6), Score::DRAW);
    let answer = deep(&game, 6);
    assert_eq!(answer.last().score, Score::mate_in(1));
    assert_eq!(answer.best_move(), "f1f8");
}

#[test]
fn a_loser_gives_everything_away_for_stalemate() {
    // The rook gives check where it must be taken, and White has no move left.
    for (fen, saving) in [
        ("8/8/8/5R2/8/8/3qr3/4k2K w - - 0 1", "f5f1"),
        ("8/3R4/8/8/8/8/2q3r1/K1k5 w - - 0 1", "d7d1"),
        ("kr6/6R1/8/3q4/8/8/8/K7 w - - 0 1", "g7a7"),
        ("8/8/8/1q6/kr6/6R1/8/K7 w - - 0 1", "g3a3"),
    ] {
        let game = game(fen);
        let answer = deep(&game, 10);
        assert_eq!(answer.last().score, Score::DRAW, "{fen}");
        assert_eq!(answer.best_move(), saving, "{fen}");
    }
}

#[test]
fn too_little_material_is_a_draw_at_the_root_and_after_a_capture() {
    for men in [
        "8/8/4k3/8/8/3K4/8/8 w",
        "8/8/4k3/8/8/3K4/8/6N1 w",
        "8/8/4k3/8/8/3K4/8/6N1 b",
        "8/8/4k3/8/8/3K4/8/6B1 w",
        "8/8/4k3/2b5/8/3K4/8/6B1 b",
    ] {
        let game = with_clock(men, 0);
        let answer = deep(&game, 8);
        assert_eq!(answer.last().score, Score::DRAW, "{men}");
        assert_legal(&answer, &game);
    }
    // Taking the last pawn leaves a bishop; taking the bishop leaves a pawn that queens.
    let game = game("8/8/8/4k3/8/8/1p6/1KB5 w - - 0 1");
    for taking in ["b1b2", "c1b2"] {
        assert_eq!(value_of(&game, taking, 6), Score::DRAW);
    }
}

#[test]
fn a_single_legal_move_is_played_however_little_time_there_is() {
    let game = game("k7/8/1r6/8/8/8/8/K3r3 w - - 0 1");
    assert_eq!(game.position().legal_moves().len(), 1);
    let clock = PlayerClock {
        remaining: Some(Duration::from_millis(1)),
        increment: Duration::ZERO,
    };
    let hurried = Limits {
        clocks: [clock; 2],
        ..Limits::default()
    };
    let one_node = Limits {
        nodes: Some(1),
        ..Limits::default()
    };
    for limits in [to_depth(1), to_depth(8), hurried, one_node] {
        let answer = ask(&mut fresh(), &game, limits);
        assert_eq!(answer.best_move(), "a1a2");
        assert!(answer.last().score.raw() < -WINNING);
    }
}

#[test]
fn without_a_legal_move_there_is_no_best_move() {
    for fen in [
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 150 1",
    ] {
        let answer = ask(
            &mut Searcher::new(1).expect("a table"),
            &game(fen),
            to_depth(4),
        );
        assert_eq!(answer.outcome.best_move, None, "{fen}");
        assert_eq!(answer.outcome.ponder, None, "{fen}");
    }
}
