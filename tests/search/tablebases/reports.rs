//! Reports of a search with tablebases: scores, hits, lines to the end of the game.

use super::{searcher_with, tables};
use crate::run::{Results, game, run, run_new, run_with};
use search::{Info, Limits, Score, SearchOptions, TablebaseUse, Wdl};

const PAWN: &str = "8/8/8/8/3k4/8/1P6/1K6 w - - 0 1";
const ROOK: &str = "8/8/8/3k4/8/8/8/4K2R w - - 0 1";
const LOST: &str = "8/8/8/3k4/8/8/8/4K2R b - - 0 1";
/// Queen against rook is not among the tables of the repository; what a capture leaves is.
const QUEEN_AND_ROOK: &str = "8/8/3k4/8/2r5/8/1Q6/1K6 w - - 0 1";
/// A position where the queen captures at once.
const CAPTURE: &str = "8/8/8/3k4/8/8/1r6/1KQ5 w - - 0 1";

fn run_with_tables(fen: &str, depth: u32) -> Results {
    run(
        &mut searcher_with(tables()),
        &game(fen),
        Limits::depth(depth),
    )
}

fn hits(fen: &str, depth: u32, tablebases: TablebaseUse) -> u64 {
    let options = SearchOptions {
        tablebases,
        ..SearchOptions::new(Limits::depth(depth))
    };
    let results = run_with(&mut searcher_with(tables()), &game(fen), &options, |_| {
        false
    });
    results.last().tablebase_hits
}

#[test]
fn probes_are_counted_and_limited() {
    let all = TablebaseUse::default();
    let limited = |max_pieces, depth| TablebaseUse {
        depth,
        max_pieces,
        ..all
    };
    let without_tables = run_new(&game(PAWN), Limits::depth(4));
    assert_eq!(without_tables.last().tablebase_hits, 0);
    let moves = game(PAWN).position().legal_moves().len() as u64;
    assert_eq!(hits(PAWN, 1, all), moves);
    assert!(hits(QUEEN_AND_ROOK, 6, all) > 0);
    for pieces in [0, 2] {
        assert_eq!(hits(PAWN, 6, limited(pieces, 1)), 0, "{pieces} pieces");
        assert_eq!(hits(QUEEN_AND_ROOK, 6, limited(pieces, 1)), 0, "{pieces}");
    }
    // The capture of the pawn leaves four pieces, as many as the largest table has.
    let pawn_and_rooks = "8/8/3k4/8/1r6/8/1P6/1K5R b - - 0 1";
    assert_eq!(hits(pawn_and_rooks, 2, limited(7, 100)), 0);
    assert!(hits(pawn_and_rooks, 2, limited(7, 1)) > 0);
    // Castling rights prevent probing.
    assert_eq!(hits("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1, all), 0);
    assert!(hits("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 1, all) > 0);
}

#[test]
fn tablebase_wins_are_reported_as_20000_less_the_plies() {
    let results = run_with_tables(ROOK, 3);
    let last = results.last();
    assert!(last.score.is_win() && !last.score.is_mate());
    assert!((19_900..20_000).contains(&last.centipawns), "{last:?}");
    assert_eq!(last.chances.win, 1000);
    let lost = run_with_tables(LOST, 3).last().centipawns;
    assert!((-20_000..-19_900).contains(&lost), "{lost}");
    assert!(run_with_tables(CAPTURE, 4).score().is_win());
}

#[test]
fn a_mate_in_sight_is_reported_as_a_mate() {
    let results = run_with_tables("8/8/2R5/8/8/8/3K4/k7 w - - 0 1", 6);
    assert_eq!(results.score(), Score::mate_in(3));
}

#[test]
fn lines_lead_to_mate() {
    for (fen, depth) in [
        (ROOK, 8),
        (PAWN, 8),
        (LOST, 8),
        (CAPTURE, 4),
        (QUEEN_AND_ROOK, 8),
    ] {
        let results = run_with_tables(fen, depth);
        if !results.score().is_decisive() {
            assert_eq!(fen, QUEEN_AND_ROOK);
            continue;
        }
        let mut game = game(fen);
        for &mv in &results.last().pv {
            game.push(mv).expect("a legal move");
        }
        assert!(game.position().is_checkmate(), "{fen}");
    }
}

/// Only two of the moves win.
#[test]
fn all_lines_are_reported_and_the_best_is_first() {
    let game = game("8/8/8/8/4k3/8/1P6/2K5 w - - 0 1");
    let options = SearchOptions {
        multi_pv: 218,
        ..SearchOptions::new(Limits::depth(6))
    };
    let results = run_with(&mut searcher_with(tables()), &game, &options, |_| false);
    let count = game.position().legal_moves().len();
    let lines = &results.infos[results.infos.len() - count..];
    let pvs = |infos: &[Info]| infos.iter().map(|info| info.pv.clone()).collect::<Vec<_>>();
    assert_eq!(pvs(lines), pvs(&results.outcome.lines));
    let known = tables();
    let mut values = Vec::new();
    for (number, info) in (1..).zip(lines) {
        assert_eq!(info.line, number);
        let next = game.position().play_unchecked(info.pv[0]);
        let value = -known.wdl(&next).expect("a table");
        assert_eq!(info.score.is_win(), value == Wdl::Win, "{info:?}");
        values.push((value, info.score));
    }
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    assert_ne!(values.first(), values.last());
}
