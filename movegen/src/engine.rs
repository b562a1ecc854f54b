//! For engines: what a search asks of positions beside their moves, and perft that can be stopped.
//!
//! These functions promise less than the rest of the library. Some hold only where their caller has
//! made sure of something first, and some are bound to how a position is hashed.

mod cuckoo;
mod see;

pub use crate::perft::divide;
pub use crate::position::Threats;
pub use cuckoo::reversible_move;
pub use see::{SeeValues, see_ge};

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::generate::Quiet;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::piece_moves::{Moves, MovesTo};
use crate::position::Position;
use crate::zobrist;

/// The squares the side not to move attacks.
///
/// ```
/// use movegen::{Position, Square, engine};
///
/// let position: Position = "4k3/8/8/8/1n6/2p5/8/4K3 w - - 0 1".parse()?;
/// let threats = engine::threats(&position);
/// assert!(threats.pawns.has(Square::D2));
/// assert!(threats.minors.has(Square::C2) && !threats.pawns.has(Square::C2));
/// # Ok::<(), movegen::FenError>(())
/// ```
pub fn threats(position: &Position) -> Threats {
    position.threats_of(!position.side_to_move)
}

/// By role: the squares from which a piece of the side to move would give check directly.
///
/// ```
/// use movegen::{Position, Role, Square, engine};
///
/// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
/// let squares = engine::check_squares(&position);
/// assert!(squares[Role::Rook.index()].has(Square::A8));
/// assert!(squares[Role::Knight.index()].has(Square::D6));
/// # Ok::<(), movegen::FenError>(())
/// ```
pub fn check_squares(position: &Position) -> [Bitboard; 6] {
    let (king, occupied) = (position.king(!position.side_to_move), position.occupied());
    let (bishop, rook) = (
        attacks::bishop(king, occupied),
        attacks::rook(king, occupied),
    );
    [
        attacks::pawn(king, !position.side_to_move),
        attacks::knight(king),
        bishop,
        rook,
        bishop | rook,
        Bitboard::EMPTY,
    ]
}

/// [`Position::for_each_move`] for quiet moves; faster, given the [`threats`] of the position.
#[inline]
pub fn for_each_quiet_move(position: &Position, threats: &Threats, visit: impl FnMut(Role, Move)) {
    // A king in check hides the squares behind it.
    let in_check = threats.all.has(position.king(position.side_to_move));
    let danger = (!in_check).then_some(threats.all);
    position.generate_into::<Quiet>(danger, Moves(visit));
}

/// Calls a closure with every legal quiet move that gives check directly, apart from castling, in
/// the order of [`Position::for_each_move`].
#[inline]
pub fn for_each_quiet_check(position: &Position, visit: impl FnMut(Move)) {
    let squares = check_squares(position);
    // Moves of the king, which give no direct check, are not worth finding its danger.
    let danger = Some(Bitboard::FULL);
    position.generate_into::<Quiet>(danger, MovesTo { squares, visit });
}

/// The Zobrist key of the position after a legal move, without making the move: for prefetching.
///
/// It is not exact where the move changes castling rights or allows en passant, nor for moves
/// that are not normal ones.
#[inline]
pub fn key_after(position: &Position, mv: Move) -> u64 {
    let (from, to) = (mv.from(), mv.to());
    let piece = position.piece_on(from);
    let mut key = position.key ^ zobrist::side_to_move(Color::Black);
    key ^= zobrist::contents(piece, from) ^ zobrist::contents(piece, to);
    key ^= zobrist::contents(position.piece_on(to), to);
    if let Some(square) = position.en_passant() {
        key ^= zobrist::en_passant(square);
    }
    key
}

/// The Zobrist key of the position after a null move.
#[inline]
pub fn key_after_null(position: &Position) -> u64 {
    let en_passant = position.en_passant().map_or(0, zobrist::en_passant);
    position.key ^ zobrist::side_to_move(Color::Black) ^ en_passant
}
