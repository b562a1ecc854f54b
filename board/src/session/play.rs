//! The mode Play.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Config;
use crate::session::Context;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {}

#[derive(Debug)]
pub(crate) enum Report {}

#[derive(Debug)]
pub(crate) struct Play {}

impl Play {
    pub(crate) fn new(_config: &Config) -> Play {
        Play {}
    }

    pub(crate) fn handle(&mut self, request: Request, _context: &mut Context) {
        match request {}
    }

    pub(crate) fn report(&mut self, report: Report, _context: &mut Context) {
        match report {}
    }

    /// The page shows this mode: resumes what was interrupted.
    pub(crate) fn shown(&mut self, _context: &mut Context) {}

    /// Until the clock of the side to move runs out; `None` if none is running.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        None
    }

    /// Ends the game if a clock has run out.
    pub(crate) fn check_clock(&mut self, _context: &mut Context) {}
}
