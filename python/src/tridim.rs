//! Tri-Dimensional chess. Moves are texts: full notation, or the short one where it is clear.

mod game;
mod svg;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use tridim::{CastlingKind, CastlingStatus, GamePosition, Pin, Position, Rules, Setup};

use crate::engine::run;
use crate::errors::{FenError, internal_error, play_error, value_error};
use crate::number::Number;
pub(crate) use game::{Search, TridimCastling, TridimGame, TridimMove};

/// A legal position of Tri-Dimensional chess. Playing a move gives a new one.
///
/// Without a text it is the start position. `rotation` allows attack boards to rotate in place.
///
/// >>> from castellan.tridim import Position
/// >>> position = Position().play("b2W-b4N")
/// >>> position.side_to_move, len(position.legal_moves())
/// ('black', 20)
#[pyclass(
    name = "Position",
    module = "castellan.tridim",
    frozen,
    eq,
    from_py_object
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TridimPosition(Position);

/// The position after a board is activated.
fn activated(position: &Position, pin: &str) -> PyResult<Position> {
    let pin: Pin = pin.parse().map_err(value_error)?;
    position.activate(pin).map_err(play_error)
}

#[pymethods]
impl TridimPosition {
    #[new]
    #[pyo3(signature = (text = None, *, rotation = false))]
    fn new(text: Option<&str>, rotation: bool) -> PyResult<Self> {
        let rules = Rules { rotation };
        let setup = text.unwrap_or(tridim::START_TEXT).parse::<Setup>();
        let position = setup.and_then(|setup| Ok(setup.position(rules)?));
        position
            .map(Self)
            .map_err(|error| FenError::new_err(error.to_string()))
    }

    /// The color to move, `"white"` or `"black"`.
    #[getter]
    fn side_to_move(&self) -> &'static str {
        self.0.side_to_move().name()
    }

    #[getter]
    fn in_check(&self) -> bool {
        self.0.in_check()
    }

    fn is_checkmate(&self) -> bool {
        self.0.is_checkmate()
    }

    fn is_stalemate(&self) -> bool {
        self.0.is_stalemate()
    }

    /// The legal moves in full notation: of pieces, of attack boards, castling.
    fn legal_moves(&self) -> Vec<String> {
        let moves = self.0.legal_moves();
        moves.iter().map(|&mv| self.0.notation(mv)).collect()
    }

    /// The position after a legal move.
    fn play(&self, r#move: &str) -> PyResult<Self> {
        let mv = self.0.read_move(r#move).map_err(play_error)?;
        Ok(Self(self.0.play_unchecked(mv)))
    }

    /// The reason a move is illegal; None if it is legal.
    ///
    /// >>> from castellan.tridim import Position
    /// >>> Position().why_illegal("O-O")
    /// 'cannot castle kingside on KL: castling is not allowed as the first move'
    fn why_illegal(&self, r#move: &str) -> Option<String> {
        let found = self.0.read_move(r#move);
        found.err().map(|error| error.to_string())
    }

    /// The pin of the board that is activated: the turn will be a move of this board.
    #[getter]
    fn activated(&self) -> Option<String> {
        self.0.activated_board().map(|pin| pin.to_string())
    }

    /// The position with the board on a pin activated, which castling is not legal after.
    ///
    /// >>> from castellan.tridim import Position
    /// >>> boards = "W:4/4/4/4,N:4/4/4/4,B:4/1P2/4/4,QL1w:2/R+1,KL1w:2/K+R+,QL6b:1k/2,KL6b:2/2"
    /// >>> Position(f"{boards} w - 0 9").activate("QL1").why_illegal("O-O")
    /// 'cannot castle kingside on KL: the attack board on QL1 is activated this turn'
    fn activate(&self, pin: &str) -> PyResult<Self> {
        activated(&self.0, pin).map(Self)
    }

    /// The position with no board activated.
    fn release(&self) -> Self {
        Self(self.0.release())
    }

    /// A drawing of the boards.
    fn _repr_svg_(&self) -> String {
        svg::picture(&self.0)
    }

    /// The reason each kind of castling is not legal, by its name; None for one that is.
    fn castling(&self) -> Vec<(String, Option<String>)> {
        let kinds = CastlingKind::ALL.into_iter();
        let statuses = kinds.map(|kind| CastlingStatus::new(&self.0, kind));
        statuses
            .map(|status| (status.kind, status.reason))
            .collect()
    }

    /// The number of positions `depth` plies below this one.
    fn perft(&self, py: Python<'_>, depth: Number<u32>) -> PyResult<u64> {
        let position = self.0;
        let counted = run(py, "perft", move |control| {
            tridim::perft(&position, depth.0, control.flag())
        })?;
        counted.ok_or_else(internal_error)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let rotation = if self.0.rules().rotation {
            ", rotation=True"
        } else {
            ""
        };
        format!("Position('{}'{rotation})", self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs_ex__(&self) -> ((String,), BTreeMap<&'static str, bool>) {
        let rotation = ("rotation", self.0.rules().rotation);
        ((self.__str__(),), BTreeMap::from([rotation]))
    }
}
