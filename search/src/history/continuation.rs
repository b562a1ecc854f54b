//! Continuation history: quiet moves by the moves one, two, four and six plies earlier.

use super::gravity;
use movegen::{Move, Piece, Position};

/// A piece and the square it moves to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

/// How many there are.
pub(crate) const PIECE_TO: usize = 12 * 64;

impl PieceTo {
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        let piece = position.piece_on(mv.from()).unwrap_or(Piece::WhitePawn);
        Self((piece.index() * 64 + mv.to().index()) as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How many plies earlier, and the weight of that move in an update, in 1/4.
pub(crate) const CONTINUATION_PLIES: [(usize, i32); 4] = [(1, 4), (2, 4), (4, 2), (6, 1)];

/// The moves that led to a node, as rows of the table. Where there is none, or a null move, it
/// is the last row, which stays zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContinuationContext([usize; CONTINUATION_PLIES.len()]);

const NO_ROW: usize = PIECE_TO * PIECE_TO;

impl ContinuationContext {
    #[inline]
    pub(crate) fn new(moves: [Option<PieceTo>; CONTINUATION_PLIES.len()]) -> Self {
        let row = |piece_to: PieceTo| piece_to.index() * PIECE_TO;
        Self(moves.map(|piece_to| piece_to.map_or(NO_ROW, row)))
    }
}

#[derive(Debug)]
pub(crate) struct ContinuationHistory([i16; NO_ROW + PIECE_TO]);

impl ContinuationHistory {
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The sum over all earlier moves.
    #[inline]
    pub(crate) fn sum(&self, context: &ContinuationContext, piece_to: PieceTo) -> i32 {
        let entries = context.0.iter().map(|row| self.0[row + piece_to.index()]);
        entries.map(i32::from).sum()
    }

    /// The sum over the last two plies.
    #[inline]
    pub(crate) fn recent(&self, context: &ContinuationContext, piece_to: PieceTo) -> i32 {
        let [one, two, ..] = context.0;
        i32::from(self.0[one + piece_to.index()]) + i32::from(self.0[two + piece_to.index()])
    }

    pub(super) fn update(&mut self, context: &ContinuationContext, piece_to: PieceTo, bonus: i32) {
        for (&row, (_, weight)) in context.0.iter().zip(CONTINUATION_PLIES) {
            if row != NO_ROW {
                gravity(&mut self.0[row + piece_to.index()], bonus * weight / 4);
            }
        }
    }
}
