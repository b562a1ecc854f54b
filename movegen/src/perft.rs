//! Perft: counting the leaves of the tree of legal moves.
//!
//! The last ply is counted in bulk, and the plies above make each move on a bare `Board` as the
//! generator finds it. On x86-64 the whole recursion is compiled twice, once for processors with
//! PEXT and POPCNT; the choice is made once, at the root.

use crate::attacks::sliders::{Magic, SliderLookup};
use crate::bitboard::Bitboard;
use crate::board::{Board, CheckInfo};
use crate::movegen::{All, MoveCounter, MoveSink, generate};
use crate::moves::Move;
use crate::piece::{Black, Color, Role, StaticColor, White};
use crate::position::Position;
use crate::square::Square;
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of leaves `depth` plies below a position.
///
/// ```
/// use movegen::{Position, perft};
///
/// assert_eq!(perft(&Position::default(), 4), 197_281);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = crate::attacks::sliders::Pext::detect() {
        return perft_with(pext, position, depth);
    }
    perft_with(Magic, position, depth)
}

/// Bounds the recursion. Deeper trees end by themselves or cannot be counted anyway.
const MAX_DEPTH: u32 = 100;

/// Plies counted without reading the stop flag.
const UNINTERRUPTED: u32 = 4;

/// The root moves in generation order, each with the number of leaves below it; `None` when
/// `stop` is set before the end.
///
/// Runs on the threads of rayon's current pool, without the `rayon` feature on the caller's. The tree is split two plies deep, since the root
/// moves alone are too few and too unequal to balance.
///
/// ```
/// use movegen::{Position, divide};
/// use std::sync::atomic::AtomicBool;
///
/// let stop = AtomicBool::new(false);
/// let moves = divide(&Position::default(), 3, &stop).unwrap();
/// assert_eq!(moves.len(), 20);
/// assert_eq!(moves.iter().map(|(_, leaves)| leaves).sum::<u64>(), 8_902);
/// ```
#[must_use]
pub fn divide(position: &Position, depth: u32, stop: &AtomicBool) -> Option<Vec<(Move, u64)>> {
    let Some(below) = depth.min(MAX_DEPTH).checked_sub(1) else {
        return Some(Vec::new());
    };
    let moves = position.legal_moves();
    #[cfg(feature = "rayon")]
    let moves = moves.par_iter();
    #[cfg(not(feature = "rayon"))]
    let moves = moves.iter();
    moves
        .map(|&mv| {
            let child = position.play_unchecked(mv);
            Some((mv, stoppable_perft(&child, below, true, stop)?))
        })
        .collect()
}

/// `perft` that can be stopped; `split` distributes the moves over the threads.
fn stoppable_perft(position: &Position, depth: u32, split: bool, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= 1 || (depth <= UNINTERRUPTED && !split) {
        return Some(perft(position, depth));
    }
    let moves = position.legal_moves();
    let below = |&mv: &Move| stoppable_perft(&position.play_unchecked(mv), depth - 1, false, stop);
    #[cfg(feature = "rayon")]
    if split {
        return moves.par_iter().map(below).sum();
    }
    moves.iter().map(below).sum()
}

fn perft_with<P: Processor>(processor: P, position: &Position, depth: u32) -> u64 {
    match position.side_to_move() {
        Color::White => processor.leaves::<White>(&position.board, depth),
        Color::Black => processor.leaves::<Black>(&position.board, depth),
    }
}

/// A slider lookup with the instruction set that the recursion is compiled for.
trait Processor: SliderLookup {
    fn leaves<Us: StaticColor>(self, board: &Board, depth: u32) -> u64;
}

impl Processor for Magic {
    fn leaves<Us: StaticColor>(self, board: &Board, depth: u32) -> u64 {
        count_leaves::<Us, Self>(self, board, depth)
    }
}

#[cfg(target_arch = "x86_64")]
mod bmi {
    use super::{Board, Processor, StaticColor, count_leaves};
    use crate::attacks::sliders::Pext;

    impl Processor for Pext {
        #[inline(always)]
        fn leaves<Us: StaticColor>(self, board: &Board, depth: u32) -> u64 {
            // SAFETY: a `Pext` exists only if `detect` found these instructions.
            unsafe { leaves::<Us>(self, board, depth) }
        }
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
    fn leaves<Us: StaticColor>(pext: Pext, board: &Board, depth: u32) -> u64 {
        count_leaves::<Us, Pext>(pext, board, depth)
    }
}

#[inline(always)]
fn count_leaves<Us: StaticColor, P: Processor>(processor: P, board: &Board, depth: u32) -> u64 {
    let checks = CheckInfo::find::<Us, P>(board, processor);
    if depth <= 1 {
        let mut counter = MoveCounter::default();
        generate::<Us, All, P, MoveCounter>(board, &checks, processor, &mut counter);
        return u64::from(counter.0);
    }
    let mut counter = LeafCounter {
        processor,
        board,
        depth: depth - 1,
        leaves: 0,
    };
    generate::<Us, All, P, LeafCounter<'_, P>>(board, &checks, processor, &mut counter);
    counter.leaves
}

/// Makes every generated move and counts the leaves below it.
struct LeafCounter<'a, P> {
    processor: P,
    board: &'a Board,
    depth: u32,
    leaves: u64,
}

impl<P: Processor> LeafCounter<'_, P> {
    #[inline(always)]
    fn count_below<Us: StaticColor>(&mut self, make: impl FnOnce(&mut Board)) {
        let mut child = *self.board;
        make(&mut child);
        self.leaves += self.processor.leaves::<Us::Them>(&child, self.depth);
    }
}

impl<Us: StaticColor, P: Processor> MoveSink<Us> for LeafCounter<'_, P> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        for to in to {
            self.count_below::<Us>(|board| board.move_piece::<Us>(role, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.count_below::<Us>(|board| {
                board.move_piece::<Us>(Role::Pawn, to.offset(-step), to);
            });
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.count_below::<Us>(|board| board.double_push::<Us>(to.offset(-step), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in Role::PROMOTIONS {
                self.count_below::<Us>(|board| board.promote::<Us>(role, to.offset(-step), to));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.count_below::<Us>(|board| board.en_passant::<Us>(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, mv: Move) {
        self.count_below::<Us>(|board| board.castle::<Us>(mv.from(), mv.to()));
    }
}
