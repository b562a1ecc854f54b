//! Moves: one Python object for each move of UCI, made when it is first needed.

use formats::typed_move::{TypedMoveError as InvalidMove, parse, parse_in};
use movegen::{Game, Move, Position, Role, SanError, UciMove, Variant};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use crate::errors::{internal_error, move_error, value_error};

/// A move as UCI writes it: two squares, and the piece a pawn promotes to.
///
/// Its legality depends on the position. Castling is the king's two steps, in Chess960 the king
/// moving to its rook.
///
/// >>> move = Move("e7e8q")
/// >>> move.from_square, move.to_square, move.promotion
/// ('e7', 'e8', 'q')
/// >>> str(move), move == Move("e7e8q") == "e7e8q"
/// ('e7e8q', True)
#[pyclass(name = "Move", module = "castellan", frozen)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PyMove {
    uci: UciMove,
    /// That of its text, which it is equal to.
    hash: isize,
}

impl PyMove {
    fn of(py: Python<'_>, uci: UciMove) -> PyResult<Self> {
        let hash = PyString::new(py, &uci.to_string()).hash()?;
        Ok(Self { uci, hash })
    }
}

const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
const COUNT: usize = 64 * 64 * (PROMOTIONS.len() + 1);

/// Making an object costs more than finding a move.
static OBJECTS: [PyOnceLock<Py<PyMove>>; COUNT] = [const { PyOnceLock::new() }; COUNT];

/// A move that becomes the one object of Python for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveObject(UciMove);

impl MoveObject {
    pub(crate) fn new(mv: Move, variant: Variant) -> Self {
        Self(mv.uci(variant))
    }

    fn index(self) -> usize {
        let promotion = PROMOTIONS
            .iter()
            .position(|&role| Some(role) == self.0.promotion)
            .map_or(0, |index| index + 1);
        (promotion * 64 + self.0.from.index()) * 64 + self.0.to.index()
    }

    /// All of them, as the moves of a position's variant are written.
    pub(crate) fn list(moves: impl IntoIterator<Item = Move>, variant: Variant) -> Vec<Self> {
        moves.into_iter().map(|mv| Self::new(mv, variant)).collect()
    }
}

impl<'py> IntoPyObject<'py> for MoveObject {
    type Target = PyMove;
    type Output = Borrowed<'static, 'py, PyMove>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let slot = OBJECTS.get(self.index()).ok_or_else(internal_error)?;
        let object = slot.get_or_try_init(py, || Py::new(py, PyMove::of(py, self.0)?))?;
        Ok(object.bind_borrowed(py))
    }
}

#[pymethods]
impl PyMove {
    #[new]
    fn new(py: Python<'_>, uci: &str) -> PyResult<Self> {
        let parsed = uci.parse::<UciMove>().map_err(InvalidMove::Uci);
        Self::of(py, parsed.map_err(move_error)?)
    }

    /// A move is equal to its text in UCI notation. To compare it with SAN, which depends on the position, is an error.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(other) = other.cast::<Self>() {
            return Ok(self.uci == other.get().uci);
        }
        let Ok(text) = other.extract::<&str>() else {
            return Ok(false);
        };
        if let Ok(other) = text.parse::<UciMove>() {
            // Another spelling of the move has another hash.
            return Ok(self.uci == other && other.to_string() == text);
        }
        match Position::default().move_from_san(text) {
            Err(SanError::Malformed(_)) => Ok(false),
            _ => Err(value_error(format!(
                "'{text}' is SAN, which depends on the position: compare with position.move('{text}')"
            ))),
        }
    }

    fn __hash__(&self) -> isize {
        self.hash
    }

    /// The square of origin.
    #[getter(from_square)]
    fn origin(&self) -> String {
        self.uci.from.to_string()
    }

    /// The destination, or in Chess960 the rook's square for castling.
    #[getter(to_square)]
    fn destination(&self) -> String {
        self.uci.to.to_string()
    }

    /// The piece a pawn promotes to, as a letter.
    #[getter]
    fn promotion(&self) -> Option<char> {
        self.uci.promotion.map(Role::letter)
    }

    fn __str__(&self) -> String {
        self.uci.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.uci)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }
}

/// A move, or its text in UCI notation or in SAN.
#[derive(Debug)]
pub(crate) enum MoveArg {
    Move(UciMove),
    Text(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for MoveArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyMove>() {
            Ok(mv) => Ok(Self::Move(mv.get().uci)),
            Err(_) => Ok(Self::Text(object.extract()?)),
        }
    }
}

/// Moves of any iterable.
#[derive(Debug, Default)]
pub(crate) struct MoveArgs(pub(crate) Vec<MoveArg>);

impl<'a, 'py> FromPyObject<'a, 'py> for MoveArgs {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("expected moves, found a str"));
        }
        let moves = object.try_iter()?.map(|mv| mv?.extract());
        moves.collect::<PyResult<_>>().map(Self)
    }
}

impl MoveArg {
    /// The legal move that is meant.
    pub(crate) fn find(&self, position: &Position) -> Result<Move, InvalidMove> {
        match self {
            Self::Move(mv) => position
                .move_from_uci(&mv.to_string())
                .map_err(InvalidMove::Uci),
            Self::Text(text) => parse_in(position, text),
        }
    }

    /// The legal move that is meant. The error can say how a castling right was lost.
    pub(crate) fn find_in_game(&self, game: &Game) -> Result<Move, InvalidMove> {
        match self {
            Self::Move(mv) => parse(game, &mv.to_string()),
            Self::Text(text) => parse(game, text),
        }
    }

    pub(crate) fn legal(&self, position: &Position) -> PyResult<Move> {
        self.find(position).map_err(move_error)
    }

    pub(crate) fn legal_in_game(&self, game: &Game) -> PyResult<Move> {
        self.find_in_game(game).map_err(move_error)
    }
}
