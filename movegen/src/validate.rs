//! From a setup to a legal position: what must hold, and what is quietly put right.
//!
//! Refused: positions the rules cannot be applied to. Put right: castling rights without
//! their king or rook, and en-passant squares nobody can capture on.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{self, CastlingError, CastlingSide};
use crate::color::Color;
use crate::piece::Role;
use crate::position::Position;
use crate::setup::{CastlingRight, Setup, Variant};
use crate::square::Square;
use thiserror::Error;

/// Why a well-formed setup is no legal position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum IllegalPosition {
    #[error("{color} has {count} kings; each side must have exactly one")]
    Kings { color: Color, count: u32 },
    #[error("a pawn stands on {0}; pawns stand on ranks 2 to 7")]
    PawnOnBackRank(Square),
    #[error("{color} has {count} men; a side has at most 16")]
    TooManyPieces { color: Color, count: u32 },
    #[error(
        "{color} has {pawns} pawns and at least {promoted} promoted pieces; \
         together they can be at most 8"
    )]
    ImpossiblePromotions {
        color: Color,
        pawns: u32,
        promoted: u32,
    },
    #[error(
        "{side} is in check from {checker} although it is {mover}'s turn; \
         the side not to move must not be in check"
    )]
    OpponentInCheck {
        side: Color,
        mover: Color,
        checker: Square,
    },
}

impl Setup {
    /// The legal position this setup describes.
    pub fn position(&self, variant: Variant) -> Result<Position, IllegalPosition> {
        let mut board = self.board();
        for color in Color::ALL {
            check_men(&board, color)?;
        }
        if let Some(square) = (board.role(Role::Pawn) & Bitboard::BACK_RANKS).first() {
            return Err(IllegalPosition::PawnOnBackRank(square));
        }
        let (mover, side) = (self.side_to_move, !self.side_to_move);
        let attackers = board.attackers_to(board.king(side), board.occupied());
        if let Some(checker) = (attackers & board.side(mover)).first() {
            return Err(IllegalPosition::OpponentInCheck {
                side,
                mover,
                checker,
            });
        }
        for &name in &self.castling_rights {
            if let Ok(rook) = home_of_right(&board, name, variant) {
                board.castling.grant(rook);
            }
        }
        keep_outermost(&mut board);
        board.en_passant = self.passed_square(&board);
        Ok(Position::assemble(
            board,
            self.side_to_move,
            self.halfmove_clock,
            self.fullmove_number.max(1),
        ))
    }

    /// The rights the text names but the board does not bear out, and why.
    #[must_use]
    pub fn dropped_rights(&self, variant: Variant) -> Vec<(CastlingRight, CastlingError)> {
        let board = self.board();
        self.castling_rights
            .iter()
            .filter_map(|&name| Some((name, home_of_right(&board, name, variant).err()?)))
            .collect()
    }

    fn board(&self) -> Board {
        let mut board = Board::default();
        for (square, man) in Square::all().zip(self.pieces) {
            if let Some(man) = man {
                board.put(square, man);
            }
        }
        board
    }

    /// The en-passant square, if a pawn really stands before it and empty squares behind.
    fn passed_square(&self, board: &Board) -> Bitboard {
        let passed = self.en_passant.map_or(Bitboard::EMPTY, Bitboard::of);
        let pawn =
            passed.forward(!self.side_to_move) & board.pieces(!self.side_to_move, Role::Pawn);
        let origin = passed.forward(self.side_to_move);
        let rank = Bitboard::relative_rank(self.side_to_move, 5);
        let path_clear = ((passed | origin) & board.occupied()).is_empty();
        if pawn.any() && path_clear {
            passed & rank
        } else {
            Bitboard::EMPTY
        }
    }
}

fn check_men(board: &Board, color: Color) -> Result<(), IllegalPosition> {
    let count_of = |role| board.pieces(color, role).count();
    let kings = count_of(Role::King);
    if kings != 1 {
        return Err(IllegalPosition::Kings {
            color,
            count: kings,
        });
    }
    let count = board.side(color).count();
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
    .map(|(role, at_first)| count_of(role).saturating_sub(at_first))
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

/// The rook's home a right means on this board, or why it means none.
fn home_of_right(
    board: &Board,
    name: CastlingRight,
    variant: Variant,
) -> Result<Square, CastlingError> {
    let (CastlingRight::Outermost(color, _) | CastlingRight::File(color, _)) = name;
    let king = match variant {
        Variant::Standard => Square::E1.relative(color),
        Variant::Chess960 => board.king(color),
    };
    let first_rank = Bitboard::relative_rank(color, 0);
    let rooks = board.pieces(color, Role::Rook) & first_rank;
    let (wing, rook) = match (name, variant) {
        (CastlingRight::Outermost(_, wing), Variant::Standard) => {
            (wing, wing.standard_rook_home(color))
        }
        (CastlingRight::Outermost(_, wing @ CastlingSide::King), Variant::Chess960) => {
            let rook = rooks.last().filter(|&rook| rook > king);
            (wing, rook.unwrap_or(wing.standard_rook_home(color)))
        }
        (CastlingRight::Outermost(_, wing @ CastlingSide::Queen), Variant::Chess960) => {
            let rook = rooks.first().filter(|&rook| rook < king);
            (wing, rook.unwrap_or(wing.standard_rook_home(color)))
        }
        (CastlingRight::File(_, file), _) => {
            let rook = Square::at(file, king.rank());
            (CastlingSide::of(king, rook), rook)
        }
    };
    if !first_rank.has(king) {
        let home = Square::E1.relative(color);
        return Err(CastlingError::KingNotHome { wing, home });
    }
    castling::at_home(board, color, wing, king, rook)?;
    if variant == Variant::Standard && rook != wing.standard_rook_home(color) {
        let home = wing.standard_rook_home(color);
        let found = board.piece_on(home);
        return Err(CastlingError::RookNotHome { wing, home, found });
    }
    Ok(rook)
}

/// A king castles with one rook a wing; where a text names more, the outermost counts.
fn keep_outermost(board: &mut Board) {
    for color in Color::ALL {
        let king = board.king(color);
        let kept: Bitboard = CastlingSide::ALL
            .into_iter()
            .filter_map(|wing| board.castling.rook(color, wing, king))
            .collect();
        board.castling.revoke(board.castling.of(color) & !kept);
    }
}
