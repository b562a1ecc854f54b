//! Draws: the fifty-move rule to the ply, repetition, stalemate, insufficient material; and roots
//! with little or no choice.
//!
//! The distances to mate were counted by exhaustive search; the rest follows from the rules.

use crate::run::{
    Results, game, game_after, mate_limit, mate_plies, mate_score, new_searcher, only, run,
    run_new, uci_move,
};
use movegen::Game;
use search::{Limits, PlayerClock, Score};
use std::time::Duration;

/// Board and side to move, and the moves in which it mates or, if negative, is mated.
const MATES: [(&str, i32); 20] = [
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
    ("7k/5K2/8/6R1/8/8/8/8 b", -1),
    ("8/8/2R5/8/8/8/2K5/k7 b", -1),
    ("8/8/4Q3/8/8/2K5/8/3k4 b", -1),
    ("2K5/k7/4Q3/8/8/8/8/8 b", -1),
    ("8/4R3/8/8/8/3K4/8/3k4 b", -2),
    ("5k2/8/5K2/8/R7/8/8/8 b", -2),
    ("6k1/8/6K1/4Q3/8/8/8/8 b", -2),
    ("8/4K2k/8/6Q1/8/8/8/8 b", -2),
];

/// The longest of these mates.
const MAX_MOVES: u32 = 3;

#[derive(Clone, Copy, Debug)]
enum Value {
    /// Much more than a pawn for the side to move: won, with the mate still far away.
    Winning,
    Losing,
    Exactly(Score),
}

const DRAW: Value = Value::Exactly(Score::DRAW);

impl Value {
    const WINNING: i32 = 300;

    fn assert(self, score: Score, context: &str) {
        let holds = match self {
            Self::Winning => score.raw() > Self::WINNING,
            Self::Losing => score.raw() < -Self::WINNING,
            Self::Exactly(expected) => score == expected,
        };
        assert!(holds, "{context}: {score:?}, expected {self:?}");
    }
}

fn with_clock(board: &str, clock: u32) -> Game {
    game(&format!("{board} - - {clock} 120"))
}

fn assert_legal(results: &Results, game: &Game) {
    let position = game.position();
    assert!(position.is_legal(results.best_move()), "{position}");
}

/// Searches to a depth; the last score must be this one and the best move legal.
fn assert_value(game: &Game, depth: u32, value: Value) -> String {
    let results = run_new(game, Limits::depth(depth));
    value.assert(results.score(), &game.position().fen());
    assert_legal(&results, game);
    results.best_uci()
}

fn assert_move_value(game: &Game, mv: &str, depth: u32, value: Value) {
    let results = run_new(game, only(uci_move(game, mv), depth));
    assert_eq!(results.best_uci(), mv);
    value.assert(results.score(), mv);
}

/// The halfmove clock with which the mate comes on the hundredth ply.
fn last_clock(moves: i32) -> u32 {
    100 - mate_plies(moves) as u32
}

/// Searches exhaustively for mates.
fn exhaustive() -> Limits {
    Limits {
        mate: Some(MAX_MOVES),
        ..Limits::depth(2 * MAX_MOVES)
    }
}

#[test]
fn mate_on_the_hundredth_ply_is_mate() {
    let game = game("4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88");
    for depth in 1..=8 {
        let results = run_new(&game, Limits::depth(depth));
        assert_eq!(results.score(), Score::mate_in(1), "depth {depth}");
        let next = game.position().play_unchecked(results.best_move());
        assert!(next.is_checkmate());
    }
}

#[test]
fn mates_by_the_hundredth_ply_are_found_and_later_ones_are_draws() {
    for (board, moves) in MATES {
        let last = last_clock(moves);
        let in_time = (0..=last).step_by(3).chain([last]);
        for clock in in_time.chain(last + 1..=99) {
            let expected = if clock <= last {
                mate_score(moves)
            } else {
                Score::DRAW
            };
            let game = with_clock(board, clock);
            let results = run_new(&game, exhaustive());
            assert_eq!(results.score(), expected, "{board}, clock {clock}");
            assert_legal(&results, &game);
        }
    }
}

#[test]
fn table_entries_of_one_clock_do_not_apply_to_another() {
    for (board, moves) in MATES.into_iter().filter(|&(_, moves)| moves > 1) {
        let (last, mate) = (last_clock(moves), mate_score(moves));
        let (in_time, late) = ((last, mate), (last + 1, Score::DRAW));
        let mut searcher = new_searcher();
        for (clock, expected) in [(0, mate), late, in_time, late, (0, mate), in_time] {
            let results = run(&mut searcher, &with_clock(board, clock), exhaustive());
            assert_eq!(results.score(), expected, "{board}, clock {clock}");
        }
    }
}

/// The quickest mates take longer than the clock leaves.
#[test]
fn won_endings_are_draws_when_the_clock_runs_out() {
    for board in [
        "8/8/8/3k4/8/8/8/2Q1K3",
        "8/8/8/3k4/8/8/8/2R1K3",
        "8/8/8/3k4/8/8/8/2B1KB2",
        "8/8/8/3k4/8/8/8/2B1KN2",
    ] {
        for clock in [94, 96, 97, 98, 99] {
            for side in ["w", "b"] {
                // Deeper than the six plies left: reductions must not hide the last one.
                assert_value(&with_clock(&format!("{board} {side}"), clock), 12, DRAW);
            }
        }
        assert_value(&with_clock(&format!("{board} w"), 0), 8, Value::Winning);
    }
    let drawn = with_clock("8/8/8/3k4/8/8/8/2Q1K3 w", 99);
    assert_eq!(run_new(&drawn, Limits::depth(12)).last().centipawns, 0);
}

#[test]
fn a_pawn_moves_when_only_that_resets_the_clock() {
    let board = "4k3/8/8/8/8/3Q4/2P5/4K3";
    for clock in [98, 99, 100, 149] {
        let game = with_clock(&format!("{board} w"), clock);
        let best = assert_value(&game, 10, Value::Winning);
        assert!(best.starts_with("c2"), "{best} with clock {clock}");
    }
    // The defender's move is the hundredth ply, or the one before.
    for (clock, value) in [(99, DRAW), (98, Value::Losing)] {
        assert_value(&with_clock(&format!("{board} b"), clock), 8, value);
    }
}

#[test]
fn roots_beyond_the_hundredth_ply_get_a_move_and_a_score() {
    for clock in [98, 99, 100, 101, 149, 150, 400] {
        // Checkmate ends the game before a claim can.
        let mate_in_one = with_clock("1k6/8/1K6/8/8/3R4/8/8 w", clock);
        if clock < 150 {
            let best = assert_value(&mate_in_one, 6, Value::Exactly(Score::mate_in(1)));
            assert_eq!(best, "d3d8");
        } else {
            // The seventy-five-move rule has ended the game.
            assert_value(&mate_in_one, 6, DRAW);
        }
        assert_value(&with_clock("3k4/8/3K4/8/8/8/2R5/8 w", clock), 6, DRAW);
    }
}

const REPEATING: &str = "r3k3/p7/8/8/8/8/5PPP/3QK3 w - - 0 1";

#[test]
fn repetition_is_avoided_when_winning() {
    // After these moves, White or Black in reply makes a position occur for the third time.
    let after_d1d2 = "r3k3/p7/8/8/8/8/3Q1PPP/4K3 b - - 0 1";
    for (start, moves, drawing, depth) in [
        (after_d1d2, "a8b8 d2d1 b8a8 d1d2 a8b8 d2d1 b8a8", "d1d2", 1),
        (REPEATING, "d1d2 a8b8 d2d1 b8a8 d1d2 a8b8", "d2d1", 6),
    ] {
        let game = game_after(start, moves);
        for depth in [depth, 8] {
            assert_move_value(&game, drawing, depth, DRAW);
        }
        assert_ne!(assert_value(&game, 8, Value::Winning), drawing);
        // Without the history the move is as good as any.
        let forgotten = crate::run::game(&game.position().fen());
        assert_move_value(&forgotten, drawing, 8, Value::Winning);
    }
}

#[test]
fn a_second_occurrence_is_no_draw() {
    let game = game_after(REPEATING, "d1d2 a8b8");
    assert_move_value(&game, "d2d1", 8, Value::Winning);
}

#[test]
fn repetition_is_sought_when_losing() {
    let game = game_after(REPEATING, "d1d2 a8b8 d2d1 b8a8 d1d2 a8b8 d2d1");
    for depth in [2, 8] {
        assert_eq!(assert_value(&game, depth, DRAW), "b8a8");
    }
    let forgotten = crate::run::game(&game.position().fen());
    assert_value(&forgotten, 8, Value::Losing);
}

#[test]
fn a_winner_does_not_stalemate() {
    let game = game("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    assert_move_value(&game, "f1f7", 6, DRAW);
    let best = assert_value(&game, 6, Value::Exactly(Score::mate_in(1)));
    assert_eq!(best, "f1f8");
}

/// Perpetual check, where Black threatens mate on the second rank; and rooks that give check where
/// they must be captured, which leaves White without a move.
#[test]
fn lost_games_are_saved_by_perpetual_check_and_stalemate() {
    for (fen, saving) in [
        ("6k1/6p1/8/7Q/8/8/q2r4/7K w - - 0 1", "h5e8"),
        ("8/8/8/5R2/8/8/3qr3/4k2K w - - 0 1", "f5f1"),
        ("8/3R4/8/8/8/8/2q3r1/K1k5 w - - 0 1", "d7d1"),
        ("kr6/6R1/8/3q4/8/8/8/K7 w - - 0 1", "g7a7"),
        ("8/8/8/1q6/kr6/6R1/8/K7 w - - 0 1", "g3a3"),
    ] {
        assert_eq!(assert_value(&game(fen), 10, DRAW), saving, "{fen}");
    }
}

#[test]
fn insufficient_material_is_a_draw_at_the_root_and_after_a_capture() {
    for board in [
        "8/8/4k3/8/8/3K4/8/8 w",
        "8/8/4k3/8/8/3K4/8/6N1 w",
        "8/8/4k3/8/8/3K4/8/6N1 b",
        "8/8/4k3/8/8/3K4/8/6B1 w",
        "8/8/4k3/2b5/8/3K4/8/6B1 b",
    ] {
        assert_value(&with_clock(board, 0), 8, DRAW);
    }
    let last_pawn = game("8/8/8/4k3/8/8/1p6/1KB5 w - - 0 1");
    for capture in ["b1b2", "c1b2"] {
        assert_move_value(&last_pawn, capture, 6, DRAW);
    }
}

#[test]
fn a_single_legal_move_is_played_under_every_limit() {
    let game = game("k7/8/1r6/8/8/8/8/K3r3 w - - 0 1");
    assert_eq!(game.position().legal_moves().len(), 1);
    let clock = PlayerClock {
        remaining: Some(Duration::from_millis(1)),
        increment: Duration::ZERO,
    };
    let timed = Limits {
        clocks: [clock; 2],
        ..Limits::default()
    };
    for limits in [Limits::depth(1), Limits::depth(8), timed, Limits::nodes(1)] {
        let results = run_new(&game, limits);
        assert_eq!(results.best_uci(), "a1a2");
        Value::Losing.assert(results.score(), "a single move");
    }
}

#[test]
fn without_a_legal_move_there_is_no_best_move() {
    for fen in [
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 150 1",
    ] {
        for limits in [Limits::depth(4), mate_limit(2)] {
            let outcome = run_new(&game(fen), limits).outcome;
            assert_eq!((outcome.best_move, outcome.ponder), (None, None), "{fen}");
        }
    }
}
