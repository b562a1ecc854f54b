//! Captures and promotions by the man that moves, its square, and what it takes.

use super::nudge;
use movegen::{Move, Position, Role};

#[derive(Debug)]
pub(crate) struct CaptureHistory([i16; 12 * 64 * TAKEN]);

/// Six roles, and nothing (a promotion by a push).
const TAKEN: usize = 7;

/// What a noisy move takes.
#[inline]
pub(crate) fn taken(position: &Position, mv: Move) -> Option<Role> {
    if mv.is_en_passant() {
        Some(Role::Pawn)
    } else {
        position.role_on(mv.to())
    }
}

#[inline]
fn place(position: &Position, mv: Move) -> usize {
    let man = position
        .piece_on(mv.from())
        .map_or(0, movegen::Piece::index);
    let taken = taken(position, mv).map_or(TAKEN - 1, Role::index);
    (man * 64 + mv.to().index()) * TAKEN + taken
}

impl CaptureHistory {
    pub(super) fn forget(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    pub(crate) fn get(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.0[place(position, mv)])
    }

    pub(crate) fn update(&mut self, position: &Position, mv: Move, bonus: i32) {
        nudge(&mut self.0[place(position, mv)], bonus);
    }
}
