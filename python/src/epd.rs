//! Lines of EPD.

use std::collections::BTreeMap;

use formats::epd::EpdLine;
use movegen::Variant;
use pyo3::prelude::*;

use crate::errors::{move_error, value_error};
use crate::moves::MoveObject;
use crate::position::{PyPosition, parse_fen};

/// A line of EPD: a position with operations.
///
/// >>> epd = Epd('6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id "Back rank.1";')
/// >>> epd.id, epd.operations["bm"], epd.moves("bm")
/// ('Back rank.1', ['Ra8'], [Move('a1a8')])
#[pyclass(module = "castellan", frozen, eq, hash)]
#[derive(Clone, Debug)]
pub(crate) struct Epd {
    text: String,
    line: EpdLine,
    position: PyPosition,
}

impl PartialEq for Epd {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.position == other.position
    }
}

impl Eq for Epd {}

impl std::hash::Hash for Epd {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

#[pymethods]
impl Epd {
    #[new]
    #[pyo3(signature = (text, chess960 = None))]
    fn new(text: String, chess960: Option<bool>) -> PyResult<Self> {
        let line = EpdLine::parse(&text).map_err(value_error)?;
        let position = PyPosition(parse_fen(&line.fen, chess960)?);
        Ok(Self {
            text,
            line,
            position,
        })
    }

    #[getter]
    fn position(&self) -> PyPosition {
        self.position.clone()
    }

    /// The operand of `id`.
    #[getter]
    fn id(&self) -> Option<String> {
        self.line.id()
    }

    /// The parts that the position cannot have or that break the standard, and were read all the same.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let dropped = self.position.0.dropped.iter().map(ToString::to_string);
        self.line.warnings.iter().cloned().chain(dropped).collect()
    }

    /// The operands of each operation.
    #[getter]
    fn operations(&self) -> BTreeMap<String, Vec<String>> {
        let mut operations = BTreeMap::new();
        for (code, operands) in self.line.operations() {
            // The first counts, as for `moves` and `id`.
            operations
                .entry(code.to_owned())
                .or_insert_with(|| operands.to_vec());
        }
        operations
    }

    /// The moves that are the operands of an operation such as `bm`, without a mate such as `#3`.
    fn moves(&self, code: &str) -> PyResult<Vec<MoveObject>> {
        let position = &self.position.0.position;
        let moves = self.line.moves(code, position).map_err(move_error)?;
        Ok(MoveObject::list(moves, position.variant()))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Epd({:?})", self.text)
    }

    fn __getnewargs__(&self) -> (String, bool) {
        let is_chess960 = self.position.0.position.variant() == Variant::Chess960;
        (self.text.clone(), is_chess960)
    }
}
