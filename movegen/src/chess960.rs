//! The start positions of Chess960 and DFRC by their numbers.

use crate::castling::Variant;
use crate::position::Position;
use alloc::format;
use alloc::string::String;

/// The number of start positions of Chess960; they are numbered from 0.
pub const CHESS960_POSITIONS: u16 = 960;

/// The places of the knights among the five squares that bishops and queen leave.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

impl Position {
    /// The start position of Chess960 with this number, from 0 to 959, by Scharnagl's numbering.
    ///
    /// ```
    /// use movegen::Position;
    ///
    /// let fen = |number| Position::chess960(number).map(|position| position.fen());
    /// let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// assert_eq!(fen(518).as_deref(), Some(standard));
    /// let first = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    /// assert_eq!(fen(0).as_deref(), Some(first));
    /// assert_eq!(fen(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Self> {
        Self::dfrc(number, number)
    }

    /// The start position of DFRC, Double Fischer Random Chess: each side has the pieces of a start
    /// position of Chess960.
    ///
    /// ```
    /// use movegen::Position;
    ///
    /// let position = Position::dfrc(518, 959).ok_or("no such position")?;
    /// let fen = "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQac - 0 1";
    /// assert_eq!(position.shredder_fen(), Position::from_fen(fen, position.variant())?.shredder_fen());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dfrc(white: u16, black: u16) -> Option<Self> {
        let (white, black) = (back_rank(white)?, back_rank(black)?.to_ascii_lowercase());
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
        Self::from_fen(&fen, Variant::Chess960).ok()
    }
}

fn back_rank(number: u16) -> Option<String> {
    if number >= CHESS960_POSITIONS {
        return None;
    }
    let number = usize::from(number);
    let (number, light) = (number / 4, number % 4);
    let (number, dark) = (number / 4, number % 4);
    let (knights, queen) = (number / 6, number % 6);
    let mut squares = [None; 8];
    let mut place = |piece: char, nth_free: usize| {
        let mut free = squares.iter_mut().filter(|square| square.is_none());
        if let Some(square) = free.nth(nth_free) {
            *square = Some(piece);
        }
    };
    // The piece further to the right first, so that it takes no place to the left of the other.
    let (first, second) = (2 * light + 1, 2 * dark);
    let (low, high) = (first.min(second), first.max(second));
    place('B', high);
    place('B', low);
    place('Q', queen);
    let &(one, other) = KNIGHTS.get(knights)?;
    place('N', other);
    place('N', one);
    for piece in ['R', 'K', 'R'] {
        place(piece, 0);
    }
    Some(squares.into_iter().flatten().collect())
}
