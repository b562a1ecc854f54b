//! The start positions of Chess960 by their numbers, from 0 to 959.

use movegen::{FenError, Position, Variant};

pub(super) const COUNT: u16 = 960;

/// Returns a start position by Scharnagl's numbering, in which standard chess is 518.
pub(super) fn start(number: u16) -> Result<Position, FenError> {
    let pieces = back_rank(number);
    let black = pieces.to_ascii_lowercase();
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{pieces} w KQkq - 0 1");
    Position::from_fen(&fen, Variant::Chess960)
}

fn back_rank(number: u16) -> String {
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
    let number = usize::from(number % COUNT);
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
    let (one, other) = KNIGHTS.get(knights).copied().unwrap_or_default();
    place('N', other);
    place('N', one);
    for piece in ['R', 'K', 'R'] {
        place(piece, 0);
    }
    squares.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{COUNT, back_rank, start};

    /// Numbers from published tables of the start positions.
    #[test]
    fn the_numbers_are_the_published_ones() {
        for (number, pieces) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (534, "RNBKQBNR"),
            (959, "RKRNNQBB"),
        ] {
            assert_eq!(back_rank(number), pieces, "{number}");
        }
    }

    #[test]
    fn all_960_are_different_and_legal() {
        let all: HashSet<String> = (0..COUNT).map(back_rank).collect();
        assert_eq!(all.len(), 960);
        for number in 0..COUNT {
            let position = start(number).expect("legal");
            assert_eq!(position.castling_rights().rooks().count(), 4, "{number}");
        }
    }
}
