//! Moves by what was played one, two, four and six plies before.

use super::{nudge, zeros};
use movegen::{Move, Piece, Position, Square};

/// A man and the square it goes to: what continuation tables are indexed by, twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival(u16);

pub(crate) const ARRIVALS: usize = 12 * 64;

impl Arrival {
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        let man = position.piece_on(mv.from()).unwrap_or(Piece::WhitePawn);
        Self::at(man, mv.to())
    }

    #[inline]
    fn at(man: Piece, to: Square) -> Self {
        Self((man.index() * 64 + to.index()) as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How many plies before, and how much what was played then weighs in an update, in 1/4.
pub(crate) const PLIES_BEFORE: [(usize, i32); 4] = [(1, 4), (2, 4), (4, 2), (6, 1)];

/// The moves that led to a position, as far as the tables look at them.
pub(crate) type Before = [Option<Arrival>; PLIES_BEFORE.len()];

#[derive(Debug)]
pub(crate) struct ContinuationHistory(Box<[i16]>);

impl ContinuationHistory {
    pub(crate) fn new() -> Self {
        Self(zeros(ARRIVALS * ARRIVALS))
    }

    pub(super) fn forget(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    pub(crate) fn get(&self, before: Arrival, now: Arrival) -> i32 {
        i32::from(self.0[before.index() * ARRIVALS + now.index()])
    }

    /// What all of the past says of a move.
    #[inline]
    pub(crate) fn sum(&self, before: &Before, now: Arrival) -> i32 {
        before
            .iter()
            .flatten()
            .map(|&earlier| self.get(earlier, now))
            .sum()
    }

    pub(crate) fn update(&mut self, before: &Before, now: Arrival, bonus: i32) {
        for (earlier, (_, weight)) in before.iter().zip(PLIES_BEFORE) {
            if let Some(earlier) = earlier {
                let entry = &mut self.0[earlier.index() * ARRIVALS + now.index()];
                nudge(entry, bonus * weight / 4);
            }
        }
    }
}
