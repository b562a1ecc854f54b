//! Many positions at once: perft, arrays for networks, batches and annotation on all cores.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, TryLockError};

use common::input::LineReader;
use formats::epd::EpdLine;
use formats::uci_position::{PositionLine, UciPosition};
use game::annotation::{self, EvaluateError, GameEvaluation, SideReport};
use game::parallel::ordered_map;
use movegen::{Bitboard, CastlingSide, Color, Move, Position, Role, Square, Variant};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyIterator, PyMapping};
use pyo3::{PyTraverseError, PyVisit};
use search::{Score, Searcher};
use service::background::Task;
use service::{Engine, limits_or_default, memory, perft};

use crate::arguments::GameArg;
use crate::engine::{Owner, PyEngine, engine, limits, lock, receive, run};
use crate::errors::{
    FenError, internal_error, line_error, option_error, unreadable_line, value_error,
};
use crate::game::PyGame;
use crate::moves::MoveObject;
use crate::number::Number;
use crate::pgn::PyRecord;
use crate::results::PySearchResult;

/// A number of threads, within the engine's range.
fn parallel(name: &str, Number(wanted): Number<usize>) -> PyResult<usize> {
    const MOST: usize = 1024;
    if (1..=MOST).contains(&wanted) {
        return Ok(wanted);
    }
    Err(value_error(format!(
        "expected {name} from 1 to {MOST}, found {wanted}"
    )))
}

/// The number of searches at the same time, no more than fit into memory.
fn jobs(wanted: Option<Number<usize>>, engine: &Engine) -> PyResult<usize> {
    let wanted = wanted.map(|jobs| parallel("jobs", jobs)).transpose()?;
    Ok(memory::jobs(wanted, engine.config()))
}

/// The number of leaves `depth` plies below a position.
///
/// >>> perft(Position(), 4)
/// 197281
#[pyfunction(name = "perft")]
#[pyo3(signature = (position, depth, *, threads = Number(1)), text_signature = "(position, depth, *, threads=1)")]
pub(crate) fn perft_nodes(
    py: Python<'_>,
    position: GameArg,
    depth: Number<u32>,
    threads: Number<usize>,
) -> PyResult<u64> {
    Ok(count(py, &position, depth, threads)?.nodes)
}

/// The number of leaves below each legal move.
///
/// >>> divide(Position("7k/8/8/8/8/8/p7/7K b"), 2)[Move("h8g8")]
/// 3
#[pyfunction]
#[pyo3(signature = (position, depth, *, threads = Number(1)), text_signature = "(position, depth, *, threads=1)")]
pub(crate) fn divide<'py>(
    py: Python<'py>,
    position: GameArg,
    depth: Number<u32>,
    threads: Number<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let leaves = PyDict::new(py);
    let variant = position.0.position().variant();
    for (mv, nodes) in count(py, &position, depth, threads)?.moves {
        leaves.set_item(MoveObject::new(mv, variant), nodes)?;
    }
    Ok(leaves)
}

fn count(
    py: Python<'_>,
    game: &GameArg,
    depth: Number<u32>,
    threads: Number<usize>,
) -> PyResult<perft::Perft> {
    let position = *game.0.position();
    let threads = parallel("threads", threads)?;
    let counted = run(py, "perft", move |control| {
        perft::count(&position, depth.0, threads, control.flag())
    })?;
    counted.map_err(option_error)
}

fn extract_positions(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Position>> {
    let positions = positions.try_iter()?;
    let position = |item: PyResult<Bound<'_, PyAny>>| Ok(*item?.extract::<GameArg>()?.0.position());
    positions.map(position).collect()
}

/// The number of planes of a position.
const PLANES: usize = 18;

/// A byte for each position, plane, rank and file. The planes are the squares of the pieces
/// (PNBRQKpnbrqk), those of White to move (all or none), of the four castling rights (all or none, KQkq) and
/// the en passant square.
#[pyfunction]
pub(crate) fn plane_bytes<'py>(positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyByteArray>> {
    let py = positions.py();
    let positions = extract_positions(positions)?;
    let bytes = py.detach(|| {
        let planes = positions.iter().flat_map(planes);
        let bytes =
            planes.flat_map(|plane| Square::all().map(move |square| plane.has(square).into()));
        bytes.collect::<Vec<u8>>()
    });
    Ok(PyByteArray::new(py, &bytes))
}

fn planes(position: &Position) -> [Bitboard; PLANES] {
    let all_if = |is: bool| if is { Bitboard::FULL } else { Bitboard::EMPTY };
    let rights = position.castling_rights();
    let pieces = |color| Role::ALL.map(|role| position.pieces(color, role));
    let may_castle = |color| {
        let rook = |side| rights.rook(color, side, position.king(color));
        CastlingSide::ALL.map(|side| all_if(rook(side).is_some()))
    };
    let sets = Color::ALL
        .into_iter()
        .flat_map(pieces)
        .chain([all_if(position.side_to_move() == Color::White)])
        .chain(Color::ALL.into_iter().flat_map(may_castle))
        .chain(position.en_passant().map(Bitboard::of));
    let mut planes = [Bitboard::EMPTY; PLANES];
    for (plane, set) in planes.iter_mut().zip(sets) {
        *plane = set;
    }
    planes
}

/// The static evaluation of each position in pawns, as the bytes of 32-bit floats.
#[pyfunction]
pub(crate) fn evaluation_bytes<'py>(
    positions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let py = positions.py();
    let positions = extract_positions(positions)?;
    let bytes: Vec<u8> = py.detach(|| {
        let network = search::nnue::embedded();
        let pawns = positions.iter().map(|position| {
            let score = Score::eval(search::evaluate(position, network));
            search::centipawns(score, position) as f32 / 100.0
        });
        pawns.flat_map(f32::to_ne_bytes).collect()
    });
    Ok(PyByteArray::new(py, &bytes))
}

/// Searches many positions, `castellan.analyze` on this machine, with the
/// number of the first line, and an engine whose options and open files are used.
#[pyfunction]
#[pyo3(signature = (positions, *, depth = None, nodes = None, time = None, multipv = None, jobs = None, threads = None, hash = None, options = None, on_error = None, engine = None, first_line = 1))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn analyze(
    py: Python<'_>,
    positions: &Bound<'_, PyAny>,
    depth: Option<Number<u32>>,
    nodes: Option<Number<u64>>,
    time: Option<f64>,
    multipv: Option<Number<usize>>,
    jobs: Option<Number<usize>>,
    threads: Option<Number<u32>>,
    hash: Option<Number<u32>>,
    options: Option<&Bound<'_, PyMapping>>,
    on_error: Option<Py<PyAny>>,
    engine: Option<&Bound<'_, PyEngine>>,
    first_line: u64,
) -> PyResult<Batch> {
    let engine = self::engine(py, engine, threads, hash, options)?;
    let jobs = self::jobs(jobs, &engine)?;
    let limits = limits_or_default(limits(depth, nodes, time)?);
    let (sender, results) = sync_channel(0);
    let (items, to_search) = channel();
    let (wanted, requests) = channel();
    let items = Arc::new(Mutex::new(Some(items)));
    let input_error = Arc::new(Mutex::new(None));
    let input = Input {
        requests: Mutex::new(requests),
        items: Arc::clone(&items),
        line: AtomicU64::new(first_line),
        variant: engine.config().chess960.then_some(Variant::Chess960),
        error: Arc::clone(&input_error),
    };
    let task = Task::start("analyze", (), move |(), control| {
        let next = move || Ok(to_search.recv().ok());
        let process = |searcher: &mut Searcher, item: PyResult<Item>| {
            let mut item = item?;
            let game = &item.line.position.game;
            let mut options = engine.search_options(limits.clone());
            options.multi_pv = multipv.map_or(options.multi_pv, |lines| lines.0).max(1);
            searcher.new_game();
            let result = searcher.search(game, &options, control, &mut ());
            if let Some(outcome) = search::drawn_game(game) {
                let warning = format!("the game is over: {outcome}");
                item.line.warnings.push(warning);
            }
            let mv = result.best_move;
            let mate = result
                .lines
                .first()
                .and_then(|line| line.score.mate_distance());
            let judged = item.line.epd.as_ref().map_or(Ok(None), |epd| {
                epd.solved(item.line.position.game.position(), mv, mate)
            });
            let solved = judged.unwrap_or_else(|fault| {
                item.line.warnings.push(fault);
                None
            });
            let ponder = result.ponder;
            let mut result = PySearchResult::new(result, mv, ponder, *game.position());
            result.line = Some(item.number);
            result.id = item.line.epd.as_ref().and_then(EpdLine::id);
            result.warnings = item.line.warnings;
            result.solved = solved;
            Ok(result)
        };
        let done: Result<(), EvaluateError> = ordered_map(
            jobs,
            next,
            || Ok(engine.builder().build()?),
            process,
            |result| {
                Ok(match sender.send(Some(result)) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                })
            },
        );
        if let Err(error) = done {
            let _ = sender.send(Some(Err(option_error(error))));
        }
        let _ = sender.send(None);
    });
    let state = BatchState {
        input: Some(input),
        wanted: Some(wanted),
        waiting: 0,
    };
    Ok(Batch {
        task: task.map_err(|(error, ())| option_error(error))?,
        jobs,
        owner: Owner::new(),
        positions: positions.try_iter()?.unbind(),
        on_error,
        items,
        input_error,
        state: Mutex::new(state),
        results: Mutex::new(results),
    })
}

/// A text with control characters escaped, as the command writes errors.
#[pyfunction]
pub(crate) fn escape_controls(text: &str) -> String {
    common::escape_controls(text)
}

/// The start of a text with control characters escaped, as the command writes names.
#[pyfunction]
pub(crate) fn excerpt(text: &str) -> String {
    common::excerpt(text)
}

/// The positions to search; `None` when there are no more.
type Items = Arc<Mutex<Option<Sender<PyResult<Item>>>>>;

/// The error of the iterator, which is raised after the results.
type IteratorError = Arc<Mutex<Option<PyErr>>>;

/// A game whose position is searched, and what else its line says.
#[derive(Debug)]
struct Item {
    number: u64,
    line: PositionLine,
}

/// The results of `analyze`.
#[pyclass(module = "castellan", frozen)]
#[derive(Debug)]
pub(crate) struct Batch {
    task: Task,
    jobs: usize,
    owner: Owner,
    positions: Py<PyIterator>,
    on_error: Option<Py<PyAny>>,
    items: Items,
    input_error: IteratorError,
    state: Mutex<BatchState>,
    /// `None` is the end.
    results: Mutex<Receiver<Option<PyResult<PySearchResult>>>>,
}

#[derive(Debug)]
struct BatchState {
    /// Until its thread is started for the first result.
    input: Option<Input>,
    /// Takes a request for each position; `None` after the end.
    wanted: Option<Sender<Py<PyIterator>>>,
    /// The requests without a result.
    waiting: usize,
}

/// The work of the thread of `castellan/_input.py` for a batch.
#[pyclass(frozen)]
#[derive(Debug)]
struct Input {
    requests: Mutex<Receiver<Py<PyIterator>>>,
    items: Items,
    /// The number of the next line.
    line: AtomicU64,
    /// That of every FEN; without one the FEN decides.
    variant: Option<Variant>,
    error: IteratorError,
}

#[pymethods]
impl Input {
    /// Waits until another position is wanted; None after the last one.
    fn wanted(&self, py: Python<'_>) -> Option<Py<PyIterator>> {
        let request = py.detach(|| lock(&self.requests).recv().ok());
        request.filter(|_| lock(&self.items).is_some())
    }

    /// Takes a position, or the error in its place; false for a line without one.
    fn take(&self, item: &Bound<'_, PyAny>) -> bool {
        let line = self.line.fetch_add(1, Ordering::Relaxed);
        let item = item_of(item, line, self.variant).transpose();
        item.map(|item| self.send(item)).is_some()
    }

    /// Ends the input, with an error of the iterator.
    fn end(&self, error: Option<Bound<'_, PyAny>>) {
        *lock(&self.error) = error.map(PyErr::from_value);
        lock(&self.items).take();
    }
}

impl Input {
    fn send(&self, item: PyResult<Item>) {
        if let Some(items) = &*lock(&self.items) {
            // Fails only after the task has ended, which the results say.
            let _ = items.send(item);
        }
    }
}

/// A position, or a line of a file, text or bytes; `None` if that is blank or a comment.
fn item_of(
    item: &Bound<'_, PyAny>,
    number: u64,
    variant: Option<Variant>,
) -> PyResult<Option<Item>> {
    const BYTE_ORDER_MARK: char = '\u{feff}';
    let text = match item.cast::<PyBytes>() {
        Ok(bytes) => LineReader::new(bytes.as_bytes())
            .next_line()
            .map_err(|error| unreadable_line(&error, number))?
            .unwrap_or_default(),
        Err(_) => match item.extract::<String>() {
            Ok(text) => text,
            Err(_) => {
                let mut line = PositionLine::default();
                line.position.game = item.extract::<GameArg>()?.0;
                return Ok(Some(Item { number, line }));
            }
        },
    };
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    if text.trim().is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    match UciPosition::parse_line(text.trim(), variant) {
        Ok(line) => Ok(Some(Item { number, line })),
        Err(error) => Err(line_error(&error, text, number)),
    }
}

#[pymethods]
impl Batch {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PySearchResult>> {
        self.owner.check()?;
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(value_error("another thread waits for the next result"));
            }
        };
        if let Some(input) = state.input.take() {
            let input = Bound::new(py, input)?;
            let methods = ["wanted", "take", "end"].map(|name| input.getattr(name));
            let [wanted, take, end] = methods;
            let module = py.import("castellan._input")?;
            module.call_method1("start", (wanted?, take?, end?))?;
        }
        while let Some(wanted) = &state.wanted {
            for _ in state.waiting..self.jobs {
                // Fails after the end of the input.
                let _ = wanted.send(self.positions.clone_ref(py));
            }
            state.waiting = self.jobs;
            let result = match receive(py, &self.results, &self.task, |result| result) {
                Ok(Some(Some(result))) => result,
                ended => {
                    state.wanted = None;
                    return match ended? {
                        Some(_) => lock(&self.input_error).take().map_or(Ok(None), Err),
                        None => Err(internal_error()),
                    };
                }
            };
            state.waiting -= 1;
            match (result, &self.on_error) {
                (Err(error), Some(on_error)) if error.is_instance_of::<FenError>(py) => {
                    on_error.call1(py, (error,))?;
                }
                (result, _) => return result.map(Some),
            }
        }
        Ok(None)
    }

    /// There is no `__clear__`: as with a tuple, a cycle has other objects that can be cleared.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.positions)?;
        visit.call(&self.on_error)
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.task.stop();
        // Its threads do not wait for an input that waits.
        lock(&self.items).take();
    }
}

/// A game with evaluations, assessments and better lines, and what they say about both sides.
#[pyclass(module = "castellan", frozen, get_all, new = "from_fields", eq)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Annotation {
    record: PyRecord,
    white: Side,
    black: Side,
    /// The engine's move in the start position and after each move, in UCI notation; None at the end of
    /// a game.
    best_moves: Vec<Option<String>>,
}

#[pymethods]
impl Annotation {
    fn __getnewargs__(&self) -> (PyRecord, Side, Side, Vec<Option<String>>) {
        let moves = self.best_moves.clone();
        (self.record.clone(), self.white, self.black, moves)
    }
}

/// The quality of one side's play.
#[pyclass(
    module = "castellan",
    frozen,
    get_all,
    new = "from_fields",
    eq,
    from_py_object
)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side {
    /// The average centipawn loss; None without moves.
    acpl: Option<i64>,
    /// In percent; None without moves.
    accuracy: Option<f64>,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

impl From<SideReport> for Side {
    fn from(report: SideReport) -> Self {
        Self {
            acpl: report.acpl,
            accuracy: report.accuracy,
            inaccuracies: report.inaccuracies,
            mistakes: report.mistakes,
            blunders: report.blunders,
        }
    }
}

#[pymethods]
impl Side {
    fn __getnewargs__(&self) -> (Option<i64>, Option<f64>, u32, u32, u32) {
        (
            self.acpl,
            self.accuracy,
            self.inaccuracies,
            self.mistakes,
            self.blunders,
        )
    }
}

/// Annotates a game: `castellan.annotate` on this machine, with an engine whose options and open files are used.
#[pyfunction]
#[pyo3(signature = (game, *, depth = None, nodes = None, time = None, jobs = None, hash = None, options = None, engine = None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn annotate(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    depth: Option<Number<u32>>,
    nodes: Option<Number<u64>>,
    time: Option<f64>,
    jobs: Option<Number<usize>>,
    hash: Option<Number<u32>>,
    options: Option<&Bound<'_, PyMapping>>,
    engine: Option<&Bound<'_, PyEngine>>,
) -> PyResult<Annotation> {
    let mut record = match game.cast::<PyGame>() {
        Ok(game) => game.get().pgn(),
        Err(_) => game.cast::<PyRecord>()?.get().0.as_ref().clone(),
    };
    let engine = self::engine(py, engine, None, hash, options)?;
    let jobs = self::jobs(jobs, &engine)?;
    let limits = limits_or_default(limits(depth, nodes, time)?);
    let annotated = run(py, "annotate", move |control| {
        let mut evaluations = Vec::new();
        let evaluation = GameEvaluation {
            record: &record,
            done: 0,
            jobs,
            options: &engine.search_options(limits),
            stop: control,
        };
        let done = evaluation.run(
            || engine.builder().build(),
            || {},
            |found| evaluations.extend(found),
        );
        done.map(|()| {
            let report = annotation::annotate(&mut record, &evaluations);
            (record, report, evaluations)
        })
    })?;
    let (record, report, evaluations) = annotated.map_err(option_error)?;
    let uci = |mv: &Move| mv.uci(record.start.variant()).to_string();
    let evaluations = evaluations.iter();
    let best_moves = evaluations
        .map(|found| found.line.first().map(uci))
        .collect();
    Ok(Annotation {
        best_moves,
        record: PyRecord::of(record),
        white: report.white.into(),
        black: report.black.into(),
    })
}
