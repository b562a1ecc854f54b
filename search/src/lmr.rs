//! Late-move reductions: the later a move in a good ordering, the shallower it is searched
//! first. A sum of named terms, in 1/1024 ply.

use crate::node::Node;
use crate::params::reduction as numbers;
use crate::worker::Worker;

/// A whole ply.
pub(crate) const PLY: i32 = 1024;

/// What a reduction looks at in a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Its number in the order tried, from 1.
    pub(crate) number: i32,
    pub(crate) noisy: bool,
    pub(crate) gives_check: bool,
    pub(crate) killer: bool,
    pub(crate) history: i32,
}

/// `log2` in 1/1024, by its integer part and a linear rest: smooth enough here.
fn log2(value: i32) -> i32 {
    let value = value.max(1);
    let whole = value.ilog2() as i32;
    whole * 1024 + ((value - (1 << whole)) << 10 >> whole)
}

/// The part that depth and order alone decide.
pub(crate) fn base(depth: i32, number: i32, noisy: bool) -> i32 {
    let product = log2(depth) * log2(number) / 1024;
    let full = numbers::base() + product * numbers::slope() / 1024;
    if noisy {
        full * numbers::noisy_percent() / 100
    } else {
        full
    }
}

/// The whole reduction, in 1/1024 ply.
pub(crate) fn amount(worker: &Worker<'_>, node: &Node<'_>, facts: Facts) -> i32 {
    if numbers::enabled() == 0 {
        return 0;
    }
    let when = |holds: bool, amount: i32| if holds { amount } else { 0 };
    let divisor = if facts.noisy {
        numbers::noisy_history_divisor()
    } else {
        numbers::history_divisor()
    };
    base(node.depth, facts.number, facts.noisy)
        + when(!node.pv, numbers::not_pv())
        + when(node.cut, numbers::cut_node())
        + when(!node.improving, numbers::not_improving())
        + when(node.table_noisy() && !facts.noisy, numbers::table_noisy())
        + when(
            worker.stack.at(node.ply + 1).cutoffs > numbers::many_cutoffs().unsigned_abs(),
            numbers::cutoffs(),
        )
        - when(node.table_pv, numbers::table_pv())
        - when(facts.gives_check, numbers::check())
        - when(facts.killer, numbers::killer())
        - facts.history / divisor
}
