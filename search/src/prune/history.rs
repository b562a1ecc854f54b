//! History pruning: a quiet move that was bad wherever it was tried, at low depth.

use crate::params::history_pruning as numbers;

pub(crate) fn bad(depth: i32, history: i32) -> bool {
    numbers::enabled() != 0
        && depth <= numbers::depth()
        && history < -numbers::margin() * depth.max(1)
}
