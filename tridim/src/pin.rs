//! The twelve pins for attack boards: their names, ranks and neighbors.

use std::fmt;
use std::str::FromStr;

use common::excerpt;
use movegen::Color;
use thiserror::Error;

/// The side of the board a pin is on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Flank {
    /// Files z and a.
    Queen,
    /// Files d and e.
    King,
}

impl Flank {
    pub const ALL: [Self; 2] = [Self::Queen, Self::King];

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Queen => Self::King,
            Self::King => Self::Queen,
        }
    }
}

/// A pin, QL1 = 0, KL1 = 1, QL2 = 2 … KL6 = 11.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pin(u8);

/// The reason a text is not a pin.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a pin: expected QL or KL and a level 1-6, such as QL1")]
pub struct PinError(pub String);

/// The lower of the two ranks a board covers, by level.
const LOWEST_RANK: [u8; 6] = [0, 4, 2, 6, 4, 8];

/// The adjacent levels of each level on the same flank.
const NEXT_LEVELS: [&[u8]; 6] = [
    &[2, 3],
    &[1, 3, 4],
    &[1, 2, 4, 5],
    &[2, 3, 5, 6],
    &[3, 4, 6],
    &[4, 5],
];

impl Pin {
    pub const COUNT: usize = 12;

    /// The pin of a flank at a level from 1 to 6.
    pub const fn new(flank: Flank, level: u8) -> Self {
        Self(level.wrapping_sub(1) % 6 * 2 + flank as u8)
    }

    /// Every pin, the lowest level first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The pin on which a side's board starts: level 1 for White, 6 for Black.
    pub const fn home(flank: Flank, side: Color) -> Self {
        match side {
            Color::White => Self::new(flank, 1),
            Color::Black => Self::new(flank, 6),
        }
    }

    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index % Self::COUNT as u8)
    }

    pub const fn index(self) -> usize {
        (self.0 % Self::COUNT as u8) as usize
    }

    pub const fn flank(self) -> Flank {
        match self.0 % 2 {
            0 => Flank::Queen,
            _ => Flank::King,
        }
    }

    /// From 1 to 6.
    pub const fn level(self) -> u8 {
        self.0 / 2 + 1
    }

    /// The lower of the two ranks a board on this pin covers.
    pub const fn lowest_rank(self) -> u8 {
        LOWEST_RANK[self.index() / 2]
    }

    /// The pins a board can move to: the adjacent levels on this flank, then straight across.
    pub fn adjacent(self) -> impl Iterator<Item = Self> {
        let levels = NEXT_LEVELS[self.index() / 2].iter();
        let along = levels.map(move |&level| Self::new(self.flank(), level));
        along.chain(std::iter::once(Self::new(
            self.flank().other(),
            self.level(),
        )))
    }

    /// True if a move from here is backward, towards the side's home.
    pub const fn is_backward(self, to: Self, side: Color) -> bool {
        match side {
            Color::White => to.level() < self.level(),
            Color::Black => to.level() > self.level(),
        }
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flank = match self.flank() {
            Flank::Queen => "QL",
            Flank::King => "KL",
        };
        write!(f, "{flank}{}", self.level())
    }
}

impl fmt::Debug for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Pin {
    type Err = PinError;

    fn from_str(text: &str) -> Result<Self, PinError> {
        let flank = match text.get(..2) {
            Some("QL") => Flank::Queen,
            Some("KL") => Flank::King,
            _ => return Err(PinError(excerpt(text))),
        };
        match text.as_bytes().get(2..) {
            Some(&[level @ b'1'..=b'6']) => Ok(Self::new(flank, level - b'0')),
            _ => Err(PinError(excerpt(text))),
        }
    }
}
