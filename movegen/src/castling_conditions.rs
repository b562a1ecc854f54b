//! The six conditions of castling one by one, with the squares they are about: what a diagram or a
//! lesson shows. The generator stops at the first condition that fails; see `movegen::castling`.

use crate::bitboard::Bitboard;
use crate::castling::{CastlingError, CastlingPath, CastlingSide, Variant};
use crate::movegen;
use crate::piece::{Black, Color, Role, White};
use crate::position::Position;
use crate::setup::{CastlingRight, rook_home};
use crate::square::{Rank, Square};

impl Position {
    /// The squares of king and rook when the side to move castles.
    ///
    /// In Chess960 without a right, the king's home is its square on the first rank, and the rook's is
    /// that of the outermost rook on that side. Where there is none, both are those of standard chess.
    pub fn castling_path(&self, side: CastlingSide) -> CastlingPath {
        let us = self.side_to_move;
        let king = self.king(us);
        let first_rank = Bitboard::rank(Rank::First.relative(us));
        let king_home = match self.variant {
            Variant::Chess960 if first_rank.has(king) => king,
            _ => Square::E1.relative(us),
        };
        let rook = self.castling_rights().rook(us, side, king);
        let rook_home = rook
            .or_else(|| self.rook_home(side).ok())
            .unwrap_or(side.standard_rook_home(us));
        CastlingPath::new(us, side, king_home, rook_home)
    }

    /// The six conditions under which the side to move may castle, each fulfilled or with the reason
    /// why not:
    ///
    /// 1. it has the right: neither king nor rook has moved;
    /// 2. the king is on its home square;
    /// 3. the rook is on its home square;
    /// 4. the squares that king and rook cross and land on are empty;
    /// 5. the king is not in check;
    /// 6. no square that the king crosses or lands on is attacked.
    ///
    /// [`Position::castling_move`] is legal if and only if all six are fulfilled.
    ///
    /// ```
    /// use movegen::{Bitboard, CastlingSide, Position, Square};
    ///
    /// let position: Position = "r3k2r/8/8/8/8/5q2/8/R3K1NR w KQkq - 0 1".parse()?;
    /// let conditions = position.castling_conditions(CastlingSide::King);
    /// let reasons = conditions.map(|condition| condition.err().map(|reason| reason.to_string()));
    /// assert_eq!(reasons[..3], [None, None, None]);
    /// assert_eq!(reasons[3].as_deref(), Some("cannot castle kingside: g1 is occupied"));
    /// assert_eq!(reasons[4], None);
    /// assert_eq!(reasons[5].as_deref(), Some("cannot castle kingside: f1 is attacked"));
    ///
    /// let path = position.castling_path(CastlingSide::King);
    /// assert_eq!((path.king_home, path.rook_home), (Square::E1, Square::H1));
    /// assert_eq!(path.king, [Square::F1, Square::G1].into_iter().collect());
    /// assert_eq!(path.rook, path.king);
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn castling_conditions(&self, side: CastlingSide) -> [Result<(), CastlingError>; 6] {
        let color = self.side_to_move;
        let path = self.castling_path(side);
        let rooks = self.pieces(color, Role::Rook);
        let moving = self.pieces(color, Role::King) | Bitboard::of(path.rook_home) & rooks;
        let blocker = path.all() & self.occupied() & !moving;
        let attacked = match color {
            Color::White => movegen::attacked_on::<White>(&self.board, &path),
            Color::Black => movegen::attacked_on::<Black>(&self.board, &path),
        };
        let unless = |failed: Option<CastlingError>| failed.map_or(Ok(()), Err);
        let right = self.castling_rights().rook(color, side, self.king(color));
        let no_right = CastlingError::NoRight { color, side };
        let king_away = match self.rook_home(side) {
            Err(error @ CastlingError::KingNotHome { .. }) => Some(error),
            _ => None,
        };
        let no_rook = match self.variant {
            Variant::Standard => CastlingError::RookNotHome {
                side,
                home: path.rook_home,
                found: self.piece_on(path.rook_home),
            },
            Variant::Chess960 => CastlingError::NoRook { side },
        };
        let blocked = |square| CastlingError::Blocked { side, square };
        let in_check = |checker| CastlingError::InCheck { side, checker };
        let attacked_on = |square| CastlingError::Attacked { side, square };
        [
            right.map(|_| ()).ok_or(no_right),
            unless(king_away),
            unless((!rooks.has(path.rook_home)).then_some(no_rook)),
            unless(blocker.first().map(blocked)),
            unless(self.checkers().first().map(in_check)),
            unless(attacked.first().map(attacked_on)),
        ]
    }

    fn rook_home(&self, side: CastlingSide) -> Result<Square, CastlingError> {
        let right = CastlingRight::Outermost(self.side_to_move, side);
        rook_home(&self.board, right, self.variant)
    }
}
