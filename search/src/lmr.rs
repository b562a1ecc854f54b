//! Late move reductions (LMR): the later a move in a good ordering, the shallower it is
//! searched first. A sum of named terms, in 1/1024 ply.

use crate::node::Node;
use crate::params::late_move_reduction;
use crate::thread::Worker;

/// A whole ply.
pub(crate) const PLY: i32 = 1024;

/// The facts about a move that decide how deep it is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveInfo {
    /// The number of the move in the order tried, from 1.
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
    let full = late_move_reduction::base() + product * late_move_reduction::slope() / 1024;
    if noisy {
        full * late_move_reduction::noisy_percent() / 100
    } else {
        full
    }
}

/// The whole reduction of a move at a node that is searched to `depth`.
pub(crate) fn reduction(worker: &Worker<'_>, node: &Node<'_>, depth: i32, mv: MoveInfo) -> i32 {
    let when = |holds: bool, amount: i32| if holds { amount } else { 0 };
    let many_cutoffs =
        worker.stack.at(node.ply + 1).cutoffs > late_move_reduction::many_cutoffs().unsigned_abs();
    let history_divisor = if mv.noisy {
        late_move_reduction::noisy_history_divisor()
    } else {
        late_move_reduction::history_divisor()
    };
    base(depth, mv.number, mv.noisy)
        + when(!node.pv, late_move_reduction::non_pv())
        + when(node.cut_node, late_move_reduction::cut_node())
        + when(!node.improving, late_move_reduction::not_improving())
        + when(
            node.tt_move_is_noisy() && !mv.noisy,
            late_move_reduction::tt_noisy(),
        )
        + when(many_cutoffs, late_move_reduction::cutoffs())
        + when(
            many_cutoffs && !node.pv && !node.cut_node,
            late_move_reduction::all_node_cutoffs(),
        )
        - when(node.tt_pv, late_move_reduction::tt_pv())
        - when(mv.gives_check, late_move_reduction::check())
        - when(mv.killer, late_move_reduction::killer())
        - mv.history / history_divisor
}
