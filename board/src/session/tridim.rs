//! The mode Tridim.

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
pub(crate) struct Tridim {}

impl Tridim {
    pub(crate) fn new(_config: &Config) -> Tridim {
        Tridim {}
    }

    pub(crate) fn handle(&mut self, request: Request, _context: &mut Context) {
        match request {}
    }

    pub(crate) fn report(&mut self, report: Report, _context: &mut Context) {
        match report {}
    }

    /// The page shows this mode: resumes what was interrupted.
    pub(crate) fn shown(&mut self, _context: &mut Context) {}
}
