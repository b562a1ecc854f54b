//! Replays the regression corpus of every fuzz target, and mutations of those that are texts.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;
use test_common::{Rng, repository_path};

/// The inputs of a target; the name of each is printed before it is used.
fn inputs(target: &str) -> impl Iterator<Item = Vec<u8>> {
    let directory = repository_path("fuzz/regressions").join(target);
    let files = fs::read_dir(directory).expect("the corpus of the target");
    files.map(|file| {
        let file = file.expect("a file").path();
        eprintln!("{}", file.display());
        fs::read(&file).expect("an input")
    })
}

#[test]
fn every_input_of_the_corpora_passes() {
    for (name, check) in fuzz_checks::ALL {
        let count = inputs(name).map(|input| check(&input)).count();
        assert!(count >= 10, "{count} inputs for {name}");
    }
}

/// Makes up to three changes by letters of FENs and moves, or by any byte.
fn mutated(rng: &mut Rng, input: &[u8]) -> Vec<u8> {
    const LIKELY: &[u8] = b"PNBRQKpnbrqk12345678/ -wbKQkqABCDEFGHabcdefgh0369xO=+#";
    let mut bytes = input.to_vec();
    for _ in 0..=rng.below(3) {
        let byte = match rng.below(8) {
            0 => rng.next_u64() as u8,
            _ => *rng.choose(LIKELY),
        };
        let at = rng.below(bytes.len() + 1);
        match rng.below(8) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.insert(at, byte),
            _ if at < bytes.len() => bytes[at] = byte,
            _ => bytes.push(byte),
        }
    }
    bytes
}

#[test]
fn mutated_texts_pass() {
    const MUTANTS: usize = 2000;
    let mut rng = Rng::new(0x0f3a_9c11);
    let is_text = |(name, _): &(&str, _)| ["fen", "san", "uci_move"].contains(name);
    for (name, check) in fuzz_checks::ALL.into_iter().filter(is_text) {
        for input in inputs(name) {
            for _ in 0..MUTANTS {
                check(&mutated(&mut rng, &input));
            }
        }
    }
}
