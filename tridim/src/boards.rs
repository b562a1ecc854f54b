//! Moves of attack boards: who controls a board, where it may go, and why it may not.
//!
//! Whether a king is left in check is asked elsewhere, as of every move.

use crate::mv::Move;
use crate::pin::Pin;
use crate::position::Position;
use crate::square::Square;
use crate::squares::SquareSet;
use crate::world::World;
use movegen::{Color, Role};
use thiserror::Error;

/// Why an attack board does not go there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BoardRefusal {
    #[error("no attack board stands on {0}")]
    NoBoard(Pin),
    #[error("{count} men stand on the board on {pin}: it moves with one at most")]
    TooManyMen { pin: Pin, count: u32 },
    #[error("{controller} controls the board on {pin}")]
    NotYours { pin: Pin, controller: Color },
    #[error("the board on {0} turns in place only in a game played with rotation")]
    NoRotation(Pin),
    #[error("from {from} a board goes to {}, not to {to}", names(*from))]
    NotNext { from: Pin, to: Pin },
    #[error("another board stands on {0}")]
    PinTaken(Pin),
    #[error("with a man on it the board on {from} goes forward or sideways, not back to {to}")]
    Backward { from: Pin, to: Pin },
    #[error("on {pin} the board would stand above or below the {} on {square}", role.name())]
    Shadow {
        pin: Pin,
        role: Role,
        square: Square,
    },
}

fn names(from: Pin) -> String {
    let names: Vec<String> = from.neighbours().map(|pin| pin.to_string()).collect();
    names.join(", ")
}

impl World {
    /// Who may move the board on a pin: whose man stands on it, or, when it is empty, whose
    /// it is. Nobody, when both sides have men on it.
    #[must_use]
    pub fn controller(&self, pin: Pin) -> Option<Color> {
        let owner = self.owner(pin)?;
        let here = SquareSet::of_pin(pin);
        let has_men = Color::ALL.map(|side| (self.side(side) & here).any());
        match has_men {
            [true, true] => None,
            [true, false] => Some(Color::White),
            [false, true] => Some(Color::Black),
            [false, false] => Some(owner),
        }
    }

    /// A man, not a knight, above or below one of the squares a board on this pin has; the
    /// board's own squares aside, and those of the pin it comes from.
    fn in_the_way(&self, from: Pin, to: Pin) -> Option<(Role, Square)> {
        let own = SquareSet::of_pin(from) | SquareSet::of_pin(to);
        SquareSet::of_pin(to)
            .into_iter()
            .flat_map(|square| self.on_column(square.column()) & self.occupied() & !own)
            .filter_map(|square| self.man_on(square).map(|man| (man.role(), square)))
            .find(|&(role, _)| role != Role::Knight)
    }
}

impl Position {
    /// Whether the side to move may move the board on a pin at all; with how many men on it.
    pub(crate) fn board_may_move(&self, from: Pin) -> Result<u32, BoardRefusal> {
        let world = self.world();
        if world.owner(from).is_none() {
            return Err(BoardRefusal::NoBoard(from));
        }
        let count = (world.occupied() & SquareSet::of_pin(from)).count();
        if count > 1 {
            return Err(BoardRefusal::TooManyMen { pin: from, count });
        }
        if let Some(controller) = world.controller(from)
            && controller != self.turn()
        {
            return Err(BoardRefusal::NotYours {
                pin: from,
                controller,
            });
        }
        Ok(count)
    }

    /// Whether the board on one pin may go to another as far as boards and pins are asked.
    pub(crate) fn board_may_go(&self, from: Pin, to: Pin) -> Result<(), BoardRefusal> {
        let count = self.board_may_move(from)?;
        let world = self.world();
        if from == to {
            return match self.rules().rotation {
                true => Ok(()),
                false => Err(BoardRefusal::NoRotation(from)),
            };
        }
        if !from.neighbours().any(|pin| pin == to) {
            return Err(BoardRefusal::NotNext { from, to });
        }
        if world.owner(to).is_some() {
            return Err(BoardRefusal::PinTaken(to));
        }
        if count == 1 && from.is_backward(to, self.turn()) {
            return Err(BoardRefusal::Backward { from, to });
        }
        match world.in_the_way(from, to) {
            Some((role, square)) => Err(BoardRefusal::Shadow {
                pin: to,
                role,
                square,
            }),
            None => Ok(()),
        }
    }

    /// Moves of attack boards, checks not asked about.
    pub(crate) fn board_moves(&self, moves: &mut Vec<Move>) {
        for from in Pin::all().filter(|&pin| self.world().owner(pin).is_some()) {
            let goals = from.neighbours().chain(std::iter::once(from));
            for to in goals.filter(|&to| self.board_may_go(from, to).is_ok()) {
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
