//! The exceptions, which `castellan/errors.py` defines, and how errors become them.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use common::input::InputError;
use formats::pgn::InvalidGame;
use formats::typed_move::TypedMoveError as InvalidMove;
use formats::uci_position::PositionError;
use movegen::{FenError as InvalidFen, SanError, UciMoveError};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::{PyErr, import_exception};

import_exception!(castellan.errors, ClaimError);
import_exception!(castellan.errors, FenError);
import_exception!(castellan.errors, MoveError);
import_exception!(castellan.errors, OptionError);
import_exception!(castellan.errors, PgnError);

pub(crate) fn fen_error(error: &InvalidFen, fen: &str) -> PyErr {
    let text = error.to_string();
    FenError::new_err((text.clone(), text, error.column(fen)))
}

/// The error of a line of a file.
pub(crate) fn line_error(error: &PositionError, text: &str, line: u64) -> PyErr {
    let column = match error {
        PositionError::Fen(error) => error.column(text),
        _ => None,
    };
    error_in_line(error, column, line)
}

/// Converts the error of a line that is not text.
pub(crate) fn unreadable_line(error: &InputError, line: u64) -> PyErr {
    error_in_line(error, None, line)
}

fn error_in_line(error: impl Display, column: Option<usize>, line: u64) -> PyErr {
    let reason = error.to_string();
    FenError::new_err((format!("line {line}: {reason}"), reason, column, line))
}

/// Every reason a move is refused, without the move.
pub(crate) fn reason(error: &InvalidMove) -> String {
    match error {
        InvalidMove::Uci(UciMoveError::Illegal { reasons, .. })
        | InvalidMove::San(SanError::Illegal { reasons, .. }) => format!("{reasons:#}"),
        _ => error.to_string(),
    }
}

pub(crate) fn move_error(error: InvalidMove) -> PyErr {
    MoveError::new_err((error.to_string(), reason(&error)))
}

/// A move that cannot be played, whose message is the reason.
pub(crate) fn play_error(error: impl Display) -> PyErr {
    MoveError::new_err(error.to_string())
}

pub(crate) fn pgn_error(error: &InvalidGame) -> PyErr {
    let no_column: Option<usize> = None;
    PgnError::new_err((error.to_string(), error.reason(), no_column, error.line()))
}

/// The exception of Python for a file.
pub(crate) fn os_error(error: io::Error, path: PathBuf) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let reason = text.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((number, reason.to_owned(), path))
        }
        None => error.into(),
    }
}

/// A value, a file or an amount of memory that the engine cannot use.
pub(crate) fn option_error(error: impl Display) -> PyErr {
    OptionError::new_err(error.to_string())
}

/// The work has panicked, which is a bug.
pub(crate) fn internal_error() -> PyErr {
    PyRuntimeError::new_err("stopped by an internal error")
}

pub(crate) fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}
