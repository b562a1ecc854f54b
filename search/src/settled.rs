//! What another visit left in the table settles a node.
//!
//! Not where the exact value is wanted, nor when the fifty-move rule is near: the table knows
//! the clock only roughly.

use crate::score::Score;
use crate::tt::Hit;
use crate::window::Window;
use movegen::Position;

/// From this clock on the table is not believed.
const CLOCK_NEAR: u16 = 90;

/// The value that a visit at least as deep found, if it lies outside the window for certain.
pub(crate) fn value(
    position: &Position,
    hit: Option<Hit>,
    window: Window,
    depth: i32,
    ply: usize,
) -> Option<Score> {
    let hit = hit.filter(|hit| hit.depth >= depth)?;
    let score = hit.value(position, ply)?;
    let settles = window.settled_by(hit.bound?, score) && position.halfmove_clock() < CLOCK_NEAR;
    settles.then_some(score)
}
