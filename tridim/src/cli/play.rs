//! `castellan tridim play`: a game at the boards, against the engine or between two people.

use crate::Game;

use super::console::Console;
use super::opponent::{Opponent, StrengthArgs};
use super::{PositionArgs, TridimJobError};
use common::args::Side;
use common::files::OwnFiles;
use common::terminal::Terminal;

/// Plays a game in the terminal
///
/// Moves are typed with both squares (Nd1W-c3N, b2W-b4N), boards with both pins (QL1-QL3),
/// castling as O-O and O-O-O; 'help' at the boards lists everything else.
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// Whose moves you make
    #[arg(long, value_enum, value_name = "SIDE", default_value = "white")]
    side: Side,
    #[command(flatten)]
    strength: StrengthArgs,
    #[command(flatten)]
    position: PositionArgs,
}

/// Plays until the input ends.
pub(super) fn run(args: &PlayArgs) -> Result<(), TridimJobError> {
    let console = Console {
        terminal: Terminal::stdio(),
        game: Game::new(args.position.position()?),
        rules: args.position.rules(),
        side: args.side,
        opponent: Opponent::new(args.strength.clone()),
        own_files: OwnFiles::default(),
    };
    console.run().map_err(TridimJobError::Input)
}
