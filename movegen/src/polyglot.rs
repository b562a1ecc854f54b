//! Keys of positions in Polyglot's opening books, which differ from [`Position::key`].
//! `polyglot.bin` has the 781 numbers that its format defines, in their order.
//!
//! A Polyglot key includes the en passant file whenever an enemy pawn stands beside the pawn
//! that moved two steps, even if the capture is illegal. A `Position` keeps the en passant
//! square only when a capture is legal, so the square comes from outside: from the last move of
//! the game, or from the FEN the game started from.

use crate::{CastlingSide, Color, Game, Move, Position, Rank, Role, Square, attacks};

static NUMBERS: &[u8; 781 * 8] = include_bytes!("polyglot.bin");
/// The first number of castling rights, of en passant files, and the one of White to move, after
/// those of the pieces on each square.
const CASTLING: usize = 12 * 64;
const EN_PASSANT: usize = CASTLING + 4;
const WHITE_TO_MOVE: usize = EN_PASSANT + 8;

fn number(index: usize) -> u64 {
    let (numbers, _) = NUMBERS.as_chunks();
    u64::from_be_bytes(numbers[index])
}

/// The key of a position; `passed` is the square that the last move, a pawn's double step, passed
/// over.
///
/// ```
/// use movegen::Position;
///
/// assert_eq!(movegen::polyglot::key(&Position::default(), None), 0x463b_9618_1691_fc9c);
/// ```
pub fn key(position: &Position, passed: Option<Square>) -> u64 {
    let pieces = position.piece_map().map(|(square, piece)| {
        let kind = 2 * piece.role().index() + usize::from(piece.color() == Color::White);
        64 * kind + square.index()
    });
    let rights = (CASTLING..).zip(Color::ALL.into_iter().flat_map(|color| {
        let (rights, king) = (position.castling_rights(), position.king(color));
        CastlingSide::ALL.map(|side| rights.rook(color, side, king))
    }));
    let rights = rights.filter_map(|(index, rook)| rook.map(|_| index));
    let file = passed
        .filter(|&square| can_be_reached(position, square))
        .map(|square| EN_PASSANT + square.file().index());
    let turn = (position.side_to_move() == Color::White).then_some(WHITE_TO_MOVE);
    let parts = pieces.chain(rights).chain(file).chain(turn);
    parts.fold(0, |key, index| key ^ number(index))
}

/// True if a pawn of the side to move attacks the en passant square, with the enemy pawn behind it.
fn can_be_reached(position: &Position, passed: Square) -> bool {
    let (us, them) = (position.side_to_move(), !position.side_to_move());
    let pawn = Square::new(passed.file(), Rank::Fifth.relative(us));
    position.pieces(them, Role::Pawn).has(pawn)
        && (attacks::pawn(passed, them) & position.pieces(us, Role::Pawn)).any()
}

/// The square that the last move of a game passed over, if it was a pawn's double step.
/// Before the first move this is the square from the FEN, or else the one where a capture is legal.
pub fn passed_square(game: &Game, at_start: Option<Square>) -> Option<Square> {
    match game.moves().next_back() {
        Some(mv) => passed_by(game.position(), mv),
        None => at_start.or(game.position().en_passant()),
    }
}

/// The square that a move passed over if it was a pawn's double step; `after` is the
/// position after the move.
pub fn passed_by(after: &Position, mv: Move) -> Option<Square> {
    let (from, to) = (mv.from(), mv.to());
    let pawn = after.role_on(to) == Some(Role::Pawn);
    attacks::between(from, to).first().filter(|_| pawn)
}
