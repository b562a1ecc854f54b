//! Castling: its three kinds, their conditions, and the reason when one fails.
//!
//! King and rook stand on the back rank, on attack boards on their home pins. The position
//! records whether they have moved.

use movegen::{Color, Role};
use thiserror::Error;

use crate::moves::{Castling, CastlingKind};
use crate::pin::Pin;
use crate::placement::Placement;
use crate::position::Position;
use crate::square::{Column, Square};
use crate::square_set::SquareSet;

/// The reason a kind of castling is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot castle {kind}: {reason}")]
pub struct CastlingError {
    pub kind: CastlingKind,
    pub reason: CastlingReason,
}

/// The first condition of castling that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CastlingReason {
    #[error("the pawn on {0} must be promoted first")]
    PromotionPending(Square),
    #[error("castling is not allowed as the first move")]
    FirstMove,
    #[error("the attack board on {0} is activated this turn")]
    BoardActivated(Pin),
    #[error("the king is in check from {0}")]
    InCheck(Square),
    #[error("no attack board stands on its home pin {0}")]
    BoardNotHome(Pin),
    #[error("{controller} controls the board on {pin}{}", by_whom(*passenger))]
    NotControlled {
        pin: Pin,
        controller: Color,
        passenger: Option<Square>,
    },
    #[error("the king is not on rank {rank} of {}", pin_names(*kind, *side))]
    KingNotFound {
        kind: CastlingKind,
        side: Color,
        rank: u8,
    },
    #[error("no rook on rank {rank} of {pin}")]
    RookNotFound { pin: Pin, rank: u8 },
    #[error("the king on {0} has moved")]
    KingMoved(Square),
    #[error("the rook on {0} has moved")]
    RookMoved(Square),
    #[error("{0} between king and rook is occupied")]
    Blocked(Square),
    #[error("{to}, the destination of the king, is attacked from {attacker}")]
    Attacked { to: Square, attacker: Square },
}

impl CastlingReason {
    /// The squares that show the reason: of an attacker, of what is in the way, or of what has
    /// moved.
    pub fn squares(&self) -> SquareSet {
        match *self {
            Self::PromotionPending(square)
            | Self::InCheck(square)
            | Self::KingMoved(square)
            | Self::RookMoved(square)
            | Self::Blocked(square) => SquareSet::of(square),
            Self::Attacked { to, attacker } => SquareSet::of(to) | SquareSet::of(attacker),
            Self::NotControlled { passenger, .. } => {
                passenger.map_or(SquareSet::EMPTY, SquareSet::of)
            }
            Self::FirstMove
            | Self::BoardActivated(_)
            | Self::BoardNotHome(_)
            | Self::KingNotFound { .. }
            | Self::RookNotFound { .. } => SquareSet::EMPTY,
        }
    }
}

fn by_whom(passenger: Option<Square>) -> String {
    match passenger {
        Some(square) => format!(", by the piece on {square}"),
        None => ", which is empty and theirs".to_owned(),
    }
}

fn pin_names(kind: CastlingKind, side: Color) -> String {
    let names: Vec<String> = kind.pins(side).map(|pin| pin.to_string()).collect();
    names.join(" or ")
}

impl Position {
    /// The reason the side to move cannot castle; `None` when it can.
    pub fn why_no_castling(&self, kind: CastlingKind) -> Option<CastlingError> {
        self.castle(kind).err()
    }

    /// Checks the conditions in order and returns the castling move.
    pub fn castle(&self, kind: CastlingKind) -> Result<Castling, CastlingError> {
        self.check_castling(kind)
            .map_err(|reason| CastlingError { kind, reason })
    }

    /// The columns that the king crosses before its destination, each with the pieces that attack
    /// it. That is for information: castling is legal all the same.
    pub fn crossed_by_king(&self, castling: Castling) -> Vec<(Column, SquareSet)> {
        let mut placement = *self.placement();
        placement.take(castling.king_from);
        let (from, to) = (castling.king_from.column(), castling.king_to.column());
        from.between(to)
            .map(|column| (column, placement.attackers(column, !self.side_to_move)))
            .collect()
    }

    fn check_castling(&self, kind: CastlingKind) -> Result<Castling, CastlingReason> {
        if let Some(pawn) = self.pending_promotion() {
            return Err(CastlingReason::PromotionPending(pawn));
        }
        // 1: not a player's first move.
        if self.move_number() == 1 {
            return Err(CastlingReason::FirstMove);
        }
        // 2: no board is activated this turn.
        if let Some(pin) = self.activated_board() {
            return Err(CastlingReason::BoardActivated(pin));
        }
        // 3: not in check.
        if let Some(checker) = self.checkers().first() {
            return Err(CastlingReason::InCheck(checker));
        }
        self.check_castling_boards(kind)?;
        let (king_from, rook_from) = self.king_and_rook(kind)?;
        let castling = destinations(kind, king_from, rook_from);
        self.check_path(castling)?;
        Ok(castling)
    }

    /// Conditions 4 and 5: the boards are on their home pins, and the player controls them.
    fn check_castling_boards(&self, kind: CastlingKind) -> Result<(), CastlingReason> {
        let side = self.side_to_move;
        let placement = self.placement();
        let missing = kind.pins(side).find(|&pin| placement.owner(pin).is_none());
        if let Some(pin) = missing {
            return Err(CastlingReason::BoardNotHome(pin));
        }
        for pin in kind.pins(side) {
            let here = SquareSet::of_pin(pin);
            let passenger = (placement.by_color(!side) & here).first();
            let empty = (placement.occupied() & here).is_empty();
            if passenger.is_some() || empty && placement.owner(pin) != Some(side) {
                return Err(CastlingReason::NotControlled {
                    pin,
                    controller: !side,
                    passenger,
                });
            }
        }
        Ok(())
    }

    /// Conditions 6 and 7: king and rook are in place, and neither has moved. Of several rooks an
    /// unmoved one is preferred, then the nearer one.
    fn king_and_rook(&self, kind: CastlingKind) -> Result<(Square, Square), CastlingReason> {
        let side = self.side_to_move;
        let placement = self.placement();
        let rank = match side {
            Color::White => 0,
            Color::Black => 9,
        };
        let king = placement.king(side).and_then(|king| {
            let pin = king.pin()?;
            (king.rank() == rank && kind.pins(side).any(|home| home == pin)).then_some((king, pin))
        });
        let Some((king, king_pin)) = king else {
            return Err(CastlingReason::KingNotFound { kind, side, rank });
        };
        let pin = match kind {
            CastlingKind::Queenside => Pin::home(king_pin.flank().other(), side),
            CastlingKind::KingsideKl | CastlingKind::KingsideQl => king_pin,
        };
        let rook = (placement.pieces(side, Role::Rook) & SquareSet::of_pin(pin))
            .into_iter()
            .filter(|rook| rook.rank() == rank)
            .min_by_key(|&rook| (!self.is_unmoved(rook), rook.file().abs_diff(king.file())));
        let Some(rook) = rook else {
            return Err(CastlingReason::RookNotFound { pin, rank });
        };
        if !self.is_unmoved(king) {
            return Err(CastlingReason::KingMoved(king));
        }
        if !self.is_unmoved(rook) {
            return Err(CastlingReason::RookMoved(rook));
        }
        Ok((king, rook))
    }

    /// Conditions 8 and 9: no piece between king and rook, and the king is safe on its destination
    /// once both pieces have moved.
    fn check_path(&self, castling: Castling) -> Result<(), CastlingReason> {
        let placement = self.placement();
        let (king, rook) = (castling.king_from.column(), castling.rook_from.column());
        if let Some(square) = placement.first_between(king, rook) {
            return Err(CastlingReason::Blocked(square));
        }
        let mut castled = *placement;
        castled.castle(castling);
        match castled.checkers(self.side_to_move).first() {
            Some(attacker) => Err(CastlingReason::Attacked {
                to: castling.king_to,
                attacker,
            }),
            None => Ok(()),
        }
    }
}

impl Placement {
    /// Moves king and rook at once.
    pub(crate) fn castle(&mut self, castling: Castling) {
        let king = (self.take(castling.king_from), castling.king_to);
        let rook = (self.take(castling.rook_from), castling.rook_to);
        for (piece, to) in [king, rook] {
            if let Some(piece) = piece {
                self.put(piece, to);
            }
        }
    }
}

/// The king moves beside the rook, on the rook's board on the side of the king, and the rook to
/// the square the king left. If that square does not exist, or both stand side by side on one
/// board, they exchange squares.
fn destinations(kind: CastlingKind, king: Square, rook: Square) -> Castling {
    let towards_king = if king.file() > rook.file() { 1 } else { -1 };
    let beside = rook
        .column()
        .step(towards_king, 0)
        .and_then(|column| Square::on(rook.board(), column));
    Castling {
        kind,
        king_from: king,
        king_to: beside.filter(|&square| square != king).unwrap_or(rook),
        rook_from: rook,
        rook_to: king,
    }
}
