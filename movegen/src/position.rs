//! A legal position: board, turn, clocks, keys, and what check and pins allow.
//!
//! Small and `Copy`: playing a move makes a new one (see `play`), undoing is forgetting.
//! It knows its own past only through clocks and rights; repetition is `game`.

use crate::attacks::sliders::Magic;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{self, CastlingError, CastlingRights, CastlingSide};
use crate::checks::Checks;
use crate::color::{Black, Color, Side, White};
use crate::movegen::{self, All, Counter, Each, GenType, Noisy, Quiet, Sink};
use crate::movelist::MoveList;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::square::Square;
use crate::zobrist::{self, Keys};

/// A position that satisfies the rules. Made from a `Setup` or by playing moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) pieces: [Option<Piece>; 64],
    pub(crate) keys: Keys,
    pub(crate) checks: Checks,
    pub(crate) side_to_move: Color,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u16,
}

impl Position {
    /// Puts a checked board together with everything derived from it. An en-passant square
    /// nobody may legally capture on is dropped here.
    pub(crate) fn assemble(
        board: Board,
        side_to_move: Color,
        halfmove: u16,
        fullmove: u16,
    ) -> Self {
        let mut position = Self {
            board,
            pieces: [None; 64],
            keys: Keys::default(),
            checks: match side_to_move {
                Color::White => Checks::find::<White, _>(&board, Magic),
                Color::Black => Checks::find::<Black, _>(&board, Magic),
            },
            side_to_move,
            halfmove_clock: halfmove,
            fullmove_number: fullmove,
        };
        for square in board.occupied() {
            position.pieces[square.index()] = board.piece_on(square);
        }
        if !position.can_take_in_passing() {
            position.board.en_passant = Bitboard::EMPTY;
        }
        position.keys = position.keys_from_scratch();
        position
    }

    /// The keys computed anew; playing moves keeps the same ones up to date.
    #[must_use]
    pub fn keys_from_scratch(&self) -> Keys {
        let mut keys = Keys::default();
        for (square, man) in self.piece_map() {
            keys.toggle(man, square);
        }
        keys.position ^=
            zobrist::side_to_move(self.side_to_move) ^ zobrist::castling(self.board.castling);
        if let Some(square) = self.en_passant() {
            keys.position ^= zobrist::en_passant(square);
        }
        keys
    }

    pub(crate) fn can_take_in_passing(&self) -> bool {
        self.board.en_passant.any()
            && match self.side_to_move {
                Color::White => movegen::en_passant::<White, _>(&self.board, Magic),
                Color::Black => movegen::en_passant::<Black, _>(&self.board, Magic),
            }
            .iter()
            .any(Option::is_some)
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    #[must_use]
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move about to be played, counted in pairs from 1.
    #[must_use]
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The square a pawn may legally capture on in passing.
    #[must_use]
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.board.en_passant.first()
    }

    #[must_use]
    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.board.castling
    }

    /// The hash key of the whole position.
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.position
    }

    #[must_use]
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    #[must_use]
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    #[must_use]
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        self.pieces[square.index()].map(Piece::role)
    }

    /// The move takes something (en passant included).
    #[must_use]
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.is_en_passant() || self.side(!self.side_to_move).has(mv.to())
    }

    /// The move takes something or promotes; what `Noisy` generates.
    #[must_use]
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        mv.is_promotion() || self.is_capture(mv)
    }

    /// Every man and where it stands, a1 first.
    pub fn piece_map(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied()
            .into_iter()
            .filter_map(|square| self.pieces[square.index()].map(|man| (square, man)))
    }

    #[must_use]
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// All men of a side.
    #[must_use]
    #[inline]
    pub fn side(&self, color: Color) -> Bitboard {
        self.board.side(color)
    }

    /// All men of a role, of both sides.
    #[must_use]
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.board.role(role)
    }

    /// A side's men of a role.
    #[must_use]
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.board.pieces(color, role)
    }

    #[must_use]
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// Enemy men that attack the king of the side to move.
    #[must_use]
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checks.checkers
    }

    #[must_use]
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checks.checkers.any()
    }

    /// Men of the side to move that shield their king from a slider.
    #[must_use]
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        (self.checks.orthogonal_pins | self.checks.diagonal_pins)
            & self.board.side(self.side_to_move)
    }

    /// Men of both sides that attack `square` when `occupied` squares block.
    #[must_use]
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.board.attackers_to(square, occupied)
    }

    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate::<All>(&mut moves);
        moves
    }

    /// Captures and promotions.
    #[must_use]
    pub fn noisy_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate::<Noisy>(&mut moves);
        moves
    }

    /// Legal moves that are neither captures nor promotions.
    #[must_use]
    pub fn quiet_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate::<Quiet>(&mut moves);
        moves
    }

    /// Adds the legal moves that are wanted to a list.
    #[inline]
    pub fn generate<W: GenType>(&self, moves: &mut MoveList) {
        self.for_each_move::<W>(|mv| moves.push(mv));
    }

    /// Hands every legal move that is wanted to a closure, which becomes part of the
    /// generator: it should be small.
    #[inline]
    pub fn for_each_move<W: GenType>(&self, take: impl FnMut(Move)) {
        let mut each = Each(take);
        match self.side_to_move {
            Color::White => self.generate_into::<White, W, _>(&mut each),
            Color::Black => self.generate_into::<Black, W, _>(&mut each),
        }
    }

    #[inline(always)]
    fn generate_into<Us: Side, W: GenType, S: Sink<Us>>(&self, sink: &mut S) {
        movegen::generate::<Us, W, _, S>(&self.board, &self.checks, Magic, sink);
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_moves(&self) -> u32 {
        let mut counter = Counter::default();
        match self.side_to_move {
            Color::White => self.generate_into::<White, All, _>(&mut counter),
            Color::Black => self.generate_into::<Black, All, _>(&mut counter),
        }
        counter.0
    }

    #[must_use]
    pub fn has_moves(&self) -> bool {
        self.count_moves() != 0
    }

    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_moves()
    }

    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_moves()
    }

    /// The castling move of the side to move, or which of the six conditions forbids it.
    pub fn castling_move(&self, wing: CastlingSide) -> Result<Move, CastlingError> {
        castling::castle_for(&self.board, self.side_to_move, wing, self.checks.checkers)
    }
}

impl Default for Position {
    /// The start position of standard chess.
    fn default() -> Self {
        const FIRST_RANK: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let mut board = Board::default();
        for color in Color::ALL {
            for (file, role) in (0..8).zip(FIRST_RANK) {
                board.put(Square::at(file, 0).relative(color), Piece::new(color, role));
                let pawn = Piece::new(color, Role::Pawn);
                board.put(Square::at(file, 1).relative(color), pawn);
            }
            for wing in CastlingSide::ALL {
                board.castling.grant(wing.standard_rook_home(color));
            }
        }
        Self::assemble(board, Color::White, 0, 1)
    }
}
