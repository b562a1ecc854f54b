//! Mates: `go mate` decides the short ones of a published suite, no search reports a mate that is
//! not there, and every line that is reported leads to its mate.

use crate::run::{
    Results, game, game_after, mate_limit, mate_plies, mate_score, new_searcher, run, run_new,
    run_until, uci_move,
};
use movegen::{Game, Position};
use rayon::prelude::*;
use search::{Bound, Info, Limits};
use test_common::Rng;
use test_common::positions::{self, START};

/// `bm #N`: the side to move mates in N, or is mated in -N.
const SUITE: &str = include_str!("../data/mates2000.epd");

/// Mates of up to this many moves are always found.
const SHORT: i32 = 5;

/// Every `STEP`th of the longer ones is searched, with this many nodes.
const STEP: usize = 16;
const NODES: u64 = 20_000;

struct Puzzle {
    game: Game,
    moves: i32,
}

impl Puzzle {
    fn parse(line: &str) -> Self {
        let line = line.trim_end_matches(';');
        let (position, moves) = line.split_once(" bm #").expect(line);
        Self {
            game: game(&format!("{position} 0 1")),
            moves: moves.parse().expect(line),
        }
    }

    fn fen(&self) -> String {
        self.game.position().fen()
    }

    fn limit(&self) -> Limits {
        mate_limit(self.moves.unsigned_abs())
    }

    /// A mate that is reported may be longer than the shortest, but not shorter, and not for the
    /// other side; its line must lead to it.
    fn assert_true(&self, info: &Info) {
        let Some(moves) = info.score.mate_distance() else {
            return;
        };
        if info.bound == Bound::Exact {
            let fen = self.fen();
            assert_eq!(moves > 0, self.moves > 0, "{fen}: mate {moves}");
            assert!(moves.abs() >= self.moves.abs(), "{fen}: mate {moves}");
            assert_line(self.game.position(), info, moves);
        }
    }

    /// The last line must be the shortest mate, complete.
    fn assert_solved(&self, results: &Results) {
        let fen = self.fen();
        results.infos.iter().for_each(|info| self.assert_true(info));
        assert_eq!(results.score(), mate_score(self.moves), "{fen}");
        let pv = &results.last().pv;
        assert_eq!(pv.len(), mate_plies(self.moves), "{fen}");
        assert_eq!(pv.first(), Some(&results.best_move()), "{fen}");
        assert_eq!(results.no_mate, None, "{fen}");
    }
}

fn suite() -> Vec<Puzzle> {
    let puzzles: Vec<_> = SUITE.lines().map(Puzzle::parse).collect();
    assert_eq!(puzzles.len(), 2000);
    puzzles
}

fn short() -> Vec<Puzzle> {
    let mut puzzles = suite();
    puzzles.retain(|puzzle| puzzle.moves.abs() <= SHORT);
    assert_eq!(puzzles.len(), 245);
    puzzles
}

/// Every move must be legal, and the game over after exactly the plies of the mate.
fn assert_line(position: &Position, info: &Info, moves: i32) {
    let start = position.fen();
    let mut position = *position;
    for (ply, &mv) in info.pv.iter().enumerate() {
        assert!(position.has_moves(), "{start}: over after {ply} plies");
        position = position
            .try_play(mv)
            .unwrap_or_else(|| panic!("{start}: illegal move at ply {ply}"));
    }
    let plies = mate_plies(moves);
    assert!(info.pv.len() <= plies, "{start}: mate {moves}");
    if info.pv.len() == plies {
        assert!(position.is_checkmate(), "{start}: mate {moves}");
    }
}

/// By brute force.
fn mates_within(position: &Position, moves: u32) -> bool {
    position.legal_moves().iter().any(|&mv| {
        let next = position.play_unchecked(mv);
        next.is_checkmate() || (moves > 1 && next.has_moves() && mated_within(&next, moves - 1))
    })
}

fn mated_within(position: &Position, moves: u32) -> bool {
    let moves_of = position.legal_moves();
    let loses = |&mv: &_| mates_within(&position.play_unchecked(mv), moves);
    moves_of.iter().all(loses)
}

#[test]
fn the_suite_is_understood() {
    let puzzles = suite();
    let of = |moves| puzzles.iter().filter(move |puzzle| puzzle.moves == moves);
    assert!(of(1).all(|puzzle| mates_within(puzzle.game.position(), 1)));
    assert!(of(-1).all(|puzzle| mated_within(puzzle.game.position(), 1)));
    assert_eq!((of(1).count(), of(-1).count()), (1, 5));
}

#[test]
fn short_mates_are_found_exactly() {
    let puzzles = short();
    let exact = |puzzle: &Puzzle, limit| puzzle.assert_solved(&run_new(&puzzle.game, limit));
    puzzles
        .par_iter()
        .for_each(|puzzle| exact(puzzle, puzzle.limit()));
    // The shortest, although longer ones would do.
    let shorter = puzzles.par_iter().step_by(4);
    shorter
        .filter(|puzzle| puzzle.moves.abs() <= 3)
        .for_each(|puzzle| exact(puzzle, mate_limit(5)));
}

#[test]
fn mates_in_fewer_moves_are_ruled_out() {
    let puzzles = short();
    let every_second = puzzles.par_iter().step_by(2);
    let longer = every_second.filter(|puzzle| puzzle.moves.abs() > 1);
    longer.for_each(|puzzle| {
        let fewer = puzzle.moves.unsigned_abs() - 1;
        let results = run_new(&puzzle.game, mate_limit(fewer));
        assert_eq!(results.no_mate, Some(fewer), "{}", puzzle.fen());
        assert!(results.outcome.best_move.is_some(), "{}", puzzle.fen());
    });
}

#[test]
fn entries_of_an_earlier_search_hide_no_short_mate() {
    short().par_iter().step_by(STEP).for_each(|puzzle| {
        let mut searcher = new_searcher();
        run(&mut searcher, &puzzle.game, Limits::nodes(NODES));
        puzzle.assert_solved(&run(&mut searcher, &puzzle.game, puzzle.limit()));
    });
}

/// Neither side can do much here.
#[test]
fn without_a_mate_that_is_reported() {
    for fen in [
        START,
        "8/8/8/8/8/4k3/8/R3K3 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/3Q4 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    ] {
        let results = run_new(&game(fen), mate_limit(3));
        assert_eq!(results.no_mate, Some(3), "{fen}");
        let in_three = |info: &Info| info.score.mate_plies().is_some_and(|plies| plies <= 6);
        assert!(!results.infos.iter().any(in_three), "{fen}");
    }
}

/// The proof goes up to a hundred moves, however many are asked for.
#[test]
fn no_more_is_reported_than_is_proven() {
    // The only move takes the queen and leaves two kings.
    let game = game("7k/8/8/8/8/8/1q6/K7 w - - 0 1");
    for asked in [100, 101, 1000] {
        assert_eq!(
            run_new(&game, mate_limit(asked)).no_mate,
            Some(100),
            "{asked}"
        );
    }
}

#[test]
fn random_positions_agree_with_brute_force() {
    const MOVES: u32 = 2;
    let mut rng = Rng::new(2);
    let (mut mates, mut mated) = (0, 0);
    for pieces in ["KQRRkr", "KQQkbn", "KQRBkp", "KQPkqr"] {
        for _ in 0..60 {
            let position = positions::random(&mut rng, pieces, 0);
            if !position.has_moves() {
                continue;
            }
            let expected = (1..=MOVES).find_map(|moves| {
                let ours = mates_within(&position, moves).then_some(moves as i32);
                ours.or_else(|| mated_within(&position, moves).then_some(-(moves as i32)))
            });
            let results = run_new(&Game::new(position), mate_limit(MOVES));
            let fen = position.fen();
            match expected {
                Some(moves) => assert_eq!(results.score(), mate_score(moves), "{fen}"),
                None => assert_eq!(results.no_mate, Some(MOVES), "{fen}"),
            }
            mates += usize::from(expected.is_some_and(|moves| moves > 0));
            mated += usize::from(expected.is_some_and(|moves| moves < 0));
        }
    }
    assert!(mates > 15 && mated > 15, "{mates} and {mated}");
}

/// Two rooks mate in two moves on either side of the board.
const LADDER: &str = "6k1/8/8/8/8/8/R7/1R2K3 w - -";

/// True if a mate in two is found; otherwise it is ruled out.
fn finds_mate_in_two(game: &Game, limits: Limits) -> bool {
    let results = run_new(game, limits);
    let found = results.score() == mate_score(2);
    assert_eq!(results.no_mate, (!found).then_some(2));
    found
}

#[test]
fn a_third_occurrence_is_a_draw_on_the_way_to_mate() {
    for (times, expected) in [(1, true), (2, false)] {
        let moves = "a2a7 g8f8 a7a2 f8g8 ".repeat(times);
        let game = game_after(&format!("{LADDER} 0 1"), &moves);
        let repeating = Limits {
            search_moves: vec![uci_move(&game, "a2a7")],
            ..mate_limit(2)
        };
        assert_eq!(finds_mate_in_two(&game, repeating), expected, "{times}");
        // There is another way.
        assert!(finds_mate_in_two(&game, mate_limit(2)), "{times}");
    }
}

#[test]
fn limits_and_stop_end_it_with_a_move() {
    let limited = Limits {
        nodes: Some(50_000),
        ..mate_limit(30)
    };
    let start = Game::default();
    let by_limit = run_new(&start, limited);
    let by_stop = run_until(&mut new_searcher(), &start, mate_limit(30), |info| {
        info.depth >= 6
    });
    for results in [by_limit, by_stop] {
        assert!(results.outcome.best_move.is_some() && results.no_mate.is_none());
    }
}

#[test]
fn quiescence_sees_a_quiet_move_that_mates() {
    // Rd1xd5 wins a bishop and leaves the back rank to Re8-e1.
    let game = game("4r1k1/5ppp/8/3b4/8/8/5PPP/3R2K1 w - - 0 1");
    let results = run_new(&game, Limits::depth(1));
    assert_ne!(results.best_uci(), "d1d5");
}

#[test]
fn no_search_reports_a_mate_that_is_not_there() {
    suite().par_iter().step_by(STEP).for_each(|puzzle| {
        let mut searcher = new_searcher();
        let solved = |info: &Info| info.score == mate_score(puzzle.moves);
        let results = run_until(&mut searcher, &puzzle.game, Limits::nodes(NODES), solved);
        results
            .infos
            .iter()
            .for_each(|info| puzzle.assert_true(info));
    });
}

/// A stopped iteration may have found its first move to lose, without having searched others
/// that hold out longer.
#[test]
fn a_search_stopped_anywhere_reports_no_mate_too_early() {
    let puzzles = [
        "7k/4R2P/4N2K/2ppp3/1p6/5pp1/3P4/3q4 b - - bm #-12",
        "1k1rn3/5q2/2NP1b2/2K5/8/8/R3B3/7r b - - bm #-7",
        "6N1/Kp3r2/1p4p1/1R3pkp/3pP2b/3P2pP/3P2P1/4NR2 b - - bm #-5",
    ]
    .map(Puzzle::parse);
    let limits: Vec<u64> = (10..60).step_by(2).map(|step| 10 * step * step).collect();
    limits.par_iter().for_each(|&nodes| {
        for puzzle in &puzzles {
            let results = run_new(&puzzle.game, Limits::nodes(nodes));
            results
                .infos
                .iter()
                .for_each(|info| puzzle.assert_true(info));
        }
    });
}
