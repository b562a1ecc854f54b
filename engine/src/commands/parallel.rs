//! Work spread over threads whose results come out in the order of the work, in bounded memory.
//! Knows nothing of what the work is.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use thiserror::Error;

/// So many results for each thread may wait for an older one.
const WAITING_PER_JOB: usize = 64;

/// Why the work was not begun.
#[derive(Debug, Error)]
#[error("{wanted} jobs could not be started: {source}")]
pub(crate) struct JobsError {
    wanted: usize,
    source: ThreadPoolBuildError,
}

/// Takes pieces of work until there are no more, does them on so many threads, each with a
/// worker of its own, and gives the results in the order in which the work was taken; `Break`
/// ends it all. What was taken before taking failed is still done and given; after giving failed
/// nothing is. A worker that cannot be made leaves the work to the others; it is an error if there
/// are none.
pub(crate) fn in_order<T, R, W, E>(
    jobs: usize,
    take: impl FnMut() -> Result<Option<T>, E> + Send,
    worker: impl Fn() -> Result<W, E> + Sync,
    work: impl Fn(&mut W, T) -> R + Sync,
    give: impl FnMut(R) -> Result<ControlFlow<()>, E> + Send,
) -> Result<(), E>
where
    R: Send,
    E: From<JobsError> + Send,
{
    let pool = ThreadPoolBuilder::new()
        .num_threads(jobs)
        .thread_name(|index| format!("job {index}"))
        .build()
        .map_err(|source| JobsError {
            wanted: jobs,
            source,
        })?;
    let source = Mutex::new(Source {
        take,
        taken: 0,
        failed: None,
    });
    let exit = Exit {
        queue: Mutex::new(Queue {
            waiting: BTreeMap::new(),
            next: 0,
            closed: false,
            give,
            failed: None,
        }),
        moved: Condvar::new(),
        room: jobs.saturating_mul(WAITING_PER_JOB),
    };
    let unmade = pool.broadcast(|_| {
        let _guard = CloseOnPanic(&exit);
        let mut worker = match worker() {
            Ok(worker) => worker,
            Err(error) => return Some(error),
        };
        while !lock(&exit.queue).closed {
            let Some((number, piece)) = lock(&source).next() else {
                break;
            };
            exit.leave(number, work(&mut worker, piece));
        }
        None
    });
    if let Some(error) = unlocked(exit.queue).failed {
        return Err(error);
    }
    if let Some(error) = unlocked(source).failed {
        return Err(error);
    }
    // One worker is enough to do all the work.
    let unmade: Option<Vec<E>> = unmade.into_iter().collect();
    match unmade.and_then(|errors| errors.into_iter().next()) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is locked here is consistent between any two statements.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

struct Source<F, E> {
    take: F,
    taken: usize,
    /// Why no more is taken.
    failed: Option<E>,
}

impl<T, E, F: FnMut() -> Result<Option<T>, E>> Source<F, E> {
    fn next(&mut self) -> Option<(usize, T)> {
        if self.failed.is_some() {
            return None;
        }
        let taken = (self.take)().unwrap_or_else(|error| {
            self.failed = Some(error);
            None
        });
        let piece = taken?;
        let number = self.taken;
        self.taken += 1;
        Some((number, piece))
    }
}

/// Where results wait for their turn.
struct Exit<R, F, E> {
    queue: Mutex<Queue<R, F, E>>,
    /// The next in turn has changed.
    moved: Condvar,
    room: usize,
}

struct Queue<R, F, E> {
    waiting: BTreeMap<usize, R>,
    next: usize,
    closed: bool,
    give: F,
    /// Why no more is given.
    failed: Option<E>,
}

impl<R, F, E> Exit<R, F, E> {
    fn close(&self) {
        lock(&self.queue).closed = true;
        self.moved.notify_all();
    }
}

impl<R, E, F: FnMut(R) -> Result<ControlFlow<()>, E>> Exit<R, F, E> {
    /// Whoever is too far ahead waits here. The oldest piece of work never is, so that somebody
    /// always goes on.
    fn leave(&self, number: usize, result: R) {
        let queue = lock(&self.queue);
        let mut queue = self
            .moved
            .wait_while(queue, |queue| {
                !queue.closed && number - queue.next >= self.room
            })
            .unwrap_or_else(PoisonError::into_inner);
        if queue.closed {
            return;
        }
        queue.waiting.insert(number, result);
        if queue.give_what_is_due() {
            drop(queue);
            self.moved.notify_all();
        }
    }
}

impl<R, E, F: FnMut(R) -> Result<ControlFlow<()>, E>> Queue<R, F, E> {
    /// Whether anything was.
    fn give_what_is_due(&mut self) -> bool {
        let before = self.next;
        while !self.closed
            && let Some(result) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            let flow = (self.give)(result).unwrap_or_else(|error| {
                self.failed = Some(error);
                ControlFlow::Break(())
            });
            self.closed = flow.is_break();
        }
        self.next != before
    }
}

/// A result that never comes would be waited for without end.
struct CloseOnPanic<'a, R, F, E>(&'a Exit<R, F, E>);

impl<R, F, E> Drop for CloseOnPanic<'_, R, F, E> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::{JobsError, in_order};

    #[derive(PartialEq, Debug)]
    enum Failure {
        NoThreads,
        NoMemory,
        Unread,
        Unwritten,
    }

    impl From<JobsError> for Failure {
        fn from(_: JobsError) -> Failure {
            Failure::NoThreads
        }
    }

    /// The results for so many pieces of work, some of which take longer than others.
    fn results(jobs: usize, pieces: usize, wanted: usize) -> Vec<usize> {
        let mut source = 0..pieces;
        let mut given = Vec::new();
        let done = in_order(
            jobs,
            || Ok(source.next()),
            || Ok(()),
            |(), piece| {
                if piece % 97 == 0 {
                    thread::sleep(Duration::from_millis(2));
                }
                piece * 3
            },
            |result| {
                given.push(result);
                Ok(match given.len() >= wanted {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                })
            },
        );
        assert_eq!(done, Ok::<(), Failure>(()));
        given
    }

    #[test]
    fn results_keep_the_order_of_the_work() {
        for jobs in [1, 2, 7] {
            for pieces in [0, 1, 5, 3000] {
                let expected: Vec<usize> = (0..pieces).map(|piece| piece * 3).collect();
                assert_eq!(results(jobs, pieces, usize::MAX), expected, "{jobs} jobs");
            }
        }
    }

    #[test]
    fn it_ends_when_nobody_wants_more() {
        for jobs in [1, 2, 7] {
            assert_eq!(results(jobs, 3000, 10).len(), 10);
        }
    }

    #[test]
    fn nobody_runs_far_ahead_of_the_slowest() {
        let (jobs, finished) = (3, AtomicUsize::new(0));
        let mut source = 0..5000_usize;
        let ahead = AtomicUsize::new(0);
        let done = in_order(
            jobs,
            || Ok(source.next()),
            || Ok(()),
            |(), piece| {
                if piece == 0 {
                    thread::sleep(Duration::from_millis(300));
                    ahead.store(finished.load(Ordering::SeqCst), Ordering::SeqCst);
                }
                finished.fetch_add(1, Ordering::SeqCst);
            },
            |()| Ok(ControlFlow::Continue(())),
        );
        assert_eq!(done, Ok::<(), Failure>(()));
        let most = jobs * super::WAITING_PER_JOB + jobs;
        assert!(ahead.load(Ordering::SeqCst) <= most);
    }

    #[test]
    fn workers_that_cannot_be_made_leave_the_work_to_the_others() {
        let made = AtomicUsize::new(0);
        let mut source = 0..100_usize;
        let mut given = 0;
        let done = in_order(
            2,
            || Ok(source.next()),
            || match made.fetch_add(1, Ordering::SeqCst) {
                0 => Ok(()),
                _ => Err(Failure::NoMemory),
            },
            |(), piece| piece,
            |_| {
                given += 1;
                Ok(ControlFlow::Continue(()))
            },
        );
        assert_eq!((done, given), (Ok(()), 100));
    }

    #[test]
    fn without_any_worker_nothing_is_taken() {
        let mut taken = false;
        let done = in_order(
            3,
            || {
                taken = true;
                Ok(Some(()))
            },
            || Err::<(), _>(Failure::NoMemory),
            |(), ()| (),
            |()| Ok(ControlFlow::Continue(())),
        );
        assert_eq!((done, taken), (Err(Failure::NoMemory), false));
    }

    #[test]
    fn what_was_taken_before_the_source_failed_is_given() {
        for jobs in [1, 2, 7] {
            let mut source = 0..20;
            let mut given = 0;
            let done = in_order(
                jobs,
                || source.next().map(Some).ok_or(Failure::Unread),
                || Ok(()),
                |(), _| (),
                |()| {
                    given += 1;
                    Ok(ControlFlow::Continue(()))
                },
            );
            assert_eq!((done, given), (Err(Failure::Unread), 20), "{jobs} jobs");
        }
    }

    #[test]
    fn nothing_is_given_after_a_failure_to_write() {
        for jobs in [1, 2, 7] {
            let mut source = 0..1000;
            let mut given = 0;
            let done = in_order(
                jobs,
                || Ok(source.next()),
                || Ok(()),
                |(), _| (),
                |()| {
                    given += 1;
                    match given {
                        5 => Err(Failure::Unwritten),
                        _ => Ok(ControlFlow::Continue(())),
                    }
                },
            );
            assert_eq!((done, given), (Err(Failure::Unwritten), 5), "{jobs} jobs");
        }
    }
}
