//! Late move reductions (LMR): the later a move in a good ordering, the shallower it is
//! searched first. A sum of named terms, in 1/1024 ply.

use crate::node::Node;
use crate::params::late_move_reduction as numbers;
use crate::thread::Worker;

/// A whole ply.
pub(crate) const PLY: i32 = 1024;

/// The facts about a move that decide how deep it is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveInfo {
    /// Its number in the order tried, from 1.
    pub(crate) number: i32,
    pub(crate) noisy: bool,
    pub(crate) gives_check: bool,
    pub(crate) killer: bool,
    /// The history score.
    pub(crate) history: i32,
    /// The extension in plies; negative for a reduction.
    pub(crate) extension: i32,
}

/// `log2` in 1/1024: the integer part, and a linear approximation of the rest.
fn log2(value: i32) -> i32 {
    let value = value.max(1);
    let whole = value.ilog2() as i32;
    whole * 1024 + ((value - (1 << whole)) << 10 >> whole)
}

/// The part of the reduction that depends on depth and move number alone.
pub(crate) fn base(depth: i32, number: i32, noisy: bool) -> i32 {
    let product = log2(depth) * log2(number) / 1024;
    let full = numbers::base() + product * numbers::slope() / 1024;
    if noisy {
        full * numbers::noisy_percent() / 100
    } else {
        full
    }
}

/// The whole reduction of a move at a node that is searched to `depth`.
pub(crate) fn reduction(worker: &Worker<'_>, node: &Node<'_>, depth: i32, mv: MoveInfo) -> i32 {
    if numbers::enabled() == 0 {
        return 0;
    }
    let when = |holds: bool, amount: i32| if holds { amount } else { 0 };
    let many_cutoffs =
        worker.stack.at(node.ply + 1).cutoffs > numbers::many_cutoffs().unsigned_abs();
    let history_divisor = if mv.noisy {
        numbers::noisy_history_divisor()
    } else {
        numbers::history_divisor()
    };
    base(depth, mv.number, mv.noisy)
        + when(!node.pv, numbers::non_pv())
        + when(node.cut_node, numbers::cut_node())
        + when(!node.improving, numbers::not_improving())
        + when(node.tt_move_is_noisy() && !mv.noisy, numbers::tt_noisy())
        + when(many_cutoffs, numbers::cutoffs())
        - when(node.tt_pv, numbers::tt_pv())
        - when(mv.gives_check, numbers::check())
        - when(mv.killer, numbers::killer())
        - mv.history / history_divisor
}
