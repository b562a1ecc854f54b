//! `castellan tridim`: play, count, analyze and draw Tri-Dimensional chess.

mod board_text;
mod command;
mod commands;
mod console;
mod legal;
mod opponent;
mod play;
mod svg;

use std::io::{self, ErrorKind};

use crate::terminal::TerminalError;
use clap::Subcommand;
use game::game_file::GameFileError;
use thiserror::Error;

use tridim::{CastlingError, Position, Rules, TextError};

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
    #[error(transparent)]
    GameFile(#[from] GameFileError),
    #[error(transparent)]
    Load(#[from] game::tridim_game::saved_game::LoadError),
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Terminal(#[from] TerminalError),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Runs a command on standard input and output.
pub(crate) fn run(command: &TridimCommand) -> Result<(), TridimError> {
    let output = &mut io::stdout();
    let result = match command {
        TridimCommand::Play(args) => play::run(args),
        TridimCommand::Perft(args) => commands::perft(args, output),
        TridimCommand::Analyze(args) => commands::analyze(args, output),
        TridimCommand::Random(args) => commands::random(args, output),
        TridimCommand::Svg(args) => svg::run(args, output),
    };
    match result {
        // The reader of the output has gone.
        Err(TridimError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
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
