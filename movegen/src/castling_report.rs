//! Castling in detail: its six conditions with everything that each fails by, and the squares they
//! are about. The generator stops at the first condition that fails; see `generate::castling`.

use crate::attackers::Attackers;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingPath, CastlingRight, CastlingSide, Variant};
use crate::castling_error::CastlingError;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::setup::rook_home;
use crate::square::{Rank, Square};
use alloc::vec;
use alloc::vec::Vec;

/// The legality of castling, and everything against it; see [`Position::castling_report`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CastlingReport {
    /// The side that castles.
    pub color: Color,
    /// The side of the board it castles to.
    pub side: CastlingSide,
    /// The squares of king and rook.
    pub path: CastlingPath,
    /// Condition 1, if it fails: the right is lost, by a move that a [`Game`](crate::Game) names.
    pub no_right: Option<CastlingError>,
    /// Condition 2, if it fails: the king is not on its home square.
    pub king_away: Option<CastlingError>,
    /// Condition 3, if it fails: the rook is not on its home square.
    pub rook_away: Option<CastlingError>,
    /// The pieces in the way of king and rook.
    pub blockers: Bitboard,
    /// The pieces that give check.
    pub checkers: Attackers,
    /// The attacked squares that the king crosses or lands on, each with the pieces that attack it.
    pub attacked: Vec<(Square, Attackers)>,
}

impl CastlingReport {
    /// The names of the conditions, in their order.
    pub const CONDITIONS: [&str; 6] = [
        "right",
        "king_at_home",
        "rook_at_home",
        "path_empty",
        "not_in_check",
        "path_not_attacked",
    ];

    /// The reasons by which each of the six conditions fails, none where it is fulfilled:
    ///
    /// 1. it has the right: neither king nor rook has moved;
    /// 2. the king is on its home square;
    /// 3. the rook is on its home square;
    /// 4. the squares that king and rook cross and land on are empty;
    /// 5. the king is not in check;
    /// 6. no square that the king crosses or lands on is attacked.
    pub fn conditions(&self) -> [Vec<CastlingError>; 6] {
        let side = self.side;
        let blocked = |square| CastlingError::Blocked { side, square };
        let checkers = self.checkers;
        let in_check = CastlingError::InCheck { side, checkers };
        let attacked = |&(square, attackers): &(Square, Attackers)| CastlingError::Attacked {
            side,
            square,
            attackers,
        };
        let if_any = |fails: bool, error| fails.then_some(error).into_iter().collect();
        [
            self.no_right.into_iter().collect(),
            self.king_away.into_iter().collect(),
            self.rook_away.into_iter().collect(),
            self.blockers.into_iter().map(blocked).collect(),
            if_any(checkers.squares().any(), in_check),
            self.attacked.iter().map(attacked).collect(),
        ]
    }

    /// Every reason why castling is illegal, in the order of the conditions; none if it is legal.
    /// If the king or else the rook is away from home, that is all there is to say.
    pub fn errors(&self) -> Vec<CastlingError> {
        match self.king_away.or(self.rook_away) {
            Some(away) => vec![away],
            None => self.conditions().into_iter().flatten().collect(),
        }
    }
}

impl Position {
    /// The squares of king and rook when the side to move castles.
    ///
    /// In Chess960 without a right, the king's home is its square on the first rank, and the rook's
    /// is that of the outermost rook on that side. Where there is none, both are those of standard
    /// chess.
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

    /// The legality of castling for the side to move, and everything against it.
    ///
    /// ```
    /// use movegen::{Bitboard, CastlingSide, Position, Square};
    ///
    /// let position: Position = "r3k2r/8/8/8/8/5q2/8/R3K1NR w KQkq - 0 1".parse()?;
    /// let report = position.castling_report(CastlingSide::King);
    /// assert_eq!(report.blockers, Bitboard::of(Square::G1));
    /// assert_eq!(report.conditions().map(|reasons| reasons.len()), [0, 0, 0, 1, 0, 1]);
    /// let reasons: Vec<String> = report.errors().iter().map(|error| error.to_string()).collect();
    /// assert_eq!(reasons, [
    ///     "cannot castle kingside: g1 is occupied",
    ///     "cannot castle kingside: f1 is attacked by the queen on f3",
    /// ]);
    ///
    /// let path = position.castling_path(CastlingSide::King);
    /// assert_eq!((path.king_home, path.rook_home), (Square::E1, Square::H1));
    /// assert_eq!(path.king, [Square::F1, Square::G1].into_iter().collect());
    /// assert_eq!(path.rook, path.king);
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn castling_report(&self, side: CastlingSide) -> CastlingReport {
        let color = self.side_to_move;
        let path = self.castling_path(side);
        let rooks = self.pieces(color, Role::Rook);
        let moving = self.pieces(color, Role::King) | Bitboard::of(path.rook_home) & rooks;
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
        let attacked = path.king.into_iter().filter_map(|square| {
            let occupied = path.occupied_with_king_on(square, self.occupied());
            let attackers = self.attackers_to(square, occupied) & self.by_color(!color);
            attackers.any().then(|| (square, self.named(attackers)))
        });
        let right = self.castling_rights().rook(color, side, self.king(color));
        CastlingReport {
            color,
            side,
            path,
            no_right: right
                .is_none()
                .then_some(CastlingError::NoRight { color, side }),
            king_away,
            rook_away: (!rooks.has(path.rook_home)).then_some(no_rook),
            blockers: path.all() & self.occupied() & !moving,
            checkers: self.named(self.checkers()),
            attacked: attacked.collect(),
        }
    }

    fn rook_home(&self, side: CastlingSide) -> Result<Square, CastlingError> {
        let right = CastlingRight::Outermost(self.side_to_move, side);
        rook_home(&self.board, right, self.variant)
    }
}
