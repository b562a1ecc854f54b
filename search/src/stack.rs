//! The search stack: what a search remembers about each ply of the current line.

use crate::history::MoveContext;
use crate::history::continuation::{CONTINUATION_PLIES, ContinuationContext, PieceTo};
use crate::history::keys::PieceKeys;
use crate::score::MAX_PLY;
use movegen::{Move, Position, engine};
use std::mem;

/// The entry of a ply.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StackEntry {
    /// The keys of the position of this ply.
    pub(crate) keys: PieceKeys,
    /// The side to move is in check.
    pub(crate) in_check: bool,
    /// The value of the evaluator, once it is known.
    pub(crate) raw_eval: Option<i16>,
    /// The corrected static evaluation; none in check.
    pub(crate) eval: Option<i32>,
    /// The move being searched; none for a null move.
    pub(crate) mv: Option<Move>,
    pub(crate) piece_to: Option<PieceTo>,
    /// The move a singular search leaves out.
    pub(crate) excluded: Option<Move>,
    /// Killer move: a quiet move that refuted a sibling.
    pub(crate) killer: Option<Move>,
    /// The number of nodes of this ply that failed high since the node two plies above was entered.
    pub(crate) cutoffs: u32,
    /// Double and triple extensions on the way here.
    pub(crate) double_extensions: i32,
    /// The late move reduction of the move being searched, in plies.
    pub(crate) reduction: i32,
}

impl StackEntry {
    /// Begins the ply of a position, which has these keys.
    #[inline]
    pub(crate) fn enter(&mut self, keys: PieceKeys, position: &Position) {
        self.keys = keys;
        self.in_check = position.in_check();
        self.raw_eval = None;
    }
}

#[derive(Debug)]
pub(crate) struct Stack(Box<[StackEntry; ENTRIES]>);

/// More than the number of plies, so that a node can write to its descendants' entries; a power of
/// two, so that indices are cheap to keep in range.
const ENTRIES: usize = MAX_PLY.next_power_of_two();
const _: () = assert!(ENTRIES >= MAX_PLY + 4);

impl Stack {
    pub(crate) fn new() -> Self {
        Self(Box::new([StackEntry::default(); ENTRIES]))
    }

    #[inline]
    pub(crate) fn at(&self, ply: usize) -> &StackEntry {
        &self.0[ply % ENTRIES]
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ply % ENTRIES]
    }

    /// Enters a node, whose static evaluation this is: everything a node inherits from its parent
    /// or resets for its descendants is written here. Returns the reduction of the move that led
    /// here, zero if the same node is searched again.
    pub(crate) fn begin_node(&mut self, ply: usize, eval: Option<i32>) -> i32 {
        let (double_extensions, reduction) = match ply.checked_sub(1) {
            Some(parent) => {
                let parent = self.at_mut(parent);
                (parent.double_extensions, mem::take(&mut parent.reduction))
            }
            None => (0, 0),
        };
        let entry = self.at_mut(ply);
        entry.eval = eval;
        entry.double_extensions = double_extensions;
        self.at_mut(ply + 1).killer = None;
        self.at_mut(ply + 2).cutoffs = 0;
        reduction
    }

    /// The entry `plies` earlier, if the line is that long.
    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> Option<&StackEntry> {
        ply.checked_sub(plies).map(|earlier| self.at(earlier))
    }

    #[inline]
    fn piece_to(&self, ply: usize, plies: usize) -> Option<PieceTo> {
        self.before(ply, plies).and_then(|entry| entry.piece_to)
    }

    /// The context in which the moves of a node are ordered.
    #[inline]
    pub(crate) fn move_context(
        &self,
        ply: usize,
        position: &Position,
        killer: Option<Move>,
    ) -> MoveContext {
        MoveContext {
            threats: engine::threats(position),
            check_squares: engine::check_squares(position),
            keys: self.at(ply).keys,
            continuation: self.continuation(ply),
            killer,
        }
    }

    /// The moves that led to this ply, for the continuation history.
    #[inline]
    pub(crate) fn continuation(&self, ply: usize) -> ContinuationContext {
        ContinuationContext::new(CONTINUATION_PLIES.map(|(plies, _)| self.piece_to(ply, plies)))
    }

    /// The last two moves, the last one first, for the correction history.
    #[inline]
    pub(crate) fn last_moves(&self, ply: usize) -> [Option<PieceTo>; 2] {
        [self.piece_to(ply, 1), self.piece_to(ply, 2)]
    }
}
