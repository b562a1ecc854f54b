//! The positions of a game as it sees them, and chess as one kind of them.

use crate::moves::Move;
use crate::piece::Color;
use crate::position::Position;

/// A position of a variant of chess whose games have the claims and the end of standard ones.
pub trait GamePosition: Copy + PartialEq {
    /// A move.
    type Move: Copy;

    /// The side to move.
    fn side_to_move(&self) -> Color;

    /// Plies since the last capture or pawn move.
    fn halfmove_clock(&self) -> u16;

    /// True if the side to move is in check.
    fn in_check(&self) -> bool;

    /// True if there is a legal move.
    fn has_moves(&self) -> bool;

    /// True if neither side can mate.
    fn is_insufficient_material(&self) -> bool;

    /// True if both are one position that has occurred twice; clocks do not count.
    fn same_position(&self, other: &Self) -> bool;

    /// The position after a move, if it is legal.
    fn try_play(&self, mv: Self::Move) -> Option<Self>;

    /// The position in which games by these rules begin.
    fn initial(&self) -> Self;
}

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
        self.is_insufficient_material()
    }

    fn same_position(&self, other: &Self) -> bool {
        self.same_position(other)
    }

    fn try_play(&self, mv: Move) -> Option<Self> {
        self.try_play(mv)
    }

    fn initial(&self) -> Self {
        Self {
            variant: self.variant,
            ..Self::default()
        }
    }
}
