//! Playing a move: a new position with keys, clocks and checks brought up to date.

use crate::attacks::sliders::Magic;
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::checks::Checks;
use crate::color::{Black, Color, Side, White};
use crate::moves::{Move, MoveKind};
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
        // One copy, changed where it will be used.
        let mut next = *self;
        match self.side_to_move {
            Color::White => next.advance::<White>(mv),
            Color::Black => next.advance::<Black>(mv),
        }
        next
    }

    /// The position after a move, if it is legal.
    #[must_use]
    pub fn try_play(&self, mv: Move) -> Option<Self> {
        self.is_legal(mv).then(|| self.play_unchecked(mv))
    }

    /// The position after passing the turn, which is no move of chess but a question a
    /// search asks; `None` in check, where the answer would have no meaning.
    #[must_use]
    pub fn make_null(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = *self;
        next.forget_en_passant();
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        match self.side_to_move {
            Color::White => next.finish_move::<White>(),
            Color::Black => next.finish_move::<Black>(),
        }
        Some(next)
    }

    #[inline(always)]
    fn advance<Us: Side>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        self.forget_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        let rights = self.board.castling;

        match mv.kind() {
            MoveKind::Normal => {
                let role = self.role_on(from).unwrap_or(Role::Pawn);
                self.capture(to);
                self.shift(Piece::new(Us::COLOR, role), from, to);
                if role == Role::Pawn {
                    self.halfmove_clock = 0;
                    if from.index().abs_diff(to.index()) == 16 {
                        self.board.double_push::<Us>(from, to);
                    } else {
                        self.board.go::<Us>(Role::Pawn, from, to);
                    }
                } else {
                    self.board.go::<Us>(role, from, to);
                }
            }
            MoveKind::EnPassant => {
                self.capture(Square::at(to.file(), from.rank()));
                self.shift(Piece::new(Us::COLOR, Role::Pawn), from, to);
                self.board.take_in_passing::<Us>(from, to);
            }
            MoveKind::Castling => {
                let wing = CastlingSide::of(from, to);
                let king = Piece::new(Us::COLOR, Role::King);
                let rook = Piece::new(Us::COLOR, Role::Rook);
                self.lift(king, from);
                self.lift(rook, to);
                self.drop(king, wing.king_target(Us::COLOR));
                self.drop(rook, wing.rook_target(Us::COLOR));
                self.board.castle::<Us>(from, to);
            }
            MoveKind::Promotion(role) => {
                let (pawn, promoted) = (
                    Piece::new(Us::COLOR, Role::Pawn),
                    Piece::new(Us::COLOR, role),
                );
                self.capture(to);
                self.lift(pawn, from);
                self.drop(promoted, to);
                self.halfmove_clock = 0;
                self.board.promote::<Us>(role, from, to);
            }
        }

        if self.board.castling != rights {
            self.keys.position ^=
                zobrist::castling(rights) ^ zobrist::castling(self.board.castling);
        }
        self.finish_move::<Us>();
    }

    /// Gives the turn to the other side; the last step of a move.
    #[inline(always)]
    fn finish_move<Us: Side>(&mut self) {
        self.keys.position ^= zobrist::side_to_move(Color::Black);
        self.side_to_move = Us::Them::COLOR;
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
    }

    #[inline(always)]
    fn forget_en_passant(&mut self) {
        if let Some(square) = self.en_passant() {
            self.keys.position ^= zobrist::en_passant(square);
            self.board.en_passant = Bitboard::EMPTY;
        }
    }

    /// Squares and keys lose what stands on a square, before the board does.
    #[inline(always)]
    fn capture(&mut self, square: Square) {
        if let Some(victim) = self.pieces[square.index()] {
            self.lift(victim, square);
            self.halfmove_clock = 0;
        }
    }

    #[inline(always)]
    fn shift(&mut self, man: Piece, from: Square, to: Square) {
        self.pieces[from.index()] = None;
        self.pieces[to.index()] = Some(man);
        self.keys.shift(man, from, to);
    }

    #[inline(always)]
    fn lift(&mut self, man: Piece, square: Square) {
        self.pieces[square.index()] = None;
        self.keys.toggle(man, square);
    }

    #[inline(always)]
    fn drop(&mut self, man: Piece, square: Square) {
        self.pieces[square.index()] = Some(man);
        self.keys.toggle(man, square);
    }
}
