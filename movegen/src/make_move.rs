//! Making a move: a copy of the position with board, keys, clocks and checks updated.

use crate::attacks::sliders::Magic;
use crate::bitboard::Bitboard;
use crate::board::CheckInfo;
use crate::castling::CastlingSide;
use crate::moves::{Move, MoveKind};
use crate::piece::{Black, Color, Piece, Role, StaticColor, White};
use crate::position::Position;
use crate::square::Square;
use crate::zobrist;

impl Position {
    /// The position after a legal move.
    ///
    /// An illegal move (see [`is_legal`](Self::is_legal), [`try_play`](Self::try_play)) gives a
    /// meaningless position, but does not panic.
    #[must_use]
    #[inline]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        // One copy, updated in place.
        let mut next = *self;
        match self.side_to_move {
            Color::White => next.make_move::<White>(mv),
            Color::Black => next.make_move::<Black>(mv),
        }
        next
    }

    /// The position after a move, if the move is legal.
    #[must_use]
    pub fn try_play(&self, mv: Move) -> Option<Self> {
        self.is_legal(mv).then(|| self.play_unchecked(mv))
    }

    /// The position after a null move (passing the turn), as in null move pruning; `None` in check.
    #[must_use]
    pub fn make_null(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = *self;
        next.clear_en_passant();
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        match self.side_to_move {
            Color::White => next.finish_move::<White>(),
            Color::Black => next.finish_move::<Black>(),
        }
        Some(next)
    }

    #[inline(always)]
    fn make_move<Us: StaticColor>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        let rights = self.board.castling;

        match mv.kind() {
            MoveKind::Normal => {
                let role = self.role_on(from).unwrap_or(Role::Pawn);
                self.remove_captured(to);
                self.move_piece(Piece::new(Us::COLOR, role), from, to);
                if role == Role::Pawn {
                    self.halfmove_clock = 0;
                    if from.index().abs_diff(to.index()) == 16 {
                        self.board.double_push::<Us>(from, to);
                    } else {
                        self.board.move_piece::<Us>(Role::Pawn, from, to);
                    }
                } else {
                    self.board.move_piece::<Us>(role, from, to);
                }
            }
            MoveKind::EnPassant => {
                self.remove_captured(Square::new(to.file(), from.rank()));
                self.move_piece(Piece::new(Us::COLOR, Role::Pawn), from, to);
                self.board.en_passant::<Us>(from, to);
            }
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                let king = Piece::new(Us::COLOR, Role::King);
                let rook = Piece::new(Us::COLOR, Role::Rook);
                self.remove_piece(king, from);
                self.remove_piece(rook, to);
                self.put_piece(king, side.king_target(Us::COLOR));
                self.put_piece(rook, side.rook_target(Us::COLOR));
                self.board.castle::<Us>(from, to);
            }
            MoveKind::Promotion(role) => {
                let (pawn, promoted) = (
                    Piece::new(Us::COLOR, Role::Pawn),
                    Piece::new(Us::COLOR, role),
                );
                self.remove_captured(to);
                self.remove_piece(pawn, from);
                self.put_piece(promoted, to);
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

    /// Passes the turn; the last step of every move.
    #[inline(always)]
    fn finish_move<Us: StaticColor>(&mut self) {
        self.keys.position ^= zobrist::side_to_move(Color::Black);
        self.side_to_move = Us::Them::COLOR;
        if Us::COLOR == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.checks = CheckInfo::find::<Us::Them, _>(&self.board, Magic);
        if self.board.en_passant.any() {
            if self.can_capture_en_passant() {
                self.keys.position ^= zobrist::en_passant(self.board.en_passant.lowest());
            } else {
                self.board.en_passant = Bitboard::EMPTY;
            }
        }
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant() {
            self.keys.position ^= zobrist::en_passant(square);
            self.board.en_passant = Bitboard::EMPTY;
        }
    }

    /// Removes the captured piece from the mailbox and the keys, before the board is updated.
    #[inline(always)]
    fn remove_captured(&mut self, square: Square) {
        if let Some(captured) = self.mailbox[square.index()] {
            self.remove_piece(captured, square);
            self.halfmove_clock = 0;
        }
    }

    #[inline(always)]
    fn move_piece(&mut self, piece: Piece, from: Square, to: Square) {
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece);
        self.keys.shift(piece, from, to);
    }

    #[inline(always)]
    fn remove_piece(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = None;
        self.keys.toggle(piece, square);
    }

    #[inline(always)]
    fn put_piece(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = Some(piece);
        self.keys.toggle(piece, square);
    }
}
