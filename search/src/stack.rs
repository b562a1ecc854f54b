//! What a search remembers of each ply of the line it stands in.

use crate::history::continuation::{Arrival, Before, PLIES_BEFORE};
use crate::score::MAX_PLY;
use movegen::Move;

/// One ply's notes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    /// The corrected static evaluation; none in check.
    pub(crate) eval: Option<i32>,
    /// The move being tried here; none for a null move.
    pub(crate) mv: Option<Move>,
    pub(crate) arrival: Option<Arrival>,
    /// The move that a singular search leaves out.
    pub(crate) excluded: Option<Move>,
    /// A quiet move that refuted a sibling.
    pub(crate) killer: Option<Move>,
    /// How often children of this ply failed high.
    pub(crate) cutoffs: u32,
    /// Extensions by two plies or more on the way here.
    pub(crate) double_extensions: i32,
}

#[derive(Debug)]
pub(crate) struct Stack(Box<[Frame]>);

/// A few plies past the last, so that nothing asks for a frame that is not there.
const MARGIN: usize = 4;

impl Stack {
    pub(crate) fn new() -> Self {
        Self(vec![Frame::default(); MAX_PLY + MARGIN].into_boxed_slice())
    }

    #[inline]
    pub(crate) fn at(&self, ply: usize) -> &Frame {
        &self.0[ply]
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply]
    }

    /// The frame so many plies before, if the search's line is that long.
    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> Option<&Frame> {
        ply.checked_sub(plies).map(|earlier| &self.0[earlier])
    }

    /// The moves that led to this ply, for the continuation tables.
    #[inline]
    pub(crate) fn arrivals(&self, ply: usize) -> Before {
        Before::new(
            PLIES_BEFORE.map(|(plies, _)| self.before(ply, plies).and_then(|frame| frame.arrival)),
        )
    }
}
