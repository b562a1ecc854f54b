//! `castellan tridim play`: a game at the boards, against the engine or between two people.

use std::io::{self, IsTerminal};

use tridim::Game;

use super::console::Console;
use super::opponent::{Opponent, StrengthArgs};
use super::{PositionArgs, TridimJobError};
use crate::output::files::OwnFiles;
use crate::output::printer::Printer;
use crate::play::Side;

/// Plays a game in the terminal
///
/// Moves are typed with both squares (Nd1W-c3N, b2W-b4N), boards with both pins (QL1-QL3),
/// castling as O-O and O-O-O; 'help' at the boards lists everything else.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// Whose moves you make
    #[arg(long, value_enum, value_name = "SIDE", default_value = "white")]
    side: Side,
    #[command(flatten)]
    strength: StrengthArgs,
    #[command(flatten)]
    position: PositionArgs,
}

/// Plays until the input ends.
pub(super) fn run(args: &PlayArgs, printer: &Printer<io::Stdout>) -> Result<(), TridimJobError> {
    let console = Console {
        printer: printer.clone(),
        game: Game::new(args.position.position()?),
        rules: args.position.rules(),
        side: args.side,
        opponent: Opponent::new(args.strength.clone()),
        prompts: io::stdin().is_terminal() && io::stdout().is_terminal(),
        own_files: OwnFiles::default(),
    };
    Ok(console.run(io::stdin().lock())?)
}
