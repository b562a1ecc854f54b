//! Quiescence: captures and promotions until the evaluation can be trusted, and every way
//! out of check.

use crate::draw;
use crate::history::capture::taken;
use crate::movepick::{Lookout, MovePicker};
use crate::params::{exchange_values, quiescence as numbers};
use crate::score::{Bound, MAX_PLY, Score};
use crate::tt::{Note, key};
use crate::window::{Kind, Window};
use crate::worker::Worker;
use movegen::{Move, Position, Role, Threats};

/// Table entries of quiescence are shallower than any search.
const DEPTH: i32 = 0;

pub(crate) fn qsearch<K: Kind>(
    worker: &mut Worker<'_>,
    position: &Position,
    mut window: Window,
    ply: usize,
) -> Option<Score> {
    worker.enter(ply)?;
    worker.lines.clear(ply);
    if let Some(score) = draw::certain(worker, position, ply) {
        return Some(score);
    }
    let in_check = position.in_check();
    if ply >= MAX_PLY - 1 {
        return Some(if in_check {
            Score::DRAW
        } else {
            Score::eval(worker.evaluate(position, ply).corrected)
        });
    }
    if window.alpha < Score::DRAW && draw::can_repeat(worker, position, ply) {
        window.alpha = Score::DRAW;
        if window.is_empty() {
            return Some(window.alpha);
        }
    }

    let hit = worker.shared.table.probe(key(position));
    let table_score = hit.and_then(|hit| hit.value(position, ply));
    if let (false, Some(hit), Some(score)) = (K::PV, hit, table_score)
        && hit
            .bound
            .is_some_and(|bound| window.settled_by(bound, score))
    {
        return Some(score);
    }

    let evaluation = (!in_check).then(|| match hit.and_then(|hit| hit.eval) {
        Some(raw) => worker.correct(position, ply, i32::from(raw)),
        None => worker.evaluate(position, ply),
    });
    let raw = evaluation.map(|evaluation| evaluation.raw as i16);
    worker.stack.at_mut(ply).eval = evaluation.map(|evaluation| evaluation.corrected);
    let mut best = Score::mated_in(ply);
    let mut hope = Score::MINUS_INFINITE;
    if let Some(evaluation) = evaluation {
        // Standing pat: some quiet move would keep at least this much.
        let stand = Score::eval(evaluation.corrected);
        best = match (hit.and_then(|hit| hit.bound), table_score) {
            (Some(bound), Some(score))
                if !score.is_decisive() && decides_guess(bound, score, stand) =>
            {
                score
            }
            _ => stand,
        };
        if best >= window.beta {
            let note = Note {
                mv: None,
                score: best,
                eval: raw,
                depth: DEPTH,
                bound: Some(Bound::Lower),
                pv: hit.is_some_and(|hit| hit.pv),
            };
            if hit.is_none() {
                worker.shared.table.store(key(position), ply, note);
            }
            return Some(best);
        }
        window.alpha = window.alpha.max(best);
        hope = stand + numbers::futility();
    }

    let lookout = Lookout {
        threats: if in_check {
            position.threats()
        } else {
            Threats::default()
        },
        before: worker.stack.arrivals(ply),
        killer: None,
    };
    let table_move = hit
        .and_then(|hit| hit.mv)
        .filter(|&mv| (in_check || position.is_noisy(mv)) && position.is_legal(mv));
    let mut picker = if in_check {
        MovePicker::all(table_move, worker.moves)
    } else {
        MovePicker::noisy(table_move, numbers::exchange(), worker.moves)
    };
    let alpha_before = window.alpha;
    let mut best_move = None;
    let mut tried = 0;
    while let Some(mv) = picker.next(position, worker.histories, &lookout, worker.moves) {
        tried += 1;
        if !best.is_loss() && position.side(position.side_to_move()).many() {
            if in_check {
                // One quiet way out has been found not to lose: the others are as quiet. (A bare
                // king's may be the only one.)
                if !position.is_noisy(mv) {
                    picker.skip_quiets();
                }
            } else if let Some(value) = futile(position, mv, hope, window.alpha, tried) {
                best = best.max(value);
                continue;
            }
        }
        let next = worker.play(position, mv, ply);
        let score = -qsearch::<K>(worker, &next, window.flipped(), ply + 1)?;
        worker.take_back();
        if score > best {
            best = score;
            if score > window.alpha {
                window.alpha = score;
                best_move = Some(mv);
                if K::PV {
                    worker.lines.set(ply, mv);
                }
                if score >= window.beta {
                    break;
                }
            }
        }
    }
    picker.finish(worker.moves);

    let bound = if best >= window.beta {
        Bound::Lower
    } else if best > alpha_before && K::PV {
        Bound::Exact
    } else {
        Bound::Upper
    };
    let note = Note {
        mv: best_move,
        score: best,
        eval: raw,
        depth: DEPTH,
        bound: Some(bound),
        pv: hit.is_some_and(|hit| hit.pv),
    };
    worker.shared.table.store(key(position), ply, note);
    Some(best)
}

/// A stored value that is a better guess than the evaluation.
fn decides_guess(bound: Bound, score: Score, evaluation: Score) -> bool {
    if score > evaluation {
        bound.is_lower()
    } else {
        bound.is_upper()
    }
}

/// What a capture could come to at best, when that is not enough to look at it.
fn futile(position: &Position, mv: Move, hope: Score, alpha: Score, tried: i32) -> Option<Score> {
    if mv.is_promotion() {
        return None;
    }
    let gain = taken(position, mv).map_or(0, |role: Role| exchange_values()[role.index()]);
    let value = hope + gain;
    let little = value <= alpha;
    let late = tried > numbers::most_moves() && value <= alpha + numbers::futility();
    (little || late).then(|| value.min(alpha))
}
