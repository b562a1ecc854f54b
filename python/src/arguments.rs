//! Arguments of several functions: a position in any form.

use formats::polyglot::{key, passed_square};
use movegen::{Game, Square};
use pyo3::prelude::*;

use crate::game::PyGame;
use crate::position::PositionArg;

/// A position, its FEN, or a position with the history of a game, and the square that a pawn had skipped before
/// the first move.
#[derive(Debug)]
pub(crate) struct GameArg(pub(crate) Game, pub(crate) Option<Square>);

impl GameArg {
    /// The key in Polyglot's books.
    pub(crate) fn key(&self) -> u64 {
        key(self.0.position(), passed_square(&self.0, self.1))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for GameArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(game) = object.cast::<PyGame>() {
            let (game, passed) = game.get().history();
            return Ok(Self(game, passed));
        }
        let PositionArg(read) = object.extract()?;
        Ok(Self(Game::new(read.position), read.en_passant))
    }
}
