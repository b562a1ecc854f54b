//! What several functions take: a position in any form.

use pyo3::prelude::*;

use crate::game::PyGame;
use crate::position::{PyPosition, parse_fen};

/// A position by its FEN, or with the history of a game.
#[derive(Debug)]
pub(crate) struct GameArg(pub(crate) movegen::Game);

impl<'a, 'py> FromPyObject<'a, 'py> for GameArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let game = if let Ok(position) = object.cast::<PyPosition>() {
            movegen::Game::new(position.get().0.position)
        } else if let Ok(game) = object.cast::<PyGame>() {
            game.get().history()
        } else {
            movegen::Game::new(parse_fen(object.extract()?, false)?.position)
        };
        Ok(Self(game))
    }
}
