//! FEN, both ways.

mod castling;
mod printing;
mod reading;

use crate::scene::standard;
use movegen::{Position, Variant};

/// Kings only: what the other fields do is theirs alone.
const BARE: &str = "4k3/8/8/8/8/8/8/4K3";

/// A text that reads as a standard position printed as `expected`.
#[track_caller]
fn assert_read(fen: &str, expected: &str) {
    assert_eq!(standard(fen).fen(), expected, "{fen}");
}

#[track_caller]
fn assert_refused(fen: &str, words: &[&str]) {
    for variant in [Variant::Standard, Variant::Chess960] {
        let error = Position::from_fen(fen, variant).expect_err(fen).to_string();
        for word in words {
            assert!(
                error.contains(word),
                "'{fen}': '{error}' does not say '{word}'"
            );
        }
    }
}
