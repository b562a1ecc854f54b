//! Times: the clocks of a game.

use std::time::Duration;

use pyo3::prelude::*;
use search::{Limits, PlayerClock};

use crate::errors::value_error;
use crate::number::Number;

pub(crate) fn seconds(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        value_error(format!(
            "expected a time of 0 seconds or more, found {seconds}"
        ))
    })
}

/// The clocks of both sides before a move, in seconds. Without `black` they are equal.
#[pyclass(module = "castellan", frozen, get_all, eq)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    white: f64,
    black: f64,
    /// The increment of White.
    increment: f64,
    black_increment: f64,
    /// Moves to the next time control.
    moves_to_go: Option<u32>,
}

impl Clock {
    pub(crate) fn limits(self) -> PyResult<Limits> {
        let clock = |remaining, increment| {
            Ok::<_, PyErr>(PlayerClock {
                remaining: Some(seconds(remaining)?),
                increment: seconds(increment)?,
            })
        };
        Ok(Limits {
            clocks: [
                clock(self.white, self.increment)?,
                clock(self.black, self.black_increment)?,
            ],
            moves_to_go: self.moves_to_go,
            ..Limits::default()
        })
    }
}

#[pymethods]
impl Clock {
    #[new]
    #[pyo3(signature = (white, black = None, increment = 0.0, black_increment = None, moves_to_go = None))]
    fn new(
        white: f64,
        black: Option<f64>,
        increment: f64,
        black_increment: Option<f64>,
        moves_to_go: Option<Number<u32>>,
    ) -> PyResult<Self> {
        let clock = Self {
            white,
            black: black.unwrap_or(white),
            increment,
            black_increment: black_increment.unwrap_or(increment),
            moves_to_go: moves_to_go.map(|moves| moves.0),
        };
        clock.limits().map(|_| clock)
    }

    fn __getnewargs__(&self) -> (f64, f64, f64, f64, Option<u32>) {
        (
            self.white,
            self.black,
            self.increment,
            self.black_increment,
            self.moves_to_go,
        )
    }
}
