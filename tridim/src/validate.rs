//! From what was set up to a legal position, or what is wrong with it.

use crate::column::forward;
use crate::pin::Pin;
use crate::position::{Position, Rules};
use crate::setup::{Setup, is_pawn_start};
use crate::square::Square;
use crate::squares::SquareSet;
use movegen::{Color, Piece, Role};
use thiserror::Error;

/// Attack boards of each side.
const BOARDS: usize = 2;

/// Why a position cannot occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalPosition {
    #[error("{side} has {count} attack boards; each side has 2")]
    BoardCount { side: Color, count: usize },
    #[error("{side} has {count} kings; each side has 1")]
    KingCount { side: Color, count: u32 },
    #[error("the man on {0} cannot count as unmoved: only kings, rooks and pawns can")]
    UnmovedMan(Square),
    #[error("the pawn on {0} has moved: pawns do not start there")]
    UnmovedPawn(Square),
    #[error("the pawn on {0} would have promoted: it stands on its last rank")]
    PawnArrived(Square),
    #[error(
        "no board can have uncovered the pawn on {0}: as a queen or knight it attacks the king"
    )]
    UncoveredPawn(Square),
    #[error("{side} is in check from {attacker}, and it is not its turn")]
    KingCapturable { side: Color, attacker: Square },
    #[error("the pawn on {0} cannot have gone two steps just now")]
    EnPassant(Square),
    #[error("the board on {0} cannot have been activated: it has no legal move")]
    Held(Pin),
}

impl Setup {
    /// The position set up, if it is legal under these rules.
    pub fn position(&self, rules: Rules) -> Result<Position, IllegalPosition> {
        self.check_boards_and_kings()?;
        self.check_unmoved()?;
        let mut position = Position {
            world: self.world,
            turn: self.turn,
            unmoved: self.unmoved,
            en_passant: None,
            halfmove_clock: self.halfmove_clock,
            move_number: self.move_number.max(1),
            held: None,
            rules,
        };
        if let Some(pawn) = self.arrived_too_early() {
            return Err(IllegalPosition::PawnArrived(pawn));
        }
        let side = !self.turn;
        if let Some(attacker) = self.world.checkers(side).first() {
            return Err(IllegalPosition::KingCapturable { side, attacker });
        }
        if let Some(pawn) = position.waiting_pawn()
            && self.world.could_attack(side, pawn)
        {
            return Err(IllegalPosition::UncoveredPawn(pawn));
        }
        if let Some(pawn) = self.en_passant {
            if !self.has_gone_two_steps(pawn) {
                return Err(IllegalPosition::EnPassant(pawn));
            }
            position.en_passant = Some(pawn);
            position.forget_vain_en_passant();
        }
        match self.held {
            Some(pin) => position
                .activate(pin)
                .map_err(|_| IllegalPosition::Held(pin)),
            None => Ok(position),
        }
    }

    fn check_boards_and_kings(&self) -> Result<(), IllegalPosition> {
        for side in Color::ALL {
            let count = Pin::all()
                .filter(|&pin| self.world.owner(pin) == Some(side))
                .count();
            if count != BOARDS {
                return Err(IllegalPosition::BoardCount { side, count });
            }
            let count = self.world.men(side, Role::King).count();
            if count != 1 {
                return Err(IllegalPosition::KingCount { side, count });
            }
        }
        Ok(())
    }

    fn check_unmoved(&self) -> Result<(), IllegalPosition> {
        for square in self.unmoved {
            match self.world.man_on(square).map(|man| (man.role(), man)) {
                Some((Role::King | Role::Rook, _)) => {}
                Some((Role::Pawn, man)) if is_pawn_start(man.color(), square) => {}
                Some((Role::Pawn, _)) => return Err(IllegalPosition::UnmovedPawn(square)),
                _ => return Err(IllegalPosition::UnmovedMan(square)),
            }
        }
        Ok(())
    }

    /// A pawn that must have promoted: all on their last rank, but for one of the side to move
    /// that the other's board may have left uncovered just now.
    fn arrived_too_early(&self) -> Option<Square> {
        let arrived = |side| {
            let pawns = self.world.men(side, Role::Pawn).into_iter();
            pawns.filter(move |&square| self.world.promotes_on(side, square))
        };
        let theirs = arrived(!self.turn);
        let mut ours = arrived(self.turn).peekable();
        let uncovered = ours.next_if(|&pawn| is_corner(pawn));
        theirs.chain(ours).find(|&pawn| Some(pawn) != uncovered)
    }

    /// Whether a pawn of the side not to move may have come here from its start, by two
    /// steps over a column without a shadow.
    fn has_gone_two_steps(&self, pawn: Square) -> bool {
        let side = !self.turn;
        let world = &self.world;
        let ours = world.man_on(pawn) == Some(Piece::new(side, Role::Pawn));
        let back = -forward(side);
        let Some(passed) = pawn.column().step(0, back) else {
            return false;
        };
        let Some(start) = passed.step(0, back) else {
            return false;
        };
        let empty_start = world
            .on_column(start)
            .into_iter()
            .any(|square| is_pawn_start(side, square) && world.man_on(square).is_none());
        ours && empty_start && !world.has_shadow(passed) && !self.unmoved.has(pawn)
    }
}

/// Whether a main board's square is one an attack board can overhang.
fn is_corner(square: Square) -> bool {
    square.pin().is_none() && SquareSet::of_column(square.column()).count() > 1
}
