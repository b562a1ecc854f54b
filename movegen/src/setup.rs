//! Setups: the content of a FEN, and its validation into a legal position.
//!
//! Rejected are setups the rules cannot be applied to. Dropped are castling rights whose king or
//! rook is not on its home square, and en passant squares without a legal capture.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingRight, CastlingRights, CastlingSide, Variant};
use crate::castling_error::CastlingError;
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::square::{Rank, Square};
use alloc::vec::Vec;
use thiserror::Error;

/// A part of a setup that its position cannot have, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum Dropped {
    /// The king or the rook is not at home.
    #[error("castling right {right} dropped: {reason}")]
    Right {
        right: CastlingRight,
        reason: CastlingError,
        /// The position was read as standard chess; Chess960 has the right.
        in_chess960: bool,
    },
    /// No pawn of the side not to move skips the square.
    #[error("en passant square {square} dropped: it is not on rank {rank}")]
    EnPassantRank { square: Square, rank: Rank },
    /// No pawn is in front of the en passant square.
    #[error("en passant square {square} dropped: there is no {} pawn on {pawn}", .color.name())]
    NoPawn {
        square: Square,
        color: Color,
        pawn: Square,
    },
    /// A square that the pawn crossed is not empty.
    #[error("en passant square {square} dropped: {occupied} is occupied")]
    Occupied { square: Square, occupied: Square },
    /// Moves are counted from 1.
    #[error("fullmove number 0 read as 1: moves are counted from 1")]
    FullmoveNumber,
}

impl Dropped {
    const fn right(right: CastlingRight, reason: CastlingError) -> Self {
        Self::Right {
            right,
            reason,
            in_chess960: false,
        }
    }

    /// True for a castling right that Chess960 has and standard chess does not.
    pub const fn is_of_chess960(&self) -> bool {
        matches!(
            self,
            Self::Right {
                in_chess960: true,
                ..
            }
        )
    }

    /// True if the FEN named a rook by its file, and only Chess960 has a right with that rook.
    pub(crate) const fn names_rook_of_chess960(&self) -> bool {
        matches!(
            self,
            Self::Right {
                right: CastlingRight::File(..),
                in_chess960: true,
                ..
            }
        )
    }
}

/// A legal position as a [`Setup`] describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Validated {
    /// The position.
    pub position: Position,
    /// The square that a pawn has just skipped. [`Position::en_passant`] is this square only if a
    /// capture on it is legal; the keys of opening books need it elsewhere too.
    pub en_passant: Option<Square>,
    /// The parts of the setup that the position cannot have.
    pub dropped: Vec<Dropped>,
}

impl From<Position> for Validated {
    fn from(position: Position) -> Self {
        Self {
            position,
            en_passant: position.en_passant(),
            dropped: Vec::new(),
        }
    }
}

/// The content of a FEN: well-formed, but not necessarily a legal position.
///
/// To edit a position, edit its setup:
///
/// ```
/// use movegen::{Position, Setup, Square, Validated, Variant};
///
/// let mut setup = Setup::from(&Position::default());
/// setup.pieces[Square::A1.index()] = None;
/// let Validated { position: odds, dropped, .. } = setup.position(Variant::Standard)?;
/// assert_eq!(odds.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1");
/// assert_eq!(dropped.len(), 1);
///
/// setup.pieces[Square::E8.index()] = None;
/// assert_eq!(
///     setup.position(Variant::Standard).unwrap_err().to_string(),
///     "Black has 0 kings; each side must have exactly one",
/// );
/// # Ok::<(), movegen::IllegalPosition>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, by [`Square::index`].
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub side_to_move: Color,
    /// The castling rights as written.
    pub castling_rights: Vec<CastlingRight>,
    /// The en passant square, whether or not a capture on it is legal.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the next move pair, starting at 1.
    pub fullmove_number: u16,
}

/// The reason a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum IllegalPosition {
    /// A side does not have exactly one king.
    #[error("{color} has {count} kings; each side must have exactly one")]
    Kings { color: Color, count: u32 },
    /// A pawn is on the first or last rank.
    #[error("pawn on {0}; pawns must be on ranks 2 to 7")]
    PawnOnBackRank(Square),
    /// A side has more than sixteen pieces.
    #[error("{color} has {count} pieces; a side has at most 16")]
    TooManyPieces { color: Color, count: u32 },
    /// A side has more promoted pieces than pawns are missing.
    #[error(
        "{color} has at least {} pawns and promoted pieces ({pawns}+{promoted}); a side has at most 8",
        pawns + promoted
    )]
    ImpossiblePromotions {
        color: Color,
        pawns: u32,
        promoted: u32,
    },
    /// The side not to move is in check.
    #[error(
        "{side} is in check from {checker} with {mover} to move; \
         the side not to move must not be in check"
    )]
    OpponentInCheck {
        side: Color,
        mover: Color,
        checker: Square,
    },
}

impl Setup {
    /// An empty board with White to move.
    pub fn empty() -> Self {
        Self {
            pieces: [None; 64],
            side_to_move: Color::White,
            castling_rights: Vec::new(),
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The legal position this setup describes, and what it cannot have, each with the reason.
    ///
    /// ```
    /// use movegen::{Setup, Variant};
    ///
    /// let setup: Setup = "4k3/8/8/8/8/8/8/4K2B w K - 0 1".parse()?;
    /// let validated = setup.position(Variant::Standard)?;
    /// assert!(validated.position.castling_rights().is_empty());
    /// assert_eq!(
    ///     validated.dropped[0].to_string(),
    ///     "castling right K dropped: \
    ///      cannot castle kingside: expected the rook on h1, found a white bishop",
    /// );
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn position(&self, variant: Variant) -> Result<Validated, IllegalPosition> {
        let mut board = Board::new(&self.pieces);
        for color in Color::ALL {
            check_material(&board, color)?;
        }
        if let Some(square) = (board.by_role(Role::Pawn) & Bitboard::BACK_RANKS).first() {
            return Err(IllegalPosition::PawnOnBackRank(square));
        }
        let (mover, side) = (self.side_to_move, !self.side_to_move);
        let attackers = board.attackers_to(board.king(side), board.occupied());
        if let Some(checker) = (attackers & board.by_color(mover)).first() {
            return Err(IllegalPosition::OpponentInCheck {
                side,
                mover,
                checker,
            });
        }
        let mut dropped = self.grant_rights(&mut board, variant);
        if variant == Variant::Standard && !dropped.is_empty() {
            self.find_in_chess960(&mut dropped);
        }
        let en_passant = self.skipped_square(&board);
        let en_passant = en_passant.unwrap_or_else(|reason| {
            dropped.push(reason);
            None
        });
        if self.fullmove_number == 0 {
            dropped.push(Dropped::FullmoveNumber);
        }
        board.en_passant = en_passant.map_or(Bitboard::EMPTY, Bitboard::of);
        let position = Position::new(
            board,
            self.pieces,
            self.side_to_move,
            self.halfmove_clock,
            self.fullmove_number.max(1),
            variant,
        );
        Ok(Validated {
            position,
            en_passant,
            dropped,
        })
    }

    /// Grants the rights that the board supports, and returns the others.
    fn grant_rights(&self, board: &mut Board, variant: Variant) -> Vec<Dropped> {
        let mut dropped = Vec::new();
        for &right in &self.castling_rights {
            match rook_home(board, right, variant) {
                Ok(rook) => board.castling.grant(rook),
                Err(reason) => dropped.push(Dropped::right(right, reason)),
            }
        }
        let inner = revoke_inner_rights(board);
        if inner.any() {
            dropped.extend(self.castling_rights.iter().filter_map(|&right| {
                let square = rook_home(board, right, variant).ok()?;
                let (color, king) = (right.color(), board.king(right.color()));
                let side = CastlingSide::of(king, square);
                let home = board.castling.rook(color, side, king)?;
                let reason = CastlingError::OtherRook { side, square, home };
                inner.has(square).then_some(Dropped::right(right, reason))
            }));
        }
        dropped
    }

    /// Marks the rights that are dropped only because the position is read as standard chess.
    fn find_in_chess960(&self, dropped: &mut [Dropped]) {
        let not_in_chess960 = self.grant_rights(&mut Board::new(&self.pieces), Variant::Chess960);
        let is_lost = |right| {
            let same = |lost: &Dropped| matches!(lost, Dropped::Right { right: lost, .. } if *lost == right);
            not_in_chess960.iter().any(same)
        };
        for dropped in dropped {
            if let Dropped::Right {
                right, in_chess960, ..
            } = dropped
            {
                *in_chess960 = !is_lost(*right);
            }
        }
    }

    /// The en passant square; fails unless there is a pawn in front of it and the squares that pawn
    /// crossed are empty.
    fn skipped_square(&self, board: &Board) -> Result<Option<Square>, Dropped> {
        let Some(square) = self.en_passant else {
            return Ok(None);
        };
        let (us, color) = (self.side_to_move, !self.side_to_move);
        let on_file = |rank: Rank| Square::new(square.file(), rank.relative(us));
        let (from, pawn) = (on_file(Rank::Seventh), on_file(Rank::Fifth));
        let rank = Rank::Sixth.relative(us);
        if square.rank() != rank {
            return Err(Dropped::EnPassantRank { square, rank });
        }
        if !board.pieces(color, Role::Pawn).has(pawn) {
            return Err(Dropped::NoPawn {
                square,
                color,
                pawn,
            });
        }
        let mut path = [square, from].into_iter();
        match path.find(|&crossed| board.occupied().has(crossed)) {
            Some(occupied) => Err(Dropped::Occupied { square, occupied }),
            None => Ok(Some(square)),
        }
    }
}

/// The rights name the files of their rooks, which is unambiguous in every variant.
impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        Self {
            pieces: position.mailbox,
            side_to_move: position.side_to_move(),
            castling_rights: position.file_rights().collect(),
            en_passant: position.en_passant(),
            halfmove_clock: position.halfmove_clock(),
            fullmove_number: position.fullmove_number(),
        }
    }
}

/// Checks that the side's material is possible: one king, at most 16 pieces, and no more promoted
/// pieces than missing pawns.
fn check_material(board: &Board, color: Color) -> Result<(), IllegalPosition> {
    let count_of = |role| board.pieces(color, role).count();
    let kings = count_of(Role::King);
    if kings != 1 {
        return Err(IllegalPosition::Kings {
            color,
            count: kings,
        });
    }
    let count = board.by_color(color).count();
    if count > 16 {
        return Err(IllegalPosition::TooManyPieces { color, count });
    }
    let pawns = count_of(Role::Pawn);
    let promoted: u32 = [
        (Role::Queen, 1),
        (Role::Rook, 2),
        (Role::Bishop, 2),
        (Role::Knight, 2),
    ]
    .into_iter()
    .map(|(role, initial)| count_of(role).saturating_sub(initial))
    .sum();
    if pawns + promoted > 8 {
        return Err(IllegalPosition::ImpossiblePromotions {
            color,
            pawns,
            promoted,
        });
    }
    Ok(())
}

/// The home square of the rook that a right names, or why the right is invalid. These are the
/// second and third conditions of castling: king and rook are on their home squares.
pub(crate) fn rook_home(
    board: &Board,
    right: CastlingRight,
    variant: Variant,
) -> Result<Square, CastlingError> {
    let color = right.color();
    let first_rank = Bitboard::rank(Rank::First.relative(color));
    let king = board.king(color);
    let home = match variant {
        Variant::Standard => Some(Square::E1.relative(color)),
        Variant::Chess960 => first_rank.has(king).then_some(king),
    };
    let rooks = board.pieces(color, Role::Rook) & first_rank;
    let (side, rook) = match right {
        CastlingRight::File(_, file) => {
            let king = home.unwrap_or(king);
            let side = CastlingSide::of(king, Square::new(file, king.rank()));
            (side, Some(Square::new(file, Rank::First.relative(color))))
        }
        CastlingRight::Outermost(_, side) => {
            let rook = match variant {
                Variant::Standard => Some(side.standard_rook_home(color)),
                Variant::Chess960 => CastlingRights(rooks).rook(color, side, king),
            };
            (side, rook)
        }
    };
    if home != Some(king) {
        return Err(CastlingError::KingNotHome { side, king, home });
    }
    let rook = rook.ok_or(CastlingError::NoRook { side })?;
    let home = match variant {
        Variant::Standard => side.standard_rook_home(color),
        Variant::Chess960 => rook,
    };
    if rook == home && rooks.has(rook) {
        return Ok(rook);
    }
    let home = if rooks.has(rook) { home } else { rook };
    Err(CastlingError::RookNotHome {
        side,
        home,
        found: board.piece_on(home),
    })
}

/// Revokes all but the outermost right on each side of a king, which castles with one rook on each.
/// Returns the revoked rooks.
fn revoke_inner_rights(board: &mut Board) -> Bitboard {
    let outermost = |color| {
        let (rights, king) = (board.castling, board.king(color));
        CastlingSide::ALL
            .into_iter()
            .filter_map(move |side| rights.rook(color, side, king))
    };
    let kept: Bitboard = Color::ALL.into_iter().flat_map(outermost).collect();
    let inner = board.castling.rooks() & !kept;
    board.castling.revoke(inner);
    inner
}
