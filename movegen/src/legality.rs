//! Legality of a single move without generating moves: whether any sixteen bits are a legal move
//! here, and the legal move from one square to another.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingSide, Variant};
use crate::castling_error::CastlingError;
use crate::generate;
use crate::illegal_move::IllegalMove;
use crate::moves::{Move, MoveKind};
use crate::piece::{Black, Color, Piece, Role, StaticColor, White};
use crate::position::Position;
use crate::square::{Rank, Square};

impl Position {
    /// True if exactly this move, its kind included, is legal.
    ///
    /// ```
    /// use movegen::{Move, Position, Square};
    ///
    /// let start = Position::default();
    /// assert!(start.is_legal(Move::normal(Square::G1, Square::F3)));
    /// assert!(!start.is_legal(Move::normal(Square::G1, Square::E2)));
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.side_to_move {
            Color::White => self.is_legal_for::<White>(mv),
            Color::Black => self.is_legal_for::<Black>(mv),
        }
    }

    fn is_legal_for<Us: StaticColor>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self
            .piece_on(from)
            .filter(|piece| piece.color() == Us::COLOR)
        else {
            return false;
        };
        let role = piece.role();
        let on_last_rank = Bitboard::rank(Rank::Eighth.relative(Us::COLOR)).has(to);
        match mv.kind() {
            MoveKind::Castling => {
                role == Role::King && self.castle(CastlingSide::of(from, to)) == Some(mv)
            }
            MoveKind::EnPassant => {
                self.board.en_passant.has(to) && self.is_legal_en_passant::<Us>(mv)
            }
            MoveKind::Promotion(_) => {
                role == Role::Pawn
                    && on_last_rank
                    && self.targets(Us::COLOR, Role::Pawn, from).has(to)
                    && self.respects_checks_and_pins(from, to)
            }
            MoveKind::Normal if self.by_color(Us::COLOR).has(to) => false,
            MoveKind::Normal => match role {
                Role::King => {
                    let without_king = self.occupied() ^ Bitboard::of(from);
                    attacks::king(from).has(to) && !self.board.is_attacked::<Us>(to, without_king)
                }
                Role::Pawn if on_last_rank => false,
                _ => {
                    self.targets(Us::COLOR, role, from).has(to)
                        && self.respects_checks_and_pins(from, to)
                }
            },
        }
    }

    /// Out of line to keep `is_legal` small.
    #[inline(never)]
    fn is_legal_en_passant<Us: StaticColor>(&self, mv: Move) -> bool {
        generate::en_passant::<Us>(&self.board).contains(&Some(mv))
    }

    /// The destinations of a piece of `us`, ignoring its own pieces, checks, pins and special
    /// moves.
    #[inline(always)]
    pub(crate) fn targets(&self, us: Color, role: Role, from: Square) -> Bitboard {
        let occupied = self.occupied();
        let attacked = attacks::of(Piece::new(us, role), from, occupied);
        if role != Role::Pawn {
            return attacked;
        }
        let single = Bitboard::of(from).forward(us) & !occupied;
        let double = (single & Bitboard::rank(Rank::Third.relative(us))).forward(us) & !occupied;
        single | double | attacked & self.by_color(!us)
    }

    /// The pieces of the side to move, of a role other than the pawn, that may move to a square.
    #[inline]
    pub(crate) fn able_to_reach(&self, role: Role, to: Square) -> Bitboard {
        let us = self.side_to_move;
        if self.by_color(us).has(to) {
            return Bitboard::EMPTY;
        }
        // A piece that is not a pawn moves both ways.
        let near = self.pieces(us, role) & self.targets(us, role, to);
        if role == Role::King {
            let without_king = self.occupied() ^ near;
            let enemies = self.by_color(!us);
            let is_attacked = || (self.attackers_to(to, without_king) & enemies).any();
            return if near.any() && is_attacked() {
                Bitboard::EMPTY
            } else {
                near
            };
        }
        let checks = self.checks();
        if !checks.mask(self.king(us)).has(to) {
            return Bitboard::EMPTY;
        }
        near & (!checks.pins | attacks::line(to, self.king(us)))
    }

    /// True if a piece other than the king resolves the check, if any, and stays on its pin line.
    fn respects_checks_and_pins(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.side_to_move);
        let checks = self.checks();
        checks.mask(king).has(to) && (!checks.pins.has(from) || attacks::line(from, king).has(to))
    }

    /// The legal move from one square to another, promoting to `promotion` if given.
    ///
    /// Castling is accepted both as the king's two steps and as the king moving to its rook.
    ///
    /// ```
    /// use movegen::{IllegalMove, Position, Square};
    ///
    /// let position: Position = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1".parse()?;
    /// assert!(position.find_move(Square::E1, Square::F1, None).is_ok());
    /// let error = position.find_move(Square::E2, Square::C3, None).unwrap_err();
    /// assert!(matches!(error, IllegalMove::Pinned(pin) if pin.square == Square::E2));
    /// assert_eq!(error.to_string(), "the knight on e2 is pinned to its king by the rook on e4");
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn find_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, IllegalMove> {
        let us = self.side_to_move;
        let piece = self.piece_on(from).ok_or(IllegalMove::EmptySquare(from))?;
        if piece.color() != us {
            return Err(IllegalMove::NotYourPiece {
                piece,
                square: from,
            });
        }
        let role = piece.role();
        let mv = match promotion {
            Some(promotion)
                if role == Role::Pawn && Bitboard::rank(Rank::Eighth.relative(us)).has(to) =>
            {
                Move::promotion(from, to, promotion)
            }
            Some(_) => return Err(IllegalMove::InvalidPromotion { role, from, to }),
            None if role == Role::King => match self.castling_side(from, to) {
                Some(side) => return Ok(self.castle_with(side, to)?),
                None => Move::normal(from, to),
            },
            None if role == Role::Pawn
                && self.en_passant() == Some(to)
                && attacks::pawn(from, us).has(to) =>
            {
                Move::en_passant(from, to)
            }
            None => Move::normal(from, to),
        };
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(self.why_piece_cannot_move(role, from, to))
        }
    }

    /// The side a king move castles to, if it means castling. In Chess960 an own rook's square
    /// means castling, and a step to a neighboring square without one does not.
    fn castling_side(&self, from: Square, to: Square) -> Option<CastlingSide> {
        let us = self.side_to_move;
        let first_rank = Bitboard::rank(Rank::First.relative(us));
        if !first_rank.has(from) || !first_rank.has(to) {
            return None;
        }
        let side = CastlingSide::of(from, to);
        let castles = match self.variant {
            Variant::Standard => {
                from == Square::E1.relative(us)
                    && [side.king_target(us), side.standard_rook_home(us)].contains(&to)
            }
            Variant::Chess960 => {
                let is_rook = self.pieces(us, Role::Rook).has(to);
                let is_step = from == to || attacks::king(from).has(to);
                is_rook || to == side.king_target(us) && !is_step
            }
        };
        castles.then_some(side)
    }

    /// The castling move to a side, named by the king's or the rook's square.
    fn castle_with(&self, side: CastlingSide, to: Square) -> Result<Move, CastlingError> {
        let us = self.side_to_move;
        let home = self.castling_rights().rook(us, side, self.king(us));
        match home.filter(|&home| home != to && self.pieces(us, Role::Rook).has(to)) {
            Some(home) => Err(CastlingError::OtherRook {
                side,
                square: to,
                home,
            }),
            None => self.castling_move(side),
        }
    }

    /// The castling move of the side to move, or the first condition that fails.
    ///
    /// ```
    /// use movegen::{CastlingError, CastlingSide, Move, Position, Square};
    ///
    /// let position: Position = "4k3/8/8/8/8/8/4p3/R3K2R w KQ - 0 1".parse()?;
    /// let error = position.castling_move(CastlingSide::King).unwrap_err();
    /// assert!(matches!(error, CastlingError::Attacked { square: Square::F1, .. }));
    /// assert_eq!(error.to_string(), "cannot castle kingside: f1 is attacked by the pawn on e2");
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse()?;
    /// let castling = position.castling_move(CastlingSide::Queen);
    /// assert_eq!(castling, Ok(Move::castling(Square::E1, Square::A1)));
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn castling_move(&self, side: CastlingSide) -> Result<Move, CastlingError> {
        let no_right = CastlingError::NoRight {
            color: self.side_to_move,
            side,
        };
        self.castle(side).ok_or_else(|| {
            let errors = self.castling_report(side).errors();
            errors.first().copied().unwrap_or(no_right)
        })
    }

    fn castle(&self, side: CastlingSide) -> Option<Move> {
        let (board, checkers) = (&self.board, self.checkers());
        match self.side_to_move {
            Color::White => generate::castling::<White>(board, side, checkers),
            Color::Black => generate::castling::<Black>(board, side, checkers),
        }
    }
}
