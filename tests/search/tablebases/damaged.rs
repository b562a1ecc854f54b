//! Damaged, truncated or deleted tables cost strength, but never the game.

use super::{assert_keeps_value, directory, searcher_with, tables};
use crate::run::{game, run};
use movegen::Game;
use search::{Limits, TablebaseError, Tablebases};
use std::fs;
use std::path::PathBuf;
use test_common::{Rng, TempDir, positions};

/// A copy of the repository's tables.
fn copy() -> TempDir {
    let copy = TempDir::new("tables");
    for name in names() {
        copy.write(&name, read(&name));
    }
    copy
}

fn find(directory: &TempDir) -> (Tablebases, Vec<TablebaseError>) {
    Tablebases::find(&[directory.path("").into()])
}

fn names() -> Vec<String> {
    let entries = fs::read_dir(directory()).expect("the repository's tables");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.sort();
    names
}

fn read(name: &str) -> Vec<u8> {
    fs::read(directory().join(name)).expect("a table")
}

#[test]
fn directories_are_combined_and_errors_reported() {
    let (one, other, empty) = (copy(), copy(), TempDir::new("no tables"));
    fs::remove_file(one.path("KRvK.rtbw")).expect("a file");
    one.write("notes.txt", "no table");
    one.write("KQvKR.rtbw", "truncated");
    let missing = "/no such directory/tables".to_owned();
    let directories = [one.path(""), missing, empty.path(""), other.path("")].map(PathBuf::from);
    let (found, errors) = Tablebases::find(&directories);
    // The other directory has the missing table.
    assert_eq!(found.count(), tables().count());
    let count = "found 7 WDL and 7 DTZ tablebases with up to 4 pieces";
    assert_eq!(found.count().to_string(), count);
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let expected: [&[&str]; 3] = [
        &["cannot use 1 file", "KQvKR.rtbw"],
        &["cannot read the tablebase directory '/no such directory/tables'"],
        &["no tablebases in"],
    ];
    assert_eq!(errors.len(), expected.len(), "{errors:?}");
    for (error, parts) in errors.iter().zip(expected) {
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
}

/// Damages a table: truncated, or random bytes in its header, everywhere, or to its end.
fn damaged(rng: &mut Rng, good: &[u8], kind: usize) -> Vec<u8> {
    let mut bad = good.to_vec();
    let (len, header) = (bad.len(), bad.len().min(160));
    let mut scatter = |bytes: usize, within: usize| {
        for _ in 0..bytes {
            bad[rng.below(within)] = rng.below(256) as u8;
        }
    };
    match kind {
        0 => bad.truncate(rng.below(len / 64) * 64 + 16),
        1 => scatter(8, header),
        2 => scatter(1 + len / 500, len),
        _ => bad[rng.below(len)..].fill(rng.below(256) as u8),
    }
    bad
}

#[test]
fn damaged_tables_are_harmless() {
    let mut rng = Rng::new(6);
    let (copy, names) = (copy(), names());
    for round in 0..120 {
        let name = rng.choose(&names);
        let good = read(name);
        copy.write(name, damaged(&mut rng, &good, round % 4));
        let (tables, _) = find(&copy);
        // KQvKR.rtbw has the positions with KQkr.
        let (white, black) = name.split_once('v').expect("a table's name");
        let black = black.split('.').next().expect("a name").to_lowercase();
        let pieces = format!("{white}{black}");
        for _ in 0..20 {
            let position = positions::random(&mut rng, &pieces, 0);
            // Any answer will do.
            let _ = (tables.wdl(&position), tables.dtz(&position));
        }
        let position = positions::random(&mut rng, &pieces, 0);
        if position.has_moves() {
            let game = Game::new(position);
            let results = run(&mut searcher_with(tables), &game, Limits::depth(3));
            assert!(position.is_legal(results.best_move()), "{name} {position}");
        }
        copy.write(name, &good);
    }
}

#[test]
fn tables_may_be_deleted_or_truncated_during_a_game() {
    let delete = |path: &str| fs::remove_file(path).expect("a file");
    let truncate = |path: &str| fs::write(path, "").expect("a file");
    for damage in [delete as fn(&str), truncate] {
        let copy = copy();
        let mut searcher = searcher_with(find(&copy).0);
        let mut rook = game("8/8/8/3k4/8/8/8/4K2R w - - 0 1");
        for ply in 0..24 {
            if ply == 8 {
                names().iter().for_each(|name| damage(&copy.path(name)));
            }
            if rook.position().has_moves() {
                let results = run(&mut searcher, &rook, Limits::depth(6));
                rook.push(results.best_move()).expect("a legal move");
            }
        }
        // Endings whose tables were never opened.
        for fen in [
            "8/8/3k4/8/2r5/8/1Q6/1K6 w - - 0 1",
            "8/8/8/8/3k4/8/1P6/1K6 w - - 0 1",
        ] {
            let results = run(&mut searcher, &game(fen), Limits::depth(6));
            assert!(results.outcome.best_move.is_some(), "{fen}");
        }
    }
}

#[test]
fn without_dtz_tables_the_value_of_a_position_is_kept() {
    let copy = copy();
    for name in names().iter().filter(|name| name.ends_with("rtbz")) {
        fs::remove_file(copy.path(name)).expect("a file");
    }
    let (wdl_only, errors) = find(&copy);
    assert!(errors.is_empty() && wdl_only.count().dtz == 0);
    let (mut searcher, known) = (searcher_with(wdl_only), tables());
    let mut rng = Rng::new(7);
    for _ in 0..60 {
        let position = positions::random(&mut rng, "KPk", 0);
        assert_keeps_value(&mut searcher, &known, position);
    }
    let mate = game("1k6/8/1K6/8/8/3R4/8/8 w - - 0 1");
    let results = run(&mut searcher, &mate, Limits::depth(4));
    assert_eq!(results.best_uci(), "d3d8");
    assert_eq!(results.score().mate_distance(), Some(1));
}
