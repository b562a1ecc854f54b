//! Quiet moves by side, squares, and whether either square is attacked.

use super::nudge;
use movegen::{Bitboard, Color, Move};

#[derive(Debug)]
pub(crate) struct QuietHistory([i16; 2 * 4 * SQUARES]);

const SQUARES: usize = 64 * 64;

#[inline]
fn place(turn: Color, threats: Bitboard, mv: Move) -> usize {
    let (from, to) = (mv.from(), mv.to());
    let threatened = usize::from(threats.has(from)) * 2 + usize::from(threats.has(to));
    (turn.index() * 4 + threatened) * SQUARES + from.index() * 64 + to.index()
}

impl QuietHistory {
    pub(super) fn forget(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    pub(crate) fn get(&self, turn: Color, threats: Bitboard, mv: Move) -> i32 {
        i32::from(self.0[place(turn, threats, mv)])
    }

    pub(crate) fn update(&mut self, turn: Color, threats: Bitboard, mv: Move, bonus: i32) {
        nudge(&mut self.0[place(turn, threats, mv)], bonus);
    }
}
