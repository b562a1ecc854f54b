//! Making a move: a new position with board, key, clocks and checks updated.

use crate::board::{Board, CheckInfo};
use crate::castling::CastlingSide;
use crate::generate::legal_en_passant;
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
    ///
    /// ```
    /// use movegen::Position;
    ///
    /// let start = Position::default();
    /// let moves = start.legal_moves();
    /// let replies = |&mv| start.play_unchecked(mv).legal_moves().len();
    /// assert_eq!(moves.iter().map(replies).sum::<usize>(), 400);
    /// ```
    #[inline]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        match self.side_to_move {
            Color::White => self.after::<White>(mv),
            Color::Black => self.after::<Black>(mv),
        }
    }

    /// The position after a move, if the move is legal.
    ///
    /// ```
    /// use movegen::{Move, Position, Square};
    ///
    /// let start = Position::default();
    /// let next = start.try_play(Move::normal(Square::E2, Square::E4));
    /// assert!(next.is_some_and(|next| next.piece_on(Square::E2).is_none()));
    /// assert_eq!(start.try_play(Move::normal(Square::E2, Square::E5)), None);
    /// ```
    pub fn try_play(&self, mv: Move) -> Option<Self> {
        self.is_legal(mv).then(|| self.play_unchecked(mv))
    }

    /// True if a legal move gives check.
    ///
    /// ```
    /// use movegen::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/4B3/K3R3 w - - 0 1".parse()?;
    /// // A discovered check.
    /// assert!(position.gives_check(position.move_from_san("Bf3")?));
    /// assert!(!position.gives_check(position.move_from_san("Kb2")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gives_check(&self, mv: Move) -> bool {
        self.play_unchecked(mv).in_check()
    }

    /// Reads everything from this position and writes the new one once: updating a copy would stall
    /// until the copied fields are stored. Quiet moves and captures of all pieces take the same path:
    /// branches on them would often be mispredicted.
    #[inline(always)]
    fn after<Us: StaticColor>(&self, mv: Move) -> Self {
        if !mv.is_normal() {
            return self.after_special::<Us>(mv);
        }
        let (from, to) = (mv.from(), mv.to());
        let role = self.role_on(from).unwrap_or(Role::Pawn);
        let piece = Piece::new(Us::COLOR, role);
        let captured = self.piece_on(to);

        let mut mailbox = self.mailbox;
        mailbox[from.index()] = None;
        mailbox[to.index()] = Some(piece);
        let key = piece.zobrist(from) ^ piece.zobrist(to) ^ zobrist::contents(captured, to);
        let mut board = self.board;
        if (role == Role::Pawn) & (from.index() ^ to.index() == 16) {
            board.double_push::<Us>(from, to);
        } else {
            board.move_capturing::<Us>(role, captured.map(Piece::role), from, to);
        }
        let irreversible = captured.is_some() | (role == Role::Pawn);
        let clock = if irreversible {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        self.with::<Us>(board, mailbox, self.key ^ key, clock)
    }

    /// Castling, en passant and promotion.
    #[inline(never)]
    fn after_special<Us: StaticColor>(&self, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let (mut board, mut mailbox, mut key) = (self.board, self.mailbox, self.key);
        let mut set = |square: Square, piece: Option<Piece>| {
            let old = core::mem::replace(&mut mailbox[square.index()], piece);
            key ^= zobrist::contents(old, square) ^ zobrist::contents(piece, square);
        };
        let ours = |role| Some(Piece::new(Us::COLOR, role));
        let mut clock = 0;
        set(from, None);
        match mv.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                set(to, None);
                set(side.king_target(Us::COLOR), ours(Role::King));
                set(side.rook_target(Us::COLOR), ours(Role::Rook));
                board.castle::<Us>(from, to);
                clock = self.halfmove_clock.saturating_add(1);
            }
            MoveKind::Promotion(role) => {
                set(to, ours(role));
                board.promote::<Us>(role, from, to);
            }
            MoveKind::EnPassant | MoveKind::Normal => {
                set(Square::new(to.file(), from.rank()), None);
                set(to, ours(Role::Pawn));
                board.en_passant::<Us>(from, to);
            }
        }
        self.with::<Us>(board, mailbox, key, clock)
    }

    /// The position after a move of `Us` that leads to this board, mailbox and clock. `key` lacks
    /// what follows from the board: side to move, castling rights and en passant.
    #[inline(always)]
    pub(crate) fn with<Us: StaticColor>(
        &self,
        mut board: Board,
        mailbox: [Option<Piece>; 64],
        mut key: u64,
        halfmove_clock: u16,
    ) -> Self {
        key ^= zobrist::side_to_move(Color::Black);
        if let Some(square) = self.en_passant() {
            key ^= zobrist::en_passant(square);
        }
        if board.en_passant.any() {
            board.en_passant = legal_en_passant::<Us::Them>(board);
            if let Some(square) = board.en_passant.first() {
                key ^= zobrist::en_passant(square);
            }
        }
        if board.castling != self.board.castling {
            key ^= zobrist::castling(self.board.castling) ^ zobrist::castling(board.castling);
        }
        let moves_completed = u16::from(Us::COLOR == Color::Black);
        Self {
            variant: self.variant,
            checks: CheckInfo::find::<Us::Them>(&board),
            board,
            mailbox,
            key,
            side_to_move: Us::Them::COLOR,
            halfmove_clock,
            fullmove_number: self.fullmove_number.saturating_add(moves_completed),
        }
    }
}
