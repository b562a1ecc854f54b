//! `castellan tridim`: play, count, analyze and draw Tri-Dimensional chess.

mod commands;
mod play;
mod svg;

use std::io::{self, ErrorKind};
use std::time::Duration;

use clap::Subcommand;
use thiserror::Error;
use tridim::search::MAX_DEPTH;
use tridim::{CastlingError, Position, Rules, TextError};

use super::CommandError;
use crate::args::seconds;
use crate::terminal::tridim::TridimEngine;

/// The subcommands of `castellan tridim`.
#[derive(Debug, Subcommand)]
pub(crate) enum TridimCommand {
    Play(play::PlayArgs),
    Perft(commands::PerftArgs),
    #[command(visible_alias = "analyse")]
    Analyze(commands::AnalyzeArgs),
    Random(commands::RandomArgs),
    Svg(svg::SvgArgs),
}

/// Why a command failed.
#[derive(Debug, Error)]
pub(crate) enum TridimError {
    #[error(transparent)]
    Position(#[from] TextError),
    #[error(transparent)]
    Castling(#[from] CastlingError),
    #[error(transparent)]
    Check(#[from] commands::CheckFailure),
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Runs a command on standard input and output.
pub(crate) fn run(command: &TridimCommand) -> Result<(), CommandError> {
    let output = &mut io::stdout();
    let result = match command {
        TridimCommand::Play(args) => return play::run(args),
        TridimCommand::Perft(args) => commands::perft(args, output),
        TridimCommand::Analyze(args) => commands::analyze(args, output),
        TridimCommand::Random(args) => commands::random(args, output),
        TridimCommand::Svg(args) => svg::run(args, output),
    };
    match result {
        // The reader of the output has gone.
        Err(TridimError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// A position and the rules that apply to it.
#[derive(Debug, clap::Args)]
struct PositionArgs {
    /// Position as one line of text [default: the start position]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// Allow attack boards to rotate in place
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

/// The limits of a search; one second by default.
#[derive(Debug, Clone, clap::Args)]
struct LimitArgs {
    /// Search depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Number of nodes to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search time in seconds [default: 1 without other limits]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
}

impl LimitArgs {
    const DEFAULT_TIME: Duration = Duration::from_secs(1);

    fn engine(&self) -> TridimEngine {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        TridimEngine {
            depth: self.depth.unwrap_or(MAX_DEPTH),
            nodes: self.nodes.unwrap_or(u64::MAX),
            time: self.time.or(unlimited.then_some(Self::DEFAULT_TIME)),
            searcher: None,
        }
    }
}
