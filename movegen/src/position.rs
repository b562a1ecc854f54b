//! A legal position: board, side to move, clocks and key.
//!
//! Small and `Copy`: making a move gives a new position (see `make_move`), and there is nothing to
//! unmake. A position knows its past only through clocks and rights; repetition is in `game`.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::{Board, CheckInfo};
use crate::castling::{CastlingRights, CastlingSide, Variant};
use crate::generate::{self, All, GenType, Noisy, Quiet};
use crate::moves::{Move, MoveList};
use crate::piece::{Black, Color, Piece, Role, StaticColor, White};
use crate::piece_moves::{Moves, PieceMoves, SetSink, Sets};
use crate::square::{File, Rank, Square};
use crate::zobrist;
use core::hash::{Hash, Hasher};

/// The squares a side attacks, by the value of the attackers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Threats {
    /// By pawns.
    pub pawns: Bitboard,
    /// By pawns, knights and bishops.
    pub minors: Bitboard,
    /// By pawns, knights, bishops and rooks.
    pub rooks: Bitboard,
    /// By any piece.
    pub all: Bitboard,
}

/// A legal position, made from a [`Setup`](crate::Setup) or by playing moves.
///
/// Displayed as a FEN; `{:#}` displays the board as eight lines of letters. Parsed from a FEN; the
/// caller of [`Position::from_fen`] says which variant it is, otherwise `parse` decides.
///
/// ```
/// use movegen::{Color, Piece, Position, Square, Variant};
///
/// let start = Position::default();
/// let mv = start.move_from_san("e4").unwrap();
/// let position = start.play_unchecked(mv);
/// assert_eq!(position.side_to_move(), Color::Black);
/// assert_eq!(position.piece_on(Square::E4), Some(Piece::WhitePawn));
/// assert_eq!(
///     position.to_string(),
///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
/// );
///
/// let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Variant::Standard)?;
/// assert!(mate.is_checkmate());
/// # Ok::<(), movegen::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
// Its parts are read right after it is copied, which takes long across cache lines.
#[repr(align(64))]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) mailbox: [Option<Piece>; 64],
    pub(crate) key: u64,
    pub(crate) side_to_move: Color,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u16,
    /// The home squares that its castling rights may refer to; moves do not change it.
    pub(crate) variant: Variant,
}

impl Position {
    /// The position of a valid board and its pieces by square, with everything derived from it.
    /// Drops an en passant square without a legal capture.
    pub(crate) fn new(
        mut board: Board,
        mailbox: [Option<Piece>; 64],
        side_to_move: Color,
        halfmove_clock: u16,
        fullmove_number: u16,
        variant: Variant,
    ) -> Self {
        board.en_passant = match side_to_move {
            Color::White => generate::legal_en_passant::<White>(&board),
            Color::Black => generate::legal_en_passant::<Black>(&board),
        };
        let mut position = Self {
            board,
            mailbox,
            key: 0,
            side_to_move,
            halfmove_clock,
            fullmove_number,
            variant,
        };
        position.key = position.key_from_scratch();
        position
    }

    /// True if the positions count as one for repetition: pieces, side to move, castling rights and
    /// en passant captures are the same. Clocks do not count, but for `==` they do.
    ///
    /// ```
    /// use movegen::{Game, Position};
    ///
    /// let mut game = Game::default();
    /// for san in ["Nf3", "Nf6", "Ng1", "Ng8"] {
    ///     game.play(game.move_from_san(san)?)?;
    /// }
    /// assert!(game.position().same_position(game.start()));
    /// assert_ne!(game.position(), game.start());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn same_position(&self, other: &Self) -> bool {
        // The key includes the side to move; comparing the boards rules out collisions.
        self.key == other.key && self.board == other.board
    }

    /// Computes the key from scratch; making moves updates it incrementally.
    pub fn key_from_scratch(&self) -> u64 {
        let pieces = self
            .piece_map()
            .map(|(square, piece)| piece.zobrist(square));
        let en_passant = self.en_passant().map_or(0, zobrist::en_passant);
        pieces.fold(en_passant, |key, number| key ^ number)
            ^ zobrist::side_to_move(self.side_to_move)
            ^ zobrist::castling(self.board.castling)
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the next move pair, starting at 1.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The en passant square, if a capture on it is legal.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.board.en_passant.first()
    }

    /// The home squares that its castling rights may refer to.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The castling rights of both sides.
    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.board.castling
    }

    /// The Zobrist key of the whole position.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// The role of the piece on a square.
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        self.mailbox[square.index()].map(Piece::role)
    }

    /// True if the move is a capture, en passant included.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.is_en_passant() || self.by_color(!self.side_to_move).has(mv.to())
    }

    /// True if the move is a capture or promotion, as generated by `Noisy`.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        mv.is_promotion() || self.is_capture(mv)
    }

    /// Every piece with its square, a1 first.
    pub fn piece_map(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied()
            .into_iter()
            .filter_map(|square| Some((square, self.piece_on(square)?)))
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The pieces of a color.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.board.by_color(color)
    }

    /// The pieces of a role, of both colors.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.board.by_role(role)
    }

    /// The pieces of a color and role.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.board.pieces(color, role)
    }

    /// The square of the king of a color.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// The checks and pins on the side to move.
    #[inline]
    pub(crate) fn checks(&self) -> CheckInfo {
        match self.side_to_move {
            Color::White => CheckInfo::find::<White>(&self.board),
            Color::Black => CheckInfo::find::<Black>(&self.board),
        }
    }

    /// The enemy pieces that give check to the side to move, found anew at each call.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checks().checkers
    }

    /// True if the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.checks().pins & self.board.by_color(self.side_to_move)
    }

    /// The pieces of both colors that attack `square`, given the occupied squares.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.board.attackers_to(square, occupied)
    }

    /// The squares attacked by a color, those of its own pieces included.
    ///
    /// ```
    /// use movegen::{Bitboard, Color, Position, Rank};
    ///
    /// let attacked = Position::default().attacked_by(Color::White);
    /// assert!(Bitboard::rank(Rank::Third).is_subset(attacked));
    /// assert_eq!(attacked.count(), 22);
    /// ```
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.threats_of(color).all
    }

    #[inline]
    pub(crate) fn threats_of(&self, color: Color) -> Threats {
        let occupied = self.occupied();
        let pawns = attacks::pawns(self.pieces(color, Role::Pawn), color);
        let mut minors = pawns | attacks::knights(self.pieces(color, Role::Knight));
        for square in self.pieces(color, Role::Bishop) {
            minors |= attacks::bishop(square, occupied);
        }
        let mut rooks = minors;
        for square in self.pieces(color, Role::Rook) {
            rooks |= attacks::rook(square, occupied);
        }
        let mut all = rooks | attacks::king(self.king(color));
        for square in self.pieces(color, Role::Queen) {
            all |= attacks::queen(square, occupied);
        }
        Threats {
            pawns,
            minors,
            rooks,
            all,
        }
    }

    /// All legal moves.
    ///
    /// ```
    /// use movegen::Position;
    ///
    /// let position: Position = "7k/8/8/8/8/8/p7/7K b - - 0 1".parse()?;
    /// let moves = position.legal_moves();
    /// let sans: Vec<String> = moves.iter().map(|&mv| position.san(mv)).collect();
    /// assert_eq!(sans, ["Kg7", "Kh7", "Kg8", "a1=Q+", "a1=R+", "a1=B", "a1=N"]);
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        self.list::<All>()
    }

    /// The legal captures and promotions.
    pub fn noisy_moves(&self) -> MoveList {
        self.list::<Noisy>()
    }

    /// The legal moves that are neither captures nor promotions.
    pub fn quiet_moves(&self) -> MoveList {
        self.list::<Quiet>()
    }

    #[inline]
    fn list<G: GenType>(&self) -> MoveList {
        let mut list = MoveList::new();
        // No position has more moves than the list has room for.
        self.for_each_move::<G>(|_, mv| {
            let _ = list.try_push(mv);
        });
        list
    }

    /// Calls a closure with every legal move of a kind and the role of the moving piece. The
    /// closure is inlined into the generator, once for each role, and should be small.
    ///
    /// ```
    /// use movegen::{Noisy, Position};
    ///
    /// let position: Position = "4k3/8/8/3pp3/4P3/8/8/4K3 w - - 0 1".parse()?;
    /// let mut captures = Vec::new();
    /// position.for_each_move::<Noisy>(|_, mv| captures.push(position.san(mv)));
    /// assert_eq!(captures, ["exd5"]);
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    #[inline]
    pub fn for_each_move<G: GenType>(&self, visit: impl FnMut(Role, Move)) {
        self.generate_into::<G>(None, Moves(visit));
    }

    /// Calls a closure with the legal moves of a kind as sets of destinations, which may be empty.
    /// The closure is inlined as in [`for_each_move`](Self::for_each_move).
    ///
    /// ```
    /// use movegen::{All, Bitboard, Position, Rank};
    ///
    /// let (mut count, mut to) = (0, Bitboard::EMPTY);
    /// Position::default().generate_moves::<All>(|moves| {
    ///     count += moves.len();
    ///     to |= moves.to();
    /// });
    /// assert_eq!(count, 20);
    /// assert_eq!(to, Bitboard::rank(Rank::Third) | Bitboard::rank(Rank::Fourth));
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    #[inline]
    pub fn generate_moves<G: GenType>(&self, visit: impl FnMut(PieceMoves)) {
        self.generate_into::<G>(None, Sets(visit));
    }

    /// Generates moves into a sink. `danger` is [`Board::king_danger`], where it is known.
    #[inline(always)]
    pub(crate) fn generate_into<G: GenType>(
        &self,
        danger: Option<Bitboard>,
        mut sink: impl SetSink,
    ) {
        match self.side_to_move {
            Color::White => self.generate_for::<White, G>(danger, &mut sink),
            Color::Black => self.generate_for::<Black, G>(danger, &mut sink),
        }
    }

    #[inline(always)]
    fn generate_for<Us: StaticColor, G: GenType>(
        &self,
        danger: Option<Bitboard>,
        sink: &mut impl SetSink,
    ) {
        let found = || self.board.king_danger::<Us>(attacks::sliders);
        generate::generate::<Us, G, _>(&self.board, || danger.unwrap_or_else(found), sink);
    }

    /// True if there is a legal move.
    pub fn has_moves(&self) -> bool {
        self.count_moves() != 0
    }

    /// True if the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_moves()
    }

    /// True if the side to move is stalemated.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_moves()
    }

    /// True if no sequence of legal moves can mate: bare kings, a single minor piece, or only
    /// bishops that are all on squares of one color.
    pub fn is_insufficient_material(&self) -> bool {
        let knights = self.by_role(Role::Knight);
        let bishops = self.by_role(Role::Bishop);
        let kings = self.by_role(Role::King);
        if self.occupied() != kings | knights | bishops {
            return false;
        }
        let one_color =
            (bishops & Bitboard::DARK).is_empty() || (bishops & !Bitboard::DARK).is_empty();
        (knights | bishops).count() <= 1 || (knights.is_empty() && one_color)
    }
}

/// Hashes the key alone, which differs where the positions do, apart from clocks.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
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
        let mut mailbox = [None; 64];
        for color in Color::ALL {
            for (file, role) in File::ALL.into_iter().zip(FIRST_RANK) {
                let first = Square::new(file, Rank::First).relative(color);
                let second = Square::new(file, Rank::Second).relative(color);
                mailbox[first.index()] = Some(Piece::new(color, role));
                mailbox[second.index()] = Some(Piece::new(color, Role::Pawn));
            }
        }
        let mut board = Board::new(&mailbox);
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                board.castling.grant(side.standard_rook_home(color));
            }
        }
        Self::new(board, mailbox, Color::White, 0, 1, Variant::Standard)
    }
}
