//! Castellan for Python: names and conversions over `movegen`, `game`, `tridim` and the engine
//! service. No logic of its own; what Python sees of it is in `castellan/`.

#![deny(clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "arguments are extracted from Python's objects, which gives values"
)]

mod arguments;
mod batch;
mod clock;
mod engine;
mod epd;
mod errors;
mod game;
mod line;
mod moves;
mod number;
mod pgn;
mod polyglot;
mod position;
mod results;
mod svg;
mod syzygy;
mod tridim;

use pyo3::prelude::*;

/// The compiled part of castellan.
#[pymodule(gil_used = false)]
mod _castellan {
    use crate::tridim::{Search, TridimCastling, TridimGame, TridimMove, TridimPosition};
    #[pymodule_export]
    use crate::{
        batch::{
            Annotation, Batch, Side, analyze, annotate, divide, escape_controls, evaluation_bytes,
            excerpt, perft_nodes, plane_bytes,
        },
        clock::Clock,
        engine::{Analysis, PyEngine},
        epd::Epd,
        game::{PyGame, PyOutcome},
        line::{Line, Node},
        moves::PyMove,
        pgn::{PgnReader, PyRecord, parse_pgn, read_pgn},
        polyglot::{PyBook, polyglot, polyglot_key, write_polyglot},
        position::{CastlingCondition, PyPosition},
        results::{PyInfo, PyScore, PySearchResult},
        syzygy::Tablebases,
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Their own names are taken here.
        let py = module.py();
        module.add("TridimPosition", py.get_type::<TridimPosition>())?;
        module.add("TridimGame", py.get_type::<TridimGame>())?;
        module.add("TridimMove", py.get_type::<TridimMove>())?;
        module.add("TridimCastling", py.get_type::<TridimCastling>())?;
        module.add("TridimSearch", py.get_type::<Search>())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
