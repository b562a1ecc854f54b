//! Counting the leaves of the tree of legal moves.
//!
//! The last ply is counted without writing moves down, and the plies above play each move
//! on a bare `Board` as the generator finds it. The whole recursion is compiled twice on x86-64,
//! once for processors with PEXT and POPCNT; which one runs is decided once, at the root.

use crate::attacks::sliders::{Lookup, Magic};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::checks::Checks;
use crate::color::{Black, Color, Side, White};
use crate::movegen::{All, Counter, Sink, generate};
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of leaves `depth` plies below a position.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = crate::attacks::sliders::Pext::detect() {
        return on_turn(pext, position, depth);
    }
    on_turn(Magic, position, depth)
}

/// Deeper trees cannot be counted anyway; the limit bounds the recursion where moves run out early.
const MAX_DEPTH: u32 = 100;

/// Plies counted without reading the stop flag.
const UNINTERRUPTED: u32 = 4;

/// The root moves in generation order, each with the number of leaves below it; `None` when
/// `stop` is set before the end.
///
/// Runs on the threads of rayon's current pool. The tree is split two plies deep, since the root
/// moves alone are too few and too unequal to balance.
#[must_use]
pub fn divide(position: &Position, depth: u32, stop: &AtomicBool) -> Option<Vec<(Move, u64)>> {
    let Some(below) = depth.min(MAX_DEPTH).checked_sub(1) else {
        return Some(Vec::new());
    };
    position
        .legal_moves()
        .par_iter()
        .map(|&mv| {
            let child = position.play_unchecked(mv);
            Some((mv, leaves(&child, below, true, stop)?))
        })
        .collect()
}

/// `perft` that can be stopped; `split` shares the moves out among the threads.
fn leaves(position: &Position, depth: u32, split: bool, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= 1 || (depth <= UNINTERRUPTED && !split) {
        return Some(perft(position, depth));
    }
    let moves = position.legal_moves();
    let below = |&mv: &Move| leaves(&position.play_unchecked(mv), depth - 1, false, stop);
    if split {
        moves.par_iter().map(below).sum()
    } else {
        moves.iter().map(below).sum()
    }
}

fn on_turn<P: Processor>(processor: P, position: &Position, depth: u32) -> u64 {
    match position.side_to_move() {
        Color::White => processor.count::<White>(position.board(), depth),
        Color::Black => processor.count::<Black>(position.board(), depth),
    }
}

/// A lookup that also says which instructions the recursion may be compiled with.
trait Processor: Lookup {
    fn count<Us: Side>(self, board: &Board, depth: u32) -> u64;
}

impl Processor for Magic {
    fn count<Us: Side>(self, board: &Board, depth: u32) -> u64 {
        count_here::<Us, Self>(self, board, depth)
    }
}

#[cfg(target_arch = "x86_64")]
mod bmi {
    use super::{Board, Processor, Side, count_here};
    use crate::attacks::sliders::Pext;

    impl Processor for Pext {
        #[inline(always)]
        fn count<Us: Side>(self, board: &Board, depth: u32) -> u64 {
            // SAFETY: a `Pext` exists only where these instructions were found.
            unsafe { count::<Us>(self, board, depth) }
        }
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
    fn count<Us: Side>(pext: Pext, board: &Board, depth: u32) -> u64 {
        count_here::<Us, Pext>(pext, board, depth)
    }
}

#[inline(always)]
fn count_here<Us: Side, P: Processor>(processor: P, board: &Board, depth: u32) -> u64 {
    let checks = Checks::find::<Us, P>(board, processor);
    if depth <= 1 {
        let mut counter = Counter::default();
        generate::<Us, All, P, Counter>(board, &checks, processor, &mut counter);
        return u64::from(counter.0);
    }
    let mut walker = Walker {
        processor,
        board,
        depth: depth - 1,
        leaves: 0,
    };
    generate::<Us, All, P, Walker<'_, P>>(board, &checks, processor, &mut walker);
    walker.leaves
}

/// Plays every generated move and counts below it.
struct Walker<'a, P> {
    processor: P,
    board: &'a Board,
    depth: u32,
    leaves: u64,
}

impl<P: Processor> Walker<'_, P> {
    #[inline(always)]
    fn walk<Us: Side>(&mut self, play: impl FnOnce(&mut Board)) {
        let mut child = *self.board;
        play(&mut child);
        self.leaves += self.processor.count::<Us::Them>(&child, self.depth);
    }
}

impl<Us: Side, P: Processor> Sink<Us> for Walker<'_, P> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        for to in to {
            self.walk::<Us>(|board| board.go::<Us>(role, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.walk::<Us>(|board| board.go::<Us>(Role::Pawn, to.offset(-step), to));
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.walk::<Us>(|board| board.double_push::<Us>(to.offset(-step), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in Role::PROMOTIONS {
                self.walk::<Us>(|board| board.promote::<Us>(role, to.offset(-step), to));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.walk::<Us>(|board| board.take_in_passing::<Us>(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, mv: Move) {
        self.walk::<Us>(|board| board.castle::<Us>(mv.from(), mv.to()));
    }
}
