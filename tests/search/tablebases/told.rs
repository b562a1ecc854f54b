//! What is told: values, hits, lines to the end of the game, and every line that is wanted.

use super::{tables, with_tables};
use crate::searcher::{Answer, ask, ask_with, fresh, game, to_depth};
use movegen::{Game, Position};
use search::{Info, Score, SearchOptions, TablebaseUse};

/// Queen against rook, whose table the project does not have; those after a capture it has.
const BEYOND: &str = "8/8/3k4/8/2r5/8/1Q6/1K6 w - - 0 1";
const PAWN: &str = "8/8/8/8/3k4/8/1P6/1K6 w - - 0 1";
const ROOK: &str = "8/8/8/3k4/8/8/8/4K2R w - - 0 1";

fn used(fen: &str, depth: u32, usage: TablebaseUse) -> Answer {
    let options = SearchOptions {
        tablebases: usage,
        ..SearchOptions::new(to_depth(depth))
    };
    ask_with(&mut with_tables(), &game(fen), &options, |_| false)
}

fn hits(fen: &str, depth: u32, usage: TablebaseUse) -> u64 {
    used(fen, depth, usage).last().tablebase_hits
}

fn limited(max_pieces: u32, depth: u32) -> TablebaseUse {
    TablebaseUse {
        depth,
        max_pieces,
        fifty_moves: true,
    }
}

#[test]
fn hits_are_counted_at_the_root_and_in_the_tree() {
    assert_eq!(
        ask(&mut fresh(), &game(PAWN), to_depth(4))
            .last()
            .tablebase_hits,
        0
    );
    let moves = game(PAWN).position().legal_moves().len() as u64;
    assert_eq!(hits(PAWN, 1, TablebaseUse::default()), moves);
    assert!(hits(BEYOND, 6, TablebaseUse::default()) > 0);
}

#[test]
fn the_limits_of_probing_are_kept() {
    for men in [0, 2] {
        assert_eq!(hits(PAWN, 6, limited(men, 1)), 0, "{men} men");
        assert_eq!(hits(BEYOND, 6, limited(men, 1)), 0, "{men} men");
    }
    // Rook and pawn against rook: the pawn's loss leaves four men.
    let pawn_and_rooks = "8/8/3k4/8/1r6/8/1P6/1K5R b - - 0 1";
    assert_eq!(hits(pawn_and_rooks, 2, limited(7, 100)), 0);
    assert!(hits(pawn_and_rooks, 2, limited(7, 1)) > 0);
}

#[test]
fn castling_rights_keep_the_tables_out() {
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(hits(castling, 1, TablebaseUse::default()), 0);
    assert!(hits("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 1, TablebaseUse::default()) > 0);
}

#[test]
fn wins_by_tables_are_told_as_20000_less_the_way() {
    let answer = ask(&mut with_tables(), &game(ROOK), to_depth(3));
    let last = answer.last();
    assert!(last.score.is_win() && !last.score.is_mate());
    assert!(
        (19_900..20_000).contains(&last.centipawns),
        "{}",
        last.centipawns
    );
    assert_eq!(last.chances.win, 1000);
    let lost = game("8/8/8/3k4/8/8/8/4K2R b - - 0 1");
    let last = ask(&mut with_tables(), &lost, to_depth(3)).last().clone();
    assert!(
        (-20_000..-19_900).contains(&last.centipawns),
        "{}",
        last.centipawns
    );
    // A win the search finds in the tables behind a capture.
    let taking = game("8/8/8/3k4/8/8/1r6/1KQ5 w - - 0 1");
    let last = ask(&mut with_tables(), &taking, to_depth(4)).last().clone();
    assert!(last.score.is_win(), "{:?}", last.score);
}

#[test]
fn a_mate_in_sight_is_told_as_a_mate() {
    let answer = ask(
        &mut with_tables(),
        &game("8/8/2R5/8/8/8/3K4/k7 w - - 0 1"),
        to_depth(6),
    );
    assert_eq!(answer.last().score, Score::mate_in(3));
}

fn end_of(answer: &Answer, start: &str) -> Position {
    let mut game = game(start);
    for &mv in &answer.last().pv {
        game.push(mv).expect("legal moves");
    }
    *game.position()
}

#[test]
fn lines_are_shown_to_mate() {
    for start in [ROOK, PAWN, BEYOND, "8/8/8/3k4/8/8/8/4K2R b - - 0 1"] {
        let answer = ask(&mut with_tables(), &game(start), to_depth(8));
        if answer.last().score.is_decisive() {
            assert!(end_of(&answer, start).is_checkmate(), "{start}");
        } else {
            assert_eq!(start, BEYOND, "a table knows {start}");
        }
    }
    let taking = "8/8/8/3k4/8/8/1r6/1KQ5 w - - 0 1";
    let answer = ask(&mut with_tables(), &game(taking), to_depth(4));
    assert!(end_of(&answer, taking).is_checkmate());
}

#[test]
fn all_lines_are_told_the_best_first() {
    // Only two of the moves win.
    let start = "8/8/8/8/4k3/8/1P6/2K5 w - - 0 1";
    let game: Game = game(start);
    let tables = tables();
    let options = SearchOptions {
        multi_pv: 218,
        ..SearchOptions::new(to_depth(6))
    };
    let answer = ask_with(&mut with_tables(), &game, &options, |_| false);
    let count = game.position().legal_moves().len();
    let lines = &answer.infos[answer.infos.len() - count..];
    let pvs = |infos: &[Info]| infos.iter().map(|info| info.pv.clone()).collect::<Vec<_>>();
    assert_eq!(pvs(lines), pvs(&answer.outcome.lines));
    let mut worths = Vec::new();
    for (number, info) in lines.iter().enumerate() {
        assert_eq!(info.line, number + 1);
        let next = game.position().play_unchecked(info.pv[0]);
        let worth = -tables.wdl(&next).expect("a table");
        assert_eq!(info.score.is_win(), worth == search::Wdl::Win, "{info:?}");
        worths.push((worth, info.score));
    }
    assert!(worths.is_sorted_by(|a, b| a >= b), "{worths:?}");
    assert!(worths.first() != worths.last(), "{worths:?}");
}

#[test]
fn without_tables_nothing_changes() {
    let mut empty = fresh();
    empty.set_tablebases(search::Tablebases::default());
    for fen in [ROOK, PAWN, BEYOND] {
        let with = ask(&mut empty, &game(fen), to_depth(8));
        let without = ask(&mut fresh(), &game(fen), to_depth(8));
        assert_eq!(with.last().nodes, without.last().nodes, "{fen}");
        empty.new_game();
    }
}
