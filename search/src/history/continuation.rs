//! Moves by what was played one, two, four and six plies before.

use super::nudge;
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

/// The moves that led to a position, as far as the tables look at them: the row of each in
/// the table. Where there was none, or a null move, it is the last row, which stays zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before([usize; PLIES_BEFORE.len()]);

const NO_ROW: usize = ARRIVALS * ARRIVALS;

impl Before {
    #[inline]
    pub(crate) fn new(arrivals: [Option<Arrival>; PLIES_BEFORE.len()]) -> Self {
        let row = |arrival: Arrival| arrival.index() * ARRIVALS;
        Self(arrivals.map(|arrival| arrival.map_or(NO_ROW, row)))
    }
}

#[derive(Debug)]
pub(crate) struct ContinuationHistory([i16; NO_ROW + ARRIVALS]);

impl ContinuationHistory {
    pub(super) fn forget(&mut self) {
        self.0.fill(0);
    }

    /// What all of the past says of a move.
    #[inline]
    pub(crate) fn sum(&self, before: &Before, now: Arrival) -> i32 {
        before
            .0
            .iter()
            .map(|row| i32::from(self.0[row + now.index()]))
            .sum()
    }

    /// What the last two plies say of a move.
    #[inline]
    pub(crate) fn recent(&self, before: &Before, now: Arrival) -> i32 {
        let [last, before_it, ..] = before.0;
        i32::from(self.0[last + now.index()]) + i32::from(self.0[before_it + now.index()])
    }

    pub(crate) fn update(&mut self, before: &Before, now: Arrival, bonus: i32) {
        for (&row, (_, weight)) in before.0.iter().zip(PLIES_BEFORE) {
            if row != NO_ROW {
                nudge(&mut self.0[row + now.index()], bonus * weight / 4);
            }
        }
    }
}
