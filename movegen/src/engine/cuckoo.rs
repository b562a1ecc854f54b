//! Upcoming repetition: a cuckoo hash table of all reversible moves, indexed by key differences.
//!
//! The keys of two positions one quiet non-pawn move apart differ by the Zobrist numbers of that
//! piece on two squares and of the side to move. All such differences fit a small table in which
//! each has two possible slots (cuckoo hashing), so two probes find the move between two positions.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::piece::{Color, Piece, Role};
use crate::square::Square;
use crate::zobrist;

const SLOTS: usize = 8192;

#[derive(Clone, Copy)]
struct Entry {
    difference: u64,
    squares: [Square; 2],
}

const EMPTY: Entry = Entry {
    difference: 0,
    squares: [Square::A1; 2],
};

const fn first_slot(difference: u64) -> usize {
    (difference >> 51) as usize
}

const fn second_slot(difference: u64) -> usize {
    (difference >> 19) as usize % SLOTS
}

const fn empty_board_attacks(role: Role, from: Square) -> Bitboard {
    let bit = Bitboard::of(from);
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => attacks::knights(bit),
        Role::Bishop => attacks::lines(from).bishop(Bitboard::EMPTY),
        Role::Rook => attacks::lines(from).rook(Bitboard::EMPTY),
        Role::Queen => Bitboard(
            attacks::lines(from).bishop(Bitboard::EMPTY).0
                | attacks::lines(from).rook(Bitboard::EMPTY).0,
        ),
        Role::King => attacks::kings(bit),
    }
}

static TABLE: [Entry; SLOTS] = {
    let mut table = [EMPTY; SLOTS];
    let mut index = 0;
    while index < Piece::ALL.len() {
        let piece = Piece::ALL[index];
        let mut a = 0;
        while a < 64 {
            let from = Square::wrapping(a);
            // Each pair of squares once: only those above `from`.
            let above = if a == 63 { 0 } else { !0u64 << (a + 1) };
            let mut rest = empty_board_attacks(piece.role(), from).0 & above;
            while rest != 0 {
                let to = Square::wrapping(rest.trailing_zeros() as u8);
                rest &= rest - 1;
                let mut entry = Entry {
                    difference: piece.zobrist(from)
                        ^ piece.zobrist(to)
                        ^ zobrist::side_to_move(Color::Black),
                    squares: [from, to],
                };
                // An evicted entry moves to its other slot, until a slot was free.
                let mut slot = first_slot(entry.difference);
                loop {
                    let evicted = table[slot];
                    table[slot] = entry;
                    if evicted.difference == 0 {
                        break;
                    }
                    entry = evicted;
                    let first = first_slot(entry.difference);
                    let second = second_slot(entry.difference);
                    slot = if slot == first { second } else { first };
                }
            }
            a += 1;
        }
        index += 1;
    }
    table
};

/// The two squares of the reversible move between two positions whose keys differ by
/// `key_difference`, if there is one. The caller must check that the squares between are empty.
///
/// ```
/// use movegen::engine::reversible_move;
/// use movegen::{Position, Square};
///
/// let start = Position::default();
/// let next = start.play_unchecked(start.move_from_san("Nf3").unwrap());
/// assert_eq!(reversible_move(start.key() ^ next.key()), Some([Square::G1, Square::F3]));
/// ```
#[inline]
pub fn reversible_move(key_difference: u64) -> Option<[Square; 2]> {
    [first_slot(key_difference), second_slot(key_difference)]
        .into_iter()
        .map(|slot| &TABLE[slot % SLOTS])
        .find(|entry| entry.difference == key_difference)
        .map(|entry| entry.squares)
        .filter(|_| key_difference != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Variant};

    #[test]
    fn finds_every_quiet_non_pawn_move_and_no_other() {
        // Kiwipete and a queen ending: all roles, captures, castling.
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/1k3p2/8/3q4/8/1P1Q4/6P1/2K5 b - - 0 1",
        ] {
            let position = Position::from_fen(fen, Variant::Standard).unwrap();
            for &mv in &position.legal_moves() {
                let next = position.play_unchecked(mv);
                let found = reversible_move(position.key() ^ next.key());
                let non_pawn = position.role_on(mv.from()) != Some(Role::Pawn);
                let quiet = position.piece_on(mv.to()).is_none() && !mv.is_castling();
                if non_pawn && quiet && position.castling_rights() == next.castling_rights() {
                    let mut squares = [mv.from(), mv.to()];
                    squares.sort();
                    assert_eq!(found, Some(squares), "{mv:?}");
                } else {
                    assert_eq!(found, None, "{mv:?}");
                }
            }
        }
    }
}
