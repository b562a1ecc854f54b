//! The pieces that attack a square, as reasons name them.

use crate::bitboard::Bitboard;
use crate::piece::Role;
use crate::square::Square;
use core::fmt;

/// A piece that attacks, displayed as `the queen on f3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize))]
pub struct Attacker {
    /// The role of the piece.
    pub role: Role,
    /// The square it stands on.
    pub square: Square,
}

impl fmt::Display for Attacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} on {}", self.role.name(), self.square)
    }
}

/// The pieces that attack one square, displayed as `the knight on f3 and the rook on e8`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Attackers([Bitboard; 6]);

impl Attackers {
    /// The attackers of each role.
    pub(crate) fn of_roles(squares: impl Fn(Role) -> Bitboard) -> Self {
        Self(Role::ALL.map(squares))
    }

    /// Their squares.
    pub fn squares(self) -> Bitboard {
        self.0
            .into_iter()
            .fold(Bitboard::EMPTY, |squares, of_role| squares | of_role)
    }

    /// The pieces, pawns first and kings last.
    pub fn iter(self) -> impl Iterator<Item = Attacker> {
        let of_role = move |role: Role| {
            let squares = self.0[role.index()].into_iter();
            squares.map(move |square| Attacker { role, square })
        };
        Role::ALL.into_iter().flat_map(of_role)
    }
}

impl From<Attacker> for Attackers {
    fn from(attacker: Attacker) -> Self {
        let mut by_role = Self::default();
        by_role.0[attacker.role.index()] = Bitboard::of(attacker.square);
        by_role
    }
}

impl fmt::Display for Attackers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.squares().count() as usize;
        for (index, attacker) in self.iter().enumerate() {
            match index {
                0 => {}
                _ if index + 1 == count => f.write_str(" and ")?,
                _ => f.write_str(", ")?,
            }
            attacker.fmt(f)?;
        }
        Ok(())
    }
}
