//! The legal move generator.
//!
//! One generic generator, specialized at compile time for the side to move, the kinds of moves
//! (`GenType`) and the destination of the moves (`MoveSink`): a list, a counter, or perft itself.
//! Checks and pins are known before it starts, so every move it generates is legal.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::{Board, CheckInfo};
use crate::castling::{CastlingPath, CastlingSide};
use crate::moves::Move;
use crate::piece::{Color, Role, StaticColor};
use crate::square::{Rank, Square};

/// The legal moves to generate: [`All`], [`Noisy`] or [`Quiet`].
pub trait GenType: sealed::Sealed {
    /// True if captures and promotions are generated.
    const NOISY: bool;
    /// True if the other moves are generated.
    const QUIET: bool;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::All {}
    impl Sealed for super::Noisy {}
    impl Sealed for super::Quiet {}
}

/// Every legal move.
#[derive(Clone, Copy, Debug)]
pub struct All;

/// The noisy moves: captures, en passant captures and all promotions.
#[derive(Clone, Copy, Debug)]
pub struct Noisy;

/// The moves that are not noisy, castling included.
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

/// Receives generated moves, as sets of destinations where possible.
pub(crate) trait MoveSink<Us: StaticColor> {
    /// The destinations of one piece that is not a pawn.
    fn piece(&mut self, role: Role, from: Square, to: Bitboard);
    /// Destinations of pawn moves, each from the square `to - step`.
    fn pawns(&mut self, to: Bitboard, step: i8);
    #[inline(always)]
    fn double_pushes(&mut self, to: Bitboard, step: i8) {
        self.pawns(to, step);
    }
    /// Destinations of promotions, each of which is four moves.
    fn promotions(&mut self, to: Bitboard, step: i8);
    fn en_passant(&mut self, from: Square, to: Square);
    fn castling(&mut self, mv: Move);
}

/// The squares from the king through pinned pieces to their pinners.
struct Pins {
    orthogonal: Bitboard,
    diagonal: Bitboard,
}

/// The index steps of a pawn push and of pawn captures.
struct PawnSteps {
    push: i8,
    east: i8,
    west: i8,
}

const fn pawn_steps(color: Color) -> PawnSteps {
    match color {
        Color::White => PawnSteps {
            push: 8,
            east: 9,
            west: 7,
        },
        Color::Black => PawnSteps {
            push: -8,
            east: -7,
            west: -9,
        },
    }
}

/// Generates moves into a sink. `king_danger` gives [`Board::king_danger`].
#[inline(always)]
pub(crate) fn generate<Us: StaticColor, G: GenType, S: MoveSink<Us>>(
    board: &Board,
    king_danger: impl FnOnce() -> Bitboard,
    sink: &mut S,
) {
    let king = board.king(Us::COLOR);
    let checks = CheckInfo::find::<Us>(board);
    let steps = attacks::king(king) & destinations::<Us, G>(board);
    // The king can rarely capture, so its danger is rarely needed.
    let danger = if G::QUIET || steps.any() {
        king_danger()
    } else {
        Bitboard::FULL
    };
    sink.piece(Role::King, king, steps & !danger);
    if checks.checkers.many() {
        return;
    }
    let resolving = checks.mask(king);
    let pins = Pins {
        orthogonal: checks.pins & attacks::orthogonals(king),
        diagonal: checks.pins & attacks::diagonals(king),
    };
    pawns::<Us, G, S>(board, resolving, &pins, sink);
    pieces::<Us, G, S>(board, resolving, &pins, sink);
    if G::QUIET && checks.checkers.is_empty() && board.castling.of(Us::COLOR).any() {
        for side in CastlingSide::ALL {
            if let Some(rook) = board.castling.rook(Us::COLOR, side, king)
                && can_castle::<Us>(board, &pins, danger, side, king, rook)
            {
                sink.castling(Move::castling(king, rook));
            }
        }
    }
}

/// The destinations that the kinds of moves allow.
#[inline(always)]
fn destinations<Us: StaticColor, G: GenType>(board: &Board) -> Bitboard {
    match (G::NOISY, G::QUIET) {
        (true, true) => !board.by_color(Us::COLOR),
        (true, false) => board.by_color(Us::Them::COLOR),
        (false, true) => !board.occupied(),
        (false, false) => Bitboard::EMPTY,
    }
}

/// True if castling with a right is legal for a king that is not in check. A rook that is not
/// pinned to its king shields no square of the king's path: all squares between the two are empty.
#[inline(always)]
fn can_castle<Us: StaticColor>(
    board: &Board,
    pins: &Pins,
    danger: Bitboard,
    side: CastlingSide,
    king: Square,
    rook: Square,
) -> bool {
    let path = CastlingPath::new(Us::COLOR, side, king, rook);
    let moving = Bitboard::of(king) | Bitboard::of(rook);
    let obstacles = path.all() & board.occupied() & !moving
        | path.king & danger
        | Bitboard::of(rook) & pins.orthogonal;
    obstacles.is_empty()
}

#[inline(always)]
fn pieces<Us: StaticColor, G: GenType, S: MoveSink<Us>>(
    board: &Board,
    resolving: Bitboard,
    pins: &Pins,
    sink: &mut S,
) {
    let us = Us::COLOR;
    let occupied = board.occupied();
    let allowed = destinations::<Us, G>(board) & resolving;
    let free = !(pins.orthogonal | pins.diagonal);

    // A pinned knight never moves.
    for from in board.pieces(us, Role::Knight) & free {
        sink.piece(Role::Knight, from, attacks::knight(from) & allowed);
    }
    for from in board.pieces(us, Role::Bishop) & free {
        sink.piece(
            Role::Bishop,
            from,
            attacks::bishop(from, occupied) & allowed,
        );
    }
    for from in board.pieces(us, Role::Rook) & free {
        sink.piece(Role::Rook, from, attacks::rook(from, occupied) & allowed);
    }
    for from in board.pieces(us, Role::Queen) & free {
        sink.piece(Role::Queen, from, attacks::queen(from, occupied) & allowed);
    }
    // A pinned slider moves only along the pin line, if it moves in that direction at all. This is
    // rare, so one loop serves all roles.
    let diagonal = board.diagonal(us) & pins.diagonal;
    let orthogonal = board.orthogonal(us) & pins.orthogonal;
    for from in diagonal | orthogonal {
        let role = if board.by_role(Role::Queen).has(from) {
            Role::Queen
        } else if diagonal.has(from) {
            Role::Bishop
        } else {
            Role::Rook
        };
        let along = if diagonal.has(from) {
            attacks::bishop(from, occupied) & pins.diagonal
        } else {
            attacks::rook(from, occupied) & pins.orthogonal
        };
        sink.piece(role, from, along & allowed);
    }
}

#[inline(always)]
fn pawns<Us: StaticColor, G: GenType, S: MoveSink<Us>>(
    board: &Board,
    resolving: Bitboard,
    pins: &Pins,
    sink: &mut S,
) {
    let us = Us::COLOR;
    let steps = pawn_steps(us);
    let pawns = board.pieces(us, Role::Pawn);
    let last_rank = Bitboard::rank(Rank::Eighth.relative(us));
    let empty = !board.occupied();

    // Pushes: a pawn pinned on a diagonal cannot move, and the push of a pawn pinned on a rank
    // leaves the pin line.
    let pushing = pawns & !pins.diagonal;
    let pinned = pushing & pins.orthogonal;
    let pushed = ((pushing ^ pinned).forward(us) | pinned.forward(us) & pins.orthogonal) & empty;
    if G::QUIET {
        let single = pushed & resolving;
        sink.pawns(single & !last_rank, steps.push);
        let double = (pushed & Bitboard::rank(Rank::Third.relative(us))).forward(us) & empty;
        sink.double_pushes(double & resolving, 2 * steps.push);
    }
    if G::NOISY {
        let promoting = pushed & resolving & last_rank;
        if promoting.any() {
            sink.promotions(promoting, steps.push);
        }

        let capturing = pawns & !pins.orthogonal;
        let pinned = capturing & pins.diagonal;
        let free = capturing ^ pinned;
        let targets = board.by_color(Us::Them::COLOR) & resolving;
        let east = free.forward(us).east() | pinned.forward(us).east() & pins.diagonal;
        let west = free.forward(us).west() | pinned.forward(us).west() & pins.diagonal;
        let (east, west) = (east & targets, west & targets);
        sink.pawns(east & !last_rank, steps.east);
        sink.pawns(west & !last_rank, steps.west);
        if ((east | west) & last_rank).any() {
            sink.promotions(east & last_rank, steps.east);
            sink.promotions(west & last_rank, steps.west);
        }
        if board.en_passant.any() {
            for mv in en_passant::<Us>(board).into_iter().flatten() {
                sink.en_passant(mv.from(), mv.to());
            }
        }
    }
}

/// The legal en passant captures, at most two. Two pawns leave the same rank at once, so pins are
/// not sufficient: this tests whether the king is attacked after the capture.
#[inline(always)]
pub(crate) fn en_passant<Us: StaticColor>(board: &Board) -> [Option<Move>; 2] {
    let them = Us::Them::COLOR;
    let to = board.en_passant.lowest();
    let victim = board.en_passant.forward(them);
    let king = board.king(Us::COLOR);
    let mut capturers = attacks::pawn(to, them) & board.pieces(Us::COLOR, Role::Pawn);
    let mut found = [None; 2];
    for slot in &mut found {
        let Some(from) = capturers.first() else { break };
        capturers = capturers.without_lowest();
        let occupied = (board.occupied() ^ Bitboard::of(from) ^ victim) | board.en_passant;
        let attackers = attacks::rook(king, occupied) & board.orthogonal(them)
            | attacks::bishop(king, occupied) & board.diagonal(them)
            | attacks::knight(king) & board.pieces(them, Role::Knight)
            | attacks::pawn(king, Us::COLOR) & board.pieces(them, Role::Pawn) & !victim;
        if attackers.is_empty() {
            *slot = Some(Move::en_passant(from, to));
        }
    }
    found
}

/// The en passant square of a board if `Us` can capture on it.
#[cold]
pub(crate) fn legal_en_passant<Us: StaticColor>(board: &Board) -> Bitboard {
    let captures = en_passant::<Us>(board);
    if board.en_passant.any() && captures.iter().any(Option::is_some) {
        board.en_passant
    } else {
        Bitboard::EMPTY
    }
}

/// The castling move of `Us` to `side`, if its conditions hold; `castling_report` says which fail.
#[inline(always)]
pub(crate) fn castling<Us: StaticColor>(
    board: &Board,
    side: CastlingSide,
    checkers: Bitboard,
) -> Option<Move> {
    let color = Us::COLOR;
    let king = board.king(color);
    // 1. The right. It implies that king and rook are at home (2 and 3): a right is granted only
    // then, and revoked when either leaves.
    let rook = board.castling.rook(color, side, king)?;
    // 4. Every square that either piece crosses or lands on is empty, apart from the two pieces.
    let path = CastlingPath::new(color, side, king, rook);
    let others = board.occupied() & !(Bitboard::of(king) | Bitboard::of(rook));
    // 5. The king is not in check.
    if (path.all() & others).any() || checkers.any() {
        return None;
    }
    // 6. No square the king crosses or lands on is attacked.
    let attacked = |square: Square| {
        let occupied = path.occupied_with_king_on(square, board.occupied());
        board.is_attacked::<Us>(square, occupied)
    };
    let is_safe = !path.king.into_iter().any(attacked);
    is_safe.then_some(Move::castling(king, rook))
}
