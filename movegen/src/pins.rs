//! Pins and checks with their pieces, as reasons name them.

use crate::attackers::{Attacker, Attackers};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::square::Square;
use core::fmt;

/// A piece that must not leave the line between its king and an enemy piece, displayed as
/// `the knight on e2 is pinned to its king by the rook on e4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize))]
pub struct Pin {
    /// The role of the pinned piece.
    pub role: Role,
    /// The square of the pinned piece.
    pub square: Square,
    /// The piece that pins it.
    pub pinner: Attacker,
    /// The squares between the king and the pinner, and the pinner's own.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub line: Bitboard,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (role, square, pinner) = (self.role.name(), self.square, self.pinner);
        write!(
            f,
            "the {role} on {square} is pinned to its king by {pinner}"
        )
    }
}

impl Position {
    /// The pieces of a color that are pinned to their king, a1 first by pinner.
    ///
    /// ```
    /// use movegen::{Bitboard, Color, Position, Square};
    ///
    /// let position: Position = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1".parse()?;
    /// let pin = position.pins(Color::White).next().expect("a pin");
    /// assert_eq!(pin.to_string(), "the knight on e2 is pinned to its king by the rook on e4");
    /// assert_eq!(pin.line, [Square::E2, Square::E3, Square::E4].into_iter().collect());
    /// assert_eq!(position.pins(Color::Black).count(), 0);
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn pins(&self, color: Color) -> impl Iterator<Item = Pin> {
        let king = self.king(color);
        let (own, enemies) = (self.by_color(color), self.by_color(!color));
        let pinners = self.attackers_to(king, enemies) & enemies;
        self.named(pinners).iter().filter_map(move |pinner| {
            let between = attacks::between(king, pinner.square);
            let shield = between & own;
            let square = shield.first().filter(|_| !shield.many())?;
            Some(Pin {
                role: self.role_on(square)?,
                square,
                pinner,
                line: between | Bitboard::of(pinner.square),
            })
        })
    }

    /// The pin that a move of the side to move disregards.
    pub(crate) fn broken_pin(&self, from: Square, to: Square) -> Option<Pin> {
        self.pins(self.side_to_move)
            .find(|pin| pin.square == from && !pin.line.has(to))
    }

    /// The pieces on these squares by role, such as the checkers:
    ///
    /// ```
    /// use movegen::Position;
    ///
    /// let position: Position = "4k3/8/8/8/4r3/5n2/8/4K3 w - - 0 1".parse()?;
    /// let checkers = position.named(position.checkers());
    /// assert_eq!(checkers.to_string(), "the knight on f3 and the rook on e4");
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn named(&self, squares: Bitboard) -> Attackers {
        Attackers::of_roles(|role| self.by_role(role) & squares)
    }
}
