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
use crate::square::Square;
use crate::square_set::SquareSet;

/// The first condition of castling that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CastlingError {
    #[error("cannot castle {kind}: the pawn on {pawn} must be promoted first")]
    PawnWaits { kind: CastlingKind, pawn: Square },
    #[error("cannot castle {kind}: castling is not allowed as the first move")]
    FirstMove { kind: CastlingKind },
    #[error("cannot castle {kind}: the attack board on {pin} is activated this turn")]
    AnotherBoardActivated { kind: CastlingKind, pin: Pin },
    #[error("cannot castle {kind}: the king is in check from {checker}")]
    InCheck { kind: CastlingKind, checker: Square },
    #[error("cannot castle {kind}: no attack board stands on its home pin {pin}")]
    BoardNotHome { kind: CastlingKind, pin: Pin },
    #[error("cannot castle {kind}: {} controls the board on {pin}{}", !*side, by_whom(*passenger))]
    NotControlled {
        kind: CastlingKind,
        pin: Pin,
        side: Color,
        passenger: Option<Square>,
    },
    #[error("cannot castle {kind}: the king is not on rank {rank} of {}", pin_names(*kind, *side))]
    KingNotFound {
        kind: CastlingKind,
        side: Color,
        rank: u8,
    },
    #[error("cannot castle {kind}: no rook on rank {rank} of {pin}")]
    RookNotFound {
        kind: CastlingKind,
        pin: Pin,
        rank: u8,
    },
    #[error("cannot castle {kind}: the king on {king} has moved")]
    KingMoved { kind: CastlingKind, king: Square },
    #[error("cannot castle {kind}: the rook on {rook} has moved")]
    RookMoved { kind: CastlingKind, rook: Square },
    #[error("cannot castle {kind}: {square} between king and rook is occupied")]
    Blocked { kind: CastlingKind, square: Square },
    #[error(
        "cannot castle {kind}: {square}, the destination of the king, is attacked from {attacker}"
    )]
    Attacked {
        kind: CastlingKind,
        square: Square,
        attacker: Square,
    },
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
    /// The kinds of castling that are legal for a side; none when it is not that side's turn.
    #[must_use]
    pub fn castling_options(&self, side: Color) -> Vec<CastlingKind> {
        if side != self.side_to_move() {
            return Vec::new();
        }
        CastlingKind::ALL
            .into_iter()
            .filter(|&kind| self.castle(kind).is_ok())
            .collect()
    }

    /// Why the side to move cannot castle; `None` when it can.
    #[must_use]
    pub fn why_no_castling(&self, kind: CastlingKind) -> Option<CastlingError> {
        self.castle(kind).err()
    }

    /// Checks the conditions in order and returns the castling move.
    pub fn castle(&self, kind: CastlingKind) -> Result<Castling, CastlingError> {
        if let Some(pawn) = self.pending_promotion() {
            return Err(CastlingError::PawnWaits { kind, pawn });
        }
        // 1: not a player's first move.
        if self.move_number() == 1 {
            return Err(CastlingError::FirstMove { kind });
        }
        // 2: no board is activated this turn.
        if let Some(pin) = self.activated_board() {
            return Err(CastlingError::AnotherBoardActivated { kind, pin });
        }
        // 3: not in check.
        if let Some(checker) = self.checkers().first() {
            return Err(CastlingError::InCheck { kind, checker });
        }
        self.boards_are_ready(kind)?;
        let (king_from, rook_from) = self.king_and_rook(kind)?;
        let castling = destinations(kind, king_from, rook_from);
        self.check_path(castling)?;
        Ok(castling)
    }

    /// Conditions 4 and 5: the boards are on their home pins, and the player controls them.
    fn boards_are_ready(&self, kind: CastlingKind) -> Result<(), CastlingError> {
        let side = self.side_to_move();
        let placement = self.placement();
        let missing = kind.pins(side).find(|&pin| placement.owner(pin).is_none());
        if let Some(pin) = missing {
            return Err(CastlingError::BoardNotHome { kind, pin });
        }
        for pin in kind.pins(side) {
            let here = SquareSet::of_pin(pin);
            let passenger = (placement.side(!side) & here).first();
            let empty = (placement.occupied() & here).is_empty();
            if passenger.is_some() || empty && placement.owner(pin) != Some(side) {
                return Err(CastlingError::NotControlled {
                    kind,
                    pin,
                    side,
                    passenger,
                });
            }
        }
        Ok(())
    }

    /// Conditions 6 and 7: king and rook are in place, and neither has moved. Of several rooks an
    /// unmoved one is preferred, then the nearer one.
    fn king_and_rook(&self, kind: CastlingKind) -> Result<(Square, Square), CastlingError> {
        let side = self.side_to_move();
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
            return Err(CastlingError::KingNotFound { kind, side, rank });
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
            return Err(CastlingError::RookNotFound { kind, pin, rank });
        };
        if !self.is_unmoved(king) {
            return Err(CastlingError::KingMoved { kind, king });
        }
        if !self.is_unmoved(rook) {
            return Err(CastlingError::RookMoved { kind, rook });
        }
        Ok((king, rook))
    }

    /// Conditions 8 and 9: no piece between king and rook, and the king is safe on its destination
    /// once both pieces have moved.
    fn check_path(&self, castling: Castling) -> Result<(), CastlingError> {
        let Castling {
            kind,
            king_from,
            king_to,
            rook_from,
            ..
        } = castling;
        let placement = self.placement();
        let towards_rook = match rook_from.file() > king_from.file() {
            true => (1, 0),
            false => (-1, 0),
        };
        let between = king_from
            .column()
            .line(towards_rook)
            .take_while(|&column| column != rook_from.column())
            .find_map(|column| (placement.on_column(column) & placement.occupied()).first());
        if let Some(square) = between {
            return Err(CastlingError::Blocked { kind, square });
        }
        let mut castled = *placement;
        castled.castle(castling);
        match castled.checkers(self.side_to_move()).first() {
            Some(attacker) => Err(CastlingError::Attacked {
                kind,
                square: king_to,
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
    let towards_king = match king.file() > rook.file() {
        true => 1,
        false => -1,
    };
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
