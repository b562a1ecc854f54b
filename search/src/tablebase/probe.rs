//! Positions inside the tree that the endgame tables know: no search could tell better.
//!
//! Claims the value of a position right after a capture or pawn move, from the tables of who
//! wins. Must not apply at the root, where a move is wanted and `ranking` asks; nor when a move
//! is left out; nor with castling rights; nor while the fifty-move clock runs, which those
//! tables suppose at zero. A won or lost position may still hide a mate, so it is only bounded,
//! and principal nodes look on within the bounds. An old idea: engines did so with the first
//! tables there were.

use crate::score::{Bound, MAX_PLY, Score};
use crate::tablebase::Wdl;
use crate::tt::{TtWrite, key};
use crate::window::{NodeType, Window};
use crate::worker::Worker;
use movegen::Position;

/// What the tables let a node know of its value.
pub(crate) enum Verdict {
    Settled(Score),
    /// It lies within these; everything does when the tables say nothing.
    Within(Window),
}

/// How much deeper than the search here a verdict is worth to the table: no search undoes it.
const EXTRA_DEPTH: i32 = 6;

/// Without tables this is one comparison.
#[inline(always)]
pub(crate) fn ask<NT: NodeType>(
    worker: &mut Worker<'_>,
    position: &Position,
    window: Window,
    depth: i32,
    ply: usize,
) -> Verdict {
    if worker.tables.is_some()
        && !NT::ROOT
        && position.halfmove_clock() == 0
        && let Some(wdl) = look_up(worker, position, depth)
    {
        judge::<NT>(worker, position, wdl, window, depth, ply)
    } else {
        Verdict::Within(Window::FULL)
    }
}

#[inline(never)]
fn look_up(worker: &mut Worker<'_>, position: &Position, depth: i32) -> Option<Wdl> {
    let tables = worker.tables.filter(|tables| tables.covers(position))?;
    let largest = position.occupied().count() == tables.most_men;
    if largest && depth < tables.depth {
        return None;
    }
    let wdl = tables.wdl(position)?;
    worker.tablebase_hits += 1;
    Some(wdl)
}

#[inline(never)]
fn judge<NT: NodeType>(
    worker: &Worker<'_>,
    position: &Position,
    wdl: Wdl,
    window: Window,
    depth: i32,
    ply: usize,
) -> Verdict {
    let (score, bound) = match wdl {
        Wdl::Loss => (Score::table_loss(ply), Bound::Upper),
        Wdl::BlessedLoss => (-Score::CURSED_WIN, Bound::Exact),
        Wdl::Draw => (Score::DRAW, Bound::Exact),
        Wdl::CursedWin => (Score::CURSED_WIN, Bound::Exact),
        Wdl::Win => (Score::table_win(ply), Bound::Lower),
    };
    if bound == Bound::Exact || window.is_cut_by(bound, score) {
        let note = TtWrite {
            mv: None,
            score,
            eval: None,
            depth: (depth + EXTRA_DEPTH).min(MAX_PLY as i32 - 1),
            bound,
            pv: NT::PV,
        };
        worker.shared.table.store(key(position), ply, note);
        return Verdict::Settled(score);
    }
    Verdict::Within(match bound {
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
