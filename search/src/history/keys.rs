//! Piece keys: hashes of a position's pawns, minor pieces and non-pawn pieces, the indices into the
//! pawn history and the correction histories.

use movegen::{Color, Move, Piece, Position, Role, Square};

/// Four keys of sixteen bits each, in one word, so that one XOR updates all of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct PieceKeys(u64);

/// The lowest bit of each key.
const PAWNS: u32 = 0;
const MINORS: u32 = 16;
const NON_PAWNS: [u32; 2] = [32, 48];

/// The contribution of each piece on each square: the low bits of its Zobrist number, in every key
/// it belongs to. The last row, of no piece, is zero.
static NUMBERS: [[u64; 64]; 13] = {
    let mut numbers = [[0; 64]; 13];
    let mut index = 0;
    while index < Piece::ALL.len() {
        let piece = Piece::ALL[index];
        let one_in_each: u64 = match piece.role() {
            Role::Pawn => 1 << PAWNS,
            Role::Knight | Role::Bishop | Role::King => {
                1 << MINORS | 1 << NON_PAWNS[piece.color().index()]
            }
            Role::Rook | Role::Queen => 1 << NON_PAWNS[piece.color().index()],
        };
        let mut square = 0;
        while square < 64 {
            let number = piece.zobrist(Square::wrapping(square)) as u16;
            numbers[index][square as usize] = number as u64 * one_in_each;
            square += 1;
        }
        index += 1;
    }
    numbers
};

#[inline]
fn number(piece: Option<Piece>, square: Square) -> u64 {
    NUMBERS[piece.map_or(12, Piece::index)][square.index()]
}

impl PieceKeys {
    pub(crate) fn of(position: &Position) -> Self {
        let numbers = position
            .piece_map()
            .map(|(square, piece)| number(Some(piece), square));
        Self(numbers.fold(0, |keys, number| keys ^ number))
    }

    /// The keys of `child`, the position after a move in `parent`, whose keys these are.
    #[inline]
    pub(crate) fn after(self, parent: &Position, mv: Move, child: &Position) -> Self {
        if !mv.is_normal() {
            return Self::of(child);
        }
        let (from, to) = (mv.from(), mv.to());
        let (piece, captured) = (parent.piece_on(from), parent.piece_on(to));
        Self(self.0 ^ number(piece, from) ^ number(piece, to) ^ number(captured, to))
    }

    /// Pawns of both sides.
    #[inline]
    pub(crate) fn pawns(self) -> usize {
        usize::from((self.0 >> PAWNS) as u16)
    }

    /// Knights, bishops and kings of both sides.
    #[inline]
    pub(crate) fn minors(self) -> usize {
        usize::from((self.0 >> MINORS) as u16)
    }

    /// The pieces of a side other than pawns.
    #[inline]
    pub(crate) fn non_pawns(self, color: Color) -> usize {
        usize::from((self.0 >> NON_PAWNS[color.index()]) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::{Bitboard, Variant};
    use std::collections::{HashMap, HashSet};
    use test_common::Rng;

    /// Positions of random games from positions with castling, en passant and promotions ahead.
    fn walk(mut visit: impl FnMut(&Position, Move, &Position)) {
        let mut rng = Rng::new(17);
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let start = Position::from_fen(fen, Variant::Standard).unwrap();
            for _ in 0..50 {
                let mut position = start;
                for _ in 0..60 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    let mv = *rng.choose(&moves);
                    let child = position.play_unchecked(mv);
                    visit(&position, mv, &child);
                    position = child;
                }
            }
        }
    }

    #[test]
    fn incremental_keys_equal_keys_from_scratch() {
        walk(|parent, mv, child| {
            let keys = PieceKeys::of(parent).after(parent, mv, child);
            assert_eq!(keys, PieceKeys::of(child), "{mv:?} in {parent}");
        });
    }

    #[test]
    fn each_key_depends_on_its_pieces_only() {
        let mut seen: [HashMap<Vec<Bitboard>, usize>; 4] = Default::default();
        walk(|position, _, _| {
            let keys = PieceKeys::of(position);
            let sets = |color, roles: &[Role]| -> Vec<Bitboard> {
                roles
                    .iter()
                    .map(|&role| position.pieces(color, role))
                    .collect()
            };
            let both =
                |roles: &[Role]| [sets(Color::White, roles), sets(Color::Black, roles)].concat();
            let piece_sets = [
                (both(&[Role::Pawn]), keys.pawns()),
                (
                    both(&[Role::Knight, Role::Bishop, Role::King]),
                    keys.minors(),
                ),
                (
                    sets(Color::White, &Role::ALL[1..]),
                    keys.non_pawns(Color::White),
                ),
                (
                    sets(Color::Black, &Role::ALL[1..]),
                    keys.non_pawns(Color::Black),
                ),
            ];
            for (seen, (pieces, key)) in seen.iter_mut().zip(piece_sets) {
                assert_eq!(*seen.entry(pieces).or_insert(key), key, "{position}");
            }
        });
        // Keys that do not depend on their pieces would pass so far.
        for seen in seen {
            let distinct: HashSet<_> = seen.values().collect();
            assert!(distinct.len() * 10 > seen.len() * 9);
        }
    }
}
