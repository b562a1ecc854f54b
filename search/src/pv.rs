//! Principal variations, one for each ply, the lower-left triangle of a square.

use crate::score::MAX_PLY;
use movegen::Move;

/// One ply's best line so far.
#[derive(Clone, Debug)]
struct Line {
    moves: [Option<Move>; MAX_PLY + 1],
    len: usize,
}

#[derive(Debug)]
pub(crate) struct Lines(Box<[Line]>);

impl Lines {
    pub(crate) fn new() -> Self {
        let empty = Line {
            moves: [None; MAX_PLY + 1],
            len: 0,
        };
        Self(vec![empty; MAX_PLY + 2].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].len = 0;
    }

    /// A move and the line found after it become this ply's line.
    pub(crate) fn set(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, below) = (&mut upper[ply], &lower[0]);
        let len = below.len.min(MAX_PLY);
        line.moves[0] = Some(mv);
        line.moves[1..=len].copy_from_slice(&below.moves[..len]);
        line.len = len + 1;
    }

    /// The line from a ply on.
    pub(crate) fn get(&self, ply: usize) -> Vec<Move> {
        let line = &self.0[ply];
        line.moves[..line.len].iter().copied().flatten().collect()
    }
}
