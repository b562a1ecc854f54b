//! Syzygy endgame tablebases: which are available, and what they say about a position.
//!
//! Knows nothing of the search; `negamax::tablebases` and `root` probe on its behalf. A missing,
//! broken or deleted table is not an error here: its positions are unknown.

mod convert;
mod files;
#[cfg(target_family = "wasm")]
mod no_files;
pub(crate) mod root;

pub use files::{TablebaseCount, TablebaseError};

use files::CachingFiles;
use movegen::Position;
use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;
use std::collections::HashSet;
use std::ops::Neg;
use std::path::PathBuf;
use std::sync::Arc;

/// The value of a position for the side to move with the halfmove clock at zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    Loss,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss,
    Draw,
    /// Won, but drawn by the fifty-move rule.
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

/// Distance to zeroing (DTZ): plies to the next capture, pawn move or mate when the winner
/// hurries and the loser delays, both keeping the value of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dtz {
    /// Positive when the side to move wins, 0 in drawn positions. Beyond 100 the fifty-move rule
    /// draws, in this stretch of the game or, with 100 added, in a later one.
    pub plies: i32,
    /// It may be one ply more: most tables count in moves.
    pub rounded: bool,
}

impl Dtz {
    const DRAW: Self = Self {
        plies: 0,
        rounded: false,
    };
}

/// The tables found in some directories. Files are opened when first needed.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    count: TablebaseCount,
}

impl Default for Tablebases {
    fn default() -> Self {
        Self::find(&[]).0
    }
}

impl Tablebases {
    /// Searches the directories; of two tables with the same name, the first is used. Returns
    /// the errors along with what can be used.
    pub fn find(directories: &[PathBuf]) -> (Self, Vec<TablebaseError>) {
        let mut tables = Tablebase::with_filesystem(Arc::new(CachingFiles::default()));
        let mut count = TablebaseCount::default();
        let mut known = HashSet::new();
        let errors = directories
            .iter()
            .filter_map(|directory| {
                files::add(&mut tables, directory, &mut known, &mut count).err()
            })
            .collect();
        (Self { tables, count }, errors)
    }

    pub fn count(&self) -> TablebaseCount {
        self.count
    }

    /// The value of a position with its halfmove clock at zero.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        let position = self.convert(position)?;
        let wdl = self.tables.probe_wdl_after_zeroing(&position).ok()?;
        Some(wdl.into())
    }

    /// The distance to zeroing, whatever the halfmove clock.
    pub fn dtz(&self, position: &Position) -> Option<Dtz> {
        let position = self.convert(position)?;
        let dtz = self.tables.probe_dtz(&position).ok()?;
        Some(Dtz {
            plies: dtz.ignore_rounding().0,
            rounded: dtz.precise().is_none(),
        })
    }

    fn convert(&self, position: &Position) -> Option<Chess> {
        if position.occupied().count() > self.count.pieces || !position.castling_rights().is_empty()
        {
            return None;
        }
        convert::convert(position)
    }
}

/// Limits on the use of tablebases in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablebaseUse {
    /// Positions with as many pieces as the largest table are probed from this depth on; those
    /// with fewer at any depth.
    pub depth: u32,
    /// Positions with more pieces are not probed.
    pub max_pieces: u32,
    /// The fifty-move rule draws won positions.
    pub fifty_moves: bool,
}

impl Default for TablebaseUse {
    fn default() -> Self {
        Self {
            depth: 1,
            max_pieces: 7,
            fifty_moves: true,
        }
    }
}

/// The tablebases as one search may use them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TbProber<'a> {
    tablebases: &'a Tablebases,
    pub(crate) depth: i32,
    pub(crate) max_pieces: u32,
    fifty_moves: bool,
}

impl<'a> TbProber<'a> {
    /// `None` when no position could be probed.
    pub(crate) fn new(tablebases: &'a Tablebases, usage: TablebaseUse) -> Option<Self> {
        let max_pieces = usage.max_pieces.min(tablebases.count.pieces);
        (max_pieces > 0).then(|| Self {
            tablebases,
            depth: i32::try_from(usage.depth).unwrap_or(i32::MAX),
            max_pieces,
            fifty_moves: usage.fifty_moves,
        })
    }

    /// True if the position is one that may be probed.
    #[inline]
    pub(crate) fn covers(&self, position: &Position) -> bool {
        position.occupied().count() <= self.max_pieces && position.castling_rights().is_empty()
    }

    /// The value of a position with its halfmove clock at zero; without the fifty-move rule there
    /// are no cursed wins or blessed losses.
    pub(crate) fn wdl(&self, position: &Position) -> Option<Wdl> {
        let wdl = self.tablebases.wdl(position)?;
        Some(match wdl {
            Wdl::CursedWin if !self.fifty_moves => Wdl::Win,
            Wdl::BlessedLoss if !self.fifty_moves => Wdl::Loss,
            _ => wdl,
        })
    }
}
