//! `castellan tridim`: Tri-Dimensional chess, played, searched, counted and drawn.
//!
//! The rules are the crate's; everything here reads and prints.

mod analyze;
mod console;
mod drawing;
mod kept;
mod opponent;
mod perft;
mod play;
mod random;
mod svg;
mod wish;

use std::io;

use clap::Subcommand;
use thiserror::Error;
use tridim::{Position, Rules, TextError};

use crate::output::printer::Printer;

/// What the shell can ask about Tri-Dimensional chess.
#[derive(Debug, Subcommand)]
pub(crate) enum TridimJob {
    Play(play::PlayArgs),
    Perft(perft::PerftArgs),
    #[command(visible_alias = "analyse")]
    Analyze(analyze::AnalyzeArgs),
    Random(random::RandomArgs),
    Svg(svg::SvgArgs),
}

/// Why a job could not be done.
#[derive(Debug, Error)]
pub(crate) enum TridimJobError {
    #[error(transparent)]
    Position(#[from] TextError),
    #[error(transparent)]
    Castling(#[from] tridim::CastlingRefusal),
    #[error(transparent)]
    Soak(#[from] random::Fault),
    #[error("cannot write the answer: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot read the input: {0}")]
    Input(#[from] io::Error),
}

pub(crate) fn run(job: &TridimJob, printer: &Printer<io::Stdout>) -> Result<(), TridimJobError> {
    match job {
        TridimJob::Play(args) => play::run(args, printer),
        TridimJob::Perft(args) => perft::run(args, printer),
        TridimJob::Analyze(args) => analyze::run(args, printer),
        TridimJob::Random(args) => Ok(random::run(args, printer)?),
        TridimJob::Svg(args) => svg::run(args, printer),
    }
}

/// A position and the rules it is looked at under.
#[derive(Debug, clap::Args)]
struct PositionArgs {
    /// A position as a line of text; the start without one
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// Attack boards may be turned in place
    #[arg(long)]
    rotation: bool,
}

impl PositionArgs {
    fn rules(&self) -> Rules {
        Rules {
            rotation: self.rotation,
        }
    }

    fn position(&self) -> Result<Position, TextError> {
        match self.position.as_slice() {
            [] => Ok(Position::start(self.rules())),
            words => Position::from_text(&words.join(" "), self.rules()),
        }
    }
}
