//! Quiescence search: captures and promotions until the static evaluation can be trusted, quiet
//! checks at the horizon, and all evasions in check.

use crate::history::captured;
use crate::movepick::{MovePicker, QuietChecks};
use crate::node::tt_adjusted;
use crate::params::{quiescence, see_values};
use crate::score::{Bound, MAX_PLY, Score};
use crate::thread::{Stopped, Worker};
use crate::tt::{TtWrite, key};
use crate::window::{NodeType, Window};
use movegen::{Move, Position, engine};

pub(crate) fn qsearch<NT: NodeType>(
    worker: &mut Worker<'_>,
    position: &Position,
    mut window: Window,
    ply: usize,
    quiet_checks: QuietChecks,
) -> Result<Score, Stopped> {
    // 1. Count the node and check the limits.
    worker.enter(ply)?;

    // 2. Draws, the largest ply, upcoming repetition.
    if let Some(score) = worker.key_stack.draw_score(position, ply) {
        return Ok(score);
    }
    let in_check = worker.stack.at(ply).in_check;
    if ply >= MAX_PLY - 1 {
        let eval = worker.static_eval(position, ply, None);
        return Ok(eval.map_or(Score::DRAW, |eval| Score::eval(eval.corrected)));
    }
    if window.alpha < Score::DRAW && worker.key_stack.upcoming_repetition(position, ply) {
        window.alpha = Score::DRAW;
        if window.is_empty() {
            return Ok(window.alpha);
        }
    }

    // 3. TT cutoff. Quiescence entries have a depth below that of any other search.
    let depth = if in_check || quiet_checks == QuietChecks::With {
        0
    } else {
        -1
    };
    let tt_entry = worker.shared.tt.probe(key(position));
    let tt_bound = tt_entry.map(|entry| entry.bound);
    let tt_score = tt_entry.and_then(|entry| entry.score_at(position, ply));
    if !NT::PV
        && let (Some(bound), Some(score)) = (tt_bound, tt_score)
        && tt_entry.is_some_and(|entry| entry.depth >= depth)
        && window.is_cut_by(bound, score)
    {
        return Ok(score);
    }

    // 4. Stand pat: some quiet move would keep at least the static evaluation.
    worker.prefetch_children(position, tt_entry, false);
    let static_eval = worker.static_eval(position, ply, tt_entry);
    worker.stack.at_mut(ply).eval = static_eval.map(|eval| eval.corrected);
    let mut write = TtWrite {
        mv: None,
        score: Score::mated_in(ply),
        eval: static_eval.map(|eval| eval.raw),
        depth,
        bound: Bound::Lower,
        pv: tt_entry.is_some_and(|entry| entry.pv),
    };
    let mut best = Score::mated_in(ply);
    let mut futility_base = Score::MINUS_INFINITE;
    if let Some(eval) = static_eval {
        let eval = Score::eval(eval.corrected);
        best = tt_adjusted(eval, tt_bound, tt_score);
        if best >= window.beta {
            best = blended(best, window.beta, quiescence::stand_pat_blend());
            if tt_entry.is_none() {
                write.score = best;
                worker.shared.tt.store(key(position), ply, write);
            }
            return Ok(best);
        }
        window.alpha = window.alpha.max(best);
        futility_base = eval + quiescence::futility();
    }

    // 5. Search the moves: all evasions, or captures, promotions and checks that do not lose
    //    material.
    let context;
    let tt_move = tt_entry
        .and_then(|entry| entry.mv)
        .filter(|&mv| (in_check || position.is_noisy(mv)) && position.is_legal(mv));
    let mut picker = if in_check {
        context = worker.stack.move_context(ply, position, None);
        MovePicker::all(tt_move, &context, worker.moves)
    } else {
        let threshold = quiescence::see_threshold();
        MovePicker::noisy(tt_move, threshold, quiet_checks, worker.moves)
    };
    let recapture = worker.stack.before(ply, 1).and_then(|entry| entry.mv);
    let recapture = recapture.map(Move::to);
    let mut alpha = window.alpha;
    let mut tried = 0;
    while let Some(mv) = picker.next(position, worker.histories, worker.moves) {
        tried += 1;
        worker.shared.tt.prefetch(engine::key_after(position, mv));

        // 6. Pruning. Not for a bare king: any of its few moves may be the only one.
        if !best.is_loss() && position.by_color(position.side_to_move()).many() {
            if in_check {
                // One quiet evasion does not lose, so the other quiet ones are skipped.
                if !position.is_noisy(mv) {
                    picker.skip_quiets();
                }
            } else if recapture != Some(mv.to())
                && let Some(value) = prune(position, mv, futility_base, alpha, tried)
            {
                best = best.max(value);
                continue;
            }
        }

        // 7. Make the move and search it.
        let mut child = *position;
        child.make_unchecked(mv);
        worker.record_move(position, &child, mv, ply);
        let open = Window { alpha, ..window };
        let score = -qsearch::<NT>(
            worker,
            &child,
            open.flipped(),
            ply + 1,
            QuietChecks::Without,
        )?;
        worker.undo_move();
        if score > best {
            best = score;
            if score > alpha {
                alpha = score;
                write.mv = Some(mv);
                if NT::PV {
                    worker.pv.set(ply, mv);
                }
                if score >= window.beta {
                    break;
                }
            }
        }
    }
    picker.finish(worker.moves);

    // 8. Update the transposition table.
    if best >= window.beta {
        best = blended(best, window.beta, quiescence::fail_high_blend());
    }
    write.score = best;
    write.bound = window.bound_of::<NT>(best, best > window.alpha);
    worker.shared.tt.store(key(position), ply, write);
    Ok(best)
}

/// A score above beta, moved towards it: a capture sequence proves little about how far above.
fn blended(score: Score, beta: Score, share: i32) -> Score {
    if score.is_decisive() {
        score
    } else {
        score.towards(beta, share)
    }
}

/// True if a capture is not worth searching, and if so an upper bound of its value as far as it
/// matters: late moves, captures that cannot reach alpha (futility pruning), and those that lose
/// what is needed to reach it (SEE). Not promotions and checks, which all quiet moves here are.
fn prune(
    position: &Position,
    mv: Move,
    futility_base: Score,
    alpha: Score,
    tried: i32,
) -> Option<Score> {
    let captured = captured(position, mv).filter(|_| !mv.is_promotion())?;
    let value = futility_base + see_values()[captured.index()];
    let bound = if tried > quiescence::max_moves() {
        Score::MINUS_INFINITE
    } else if value <= alpha {
        value
    } else if futility_base <= alpha
        && !engine::see_ge(position, mv, alpha - futility_base, &see_values())
    {
        futility_base
    } else {
        return None;
    };
    (!position.gives_check(mv)).then_some(bound)
}
