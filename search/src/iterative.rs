//! Iterative deepening: one depth after the other, each in a narrow window around the last
//! one's value, until a limit is reached or nothing is left to find.

use crate::clock::Difficulty;
use crate::negamax::search_root;
use crate::observer::{Info, Observer, Outcome};
use crate::params::aspiration as numbers;
use crate::root::RootMove;
use crate::score::{Bound, MAX_PLY, Score};
use crate::shared::Shared;
use crate::window::Window;
use crate::worker::Worker;
use crate::{line, wdl};

/// What a worker found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) best: RootMove,
    /// The depth it was searched to.
    pub(crate) depth: i32,
    /// The observer has had it just so.
    told: bool,
    /// The lines of the last completed iteration, and its depth.
    completed: (Vec<RootMove>, i32),
}

/// What is remembered from iteration to iteration to judge how hard the move is.
#[derive(Default)]
struct Course {
    stable_for: u32,
    scores: Vec<Score>,
}

/// Searches until told to stop; the first worker also decides when that is.
pub(crate) fn deepen(worker: &mut Worker<'_>) -> Option<Found> {
    let lines = worker.lines_wanted();
    let mut found = worker.roots.best().map(|best| Found {
        best: best.clone(),
        depth: 0,
        told: false,
        completed: (Vec::new(), 0),
    })?;
    let mut course = Course::default();
    let deepest = worker
        .shared
        .options
        .limits
        .depth
        .map_or(MAX_PLY as i32 - 1, |depth| {
            i32::try_from(depth)
                .unwrap_or(i32::MAX)
                .clamp(1, MAX_PLY as i32 - 1)
        });

    for depth in 1..=deepest {
        worker.depth = depth;
        worker.roots.begin_iteration();
        if seek_mate(worker, depth).is_none() {
            break;
        }
        let complete = (0..lines).all(|line| {
            worker.roots.line = line;
            worker.selective_depth = 0;
            let searched = search_line(worker, depth).is_some();
            worker.roots.sort_settled();
            if searched {
                worker.tell_line(line, depth);
            }
            searched
        });
        worker.roots.line = 0;
        if !complete {
            // What a stopped iteration found may be used if it finished its first move: a
            // better move is better whether or not the others were looked at.
            if let Some(best) = worker.roots.moves.first().filter(|best| usable(best)) {
                found = Found {
                    best: best.clone(),
                    depth,
                    told: false,
                    ..found
                };
            }
            break;
        }
        worker.finished_depth = depth;
        if let Some(best) = worker.roots.moves.first() {
            course.stable_for = if best.mv == found.best.mv {
                course.stable_for + 1
            } else {
                0
            };
            course.scores.push(best.score);
            found = Found {
                best: best.clone(),
                depth,
                told: worker.index == 0,
                completed: (worker.roots.moves[..lines].to_vec(), depth),
            };
        }
        if worker.index == 0 && nothing_left(worker, &found, &course) {
            break;
        }
    }
    worker.publish();
    Some(found)
}

/// A root move of a stopped iteration that was searched to an exact value or above. One that
/// loses by force says nothing of the others, and would be told as if they all did.
fn usable(best: &RootMove) -> bool {
    !best.score.is_loss() && best.bound != Bound::Upper
}

/// Looks whether one of the moves that endgame tables put behind their first choice mates,
/// sooner than that if it does: they count to the next step only. `None` when stopped.
fn seek_mate(worker: &mut Worker<'_>, depth: i32) -> Option<()> {
    let Some(line) = worker.roots.hopefuls() else {
        return Some(());
    };
    let first = worker
        .roots
        .best()
        .map_or(Score::DRAW, |best| best.last_score);
    let window = Window {
        alpha: first.max(Score::table_win(0)),
        beta: Score::INFINITE,
    };
    worker.roots.line = line;
    worker.roots.begin_line();
    let searched = search_root(worker, window, depth);
    worker.roots.lift_mates();
    searched.map(|_| ())
}

/// One line of one iteration; `None` when the search is stopped.
fn search_line(worker: &mut Worker<'_>, depth: i32) -> Option<Score> {
    let last = worker
        .roots
        .best()
        .map_or(Score::DRAW, |best| best.last_score);
    let narrow = numbers::enabled() != 0
        && depth >= numbers::from_depth()
        && last != Score::MINUS_INFINITE
        && !last.is_decisive();
    let mut delta = numbers::delta();
    let mut window = if narrow {
        Window {
            alpha: last - delta,
            beta: last + delta,
        }
    } else {
        Window::FULL
    };
    let mut reduction = 0;
    loop {
        worker.roots.begin_line();
        let searched = search_root(worker, window, (depth - reduction).max(1));
        worker.roots.sort_open();
        let score = searched?;
        if score <= window.alpha {
            worker.tell_bound(depth);
            window.beta = Score::eval((window.alpha.raw() + window.beta.raw()) / 2);
            window.alpha = widened(score, -delta);
            reduction = 0;
        } else if score >= window.beta {
            worker.tell_bound(depth);
            window.beta = widened(score, delta);
            reduction = (reduction + 1).min(3);
        } else {
            return Some(score);
        }
        delta += delta * numbers::widen_percent() / 100;
    }
}

/// The next edge of the window: so much further, or open when that is far.
fn widened(score: Score, delta: i32) -> Score {
    const FAR: i32 = 1500;
    let edge = score + delta;
    if delta.abs() > FAR || score.is_decisive() {
        if delta > 0 {
            Score::INFINITE
        } else {
            Score::MINUS_INFINITE
        }
    } else {
        edge
    }
}

/// Whether another iteration is not worth beginning.
fn nothing_left(worker: &Worker<'_>, found: &Found, course: &Course) -> bool {
    let shared = worker.shared;
    let limits = &shared.options.limits;
    let mate = found.best.score.mate_distance();
    if let (Some(wanted), Some(moves)) = (limits.mate, mate)
        && moves > 0
        && moves.unsigned_abs() <= wanted
    {
        return true;
    }
    let fewest = shared.node_limit.into_iter().chain(limits.soft_nodes).min();
    if shared.stop.is_stopped() || fewest.is_some_and(|limit| shared.nodes() >= limit) {
        return true;
    }
    if shared.stop.is_pondering(shared.options) || limits.infinite {
        return false;
    }
    let timed = limits.clocks[worker.root.side_to_move().index()]
        .remaining
        .is_some();
    if timed && worker.roots.forced() {
        return true;
    }
    let difficulty = difficulty(worker, found, course);
    shared.out_of_time() || shared.clock.enough(shared.elapsed(), difficulty)
}

fn difficulty(worker: &Worker<'_>, found: &Found, course: &Course) -> Difficulty {
    const ITERATIONS_BACK: usize = 3;
    let earlier = course.scores.iter().rev().nth(ITERATIONS_BACK);
    let fallen = earlier.map_or(0, |&earlier| earlier - found.best.score);
    let effort = found.best.nodes * 1024 / worker.nodes.max(1);
    Difficulty {
        stable_for: course.stable_for,
        fallen,
        effort: effort as u32,
    }
}

/// Reporting. Only the leader has an observer.
impl Worker<'_> {
    fn lines_wanted(&self) -> usize {
        let wanted = self.shared.options.multi_pv.max(1);
        wanted.min(self.roots.moves.len())
    }

    /// Reports a settled line, and those before it when several are wanted.
    fn tell_line(&mut self, line: usize, depth: i32) {
        // Several lines are told together, sorted, when the last is settled.
        let lines = self.lines_wanted();
        if line + 1 == lines {
            for line in 0..lines {
                self.tell(line, depth);
            }
        }
    }

    /// Reports a score outside the window, only in searches long enough to be watched.
    fn tell_bound(&mut self, depth: i32) {
        const WORTH_TELLING: std::time::Duration = std::time::Duration::from_secs(1);
        if self.lines_wanted() == 1 && self.shared.elapsed() >= WORTH_TELLING {
            self.tell(0, depth);
        }
    }

    fn tell(&mut self, line: usize, depth: i32) {
        self.publish();
        if let Some(observer) = &mut self.observer
            && observer.wants_info()
            && let Some(root) = self.roots.moves.get(line)
        {
            observer.info(&info(self.shared, root, line + 1, depth));
        }
    }
}

/// A line as it is reported: legal to its last move, and complete where it ends in mate.
fn info(shared: &Shared<'_>, root: &RootMove, line: usize, depth: i32) -> Info {
    let position = shared.game.position();
    let (score, bound) = root.told();
    Info {
        depth: depth.unsigned_abs(),
        selective_depth: u32::try_from(root.selective_depth).unwrap_or(u32::MAX),
        line,
        score,
        centipawns: wdl::centipawns(score, position),
        chances: wdl::chances(score, position),
        bound,
        nodes: shared.nodes(),
        time: shared.elapsed(),
        hash_full: shared.table.hashfull(),
        tablebase_hits: shared.tablebase_hits(),
        pv: line::complete(shared, root),
    }
}

/// The outcome of what the winning worker found, of which the observer gets what it has not had.
pub(crate) fn outcome(shared: &Shared<'_>, found: &Found, observer: &mut dyn Observer) -> Outcome {
    let best = info(shared, &found.best, 1, found.depth);
    if !found.told {
        observer.info(&best);
    }
    let (score, depth) = (best.score, best.depth);
    let (best_move, ponder) = (best.pv.first().copied(), best.pv.get(1).copied());
    let (completed, completed_depth) = (found.completed.0.iter(), found.completed.1);
    let mut lines = vec![best];
    for (number, root) in (1..).zip(completed) {
        let same = Some(root.mv) == best_move;
        if number == 1 && same && lines[0].bound != Bound::Exact {
            // The iteration before knew the exact score.
            lines[0] = info(shared, root, 1, completed_depth);
        } else if number > 1 && !same {
            lines.push(info(shared, root, number, completed_depth));
        }
    }
    Outcome {
        best_move,
        ponder,
        score,
        depth,
        nodes: shared.nodes(),
        time: shared.elapsed(),
        lines,
    }
}

/// The outcome where no move is legal, or none of those that may be searched.
pub(crate) fn no_move(shared: &Shared<'_>) -> Outcome {
    let position = shared.game.position();
    let mated = position.in_check() && !position.has_moves();
    Outcome {
        best_move: None,
        ponder: None,
        score: if mated {
            Score::mated_in(0)
        } else {
            Score::DRAW
        },
        depth: 0,
        nodes: 0,
        time: shared.elapsed(),
        lines: Vec::new(),
    }
}
