//! The board world: which attack board stands on which pin, and which man on which square.
//!
//! It knows nothing of turns, rights or rules of play; it keeps what is asked about most
//! often (whose men, which columns are occupied) beside the men themselves.

use crate::column::Column;
use crate::numbers;
use crate::pin::Pin;
use crate::square::{Board, Square};
use crate::squares::SquareSet;
use movegen::{Color, Piece, Role};

/// Boards and men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct World {
    /// Whose board stands on each pin, by its marking.
    owners: [Option<Color>; Pin::COUNT],
    men: [Option<Piece>; Square::COUNT],
    sides: [SquareSet; 2],
    roles: [SquareSet; 6],
    /// The squares there are: the main boards', and those of the boards on pins.
    existing: SquareSet,
    /// A bit for each column with a man on it, at whatever height.
    shadows: u64,
    key: u64,
}

impl World {
    /// The three main boards alone.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            owners: [None; Pin::COUNT],
            men: [None; Square::COUNT],
            sides: [SquareSet::EMPTY; 2],
            roles: [SquareSet::EMPTY; 6],
            existing: SquareSet::MAIN,
            shadows: 0,
            key: 0,
        }
    }

    #[must_use]
    pub const fn man_on(&self, square: Square) -> Option<Piece> {
        self.men[square.index()]
    }

    /// Whose board stands on a pin, by its marking.
    #[must_use]
    pub const fn owner(&self, pin: Pin) -> Option<Color> {
        self.owners[pin.index()]
    }

    #[must_use]
    pub const fn has_board(&self, board: Board) -> bool {
        match board {
            Board::Attack(pin) => self.owner(pin).is_some(),
            _ => true,
        }
    }

    /// The squares there are.
    #[must_use]
    pub const fn existing(&self) -> SquareSet {
        self.existing
    }

    /// The squares there are on a column.
    #[must_use]
    pub fn on_column(&self, column: Column) -> SquareSet {
        SquareSet::of_column(column) & self.existing
    }

    /// Where a side's men stand.
    #[must_use]
    pub const fn side(&self, side: Color) -> SquareSet {
        self.sides[side.index()]
    }

    #[must_use]
    pub fn occupied(&self) -> SquareSet {
        self.sides[0] | self.sides[1]
    }

    /// Where a side's men of a role stand.
    #[must_use]
    pub fn men(&self, side: Color, role: Role) -> SquareSet {
        self.side(side) & self.roles[role.index()]
    }

    /// The king of a side; a legal position has one.
    #[must_use]
    pub fn king(&self, side: Color) -> Option<Square> {
        self.men(side, Role::King).first()
    }

    /// A bit for each column with a man on it.
    pub(crate) const fn shadows(&self) -> u64 {
        self.shadows
    }

    /// Whether a man stands on a column, at whatever height.
    #[must_use]
    pub const fn has_shadow(&self, column: Column) -> bool {
        self.shadows >> column.index() & 1 != 0
    }

    /// Men and boards as one number.
    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    /// Puts a board on a pin.
    pub(crate) fn put_board(&mut self, pin: Pin, owner: Color) {
        self.owners[pin.index()] = Some(owner);
        self.existing |= SquareSet::of_pin(pin);
        self.key ^= numbers::board(owner, pin);
    }

    /// Puts a man on an empty square.
    pub(crate) fn put(&mut self, man: Piece, square: Square) {
        let at = SquareSet::of(square);
        self.men[square.index()] = Some(man);
        self.sides[man.color().index()] |= at;
        self.roles[man.role().index()] |= at;
        self.shadows |= 1 << square.column().index();
        self.key ^= numbers::man(man, square);
    }

    /// Takes away whatever stands on a square.
    pub(crate) fn take(&mut self, square: Square) -> Option<Piece> {
        let man = self.men[square.index()].take()?;
        let others = !SquareSet::of(square);
        self.sides[man.color().index()] &= others;
        self.roles[man.role().index()] &= others;
        let column = square.column();
        if (SquareSet::of_column(column) & self.occupied()).is_empty() {
            self.shadows &= !(1 << column.index());
        }
        self.key ^= numbers::man(man, square);
        Some(man)
    }

    /// Carries the board of one pin to another, free one with all that stands on it, or turns
    /// it in place if the two are the same.
    pub(crate) fn carry(&mut self, from: Pin, to: Pin) {
        let Some(owner) = self.owner(from) else {
            return;
        };
        let mut passengers = [None; 4];
        for (passenger, square) in passengers.iter_mut().zip(SquareSet::of_pin(from)) {
            *passenger = self.take(square).map(|man| (man, square));
        }
        if from != to {
            self.owners[from.index()] = None;
            self.existing &= !SquareSet::of_pin(from);
            self.key ^= numbers::board(owner, from);
            self.put_board(to, owner);
        }
        for (man, square) in passengers.into_iter().flatten() {
            let lands = match from == to {
                true => square.turned(),
                false => square.carried_to(to),
            };
            self.put(man, lands);
        }
    }
}
