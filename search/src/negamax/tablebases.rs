//! Tablebase probing inside the tree.
//!
//! Takes the value of a position right after a capture or pawn move from the WDL tables. Must not
//! apply at the root, where a move is needed and `root` probes; nor in a singular search; nor with
//! castling rights; nor with the halfmove clock above zero, which those tables do not know. A
//! won or lost position may still hold a mate, so its value is only a bound, and PV nodes search
//! on within the bounds.

use crate::score::{Bound, MAX_PLY, Score};
use crate::syzygy::Wdl;
use crate::thread::Worker;
use crate::tt::{TtWrite, key};
use crate::window::{NodeType, Window};
use movegen::Position;

/// The tablebases' verdict on a node.
pub(crate) enum Probe {
    Cutoff(Score),
    /// The value lies within these bounds; any value does when the tables say nothing.
    Within(Window),
}

/// The TT keeps a result as if it had been searched this much deeper: no search contradicts it.
const EXTRA_DEPTH: i32 = 6;

/// Without tablebases this is one comparison.
#[inline(always)]
pub(crate) fn probe<NT: NodeType>(
    worker: &mut Worker<'_>,
    position: &Position,
    window: Window,
    depth: i32,
    ply: usize,
) -> Probe {
    if worker.tablebases.is_some()
        && !NT::ROOT
        && position.halfmove_clock() == 0
        && let Some(wdl) = wdl(worker, position, depth)
    {
        bounded_by::<NT>(worker, position, wdl, window, depth, ply)
    } else {
        Probe::Within(Window::FULL)
    }
}

#[inline(never)]
fn wdl(worker: &mut Worker<'_>, position: &Position, depth: i32) -> Option<Wdl> {
    let prober = worker.tablebases.filter(|prober| prober.covers(position))?;
    let largest = position.occupied().count() == prober.max_pieces;
    if largest && depth < prober.depth {
        return None;
    }
    let wdl = prober.wdl(position)?;
    worker.tablebase_hits += 1;
    Some(wdl)
}

#[inline(never)]
fn bounded_by<NT: NodeType>(
    worker: &Worker<'_>,
    position: &Position,
    wdl: Wdl,
    window: Window,
    depth: i32,
    ply: usize,
) -> Probe {
    let (score, bound) = match wdl {
        Wdl::Loss => (Score::tablebase_loss(ply), Bound::Upper),
        Wdl::BlessedLoss => (-Score::CURSED_WIN, Bound::Exact),
        Wdl::Draw => (Score::DRAW, Bound::Exact),
        Wdl::CursedWin => (Score::CURSED_WIN, Bound::Exact),
        Wdl::Win => (Score::tablebase_win(ply), Bound::Lower),
    };
    if bound == Bound::Exact || window.is_cut_by(bound, score) {
        let write = TtWrite {
            mv: None,
            score,
            eval: None,
            depth: (depth + EXTRA_DEPTH).min(MAX_PLY as i32 - 1),
            bound,
            pv: NT::PV,
        };
        worker.shared.tt.store(key(position), ply, write);
        return Probe::Cutoff(score);
    }
    Probe::Within(match bound {
        Bound::Lower if NT::PV => Window {
            alpha: score,
            ..Window::FULL
        },
        Bound::Upper if NT::PV => Window {
            beta: score,
            ..Window::FULL
        },
        _ => Window::FULL,
    })
}
