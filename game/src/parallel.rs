//! An ordered parallel map over a stream: items are processed on several threads in bounded
//! memory, and their results arrive in the order of the items.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, scope};

use search::STACK_BYTES;
use thiserror::Error;

/// The number of results of each job that may wait for an older one.
const WAITING_PER_JOB: usize = 64;

#[derive(Debug, Error)]
#[error("cannot start {jobs} jobs: {source}")]
pub struct JobsError {
    jobs: usize,
    source: io::Error,
}

/// Processes the items of `next` in `jobs` threads, each with its own worker and enough stack for
/// a search, and passes the results to `output` on the calling thread in the order of the items.
/// `Break` ends it early.
///
/// If `next` fails, the items before are still processed and output; if `output` fails, nothing
/// more is. If a worker cannot be created, the others do the work; it is an error if there are
/// none.
pub fn ordered_map<T, R, W, E>(
    jobs: usize,
    mut next: impl FnMut() -> Result<Option<T>, E> + Send,
    worker: impl Fn() -> Result<W, E>,
    process: impl Fn(&mut W, T) -> R + Sync,
    output: impl FnMut(R) -> Result<ControlFlow<()>, E>,
) -> Result<(), E>
where
    T: Send,
    R: Send,
    W: Send,
    E: From<JobsError> + Send,
{
    let mut workers = vec![worker()?];
    workers.extend((1..jobs).map_while(|_| worker().ok()));
    let process = &process;
    let has_ended = &AtomicBool::new(false);
    scope(|scope| {
        let failed = |source| JobsError { jobs, source };
        let waiting = jobs.saturating_mul(WAITING_PER_JOB);
        // Each result has a channel of its own. The queue of these channels keeps the order and,
        // being bounded, stops reading while an old item takes long.
        let (item_sender, items) = sync_channel::<(T, SyncSender<R>)>(waiting);
        let (result_sender, results) = sync_channel(waiting);
        let items = Arc::new(Mutex::new(items));
        for (mut worker, number) in workers.into_iter().zip(1..) {
            let items = Arc::clone(&items);
            let work = move || {
                while let Some((item, reply)) = receive(&items)
                    && !has_ended.load(Ordering::Relaxed)
                {
                    // Fails only after the output has ended.
                    let _ = reply.send(process(&mut worker, item));
                }
            };
            let thread = Builder::new()
                .name(format!("job {number}"))
                .stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work).map_err(failed)?;
        }
        // With the last worker gone, sending an item fails.
        drop(items);
        let read = move || {
            while let Some(item) = next()? {
                let (reply, result) = sync_channel(1);
                if result_sender.send(result).is_err() || item_sender.send((item, reply)).is_err() {
                    break;
                }
            }
            Ok(())
        };
        let thread = Builder::new().name("input".to_owned());
        let reader = thread.spawn_scoped(scope, read).map_err(failed)?;
        // A worker that panicked sends nothing; the scope passes the panic on.
        let ended = results
            .into_iter()
            .map_while(|result| result.recv().ok())
            .map(output)
            .find(|flow| !matches!(flow, Ok(ControlFlow::Continue(()))));
        has_ended.store(true, Ordering::Relaxed);
        if let Some(flow) = ended {
            return flow.map(drop);
        }
        reader.join().unwrap_or(Ok(()))
    })
}

fn receive<T>(items: &Mutex<Receiver<T>>) -> Option<T> {
    let items = items.lock().unwrap_or_else(PoisonError::into_inner);
    items.recv().ok()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow::{self, Break, Continue};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::thread::sleep;
    use std::time::Duration;

    use super::{JobsError, WAITING_PER_JOB, ordered_map};

    #[derive(PartialEq, Debug, Clone, Copy)]
    enum Failure {
        Jobs,
        Memory,
        Read,
        Write,
    }

    impl From<JobsError> for Failure {
        fn from(_: JobsError) -> Self {
            Self::Jobs
        }
    }

    /// Triples the numbers below `items`, then ends with `end`. `output` sees how many results
    /// there were. Only `workers` workers can be created.
    fn triples(
        (jobs, workers): (usize, usize),
        (items, end): (usize, Result<Option<usize>, Failure>),
        output: impl Fn(usize) -> Result<ControlFlow<()>, Failure>,
    ) -> (Result<(), Failure>, Vec<usize>) {
        let mut numbers = 0..items;
        let created = AtomicUsize::new(0);
        let mut results = Vec::new();
        let done = ordered_map(
            jobs,
            || numbers.next().map_or(end, |number| Ok(Some(number))),
            || {
                if created.fetch_add(1, Ordering::SeqCst) < workers {
                    Ok(())
                } else {
                    Err(Failure::Memory)
                }
            },
            |(), number| {
                if number % 97 == 0 {
                    std::thread::yield_now();
                }
                number * 3
            },
            |result| {
                results.push(result);
                output(results.len())
            },
        );
        (done, results)
    }

    #[test]
    fn results_are_in_the_order_of_the_items_up_to_the_end_or_a_failure() {
        let at_10 = |end| move |count| if count == 10 { end } else { Ok(Continue(())) };
        let never = Ok(Continue(()));
        for (jobs, workers) in [(1, 1), (2, 2), (7, 7), (2, 1)] {
            for (items, end, at_tenth, expected, count) in [
                (0, Ok(None), never, Ok(()), 0),
                (5, Ok(None), never, Ok(()), 5),
                (3000, Ok(None), never, Ok(()), 3000),
                (20, Err(Failure::Read), never, Err(Failure::Read), 20),
                (3000, Ok(None), Ok(Break(())), Ok(()), 10),
                (3000, Ok(None), Err(Failure::Write), Err(Failure::Write), 10),
            ] {
                let results = triples((jobs, workers), (items, end), at_10(at_tenth));
                let numbers = (0..count).map(|number| number * 3);
                assert_eq!(results, (expected, numbers.collect()), "{jobs} jobs");
            }
        }
        let none = triples((2, 0), (9, Ok(None)), |_| never);
        assert_eq!(none, (Err(Failure::Memory), Vec::new()));
    }

    /// The first item waits until no more can be read: the bound on results has been reached.
    #[test]
    fn reading_stops_when_too_many_results_wait() {
        let jobs = 3;
        let limit = jobs * WAITING_PER_JOB;
        let (sender, receiver) = channel();
        let receiver = Mutex::new(receiver);
        let read = AtomicUsize::new(0);
        let mut source = 0..5000_usize;
        let done = ordered_map(
            jobs,
            || {
                if read.fetch_add(1, Ordering::SeqCst) == limit {
                    sender.send(()).expect("a receiver");
                }
                Ok(source.next())
            },
            || Ok(()),
            |(), item| {
                if item == 0 {
                    let receiver = receiver.lock().expect("one user");
                    receiver.recv().expect("a sender");
                    assert!(read.load(Ordering::SeqCst) <= limit + 2);
                }
            },
            |()| Ok(Continue(())),
        );
        assert_eq!((done, read.into_inner()), (Ok::<(), Failure>(()), 5001));
    }

    #[test]
    fn nothing_is_processed_after_the_output_has_ended() {
        let jobs = 3;
        let limit = jobs * WAITING_PER_JOB;
        for end in [Ok(Break(())), Err(Failure::Write)] {
            let (sender, receiver) = channel();
            let processed = AtomicUsize::new(0);
            let mut read = 0;
            let done = ordered_map(
                jobs,
                || {
                    read += 1;
                    if read == limit {
                        sender.send(()).expect("a receiver");
                    }
                    Ok(Some(read))
                },
                || Ok(()),
                |(), _| {
                    processed.fetch_add(1, Ordering::SeqCst);
                    sleep(Duration::from_millis(10));
                },
                |()| {
                    receiver.recv().expect("a sender");
                    end
                },
            );
            assert_eq!(done, end.map(drop));
            assert!(processed.into_inner() < limit / 2);
        }
    }

    #[test]
    fn a_panic_ends_it() {
        for jobs in [1, 2] {
            let mut source = 0..;
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                ordered_map(
                    jobs,
                    || Ok::<_, Failure>(source.next()),
                    || Ok(()),
                    |(), item| assert_ne!(item, 500),
                    |()| Ok(Continue(())),
                )
            }));
            assert!(panicked.is_err(), "{jobs} jobs");
        }
    }
}
