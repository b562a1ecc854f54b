//! Endgame tables: what they say, how games are won with them, what is told of it, and what
//! becomes of a search whose tables are broken or gone.
//!
//! The tables of three men and two of four are in the project; more is tried where the tables
//! shared by all checkouts are at hand.

mod broken;
mod played;
mod told;
mod values;

use crate::searcher::fresh;
use movegen::{Position, Variant};
use search::{Searcher, Tablebases};
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy")
}

pub(crate) fn tables() -> Tablebases {
    let (tables, errors) = Tablebases::find(&[folder()]);
    assert!(errors.is_empty(), "{errors:?}");
    tables
}

/// All tables of four men, which are too large for the project.
pub(crate) fn shared_tables() -> Option<Tablebases> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/syzygy");
    if !folder.is_dir() {
        println!("skipped: there are no tables in {}", folder.display());
        return None;
    }
    let (tables, errors) = Tablebases::find(&[folder]);
    assert!(errors.is_empty(), "{errors:?}");
    Some(tables)
}

/// A search with the project's tables that knows nothing yet.
fn with_tables() -> Searcher {
    let mut search = fresh();
    search.set_tablebases(tables());
    search
}

/// Numbers that look random, the same every time.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new() -> Dice {
        Dice(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// A position with these men, White's in capitals, where the dice put them.
pub(crate) fn random_position(dice: &mut Dice, men: &str, clock: u32) -> Position {
    loop {
        let mut board = [None; 64];
        for man in men.chars() {
            board[dice.below(64)] = Some(man);
        }
        if board.iter().flatten().count() != men.len() {
            continue;
        }
        let ranks: Vec<String> = board
            .chunks(8)
            .map(|rank| {
                let squares = rank.iter().map(|man| man.unwrap_or('1'));
                squares.collect()
            })
            .collect();
        let turn = ['w', 'b'][dice.below(2)];
        let fen = format!("{} {turn} - - {clock} 80", ranks.join("/"));
        if let Ok(position) = Position::from_fen(&fen, Variant::Standard) {
            return position;
        }
    }
}
