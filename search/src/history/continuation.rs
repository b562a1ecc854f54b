//! Continuation history: quiet moves by the moves one, two, four and six plies earlier.

use super::{LIMIT, RowByPiece, gravity, moving_piece};
use crate::params::trial;
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

    /// The same as an earlier move of the continuation history.
    #[inline]
    pub(crate) fn of_kind(position: &Position, mv: Move) -> Self {
        let kind = usize::from(position.in_check()) * 2 + usize::from(position.is_noisy(mv));
        let Self(index) = Self::of(position, mv);
        Self(index + (kind * PIECE_TO * trial::continuation_split() as usize) as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0) % PIECE_TO
    }
}

/// The number of plies before, and the weight of that move in an update, in 1/4.
pub(crate) const CONTINUATION_PLIES: [(usize, i32); 4] = [(1, 4), (2, 4), (4, 2), (6, 1)];

/// The moves that led to a node, as indices of the table. Where there is none, or a null move, it
/// is the last one, whose entries stay zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContinuationContext([usize; CONTINUATION_PLIES.len()]);

/// By whether the earlier move was played in check, and whether it was noisy.
const KINDS: usize = if cfg!(feature = "tune") { 4 } else { 1 };
const NO_MOVE: usize = PIECE_TO * KINDS;

impl ContinuationContext {
    #[inline]
    pub(crate) fn new(moves: [Option<PieceTo>; CONTINUATION_PLIES.len()]) -> Self {
        Self(moves.map(|piece_to| piece_to.map_or(NO_MOVE, |PieceTo(index)| index.into())))
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

    pub(crate) fn update(
        &mut self,
        context: &ContinuationContext,
        piece_to: PieceTo,
        bonus: i32,
        in_check: bool,
    ) {
        let to = piece_to.index();
        let entries = context.0.map(|earlier| i32::from(self.0[earlier][to]));
        let base = entries.iter().sum::<i32>() / 2;
        for (&earlier, (plies, weight)) in context.0.iter().zip(CONTINUATION_PLIES) {
            let spared = in_check && plies > 2 && trial::short_updates_in_check() == 1;
            if earlier != NO_MOVE && !spared && trial::continuation_base() == 1 {
                const MOST: i32 = 32_000;
                let bonus = bonus * weight / 4;
                let entry = &mut self.0[earlier][to];
                let value = i32::from(*entry) + bonus - base * bonus.abs() / LIMIT;
                *entry = value.clamp(-MOST, MOST) as i16;
            } else if earlier != NO_MOVE && !spared {
                gravity::<LIMIT>(&mut self.0[earlier][piece_to.index()], bonus * weight / 4);
            }
        }
    }
}
