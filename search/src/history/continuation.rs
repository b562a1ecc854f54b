//! Continuation history: quiet moves by the moves one, two, four and six plies earlier.

use super::written::Written;
use super::{LIMIT, RowByPiece, gravity, moving_piece};
use movegen::{Move, Piece, Position};

/// A piece and the square it moves to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

/// The number of pairs of piece and destination.
pub(crate) const PIECE_TO: usize = Piece::ALL.len() * 64;

impl PieceTo {
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        let piece = moving_piece(position, mv);
        Self((piece.index() * 64 + mv.to().index()) as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The number of plies before, and the weight of that move in an update, in 1/4.
pub(crate) const CONTINUATION_PLIES: [(usize, i32); 4] = [(1, 4), (2, 4), (4, 2), (6, 1)];

/// The moves that led to a node, as indices of the table. Where there is none, or a null move, it
/// is the last one, whose entries stay zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContinuationContext([usize; CONTINUATION_PLIES.len()]);

const NO_MOVE: usize = PIECE_TO;

impl ContinuationContext {
    #[inline]
    pub(crate) fn new(moves: [Option<PieceTo>; CONTINUATION_PLIES.len()]) -> Self {
        Self(moves.map(|piece_to| piece_to.map_or(NO_MOVE, PieceTo::index)))
    }
}

#[derive(Debug)]
pub(crate) struct ContinuationHistory([RowByPiece; NO_MOVE + 1]);

impl ContinuationHistory {
    /// The rows after each earlier move.
    #[inline]
    pub(super) fn rows(
        &self,
        context: &ContinuationContext,
    ) -> [&RowByPiece; CONTINUATION_PLIES.len()] {
        context.0.map(|earlier| &self.0[earlier])
    }

    pub(super) fn update(
        &mut self,
        context: &ContinuationContext,
        piece_to: PieceTo,
        bonus: i32,
        written: &mut Written,
    ) {
        for (&earlier, (_, weight)) in context.0.iter().zip(CONTINUATION_PLIES) {
            if earlier != NO_MOVE {
                let entry = &mut self.0[earlier][piece_to.index()];
                gravity::<LIMIT>(entry, bonus * weight / 4, written);
            }
        }
    }
}
