//! The alpha-beta search of a node (negamax, principal variation search): a table of contents.
//! Each step's conditions and reasons are in the file of its name.

mod null_move;
mod probcut;
mod singular;
mod tablebases;
#[cfg(test)]
mod tests;

use crate::adjust_depth;
use crate::lmr::{self, MoveInfo, PLY};
use crate::movepick::{MovePicker, QuietChecks};
use crate::node::Node;
use crate::params::late_move_reduction;
use crate::pruning;
use crate::qsearch::qsearch;
use crate::score::{Bound, MAX_PLY, Score};
use crate::thread::{Stopped, Worker};
use crate::tt::{TtWrite, key};
use crate::update::{self, TriedMoves};
use crate::window::{NodeType, NonPv, Pv, Root, Window};
use movegen::{Position, engine};
use singular::Singular;
use tablebases::Probe;

/// Searches the root position.
pub(crate) fn search_root(
    worker: &mut Worker<'_>,
    window: Window,
    depth: i32,
) -> Result<Score, Stopped> {
    let root = worker.root;
    negamax::<Root>(worker, &root, window, depth, 0, false)
}

/// Returns the value of a position searched `depth` plies deep.
///
/// There is one depth: steps 7, 9 and 15 adjust it, and every technique uses it as it is then.
fn negamax<NT: NodeType>(
    worker: &mut Worker<'_>,
    position: &Position,
    mut window: Window,
    mut depth: i32,
    ply: usize,
    cut_node: bool,
) -> Result<Score, Stopped> {
    // 1. Quiescence search at the horizon.
    if depth <= 0 || ply >= MAX_PLY - 1 {
        return qsearch::<NT>(worker, position, window, ply, QuietChecks::With);
    }
    let excluded = worker.stack.at(ply).excluded;

    // 2. Count the node and check the limits; a singular search is part of its node.
    if excluded.is_none() {
        worker.enter(ply)?;
    }

    // 3. Draws, mate-distance pruning, upcoming repetition.
    if !NT::ROOT {
        if let Some(score) = worker.key_stack.draw_score(position, ply) {
            return Ok(score);
        }
        window = window.mate_distance(ply);
        if window.alpha < Score::DRAW && worker.key_stack.upcoming_repetition(position, ply) {
            window.alpha = Score::DRAW;
        }
        if window.is_empty() {
            return Ok(window.alpha);
        }
    }

    // 4. Transposition table (TT) cutoff.
    let tt_entry = worker
        .shared
        .tt
        .probe(key(position))
        .filter(|_| excluded.is_none());
    if !NT::PV
        && let Some(score) = pruning::tt_cutoff(position, tt_entry, window, depth, ply, cut_node)
    {
        return Ok(score);
    }

    // 5. Endgame tablebases.
    let mut tb_bounds = Window::FULL;
    if excluded.is_none() {
        tb_bounds = match tablebases::probe::<NT>(worker, position, window, depth, ply) {
            Probe::Cutoff(score) => return Ok(score),
            Probe::Within(bounds) => bounds,
        };
        window.alpha = window.alpha.max(tb_bounds.alpha);
    }

    // 6. Static evaluation; the search stack; the facts of the node, which do not change after it.
    worker.prefetch_children(position, tt_entry, cut_node);
    let static_eval = worker.static_eval(position, ply, tt_entry);
    let corrected = static_eval.map(|eval| eval.corrected);
    let parent_reduction = worker.stack.begin_node(ply, corrected);
    let stack = &*worker.stack;
    let node = &Node::new::<NT>(
        stack,
        position,
        window,
        ply,
        cut_node,
        tt_entry,
        static_eval,
    );
    let may_prune = !NT::PV && !node.in_check && excluded.is_none();

    // 7. Hindsight depth adjustment.
    depth += adjust_depth::hindsight(worker.stack, node, depth, parent_reduction);

    // 8. Reverse futility pruning, razoring, null-move pruning.
    if may_prune {
        if let Some(score) = pruning::reverse_futility(node, depth) {
            return Ok(score);
        }
        if let Some(score) = pruning::razoring(worker, node, depth)? {
            return Ok(score);
        }
        if let Some(score) = null_move::prune(worker, node, depth)? {
            return Ok(score);
        }
    }

    // 9. Internal iterative reduction.
    let iir = adjust_depth::internal_iterative_reduction(node, depth);
    depth -= iir;
    // Step 15 makes only the later moves shallower, not what the TT keeps.
    let stored_depth = depth;

    // 10. ProbCut.
    if may_prune && let Some(score) = probcut::prune(worker, node, depth)? {
        return Ok(score);
    }

    // 11. Search the moves.
    let context = worker.stack.move_context(ply, position, node.killer);
    let mut alpha = window.alpha;
    let mut best = tb_bounds.alpha;
    let mut best_move = None;
    let (mut quiets, mut noisies) = (TriedMoves::new(), TriedMoves::new());
    let mut tried = 0;
    let mut picker = MovePicker::all(node.tt_move, &context, worker.moves);
    while let Some(mv) = picker.next(position, worker.histories, worker.moves) {
        if Some(mv) == excluded || (NT::ROOT && !worker.root_moves.is_open(mv)) {
            continue;
        }
        tried += 1;
        worker.shared.tt.prefetch(engine::key_after(position, mv));
        let noisy = position.is_noisy(mv);
        let history = worker.histories.score(position, &context, mv, noisy);

        // 12. Pruning of moves. Not for a bare king: any of its few moves may be the only one.
        let may_skip = !NT::ROOT
            && depth > worker.shared.options.full_width_depth
            && position.by_color(position.side_to_move()).many();
        if may_skip && !best.is_loss() && best != Score::MINUS_INFINITE {
            if noisy {
                if pruning::see(position, mv, depth, true) {
                    continue;
                }
            } else {
                let reduction = lmr::base(depth, tried, false)
                    - history / late_move_reduction::pruning_history_divisor();
                let reduced = (depth - 1 - reduction / PLY).max(0);
                if pruning::late_move(node, depth, tried) {
                    picker.skip_quiets();
                    continue;
                }
                let direct_check = position
                    .role_on(mv.from())
                    .is_some_and(|role| context.check_squares[role.index()].has(mv.to()));
                if !direct_check {
                    if pruning::futility(node, alpha, reduced, history) {
                        picker.skip_quiets();
                        continue;
                    }
                    if pruning::history(reduced, history) {
                        continue;
                    }
                }
                if pruning::see(position, mv, reduced, false) {
                    continue;
                }
            }
        }

        // 13. Singular extensions, multi-cut.
        let extension = match singular::search(worker, node, depth, mv)? {
            Singular::Extend(plies) => plies,
            Singular::MultiCut(score) => {
                picker.finish(worker.moves);
                return Ok(score);
            }
        };
        let double_extension = i32::from(extension >= 2);

        // 14. Make the move and search it.
        if NT::ROOT && worker.index == 0 {
            worker.report_current_move(mv, tried);
        }
        let nodes_before = worker.nodes;
        worker.stack.at_mut(ply).double_extensions += double_extension;
        let mut child = *position;
        child.make_unchecked(mv);
        worker.record_move(position, &child, mv, ply);
        let info = MoveInfo {
            number: tried,
            noisy,
            gives_check: worker.stack.at(ply + 1).in_check,
            killer: node.killer == Some(mv),
            history,
            extension,
        };
        let open = Window { alpha, ..window };
        let score = search_move::<NT>(worker, node, &child, open, depth, best, info)?;
        worker.undo_move();
        worker.stack.at_mut(ply).double_extensions -= double_extension;
        if NT::ROOT {
            worker.record_root_move(mv, score, open, tried, nodes_before);
        }

        // 15. A new best move, a raised alpha, a beta cutoff.
        if score > best {
            best = score;
            if score > alpha {
                best_move = Some(mv);
                alpha = score;
                if NT::PV {
                    worker.pv.set(ply, mv);
                }
                if score >= window.beta {
                    break;
                }
                depth -= adjust_depth::after_raised_alpha(depth, score);
            }
        }
        let list = if noisy { &mut noisies } else { &mut quiets };
        let _ = list.try_push(mv);
    }
    picker.finish(worker.moves);

    // 16. Checkmate and stalemate; or a singular search without other moves.
    if tried == 0 {
        return Ok(match (excluded, node.in_check) {
            (Some(_), _) => window.alpha,
            (None, true) => Score::mated_in(ply),
            (None, false) => Score::DRAW,
        });
    }

    // 17. Update the histories and the transposition table. The histories also count the ply that
    //     internal iterative reduction took.
    let bonus_depth = stored_depth + iir;
    best = best.min(tb_bounds.beta);
    let bound = window.bound_of::<NT>(best, best_move.is_some());
    if bound == Bound::Lower {
        worker.stack.at_mut(ply).cutoffs += 1;
        if let Some(mv) = best_move {
            update::cutoff(worker, node, bonus_depth, &context, mv, &quiets, &noisies);
        }
    }
    if excluded.is_none() {
        let known = if NT::ROOT {
            worker.root_moves.bound_of_position(bound)
        } else {
            Some(bound)
        };
        if let Some(bound) = known {
            let write = TtWrite {
                mv: best_move,
                score: best,
                eval: node.static_eval.map(|eval| eval.raw),
                depth: stored_depth,
                bound,
                pv: node.tt_pv,
            };
            worker.shared.tt.store(key(position), ply, write);
        }
        update::correction(worker, node, bonus_depth, best_move, best, bound);
    }
    Ok(best)
}

/// Principal variation search (PVS) of a move that leads to `child`: late moves are first
/// searched with a null window at reduced depth (LMR); those that beat alpha again at full
/// depth, and in PV nodes with the full window.
fn search_move<NT: NodeType>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    child: &Position,
    window: Window,
    depth: i32,
    best: Score,
    info: MoveInfo,
) -> Result<Score, Stopped> {
    const LMR_DEPTH: i32 = 2;
    let null_window = Window::null(window.alpha + 1).flipped();
    let ply = node.ply + 1;
    let mut new_depth = depth - 1 + info.extension;
    let mut score = Score::MINUS_INFINITE;
    let first = info.number == 1;
    let late = info.number > 1 + i32::from(NT::ROOT);
    if depth >= LMR_DEPTH && late {
        let reduction = lmr::reduction(worker, node, depth, info) / PLY;
        let reduced = (new_depth - reduction).clamp(1, new_depth.max(1) + i32::from(node.pv));
        worker.stack.at_mut(node.ply).reduction = reduction;
        score = -negamax::<NonPv>(worker, child, null_window, reduced, ply, true)?;
        worker.stack.at_mut(node.ply).reduction = 0;
        if score > window.alpha && reduced < new_depth {
            // Clearly better than the best move: deeper. Hardly better: shallower.
            new_depth += i32::from(score > best + late_move_reduction::deeper());
            new_depth -= i32::from(score < best + late_move_reduction::shallower());
            if new_depth > reduced {
                let cut_node = !node.cut_node;
                score = -negamax::<NonPv>(worker, child, null_window, new_depth, ply, cut_node)?;
                if !info.noisy {
                    update::re_searched(worker, node, window, score, new_depth);
                }
            }
        }
    } else if !NT::PV || !first {
        let cut_node = !node.cut_node;
        score = -negamax::<NonPv>(worker, child, null_window, new_depth, ply, cut_node)?;
    }
    if NT::PV && (first || score > window.alpha) {
        score = -negamax::<Pv>(worker, child, window.flipped(), new_depth, ply, false)?;
    }
    Ok(score)
}
