//! The transposition table from outside: what is found is what was stored under that key,
//! also while threads write over each other; what is kept and what gives way; scores that
//! mean the same wherever they are read; and mates that the fifty-move rule would overtake.

use movegen::{Move, Position};
use proptest::prelude::*;
use search::tt::{Table, TtWrite, key};
use search::{Bound, MAX_PLY, Score};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const PLIES_TO_THE_RULE: u16 = 100;

fn table() -> Table {
    Table::new(1).expect("memory for a megabyte")
}

/// Keys of one bucket: they differ in low bits only.
fn neighbour(number: u64) -> u64 {
    (0x5a5a << 48) | (number + 1)
}

fn note(depth: i32, bound: Bound) -> TtWrite {
    TtWrite {
        mv: None,
        score: Score::eval(10 * depth),
        eval: Some(7),
        depth,
        bound,
        pv: false,
    }
}

fn some_moves() -> Vec<Move> {
    Position::default().legal_moves().iter().copied().collect()
}

/// Bits that follow from two numbers, each depending on all of theirs.
fn mixed(a: u64, b: u64) -> u64 {
    let mut bits = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xd1b5_4a32_d192_ed03);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^ (bits >> 29)
}

/// A note all of whose parts follow from its key and its depth.
fn telling(key: u64, depth: i32, moves: &[Move]) -> TtWrite {
    let bits = mixed(key, depth as u64);
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

/// What was found under a key must be a telling note of that very key.
fn assert_whole(table: &Table, key: u64, moves: &[Move]) -> bool {
    let Some(hit) = table.probe(key) else {
        return false;
    };
    let told = telling(key, hit.depth, moves);
    assert_eq!(hit.mv, told.mv, "{hit:?}");
    assert_eq!(Score::from_tt(hit.score, 0, 0), Some(told.score), "{hit:?}");
    assert_eq!(hit.eval, told.eval, "{hit:?}");
    assert_eq!(hit.bound, told.bound, "{hit:?}");
    assert_eq!(hit.pv, told.pv, "{hit:?}");
    true
}

#[test]
fn torn_entries_are_never_believed() {
    const THREADS: u64 = 4;
    const ROUNDS: u64 = 300_000;
    const DEPTHS: u64 = 40;
    // More keys than a bucket holds, so that every slot is fought for.
    const KEYS: u64 = 12;
    let (table, moves) = (table(), some_moves());
    let hits = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (table, moves, hits) = (&table, &moves, &hits);
            scope.spawn(move || {
                let mut found = 0;
                for round in 0..ROUNDS {
                    let bits = mixed(thread, round);
                    let stored = neighbour(bits % KEYS);
                    let depth = ((bits >> 20) % DEPTHS) as i32;
                    table.store(stored, 0, telling(stored, depth, moves));
                    let asked = neighbour((bits >> 40) % KEYS);
                    found += u64::from(assert_whole(table, asked, moves));
                    if round % 4096 == 0 {
                        table.new_generation();
                    }
                }
                hits.fetch_add(found, Ordering::Relaxed);
            });
        }
    });
    assert!(hits.into_inner() > THREADS * ROUNDS / 20);
}

#[test]
fn two_writers_of_one_entry_leave_a_whole_one_or_nothing() {
    const ROUNDS: u64 = 300_000;
    let (table, moves) = (table(), some_moves());
    let (one, done) = (neighbour(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (table, moves, done) = (&table, &moves, &done);
        for thread in 0..2 {
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let depth = (2 * (round % 60) + thread) as i32;
                    table.store(one, 0, telling(one, depth, moves));
                }
                done.store(true, Ordering::Relaxed);
            });
        }
        scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                assert_whole(table, one, moves);
            }
        });
    });
}

#[test]
fn nothing_is_found_in_an_empty_table_nor_after_clearing() {
    let (mut table, moves) = (table(), some_moves());
    let keys: Vec<_> = (0..1000).map(|number| mixed(number, 5)).collect();
    assert!(keys.iter().all(|&key| table.probe(key).is_none()));
    for &key in &keys {
        table.store(key, 0, telling(key, 9, &moves));
    }
    assert!(keys.iter().any(|&key| table.probe(key).is_some()));
    table.clear(None);
    assert!(keys.iter().all(|&key| table.probe(key).is_none()));
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn what_is_stored_is_found() {
    let (table, moves) = (table(), some_moves());
    for number in 0..1000 {
        let key = mixed(number, 3);
        table.store(key, 0, telling(key, (number % 100) as i32, &moves));
        assert!(assert_whole(&table, key, &moves));
    }
}

#[test]
fn the_shallowest_of_a_full_bucket_gives_way() {
    let table = table();
    for (number, depth) in [8, 3, 12, 9].into_iter().enumerate() {
        table.store(neighbour(number as u64), 0, note(depth, Bound::Lower));
    }
    table.store(neighbour(9), 0, note(1, Bound::Lower));
    let kept: Vec<_> = [0, 1, 2, 3, 9]
        .map(|number| table.probe(neighbour(number)).is_some())
        .into();
    assert_eq!(kept, [true, false, true, true, true]);
}

#[test]
fn what_is_older_gives_way_before_what_is_as_deep() {
    let table = table();
    table.store(neighbour(0), 0, note(8, Bound::Exact));
    table.new_generation();
    for number in 1..=3 {
        table.store(neighbour(number), 0, note(8, Bound::Exact));
    }
    table.store(neighbour(4), 0, note(8, Bound::Exact));
    assert!(table.probe(neighbour(0)).is_none());
    assert!((1..=4).all(|number| table.probe(neighbour(number)).is_some()));
}

#[test]
fn deep_entries_of_long_ago_give_way_to_shallow_ones_of_now() {
    let table = table();
    for number in 0..4 {
        table.store(neighbour(number), 0, note(30, Bound::Exact));
    }
    for _ in 0..10 {
        table.new_generation();
    }
    for number in 4..8 {
        table.store(neighbour(number), 0, note(1, Bound::Upper));
    }
    assert!((4..8).all(|number| table.probe(neighbour(number)).is_some()));
}

#[test]
fn a_much_shallower_bound_does_not_replace_what_this_search_found() {
    let table = table();
    let depth_now = || table.probe(neighbour(0)).map(|hit| hit.depth);
    table.store(neighbour(0), 0, note(20, Bound::Lower));
    table.store(neighbour(0), 0, note(2, Bound::Upper));
    assert_eq!(depth_now(), Some(20));
    table.store(neighbour(0), 0, note(2, Bound::Exact));
    assert_eq!(depth_now(), Some(2), "an exact value always counts");
    table.store(neighbour(0), 0, note(20, Bound::Lower));
    table.new_generation();
    table.store(neighbour(0), 0, note(2, Bound::Upper));
    assert_eq!(
        depth_now(),
        Some(2),
        "an earlier search's depth does not count"
    );
}

#[test]
fn a_move_is_not_forgotten_for_knowing_none() {
    let table = table();
    let mv = some_moves().first().copied();
    let with_move = TtWrite {
        mv,
        ..note(5, Bound::Lower)
    };
    table.store(neighbour(0), 0, with_move);
    table.store(neighbour(0), 0, note(6, Bound::Upper));
    let hit = table.probe(neighbour(0)).expect("an entry");
    assert_eq!((hit.mv, hit.depth), (mv, 6));
}

#[test]
fn only_this_searchs_entries_count_as_full() {
    let (table, moves) = (table(), some_moves());
    for number in 0..400_000 {
        let key = mixed(number, 1);
        table.store(key, 0, telling(key, 5, &moves));
    }
    assert!(table.hashfull() > 900);
    table.new_generation();
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn the_key_tells_clocks_apart_where_the_fifty_move_rule_is_near() {
    let at = |clock: u16| {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90");
        let variant = movegen::Variant::Standard;
        key(&Position::from_fen(&fen, variant).expect("a position"))
    };
    assert_eq!(at(0), at(10));
    for clock in 40..=90 {
        assert_ne!(at(clock), at(clock + 10), "clock {clock}");
        assert_ne!(at(clock), at(0), "clock {clock}");
    }
}

fn mates() -> impl Strategy<Value = (usize, bool)> {
    (1..MAX_PLY, any::<bool>())
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
    fn evaluations_read_as_they_were_written(
        value in -40_000..40_000, (wrote, read) in (0..MAX_PLY, 0..MAX_PLY), clock in 0u16..=150,
    ) {
        let score = Score::eval(value);
        prop_assert_eq!(Score::from_tt(score.to_tt(wrote), read, clock), Some(score));
    }

    /// The mate is as far from the stored position as before; from the root it is that and
    /// the plies to the position.
    #[test]
    fn mates_are_counted_from_where_they_are_read(
        (plies, winning) in mates(), (wrote, read) in (0..MAX_PLY, 0..MAX_PLY),
    ) {
        prop_assume!(wrote <= plies && plies - wrote <= usize::from(PLIES_TO_THE_RULE));
        let there = plies - wrote;
        prop_assume!(there + read < MAX_PLY);
        let stored = mate_after(plies, winning).to_tt(wrote);
        let expected = mate_after(there + read, winning);
        prop_assert_eq!(Score::from_tt(stored, read, 0), Some(expected));
    }

    /// A mate on the hundredth ply is one, a ply later there is a draw first.
    #[test]
    fn mates_beyond_the_clock_are_not_believed(
        there in 0..MAX_PLY, winning in any::<bool>(), read in 0..MAX_PLY, clock in 0u16..=150,
    ) {
        prop_assume!(there + read < MAX_PLY);
        let stored = mate_after(there, winning).to_tt(0);
        let score = Score::from_tt(stored, read, clock);
        let in_time = there + usize::from(clock) <= usize::from(PLIES_TO_THE_RULE);
        prop_assert_eq!(score, in_time.then(|| mate_after(there + read, winning)));
    }

    #[test]
    fn every_note_comes_back_whole(number in any::<u64>(), depth in 0..MAX_PLY as i32) {
        let (table, moves) = (table(), some_moves());
        table.store(number, 0, telling(number, depth, &moves));
        prop_assert!(assert_whole(&table, number, &moves));
    }
}
