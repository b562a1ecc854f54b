//! What another visit left in the table settles a node.
//!
//! Not where the exact value is wanted, nor when the fifty-move rule is near: the table knows
//! the clock only roughly.

use crate::score::Score;
use crate::tt::Hit;
use crate::window::Window;
use crate::worker::Worker;
use movegen::Position;

/// From this clock on the table is not believed.
const CLOCK_NEAR: u16 = 90;

/// The value that a visit at least as deep found, if it lies outside the window for certain.
pub(crate) fn value(
    worker: &Worker<'_>,
    position: &Position,
    hit: Option<Hit>,
    window: Window,
    depth: i32,
    ply: usize,
) -> Option<Score> {
    let hit = hit.filter(|hit| hit.depth >= depth)?;
    let score = Score::from_table(hit.score, ply, position.halfmove_clock());
    let settles = window.settled_by(hit.bound?, score)
        && position.halfmove_clock() < CLOCK_NEAR
        && (!worker.exhaustive || proven(score, window));
    settles.then_some(score)
}

/// A stored value that holds whatever was left out when it was found: a win for the side that
/// reached beta, or a loss for the one that stayed below alpha.
fn proven(score: Score, window: Window) -> bool {
    if score >= window.beta {
        score.is_win()
    } else {
        score.is_loss()
    }
}
