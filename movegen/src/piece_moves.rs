//! Legal moves as the generator finds them: sets of destinations that have an origin, or a step, in
//! common.

use crate::bitboard::{Bitboard, Squares};
use crate::generate::MoveSink;
use crate::moves::Move;
use crate::piece::{Role, StaticColor};
use crate::square::Square;

/// Legal moves of one piece, or of all pawns that make the same step; see
/// [`Position::generate_moves`](crate::Position::generate_moves). Counted by [`len`](Self::len)
/// without being listed, and iterated over as moves.
///
/// ```
/// use movegen::{All, Bitboard, Position, Role, Square};
///
/// let position: Position = "7k/1P6/8/8/8/8/8/K7 w - - 0 1".parse()?;
/// let mut promotions = Vec::new();
/// position.generate_moves::<All>(|moves| match moves.role() {
///     Role::King => assert_eq!(moves.len(), 3),
///     _ => promotions.extend(moves),
/// });
/// assert_eq!(promotions.len(), 4);
/// assert!(promotions.iter().all(|mv| mv.to() == Square::B8));
/// # Ok::<(), movegen::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceMoves {
    role: Role,
    origin: Origin,
    to: Bitboard,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Square(Square),
    /// The origin of each destination is as far before it.
    Step(i8),
    /// The origin of each destination is as far before it, and each is four moves.
    Promotion(i8),
    EnPassant(Square),
    Castling(Square),
}

impl Origin {
    /// The move to a destination, with a role if it is a promotion.
    #[inline(always)]
    fn move_to(self, to: Square, promotion: Role) -> Move {
        match self {
            Self::Square(from) => Move::normal(from, to),
            Self::Step(step) => Move::normal(to.offset(-step), to),
            Self::Promotion(step) => Move::promotion(to.offset(-step), to, promotion),
            Self::EnPassant(from) => Move::en_passant(from, to),
            Self::Castling(king) => Move::castling(king, to),
        }
    }

    /// The roles of a promotion; for other moves one that means nothing.
    #[inline(always)]
    fn promotions(self) -> &'static [Role] {
        match self {
            Self::Promotion(_) => &Role::PROMOTIONS,
            _ => &[Role::Pawn],
        }
    }
}

impl PieceMoves {
    #[inline(always)]
    fn new(role: Role, origin: Origin, to: Bitboard) -> Self {
        Self { role, origin, to }
    }

    /// The role of the moving pieces.
    #[inline(always)]
    pub fn role(self) -> Role {
        self.role
    }

    /// The destinations; for castling the rook's square.
    #[inline(always)]
    pub fn to(self) -> Bitboard {
        self.to
    }

    /// The number of moves, four for each destination of a promotion.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.to.count() as usize * self.origin.promotions().len()
    }

    /// True if there are none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.to.is_empty()
    }

    /// Gives a sink what it was made of.
    #[inline(always)]
    pub(crate) fn pass_to<Us: StaticColor>(self, sink: &mut impl MoveSink<Us>) {
        let to = self.to;
        match self.origin {
            Origin::Square(from) => sink.piece(self.role, from, to),
            Origin::Step(step @ (-16 | 16)) => sink.double_pushes(to, step),
            Origin::Step(step) => sink.pawns(to, step),
            Origin::Promotion(step) => sink.promotions(to, step),
            Origin::EnPassant(from) => sink.en_passant(from, to.lowest()),
            Origin::Castling(king) => sink.castling(Move::castling(king, to.lowest())),
        }
    }
}

impl IntoIterator for PieceMoves {
    type Item = Move;
    type IntoIter = PieceMovesIter;

    #[inline(always)]
    fn into_iter(self) -> PieceMovesIter {
        PieceMovesIter {
            origin: self.origin,
            to: self.to.into_iter(),
            promoting: None,
        }
    }
}

/// The moves of a [`PieceMoves`].
#[derive(Clone, Debug)]
pub struct PieceMovesIter {
    origin: Origin,
    to: Squares,
    /// A destination with its remaining promotions.
    promoting: Option<(Square, &'static [Role])>,
}

impl Iterator for PieceMovesIter {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        let (to, roles) = match self.promoting.take() {
            Some(promoting) => promoting,
            None => (self.to.next()?, self.origin.promotions()),
        };
        let (&role, rest) = roles.split_first()?;
        self.promoting = (!rest.is_empty()).then_some((to, rest));
        Some(self.origin.move_to(to, role))
    }

    /// Faster than `next`, which keeps a state for promotions.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Move) -> B>(self, init: B, mut visit: F) -> B {
        let (origin, roles) = (self.origin, self.origin.promotions());
        let mut value = init;
        if let Some((to, rest)) = self.promoting {
            for &role in rest {
                value = visit(value, origin.move_to(to, role));
            }
        }
        for to in self.to {
            for &role in roles {
                value = visit(value, origin.move_to(to, role));
            }
        }
        value
    }
}

/// Receives sets of moves, with roles that are constants once it is inlined, except for pinned
/// pieces.
pub(crate) trait SetSink {
    fn set(&mut self, moves: PieceMoves);
}

/// Passes sets of moves to a closure.
pub(crate) struct Sets<F>(pub(crate) F);

impl<F: FnMut(PieceMoves)> SetSink for Sets<F> {
    #[inline(always)]
    fn set(&mut self, moves: PieceMoves) {
        self.0(moves);
    }
}

/// Passes each move to a closure, with the role of the moving piece. A closure of `Sets` that does
/// so is not always inlined.
pub(crate) struct Moves<F>(pub(crate) F);

impl<F: FnMut(Role, Move)> SetSink for Moves<F> {
    #[inline(always)]
    fn set(&mut self, moves: PieceMoves) {
        moves.into_iter().for_each(|mv| self.0(moves.role, mv));
    }
}

/// Passes each move to certain squares to a closure.
pub(crate) struct MovesTo<F> {
    /// By the role of the moving piece.
    pub(crate) squares: [Bitboard; 6],
    pub(crate) visit: F,
}

impl<F: FnMut(Move)> SetSink for MovesTo<F> {
    #[inline(always)]
    fn set(&mut self, moves: PieceMoves) {
        let to = moves.to & self.squares[moves.role.index()];
        let moves = PieceMoves { to, ..moves };
        moves.into_iter().for_each(&mut self.visit);
    }
}

impl<Us: StaticColor, S: SetSink> MoveSink<Us> for S {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        self.set(PieceMoves::new(role, Origin::Square(from), to));
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        self.set(PieceMoves::new(Role::Pawn, Origin::Step(step), to));
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        self.set(PieceMoves::new(Role::Pawn, Origin::Promotion(step), to));
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.set(PieceMoves::new(
            Role::Pawn,
            Origin::EnPassant(from),
            Bitboard::of(to),
        ));
    }

    #[inline(always)]
    fn castling(&mut self, mv: Move) {
        self.set(PieceMoves::new(
            Role::King,
            Origin::Castling(mv.from()),
            Bitboard::of(mv.to()),
        ));
    }
}
