//! Mates: the short ones of a published suite are found for certain and to the move, no
//! mate is said that is not there, and every line that is said leads to its mate.
//!
//! `scripts/mates.py` asks the same of the whole suite, through the program.

use crate::searcher::{ask, ask_until, fresh, game};
use movegen::{Game, Position};
use rayon::prelude::*;
use search::{Bound, Info, Limits, Score};

/// `bm #N`: the side to move mates in N, or is mated in -N.
const SUITE: &str = include_str!("../data/mates2000.epd");
const POSITIONS: usize = 2000;

/// Mates of up to so many moves are found whatever it takes.
const SURE_MOVES: i32 = 3;

/// Longer ones are searched with so many nodes, every so many-th of them.
const NODES: u64 = 20_000;
const EVERY: usize = 8;

/// Black cannot do much here, and White neither: no mate in two moves.
const NO_SHORT_MATE: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/8/8/4k3/8/R3K3 w - - 0 1",
    "8/8/4k3/8/8/3K4/8/3Q4 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
];

struct Puzzle {
    game: Game,
    moves: i32,
}

impl Puzzle {
    fn read(line: &str) -> Self {
        let (men, moves) = line
            .trim_end_matches(';')
            .split_once(" bm #")
            .expect("a position and its mate");
        Self {
            game: game(&format!("{men} 0 1")),
            moves: moves.parse().expect("a number of moves"),
        }
    }
}

fn suite() -> Vec<Puzzle> {
    let puzzles: Vec<_> = SUITE.lines().map(Puzzle::read).collect();
    assert_eq!(puzzles.len(), POSITIONS);
    puzzles
}

/// How many plies a mate in so many moves takes; negative when the side to move is mated.
fn plies(moves: i32) -> usize {
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    plies.unsigned_abs() as usize
}

fn score(moves: i32) -> Score {
    if moves > 0 {
        Score::mate_in(plies(moves))
    } else {
        Score::mated_in(plies(moves))
    }
}

/// A line must be legal and, played to the end of the mate it promises, end in that mate and
/// no earlier.
fn assert_line(position: &Position, info: &Info, said: i32) {
    let start = position.fen();
    let mut position = *position;
    for (ply, &mv) in info.pv.iter().enumerate() {
        assert!(position.has_moves(), "{start}: over after {ply} plies");
        position = position
            .try_play(mv)
            .unwrap_or_else(|| panic!("{start}: illegal move at ply {ply}"));
    }
    assert!(info.pv.len() <= plies(said), "{start}: mate {said}");
    if info.pv.len() == plies(said) {
        assert!(position.is_checkmate(), "{start}: mate {said}");
    }
}

/// What is said of mates, line by line, may be slower than the truth but never better for
/// whoever mates.
fn assert_true(puzzle: &Puzzle, info: &Info) {
    let Some(said) = info.score.mate_distance() else {
        return;
    };
    let fen = puzzle.game.position().fen();
    if info.bound == Bound::Exact {
        assert_eq!(said > 0, puzzle.moves > 0, "{fen}: mate {said}");
        assert!(said.abs() >= puzzle.moves.abs(), "{fen}: mate {said}");
        assert_line(puzzle.game.position(), info, said);
    }
}

#[test]
fn short_mates_are_found_to_the_move_and_their_lines_end_in_mate() {
    let sure: Vec<_> = suite()
        .into_iter()
        .filter(|puzzle| puzzle.moves.abs() <= SURE_MOVES)
        .collect();
    assert_eq!(sure.len(), 50);
    sure.par_iter().for_each(|puzzle| {
        let fen = puzzle.game.position().fen();
        let limits = Limits {
            mate: Some(puzzle.moves.unsigned_abs()),
            ..crate::searcher::to_depth(2 * puzzle.moves.unsigned_abs())
        };
        let answer = ask(&mut fresh(), &puzzle.game, limits);
        for info in &answer.infos {
            assert_true(puzzle, info);
        }
        let last = answer.last();
        assert_eq!(last.score, score(puzzle.moves), "{fen}");
        assert_eq!(last.pv.len(), plies(puzzle.moves), "{fen}");
        assert_eq!(answer.best.best, last.pv.first().copied(), "{fen}");
    });
}

#[test]
fn a_mate_asked_for_is_not_said_where_there_is_none_so_short() {
    for fen in NO_SHORT_MATE {
        let limits = Limits {
            mate: Some(2),
            ..crate::searcher::to_depth(4)
        };
        let answer = ask(&mut fresh(), &game(fen), limits);
        let nearer = |info: &Info| info.score.mate_plies().is_some_and(|plies| plies <= 4);
        assert!(!answer.infos.iter().any(nearer), "{fen}");
    }
}

#[test]
fn what_a_longer_search_left_behind_hides_no_short_mate() {
    let sure = suite()
        .into_iter()
        .filter(|puzzle| puzzle.moves.abs() <= SURE_MOVES);
    for puzzle in sure {
        let mut search = fresh();
        let before = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        ask(&mut search, &puzzle.game, before);
        let limits = Limits {
            mate: Some(puzzle.moves.unsigned_abs()),
            ..crate::searcher::to_depth(2 * puzzle.moves.unsigned_abs())
        };
        let answer = ask(&mut search, &puzzle.game, limits);
        let fen = puzzle.game.position().fen();
        assert_eq!(answer.last().score, score(puzzle.moves), "{fen}");
    }
}

#[test]
fn no_mate_is_said_that_is_not_there() {
    let puzzles = suite();
    puzzles.par_iter().step_by(EVERY).for_each(|puzzle| {
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        let exact = |info: &Info| info.score == score(puzzle.moves);
        let answer = ask_until(&mut fresh(), &puzzle.game, limits, exact);
        for info in &answer.infos {
            assert_true(puzzle, info);
        }
    });
}

/// A stopped iteration may have found its first move to lose, and not have looked at others
/// that hold out longer.
#[test]
fn a_search_stopped_anywhere_says_no_mate_too_early() {
    let puzzles = [
        "7k/4R2P/4N2K/2ppp3/1p6/5pp1/3P4/3q4 b - - bm #-12",
        "1k1rn3/5q2/2NP1b2/2K5/8/8/R3B3/7r b - - bm #-7",
        "6N1/Kp3r2/1p4p1/1R3pkp/3pP2b/3P2pP/3P2P1/4NR2 b - - bm #-5",
    ]
    .map(Puzzle::read);
    let limits: Vec<u64> = (10..60).map(|step| 1000 * step * step / 100).collect();
    limits.par_iter().for_each(|&nodes| {
        for puzzle in &puzzles {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            for info in &ask(&mut fresh(), &puzzle.game, limits).infos {
                assert_true(puzzle, info);
            }
        }
    });
}

#[test]
fn the_suite_is_read_as_it_is_meant() {
    // Mate in one by promotion; mated in one whatever is played.
    let puzzles = suite();
    let of = |moves| puzzles.iter().filter(move |puzzle| puzzle.moves == moves);
    for puzzle in of(1) {
        let position = puzzle.game.position();
        let mates = |&mv: &movegen::Move| position.play_unchecked(mv).is_checkmate();
        assert!(position.legal_moves().iter().any(mates));
    }
    for puzzle in of(-1) {
        let position = puzzle.game.position();
        for &mv in &position.legal_moves() {
            let next = position.play_unchecked(mv);
            let mates = |&mv: &movegen::Move| next.play_unchecked(mv).is_checkmate();
            assert!(next.legal_moves().iter().any(mates), "{}", position.fen());
        }
    }
    assert_eq!((of(1).count(), of(-1).count()), (1, 5));
}
