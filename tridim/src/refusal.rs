//! From what a person or program asked for to a legal move, or the reason in words why there
//! is none.

use crate::boards::BoardRefusal;
use crate::castling::{CastlingKind, CastlingRefusal};
use crate::mv::Move;
use crate::notation::{Asked, NotationError};
use crate::pin::Pin;
use crate::position::Position;
use crate::square::{Board, Square};
use movegen::{Color, Role};
use thiserror::Error;

/// Why a text was not followed: it is no move, or not a legal one here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReadError {
    #[error(transparent)]
    Notation(#[from] NotationError),
    #[error(transparent)]
    Refused(#[from] MoveRefusal),
}

/// Why a move is not legal here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum MoveRefusal {
    #[error("first say what the pawn on {0} becomes, such as {0}=Q")]
    ChooseFirst(Square),
    #[error("no pawn waits on {0} to be promoted")]
    NothingToChoose(Square),
    #[error("the board on {0} has been activated: it moves, or is released")]
    BoardActivated(Pin),
    #[error("the board on {0} has no legal move")]
    BoardStuck(Pin),
    #[error("there is no {0}: no attack board stands there")]
    NoSuchSquare(Square),
    #[error("there is nothing on {0} to move")]
    NothingThere(Square),
    #[error("the man on {square} is a {}, not a {}", found.name(), said.name())]
    AnotherMan {
        square: Square,
        said: Role,
        found: Role,
    },
    #[error("the {} on {square} is not {mover}'s to move", role.name())]
    NotYours {
        role: Role,
        square: Square,
        mover: Color,
    },
    #[error("{0} is taken by a man of the same side")]
    OwnManThere(Square),
    #[error("a {} on {from} does not go to {to}", role.name())]
    DoesNotGoThere {
        role: Role,
        from: Square,
        to: Square,
    },
    #[error("{square} is in the shadow of the man on {by}")]
    InShadow { square: Square, by: Square },
    #[error("a pawn promotes by this move: say what it becomes, as in =Q (Q, R, B or N)")]
    PromotionMissing,
    #[error("no pawn promotes by this move")]
    NoPromotion,
    #[error("the king would be attacked on {0}")]
    KingWouldBeAttacked(Square),
    #[error("the king is in check from {0}, and this does not answer it")]
    CheckNotMet(Square),
    #[error("the {} on {square} is pinned to its king", role.name())]
    Pinned { role: Role, square: Square },
    #[error("moving the board would leave the king attacked from {0}")]
    BoardExposesKing(Square),
    #[error("the pawn on {0} would be uncovered, and as a queen or knight attack the king")]
    UncoversPawn(Square),
    #[error(transparent)]
    Board(#[from] BoardRefusal),
    #[error(transparent)]
    Castling(#[from] CastlingRefusal),
}

impl Position {
    /// The legal move that is asked for.
    pub fn find_move(&self, asked: Asked) -> Result<Move, MoveRefusal> {
        if let Some(waiting) = self.waiting_pawn() {
            return match asked {
                Asked::Choice { pawn, role } if pawn == waiting => Ok(Move::Choice { pawn, role }),
                _ => Err(MoveRefusal::ChooseFirst(waiting)),
            };
        }
        match asked {
            Asked::Choice { pawn, .. } => Err(MoveRefusal::NothingToChoose(pawn)),
            Asked::Kingside => self.find_castling(self.kingside()),
            Asked::Queenside => self.find_castling(CastlingKind::Queenside),
            Asked::Board {
                from,
                to,
                promotion,
            } => self.find_board_move(from, to, promotion),
            Asked::Man {
                role,
                from,
                to,
                promotion,
            } => self.find_man_move(role, from, to, promotion),
        }
    }

    fn find_castling(&self, kind: CastlingKind) -> Result<Move, MoveRefusal> {
        Ok(Move::Castle(self.castle(kind)?))
    }

    fn find_board_move(
        &self,
        from: Pin,
        to: Pin,
        promotion: Option<Role>,
    ) -> Result<Move, MoveRefusal> {
        if let Some(held) = self.held_board().filter(|&held| held != from) {
            return Err(MoveRefusal::BoardActivated(held));
        }
        self.board_may_go(from, to)?;
        let mv = self.with_promotion(Move::Board {
            from,
            to,
            promotion,
        })?;
        if let Some(attacker) = self.after(mv).world().checkers(self.turn()).first() {
            return Err(match self.checkers().first() {
                Some(checker) => MoveRefusal::CheckNotMet(checker),
                None => MoveRefusal::BoardExposesKing(attacker),
            });
        }
        match self.uncovered_attacker(mv) {
            Some(pawn) => Err(MoveRefusal::UncoversPawn(pawn)),
            None => Ok(mv),
        }
    }

    fn find_man_move(
        &self,
        said: Option<Role>,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, MoveRefusal> {
        if let Some(held) = self.held_board() {
            return Err(MoveRefusal::BoardActivated(held));
        }
        let missing = [from, to].into_iter().find(|square| !self.exists(*square));
        if let Some(square) = missing {
            return Err(MoveRefusal::NoSuchSquare(square));
        }
        let mover = self.turn();
        let man = self.man_on(from).ok_or(MoveRefusal::NothingThere(from))?;
        let role = man.role();
        if let Some(said) = said.filter(|&said| said != role) {
            return Err(MoveRefusal::AnotherMan {
                square: from,
                said,
                found: role,
            });
        }
        if man.color() != mover {
            return Err(MoveRefusal::NotYours {
                role,
                square: from,
                mover,
            });
        }
        if self.world().side(mover).has(to) {
            return Err(MoveRefusal::OwnManThere(to));
        }
        if !self.reach(from).has(to) {
            return Err(self.out_of_reach(role, from, to));
        }
        let mv = self.with_promotion(Move::Man {
            from,
            to,
            promotion,
        })?;
        if self.leaves_king_safe(mv) {
            return Ok(mv);
        }
        Err(match self.checkers().first() {
            _ if role == Role::King => MoveRefusal::KingWouldBeAttacked(to),
            Some(checker) => MoveRefusal::CheckNotMet(checker),
            None => MoveRefusal::Pinned { role, square: from },
        })
    }

    /// Why a man does not reach a square: a shadow on its line, or its way of moving.
    fn out_of_reach(&self, role: Role, from: Square, to: Square) -> MoveRefusal {
        let mut alone = *self;
        for other in self.world().occupied() {
            // A pawn is led by what it takes, so the goal stays as it is.
            if other != from && other != to {
                alone.world.take(other);
            }
        }
        if alone.reach(from).has(to) {
            let on_the_way = from
                .column()
                .between(to.column())
                .find_map(|column| (self.world.on_column(column) & self.world.occupied()).first());
            if let Some(by) = on_the_way {
                return MoveRefusal::InShadow { square: to, by };
            }
        }
        MoveRefusal::DoesNotGoThere { role, from, to }
    }

    /// The move itself, if it says what a pawn becomes exactly when one promotes by it.
    fn with_promotion(&self, mv: Move) -> Result<Move, MoveRefusal> {
        match (self.promotes(mv), mv.promotion()) {
            (true, None) => Err(MoveRefusal::PromotionMissing),
            (false, Some(_)) => Err(MoveRefusal::NoPromotion),
            _ => Ok(mv),
        }
    }

    fn exists(&self, square: Square) -> bool {
        match square.board() {
            board @ Board::Attack(_) => self.world().has_board(board),
            _ => true,
        }
    }
}
