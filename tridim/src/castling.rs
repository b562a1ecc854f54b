//! Castling: its three kinds, its conditions, and why one is refused.
//!
//! King and rook stand on attack boards on the home pins, on the back rank. Whether they have
//! moved is a fact about them, kept by the position; nothing here is remembered.

use crate::pin::{Flank, Pin};
use crate::position::Position;
use crate::square::Square;
use crate::squares::SquareSet;
use movegen::{Color, Role};
use std::fmt;
use thiserror::Error;

/// Which boards a castling takes place on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingKind {
    /// King and rook side by side on the king's side attack board, `O-O`.
    KingsideKl,
    /// The same on the queen's side attack board, in a set-up position, `O-O`.
    KingsideQl,
    /// From one attack board to the other, `O-O-O`.
    Queenside,
}

impl CastlingKind {
    pub const ALL: [Self; 3] = [Self::KingsideKl, Self::KingsideQl, Self::Queenside];

    /// As a record of the game has it.
    #[must_use]
    pub const fn notation(self) -> &'static str {
        match self {
            Self::KingsideKl | Self::KingsideQl => "O-O",
            Self::Queenside => "O-O-O",
        }
    }

    /// The pins the boards must stand on.
    pub fn pins(self, side: Color) -> impl Iterator<Item = Pin> {
        let flanks: &[Flank] = match self {
            Self::KingsideKl => &[Flank::King],
            Self::KingsideQl => &[Flank::Queen],
            Self::Queenside => &[Flank::King, Flank::Queen],
        };
        flanks.iter().map(move |&flank| Pin::home(flank, side))
    }
}

impl fmt::Display for CastlingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KingsideKl => "kingside on KL",
            Self::KingsideQl => "kingside on QL",
            Self::Queenside => "queenside",
        })
    }
}

/// A castling that may be played: its kind, and the squares of both men.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Castling {
    pub kind: CastlingKind,
    pub king_from: Square,
    pub king_to: Square,
    pub rook_from: Square,
    pub rook_to: Square,
}

impl Castling {
    /// The squares involved, without repetition.
    #[must_use]
    pub fn squares(&self) -> SquareSet {
        [self.king_from, self.king_to, self.rook_from, self.rook_to]
            .into_iter()
            .collect()
    }
}

/// Which condition of castling failed, in the order they are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CastlingRefusal {
    #[error("cannot castle {kind}: first say what the pawn on {pawn} becomes")]
    PawnWaits { kind: CastlingKind, pawn: Square },
    #[error("cannot castle {kind}: not as the first move of the game")]
    FirstMove { kind: CastlingKind },
    #[error("cannot castle {kind}: the attack board on {pin} has been activated this turn")]
    BoardActivated { kind: CastlingKind, pin: Pin },
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
    #[error("cannot castle {kind}: there is no rook on rank {rank} of {pin}")]
    RookNotFound {
        kind: CastlingKind,
        pin: Pin,
        rank: u8,
    },
    #[error("cannot castle {kind}: the king on {king} has moved before")]
    KingMoved { kind: CastlingKind, king: Square },
    #[error("cannot castle {kind}: the rook on {rook} has moved before")]
    RookMoved { kind: CastlingKind, rook: Square },
    #[error("cannot castle {kind}: {square}, between king and rook, is occupied")]
    Blocked { kind: CastlingKind, square: Square },
    #[error("cannot castle {kind}: {square}, where the king would go, is attacked from {attacker}")]
    Attacked {
        kind: CastlingKind,
        square: Square,
        attacker: Square,
    },
}

fn by_whom(passenger: Option<Square>) -> String {
    match passenger {
        Some(square) => format!(", by the man on {square}"),
        None => ", which is empty and theirs".to_owned(),
    }
}

fn pin_names(kind: CastlingKind, side: Color) -> String {
    let names: Vec<String> = kind.pins(side).map(|pin| pin.to_string()).collect();
    names.join(" or ")
}

impl Position {
    /// The kinds of castling open to a side: none when it is not that side's turn.
    #[must_use]
    pub fn castling_options(&self, side: Color) -> Vec<CastlingKind> {
        if side != self.turn() {
            return Vec::new();
        }
        CastlingKind::ALL
            .into_iter()
            .filter(|&kind| self.castle(kind).is_ok())
            .collect()
    }

    /// Why the side to move cannot castle this way; `None` when it can.
    #[must_use]
    pub fn why_not(&self, kind: CastlingKind) -> Option<CastlingRefusal> {
        self.castle(kind).err()
    }

    /// Asks the conditions for the side to move, failing fast.
    pub fn castle(&self, kind: CastlingKind) -> Result<Castling, CastlingRefusal> {
        if let Some(pawn) = self.waiting_pawn() {
            return Err(CastlingRefusal::PawnWaits { kind, pawn });
        }
        // 1: not as a player's first move of the game.
        if self.move_number() == 1 {
            return Err(CastlingRefusal::FirstMove { kind });
        }
        // 2: a turn is a move of a man or of a board, and this one has been begun with a board.
        if let Some(pin) = self.held_board() {
            return Err(CastlingRefusal::BoardActivated { kind, pin });
        }
        // 3: not out of check.
        if let Some(checker) = self.checkers().first() {
            return Err(CastlingRefusal::InCheck { kind, checker });
        }
        self.boards_are_ready(kind)?;
        let (king_from, rook_from) = self.castlers(kind)?;
        let castling = landing(kind, king_from, rook_from);
        self.way_is_free(castling)?;
        Ok(castling)
    }

    /// Conditions four and five: the boards stand on their pins and are the player's.
    fn boards_are_ready(&self, kind: CastlingKind) -> Result<(), CastlingRefusal> {
        let side = self.turn();
        let world = self.world();
        let missing = kind.pins(side).find(|&pin| world.owner(pin).is_none());
        if let Some(pin) = missing {
            return Err(CastlingRefusal::BoardNotHome { kind, pin });
        }
        for pin in kind.pins(side) {
            let here = SquareSet::of_pin(pin);
            let passenger = (world.side(!side) & here).first();
            let empty = (world.occupied() & here).is_empty();
            if passenger.is_some() || empty && world.owner(pin) != Some(side) {
                return Err(CastlingRefusal::NotControlled {
                    kind,
                    pin,
                    side,
                    passenger,
                });
            }
        }
        Ok(())
    }

    /// Conditions six and seven: king and rook are there, and neither has moved. Of several
    /// rooks the unmoved one is meant, the nearer first.
    fn castlers(&self, kind: CastlingKind) -> Result<(Square, Square), CastlingRefusal> {
        let side = self.turn();
        let world = self.world();
        let rank = match side {
            Color::White => 0,
            Color::Black => 9,
        };
        let king = world.king(side).and_then(|king| {
            let pin = king.pin()?;
            (king.rank() == rank && kind.pins(side).any(|home| home == pin)).then_some((king, pin))
        });
        let Some((king, king_pin)) = king else {
            return Err(CastlingRefusal::KingNotFound { kind, side, rank });
        };
        let pin = match kind {
            CastlingKind::Queenside => Pin::home(king_pin.flank().other(), side),
            CastlingKind::KingsideKl | CastlingKind::KingsideQl => king_pin,
        };
        let rook = (world.men(side, Role::Rook) & SquareSet::of_pin(pin))
            .into_iter()
            .filter(|rook| rook.rank() == rank)
            .min_by_key(|&rook| (!self.is_unmoved(rook), rook.file().abs_diff(king.file())));
        let Some(rook) = rook else {
            return Err(CastlingRefusal::RookNotFound { kind, pin, rank });
        };
        if !self.is_unmoved(king) {
            return Err(CastlingRefusal::KingMoved { kind, king });
        }
        if !self.is_unmoved(rook) {
            return Err(CastlingRefusal::RookMoved { kind, rook });
        }
        Ok((king, rook))
    }

    /// Conditions eight and nine: nobody between the two, and the king safe where it lands,
    /// both men standing there.
    fn way_is_free(&self, castling: Castling) -> Result<(), CastlingRefusal> {
        let Castling {
            kind,
            king_from,
            king_to,
            rook_from,
            ..
        } = castling;
        let world = self.world();
        let towards_rook = match rook_from.file() > king_from.file() {
            true => (1, 0),
            false => (-1, 0),
        };
        let between = king_from
            .column()
            .line(towards_rook)
            .take_while(|&column| column != rook_from.column())
            .find_map(|column| (world.on_column(column) & world.occupied()).first());
        if let Some(square) = between {
            return Err(CastlingRefusal::Blocked { kind, square });
        }
        let mut landed = *world;
        landed.castle(castling);
        match landed.checkers(self.turn()).first() {
            Some(attacker) => Err(CastlingRefusal::Attacked {
                kind,
                square: king_to,
                attacker,
            }),
            None => Ok(()),
        }
    }
}

impl crate::world::World {
    /// Puts king and rook where a castling takes them, both at once.
    pub(crate) fn castle(&mut self, castling: Castling) {
        let king = self.take(castling.king_from);
        let rook = self.take(castling.rook_from);
        if let Some(king) = king {
            self.put(king, castling.king_to);
        }
        if let Some(rook) = rook {
            self.put(rook, castling.rook_to);
        }
    }
}

/// The king goes to the square of the rook's board beside the rook, towards the king, and the
/// rook to the square the king left; where there is no such square they exchange. Side by
/// side on one board they exchange as well.
fn landing(kind: CastlingKind, king: Square, rook: Square) -> Castling {
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
