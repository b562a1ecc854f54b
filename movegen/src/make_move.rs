//! Making a move, in place or in a copy: board, key and clocks. Checks and pins are found when
//! they are asked for.

use crate::attacks;
use crate::bitboard::Bitboard;
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
        let mut next = *self;
        next.make_unchecked(mv);
        next
    }

    /// Makes a legal move in place: [`play_unchecked`](Self::play_unchecked) for those who hold a
    /// copy, such as a search. An illegal move gives a meaningless position here too.
    ///
    /// ```
    /// use movegen::Position;
    ///
    /// let start = Position::default();
    /// let mv = start.move_from_san("Nf3").unwrap();
    /// let mut position = start;
    /// position.make_unchecked(mv);
    /// assert_eq!(position, start.play_unchecked(mv));
    /// ```
    #[inline]
    pub fn make_unchecked(&mut self, mv: Move) {
        match self.side_to_move {
            Color::White => self.make::<White>(mv),
            Color::Black => self.make::<Black>(mv),
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

    /// The position after a null move, by which the side to move passes; `None` in check.
    ///
    /// ```
    /// use movegen::{Color, Position};
    ///
    /// let passed = Position::default().null_move().expect("not in check");
    /// assert_eq!(passed.side_to_move(), Color::Black);
    /// ```
    pub fn null_move(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = *self;
        match self.side_to_move {
            Color::White => next.pass::<White>(),
            Color::Black => next.pass::<Black>(),
        }
        Some(next)
    }

    /// True if a legal move gives check, found without making the move.
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
        let (us, from, to) = (self.side_to_move, mv.from(), mv.to());
        let mut left = Bitboard::of(from);
        let mut reached = Bitboard::of(to);
        let mut moved = (self.role_on(from), to);
        match mv.kind() {
            MoveKind::Normal => {}
            MoveKind::Promotion(role) => moved.0 = Some(role),
            MoveKind::EnPassant => left |= Bitboard::of(Square::new(to.file(), from.rank())),
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                left |= reached;
                moved = (Some(Role::Rook), side.rook_target(us));
                reached = Bitboard::of(moved.1) | Bitboard::of(side.king_target(us));
            }
        }
        let (king, occupied) = (self.king(!us), self.occupied() & !left | reached);
        let directly = moved
            .0
            .is_some_and(|role| attacks::of(Piece::new(us, role), moved.1, occupied).has(king));
        // Discovered checks: only where the king and what left its square are on a line.
        directly
            || (attacks::queen(king, Bitboard::EMPTY) & left).any()
                && (attacks::rook(king, occupied) & self.board.orthogonal(us) & !left
                    | attacks::bishop(king, occupied) & self.board.diagonal(us) & !left)
                    .any()
    }

    /// Quiet moves and captures of all pieces take the same path: branches on them would often be
    /// mispredicted.
    #[inline(always)]
    fn make<Us: StaticColor>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let castling = self.board.castling;
        self.pass::<Us>();
        if !mv.is_normal() {
            self.make_special::<Us>(mv);
        } else if let Some(piece) = self.piece_on(from) {
            let captured = self.piece_on(to);
            self.key ^= piece.zobrist(from) ^ piece.zobrist(to) ^ zobrist::contents(captured, to);
            self.mailbox[from.index()] = None;
            self.mailbox[to.index()] = Some(piece);
            let role = piece.role();
            self.board
                .move_capturing::<Us>(role, captured.map(Piece::role), from, to);
            if captured.is_some() | (role == Role::Pawn) {
                self.halfmove_clock = 0;
            }
            if (role == Role::Pawn) & (from.index() ^ to.index() == 16) {
                self.board.set_en_passant::<Us>(from, to);
                if self.board.en_passant.any() {
                    self.board.en_passant = legal_en_passant::<Us::Them>(&self.board);
                    if let Some(square) = self.board.en_passant.first() {
                        self.key ^= zobrist::en_passant(square);
                    }
                }
            }
        }
        if castling != self.board.castling {
            self.key ^= zobrist::castling(castling) ^ zobrist::castling(self.board.castling);
        }
    }

    /// Castling, en passant and promotion.
    #[inline(never)]
    fn make_special<Us: StaticColor>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let mut set = |square: Square, piece: Option<Piece>| {
            let old = core::mem::replace(&mut self.mailbox[square.index()], piece);
            self.key ^= zobrist::contents(old, square) ^ zobrist::contents(piece, square);
        };
        let ours = |role| Some(Piece::new(Us::COLOR, role));
        set(from, None);
        match mv.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                set(to, None);
                set(side.king_target(Us::COLOR), ours(Role::King));
                set(side.rook_target(Us::COLOR), ours(Role::Rook));
                self.board.castle::<Us>(from, to);
                return;
            }
            MoveKind::Promotion(role) => {
                set(to, ours(role));
                self.board.promote::<Us>(role, from, to);
            }
            MoveKind::EnPassant | MoveKind::Normal => {
                set(Square::new(to.file(), from.rank()), None);
                set(to, ours(Role::Pawn));
                self.board.en_passant::<Us>(from, to);
            }
        }
        self.halfmove_clock = 0;
    }

    /// Passes the turn of `Us`.
    #[inline(always)]
    fn pass<Us: StaticColor>(&mut self) {
        if let Some(square) = self.board.en_passant.first() {
            self.key ^= zobrist::en_passant(square);
            self.board.en_passant = Bitboard::EMPTY;
        }
        self.key ^= zobrist::side_to_move(Color::Black);
        self.side_to_move = Us::Them::COLOR;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if Us::COLOR == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
    }
}
