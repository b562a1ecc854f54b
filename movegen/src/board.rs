//! Where the men stand, who may still castle, and which pawn may be taken in passing.
//!
//! The part of a position that moving changes fastest: no keys, no clocks, no turn. Perft
//! runs on it alone; `Position` adds the rest. Whose turn it is comes in as a type.

use crate::attacks;
use crate::attacks::sliders::{Lookup, Magic};
use crate::bitboard::Bitboard;
use crate::castling::{CastlingRights, CastlingSide};
use crate::color::{Color, Side};
use crate::piece::{Piece, Role};
use crate::square::Square;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Board {
    roles: [Bitboard; 6],
    sides: [Bitboard; 2],
    pub(crate) castling: CastlingRights,
    /// The square a pawn has just passed over, if an enemy pawn stands beside that pawn.
    pub(crate) en_passant: Bitboard,
}

impl Board {
    #[inline(always)]
    pub(crate) fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    #[inline(always)]
    pub(crate) fn side(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    #[inline(always)]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.role(role) & self.side(color)
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// Bishops and queens of a side.
    #[inline(always)]
    pub(crate) fn diagonal(&self, color: Color) -> Bitboard {
        (self.role(Role::Bishop) | self.role(Role::Queen)) & self.side(color)
    }

    /// Rooks and queens of a side.
    #[inline(always)]
    pub(crate) fn orthogonal(&self, color: Color) -> Bitboard {
        (self.role(Role::Rook) | self.role(Role::Queen)) & self.side(color)
    }

    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.pieces(color, Role::King).lowest()
    }

    /// What stands on a square, found by asking every set.
    pub(crate) fn piece_on(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL
            .into_iter()
            .find(|&color| self.side(color).has(square))?;
        let role = Role::ALL
            .into_iter()
            .find(|&role| self.role(role).has(square))?;
        Some(Piece::new(color, role))
    }

    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        self.roles[piece.role().index()] |= Bitboard::of(square);
        self.sides[piece.color().index()] |= Bitboard::of(square);
    }

    /// Men of both sides that attack `square` when `occupied` squares block.
    #[inline(always)]
    pub(crate) fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let orthogonal = self.role(Role::Rook) | self.role(Role::Queen);
        let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);
        let white_pawns = self.pieces(Color::White, Role::Pawn);
        let black_pawns = self.pieces(Color::Black, Role::Pawn);
        Magic.rook(square, occupied) & orthogonal
            | Magic.bishop(square, occupied) & diagonal
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::pawn(square, Color::Black) & white_pawns
            | attacks::pawn(square, Color::White) & black_pawns
    }

    /// Those of `squares` where a king of `Us`, taken off the board, would not be attacked.
    #[inline(always)]
    pub(crate) fn safe_for_king<Us: Side, L: Lookup>(
        &self,
        lookup: L,
        squares: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let them = Us::Them::COLOR;
        let leapt = attacks::pawns(self.pieces(them, Role::Pawn), them)
            | attacks::knights(self.pieces(them, Role::Knight))
            | attacks::king(self.king(them));
        let mut safe = squares & !leapt;
        let (diagonal, orthogonal) = (self.diagonal(them), self.orthogonal(them));
        let mut rest = safe;
        while rest.any() {
            let square = rest.lowest();
            let seen = lookup.bishop(square, occupied) & diagonal
                | lookup.rook(square, occupied) & orthogonal;
            if seen.any() {
                safe ^= Bitboard::of(square);
            }
            rest = rest.without_lowest();
        }
        safe
    }

    /// A man goes from one square to another, taking what stands there.
    #[inline(always)]
    pub(crate) fn go<Us: Side>(&mut self, role: Role, from: Square, to: Square) {
        let (from, to) = (Bitboard::of(from), Bitboard::of(to));
        self.take(to);
        self.sides[Us::Them::COLOR.index()] &= !to;
        self.sides[Us::COLOR.index()] ^= from | to;
        self.roles[role.index()] ^= from | to;
        self.castling.revoke(from | to);
        if role == Role::King {
            self.castling.revoke_all(Us::COLOR);
        }
        self.en_passant = Bitboard::EMPTY;
    }

    /// A pawn goes two ranks; the square between is remembered if a pawn could take there.
    #[inline(always)]
    pub(crate) fn double_push<Us: Side>(&mut self, from: Square, to: Square) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.sides[Us::COLOR.index()] ^= both;
        self.roles[Role::Pawn.index()] ^= both;
        let beside = Bitboard::of(to).east() | Bitboard::of(to).west();
        let could_take = (beside & self.pieces(Us::Them::COLOR, Role::Pawn)).any();
        let passed = Bitboard::of(from).forward(Us::COLOR);
        self.en_passant = if could_take { passed } else { Bitboard::EMPTY };
    }

    #[inline(always)]
    pub(crate) fn promote<Us: Side>(&mut self, role: Role, from: Square, to: Square) {
        let (from, to) = (Bitboard::of(from), Bitboard::of(to));
        self.take(to);
        self.sides[Us::Them::COLOR.index()] &= !to;
        self.sides[Us::COLOR.index()] ^= from | to;
        self.roles[Role::Pawn.index()] ^= from;
        self.roles[role.index()] ^= to;
        self.castling.revoke(to);
        self.en_passant = Bitboard::EMPTY;
    }

    #[inline(always)]
    pub(crate) fn take_in_passing<Us: Side>(&mut self, from: Square, to: Square) {
        let victim = Bitboard::of(to).forward(Us::Them::COLOR);
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.sides[Us::COLOR.index()] ^= both;
        self.sides[Us::Them::COLOR.index()] &= !victim;
        self.roles[Role::Pawn.index()] ^= both | victim;
        self.en_passant = Bitboard::EMPTY;
    }

    #[inline(always)]
    pub(crate) fn castle<Us: Side>(&mut self, king: Square, rook: Square) {
        let wing = CastlingSide::of(king, rook);
        let kings = Bitboard::of(king) ^ Bitboard::of(wing.king_target(Us::COLOR));
        let rooks = Bitboard::of(rook) ^ Bitboard::of(wing.rook_target(Us::COLOR));
        self.sides[Us::COLOR.index()] ^= kings ^ rooks;
        self.roles[Role::King.index()] ^= kings;
        self.roles[Role::Rook.index()] ^= rooks;
        self.castling.revoke_all(Us::COLOR);
        self.en_passant = Bitboard::EMPTY;
    }

    /// Takes whatever stands on a square out of every role.
    #[inline(always)]
    fn take(&mut self, square: Bitboard) {
        for set in &mut self.roles {
            *set &= !square;
        }
    }
}
