//! Perft against the published counts of both suites, and `divide` against `perft`.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use movegen::engine::divide;
use movegen::{Move, Position, Variant, perft};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

const STANDARD: &str = include_str!("../data/perft/standard.epd");
const CHESS960: &str = include_str!("../data/perft/chess960.epd");

/// Distinct positions; two lines of the standard suite share one.
const STANDARD_POSITIONS: usize = 127;
const CHESS960_POSITIONS: usize = 960;

/// The largest count verified by default.
const MAX_LEAVES: u64 = 5_000_000;

/// A published count.
struct Count {
    fen: &'static str,
    variant: Variant,
    depth: u32,
    leaves: u64,
}

impl Count {
    fn position(&self) -> Position {
        Position::from_fen(self.fen, self.variant).expect(self.fen)
    }
}

/// Reads lines such as `FEN ;D1 20 ;D2 400`.
fn counts(suite: &'static str, variant: Variant) -> Vec<Count> {
    let lines = suite.lines().filter(|line| !line.trim().is_empty());
    lines
        .flat_map(|line| {
            let (fen, fields) = line.split_once(" ;").expect("a FEN and counts");
            fields.split(" ;").map(move |field| {
                let field = field.trim().strip_prefix('D');
                let (depth, leaves) = field
                    .and_then(|field| field.split_once(' '))
                    .expect("D3 8902");
                Count {
                    fen,
                    variant,
                    depth: depth.parse().expect("a depth"),
                    leaves: leaves.parse().expect("a count"),
                }
            })
        })
        .collect()
}

/// Verifies the counts up to `max_leaves`, the largest first to keep all cores busy.
fn verify(suite: &'static str, variant: Variant, positions: usize, max_leaves: u64) {
    let mut counts = counts(suite, variant);
    let fens: HashSet<&str> = counts.iter().map(|count| count.fen).collect();
    assert_eq!(fens.len(), positions, "number of positions");
    counts.retain(|count| count.leaves <= max_leaves);
    counts.sort_by_key(|count| Reverse(count.leaves));
    counts.par_iter().with_max_len(1).for_each(|count| {
        let found = perft(&count.position(), count.depth);
        assert_eq!(found, count.leaves, "{} depth {}", count.fen, count.depth);
    });
}

#[test]
fn standard_suite() {
    verify(STANDARD, Variant::Standard, STANDARD_POSITIONS, MAX_LEAVES);
}

#[test]
fn chess960_suite() {
    verify(CHESS960, Variant::Chess960, CHESS960_POSITIONS, MAX_LEAVES);
}

/// A standard position read as Chess960 has the same moves.
#[test]
fn standard_suite_read_as_chess960() {
    let max_leaves = MAX_LEAVES / 10;
    verify(STANDARD, Variant::Chess960, STANDARD_POSITIONS, max_leaves);
}

#[test]
#[ignore = "hundreds of billions of leaves"]
fn standard_suite_to_full_depth() {
    verify(STANDARD, Variant::Standard, STANDARD_POSITIONS, u64::MAX);
}

#[test]
#[ignore = "hundreds of billions of leaves"]
fn chess960_suite_to_full_depth() {
    verify(CHESS960, Variant::Chess960, CHESS960_POSITIONS, u64::MAX);
}

/// `divide` on a pool with this many threads.
fn divide_on(threads: usize, position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let never = AtomicBool::new(false);
    pool.expect("a thread pool")
        .install(|| divide(position, depth, &never))
        .expect("not stopped")
}

#[test]
fn divide_lists_the_legal_moves_and_adds_up_to_the_published_count() {
    let chess960 = counts(CHESS960, Variant::Chess960).into_iter().step_by(7);
    let standard = counts(STANDARD, Variant::Standard);
    for count in standard.into_iter().chain(chess960) {
        if count.leaves > MAX_LEAVES / 10 {
            continue;
        }
        let position = count.position();
        let divided = divide_on(1, &position, count.depth);
        let (moves, leaves): (Vec<Move>, Vec<u64>) = divided.iter().copied().unzip();
        let name = format!("{} depth {}", count.fen, count.depth);
        assert_eq!(moves, position.legal_moves().to_vec(), "{name}");
        assert_eq!(leaves.iter().sum::<u64>(), count.leaves, "{name}");
        assert_eq!(divide_on(3, &position, count.depth), divided, "{name}");
    }
}

#[test]
fn depth_zero_is_one_leaf_and_divides_into_nothing() {
    assert_eq!(perft(&Position::default(), 0), 1);
    assert_eq!(divide_on(1, &Position::default(), 0), []);
}

#[test]
fn a_mate_has_no_leaves_at_any_depth() {
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let mate = Position::from_fen(mate, Variant::Standard).expect("a position");
    for depth in [1, 2, 5, u32::MAX] {
        assert_eq!(perft(&mate, depth), 0);
        assert_eq!(divide_on(1, &mate, depth), []);
    }
}

#[test]
fn a_stopped_divide_has_no_result() {
    let stop = AtomicBool::new(true);
    for depth in [1, 2, 5, u32::MAX] {
        assert_eq!(divide(&Position::default(), depth, &stop), None);
    }
}
