//! Playing a move: a new position with keys, clocks and checks brought up to date.

use crate::attacks::sliders::Magic;
use crate::bitboard::Bitboard;
use crate::castling::Wing;
use crate::checks::Checks;
use crate::color::{Black, Color, Side, White};
use crate::mv::{Move, MoveKind};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::Square;
use crate::zobrist;

impl Position {
    /// The position after a legal move.
    ///
    /// A move that is not legal here (see `is_legal`, `try_play`) gives a position without
    /// meaning, but no panic.
    #[must_use]
    #[inline]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        match self.turn {
            Color::White => self.play_as::<White>(mv),
            Color::Black => self.play_as::<Black>(mv),
        }
    }

    /// The position after a move, if it is legal.
    #[must_use]
    pub fn try_play(&self, mv: Move) -> Option<Self> {
        self.is_legal(mv).then(|| self.play_unchecked(mv))
    }

    /// The position after passing the turn, which is no move of chess but a question a
    /// search asks; `None` in check, where the answer would have no meaning.
    #[must_use]
    pub fn pass(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = *self;
        next.forget_en_passant();
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        Some(match self.turn {
            Color::White => next.hand_over::<White>(),
            Color::Black => next.hand_over::<Black>(),
        })
    }

    #[inline(always)]
    fn play_as<Us: Side>(&self, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let mut next = *self;
        next.forget_en_passant();
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        let rights = self.board.castling;

        match mv.kind() {
            MoveKind::Normal => {
                let role = self.role_on(from).unwrap_or(Role::Pawn);
                next.capture(to);
                next.shift(Piece::new(Us::COLOR, role), from, to);
                if role == Role::Pawn {
                    next.halfmove_clock = 0;
                    if from.index().abs_diff(to.index()) == 16 {
                        next.board.double_push::<Us>(from, to);
                    } else {
                        next.board.go::<Us>(Role::Pawn, from, to);
                    }
                } else {
                    next.board.go::<Us>(role, from, to);
                }
            }
            MoveKind::EnPassant => {
                next.capture(Square::at(to.file(), from.rank()));
                next.shift(Piece::new(Us::COLOR, Role::Pawn), from, to);
                next.board.take_in_passing::<Us>(from, to);
            }
            MoveKind::Castle => {
                let wing = Wing::of(from, to);
                let king = Piece::new(Us::COLOR, Role::King);
                let rook = Piece::new(Us::COLOR, Role::Rook);
                next.lift(king, from);
                next.lift(rook, to);
                next.drop(king, wing.king_lands(Us::COLOR));
                next.drop(rook, wing.rook_lands(Us::COLOR));
                next.board.castle::<Us>(from, to);
            }
            MoveKind::Promotion(role) => {
                let (pawn, promoted) = (
                    Piece::new(Us::COLOR, Role::Pawn),
                    Piece::new(Us::COLOR, role),
                );
                next.capture(to);
                next.lift(pawn, from);
                next.drop(promoted, to);
                next.keys.recount(pawn, self.count(pawn).wrapping_sub(1));
                next.keys.recount(promoted, self.count(promoted));
                next.halfmove_clock = 0;
                next.board.promote::<Us>(role, from, to);
            }
        }

        if next.board.castling != rights {
            next.keys.position ^=
                zobrist::castling(rights) ^ zobrist::castling(next.board.castling);
        }
        next.hand_over::<Us>()
    }

    /// Gives the turn to the other side; the last step of a move.
    #[inline(always)]
    fn hand_over<Us: Side>(mut self) -> Self {
        self.keys.position ^= zobrist::turn(Color::Black);
        self.turn = Us::Them::COLOR;
        if Us::COLOR == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.checks = Checks::find::<Us::Them, _>(&self.board, Magic);
        if self.board.en_passant.any() {
            if self.can_take_in_passing() {
                self.keys.position ^= zobrist::en_passant(self.board.en_passant.lowest());
            } else {
                self.board.en_passant = Bitboard::EMPTY;
            }
        }
        self
    }

    #[inline(always)]
    fn forget_en_passant(&mut self) {
        if let Some(square) = self.en_passant() {
            self.keys.position ^= zobrist::en_passant(square);
            self.board.en_passant = Bitboard::EMPTY;
        }
    }

    /// How many of a man there are.
    #[inline(always)]
    fn count(&self, man: Piece) -> u32 {
        self.pieces(man.color(), man.role()).count()
    }

    /// Squares and keys lose what stands on a square, before the board does.
    #[inline(always)]
    fn capture(&mut self, square: Square) {
        if let Some(victim) = self.men[square.index()] {
            self.lift(victim, square);
            self.keys
                .recount(victim, self.count(victim).wrapping_sub(1));
            self.halfmove_clock = 0;
        }
    }

    #[inline(always)]
    fn shift(&mut self, man: Piece, from: Square, to: Square) {
        self.lift(man, from);
        self.drop(man, to);
    }

    #[inline(always)]
    fn lift(&mut self, man: Piece, square: Square) {
        self.men[square.index()] = None;
        self.keys.toggle(man, square);
    }

    #[inline(always)]
    fn drop(&mut self, man: Piece, square: Square) {
        self.men[square.index()] = Some(man);
        self.keys.toggle(man, square);
    }
}
