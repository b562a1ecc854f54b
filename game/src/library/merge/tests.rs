//! Games that two sides have changed.

use formats::pgn::{Record, Tags};
use test_common::table;

use super::{GameKind, merge, record};

fn merged(base: &str, theirs: &str, mine: &str) -> Option<Record> {
    let text = merge(GameKind::Chess, base, theirs, mine)?;
    game(&text)
}

/// Without its tags.
fn game(pgn: &str) -> Option<Record> {
    let tags = Tags::default();
    record(pgn).map(|record| Record { tags, ..record })
}

/// The base, theirs, mine, and the merged game.
const MERGED: &str = "
# A move and a comment, in both directions.
1. e4 *             | 1. e4 {good} *          | 1. e4 e5 *        | 1. e4 {good} e5 *
1. e4 *             | 1. e4 e5 *              | 1. e4 {good} *    | 1. e4 {good} e5 *
# A takeback.
1. e4 e5 *          | 1. e4 {good} e5 *       | 1. e4 c5 *        | 1. e4 {good} c5 *
# An annotation and a comment.
1. e4 e5 2. Ke2 1-0 | 1. e4 {[%eval 0.30]} e5 2. Ke2 $2 {[%eval -1.00] Bad.} (2. Nf3) 1-0 | 1. e4 e5 2. Ke2 $3 {Mine.} 1-0 | 1. e4 {[%eval 0.30]} e5 2. Ke2 $3 $2 {[%eval -1.00] Mine. Bad.} (2. Nf3) 1-0
# Variations, and one that is made the game.
1. e4 (1. d4) 1... e5 * | 1. e4 (1. d4 {x}) 1... e5 * | 1. d4 (1. e4 e5) * | 1. d4 {x} (1. e4 e5) *
# A resignation.
1. e4 *             | 1. e4 0-1               | 1. e4 {good} *    | 1. e4 {good} 0-1
1. e4 *             | 1. e4 {good} *          | 1. e4 0-1         | 1. e4 {good} 0-1
# What is removed is gone, unless it has been changed.
1. e4 {a} (1. d4) * | 1. e4 {a} (1. d4) 1... e5 * | 1. e4 *       | 1. e4 e5 *
1. e4 (1. d4) *     | 1. e4 (1. d4 $1) *      | 1. e4 e5 *        | 1. e4 (1. d4 $1) 1... e5 *
1. e4 (1. d4) *     | 1. e4 ({x} 1. d4) *     | 1. d4 (1. e4) *   | 1. d4 {x} (1. e4) *
# The second change of a text that was merged.
1. e4 {b} *         | 1. e4 {a b} *           | 1. e4 {b c} *     | 1. e4 {b c a} *
1. e4 {b} *         | 1. e4 {b a} *           | 1. e4 *           | 1. e4 {a} *
1. e4 {b} *         | 1. e4 {c} *             | 1. e4 {d} *       | 1. e4 {c d} *
# Nothing is known of the base.
                    | 1. e4 {a} *             | 1. e4 {a} e5 {b} * | 1. e4 {a} e5 {b} *
                    | 1. e4 {a} 1-0           | 1. e4 {b} *       | 1. e4 {a b} 1-0
";

#[test]
fn changes_of_both_sides_are_applied() {
    for [base, theirs, mine, expected] in table(MERGED) {
        let found = merged(base, theirs, mine);
        assert!(found.is_some(), "{base} | {theirs} | {mine}");
        assert_eq!(found, game(expected), "{base} | {theirs} | {mine}");
    }
}

/// The base, theirs and mine.
const CONFLICTS: &str = "
1. e4 *         | 1. e4 e5 *         | 1. e4 c5 *
1. e4 *         | 1. e4 0-1          | 1. e4 e5 *
1. e4 e5 *      | 1. e4 e5 1/2-1/2   | 1. e4 *
1. e4 *         | 1. e4 1-0          | 1. e4 0-1
                | 1. e4 e5 *         | 1. e4 c5 *
# The variation that one side has continued is the game of the other.
1. e4 (1. d4) * | 1. e4 (1. d4 d5) * | 1. d4 (1. e4) *
# Not all of it is read.
1. e4 *         | 1. e4 (1. Ke5) *   | 1. e4 e5 *
1. e4 *         | 1. Ke5 *           | 1. e4 e5 *
# What one side has commented on, the other has taken back.
1. e4 e5 *      | 1. e4 e5 {good} *  | 1. e4 *
";

#[test]
fn changes_that_exclude_each_other_are_not_merged() {
    for [base, theirs, mine] in table(CONFLICTS) {
        let found = merged(base, theirs, mine);
        assert_eq!(found, None, "{base} | {theirs} | {mine}");
    }
}

#[test]
fn tags_are_merged_and_an_accuracy_is_that_of_its_moves() {
    let with_tags = |tags: &str, moves: &str| format!("{tags}\n\n{moves}\n");
    let base = with_tags("[Event \"a\"]\n[Site \"b\"]", "1. e4 e5 1-0");
    let theirs = with_tags(
        "[Event \"a\"]\n[Site \"c\"]\n[WhiteACPL \"9\"]",
        "1. e4 e5 1-0",
    );
    for (moves, accuracy) in [("1. e4 e5 1-0", true), ("1. e4 c5 (1... e5) 1-0", false)] {
        let mine = with_tags("[Event \"d\"]\n[Site \"b\"]", moves);
        let merged = merge(GameKind::Chess, &base, &theirs, &mine).expect("no conflict");
        assert!(merged.contains("[Event \"d\"]\n[Site \"c\"]"), "{merged}");
        assert_eq!(merged.contains("WhiteACPL"), accuracy, "{merged}");
    }
}
