//! Moves: one Python object for each move of UCI, made when it is first needed.

use formats::typed_move::{TypedMoveError as InvalidMove, parse, parse_in};
use movegen::{Game, Move, Position, Role, UciMove, Variant};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::errors::{internal_error, move_error};

/// A move as UCI writes it: two squares, and the piece a pawn promotes to.
///
/// Its legality depends on the position. Castling is the king's two steps, in Chess960 the king
/// moving to its rook.
///
/// >>> move = Move("e7e8q")
/// >>> move.from_square, move.to_square, move.promotion
/// ('e7', 'e8', 'q')
/// >>> str(move), move == Move("e7e8q")
/// ('e7e8q', True)
#[pyclass(name = "Move", module = "castellan", frozen, eq, hash)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PyMove(pub(crate) UciMove);

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
        let object = slot.get_or_try_init(py, || Py::new(py, PyMove(self.0)))?;
        Ok(object.bind_borrowed(py))
    }
}

#[pymethods]
impl PyMove {
    #[new]
    fn new(uci: &str) -> PyResult<Self> {
        let parsed = uci.parse::<UciMove>();
        parsed
            .map(Self)
            .map_err(|error| move_error(&InvalidMove::Uci(error)))
    }

    /// The square of origin.
    #[getter(from_square)]
    fn origin(&self) -> String {
        self.0.from.to_string()
    }

    /// The destination, or in Chess960 the rook's square for castling.
    #[getter(to_square)]
    fn destination(&self) -> String {
        self.0.to.to_string()
    }

    /// The piece a pawn promotes to, as a letter.
    #[getter]
    fn promotion(&self) -> Option<char> {
        self.0.promotion.map(Role::letter)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
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
            Ok(mv) => Ok(Self::Move(mv.get().0)),
            Err(_) => Ok(Self::Text(object.extract()?)),
        }
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
        self.find(position).map_err(|error| move_error(&error))
    }
}
