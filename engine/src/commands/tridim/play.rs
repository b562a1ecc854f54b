//! `castellan tridim play`: a game in the terminal, against the engine or between two players.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use crate::terminal::Terminal;
use common::files::OwnFiles;
use game::Side;
use game::game_file::{GameFile, GameFileError};

use super::command::NotationStyle;
use super::console::{Console, view};
use super::opponent::{LimitArgs, Opponent};
use super::{PositionArgs, TridimError};
use game::tridim_game::GameState;
use game::tridim_game::saved_game::{self, FORMAT};

/// Play a game in the terminal
///
/// Type moves with both squares (Nd1W-c3N, b2W-b4N) or as Meder writes them (Nc3N, b4N), board moves
/// by their pins (QL1-QL3, QL3), castling as O-O and O-O-O; 'help' lists the other commands. At a
/// terminal the game is saved after every move: --resume continues it.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// The side you play
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = crate::args::side())]
    side: Side,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    position: PositionArgs,
    /// How moves are printed: with both squares, or as Meder writes them
    #[arg(long, value_enum, value_name = "STYLE", default_value = "full")]
    notation: NotationStyle,
    /// Save the game to this file
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Keep an unfinished game even if the input is not a terminal
    #[arg(long)]
    keep: bool,
    /// Resume the game of the --session file, the unfinished one of this number, or the latest
    #[arg(long, value_name = "N", num_args = 0..=1, conflicts_with = "position")]
    resume: Option<Option<usize>>,
    /// List the unfinished games
    #[arg(long, exclusive = true)]
    games: bool,
    /// Delete the unfinished game of this number
    #[arg(long, value_name = "N", exclusive = true)]
    delete: Option<usize>,
}

/// Plays until the input ends.
pub(super) fn run(args: &PlayArgs) -> Result<(), TridimError> {
    let mut terminal = Terminal::stdio();
    if args.games {
        let summaries = saved_game::summaries();
        if summaries.is_empty() {
            terminal.line("No unfinished games.");
        }
        let lines = summaries.iter().zip(1..);
        terminal.lines(lines.map(|(summary, number)| format!("{number:>3}  {summary}")));
        return Ok(());
    }
    if let Some(number) = args.delete {
        FORMAT.delete(number)?;
        terminal.line("Game deleted.");
        return Ok(());
    }
    let (game_file, state) = open(args, &mut terminal)?;
    let console = Console {
        terminal,
        rules: state.game.start().rules(),
        orientation: view(state.side),
        state,
        style: args.notation,
        opponent: Opponent::new(args.limits.clone()),
        own_files: OwnFiles::default(),
        game_file,
        keep_file: args.session.is_some(),
    };
    Ok(console.run()?)
}

/// The game to play, and its file.
fn open(
    args: &PlayArgs,
    terminal: &mut Terminal,
) -> Result<(Option<GameFile>, GameState), TridimError> {
    if let Some(number) = args.resume {
        let resume = |path: &Path| saved_game::resume(path, args.side);
        let (file, state) = match (&args.session, number) {
            (Some(_), Some(_)) => return Err(GameFileError::NumberAndSession.into()),
            (Some(path), None) => resume(path)?,
            (None, Some(number)) => resume(&FORMAT.numbered(number)?)?,
            (None, None) => FORMAT.resume_latest(resume)?,
        };
        return Ok((Some(file), state));
    }
    let state = GameState::new(args.position.position()?, args.side);
    let mut file = match &args.session {
        Some(path) => Some(FORMAT.create(path)?),
        None if !args.keep && !io::stdin().is_terminal() => None,
        // The game can be played without a file.
        None => match FORMAT.create_in_state_dir() {
            Ok(file) => Some(file),
            Err(error) => {
                terminal.line(format_args!("The game is not saved: {error}"));
                None
            }
        },
    };
    if let Some(file) = &mut file {
        for line in state.lines() {
            file.write(line)?;
        }
    }
    Ok((file, state))
}
