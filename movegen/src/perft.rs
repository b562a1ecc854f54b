//! Perft: counting the leaves of the tree of legal moves.
//!
//! The last ply is counted in bulk, and the plies above make each move on a bare `Board` as the
//! generator finds it. On x86-64 the whole recursion is compiled twice, once for processors with
//! AVX2; the root chooses.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::generate::{All, MoveSink, generate};
use crate::moves::Move;
use crate::piece::{Black, Color, Role, StaticColor, White};
use crate::piece_moves::{PieceMoves, Sets};
use crate::position::Position;
use crate::square::Square;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// The number of leaves `depth` plies below a position.
///
/// ```
/// use movegen::{Position, perft};
///
/// assert_eq!(perft(&Position::default(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::Avx2::detect() {
        return perft_on(avx2, position, depth);
    }
    perft_on(Baseline, position, depth)
}

/// Bounds the recursion. No deeper tree could be counted anyway.
const MAX_DEPTH: u32 = 100;

/// The depth of subtrees that are counted without polling the stop flag.
const UNINTERRUPTED: u32 = 4;

/// The root moves in generation order, each with the number of leaves below it; `None` when
/// `stop` is set before the end.
///
/// With the `rayon` feature, runs on the threads of rayon's current pool; otherwise on the caller's
/// thread. The tree is split two plies deep, since the root moves alone are too few and too unequal
/// to balance the load.
///
/// ```
/// use movegen::Position;
/// use movegen::engine::divide;
/// use core::sync::atomic::AtomicBool;
///
/// let stop = AtomicBool::new(false);
/// let moves = divide(&Position::default(), 3, &stop).unwrap();
/// assert_eq!(moves.len(), 20);
/// assert_eq!(moves.iter().map(|(_, leaves)| leaves).sum::<u64>(), 8_902);
/// ```
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

fn perft_on<P: Processor>(processor: P, position: &Position, depth: u32) -> u64 {
    match position.side_to_move() {
        Color::White => processor.leaves::<White>(&position.board, depth),
        Color::Black => processor.leaves::<Black>(&position.board, depth),
    }
}

impl Position {
    /// The number of legal moves.
    ///
    /// ```
    /// use movegen::Position;
    ///
    /// assert_eq!(Position::default().count_moves(), 20);
    /// ```
    #[must_use]
    pub fn count_moves(&self) -> u32 {
        perft(self, 1) as u32
    }

    /// The number of replies to the moves of a set, counted without making the positions after
    /// them.
    ///
    /// ```
    /// use movegen::{All, Position};
    ///
    /// let start = Position::default();
    /// let mut leaves = 0;
    /// start.generate_moves::<All>(|moves| leaves += start.count_replies(moves));
    /// assert_eq!(leaves, 400);
    /// ```
    #[must_use]
    pub fn count_replies(&self, moves: PieceMoves) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = avx2::Avx2::detect() {
            return self.count_replies_on(avx2, moves);
        }
        self.count_replies_on(Baseline, moves)
    }

    fn count_replies_on<P: Processor>(&self, processor: P, moves: PieceMoves) -> u64 {
        match self.side_to_move {
            Color::White => processor.replies::<White>(&self.board, moves),
            Color::Black => processor.replies::<Black>(&self.board, moves),
        }
    }
}

/// The instruction set that the recursion is compiled for.
trait Processor: Copy {
    /// The squares attacked by orthogonal and diagonal sliders, given the occupied squares.
    fn sliders(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard;
    fn replies<Us: StaticColor>(self, board: &Board, moves: PieceMoves) -> u64;
    fn leaves<Us: StaticColor>(self, board: &Board, depth: u32) -> u64;
}

/// Any processor of the compilation target.
#[derive(Clone, Copy)]
struct Baseline;

impl Processor for Baseline {
    fn sliders(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
        attacks::sliders(orthogonal, diagonal, occupied)
    }

    fn replies<Us: StaticColor>(self, board: &Board, moves: PieceMoves) -> u64 {
        count_replies::<Us, Self>(self, board, moves)
    }

    fn leaves<Us: StaticColor>(self, board: &Board, depth: u32) -> u64 {
        count_leaves::<Us, Self>(self, board, depth)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{
        Bitboard, Board, PieceMoves, Processor, StaticColor, attacks, count_leaves, count_replies,
    };
    /// A processor with AVX2, POPCNT, LZCNT and BMI; exists only if this is one.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        #[cfg(feature = "std")]
        pub(super) fn detect() -> Option<Self> {
            let present = std::is_x86_feature_detected!("avx2")
                && std::is_x86_feature_detected!("bmi1")
                && std::is_x86_feature_detected!("bmi2")
                && std::is_x86_feature_detected!("popcnt")
                && std::is_x86_feature_detected!("lzcnt");
            present.then_some(Self(()))
        }

        /// Without `std` only the instructions for which the crate is compiled.
        #[cfg(not(feature = "std"))]
        pub(super) fn detect() -> Option<Self> {
            cfg!(all(
                target_feature = "avx2",
                target_feature = "bmi1",
                target_feature = "bmi2",
                target_feature = "popcnt",
                target_feature = "lzcnt"
            ))
            .then_some(Self(()))
        }
    }

    impl Processor for Avx2 {
        #[inline(always)]
        fn sliders(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
            // SAFETY: an `Avx2` exists only if `detect` found these instructions.
            unsafe { attacks::fill(orthogonal, diagonal, occupied) }
        }

        #[inline(always)]
        fn replies<Us: StaticColor>(self, board: &Board, moves: PieceMoves) -> u64 {
            // SAFETY: as above.
            unsafe { replies::<Us>(self, board, moves) }
        }

        #[inline(always)]
        fn leaves<Us: StaticColor>(self, board: &Board, depth: u32) -> u64 {
            // SAFETY: as above.
            unsafe { leaves::<Us>(self, board, depth) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn replies<Us: StaticColor>(avx2: Avx2, board: &Board, moves: PieceMoves) -> u64 {
        count_replies::<Us, Avx2>(avx2, board, moves)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn leaves<Us: StaticColor>(avx2: Avx2, board: &Board, depth: u32) -> u64 {
        count_leaves::<Us, Avx2>(avx2, board, depth)
    }
}

#[inline(always)]
fn king_danger<Us: StaticColor, P: Processor>(processor: P, board: &Board) -> Bitboard {
    board.king_danger::<Us>(|orthogonal, diagonal, occupied| {
        processor.sliders(orthogonal, diagonal, occupied)
    })
}

#[inline(always)]
fn count_replies<Us: StaticColor, P: Processor>(
    processor: P,
    board: &Board,
    moves: PieceMoves,
) -> u64 {
    let mut counter = LeafCounter {
        processor,
        board,
        depth: 1,
        leaves: 0,
    };
    moves.pass_to::<Us>(&mut counter);
    counter.leaves
}

#[inline(always)]
fn count_leaves<Us: StaticColor, P: Processor>(processor: P, board: &Board, depth: u32) -> u64 {
    let danger = || king_danger::<Us, P>(processor, board);
    if depth <= 1 {
        let mut count = 0;
        let mut sets = Sets(|moves: PieceMoves| count += moves.len() as u64);
        generate::<Us, All, _>(board, danger, &mut sets);
        return count;
    }
    let mut counter = LeafCounter {
        processor,
        board,
        depth: depth - 1,
        leaves: 0,
    };
    generate::<Us, All, LeafCounter<'_, P>>(board, danger, &mut counter);
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
