//! A list of moves that lives on the stack.

use crate::moves::Move;
use crate::square::Square;
use std::fmt;
use std::ops::Deref;

/// No legal position has more moves (the record known is 218).
pub const MAX_MOVES: usize = 256;

/// The moves of one position.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    len: usize,
}

impl MoveList {
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self {
            moves: [Move::normal(Square::A1, Square::A1); MAX_MOVES],
            len: 0,
        }
    }

    /// Adds a move; past the capacity, which no legal position reaches, it is left out.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.moves.get(..self.len).unwrap_or_default()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
