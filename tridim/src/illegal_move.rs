//! From a requested move to a legal move, or the reason why it is illegal.

use movegen::{Color, GamePosition, Role};
use thiserror::Error;

use crate::attack_boards::BoardMoveError;
use crate::castling::CastlingError;
use crate::moves::{CastlingKind, Move};
use crate::notation::{NotationError, ParsedMove};
use crate::pin::Pin;
use crate::position::Position;
use crate::square::Square;
use crate::square_set::SquareSet;

/// The reason a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    #[error(transparent)]
    Notation(#[from] NotationError),
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The king and the square name a legal castling move.
    #[error("{reason}; to castle, type {castling}")]
    MeansCastling {
        reason: IllegalMove,
        castling: String,
    },
    #[error(transparent)]
    Ambiguous(#[from] AmbiguousMove),
}

/// Several moves are meant.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("ambiguous move '{text}': expected {}", moves.join(" or "))]
pub struct AmbiguousMove {
    pub(crate) text: String,
    /// In full notation.
    pub(crate) moves: Vec<String>,
}

/// The reason a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    #[error("the pawn on {0} must be promoted first, for example {0}=Q")]
    PromotionPending(Square),
    #[error("no pawn on {0} is waiting for promotion")]
    NoPendingPromotion(Square),
    #[error("the board on {0} is activated: move it or release it")]
    AnotherBoardActivated(Pin),
    #[error("the board on {0} has no legal move")]
    BoardHasNoMove(Pin),
    #[error("square {0} does not exist: no attack board is on that pin")]
    NoSuchSquare(Square),
    #[error("{0} is empty")]
    EmptySquare(Square),
    #[error("the piece on {square} is a {}, not a {}", found.name(), written.name())]
    WrongPiece {
        square: Square,
        written: Role,
        found: Role,
    },
    #[error("the {} on {square} does not belong to {mover}", role.name())]
    NotYourPiece {
        role: Role,
        square: Square,
        mover: Color,
    },
    #[error("{0} is occupied by a piece of the same side")]
    OwnPieceThere(Square),
    #[error("the {} on {from} cannot move to {to}", role.name())]
    CannotReach {
        role: Role,
        from: Square,
        to: Square,
    },
    #[error("no {} can move to {to}", role.name())]
    NoneReaches { role: Role, to: Square },
    #[error("{square} is in the shadow of the piece on {by}")]
    Shadowed { square: Square, by: Square },
    #[error("the move promotes a pawn: add =Q, =R, =B or =N")]
    MissingPromotion,
    #[error("the move does not promote a pawn")]
    UnexpectedPromotion,
    #[error("the king would be attacked on {to}")]
    KingAttacked { to: Square, by: Square },
    #[error("the king is in check from {0}, and the move does not answer it")]
    StillInCheck(Square),
    #[error("the {} on {square} is pinned to its king", role.name())]
    Pinned {
        role: Role,
        square: Square,
        by: Square,
    },
    #[error("the board move would leave the king attacked from {0}")]
    ExposesKing(Square),
    #[error("the move would uncover the pawn on {0}, which attacks the king as a queen or knight")]
    UncoversPawn(Square),
    #[error(transparent)]
    Board(#[from] BoardMoveError),
    #[error(transparent)]
    Castling(#[from] CastlingError),
}

impl IllegalMove {
    /// The squares that show the reason: of an attacker, of what is in the way, or of what is
    /// missing.
    pub fn squares(&self) -> SquareSet {
        let squares: &[Square] = match *self {
            Self::PromotionPending(square)
            | Self::NoPendingPromotion(square)
            | Self::NoSuchSquare(square)
            | Self::EmptySquare(square)
            | Self::WrongPiece { square, .. }
            | Self::NotYourPiece { square, .. }
            | Self::OwnPieceThere(square)
            | Self::StillInCheck(square)
            | Self::ExposesKing(square)
            | Self::UncoversPawn(square)
            | Self::Board(BoardMoveError::Shadow { square, .. }) => &[square],
            Self::CannotReach { from, to, .. } => &[from, to],
            Self::NoneReaches { to, .. } => &[to],
            Self::Shadowed { square, by } => &[square, by],
            Self::KingAttacked { to, by } => &[to, by],
            Self::Pinned { square, by, .. } => &[square, by],
            Self::Castling(error) => return error.reason.squares(),
            Self::AnotherBoardActivated(_)
            | Self::BoardHasNoMove(_)
            | Self::MissingPromotion
            | Self::UnexpectedPromotion
            | Self::Board(_) => &[],
        };
        squares.iter().copied().collect()
    }
}

impl Position {
    /// The position with a board activated: the turn will be a move of this board.
    pub fn activate(&self, pin: Pin) -> Result<Self, IllegalMove> {
        if let Some(pending) = self.pending_promotion() {
            return Err(IllegalMove::PromotionPending(pending));
        }
        if let Some(activated) = self.activated {
            return Err(IllegalMove::AnotherBoardActivated(activated));
        }
        self.check_board_control(pin)?;
        let activated = Self {
            activated: Some(pin),
            ..*self
        };
        if activated.has_moves() {
            Ok(activated)
        } else {
            Err(IllegalMove::BoardHasNoMove(pin))
        }
    }

    /// Returns the legal move that is meant.
    pub fn find_move(&self, parsed: ParsedMove) -> Result<Move, IllegalMove> {
        if let Some(pending) = self.pending_promotion() {
            return match parsed {
                ParsedMove::Promotion { pawn, role } if pawn == pending => {
                    Ok(Move::Promotion { pawn, role })
                }
                _ => Err(IllegalMove::PromotionPending(pending)),
            };
        }
        match parsed {
            ParsedMove::Promotion { pawn, .. } => Err(IllegalMove::NoPendingPromotion(pawn)),
            ParsedMove::Kingside => self.find_castling(self.kingside()),
            ParsedMove::Queenside => self.find_castling(CastlingKind::Queenside),
            ParsedMove::Board {
                from,
                to,
                promotion,
            } => self.find_board_move(from, to, promotion),
            ParsedMove::Piece {
                role,
                from,
                to,
                promotion,
            } => self.find_piece_move(role, from, to, promotion),
        }
    }

    fn find_castling(&self, kind: CastlingKind) -> Result<Move, IllegalMove> {
        Ok(Move::Castle(self.castle(kind)?))
    }

    fn find_board_move(
        &self,
        from: Pin,
        to: Pin,
        promotion: Option<Role>,
    ) -> Result<Move, IllegalMove> {
        if let Some(activated) = self.activated.filter(|&activated| activated != from) {
            return Err(IllegalMove::AnotherBoardActivated(activated));
        }
        self.check_board_move(from, to)?;
        let mv = self.with_promotion(Move::Board {
            from,
            to,
            promotion,
        })?;
        let after = self.after(mv).placement;
        if let Some(attacker) = after.checkers(self.side_to_move).first() {
            return Err(match self.checkers().first() {
                Some(checker) => IllegalMove::StillInCheck(checker),
                None => IllegalMove::ExposesKing(attacker),
            });
        }
        match self.uncovered_attacker(mv) {
            Some(pawn) => Err(IllegalMove::UncoversPawn(pawn)),
            None => Ok(mv),
        }
    }

    fn find_piece_move(
        &self,
        written: Option<Role>,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, IllegalMove> {
        if let Some(activated) = self.activated_board() {
            return Err(IllegalMove::AnotherBoardActivated(activated));
        }
        let existing = self.placement().existing();
        let missing = [from, to].into_iter().find(|&square| !existing.has(square));
        if let Some(square) = missing {
            return Err(IllegalMove::NoSuchSquare(square));
        }
        let mover = self.side_to_move;
        let piece = self.piece_on(from).ok_or(IllegalMove::EmptySquare(from))?;
        let role = piece.role();
        if let Some(written) = written.filter(|&written| written != role) {
            return Err(IllegalMove::WrongPiece {
                square: from,
                written,
                found: role,
            });
        }
        if piece.color() != mover {
            return Err(IllegalMove::NotYourPiece {
                role,
                square: from,
                mover,
            });
        }
        if self.placement().by_color(mover).has(to) {
            return Err(IllegalMove::OwnPieceThere(to));
        }
        if !self.targets(from).has(to) {
            return Err(self.why_unreachable(role, from, to));
        }
        let mv = self.with_promotion(Move::Piece {
            from,
            to,
            promotion,
        })?;
        // A piece move uncovers no pawn: the king is attacked, or the move is legal.
        let Some(by) = self.after(mv).placement.checkers(mover).first() else {
            return Ok(mv);
        };
        Err(match self.checkers().first() {
            _ if role == Role::King => IllegalMove::KingAttacked { to, by },
            Some(checker) => IllegalMove::StillInCheck(checker),
            None => IllegalMove::Pinned {
                role,
                square: from,
                by,
            },
        })
    }

    /// The reason a piece cannot move to a square: a shadow on the way, or the way the piece moves.
    fn why_unreachable(&self, role: Role, from: Square, to: Square) -> IllegalMove {
        let mut alone = *self;
        for other in self.placement().occupied() {
            // Keep the target: a pawn moves diagonally only to capture.
            if other != from && other != to {
                alone.placement.take(other);
            }
        }
        if alone.targets(from).has(to)
            && let Some(by) = self.placement.first_between(from.column(), to.column())
        {
            return IllegalMove::Shadowed { square: to, by };
        }
        IllegalMove::CannotReach { role, from, to }
    }

    /// Returns the move if it names a promotion exactly when it promotes a pawn.
    fn with_promotion(&self, mv: Move) -> Result<Move, IllegalMove> {
        match (self.promotes(mv), mv.promotion()) {
            (true, None) => Err(IllegalMove::MissingPromotion),
            (false, Some(_)) => Err(IllegalMove::UnexpectedPromotion),
            _ => Ok(mv),
        }
    }
}
