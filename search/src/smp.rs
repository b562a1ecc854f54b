//! Lazy SMP: every thread runs the same search, sharing nothing but the transposition table and a
//! few counters; in the end the threads vote.
//!
//! The leader runs on the thread that called the search, the helpers on a pool of their own.

use crate::iterative;
use crate::nnue::Network;
use crate::observer::{Observer, SearchResult};
use crate::reporting;
use crate::score::Score;
use crate::shared::{Shared, WorkerResult};
use crate::thread::{ThreadState, Worker};
use std::sync::Arc;
use thiserror::Error;

/// The reason the threads could not be started.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("cannot start {wanted} search threads: {reason}")]
pub struct ThreadError {
    wanted: usize,
    reason: String,
}

/// The stack size a thread needs to search: deep searches recurse with positions on the stack.
pub const STACK_BYTES: usize = 16 << 20;

/// The state of all threads, and the pool of helper threads.
#[derive(Debug)]
pub(crate) struct ThreadPool {
    leader: ThreadState,
    helpers: Vec<ThreadState>,
    /// The threads of the helpers; `None` without helpers.
    pool: Option<rayon::ThreadPool>,
}

/// Halts all threads when the leader returns or any thread panics: rayon waits for all of them.
struct HaltOnDrop<'a> {
    shared: &'a Shared<'a>,
    leads: bool,
}

impl Drop for HaltOnDrop<'_> {
    fn drop(&mut self) {
        if self.leads || std::thread::panicking() {
            self.shared.halt();
        }
    }
}

impl ThreadPool {
    /// Just the caller's thread.
    pub(crate) fn single(network: &Arc<Network>) -> Self {
        Self {
            leader: ThreadState::new(network),
            helpers: Vec::new(),
            pool: None,
        }
    }

    pub(crate) fn new(count: usize, network: &Arc<Network>) -> Result<Self, ThreadError> {
        let helpers = count.saturating_sub(1);
        if helpers == 0 {
            return Ok(Self::single(network));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(helpers)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("search {}", index + 1))
            .build()
            .map_err(|error| ThreadError {
                wanted: count,
                reason: error.to_string(),
            })?;
        Ok(Self {
            leader: ThreadState::new(network),
            helpers: pool.broadcast(|_| ThreadState::new(network)),
            pool: Some(pool),
        })
    }

    pub(crate) fn len(&self) -> usize {
        1 + self.helpers.len()
    }

    pub(crate) fn leader(&mut self) -> &mut ThreadState {
        &mut self.leader
    }

    /// The helper threads.
    pub(crate) fn pool(&self) -> Option<&rayon::ThreadPool> {
        self.pool.as_ref()
    }

    /// Clears the histories of all threads.
    pub(crate) fn clear(&mut self) {
        for state in self.states() {
            state.clear();
        }
    }

    pub(crate) fn set_network(&mut self, network: &Arc<Network>) {
        for state in self.states() {
            state.set_network(network);
        }
    }

    fn states(&mut self) -> impl Iterator<Item = &mut ThreadState> {
        std::iter::once(&mut self.leader).chain(&mut self.helpers)
    }

    /// Searches with all threads until a limit is reached. The result is passed on as soon as the
    /// leader has it: on a busy machine the helpers may take much longer to notice the end.
    pub(crate) fn search<O: Observer>(
        &mut self,
        shared: &Shared<'_>,
        observer: &mut O,
        pass_on: &mut dyn FnMut(&mut O, &SearchResult),
    ) -> SearchResult {
        let Self {
            leader,
            helpers,
            pool,
        } = self;
        let mut lead = || {
            let leaders = {
                let _halt = HaltOnDrop {
                    shared,
                    leads: true,
                };
                iterative::deepen(&mut Worker::new(0, leader, shared, Some(&mut *observer)))
            };
            let all: Vec<WorkerResult> = leaders
                .into_iter()
                .chain(shared.published_results())
                .collect();
            let result = match winner(&all, shared.options.multi_pv) {
                Some(found) => reporting::result(shared, found),
                None => reporting::no_move(shared),
            };
            pass_on(observer, &result);
            result
        };
        match pool {
            None => lead(),
            Some(pool) => pool.in_place_scope(|scope| {
                for (index, state) in (1..).zip(helpers.iter_mut()) {
                    scope.spawn(move |_| {
                        let _halt = HaltOnDrop {
                            shared,
                            leads: false,
                        };
                        iterative::deepen(&mut Worker::new(index, state, shared, None));
                    });
                }
                lead()
            }),
        }
    }
}

/// The result the threads agree on: each votes for its own move, weighted by depth and score.
/// Threads that the system gave little time are too far behind to vote. Several lines are those of
/// the leader, who has reported them: those of a less deep thread would take some of them back.
fn winner(found: &[WorkerResult], lines: usize) -> Option<&WorkerResult> {
    const BEHIND: i32 = 2;
    if lines > 1 {
        return found.first();
    }
    let deepest = found.iter().map(|one| one.depth).max()?;
    let voters = || found.iter().filter(|one| one.depth + BEHIND >= deepest);
    let worst = voters().map(|one| one.best.score).min()?;
    let votes_for = |candidate: &WorkerResult| -> i64 {
        voters()
            .filter(|one| one.best.mv == candidate.best.mv)
            .map(|one| weight(one, worst))
            .sum()
    };
    let order = |candidate: &WorkerResult| {
        let score = candidate.best.score;
        // A proven result needs no majority.
        let proven = if score.is_decisive() {
            score
        } else {
            Score::DRAW
        };
        (proven, votes_for(candidate), weight(candidate, worst))
    };
    let best = voters().map(order).max()?;
    voters().find(|candidate| order(candidate) == best)
}

fn weight(one: &WorkerResult, worst: Score) -> i64 {
    const SCORE_OFFSET: i64 = 15;
    (i64::from(one.best.score - worst) + SCORE_OFFSET) * i64::from(one.depth)
}

#[cfg(test)]
mod tests {
    use movegen::{Game, Move};

    use super::{WorkerResult, winner};
    use crate::root::RootMove;
    use crate::score::{Bound, Score};
    use crate::syzygy::root::TbRank;

    fn result(mv: Move, score: i32, depth: i32) -> WorkerResult {
        WorkerResult {
            best: RootMove {
                mv,
                rank: TbRank::UNKNOWN,
                known_score: None,
                score: Score::eval(score),
                last_score: Score::eval(score),
                bound: Bound::Exact,
                selective_depth: 0,
                nodes: 0,
                pv: vec![mv],
            },
            depth,
            completed: (Vec::new(), depth),
        }
    }

    #[test]
    fn threads_vote_for_one_line_but_several_are_those_of_the_leader() {
        let moves = Game::default().position().legal_moves();
        let found = [
            result(moves[0], 10, 10),
            result(moves[1], 30, 9),
            result(moves[1], 30, 9),
            // Too far behind.
            result(moves[2], 500, 7),
        ];
        let of = |lines| winner(&found, lines).map(|one| one.best.mv);
        assert_eq!(of(1), Some(moves[1]));
        assert_eq!(of(2), Some(moves[0]));
    }
}
