//! Against `scripts/checks/tridim_rules.py`, an independent slow generator: the positions of
//! `tests/data/tridim/reference.txt` were written by `scripts/crosscheck.py tridim --write`.

use std::sync::atomic::AtomicBool;

use crate::helpers::{NO_ROTATION, after, legal, position_under};
use tridim::{Position, Rules, perft};

const POSITIONS: &str = include_str!("../data/tridim/reference.txt");

#[test]
fn moves_and_positions_match_the_reference() {
    for line in POSITIONS.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[kind, text, moves, chosen, next] = fields.as_slice() else {
            panic!("{line}");
        };
        let rotation = kind == "rotation";
        let rules = Rules { rotation };
        let position = position_under(text, rules);
        assert_eq!(position.to_string(), text);
        let mut expected: Vec<&str> = moves.split(' ').filter(|&name| name != "-").collect();
        expected.sort_unstable();
        assert_eq!(legal(&position), expected, "{text}");
        if chosen != "-" {
            let played = after(&position, chosen);
            assert_eq!(played.to_string(), next, "{text} {chosen}");
            assert_eq!(position_under(next, rules), played);
        }
    }
}

/// `scripts/crosscheck.py tridim --perft N`.
#[test]
fn perft_from_the_start() {
    let start = Position::start(NO_ROTATION);
    let counts = |stop| [0, 1, 2, 3].map(|depth| perft(&start, depth, &AtomicBool::new(stop)));
    assert_eq!(counts(false), [1, 20, 400, 9128].map(Some));
    assert_eq!(counts(true), [None; 4]);
}
