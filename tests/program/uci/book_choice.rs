//! The random choice among weighted book moves.

use std::collections::BTreeMap;
use test_common::{TempDir, UciEngine};

use super::book_files::{START_KEY, book_messages, with_book};
use super::search_output::best;

/// The moves and seeds of `count` games of one book move each.
fn games(engine: &mut UciEngine, count: usize) -> Vec<(String, u32)> {
    (0..count)
        .map(|_| {
            engine.send_silent("ucinewgame");
            let lines = engine.go("go movetime 60000");
            let output = book_messages(&lines);
            let [output] = output.as_slice() else {
                panic!("{lines:?}");
            };
            let (_, seed) = output.split_once(", seed ").expect(output);
            (best(&lines).0, seed.parse().expect(output))
        })
        .collect()
}

const FOUR: [(u64, &str, u16); 4] = [
    (START_KEY, "e2e4", 1),
    (START_KEY, "d2d4", 1),
    (START_KEY, "c2c4", 1),
    (START_KEY, "g1f3", 1),
];

#[test]
fn a_seed_repeats_a_match_and_each_game() {
    let folder = TempDir::new("seed");
    let mut engine = with_book(&folder, &FOUR);
    engine.set_option("BookSeed", 7);
    let first = games(&mut engine, 12);
    // Computed by another program from the definition of SplitMix64: the index of each move in
    // `FOUR`, since the book lists moves of equal weight in the order of the file.
    let expected = [1, 3, 1, 1, 3, 3, 1, 2, 1, 2, 3, 2].map(|number: usize| FOUR[number].1);
    let moves: Vec<&str> = first.iter().map(|(mv, _)| mv.as_str()).collect();
    assert_eq!(moves, expected);
    let seeds: Vec<u32> = first.iter().map(|(_, seed)| *seed).collect();
    assert_eq!(seeds, (7..19).collect::<Vec<u32>>());
    // The same position in the same game has the same move.
    assert_eq!(best(&engine.go("go movetime 60000")).0, first[11].0);
    for seed in [7, 12] {
        engine.set_option("BookSeed", seed);
        let again = games(&mut engine, 3);
        assert_eq!(again, first[seed - 7..seed - 4], "seed {seed}");
    }
}

#[test]
fn games_without_a_seed_differ_and_print_theirs() {
    let folder = TempDir::new("no seed");
    let mut counts = BTreeMap::new();
    let mut engine = with_book(&folder, &FOUR);
    let played = games(&mut engine, 60);
    for (mv, _) in &played {
        *counts.entry(mv.clone()).or_insert(0) += 1;
    }
    // Less than one chance in a million to miss one of four in sixty games.
    assert_eq!(counts.len(), 4, "{counts:?}");
    let (mv, seed) = &played[30];
    engine.set_option("BookSeed", seed);
    assert_eq!(games(&mut engine, 1), [(mv.clone(), *seed)]);
    let mut another = with_book(&folder, &FOUR);
    assert_ne!(
        games(&mut another, 1)[0].1,
        played[0].1,
        "each process has another seed"
    );
}
