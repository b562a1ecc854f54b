//! The engine: searches in the background, which other threads and Ctrl-C can stop.

use std::process;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use movegen::Position;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use search::{Info, Limits, Observer};
use service::background::Task;
use service::strength::choice;
use service::{Engine, Job, OptionKind, OptionTable, limits_or_default};

use crate::arguments::GameArg;
use crate::clock::{Clock, seconds};
use crate::errors::{internal_error, option_error};
use crate::moves::MoveArgs;
use crate::number::Number;
use crate::results::{PyInfo, PySearchResult};

/// The interval at which a wait looks for signals such as Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(20);

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The process that has made an object with threads, which do not exist in one that forks from it.
#[derive(Debug)]
pub(crate) struct Owner(u32);

impl Owner {
    pub(crate) fn new() -> Self {
        Self(process::id())
    }

    fn is_here(&self) -> bool {
        self.0 == process::id()
    }

    pub(crate) fn check(&self) -> PyResult<()> {
        if self.is_here() {
            return Ok(());
        }
        Err(option_error(
            "its threads are those of the process before the fork; make a new one in each process",
        ))
    }
}

/// Waits for a message of a task, and takes it before another thread learns of the task's end; `None`
/// when it has ended. A signal stops the task.
pub(crate) fn receive<T: Send, U: Send>(
    py: Python<'_>,
    messages: &Mutex<Receiver<T>>,
    task: &Task,
    take: impl Fn(T) -> U + Sync,
) -> PyResult<Option<U>> {
    loop {
        let received = py.detach(|| {
            let messages = lock(messages);
            messages.recv_timeout(SIGNALS).map(&take)
        });
        // Also where messages never stay away for long enough to time out.
        py.check_signals().inspect_err(|_| task.stop())?;
        match received {
            Ok(message) => return Ok(Some(message)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Runs a task to its end.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    name: &'static str,
    work: impl FnOnce(&search::SearchControl) -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let task = Task::start(name, (), move |(), control| {
        // Fails only if nobody waits.
        let _ = sender.send(work(control));
    });
    let (task, receiver) = (
        task.map_err(|(error, ())| option_error(error))?,
        Mutex::new(receiver),
    );
    receive(py, &receiver, &task, |done| done)?.ok_or_else(internal_error)
}

/// The limits of a search, the time in seconds.
pub(crate) fn limits(
    depth: Option<Number<u32>>,
    nodes: Option<Number<u64>>,
    time: Option<f64>,
) -> PyResult<Limits> {
    Ok(Limits {
        depth: depth.map(|depth| depth.0),
        nodes: nodes.map(|nodes| nodes.0),
        move_time: time.map(seconds).transpose()?,
        ..Limits::default()
    })
}

/// An engine with these options, and the others of `like`.
pub(crate) fn engine(
    py: Python<'_>,
    like: Option<&Bound<'_, PyEngine>>,
    threads: Option<Number<u32>>,
    hash: Option<Number<u32>>,
    options: Option<&Bound<'_, PyMapping>>,
) -> PyResult<Engine> {
    let mut engine = match like {
        Some(like) => like.get().read(py, Engine::another)?,
        None => Engine::new(OptionTable::default()),
    };
    let numbers = [("Threads", threads), ("Hash", hash)];
    let mut given: Vec<(String, String)> = numbers
        .iter()
        .filter_map(|(name, value)| Some(((*name).to_owned(), value.as_ref()?.0.to_string())))
        .collect();
    // A copy, since a value's own `__str__` may change the dict.
    let options = options.map(PyMappingMethods::items).transpose()?;
    for item in options.iter().flatten() {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        given.push((name.extract()?, value.str()?.extract()?));
    }
    for (name, value) in given {
        set(&mut engine, &name, &value)?;
    }
    Ok(engine)
}

/// Sets an option; a tablebase that cannot be used is an error.
fn set(engine: &mut Engine, name: &str, value: &str) -> PyResult<()> {
    let skipped = engine.set(name, value).map_err(option_error)?;
    skipped
        .first()
        .map_or(Ok(()), |error| Err(option_error(error)))
}

#[derive(Debug)]
enum Message {
    Info(Info),
    Ended(Box<Ended>),
}

type Ended = Result<PySearchResult, String>;

/// Passes infos on, where somebody wants them.
struct Reports<'a>(Option<&'a Sender<Message>>);

impl Observer for Reports<'_> {
    fn wants_info(&self) -> bool {
        self.0.is_some()
    }

    fn info(&mut self, info: &Info) {
        if let Some(sender) = self.0 {
            // Fails only if nobody waits.
            let _ = sender.send(Message::Info(info.clone()));
        }
    }
}

/// An engine and its searches, which the threads that use it share.
#[derive(Debug)]
struct Shared {
    /// Locked while a request waits for a search.
    engine: Mutex<Engine>,
    searches: Mutex<Searches>,
}

#[derive(Debug, Default)]
struct Searches {
    running: Vec<Running>,
    /// Disconnected when the last search that was started has ended.
    last: Option<Receiver<()>>,
}

#[derive(Debug)]
struct Running {
    task: Weak<Task>,
    is_analysis: bool,
}

impl Searches {
    fn stop(&self, which: impl Fn(&Running) -> bool) {
        let running = self.running.iter().filter(|running| which(running));
        for task in running.filter_map(|running| running.task.upgrade()) {
            task.stop();
        }
    }

    /// Starts a search, which waits for those before: none waits for an analysis that came later.
    fn start(&mut self, job: Job, is_analysis: bool, reports: bool) -> PyResult<Analysis> {
        let (sender, receiver) = channel();
        let (end, ended) = channel();
        let before = self.last.replace(ended);
        let position = *job.game.position();
        let task = Task::start("search", job, move |mut job, control| {
            let _end = end;
            // Nothing is sent: an error is the end. The time is that of this search alone.
            if before.is_some_and(|before| before.recv().is_err()) {
                job.options.started = Instant::now();
            }
            let mut reports = Reports(reports.then_some(&sender));
            let result = job.run(control, &mut reports);
            let ended = match result {
                Ok(result) => {
                    let (mv, ponder, _) = choice(job.chooser, &result);
                    Ok(PySearchResult::new(result, mv, ponder, position))
                }
                Err(error) => Err(error.to_string()),
            };
            let _ = sender.send(Message::Ended(Box::new(ended)));
        });
        let task = Arc::new(task.map_err(|(error, _)| option_error(error))?);
        self.running
            .retain(|running| running.task.strong_count() > 0);
        self.running.push(Running {
            task: Arc::downgrade(&task),
            is_analysis,
        });
        Ok(Analysis {
            task,
            messages: Mutex::new(receiver),
            ended: Mutex::new(None),
            position,
            owner: Owner::new(),
        })
    }
}

/// The engine, with a hash table that it keeps from search to search.
///
/// The names of other options, such as SyzygyPath, OwnBook and UCI_Elo, are those of UCI. Several
/// threads may use an engine; its searches then wait for each other. An analysis ends when the next
/// search, analysis, option or game begins; it still has a result.
///
/// >>> engine = Engine(hash=16)
/// >>> result = engine.search("6k1/5ppp/8/8/8/8/8/R3K3", nodes=10_000)
/// >>> result.sans, str(result.score)
/// (['Ra8#'], 'mate 1')
#[pyclass(name = "Engine", module = "castellan", frozen)]
#[derive(Debug)]
pub(crate) struct PyEngine {
    shared: Arc<Shared>,
    owner: Owner,
}

impl PyEngine {
    /// Has the engine do what may have to wait for a search, on another thread. An analysis that runs
    /// ends.
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Engine, &Mutex<Searches>) -> T + Send + 'static,
    ) -> PyResult<T> {
        self.owner.check()?;
        let shared = Arc::clone(&self.shared);
        run(py, "engine", move |_| {
            let mut engine = lock(&shared.engine);
            // Under this lock no other is started.
            lock(&shared.searches).stop(|running| running.is_analysis);
            work(&mut engine, &shared.searches)
        })
    }

    /// Reads the engine's options, beside an analysis that runs.
    fn read<T: Send + 'static>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&Engine) -> T + Send + 'static,
    ) -> PyResult<T> {
        self.owner.check()?;
        let shared = Arc::clone(&self.shared);
        run(py, "engine", move |_| read(&lock(&shared.engine)))
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (*, threads = None, hash = None, options = None))]
    fn new(
        py: Python<'_>,
        threads: Option<Number<u32>>,
        hash: Option<Number<u32>>,
        options: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Self> {
        let shared = Shared {
            engine: Mutex::new(engine(py, None, threads, hash, options)?),
            searches: Mutex::default(),
        };
        Ok(Self {
            shared: Arc::new(shared),
            owner: Owner::new(),
        })
    }

    /// Searches for the move to play, in the book and at the strength that the options say: a
    /// position or a FEN, or a game, whose history counts for repetitions.
    ///
    /// `time` is in seconds. Without a limit it is a million nodes.
    #[pyo3(signature = (position, *, depth = None, nodes = None, time = None, mate = None, multipv = None, moves = MoveArgs::default()))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn search(
        &self,
        py: Python<'_>,
        position: GameArg,
        depth: Option<Number<u32>>,
        nodes: Option<Number<u64>>,
        time: Option<f64>,
        mate: Option<Number<u32>>,
        multipv: Option<Number<usize>>,
        moves: MoveArgs,
    ) -> PyResult<PySearchResult> {
        let limits = limits(depth, nodes, time)?;
        let limits = limits_or_default(Limits {
            mate: mate.map(|mate| mate.0),
            ..limits
        });
        let limits = root_moves(limits, &position, &moves)?;
        let GameArg(game, passed) = position;
        let search = self.with(py, move |engine, searches| {
            let mut job = engine.reply(game, limits, passed);
            let multi_pv = multipv.map_or(1, |lines| lines.0);
            job.options.multi_pv = job.options.multi_pv.max(multi_pv);
            lock(searches).start(job, false, false)
        })?;
        search?.result(py)
    }

    /// Searches at full strength and yields what it finds on the way. Without a limit it goes on
    /// until it is stopped, the engine is used again or nothing is left to search.
    ///
    /// >>> with Engine().analyse(Position()) as analysis:
    /// ...     for info in analysis:
    /// ...         if info.depth == 5:
    /// ...             break
    /// >>> analysis.result().depth >= 5
    /// True
    #[pyo3(signature = (position, *, depth = None, nodes = None, time = None, multipv = None, moves = MoveArgs::default()))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn analyse(
        &self,
        py: Python<'_>,
        position: GameArg,
        depth: Option<Number<u32>>,
        nodes: Option<Number<u64>>,
        time: Option<f64>,
        multipv: Option<Number<usize>>,
        moves: MoveArgs,
    ) -> PyResult<Analysis> {
        let limits = root_moves(limits(depth, nodes, time)?, &position, &moves)?;
        self.with(py, move |engine, searches| {
            let mut job = engine.analysis(position.0, limits);
            job.options.multi_pv = multipv.map_or(job.options.multi_pv, |lines| lines.0);
            job.options.multi_pv = job.options.multi_pv.max(1);
            lock(searches).start(job, true, true)
        })?
    }

    /// Searches for the move to play with these clocks, as `search`, and calls `on_info` with what it finds on the
    /// way. The result has the move, the ponder move and the lines.
    ///
    /// >>> game = Game(moves=["f3", "e5", "g4"])
    /// >>> Engine().play(game, clock=Clock(1.5, increment=0.1)).sans
    /// ['Qh4#']
    #[pyo3(signature = (position, *, clock, moves = MoveArgs::default(), on_info = None))]
    fn play(
        &self,
        py: Python<'_>,
        position: GameArg,
        clock: &Bound<'_, Clock>,
        moves: MoveArgs,
        on_info: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PySearchResult> {
        let limits = root_moves(clock.get().limits()?, &position, &moves)?;
        let GameArg(game, passed) = position;
        let reports = on_info.is_some();
        let search = self.with(py, move |engine, searches| {
            let job = engine.reply(game, limits, passed);
            lock(searches).start(job, false, reports)
        })??;
        while let (Some(info), Some(on_info)) = (search.next(py)?, &on_info) {
            on_info.call1((info,))?;
        }
        search.result(py)
    }

    /// Ends the searches that run in other threads; they still have a result.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| lock(&self.shared.searches).stop(|_| true));
    }

    /// Sets an option of UCI; waits for a search of another thread if the option needs that.
    fn set_option(&self, py: Python<'_>, name: String, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value: String = value.str()?.extract()?;
        self.with(py, move |engine, _| set(engine, &name, &value))?
    }

    /// The options with their values.
    ///
    /// >>> Engine(hash=64).options()["Hash"]
    /// 64
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows = self.read(py, |engine| engine.options().to_vec())?;
        let options = PyDict::new(py);
        for row in rows {
            let text = row.text();
            match row.kind() {
                OptionKind::Check => options.set_item(row.name, text == "true"),
                OptionKind::Spin { .. } => options.set_item(row.name, text.parse::<i64>()?),
                OptionKind::String => options.set_item(row.name, text),
                OptionKind::Button => Ok(()),
            }?;
        }
        Ok(options)
    }

    /// The options as the command `uci` lists them, with their defaults and ranges.
    fn option_lines(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, |engine| engine.table().lines().collect())
    }

    /// Forgets what was learned in the last game.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |engine, _| engine.new_game())
    }
}

impl Drop for PyEngine {
    fn drop(&mut self) {
        if !self.owner.is_here() {
            // Its threads cannot be waited for.
            std::mem::forget(Arc::clone(&self.shared));
        }
    }
}

fn root_moves(limits: Limits, game: &GameArg, moves: &MoveArgs) -> PyResult<Limits> {
    let moves = moves.0.iter().map(|mv| mv.legal(game.0.position()));
    Ok(Limits {
        search_moves: moves.collect::<PyResult<_>>()?,
        ..limits
    })
}

/// A search that runs: an iterator of its infos, also for `async for`; `await` waits for its result. Leaving its `with`
/// block stops it.
#[pyclass(module = "castellan", frozen)]
#[derive(Debug)]
pub(crate) struct Analysis {
    task: Arc<Task>,
    messages: Mutex<Receiver<Message>>,
    ended: Mutex<Option<Ended>>,
    position: Position,
    owner: Owner,
}

impl Analysis {
    /// The next info; `None` at the end, which is kept.
    fn next(&self, py: Python<'_>) -> PyResult<Option<PyInfo>> {
        if lock(&self.ended).is_some() {
            return Ok(None);
        }
        self.owner.check()?;
        let position = self.position;
        let next = receive(py, &self.messages, &self.task, |message| match message {
            Message::Info(info) => Some((info, position).into()),
            Message::Ended(ended) => {
                *lock(&self.ended) = Some(*ended);
                None
            }
        });
        next.map(Option::flatten)
    }
}

#[pymethods]
impl Analysis {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyInfo>> {
        self.next(py)
    }

    fn __aiter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __anext__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("castellan._async")?;
        module.call_method1("next_info", (slf,))
    }

    fn __await__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("castellan._async")?;
        module
            .call_method1("result", (slf,))?
            .call_method0("__await__")
    }

    /// Ends the search, which still has a result.
    fn stop(&self) {
        self.task.stop();
    }

    /// Waits for the end and returns the result; infos that have not been read are lost.
    fn result(&self, py: Python<'_>) -> PyResult<PySearchResult> {
        while self.next(py)?.is_some() {}
        match &*lock(&self.ended) {
            Some(Ok(result)) => Ok(result.clone()),
            Some(Err(error)) => Err(option_error(error)),
            None => Err(internal_error()),
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.stop();
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.task.stop();
    }
}
