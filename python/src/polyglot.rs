//! Opening books in Polyglot's format.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Mutex;

use formats::polyglot::{Book, BookError, BookMoves, Choice, book};
use pyo3::prelude::*;

use crate::arguments::GameArg;
use crate::engine::lock;
use crate::errors::{option_error, os_error};
use crate::moves::{MoveArg, MoveObject};
use crate::number::Number;

/// An open book.
#[pyclass(name = "Book", module = "castellan", frozen)]
#[derive(Debug)]
pub(crate) struct PyBook(Mutex<Book<File>>);

/// Opens a book in Polyglot's format.
#[pyfunction]
pub(crate) fn polyglot(path: PathBuf) -> PyResult<PyBook> {
    let book = Book::open(&path).map_err(|error| match error {
        BookError::Read(error) => os_error(error, path),
        error => {
            let path = path.display();
            option_error(format_args!("cannot use the book '{path}': {error}"))
        }
    })?;
    Ok(PyBook(Mutex::new(book)))
}

/// Writes a book in Polyglot's format, of positions (games for those whose last move counts), moves and weights
/// from 0 to 65535.
#[pyfunction]
pub(crate) fn write_polyglot(path: PathBuf, entries: &Bound<'_, PyAny>) -> PyResult<()> {
    let entry = |entry: PyResult<Bound<'_, PyAny>>| {
        let (game, mv, weight): (GameArg, MoveArg, Number<u16>) = entry?.extract()?;
        let mv = mv.legal(game.0.position())?;
        Ok((game.key(), mv, weight.0))
    };
    let entries = entries.try_iter()?.map(entry);
    let entries: Vec<_> = entries.collect::<PyResult<_>>()?;
    fs::write(&path, book(entries)).map_err(|error| os_error(error, path))
}

impl PyBook {
    fn find(&self, game: &GameArg) -> PyResult<(BookMoves, u64)> {
        let key = game.key();
        let found = lock(&self.0)
            .find(game.0.position(), key)
            .map_err(option_error)?;
        Ok((found, key))
    }
}

#[pymethods]
impl PyBook {
    /// The moves for a position, or the last one of a game, with their weights, the heaviest first.
    fn moves(&self, position: GameArg) -> PyResult<Vec<(MoveObject, u32)>> {
        let variant = position.0.position().variant();
        let (found, _) = self.find(&position)?;
        let moves = found.moves.into_iter();
        Ok(moves
            .map(|known| (MoveObject::new(known.mv, variant), known.weight))
            .collect())
    }

    /// A move of the book, chosen by a seed with a probability proportional to its weight; without
    /// a seed the one of the greatest weight. None if the book has no move.
    #[pyo3(signature = (position, *, seed = None))]
    fn pick(&self, position: GameArg, seed: Option<Number<u64>>) -> PyResult<Option<MoveObject>> {
        let variant = position.0.position().variant();
        let (found, key) = self.find(&position)?;
        let choice = seed.map_or(Choice::Best, |Number(seed)| Choice::Weighted { seed });
        let picked = choice.pick(&found, key);
        Ok(picked.map(|known| MoveObject::new(known.mv, variant)))
    }

    /// The number of entries.
    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(lock(&self.0).entries())?)
    }
}

/// The key of a position in Polyglot's books.
///
/// >>> hex(polyglot_key(Position()))
/// '0x463b96181691fc9c'
#[pyfunction]
pub(crate) fn polyglot_key(position: GameArg) -> u64 {
    position.key()
}
