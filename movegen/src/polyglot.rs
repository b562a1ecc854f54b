//! Keys of positions in Polyglot's opening books, which differ from [`Position::key`]. The numbers
//! come from shakmaty.
//!
//! A Polyglot key includes the en passant file whenever an enemy pawn stands beside the pawn
//! that moved two steps, even if the capture is illegal. A `Position` keeps the en passant
//! square only when a capture is legal, so the square comes from outside: from the last move of
//! the game, or from the FEN the game started from.

use crate::{CastlingSide, Color, Game, Move, Position, Rank, Role, Square, attacks};
use shakmaty::zobrist::{Zobrist64, ZobristValue};

/// The key of a position; `passed` is the square that the last move, a pawn's double step, passed
/// over.
///
/// ```
/// use movegen::Position;
///
/// assert_eq!(movegen::polyglot::key(&Position::default(), None), 0x463b_9618_1691_fc9c);
/// ```
pub fn key(position: &Position, passed: Option<Square>) -> u64 {
    let pieces = position.piece_map().filter_map(|(square, piece)| {
        let piece = shakmaty::Piece::from_char(piece.letter())?;
        Some(Zobrist64::zobrist_for_piece(convert(square), piece))
    });
    let rights = Color::ALL.into_iter().flat_map(|color| {
        let king = position.king(color);
        CastlingSide::ALL.into_iter().filter_map(move |side| {
            position.castling_rights().rook(color, side, king)?;
            let color = shakmaty::Color::from_white(color == Color::White);
            let side = shakmaty::CastlingSide::from_king_side(side == CastlingSide::King);
            Some(Zobrist64::zobrist_for_castling_right(color, side))
        })
    });
    let file = passed
        .filter(|&square| can_be_reached(position, square))
        .map(|square| Zobrist64::zobrist_for_en_passant_file(convert(square).file()));
    let turn = (position.side_to_move() == Color::White).then(Zobrist64::zobrist_for_white_turn);
    let parts = pieces.chain(rights).chain(file).chain(turn);
    parts.fold(0, |key, part| key ^ part.0)
}

fn convert(square: Square) -> shakmaty::Square {
    // Both count from a1 to h8.
    shakmaty::Square::new(square.index() as u32)
}

/// True if a pawn of the side to move attacks the en passant square, with the enemy pawn behind it.
fn can_be_reached(position: &Position, passed: Square) -> bool {
    let (us, them) = (position.side_to_move(), !position.side_to_move());
    let pawn = match us {
        Color::White => Square::new(passed.file(), Rank::Fifth),
        Color::Black => Square::new(passed.file(), Rank::Fourth),
    };
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
