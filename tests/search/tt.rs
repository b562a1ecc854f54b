//! The transposition table: what is found is what was stored under that key, also while threads
//! write to the same bucket; what is replaced; scores that mean the same at every ply; and mates
//! that the fifty-move rule would prevent.

use movegen::{Move, Position, Variant};
use proptest::prelude::*;
use search::tt::{TranspositionTable, TtWrite, key};
use search::{Bound, MAX_PLY, Score};
use std::sync::atomic::{AtomicU64, Ordering};
use test_common::Rng;

const FIFTY_MOVE_PLIES: usize = 100;

fn table() -> TranspositionTable {
    TranspositionTable::new(1).expect("memory for a megabyte")
}

fn random_keys(seed: u64, count: usize) -> Vec<u64> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| rng.next_u64()).collect()
}

/// Keys of one bucket: they differ in their low bits only.
fn bucket_key(number: u64) -> u64 {
    (0x5a5a << 48) | (number + 1)
}

fn write(depth: i32, bound: Bound) -> TtWrite {
    TtWrite {
        mv: None,
        score: Score::eval(10 * depth),
        eval: Some(7),
        depth,
        bound,
        pv: false,
    }
}

fn moves() -> Vec<Move> {
    Position::default().legal_moves().to_vec()
}

/// A write whose other fields are derived from its key and depth.
fn derived(key: u64, depth: i32, moves: &[Move]) -> TtWrite {
    let bits = Rng::new(key.wrapping_add((depth as u64) << 56)).next_u64();
    let bounds = [Bound::Upper, Bound::Lower, Bound::Exact];
    TtWrite {
        mv: Some(moves[bits as usize % moves.len()]),
        score: Score::eval(i32::from((bits >> 16) as u16) / 4),
        eval: Some((bits >> 32) as i16 / 2),
        depth,
        bound: bounds[(bits >> 48) as usize % bounds.len()],
        pv: bits >> 63 == 1,
    }
}

/// True if there is an entry for a key, which must then be a complete derived one.
fn finds_derived(table: &TranspositionTable, key: u64, moves: &[Move]) -> bool {
    let Some(entry) = table.probe(key) else {
        return false;
    };
    let expected = derived(key, entry.depth, moves);
    assert_eq!(
        (entry.mv, Score::from_tt(entry.score, 0, 0), entry.eval),
        (expected.mv, Some(expected.score), expected.eval),
        "{entry:?}"
    );
    assert_eq!((entry.bound, entry.pv), (expected.bound, expected.pv));
    true
}

#[test]
fn torn_entries_are_never_found() {
    const THREADS: u64 = 4;
    const ROUNDS: u64 = 300_000;
    // More than a bucket holds.
    const KEYS: usize = 12;
    let (table, moves) = (table(), moves());
    let hits = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (table, moves, hits) = (&table, &moves, &hits);
            scope.spawn(move || {
                let mut rng = Rng::new(thread);
                for round in 0..ROUNDS {
                    let stored = bucket_key(rng.below(KEYS) as u64);
                    table.store(stored, 0, derived(stored, rng.range(0..=39), moves));
                    let found = finds_derived(table, bucket_key(rng.below(KEYS) as u64), moves);
                    hits.fetch_add(found.into(), Ordering::Relaxed);
                    if round % 4096 == 0 {
                        table.new_generation();
                    }
                }
            });
        }
    });
    assert!(hits.into_inner() > THREADS * ROUNDS / 20);
}

#[test]
fn a_new_table_and_a_cleared_one_are_empty() {
    let (mut table, moves) = (table(), moves());
    let keys = random_keys(5, 1000);
    let is_empty = |table: &TranspositionTable| keys.iter().all(|&key| table.probe(key).is_none());
    assert!(is_empty(&table));
    // A few entries, and many.
    for count in [1000, 1, 20, 1000] {
        for &key in &keys[..count] {
            table.store(key, 0, derived(key, 9, &moves));
            assert!(finds_derived(&table, key, &moves));
        }
        table.clear(None);
        assert!(is_empty(&table), "after {count} entries");
        assert_eq!(table.hashfull(), 0);
    }
}

/// A bucket: entries of four plies of depth each and the searches between them, a new one, and
/// the one that it replaces.
#[test]
fn the_shallowest_and_oldest_entry_of_a_bucket_is_replaced() {
    let replaced = |writes: &[i32], new_search_after: Option<usize>| {
        let table = table();
        for (number, &depth) in writes.iter().enumerate() {
            let new = write(depth, Bound::Lower);
            table.store(bucket_key(number as u64), 0, new);
            if new_search_after == Some(number) {
                table.new_generation();
            }
        }
        let keys = 0..writes.len() as u64;
        let lost = |&number: &u64| table.probe(bucket_key(number)).is_none();
        keys.filter(lost).collect::<Vec<_>>()
    };
    assert_eq!(replaced(&[8, 3, 12, 9, 1], None), [1]);
    assert_eq!(replaced(&[8, 8, 8, 8, 8], Some(0)), [0]);
}

#[test]
fn deep_entries_of_old_searches_are_replaced_by_shallow_ones() {
    let table = table();
    for number in 0..4 {
        table.store(bucket_key(number), 0, write(30, Bound::Exact));
    }
    for _ in 0..10 {
        table.new_generation();
    }
    for number in 4..8 {
        table.store(bucket_key(number), 0, write(1, Bound::Upper));
    }
    assert!((4..8).all(|number| table.probe(bucket_key(number)).is_some()));
}

#[test]
fn a_much_shallower_bound_does_not_replace_an_entry_of_this_search() {
    let table = table();
    let store = |depth, bound| {
        table.store(bucket_key(0), 0, write(depth, bound));
        table.probe(bucket_key(0)).map(|entry| entry.depth)
    };
    assert_eq!(store(20, Bound::Lower), Some(20));
    assert_eq!(store(2, Bound::Upper), Some(20));
    assert_eq!(store(2, Bound::Exact), Some(2));
    assert_eq!(store(20, Bound::Lower), Some(20));
    table.new_generation();
    assert_eq!(store(2, Bound::Upper), Some(2));
}

#[test]
fn a_write_without_a_move_keeps_the_old_one() {
    let table = table();
    let mv = moves().first().copied();
    let with_move = TtWrite {
        mv,
        ..write(5, Bound::Lower)
    };
    table.store(bucket_key(0), 0, with_move);
    table.store(bucket_key(0), 0, write(6, Bound::Upper));
    let entry = table.probe(bucket_key(0)).expect("an entry");
    assert_eq!((entry.mv, entry.depth), (mv, 6));
}

#[test]
fn hashfull_counts_the_entries_of_this_search() {
    let (table, moves) = (table(), moves());
    for key in random_keys(1, 400_000) {
        table.store(key, 0, derived(key, 5, &moves));
    }
    assert!(table.hashfull() > 900);
    table.new_generation();
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn keys_differ_by_clock_near_the_fifty_move_rule() {
    let at = |clock: u16| {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90");
        key(&Position::from_fen(&fen, Variant::Standard).expect("a position"))
    };
    assert_eq!(at(0), at(10));
    for clock in 40..=90 {
        assert_ne!(at(clock), at(clock + 10), "clock {clock}");
        assert_ne!(at(clock), at(0), "clock {clock}");
    }
}

fn mate_after(plies: usize, winning: bool) -> Score {
    if winning {
        Score::mate_in(plies)
    } else {
        Score::mated_in(plies)
    }
}

proptest! {
    #[test]
    fn evaluations_are_read_as_they_were_written(
        value in -40_000..40_000, (wrote, read) in (0..MAX_PLY, 0..MAX_PLY), clock in 0u16..=150,
    ) {
        let score = Score::eval(value);
        prop_assert_eq!(Score::from_tt(score.to_tt(wrote), read, clock), Some(score));
    }

    /// The distance to mate is stored from the position, and read from the root.
    #[test]
    fn mates_are_counted_from_where_they_are_read(
        distance in 0..=FIFTY_MOVE_PLIES, winning in any::<bool>(),
        (wrote, read) in (0..MAX_PLY, 0..MAX_PLY),
    ) {
        prop_assume!(distance + wrote.max(read) < MAX_PLY && distance + wrote > 0);
        let stored = mate_after(distance + wrote, winning).to_tt(wrote);
        let expected = mate_after(distance + read, winning);
        prop_assert_eq!(Score::from_tt(stored, read, 0), Some(expected));
    }

    /// A mate on the hundredth ply counts; one ply later the game is drawn first.
    #[test]
    fn mates_later_than_the_fifty_move_rule_are_not_read(
        distance in 0..MAX_PLY, winning in any::<bool>(), read in 0..MAX_PLY, clock in 0u16..=150,
    ) {
        prop_assume!(distance + read < MAX_PLY);
        let stored = mate_after(distance, winning).to_tt(0);
        let score = Score::from_tt(stored, read, clock);
        let in_time = distance + usize::from(clock) <= FIFTY_MOVE_PLIES;
        prop_assert_eq!(score, in_time.then(|| mate_after(distance + read, winning)));
    }

    #[test]
    fn every_write_is_found_complete(key in any::<u64>(), depth in 0..MAX_PLY as i32) {
        let (table, moves) = (table(), moves());
        table.store(key, 0, derived(key, depth, &moves));
        prop_assert!(finds_derived(&table, key, &moves));
    }
}
