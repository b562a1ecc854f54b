//! Endgame tables in Syzygy's format: which are there, and what they say of a position.
//!
//! Knows nothing of the search; `probe`, `ranking` and `line` ask on its behalf. A table that is
//! missing, broken, or gone since it was found is no error here: it just does not know.

mod board;
mod files;
mod folders;
pub(crate) mod line;
pub(crate) mod probe;
pub(crate) mod ranking;

pub use folders::{Count, TablebaseError};

use files::Files;
use movegen::Position;
use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;
use std::collections::HashSet;
use std::ops::Neg;
use std::path::PathBuf;
use std::sync::Arc;

/// What a position is worth to the side to move when the fifty-move clock stands at zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    Win,
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Self {
        match wdl {
            shakmaty_syzygy::Wdl::Loss => Self::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Self::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Self::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Self::CursedWin,
            shakmaty_syzygy::Wdl::Win => Self::Win,
        }
    }
}

/// How far the next capture, pawn move or mate is when the winner hurries and the loser delays
/// it, neither giving away what the position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    /// Positive when the side to move wins, 0 in drawn positions. Beyond 100 the fifty-move rule
    /// draws, in this stretch of the game or, with 100 added, in a later one.
    pub plies: i32,
    /// It may be one ply further: most tables count in moves.
    pub rounded: bool,
}

impl Distance {
    pub(crate) const DRAW: Self = Self {
        plies: 0,
        rounded: false,
    };
}

/// The tables found in some folders. Files are opened when first needed.
#[derive(Debug, Default)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    count: Count,
}

impl Tablebases {
    /// Looks through the folders; where two have the same table, the first one's is used. What
    /// is wrong with a folder or a file is said, and the rest used.
    #[must_use]
    pub fn find(folders: &[PathBuf]) -> (Self, Vec<TablebaseError>) {
        let mut tables = Tablebase::with_filesystem(Arc::new(Files::default()));
        let mut count = Count::default();
        let mut known = HashSet::new();
        let errors = folders
            .iter()
            .filter_map(|folder| folders::add(&mut tables, folder, &mut known, &mut count).err())
            .collect();
        (Self { tables, count }, errors)
    }

    #[must_use]
    pub fn count(&self) -> Count {
        self.count
    }

    /// What a position is worth, were its fifty-move clock at zero.
    #[must_use]
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        let position = self.convert(position)?;
        let wdl = self.tables.probe_wdl_after_zeroing(&position).ok()?;
        Some(wdl.into())
    }

    /// How far the next step of a position is, whatever its fifty-move clock.
    #[must_use]
    pub fn distance(&self, position: &Position) -> Option<Distance> {
        let position = self.convert(position)?;
        let distance = self.tables.probe_dtz(&position).ok()?;
        Some(Distance {
            plies: distance.ignore_rounding().0,
            rounded: distance.precise().is_none(),
        })
    }

    fn convert(&self, position: &Position) -> Option<Chess> {
        if position.occupied().count() > self.count.men || !position.castling_rights().is_empty() {
            return None;
        }
        board::convert(position)
    }
}

/// How a search may use the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablebaseUse {
    /// Positions with as many men as any table has are looked up from this depth on; those with
    /// fewer at any.
    pub depth: u32,
    /// Positions with more men are not looked up.
    pub most_men: u32,
    /// The fifty-move rule draws won positions.
    pub fifty_moves: bool,
}

impl Default for TablebaseUse {
    fn default() -> Self {
        Self {
            depth: 1,
            most_men: 7,
            fifty_moves: true,
        }
    }
}

/// The tables as one search may use them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access<'a> {
    tables: &'a Tablebases,
    depth: i32,
    most_men: u32,
    fifty_moves: bool,
}

impl<'a> Access<'a> {
    /// `None` when no position could be looked up.
    pub(crate) fn new(tables: &'a Tablebases, usage: TablebaseUse) -> Option<Self> {
        let most_men = usage.most_men.min(tables.count.men);
        (most_men > 0).then(|| Self {
            tables,
            depth: i32::try_from(usage.depth).unwrap_or(i32::MAX),
            most_men,
            fifty_moves: usage.fifty_moves,
        })
    }

    /// The position is one of those the tables are asked about.
    #[inline]
    pub(crate) fn covers(&self, position: &Position) -> bool {
        position.occupied().count() <= self.most_men && position.castling_rights().is_empty()
    }

    /// What a position is worth, were its fifty-move clock at zero; without that rule nothing
    /// is cursed or blessed.
    fn wdl(&self, position: &Position) -> Option<Wdl> {
        let wdl = self.tables.wdl(position)?;
        Some(match wdl {
            Wdl::CursedWin if !self.fifty_moves => Wdl::Win,
            Wdl::BlessedLoss if !self.fifty_moves => Wdl::Loss,
            _ => wdl,
        })
    }
}
