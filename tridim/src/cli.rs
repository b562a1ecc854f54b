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

use std::io::{self, ErrorKind};

use crate::{Position, Rules, TextError};
use clap::Subcommand;
use thiserror::Error;

/// What the shell can ask about Tri-Dimensional chess.
#[derive(Debug, Subcommand)]
pub enum TridimJob {
    Play(play::PlayArgs),
    Perft(perft::PerftArgs),
    #[command(visible_alias = "analyse")]
    Analyze(analyze::AnalyzeArgs),
    Random(random::RandomArgs),
    Svg(svg::SvgArgs),
}

/// Why a job could not be done.
#[derive(Debug, Error)]
pub enum TridimJobError {
    #[error(transparent)]
    Position(#[from] TextError),
    #[error(transparent)]
    Castling(#[from] crate::CastlingRefusal),
    #[error(transparent)]
    Soak(#[from] random::Fault),
    #[error("cannot write the answer: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Runs a command on standard input and output.
pub fn run(job: &TridimJob) -> Result<(), TridimJobError> {
    let output = &mut io::stdout().lock();
    let done = match job {
        TridimJob::Play(args) => play::run(args),
        TridimJob::Perft(args) => perft::run(args, output),
        TridimJob::Analyze(args) => analyze::run(args, output),
        TridimJob::Random(args) => random::run(args, output),
        TridimJob::Svg(args) => svg::run(args, output),
    };
    match done {
        // The reader of the output has gone.
        Err(TridimJobError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done,
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
