//! Syzygy tablebases: what they say of positions, play with them, what a search reports, and
//! searches whose tables are damaged or gone.
//!
//! The repository has the tables of three pieces and two of four; other tests need the four-piece
//! tables that checkouts share, and are skipped without them.

mod damaged;
mod play;
mod probes;
mod reports;

use crate::run::{new_searcher, run};
use movegen::{Game, Move, Position};
use search::{Limits, Searcher, Tablebases};
use std::path::PathBuf;
use test_common::repository_path;

fn directory() -> PathBuf {
    repository_path("tests/data/syzygy")
}

fn tables_in(directory: PathBuf) -> Tablebases {
    let (tables, errors) = Tablebases::find(&[directory]);
    assert!(errors.is_empty(), "{errors:?}");
    tables
}

fn tables() -> Tablebases {
    tables_in(directory())
}

/// All tables of up to four pieces, if they are there.
pub(crate) fn all_four_piece_tables() -> Option<Tablebases> {
    let directory = repository_path("../shared/data/syzygy");
    if !directory.is_dir() {
        println!("skipped: no tables in {}", directory.display());
        return None;
    }
    Some(tables_in(directory))
}

fn searcher_with(tables: Tablebases) -> Searcher {
    let mut searcher = new_searcher();
    searcher.set_tablebases(tables);
    searcher
}

/// The reply that prolongs the game most by its DTZ, or saves it.
pub(crate) fn best_defence(tables: &Tablebases, position: &Position) -> Move {
    let plies = |mv: Move| match tables.dtz(&position.play_unchecked(mv)) {
        Some(dtz) if dtz.plies > 0 => dtz.plies,
        _ => i32::MAX,
    };
    let moves = position.legal_moves();
    *moves.iter().max_by_key(|&&mv| plies(mv)).expect("a move")
}

/// The best move of a short search keeps the value of the position.
fn assert_keeps_value(searcher: &mut Searcher, known: &Tablebases, position: Position) {
    if !position.has_moves() || position.is_insufficient_material() {
        return;
    }
    let results = run(searcher, &Game::new(position), Limits::depth(2));
    let next = position.play_unchecked(results.best_move());
    let value = known.wdl(&position);
    if next.has_moves() && !next.is_insufficient_material() {
        assert_eq!(known.wdl(&next).map(|wdl| -wdl), value, "{position}");
    } else {
        assert!(next.is_checkmate() || value == Some(search::Wdl::Draw));
    }
}
