//! Games of PGN files.

use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use common::excerpt;
use formats::openings::{self, Opening};
use formats::pgn::{DERIVED_TAGS, GameResult, Games, Record, is_tag_name};
use movegen::Variant;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{PyTraverseError, PyVisit};

use crate::engine::{lock, run};
use crate::errors::{PgnError, os_error, pgn_error, value_error};
use crate::game::PyGame;
use crate::line::Line;
use crate::moves::MoveObject;
use crate::position::PyPosition;

/// A game of a PGN file: tags, moves, comments and variations.
///
/// >>> record = Record("1. e4 {best by test} (1. d4 d5) e5 *")
/// >>> record.sans
/// ['e4', 'e5']
/// >>> node = record.line.moves[0]
/// >>> node.comment, node.variations[0].sans
/// ('best by test', ['d4', 'd5'])
#[pyclass(name = "Record", module = "castellan", frozen, eq, from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct PyRecord(pub(crate) Arc<Record>);

/// Records are equal if they are written the same: a file may state fewer tags.
impl PartialEq for PyRecord {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.pgn() == other.0.pgn()
    }
}

impl PyRecord {
    pub(crate) fn of(record: Record) -> Self {
        Self(Arc::new(record))
    }
}

#[pymethods]
impl PyRecord {
    /// The first game of a text. A copy is given the warnings, which its text does not have.
    #[new]
    #[pyo3(signature = (pgn, warnings = None))]
    fn new(pgn: String, warnings: Option<Vec<String>>) -> PyResult<Self> {
        let mut games = Games::new(Cursor::new(pgn), None);
        match games.next_game()? {
            Some(Ok(record)) => Ok(Self::of(Record {
                warnings: warnings.unwrap_or(record.warnings),
                ..record
            })),
            Some(Err(error)) => Err(pgn_error(&error)),
            None => Err(PgnError::new_err("expected a game, found nothing")),
        }
    }

    /// The record of a game, with these tags, of which Result may also be given as `result`. It must not
    /// contradict the end of the game.
    ///
    /// >>> record = Record.from_game(Game(moves=["e4", "c5"]), {"White": "Ann"}, "1-0")
    /// >>> record.pgn().splitlines()[-2]
    /// '1. e4 c5 1-0'
    #[staticmethod]
    #[pyo3(signature = (game, tags = None, result = "*"))]
    fn from_game(
        game: &Bound<'_, PyGame>,
        tags: Option<&Bound<'_, PyDict>>,
        result: &str,
    ) -> PyResult<Self> {
        with_tags(game.get().pgn(), tags, result)
    }

    /// The record of a line of moves, such as one of another record with other annotations, with tags and
    /// a result as for `from_game`.
    ///
    /// >>> line = Record("1. e4 e5 *").line
    /// >>> first = line.moves[0].replace(comment="best by test", nags=[1])
    /// >>> Record.from_line(Line(line.start, [first, "c5"])).pgn().splitlines()[-2]
    /// '1. e4 $1 {best by test} 1... c5 *'
    #[staticmethod]
    #[pyo3(signature = (line, tags = None, result = "*"))]
    fn from_line(line: Line, tags: Option<&Bound<'_, PyDict>>, result: &str) -> PyResult<Self> {
        let mut record = Record::new(line.start);
        record.main_line = Arc::unwrap_or_clone(line.variation);
        record.result = record.result_on_board();
        with_tags(record, tags, result)
    }

    /// The tags in their order, without `Result`, `FEN` and `SetUp`.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in self.0.tags.iter() {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    /// `"1-0"`, `"0-1"`, `"1/2-1/2"` or `"*"`.
    #[getter]
    fn result(&self) -> &'static str {
        self.0.result.as_str()
    }

    #[getter]
    fn start(&self) -> PyPosition {
        self.0.start.into()
    }

    /// The parts of the text that were not kept: parts of the FEN that its position cannot have, and variations from
    /// an illegal move on.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.clone()
    }

    /// The moves of the main line.
    #[getter]
    fn moves(&self) -> Vec<MoveObject> {
        MoveObject::list(self.0.moves(), self.0.start.variant())
    }

    /// The moves of the main line in SAN.
    #[getter]
    fn sans(&self) -> Vec<String> {
        formats::notation::san_moves(&self.0.start, self.0.moves())
    }

    /// The main line with its annotations.
    #[getter]
    fn line(&self) -> Line {
        Line::new(self.0.start, &self.0.main_line)
    }

    /// The position after the last move, with its history.
    fn game(&self) -> PyGame {
        PyGame::of(self.0.game(), self.0.passed_at_start)
    }

    /// The ECO code and the name of the opening; None if it has none.
    #[getter]
    fn opening(&self) -> Option<Opening> {
        openings::find(&self.0.start, self.0.moves())
    }

    /// A drawing of the last position.
    fn _repr_svg_(&self) -> String {
        self.game()._repr_svg_()
    }

    /// The text for a PGN file, which ends with a blank line.
    fn pgn(&self) -> String {
        self.0.pgn()
    }

    fn __str__(&self) -> String {
        self.0.pgn()
    }

    fn __repr__(&self) -> String {
        format!("Record({:?})", self.0.pgn())
    }

    fn __len__(&self) -> usize {
        self.0.moves().len()
    }

    fn __getnewargs__(&self) -> (String, Vec<String>) {
        (self.0.pgn(), self.0.warnings.clone())
    }
}

/// A record with these tags, and with the result that they or `result` state.
fn with_tags(
    mut record: Record,
    tags: Option<&Bound<'_, PyDict>>,
    result: &str,
) -> PyResult<PyRecord> {
    for (name, value) in tags.into_iter().flatten() {
        let (name, value): (String, String) = (name.extract()?, value.extract()?);
        if name == "Result" {
            state_result(&mut record, &value)?;
        } else if !is_tag_name(&name) {
            let name = excerpt(&name);
            return Err(value_error(format!(
                "invalid tag '{name}': expected a name of letters, digits and '_' \
                 that does not begin with '_'"
            )));
        } else if !DERIVED_TAGS.contains(&name.as_str()) {
            record.tags.set(&name, value);
        }
    }
    state_result(&mut record, result)?;
    Ok(PyRecord::of(record))
}

fn state_result(record: &mut Record, text: &str) -> PyResult<()> {
    let result = GameResult::parse(text)
        .ok_or_else(|| value_error(format!("expected 1-0, 0-1, 1/2-1/2 or *, found '{text}'")))?;
    record.state_result(result).map_err(value_error)
}

/// An open file of Python's, of bytes or text.
struct PythonFile(Arc<Py<PyAny>>);

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A character has at most four bytes.
        let most = (buffer.len() / 4).max(1);
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (most,))?;
            let bytes = match read.extract::<&str>() {
                Ok(text) => text.as_bytes(),
                Err(_) => read.extract::<&[u8]>()?,
            };
            let fits = buffer.get_mut(..bytes.len());
            let fits = fits.ok_or_else(|| value_error("read() returned more than asked for"))?;
            fits.copy_from_slice(bytes);
            Ok(bytes.len())
        })
        .map_err(|error: PyErr| error.into())
    }
}

/// A file that is read without Python, such as a pipe: a signal may end a wait for it.
struct RustFile(File);

impl Read for RustFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).or_else(|error| match error.kind() {
            ErrorKind::Interrupted => Python::attach(|py| {
                py.check_signals().map_err(io::Error::other)?;
                Err(error)
            }),
            _ => Err(error),
        })
    }
}

/// The games of a PGN file, in the memory of one game.
#[pyclass(module = "castellan", frozen)]
pub(crate) struct PgnReader {
    games: Mutex<Games<BufReader<Box<dyn Read + Send>>>>,
    /// The object that the games are read from, if it is one of Python's.
    file: Option<Arc<Py<PyAny>>>,
    on_error: Option<Py<PyAny>>,
}

impl PgnReader {
    fn new(
        input: impl Read + Send + 'static,
        file: Option<Arc<Py<PyAny>>>,
        chess960: Option<bool>,
        on_error: Option<Py<PyAny>>,
    ) -> Self {
        let input: Box<dyn Read + Send> = Box::new(input);
        let input = BufReader::with_capacity(1 << 16, input);
        let games = Games::new(input, chess960.map(Variant::from_chess960));
        Self {
            games: Mutex::new(games),
            file,
            on_error,
        }
    }
}

#[pymethods]
impl PgnReader {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyRecord>> {
        loop {
            py.check_signals()?;
            let next = py.detach(|| lock(&self.games).next_game());
            match (next?, &self.on_error) {
                (None, _) => return Ok(None),
                (Some(Ok(record)), on_error) => {
                    if let Some(on_error) = on_error {
                        for warning in &record.warnings {
                            on_error.call1(py, (PgnError::new_err(warning.clone()),))?;
                        }
                    }
                    return Ok(Some(PyRecord::of(record)));
                }
                (Some(Err(invalid)), on_error) => {
                    let error = pgn_error(&invalid);
                    let part = invalid.part.map(|part| PyRecord::of(*part));
                    error.value(py).setattr("record", part)?;
                    match on_error {
                        None => return Err(error),
                        Some(on_error) => on_error.call1(py, (error,))?,
                    };
                }
            }
        }
    }

    /// For the reason of `Batch` there is no `__clear__`.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.file.as_deref())?;
        visit.call(&self.on_error)
    }
}

/// The games of a PGN file, one after the other: a path, also of a file compressed with gzip or
/// Zstandard, or an open file. `chess960` is for games without a Variant tag.
///
/// An invalid game raises PgnError, after which the iterator goes on with the next game; with
/// `on_error`, that is called with the error instead, and with what is not kept of a valid game.
/// The error's `record` is the game up to an illegal move.
#[pyfunction]
#[pyo3(signature = (path, *, chess960 = None, on_error = None))]
pub(crate) fn read_pgn(
    py: Python<'_>,
    path: &Bound<'_, PyAny>,
    chess960: Option<bool>,
    on_error: Option<Py<PyAny>>,
) -> PyResult<PgnReader> {
    let opened = |file: Bound<'_, PyAny>| {
        let file = Arc::new(file.unbind());
        PgnReader::new(
            PythonFile(Arc::clone(&file)),
            Some(file),
            chess960,
            on_error.as_ref().map(|call| call.clone_ref(py)),
        )
    };
    if path.hasattr("read")? {
        return Ok(opened(path.clone()));
    }
    let path: PathBuf = path.extract()?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        return Ok(opened(py.import("gzip")?.call_method1("open", (path,))?));
    }
    if path.extension().is_some_and(|extension| extension == "zst") {
        // Of the standard library from Python 3.14 on.
        let library = py
            .import("compression.zstd")
            .or_else(|_| py.import("zstandard"))?;
        return Ok(opened(library.call_method1("open", (path,))?));
    }
    // A named pipe may have to wait for its writer.
    let file = run(py, "open", move |_| {
        File::open(&path).map_err(|error| (error, path))
    })?;
    let file = file.map_err(|(error, path)| os_error(error, path))?;
    Ok(PgnReader::new(RustFile(file), None, chess960, on_error))
}

/// The games of a text, or of bytes in UTF-8, Latin-1 or Windows-1252, as `read_pgn`.
///
/// >>> [record.sans for record in parse_pgn("1. e4 *\n\n1. d4 *\n")]
/// [['e4'], ['d4']]
#[pyfunction]
#[pyo3(signature = (pgn, *, chess960 = None, on_error = None))]
pub(crate) fn parse_pgn(
    pgn: &Bound<'_, PyAny>,
    chess960: Option<bool>,
    on_error: Option<Py<PyAny>>,
) -> PyResult<PgnReader> {
    let text = match pgn.cast::<PyBytes>() {
        Ok(bytes) => bytes.as_bytes().to_vec(),
        Err(_) => pgn.extract::<String>()?.into_bytes(),
    };
    Ok(PgnReader::new(Cursor::new(text), None, chess960, on_error))
}
