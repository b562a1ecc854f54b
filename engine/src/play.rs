//! `castellan play`: a game in the terminal, against the engine or between two players.
//!
//! `game_state` holds the game, which only actions change; `saved_game` records the actions;
//! `console` reads commands and prints the results.

mod command;
mod console;
mod game_state;
mod messages;
mod opponent;
mod saved_game;

use std::env;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use common::args::{Side, seconds};
use common::files::OwnFiles;
use common::terminal::Terminal;
use movegen::{Color, FenError, Position, Variant};
use thiserror::Error;

use crate::output::board::{BoardStyle, PieceSymbols};
use crate::output::printer::Printer;
use crate::output::warn;
use crate::seed::MAX_SEED;
use crate::strength::{Level, MAX_ELO, MIN_ELO};

use console::Console;
use game_state::{GameState, NewGame};
use opponent::{Opponent, Strength};
use saved_game::{SavedGame, SavedGameError};

/// Play a game in the terminal
///
/// Type moves by their squares (e2e4, e1g1, e7e8q) or in SAN (e4, O-O, e8=Q); 'help' lists the
/// other commands. The game is saved after every move: after an interrupt or a crash, --resume
/// continues it.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// The side you play
    #[arg(long, value_enum, value_name = "SIDE", default_value = "white")]
    side: Side,
    /// Seconds per move of the engine [default: 1 without --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Nodes per move of the engine: reproducible on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Limit the engine to this rating; does not affect hint and eval
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(i64::from(MIN_ELO)..=i64::from(MAX_ELO)))]
    elo: Option<u32>,
    /// Random seed for --elo; 0 for any
    #[arg(long, value_name = "N", requires = "elo", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_SEED)))]
    seed: u32,
    /// Start position
    #[arg(long, value_name = "FEN", conflicts_with = "resume")]
    fen: Option<String>,
    /// Read the FEN as Chess960
    #[arg(long, requires = "fen")]
    chess960: bool,
    /// Save the game to this file
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Resume the game of the --session file, or the latest unfinished one
    #[arg(long, conflicts_with = "side")]
    resume: bool,
    /// Your name in the PGN
    #[arg(long, value_name = "NAME", default_value = "You")]
    name: String,
    /// Draw the pieces as letters
    #[arg(long)]
    ascii: bool,
    /// When to use colors
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: Colored,
}

/// The side at the bottom of the board.
fn view(side: Side) -> Color {
    match side {
        Side::White | Side::Both => Color::White,
        Side::Black => Color::Black,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colored {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Colored {
    fn is_enabled(self) -> bool {
        match self {
            Colored::Auto => {
                let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
                io::stdout().is_terminal() && !no_color && !dumb
            }
            Colored::Always => true,
            Colored::Never => false,
        }
    }
}

/// Why the game could not start or ended.
#[derive(Debug, Error)]
pub(crate) enum PlayError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    SavedGame(#[from] SavedGameError),
    #[error("cannot read the input: {0}")]
    Input(#[from] io::Error),
}

/// Plays until the input ends.
pub(crate) fn run(args: &PlayArgs, printer: &Printer<io::Stdout>) -> Result<(), PlayError> {
    let count_unfinished = match args.session {
        None if !args.resume => SavedGame::count_unfinished(),
        _ => 0,
    };
    let (saved_game, state) = open(args)?;
    match count_unfinished {
        0 => {}
        1 => printer.line("An unfinished game is saved; use --resume to continue it."),
        _ => printer.line(format_args!(
            "{count_unfinished} unfinished games are saved; use --resume to continue the latest."
        )),
    }
    let board_style = BoardStyle {
        pieces: match args.ascii {
            true => PieceSymbols::Letters,
            false => PieceSymbols::Figurines,
        },
        colored: args.color.is_enabled(),
        orientation: view(state.side),
    };
    let console = Console {
        terminal: Terminal::stdio(),
        state,
        saved_game,
        keep_file: args.session.is_some(),
        opponent: Opponent::new(Strength {
            time: args.time,
            nodes: args.nodes,
            level: args.elo.map(Level::of_elo),
            seed: args.seed,
        }),
        elo: args.elo,
        board_style,
        player: args.name.clone(),
        own_files: OwnFiles::default(),
    };
    Ok(console.run()?)
}

/// The game to play, and its file.
fn open(args: &PlayArgs) -> Result<(Option<SavedGame>, GameState), PlayError> {
    if args.resume {
        let (saved_game, state) = match &args.session {
            Some(path) => SavedGame::resume(path)?,
            None => SavedGame::resume_latest()?,
        };
        return Ok((Some(saved_game), state));
    }
    let variant = match args.chess960 {
        true => Variant::Chess960,
        false => Variant::Standard,
    };
    let start = match &args.fen {
        Some(fen) => Position::from_fen(fen, variant)?,
        None => Position::default(),
    };
    let state = GameState::new(NewGame {
        start,
        variant,
        side: args.side,
    });
    let mut saved_game = match &args.session {
        Some(path) => Some(SavedGame::create(path)?),
        // Without --session the game can be played without a file.
        None => SavedGame::create_in_state_dir()
            .inspect_err(|error| warn(format_args!("the game is not saved: {error}")))
            .ok(),
    };
    if let Some(saved_game) = &mut saved_game {
        for action in state.actions() {
            saved_game.write(&action.to_string())?;
        }
    }
    Ok((saved_game, state))
}
