//! Polyglot's key of a position: another one than the rules' own, since every book is found by
//! these numbers.
//!
//! It needs one thing a position does not know. For Polyglot a pawn may be taken in passing
//! when an enemy pawn stands beside it, even if the capture would leave a king in check; a
//! position remembers only legal captures. So the square passed over comes from outside: from
//! the move last played, or from the FEN it began with.

use movegen::{CastlingSide, Color, Game, Move, Piece, Position, Role, Square, attacks};

use super::numbers::{CASTLING, EN_PASSANT, MEN, NUMBERS, WHITE_TO_MOVE};

/// The key of a position, whose last move was a pawn's two steps over `passed`, if so.
#[must_use]
pub fn key(position: &Position, passed: Option<Square>) -> u64 {
    let men = position
        .piece_map()
        .map(|(square, man)| man_at(man, square));
    let rights = Color::ALL.into_iter().flat_map(|color| {
        let king = position.king(color);
        CastlingSide::ALL
            .into_iter()
            .filter(move |&wing| position.castling_rights().rook(color, wing, king).is_some())
            .map(move |wing| castling_of(color, wing))
    });
    let file = passed
        .filter(|&square| is_beside(position, square))
        .map(|square| EN_PASSANT + usize::from(square.file()));
    let turn = (position.side_to_move() == Color::White).then_some(WHITE_TO_MOVE);
    men.chain(rights)
        .chain(file)
        .chain(turn)
        .filter_map(|index| NUMBERS.get(index))
        .fold(0, |key, number| key ^ number)
}

fn man_at(man: Piece, square: Square) -> usize {
    let white = usize::from(man.color() == Color::White);
    MEN + 64 * (2 * man.role().index() + white) + square.index()
}

fn castling_of(color: Color, wing: CastlingSide) -> usize {
    let wing = match wing {
        CastlingSide::King => 0,
        CastlingSide::Queen => 1,
    };
    CASTLING + 2 * color.index() + wing
}

/// A pawn of the side to move stands beside the pawn that went over this square.
fn is_beside(position: &Position, passed: Square) -> bool {
    let (us, them) = (position.side_to_move(), !position.side_to_move());
    let pawn = match us {
        Color::White => Square::at(passed.file(), 4),
        Color::Black => Square::at(passed.file(), 3),
    };
    position.pieces(them, Role::Pawn).has(pawn)
        && (attacks::pawn(passed, them) & position.pieces(us, Role::Pawn)).any()
}

/// The square the pawn just moved has passed over, where anything may stand beside it. Before
/// the first move it is what the FEN said.
#[must_use]
pub fn passed_square(game: &Game, at_start: Option<Square>) -> Option<Square> {
    match game.moves().next_back() {
        Some(mv) => passed_by(game.position(), mv),
        None => at_start,
    }
}

/// The square a move passed over, in the position after it, if it was a pawn's two steps.
pub(crate) fn passed_by(after: &Position, mv: Move) -> Option<Square> {
    let (from, to) = (mv.from(), mv.to());
    let two_steps = after.role_on(to) == Some(Role::Pawn) && from.rank().abs_diff(to.rank()) == 2;
    two_steps.then(|| Square::at(to.file(), from.rank().midpoint(to.rank())))
}

#[cfg(test)]
mod tests;
