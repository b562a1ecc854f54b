//! One entry of a book: sixteen bytes, and a move in two of them.
//!
//! A move names its squares and what a pawn becomes, and castling as the king taking its own
//! rook, in standard chess too. Books made by careless programs write the king's two steps;
//! those are understood as well.

use movegen::{Move, Position, Role, Square};

/// The bytes of an entry.
pub(crate) const ENTRY_BYTES: usize = 16;

/// An entry as it stands in a book, all numbers in it with the most significant byte first. Its
/// last four bytes are what some programs note of their games; ours are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) word: MoveWord,
    pub(crate) weight: u16,
}

impl Entry {
    pub(crate) fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Entry {
        let all = u128::from_be_bytes(bytes);
        Entry {
            key: (all >> 64) as u64,
            word: MoveWord((all >> 48) as u16),
            weight: (all >> 32) as u16,
        }
    }

    pub(crate) fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let key = u128::from(self.key) << 64;
        let word = u128::from(self.word.0) << 48;
        let weight = u128::from(self.weight) << 32;
        (key | word | weight).to_be_bytes()
    }
}

/// A move as a book writes it: to file and rank, from file and rank, promotion, three bits
/// each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MoveWord(pub(crate) u16);

const FROM_SHIFT: u16 = 6;
const PROMOTION_SHIFT: u16 = 12;
const SQUARE_MASK: u16 = 63;

/// What the three bits of a promotion mean, from 1 on; 0 is none.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl MoveWord {
    pub(crate) fn of(mv: Move) -> MoveWord {
        let promotion = mv.promotion_role().and_then(|role| {
            let at = PROMOTIONS.iter().position(|&known| known == role)?;
            u16::try_from(at + 1).ok()
        });
        let (from, to) = (mv.from().index() as u16, mv.to().index() as u16);
        MoveWord(promotion.unwrap_or(0) << PROMOTION_SHIFT | from << FROM_SHIFT | to)
    }

    fn square(self, shift: u16) -> Square {
        Square::wrapping((self.0 >> shift & SQUARE_MASK) as u8)
    }

    /// The legal move it means in a position; `None` if there is no such move.
    pub(crate) fn read(self, position: &Position) -> Option<Move> {
        let promotion = match self.0 >> PROMOTION_SHIFT {
            0 => None,
            number => Some(*PROMOTIONS.get(usize::from(number) - 1)?),
        };
        let (from, to) = (self.square(FROM_SHIFT), self.square(0));
        position.find_move(from, to, promotion).ok()
    }
}

impl std::fmt::Display for MoveWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.square(FROM_SHIFT), self.square(0))?;
        match self.0 >> PROMOTION_SHIFT {
            0 => Ok(()),
            number => match PROMOTIONS.get(usize::from(number) - 1) {
                Some(role) => write!(f, "{}", role.letter()),
                None => write!(f, "={number}"),
            },
        }
    }
}
