//! The alpha-beta search of a node: a table of contents. What each step does, and when it must
//! not, stands in the file of its name.

use crate::history::continuation::Arrival;
use crate::lmr::{self, Facts, PLY};
use crate::movepick::MovePicker;
use crate::node::Node;
use crate::params::reduction;
use crate::qsearch::qsearch;
use crate::score::{Bound, MAX_PLY, Score};
use crate::settled;
use crate::singular::{self, Verdict};
use crate::tablebase::probe;
use crate::tt::{Note, key};
use crate::update::{self, Tried};
use crate::window::{Kind, Pv, Root, Scout, Window};
use crate::worker::Worker;
use crate::{draw, null_move, probcut, pruning};
use movegen::Position;

/// The value of a position, searched `depth` plies deep; `None` when the search is stopped.
pub(crate) fn negamax<K: Kind>(
    worker: &mut Worker<'_>,
    position: &Position,
    mut window: Window,
    depth: i32,
    ply: usize,
    cut: bool,
) -> Option<Score> {
    if depth <= 0 || ply >= MAX_PLY - 1 {
        return qsearch::<K>(worker, position, window, ply);
    }
    let excluded = worker.stack.at(ply).excluded;

    // 1. Stop? Drawn? Decided whatever comes?
    if excluded.is_none() {
        worker.enter(ply)?;
    }
    worker.lines.clear(ply);
    if !K::ROOT {
        if let Some(score) = draw::certain(worker, position, ply) {
            return Some(score);
        }
        window = window.within_mates(ply);
        if window.alpha < Score::DRAW && draw::can_repeat(worker, position, ply) {
            window.alpha = Score::DRAW;
        }
        if window.is_empty() {
            return Some(window.alpha);
        }
    }

    // 2. Has another visit settled it?
    let hit = worker
        .shared
        .table
        .probe(key(position))
        .filter(|_| excluded.is_none());
    if !K::PV
        && excluded.is_none()
        && let Some(score) = settled::value(position, hit, window, depth, ply)
    {
        return Some(score);
    }

    // 3. Do the endgame tables know?
    let mut known = Window::FULL;
    if excluded.is_none() {
        known = match probe::ask::<K>(worker, position, window, depth, ply) {
            probe::Verdict::Settled(score) => return Some(score),
            probe::Verdict::Within(bounds) => bounds,
        };
        window.alpha = window.alpha.max(known.alpha);
    }

    // 4. Look at it, and cut it short where the evaluation allows.
    let mut node = Node::look(worker, position, ply, depth, window, hit, (K::PV, cut));
    worker.stack.at_mut(ply).double_extensions = worker
        .stack
        .before(ply, 1)
        .map_or(0, |frame| frame.double_extensions);
    if !K::PV && !node.in_check && excluded.is_none() {
        if let Some(score) = pruning::reverse_futility(&node) {
            return Some(score);
        }
        if let Some(score) = pruning::razoring(worker, &node)? {
            return Some(score);
        }
        if let Some(score) = null_move::cut(worker, &node)? {
            return Some(score);
        }
    }
    node.depth -= node.reduced_for_ignorance();
    if !K::PV
        && !node.in_check
        && excluded.is_none()
        && let Some(score) = probcut::cut(worker, &node)?
    {
        return Some(score);
    }

    // 5. Try the moves.
    node.lookout.threats = position.threats();
    let mut best = known.alpha;
    let mut best_move = None;
    let (mut quiets, mut noisies) = (Tried::new(), Tried::new());
    let mut tried = 0;
    let mut picker = MovePicker::all(node.table_move, worker.moves);
    while let Some(mv) = picker.next(position, worker.histories, &node.lookout, worker.moves) {
        if Some(mv) == excluded || (K::ROOT && !worker.roots.open(mv)) {
            continue;
        }
        tried += 1;
        let noisy = position.is_noisy(mv);
        let arrival = Arrival::of(position, mv);
        let learnt = worker
            .histories
            .of(position, &node.lookout, mv, arrival, noisy);

        // 6. Not worth playing? Of a bare king's few moves any may be the only one.
        let prunes = !K::ROOT && position.side(position.side_to_move()).many();
        if prunes && !best.is_loss() && best != Score::MINUS_INFINITE {
            let reduced =
                lmr::base(node.depth, tried, noisy) - learnt / reduction::pruning_history_divisor();
            let shallow = (node.depth - 1 - reduced / PLY).max(0);
            if noisy {
                if pruning::bad_see(&node, mv, node.depth, true) {
                    continue;
                }
            } else {
                if pruning::late_move(&node, node.depth, tried) {
                    picker.skip_quiets();
                    continue;
                }
                if pruning::futile(&node, shallow, learnt) {
                    picker.skip_quiets();
                    continue;
                }
                if pruning::bad_history(shallow, learnt)
                    || pruning::bad_see(&node, mv, shallow, false)
                {
                    continue;
                }
            }
        }

        // 7. Worth more than one ply less?
        let extension = match singular::ask(worker, &node, mv)? {
            Verdict::Extend(plies) => plies,
            Verdict::MultiCut(score) => {
                picker.finish(worker.moves);
                return Some(score);
            }
        };
        if extension >= 2 {
            worker.stack.at_mut(ply).double_extensions += 1;
        }
        let full_depth = node.depth - 1 + extension;

        // 8. Play and search it: reduced, then in full, then for its exact value.
        if K::ROOT && worker.index == 0 {
            worker.announce(mv, tried);
        }
        let nodes_before = worker.nodes;
        let next = worker.play(position, mv, ply);
        let facts = Facts {
            number: tried,
            noisy,
            gives_check: next.in_check(),
            killer: node.lookout.killer == Some(mv),
            history: learnt,
        };
        let score = search_move::<K>(worker, &node, &next, full_depth, best, facts)?;
        worker.take_back();
        if extension >= 2 {
            worker.stack.at_mut(ply).double_extensions -= 1;
        }
        if K::ROOT {
            worker.record_root(mv, score, node.window, tried, nodes_before);
        }

        // 9. What did it come to?
        if score > best {
            best = score;
            if score > node.window.alpha {
                best_move = Some(mv);
                node.window.alpha = score;
                if K::PV {
                    worker.lines.set(ply, mv);
                }
                if score >= node.window.beta {
                    break;
                }
                // A better move at hand: the rest are less likely to matter.
                let middling = reduction::raised_alpha_from()..reduction::raised_alpha_below();
                if middling.contains(&node.depth) && !score.is_decisive() {
                    node.depth -= 1;
                }
            }
        }
        let list = if noisy { &mut noisies } else { &mut quiets };
        list.push(mv);
    }
    picker.finish(worker.moves);

    // 10. No move at all: mate, stalemate, or nothing besides the move left out.
    if tried == 0 {
        return Some(match (excluded, node.in_check) {
            (Some(_), _) => window.alpha,
            (None, true) => Score::mated_in(ply),
            (None, false) => Score::DRAW,
        });
    }

    // 11. Remember.
    node.depth = depth;
    best = best.min(known.beta);
    let failed_high = best >= window.beta;
    if failed_high {
        worker.stack.at_mut(ply).cutoffs += 1;
        if let Some(mv) = best_move {
            update::cutoff(worker, &node, mv, &quiets, &noisies);
        }
    }
    let bound = if failed_high {
        Bound::Lower
    } else if K::PV && best_move.is_some() {
        Bound::Exact
    } else {
        Bound::Upper
    };
    if excluded.is_none() {
        if !(K::ROOT && worker.roots.line > 0) {
            let note = Note {
                mv: best_move,
                score: best,
                eval: node.evaluation.map(|evaluation| evaluation.raw as i16),
                depth,
                bound: Some(bound),
                pv: node.table_pv,
            };
            worker.shared.table.store(key(position), ply, note);
        }
        update::correction(worker, &node, best_move, best, bound);
    }
    Some(best)
}

/// Late moves are asked at reduced depth whether they beat alpha; those that do are asked
/// again in full, and in principal nodes for their exact value.
fn search_move<K: Kind>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    next: &Position,
    full_depth: i32,
    best: Score,
    facts: Facts,
) -> Option<Score> {
    const FROM_DEPTH: i32 = 2;
    let window = node.window;
    let ply = node.ply + 1;
    let mut depth = full_depth;
    let mut score = Score::MINUS_INFINITE;
    let first = facts.number == 1;
    let late = facts.number > 1 + i32::from(K::ROOT);
    if node.depth >= FROM_DEPTH && late {
        let plies = lmr::amount(worker, node, facts) / PLY;
        let reduced = (depth - plies).clamp(1, depth.max(1) + i32::from(node.pv));
        score = -negamax::<Scout>(worker, next, window.scout(), reduced, ply, true)?;
        if score > window.alpha && reduced < depth {
            // So much better than the rest: deeper. Hardly better: not quite so deep.
            depth += i32::from(score > best + reduction::deeper());
            depth -= i32::from(score < best + reduction::shallower());
            if depth > reduced {
                score = -negamax::<Scout>(worker, next, window.scout(), depth, ply, !node.cut)?;
            }
        }
    } else if !K::PV || !first {
        score = -negamax::<Scout>(worker, next, window.scout(), depth, ply, !node.cut)?;
    }
    if K::PV && (first || score > window.alpha) {
        score = -negamax::<Pv>(worker, next, window.flipped(), depth, ply, false)?;
    }
    Some(score)
}

/// The search of the root.
pub(crate) fn search_root(worker: &mut Worker<'_>, window: Window, depth: i32) -> Option<Score> {
    let root = worker.root;
    negamax::<Root>(worker, &root, window, depth, 0, false)
}
