//! Which reversible move lies between two positions, told from their keys alone.
//!
//! The keys of two positions one quiet officer's move apart differ by that man's numbers on
//! two squares and the turn. All such differences fit a small hash table in which each has
//! two possible places ("cuckoo"), so that one look at each place check_mask.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::square::Square;
use crate::zobrist;

const SLOTS: usize = 8192;

#[derive(Clone, Copy)]
struct Step {
    difference: u64,
    squares: [Square; 2],
}

const NO_STEP: Step = Step {
    difference: 0,
    squares: [Square::A1; 2],
};

const fn first_place(difference: u64) -> usize {
    (difference >> 51) as usize
}

const fn second_place(difference: u64) -> usize {
    (difference >> 19) as usize % SLOTS
}

const fn reach(role: Role, from: Square) -> Bitboard {
    let bit = Bitboard::of(from);
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => attacks::knights(bit),
        Role::Bishop => attacks::bishop_by_lines(from, Bitboard::EMPTY),
        Role::Rook => attacks::rook_by_lines(from, Bitboard::EMPTY),
        Role::Queen => Bitboard(
            attacks::bishop_by_lines(from, Bitboard::EMPTY).0
                | attacks::rook_by_lines(from, Bitboard::EMPTY).0,
        ),
        Role::King => attacks::kings(bit),
    }
}

static STEPS: [Step; SLOTS] = {
    let mut table = [NO_STEP; SLOTS];
    let mut man = 0;
    while man < Piece::ALL.len() {
        let piece = Piece::ALL[man];
        let mut a = 0;
        while a < 64 {
            let from = Square::wrapping(a);
            // Each pair of squares once: only those above `from`.
            let above = if a == 63 { 0 } else { !0u64 << (a + 1) };
            let mut rest = reach(piece.role(), from).0 & above;
            while rest != 0 {
                let to = Square::wrapping(rest.trailing_zeros() as u8);
                rest &= rest - 1;
                let mut homeless = Step {
                    difference: zobrist::piece(piece, from)
                        ^ zobrist::piece(piece, to)
                        ^ zobrist::side_to_move(Color::Black),
                    squares: [from, to],
                };
                // Whoever is pushed out goes to its other place, until a place was free.
                let mut place = first_place(homeless.difference);
                loop {
                    let pushed_out = table[place];
                    table[place] = homeless;
                    if pushed_out.difference == 0 {
                        break;
                    }
                    homeless = pushed_out;
                    let first = first_place(homeless.difference);
                    let second = second_place(homeless.difference);
                    place = if place == first { second } else { first };
                }
            }
            a += 1;
        }
        man += 1;
    }
    table
};

/// The two squares of the officer's move by which two positions of these keys differ, if
/// they do. Whether the way between is free is for the caller to see.
#[must_use]
#[inline]
pub fn reversible_move(key_difference: u64) -> Option<[Square; 2]> {
    [first_place(key_difference), second_place(key_difference)]
        .into_iter()
        .map(|place| &STEPS[place % SLOTS])
        .find(|step| step.difference == key_difference)
        .map(|step| step.squares)
        .filter(|_| key_difference != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Variant};

    #[test]
    fn every_quiet_officer_move_is_found_and_no_other() {
        // Kiwipete and a queen ending: officers of all kinds, pawns, captures, castling.
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/1k3p2/8/3q4/8/1P1Q4/6P1/2K5 b - - 0 1",
        ] {
            let position = Position::from_fen(fen, Variant::Standard).unwrap();
            for &mv in &position.legal_moves() {
                let next = position.play_unchecked(mv);
                let found = reversible_move(position.key() ^ next.key());
                let officer = position.role_on(mv.from()) != Some(Role::Pawn);
                let plain = position.piece_on(mv.to()).is_none() && !mv.is_castling();
                if officer && plain && position.castling_rights() == next.castling_rights() {
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
