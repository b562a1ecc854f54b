//! The board: pieces, castling rights and the en passant square, and the checks and pins on it.
//!
//! This is the part of a position that perft needs: no keys, no clocks, and the side to move is a
//! type parameter. `Position` adds the rest.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingRights, CastlingSide};
use crate::piece::{Color, Piece, Role, StaticColor};
use crate::square::{Rank, Square};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Board {
    roles: [Bitboard; 6],
    sides: [Bitboard; 2],
    pub(crate) castling: CastlingRights,
    /// The square a pawn has just skipped, if an enemy pawn is adjacent to that pawn.
    pub(crate) en_passant: Bitboard,
}

impl Board {
    #[inline(always)]
    pub(crate) fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    #[inline(always)]
    pub(crate) fn by_color(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    #[inline(always)]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.by_role(role) & self.by_color(color)
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// Bishops and queens of a side.
    #[inline(always)]
    pub(crate) fn diagonal(&self, color: Color) -> Bitboard {
        (self.by_role(Role::Bishop) | self.by_role(Role::Queen)) & self.by_color(color)
    }

    /// Rooks and queens of a side.
    #[inline(always)]
    pub(crate) fn orthogonal(&self, color: Color) -> Bitboard {
        (self.by_role(Role::Rook) | self.by_role(Role::Queen)) & self.by_color(color)
    }

    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.pieces(color, Role::King).lowest()
    }

    /// The piece on a square, found by searching every set.
    pub(crate) fn piece_on(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL
            .into_iter()
            .find(|&color| self.by_color(color).has(square))?;
        let role = Role::ALL
            .into_iter()
            .find(|&role| self.by_role(role).has(square))?;
        Some(Piece::new(color, role))
    }

    /// The board with these pieces, without castling rights.
    pub(crate) fn new(mailbox: &[Option<Piece>; 64]) -> Self {
        // The low bit of a piece's number is its color, the other three are its role.
        const EMPTY: u8 = Piece::ALL.len() as u8;
        let numbers = mailbox.map(|piece| piece.map_or(EMPTY, |piece| piece.index() as u8));
        let [black, role_0, role_1, role_2] = [0, 1, 2, 3].map(|bit| bit_plane(&numbers, bit));
        let occupied = !(role_2 & role_1);
        Self {
            roles: core::array::from_fn(|role| {
                let same = |bit: usize, plane: Bitboard| match role >> bit & 1 {
                    0 => !plane,
                    _ => plane,
                };
                same(0, role_0) & same(1, role_1) & same(2, role_2)
            }),
            sides: [occupied & !black, occupied & black],
            ..Self::default()
        }
    }

    /// The pieces of both sides that attack `square`, given the occupied squares.
    #[inline(always)]
    pub(crate) fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let orthogonal = self.by_role(Role::Rook) | self.by_role(Role::Queen);
        let diagonal = self.by_role(Role::Bishop) | self.by_role(Role::Queen);
        let white_pawns = self.pieces(Color::White, Role::Pawn);
        let black_pawns = self.pieces(Color::Black, Role::Pawn);
        attacks::rook(square, occupied) & orthogonal
            | attacks::bishop(square, occupied) & diagonal
            | attacks::knight(square) & self.by_role(Role::Knight)
            | attacks::king(square) & self.by_role(Role::King)
            | attacks::pawn(square, Color::Black) & white_pawns
            | attacks::pawn(square, Color::White) & black_pawns
    }

    /// True if the side not to move attacks `square`, given the occupied squares.
    #[inline(always)]
    pub(crate) fn is_attacked<Us: StaticColor>(&self, square: Square, occupied: Bitboard) -> bool {
        (self.attackers_to(square, occupied) & self.by_color(Us::Them::COLOR)).any()
    }

    /// The squares where the king of `Us`, which hides nothing behind it, would be attacked.
    /// `sliders` computes the attacks of orthogonal and diagonal sliders, given the occupied
    /// squares.
    #[inline(always)]
    pub(crate) fn king_danger<Us: StaticColor>(
        &self,
        sliders: impl FnOnce(Bitboard, Bitboard, Bitboard) -> Bitboard,
    ) -> Bitboard {
        let them = Us::Them::COLOR;
        let without_king = self.occupied() ^ self.pieces(Us::COLOR, Role::King);
        sliders(self.orthogonal(them), self.diagonal(them), without_king)
            | attacks::pawns(self.pieces(them, Role::Pawn), them)
            | attacks::knights(self.pieces(them, Role::Knight))
            | attacks::king(self.king(them))
    }

    /// Moves a piece, capturing what is on the destination.
    #[inline(always)]
    pub(crate) fn move_piece<Us: StaticColor>(&mut self, role: Role, from: Square, to: Square) {
        self.remove(Bitboard::of(to));
        self.move_to_empty::<Us>(role, from, to);
    }

    /// Moves a piece to a square whose piece, which it captures, is known.
    #[inline(always)]
    pub(crate) fn move_capturing<Us: StaticColor>(
        &mut self,
        role: Role,
        captured: Option<Role>,
        from: Square,
        to: Square,
    ) {
        // Without a branch, which would often be mispredicted.
        let victim = captured.map_or(Bitboard::EMPTY, |_| Bitboard::of(to));
        self.roles[captured.map_or(0, Role::index)] ^= victim;
        self.move_to_empty::<Us>(role, from, to);
    }

    /// Moves a piece to a square that no role has any more.
    #[inline(always)]
    fn move_to_empty<Us: StaticColor>(&mut self, role: Role, from: Square, to: Square) {
        let (from, to) = (Bitboard::of(from), Bitboard::of(to));
        self.roles[role.index()] ^= from | to;
        self.sides[Us::Them::COLOR.index()] &= !to;
        self.sides[Us::COLOR.index()] ^= from | to;
        let home = match role {
            Role::King => Bitboard::rank(Rank::First.relative(Us::COLOR)),
            _ => Bitboard::EMPTY,
        };
        self.castling.revoke(from | to | home);
        self.en_passant = Bitboard::EMPTY;
    }

    /// Plays a double pawn push; sets the en passant square if an enemy pawn is adjacent to the
    /// pawn.
    #[inline(always)]
    pub(crate) fn double_push<Us: StaticColor>(&mut self, from: Square, to: Square) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.sides[Us::COLOR.index()] ^= both;
        self.roles[Role::Pawn.index()] ^= both;
        self.set_en_passant::<Us>(from, to);
    }

    /// Sets the en passant square after a double pawn push if an enemy pawn is adjacent to the
    /// pawn.
    #[inline(always)]
    pub(crate) fn set_en_passant<Us: StaticColor>(&mut self, from: Square, to: Square) {
        let adjacent = Bitboard::of(to).east() | Bitboard::of(to).west();
        let capturable = (adjacent & self.pieces(Us::Them::COLOR, Role::Pawn)).any();
        let passed = Bitboard::of(from).forward(Us::COLOR);
        self.en_passant = if capturable { passed } else { Bitboard::EMPTY };
    }

    #[inline(always)]
    pub(crate) fn promote<Us: StaticColor>(&mut self, role: Role, from: Square, to: Square) {
        let (from, to) = (Bitboard::of(from), Bitboard::of(to));
        self.remove(to);
        self.sides[Us::Them::COLOR.index()] &= !to;
        self.sides[Us::COLOR.index()] ^= from | to;
        self.roles[Role::Pawn.index()] ^= from;
        self.roles[role.index()] ^= to;
        self.castling.revoke(to);
        self.en_passant = Bitboard::EMPTY;
    }

    #[inline(always)]
    pub(crate) fn en_passant<Us: StaticColor>(&mut self, from: Square, to: Square) {
        let victim = Bitboard::of(to).forward(Us::Them::COLOR);
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.sides[Us::COLOR.index()] ^= both;
        self.sides[Us::Them::COLOR.index()] &= !victim;
        self.roles[Role::Pawn.index()] ^= both | victim;
        self.en_passant = Bitboard::EMPTY;
    }

    #[inline(always)]
    pub(crate) fn castle<Us: StaticColor>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let kings = Bitboard::of(king) ^ Bitboard::of(side.king_target(Us::COLOR));
        let rooks = Bitboard::of(rook) ^ Bitboard::of(side.rook_target(Us::COLOR));
        self.sides[Us::COLOR.index()] ^= kings ^ rooks;
        self.roles[Role::King.index()] ^= kings;
        self.roles[Role::Rook.index()] ^= rooks;
        self.castling.revoke_all(Us::COLOR);
        self.en_passant = Bitboard::EMPTY;
    }

    /// Removes a square from every role.
    #[inline(always)]
    fn remove(&mut self, square: Bitboard) {
        for set in &mut self.roles {
            *set &= !square;
        }
    }
}

/// The squares whose numbers have this bit set, a rank at a time: the multiplication gathers the
/// lowest bit of each byte in the highest byte.
fn bit_plane(numbers: &[u8; 64], bit: u32) -> Bitboard {
    let (rows, _) = numbers.as_chunks::<8>();
    let mut plane = 0;
    for (rank, &row) in rows.iter().enumerate() {
        let bits = u64::from_le_bytes(row) >> bit & 0x0101_0101_0101_0101;
        plane |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * rank);
    }
    Bitboard(plane)
}

/// The checks and pins on the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CheckInfo {
    /// The enemy pieces that give check.
    pub(crate) checkers: Bitboard,
    /// The squares from the king through a pinned piece to the pinner.
    pub(crate) pins: Bitboard,
}

impl CheckInfo {
    #[inline(always)]
    pub(crate) fn find<Us: StaticColor>(board: &Board) -> Self {
        let them = Us::Them::COLOR;
        let king = board.king(Us::COLOR);
        let mut checkers = attacks::knight(king) & board.pieces(them, Role::Knight)
            | attacks::pawn(king, Us::COLOR) & board.pieces(them, Role::Pawn);
        let mut pins = Bitboard::EMPTY;
        let snipers = attacks::orthogonals(king) & board.orthogonal(them)
            | attacks::diagonals(king) & board.diagonal(them);
        for sniper in snipers {
            let between = attacks::between(king, sniper);
            let blockers = between & board.occupied();
            if blockers.is_empty() {
                checkers |= Bitboard::of(sniper);
            } else if !blockers.many() && (blockers & board.by_color(Us::COLOR)).any() {
                pins |= between | Bitboard::of(sniper);
            }
        }
        Self { checkers, pins }
    }

    /// The destinations of pieces other than the king that resolve the check: all squares if there
    /// is no check; the checker and the squares between if there is one, none in double check.
    #[inline(always)]
    pub(crate) fn mask(&self, king: Square) -> Bitboard {
        if self.checkers.is_empty() {
            Bitboard::FULL
        } else if self.checkers.many() {
            Bitboard::EMPTY
        } else {
            self.checkers | attacks::between(king, self.checkers.lowest())
        }
    }
}
