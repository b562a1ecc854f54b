//! Syzygy tablebases.

use std::path::PathBuf;

use pyo3::prelude::*;
use search::Wdl;

use crate::arguments::GameArg;
use crate::errors::value_error;

/// The Syzygy tablebases of some folders.
#[pyclass(module = "castellan", frozen)]
#[derive(Debug)]
pub(crate) struct Tablebases(search::Tablebases);

#[pymethods]
impl Tablebases {
    #[new]
    #[pyo3(signature = (*folders))]
    fn new(folders: Vec<PathBuf>) -> PyResult<Self> {
        let (tables, errors) = search::Tablebases::find(&folders);
        match errors.first() {
            None => Ok(Self(tables)),
            Some(error) => Err(value_error(error)),
        }
    }

    /// The value of a position for the side to move, its halfmove clock at 0: 2 if it is won, 1 if the
    /// fifty-move rule draws that, 0, -1 and -2; None if no table has it.
    fn probe_wdl(&self, position: GameArg) -> Option<i8> {
        let wdl = self.0.wdl(position.0.position())?;
        Some(match wdl {
            Wdl::Loss => -2,
            Wdl::BlessedLoss => -1,
            Wdl::Draw => 0,
            Wdl::CursedWin => 1,
            Wdl::Win => 2,
        })
    }

    /// The plies to the next capture, pawn move or mate, negative for the side that loses; it may be one
    /// more. None if no table has it.
    fn probe_dtz(&self, position: GameArg) -> Option<i32> {
        let dtz = self.0.dtz(position.0.position())?;
        Some(dtz.plies)
    }

    /// The number of pieces of the largest tables.
    #[getter]
    fn pieces(&self) -> u32 {
        self.0.count().pieces
    }
}
