//! The legal moves of a board.
//!
//! One generator, specialised when compiling for the side to move, for what is wanted and
//! for the sink the moves go to: a list, a counter, or perft itself. Check and pins are known
//! before it starts, so it never makes an illegal move and needs no second look.

use crate::attacks;
use crate::attacks::sliders::Lookup;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{self, CastlingSide};
use crate::checks::Checks;
use crate::color::{Color, Side};
use crate::moves::Move;
use crate::piece::Role;
use crate::square::Square;

/// Which of the legal moves are wanted.
pub trait GenType {
    const NOISY: bool;
    const QUIET: bool;
}

/// Every legal move.
#[derive(Clone, Copy, Debug)]
pub struct All;

/// Captures, en passant and promotions of every kind.
#[derive(Clone, Copy, Debug)]
pub struct Noisy;

/// What is not `Noisy`; castling is here.
#[derive(Clone, Copy, Debug)]
pub struct Quiet;

impl GenType for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl GenType for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl GenType for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Where generated moves go, many at a time where they come that way.
pub(crate) trait Sink<Us: Side> {
    /// One man's destinations.
    fn piece(&mut self, role: Role, from: Square, to: Bitboard);
    /// Destinations of pawns that each came from `to - step`.
    fn pawns(&mut self, to: Bitboard, step: i8);
    fn double_pushes(&mut self, to: Bitboard, step: i8);
    /// Destinations of promoting pawns; each is four moves.
    fn promotions(&mut self, to: Bitboard, step: i8);
    fn en_passant(&mut self, from: Square, to: Square);
    fn castle(&mut self, mv: Move);
}

/// How far a pawn's single step, and its captures to either side, move it.
struct Steps {
    push: i8,
    east: i8,
    west: i8,
}

const fn steps(color: Color) -> Steps {
    match color {
        Color::White => Steps {
            push: 8,
            east: 9,
            west: 7,
        },
        Color::Black => Steps {
            push: -8,
            east: -7,
            west: -9,
        },
    }
}

#[inline(always)]
pub(crate) fn generate<Us: Side, W: GenType, L: Lookup, S: Sink<Us>>(
    board: &Board,
    checks: &Checks,
    lookup: L,
    sink: &mut S,
) {
    king::<Us, W, L, S>(board, lookup, sink);
    if checks.checkers.many() {
        return;
    }
    pawns::<Us, W, L, S>(board, checks, lookup, sink);
    non_pawns::<Us, W, L, S>(board, checks, lookup, sink);
    if W::QUIET && checks.checkers.is_empty() && board.castling.of(Us::COLOR).any() {
        for wing in CastlingSide::ALL {
            if let Ok(mv) = castling::castle::<Us, L>(board, lookup, wing, checks.checkers) {
                sink.castle(mv);
            }
        }
    }
}

/// Where men of `Us` may go at all, given what is wanted.
#[inline(always)]
fn destinations<Us: Side, W: GenType>(board: &Board) -> Bitboard {
    match (W::NOISY, W::QUIET) {
        (true, true) => !board.side(Us::COLOR),
        (true, false) => board.side(Us::Them::COLOR),
        (false, true) => !board.occupied(),
        (false, false) => Bitboard::EMPTY,
    }
}

#[inline(always)]
fn king<Us: Side, W: GenType, L: Lookup, S: Sink<Us>>(board: &Board, lookup: L, sink: &mut S) {
    let from = board.king(Us::COLOR);
    let reached = attacks::king(from) & destinations::<Us, W>(board);
    let without_king = board.occupied() ^ Bitboard::of(from);
    let safe = board.safe_for_king::<Us, L>(lookup, reached, without_king);
    sink.piece(Role::King, from, safe);
}

#[inline(always)]
fn non_pawns<Us: Side, W: GenType, L: Lookup, S: Sink<Us>>(
    board: &Board,
    checks: &Checks,
    lookup: L,
    sink: &mut S,
) {
    let us = Us::COLOR;
    let occupied = board.occupied();
    let allowed = destinations::<Us, W>(board) & checks.check_mask;
    let (orthogonal_pins, diagonal_pins) = (checks.orthogonal_pins, checks.diagonal_pins);
    let free = !(orthogonal_pins | diagonal_pins);

    // A pinned knight never moves.
    for from in board.pieces(us, Role::Knight) & free {
        sink.piece(Role::Knight, from, attacks::knight(from) & allowed);
    }
    for from in board.pieces(us, Role::Bishop) & free {
        sink.piece(Role::Bishop, from, lookup.bishop(from, occupied) & allowed);
    }
    for from in board.pieces(us, Role::Rook) & free {
        sink.piece(Role::Rook, from, lookup.rook(from, occupied) & allowed);
    }
    for from in board.pieces(us, Role::Queen) & free {
        let seen = lookup.bishop(from, occupied) | lookup.rook(from, occupied);
        sink.piece(Role::Queen, from, seen & allowed);
    }
    // Pinned sliders move along the pin, and only those of the pin's own direction can.
    // One slider on a pin of its kind is rare: all kinds share one loop.
    let diagonal = board.diagonal(us) & diagonal_pins;
    let orthogonal = board.orthogonal(us) & orthogonal_pins;
    for from in diagonal | orthogonal {
        let role = if board.role(Role::Queen).has(from) {
            Role::Queen
        } else if diagonal.has(from) {
            Role::Bishop
        } else {
            Role::Rook
        };
        let along = if diagonal.has(from) {
            lookup.bishop(from, occupied) & diagonal_pins
        } else {
            lookup.rook(from, occupied) & orthogonal_pins
        };
        sink.piece(role, from, along & allowed);
    }
}

#[inline(always)]
fn pawns<Us: Side, W: GenType, L: Lookup, S: Sink<Us>>(
    board: &Board,
    checks: &Checks,
    lookup: L,
    sink: &mut S,
) {
    let us = Us::COLOR;
    let steps = steps(us);
    let pawns = board.pieces(us, Role::Pawn);
    let last_rank = Bitboard::relative_rank(us, 7);
    let empty = !board.occupied();

    // Along a file: pawns pinned on a diagonal stay, pawns pinned on a rank have their one
    // step end off the pin line.
    let pushing = pawns & !checks.diagonal_pins;
    let pinned = pushing & checks.orthogonal_pins;
    let pushed =
        ((pushing ^ pinned).forward(us) | pinned.forward(us) & checks.orthogonal_pins) & empty;
    if W::QUIET {
        let single = pushed & checks.check_mask;
        sink.pawns(single & !last_rank, steps.push);
        let double = (pushed & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        sink.double_pushes(double & checks.check_mask, 2 * steps.push);
    }
    if W::NOISY {
        let promoting = pushed & checks.check_mask & last_rank;
        if promoting.any() {
            sink.promotions(promoting, steps.push);
        }

        let taking = pawns & !checks.orthogonal_pins;
        let pinned = taking & checks.diagonal_pins;
        let free = taking ^ pinned;
        let targets = board.side(Us::Them::COLOR) & checks.check_mask;
        let east = free.forward(us).east() | pinned.forward(us).east() & checks.diagonal_pins;
        let west = free.forward(us).west() | pinned.forward(us).west() & checks.diagonal_pins;
        let (east, west) = (east & targets, west & targets);
        sink.pawns(east & !last_rank, steps.east);
        sink.pawns(west & !last_rank, steps.west);
        if ((east | west) & last_rank).any() {
            sink.promotions(east & last_rank, steps.east);
            sink.promotions(west & last_rank, steps.west);
        }
        if board.en_passant.any() {
            for mv in en_passant::<Us, L>(board, lookup).into_iter().flatten() {
                sink.en_passant(mv.from(), mv.to());
            }
        }
    }
}

/// The legal captures in passing, at most two. Two men leave the fourth or fifth rank at once,
/// so this is asked the long way: is the king safe when it is done?
#[inline(always)]
pub(crate) fn en_passant<Us: Side, L: Lookup>(board: &Board, lookup: L) -> [Option<Move>; 2] {
    let them = Us::Them::COLOR;
    let to = board.en_passant.lowest();
    let victim = board.en_passant.forward(them);
    let king = board.king(Us::COLOR);
    let mut takers = attacks::pawn(to, them) & board.pieces(Us::COLOR, Role::Pawn);
    let mut found = [None; 2];
    for slot in &mut found {
        let Some(from) = takers.first() else { break };
        takers = takers.without_lowest();
        let occupied = (board.occupied() ^ Bitboard::of(from) ^ victim) | board.en_passant;
        let attackers = lookup.rook(king, occupied) & board.orthogonal(them)
            | lookup.bishop(king, occupied) & board.diagonal(them)
            | attacks::knight(king) & board.pieces(them, Role::Knight)
            | attacks::pawn(king, Us::COLOR) & board.pieces(them, Role::Pawn) & !victim;
        if attackers.is_empty() {
            *slot = Some(Move::en_passant(from, to));
        }
    }
    found
}

/// Hands each move to a closure.
pub(crate) struct Each<F>(pub(crate) F);

impl<Us: Side, F: FnMut(Move)> Sink<Us> for Each<F> {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        for to in to {
            self.0(Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.0(Move::normal(to.offset(-step), to));
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.0(Move::normal(to.offset(-step), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in Role::PROMOTIONS {
                self.0(Move::promotion(to.offset(-step), to, role));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.0(Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, mv: Move) {
        self.0(mv);
    }
}

/// Counts moves without writing any down.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) u32);

impl<Us: Side> Sink<Us> for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, to: Bitboard) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn double_pushes(&mut self, to: Bitboard, _: i8) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8) {
        self.0 += to.count() * Role::PROMOTIONS.len() as u32;
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castle(&mut self, _: Move) {
        self.0 += 1;
    }
}
