//! Games by the rules of chess for claims, repetition and the end.

use movegen::{Color, GamePosition};

use crate::moves::Move;
use crate::position::Position;

/// A position and the moves that led to it, with undo and redo.
pub type Game = movegen::Game<Position>;

impl GamePosition for Position {
    type Move = Move;

    fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    fn in_check(&self) -> bool {
        self.checkers().any()
    }

    fn has_moves(&self) -> bool {
        let moves = self.pseudo_legal_moves();
        moves.into_iter().any(|mv| self.leaves_king_safe(mv))
    }

    /// True if only the kings are left.
    fn is_insufficient_material(&self) -> bool {
        self.placement.occupied().count() <= 2
    }

    /// Boards, pieces, side to move and rights are equal; an activated board does not count.
    fn same_position(&self, other: &Self) -> bool {
        self.placement == other.placement
            && self.side_to_move == other.side_to_move
            && self.en_passant == other.en_passant
            && self.rights() == other.rights()
    }

    fn try_play(&self, mv: Move) -> Option<Self> {
        self.is_legal(mv).then(|| self.play_unchecked(mv))
    }

    fn initial(&self) -> Self {
        Self::start(self.rules)
    }
}
