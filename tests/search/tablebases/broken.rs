//! Tables that are broken, cut short or gone: strength is lost, never the game.

use super::{Dice, folder, random_position, tables};
use crate::searcher::{ask, fresh, game, to_depth};
use movegen::Game;
use search::{TablebaseError, Tablebases};
use std::fs;
use std::path::{Path, PathBuf};
use test_common::TempDir;

/// The project's tables in a folder that may be spoilt.
fn copied() -> TempDir {
    let copy = TempDir::new("tables");
    for name in names() {
        copy.write(&name, read(&folder().join(&name)));
    }
    copy
}

fn find(folder: &TempDir) -> (Tablebases, Vec<TablebaseError>) {
    Tablebases::find(&[folder.path("").into()])
}

fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the project's tables");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.sort();
    names
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).expect("a file")
}

#[test]
fn folders_are_put_together_and_what_is_wrong_is_said() {
    let (one, other, empty) = (copied(), copied(), TempDir::new("no tables"));
    fs::remove_file(one.path("KRvK.rtbw")).expect("a file");
    one.write("notes.txt", "no table");
    one.write("KQvKR.rtbw", "cut short");
    let missing = "/no such folder/tables".to_owned();
    let folders = [one.path(""), missing, empty.path(""), other.path("")].map(PathBuf::from);
    let (found, errors) = Tablebases::find(&folders);
    assert_eq!(
        found.count(),
        tables().count(),
        "the other folder has the missing one"
    );
    let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let [files, missing, empty] = said.as_slice() else {
        panic!("{said:?}");
    };
    assert!(
        files.contains("cannot use 1 file") && files.contains("KQvKR.rtbw"),
        "{files}"
    );
    assert!(
        missing.contains("cannot read the tablebase directory '/no such folder/tables'"),
        "{missing}"
    );
    assert!(empty.contains("no tablebases in"), "{empty}");
    assert_eq!(
        found.count().to_string(),
        "found 7 WDL and 7 DTZ tablebases with up to 4 pieces"
    );
}

#[test]
fn broken_tables_break_nothing() {
    let mut dice = Dice::new();
    let copy = copied();
    for round in 0..120 {
        let name = &names()[dice.below(names().len())];
        let good = read(&folder().join(name));
        let mut bad = good.clone();
        match round % 4 {
            0 => bad.truncate(dice.below(bad.len() / 64) * 64 + 16),
            1 => {
                for _ in 0..8 {
                    let place = dice.below(bad.len().min(160));
                    bad[place] = dice.below(256) as u8;
                }
            }
            2 => {
                for _ in 0..1 + bad.len() / 500 {
                    let place = dice.below(bad.len());
                    bad[place] = dice.below(256) as u8;
                }
            }
            _ => {
                let (from, byte) = (dice.below(bad.len()), dice.below(256) as u8);
                bad[from..].fill(byte);
            }
        }
        copy.write(name, &bad);
        let (tables, _) = find(&copy);
        let men = name
            .split('.')
            .next()
            .expect("a name")
            .replacen('v', "/", 1);
        let (white, black) = men.split_once('/').expect("two sides");
        for _ in 0..20 {
            let men = format!("{white}{}", black.to_lowercase());
            let position = random_position(&mut dice, &men, 0);
            // Whatever they answer.
            let _ = (tables.wdl(&position), tables.dtz(&position));
        }
        let mut search = fresh();
        search.set_tablebases(tables);
        let position = random_position(&mut dice, &format!("{white}{}", black.to_lowercase()), 0);
        if position.has_moves() {
            let answer = ask(&mut search, &Game::new(position), to_depth(3));
            assert!(
                position.is_legal(answer.outcome.best_move.expect("a move")),
                "{name} {position}"
            );
        }
        copy.write(name, &good);
    }
}

/// Plays a few moves of a won ending and takes the tables away in the middle.
fn play_on_after(loss: impl Fn(&str)) {
    let copy = copied();
    let mut search = fresh();
    search.set_tablebases(find(&copy).0);
    let mut game = game("8/8/8/3k4/8/8/8/4K2R w - - 0 1");
    for ply in 0..24 {
        if ply == 8 {
            for name in names() {
                loss(&copy.path(&name));
            }
        }
        if !game.position().has_moves() {
            break;
        }
        let answer = ask(&mut search, &game, to_depth(6));
        game.push(answer.outcome.best_move.expect("a move"))
            .expect("a legal move");
    }
    // Queen against rook was never opened: with its tables gone it is unknown.
    let other = crate::searcher::game("8/8/3k4/8/2r5/8/1Q6/1K6 w - - 0 1");
    assert!(
        ask(&mut search, &other, to_depth(6))
            .outcome
            .best_move
            .is_some()
    );
    let pawn = crate::searcher::game("8/8/8/8/3k4/8/1P6/1K6 w - - 0 1");
    assert!(
        ask(&mut search, &pawn, to_depth(6))
            .outcome
            .best_move
            .is_some()
    );
}

#[test]
fn tables_may_be_deleted_in_mid_game() {
    play_on_after(|path| fs::remove_file(path).expect("a file"));
}

#[test]
fn tables_may_be_cut_short_in_mid_game() {
    play_on_after(|path| fs::write(path, "").expect("a file"));
}

#[test]
fn without_distances_what_a_position_is_worth_is_still_kept() {
    let copy = copied();
    for name in names().iter().filter(|name| name.ends_with("rtbz")) {
        fs::remove_file(copy.path(name)).expect("a file");
    }
    let (values, errors) = find(&copy);
    assert!(errors.is_empty() && values.count().dtz == 0);
    let mut search = fresh();
    search.set_tablebases(values);
    let known = tables();
    let mut dice = Dice::new();
    for _ in 0..60 {
        let position = random_position(&mut dice, "KPk", 0);
        if !position.has_moves() || position.is_insufficient_material() {
            continue;
        }
        let answer = ask(&mut search, &Game::new(position), to_depth(2));
        let next = position.play_unchecked(answer.outcome.best_move.expect("a move"));
        if next.has_moves() && !next.is_insufficient_material() {
            assert_eq!(
                known.wdl(&next).map(|wdl| -wdl),
                known.wdl(&position),
                "{position}"
            );
        }
    }
}
