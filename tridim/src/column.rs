//! Columns: what the boards look like from above, where every move is a move of ordinary chess.

use movegen::Color;

/// The files z, a, b, c, d, e, numbered 0-5.
pub(crate) const FILES: u8 = 6;
/// The ranks 0-9.
pub(crate) const RANKS: u8 = 10;

/// A file and a rank, whatever stands there at whatever height; z0 = 0, a0 = 1 … e9 = 59.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Column(u8);

/// The lines a bishop moves along, as steps of file and rank.
pub(crate) const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
/// The lines a rook moves along.
pub(crate) const STRAIGHTS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub(crate) const KNIGHT_STEPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

impl Column {
    pub const COUNT: usize = (FILES * RANKS) as usize;

    pub(crate) const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < FILES && rank < RANKS {
            Some(Self(rank * FILES + file))
        } else {
            None
        }
    }

    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index % Self::COUNT as u8)
    }

    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }

    /// 0 for the z-file … 5 for the e-file.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % FILES
    }

    /// 0-9.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 / FILES
    }

    /// The column so many files and ranks away, if the boards can ever reach that far.
    #[must_use]
    pub const fn step(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file().wrapping_add_signed(files);
        let rank = self.rank().wrapping_add_signed(ranks);
        Self::at(file, rank)
    }

    /// The columns met along a line, the nearest first.
    pub fn line(self, (files, ranks): (i8, i8)) -> impl Iterator<Item = Self> {
        std::iter::successors(self.step(files, ranks), move |column| {
            column.step(files, ranks)
        })
    }

    /// The columns between two on one line, the ends left out; none when no line joins them.
    pub(crate) fn between(self, other: Self) -> impl Iterator<Item = Self> {
        let files = other.file() as i8 - self.file() as i8;
        let ranks = other.rank() as i8 - self.rank() as i8;
        let joined = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        self.line((files.signum(), ranks.signum()))
            .take_while(move |&column| joined && self != other && column != other)
    }
}

/// The step of ranks that is forward for a side.
#[must_use]
pub(crate) const fn forward(side: Color) -> i8 {
    match side {
        Color::White => 1,
        Color::Black => -1,
    }
}
