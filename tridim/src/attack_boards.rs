//! Moves of attack boards: who controls a board, where it may move, and why it may not.
//!
//! Checks are tested in `legal_moves`, as for every move.

use movegen::{Color, Role};
use thiserror::Error;

use crate::moves::Move;
use crate::pin::Pin;
use crate::placement::Placement;
use crate::position::Position;
use crate::square::Square;
use crate::square_set::SquareSet;

/// The reason an attack board cannot make a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BoardMoveError {
    #[error("no attack board stands on {0}")]
    NoBoard(Pin),
    #[error("the board on {pin} carries {count} pieces; it moves with at most one")]
    TooManyPieces { pin: Pin, count: u32 },
    #[error("{controller} controls the board on {pin}")]
    NotControlled { pin: Pin, controller: Color },
    #[error("the board on {0} cannot rotate in place: the game is played without rotation")]
    NoRotation(Pin),
    #[error("the board on {from} can move to {}, not to {to}", names(*from))]
    NotAdjacent { from: Pin, to: Pin },
    #[error("{0} is occupied by another board")]
    PinTaken(Pin),
    #[error("the board on {from} carries a piece: it moves forward or sideways, not back to {to}")]
    Backward { from: Pin, to: Pin },
    #[error("on {pin} the board would be directly above or below the {} on {square}", role.name())]
    Shadow {
        pin: Pin,
        role: Role,
        square: Square,
    },
}

fn names(from: Pin) -> String {
    let names: Vec<String> = from.adjacent().map(|pin| pin.to_string()).collect();
    names.join(", ")
}

impl Placement {
    /// Returns who may move the board on a pin: the side with pieces on it, or its owner when it
    /// is empty. `None` when both sides have pieces on it.
    pub fn controller(&self, pin: Pin) -> Option<Color> {
        let owner = self.owner(pin)?;
        let here = SquareSet::of_pin(pin);
        let has_pieces = Color::ALL.map(|side| (self.by_color(side) & here).any());
        match has_pieces {
            [true, true] => None,
            [true, false] => Some(Color::White),
            [false, true] => Some(Color::Black),
            [false, false] => Some(owner),
        }
    }

    /// Returns a piece other than a knight directly above or below a square of a board on `to`,
    /// not counting the squares of the board itself.
    fn shadowing_piece(&self, from: Pin, to: Pin) -> Option<(Role, Square)> {
        let own = SquareSet::of_pin(from) | SquareSet::of_pin(to);
        SquareSet::of_pin(to)
            .into_iter()
            .flat_map(|square| self.on_column(square.column()) & self.occupied() & !own)
            .filter_map(|square| self.piece_on(square).map(|piece| (piece.role(), square)))
            .find(|&(role, _)| role != Role::Knight)
    }
}

impl Position {
    /// Checks that the side to move may move the board on a pin; returns the number of pieces on
    /// it.
    pub(crate) fn check_board_control(&self, from: Pin) -> Result<u32, BoardMoveError> {
        let placement = self.placement();
        if placement.owner(from).is_none() {
            return Err(BoardMoveError::NoBoard(from));
        }
        let count = (placement.occupied() & SquareSet::of_pin(from)).count();
        if count > 1 {
            return Err(BoardMoveError::TooManyPieces { pin: from, count });
        }
        if let Some(controller) = placement.controller(from)
            && controller != self.side_to_move
        {
            return Err(BoardMoveError::NotControlled {
                pin: from,
                controller,
            });
        }
        Ok(count)
    }

    /// Checks a board move by every rule but the safety of the king.
    pub(crate) fn check_board_move(&self, from: Pin, to: Pin) -> Result<(), BoardMoveError> {
        let count = self.check_board_control(from)?;
        let placement = self.placement();
        if from == to {
            return if self.rules().rotation {
                Ok(())
            } else {
                Err(BoardMoveError::NoRotation(from))
            };
        }
        if !from.adjacent().any(|pin| pin == to) {
            return Err(BoardMoveError::NotAdjacent { from, to });
        }
        if placement.owner(to).is_some() {
            return Err(BoardMoveError::PinTaken(to));
        }
        if count == 1 && from.is_backward(to, self.side_to_move) {
            return Err(BoardMoveError::Backward { from, to });
        }
        match placement.shadowing_piece(from, to) {
            Some((role, square)) => Err(BoardMoveError::Shadow {
                pin: to,
                role,
                square,
            }),
            None => Ok(()),
        }
    }

    /// Pseudo-legal moves of attack boards.
    pub(crate) fn board_moves(&self, moves: &mut Vec<Move>) {
        for from in Pin::all().filter(|&pin| self.placement().owner(pin).is_some()) {
            let goals = from.adjacent().chain(std::iter::once(from));
            for to in goals.filter(|&to| self.check_board_move(from, to).is_ok()) {
                let plain = Move::Board {
                    from,
                    to,
                    promotion: None,
                };
                self.push_with_promotions(plain, moves);
            }
        }
    }
}
