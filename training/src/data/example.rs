//! One position as the trainer meets it: 32 bytes, seen from the side to move.

use movegen::{Bitboard, Color, Position, Square};

/// How a game ended for the side to move of an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    Lost,
    Drawn,
    Won,
}

impl GameResult {
    /// Points scored: 0, ½ or 1.
    #[must_use]
    pub const fn points(self) -> f32 {
        match self {
            Self::Lost => 0.0,
            Self::Drawn => 0.5,
            Self::Won => 1.0,
        }
    }

    /// The same result for the other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Drawn => Self::Drawn,
            Self::Won => Self::Lost,
        }
    }
}

/// A man of an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    /// It belongs to the side to move.
    pub own: bool,
    /// Pawn, knight, bishop, rook, queen, king: 0 … 5.
    pub role: usize,
    /// With the side to move at the bottom (rank 0).
    pub square: usize,
}

/// A position, what the search thought of it, and what came of it. The board is turned so that
/// the side to move plays up it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Example {
    occupied: u64,
    /// Four bits a man, in the order of the occupied squares: role, and 8 when it is theirs.
    men: [u8; 16],
    /// In evaluation units, for the side to move.
    pub score: i16,
    pub result: GameResult,
    own_king: u8,
    their_king: u8,
}

impl Example {
    #[must_use]
    pub fn new(position: &Position, score: i16, result: GameResult) -> Self {
        let turn = position.turn();
        let seen = |bits: Bitboard| match turn {
            Color::White => bits,
            Color::Black => bits.flip_ranks(),
        };
        let occupied = seen(position.occupied());
        let mut men = [0; 16];
        for (index, square) in occupied.into_iter().take(32).enumerate() {
            let Some(piece) = position.piece_on(square.relative(turn)) else {
                continue;
            };
            let theirs = if piece.color() == turn { 0 } else { 8 };
            men[index / 2] |= (piece.role().index() as u8 | theirs) << (index % 2 * 4);
        }
        let king = |color| position.king(color).relative(turn).index() as u8;
        Self {
            occupied: occupied.0,
            men,
            score,
            result,
            own_king: king(turn),
            their_king: king(!turn),
        }
    }

    /// The men on the board, by square.
    pub fn men(&self) -> impl Iterator<Item = Man> {
        let squares = Bitboard(self.occupied).into_iter().map(Square::index);
        squares.enumerate().map(|(index, square)| {
            let nibble = self.men[index / 2 % 16] >> (index % 2 * 4) & 15;
            Man {
                own: nibble & 8 == 0,
                role: usize::from(nibble & 7),
                square,
            }
        })
    }

    /// How many men are on the board.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Where the king of the side to move stands.
    #[must_use]
    pub const fn own_king(&self) -> usize {
        self.own_king as usize
    }

    /// Where the other king stands.
    #[must_use]
    pub const fn their_king(&self) -> usize {
        self.their_king as usize
    }
}
