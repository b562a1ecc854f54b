//! Quiet moves by the pawn structure they were good in.

use super::continuation::{ARRIVALS, Arrival};
use super::nudge;
use movegen::Position;

#[derive(Debug)]
pub(crate) struct PawnHistory([i16; STRUCTURES * ARRIVALS]);

const STRUCTURES: usize = 1024;

#[inline]
fn place(position: &Position, now: Arrival) -> usize {
    (position.keys().pawns as usize % STRUCTURES) * ARRIVALS + now.index()
}

impl PawnHistory {
    pub(super) fn forget(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    pub(crate) fn get(&self, position: &Position, now: Arrival) -> i32 {
        i32::from(self.0[place(position, now)])
    }

    pub(crate) fn update(&mut self, position: &Position, now: Arrival, bonus: i32) {
        nudge(&mut self.0[place(position, now)], bonus);
    }
}
