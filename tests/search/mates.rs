//! Mates: the short ones of a published suite are found for certain and to the move when they
//! are asked for, no mate is said that is not there, and every line that is said leads to its
//! mate.
//!
//! `scripts/mates.py` asks the same of the whole suite, through the program.

use crate::searcher::{Answer, ask, ask_until, fresh, game, game_after};
use crate::tablebases::{Dice, random_position};
use movegen::{Game, Position};
use rayon::prelude::*;
use search::{Bound, Info, Limits, Score};

/// `bm #N`: the side to move mates in N, or is mated in -N.
const SUITE: &str = include_str!("../data/mates2000.epd");
const POSITIONS: usize = 2000;

/// Mates of up to so many moves are found whatever it takes.
const SURE_MOVES: i32 = 5;

/// Longer ones are searched with so many nodes, every so many-th of them.
const NODES: u64 = 20_000;
const EVERY: usize = 8;

/// Black cannot do much here, and White neither: no mate in three moves.
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

fn to_mate(moves: u32) -> Limits {
    Limits {
        mate: Some(moves),
        ..Limits::default()
    }
}

/// The last word must be the suite's, with a line to its end.
fn assert_exact(puzzle: &Puzzle, answer: &Answer) {
    let fen = puzzle.game.position().fen();
    for info in &answer.infos {
        assert_true(puzzle, info);
    }
    let last = answer.last();
    assert_eq!(last.score, score(puzzle.moves), "{fen}");
    assert_eq!(last.pv.len(), plies(puzzle.moves), "{fen}");
    assert_eq!(answer.outcome.best_move, last.pv.first().copied(), "{fen}");
    assert_eq!(answer.no_mate, None, "{fen}");
}

fn sure() -> Vec<Puzzle> {
    let mut puzzles = suite();
    puzzles.retain(|puzzle| puzzle.moves.abs() <= SURE_MOVES);
    assert_eq!(puzzles.len(), 245);
    puzzles
}

#[test]
fn short_mates_are_found_to_the_move_and_their_lines_end_in_mate() {
    sure().par_iter().for_each(|puzzle| {
        let limits = to_mate(puzzle.moves.unsigned_abs());
        assert_exact(puzzle, &ask(&mut fresh(), &puzzle.game, limits));
    });
}

#[test]
fn asked_for_fewer_moves_it_is_sure_that_there_is_no_mate() {
    let puzzles = sure();
    let more_than_one = puzzles.par_iter().filter(|puzzle| puzzle.moves.abs() > 1);
    more_than_one.for_each(|puzzle| {
        let fewer = puzzle.moves.unsigned_abs() - 1;
        let answer = ask(&mut fresh(), &puzzle.game, to_mate(fewer));
        let fen = puzzle.game.position().fen();
        assert_eq!(answer.no_mate, Some(fewer), "{fen}");
        assert!(answer.outcome.best_move.is_some(), "{fen}");
    });
}

#[test]
fn asked_for_more_moves_it_finds_the_quickest() {
    let puzzles = sure();
    let shorter = puzzles.par_iter().filter(|puzzle| puzzle.moves.abs() <= 3);
    shorter.for_each(|puzzle| {
        assert_exact(puzzle, &ask(&mut fresh(), &puzzle.game, to_mate(5)));
    });
}

#[test]
fn where_there_is_no_mate_that_is_said() {
    for fen in NO_SHORT_MATE {
        let answer = ask(&mut fresh(), &game(fen), to_mate(3));
        assert_eq!(answer.no_mate, Some(3), "{fen}");
        let nearer = |info: &Info| info.score.mate_plies().is_some_and(|plies| plies <= 6);
        assert!(!answer.infos.iter().any(nearer), "{fen}");
    }
}

/// Every move and every reply, by nothing but the rules.
fn mates_within(position: &Position, moves: u32) -> bool {
    let mates = |&mv: &movegen::Move| {
        let next = position.play_unchecked(mv);
        next.is_checkmate() || (moves > 1 && next.has_moves() && mated_within(&next, moves - 1))
    };
    position.legal_moves().iter().any(mates)
}

fn mated_within(position: &Position, moves: u32) -> bool {
    let lost = |&mv: &movegen::Move| mates_within(&position.play_unchecked(mv), moves);
    position.legal_moves().iter().all(lost)
}

#[test]
fn random_positions_are_mates_when_trying_everything_says_so() {
    const MOVES: u32 = 2;
    let mut dice = Dice::new();
    let (mut for_us, mut against_us) = (0, 0);
    for men in ["KQRRkr", "KQQkbn", "KQRBkp", "KQPkqr"] {
        for _ in 0..100 {
            let position = random_position(&mut dice, men, 0);
            if !position.has_moves() {
                continue;
            }
            let expected = (1..=MOVES).find_map(|moves| {
                let said = moves as i32;
                let ours = mates_within(&position, moves).then_some(said);
                ours.or_else(|| mated_within(&position, moves).then_some(-said))
            });
            let answer = ask(&mut fresh(), &Game::new(position), to_mate(MOVES));
            let fen = position.fen();
            match expected {
                Some(moves) => assert_eq!(answer.last().score, score(moves), "{fen}"),
                None => assert_eq!(answer.no_mate, Some(MOVES), "{fen}"),
            }
            for_us += usize::from(expected.is_some_and(|moves| moves > 0));
            against_us += usize::from(expected.is_some_and(|moves| moves < 0));
        }
    }
    assert!(for_us > 25 && against_us > 25, "{for_us} and {against_us}");
}

/// Two rooks mate in two moves from either side of the board.
const LADDER: &str = "6k1/8/8/8/8/8/R7/1R2K3 w - -";

#[test]
fn a_mate_may_come_with_the_hundredth_ply_and_not_later() {
    for (clock, mate) in [(96, true), (97, true), (98, false)] {
        let game = game(&format!("{LADDER} {clock} 80"));
        let answer = ask(&mut fresh(), &game, to_mate(2));
        let found = answer.last().score == score(2);
        assert_eq!((found, answer.no_mate.is_none()), (mate, mate), "{clock}");
    }
}

#[test]
fn what_stands_there_a_third_time_is_a_draw_and_no_way_to_mate() {
    let shuffle = "a2a7 g8f8 a7a2 f8g8 ";
    for (times, mate) in [(1, true), (2, false)] {
        let game = game_after(&format!("{LADDER} 0 1"), &shuffle.repeat(times));
        let only = game.position().move_from_uci("a2a7").expect("a move");
        let limits = Limits {
            search_moves: vec![only],
            ..to_mate(2)
        };
        let answer = ask(&mut fresh(), &game, limits);
        let found = answer.last().score == score(2);
        assert_eq!((found, answer.no_mate.is_none()), (mate, mate), "{times}");
        // There is another way.
        let answer = ask(&mut fresh(), &game, to_mate(2));
        assert_eq!(answer.last().score, score(2), "{times}");
    }
}

#[test]
fn limits_and_stop_end_it_with_a_move() {
    let start = Game::default();
    let limited = Limits {
        nodes: Some(50_000),
        ..to_mate(30)
    };
    let answer = ask(&mut fresh(), &start, limited);
    assert!(answer.outcome.best_move.is_some() && answer.no_mate.is_none());
    let answer = ask_until(&mut fresh(), &start, to_mate(30), |info| info.depth >= 6);
    assert!(answer.outcome.best_move.is_some() && answer.no_mate.is_none());
}

#[test]
fn what_a_longer_search_left_behind_hides_no_short_mate() {
    sure().par_iter().step_by(EVERY).for_each(|puzzle| {
        let mut search = fresh();
        let before = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        ask(&mut search, &puzzle.game, before);
        let limits = to_mate(puzzle.moves.unsigned_abs());
        assert_exact(puzzle, &ask(&mut search, &puzzle.game, limits));
    });
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
