//! Where pawns promote: the furthest rank that exists on their file at that moment.
//!
//! A pawn on a main board's corner waits while an attack board overhangs it, and promotes as
//! soon as the board has gone.

use crate::column::RANKS;
use crate::pin::{Flank, Pin};
use crate::square::Square;
use crate::world::World;
use movegen::{Color, Role};

/// The corner files and the flank whose boards overhang them.
const fn corner_flank(file: u8) -> Option<Flank> {
    match file {
        1 => Some(Flank::Queen),
        4 => Some(Flank::King),
        _ => None,
    }
}

impl World {
    /// The rank on which a side's pawns promote on this file, as things stand.
    pub(crate) fn last_rank(&self, side: Color, file: u8) -> u8 {
        // Counted from the side's own end: 9 is where attack boards end, 8 where B ends.
        let furthest = match (file, corner_flank(file)) {
            (_, Some(flank)) if self.owner(Pin::home(flank, !side)).is_none() => 8,
            (_, Some(_)) | (0 | 5, _) => 9,
            _ => 8,
        };
        match side {
            Color::White => furthest,
            Color::Black => RANKS - 1 - furthest,
        }
    }

    /// Whether a pawn of this side that has come to stand here promotes.
    pub(crate) fn promotes_on(&self, side: Color, square: Square) -> bool {
        square.rank() == self.last_rank(side, square.file())
    }

    /// A pawn that stands on its last rank and has not promoted yet.
    pub(crate) fn arrived_pawn(&self, side: Color) -> Option<Square> {
        self.men(side, Role::Pawn)
            .into_iter()
            .find(|&square| self.promotes_on(side, square))
    }

    /// Whether a pawn, turned into whatever it may become where it stands, would attack a
    /// side's king.
    pub(crate) fn could_attack(&self, side: Color, pawn: Square) -> bool {
        [Role::Queen, Role::Knight].into_iter().any(|role| {
            let mut chosen = *self;
            chosen.promote(pawn, role);
            chosen.in_check(side)
        })
    }
}
