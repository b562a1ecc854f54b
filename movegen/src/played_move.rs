//! A move of a game, as reasons name it.

use crate::piece::Color;
use crate::san_parts::San;
use core::fmt;

/// A move that was played in a game, displayed as `2. Ke2` or `2... Ke7`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlayedMove {
    /// The place of the move among the moves of the game, 1 for the first.
    pub ply: usize,
    /// The number of its pair of moves, which may start above 1.
    pub number: u16,
    /// The side that made it.
    pub color: Color,
    /// The move.
    pub san: San,
}

impl fmt::Display for PlayedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = match self.color {
            Color::White => ".",
            Color::Black => "...",
        };
        write!(f, "{}{dots} {}", self.number, self.san)
    }
}
