//! Games by the rules of chess for claims, repetition and the end.

use movegen::{Color, GamePosition};

use crate::moves::Move;
use crate::position::Position;

/// A position and the moves that led to it, with undo and redo.
pub type Game = movegen::Game<Position>;

impl GamePosition for Position {
    type Move = Move;

    fn side_to_move(&self) -> Color {
        self.side_to_move()
    }

    fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock()
    }

    fn in_check(&self) -> bool {
        self.in_check()
    }

    fn has_moves(&self) -> bool {
        self.has_moves()
    }

    fn is_insufficient_material(&self) -> bool {
        self.is_bare_kings()
    }

    fn same_position(&self, other: &Self) -> bool {
        self.same_position(other)
    }

    fn try_play(&self, mv: Move) -> Option<Self> {
        self.try_play(mv)
    }

    fn initial(&self) -> Self {
        Self::start(self.rules())
    }
}
