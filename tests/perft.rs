//! The move generator against published counts: every position of the two suites, and the
//! ways of counting against each other.

use movegen::{Position, Variant, divide, divide_parallel, perft};
use rayon::prelude::*;
use std::collections::HashSet;

const STANDARD: &str = include_str!("data/perft/standard.epd");
const CHESS960: &str = include_str!("data/perft/chess960.epd");

/// Up to this many leaves a count is verified by default.
const DEFAULT_LEAVES: u64 = 5_000_000;

/// One published count.
struct Count {
    fen: &'static str,
    variant: Variant,
    depth: u32,
    leaves: u64,
}

fn counts(suite: &'static str, variant: Variant) -> Vec<Count> {
    suite
        .lines()
        .filter(|line| !line.trim().is_empty())
        .flat_map(|line| {
            let mut fields = line.split(" ;");
            let fen = fields.next().expect("a line has a FEN");
            fields.map(move |field| {
                let (depth, leaves) = field
                    .trim()
                    .strip_prefix('D')
                    .and_then(|field| field.split_once(' '))
                    .expect("a count looks like 'D3 8902'");
                Count {
                    fen,
                    variant,
                    depth: depth.parse().expect("depth is a number"),
                    leaves: leaves.parse().expect("a count is a number"),
                }
            })
        })
        .collect()
}

fn position(count: &Count) -> Position {
    Position::from_fen(count.fen, count.variant).expect(count.fen)
}

/// Verifies all counts up to a size, the largest first so that no core is left waiting.
fn verify(suite: &'static str, variant: Variant, positions: usize, most_leaves: u64) {
    let mut counts = counts(suite, variant);
    let fens: HashSet<&str> = counts.iter().map(|count| count.fen).collect();
    assert_eq!(fens.len(), positions, "every position has a count");
    counts.retain(|count| count.leaves <= most_leaves);
    counts.sort_by_key(|count| std::cmp::Reverse(count.leaves));
    let wrong: Vec<String> = counts
        .par_iter()
        .with_max_len(1)
        .filter_map(|count| {
            let found = perft(&position(count), count.depth);
            (found != count.leaves).then(|| {
                format!(
                    "{} depth {}: {found}, published {}",
                    count.fen, count.depth, count.leaves
                )
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Distinct ones; two lines share a position and give other depths of it.
const STANDARD_POSITIONS: usize = 127;
const CHESS960_POSITIONS: usize = 960;

#[test]
fn standard_suite() {
    verify(
        STANDARD,
        Variant::Standard,
        STANDARD_POSITIONS,
        DEFAULT_LEAVES,
    );
}

#[test]
fn chess960_suite() {
    verify(
        CHESS960,
        Variant::Chess960,
        CHESS960_POSITIONS,
        DEFAULT_LEAVES,
    );
}

/// A standard position is a Chess960 position too, with the same moves.
#[test]
fn standard_suite_read_as_chess960() {
    verify(
        STANDARD,
        Variant::Chess960,
        STANDARD_POSITIONS,
        DEFAULT_LEAVES / 10,
    );
}

#[test]
#[ignore = "all published depths: hundreds of thousands of millions of leaves"]
fn standard_suite_to_full_depth() {
    verify(STANDARD, Variant::Standard, STANDARD_POSITIONS, u64::MAX);
}

#[test]
#[ignore = "all published depths: hundreds of thousands of millions of leaves"]
fn chess960_suite_to_full_depth() {
    verify(CHESS960, Variant::Chess960, CHESS960_POSITIONS, u64::MAX);
}

/// Published counts that are cheap, for the tests of `divide`.
fn cheap_counts() -> impl Iterator<Item = Count> {
    let standard = counts(STANDARD, Variant::Standard);
    let chess960 = counts(CHESS960, Variant::Chess960).into_iter().step_by(7);
    standard
        .into_iter()
        .chain(chess960)
        .filter(|count| count.leaves <= DEFAULT_LEAVES / 10)
}

#[test]
fn divide_adds_up_to_the_published_count() {
    for count in cheap_counts() {
        let position = position(&count);
        let divided = divide(&position, count.depth);
        let sum: u64 = divided.iter().map(|&(_, leaves)| leaves).sum();
        assert_eq!(sum, count.leaves, "{} depth {}", count.fen, count.depth);
        let roots: Vec<_> = divided.iter().map(|&(mv, _)| mv).collect();
        assert_eq!(roots, position.legal_moves().to_vec(), "{}", count.fen);
    }
}

#[test]
fn divide_parallel_equals_divide() {
    for count in cheap_counts() {
        let position = position(&count);
        assert_eq!(
            divide_parallel(&position, count.depth),
            divide(&position, count.depth),
            "{} depth {}",
            count.fen,
            count.depth
        );
    }
}

/// Start position to depth 6, move by move, as published with the counts of the position.
#[test]
fn divide_of_the_start_position() {
    let expected = [
        ("a2a3", 4_463_267),
        ("a2a4", 5_363_555),
        ("b1a3", 4_856_835),
        ("b1c3", 5_708_064),
        ("b2b3", 5_310_358),
        ("b2b4", 5_293_555),
        ("c2c3", 5_417_640),
        ("c2c4", 5_866_666),
        ("d2d3", 8_073_082),
        ("d2d4", 8_879_566),
        ("e2e3", 9_726_018),
        ("e2e4", 9_771_632),
        ("f2f3", 4_404_141),
        ("f2f4", 4_890_429),
        ("g1f3", 5_723_523),
        ("g1h3", 4_877_234),
        ("g2g3", 5_346_260),
        ("g2g4", 5_239_875),
        ("h2h3", 4_463_070),
        ("h2h4", 5_385_554),
    ];
    let mut found: Vec<(String, u64)> = divide_parallel(&Position::default(), 6)
        .into_iter()
        .map(|(mv, leaves)| (mv.uci(Variant::Standard).to_string(), leaves))
        .collect();
    found.sort();
    let expected: Vec<(String, u64)> = expected
        .into_iter()
        .map(|(mv, leaves)| (mv.to_owned(), leaves))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn depth_zero_is_one_leaf() {
    assert_eq!(perft(&Position::default(), 0), 1);
}

#[test]
fn no_moves_no_leaves() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let mated = Position::from_fen(mated, Variant::Standard).expect("a position");
    for depth in 1..=5 {
        assert_eq!(perft(&mated, depth), 0);
        assert!(divide(&mated, depth).is_empty());
        assert!(divide_parallel(&mated, depth).is_empty());
    }
}
