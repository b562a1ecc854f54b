//! `castellan tridim play`: a game in the terminal, against the engine or between two players.

use game::play::GameState;
use tridim::search::Searcher;

use super::{NotationStyle, Tridim};
use crate::CommandError;
use crate::args::tridim::{LimitArgs, PositionArgs};
use crate::terminal::Terminal;
use crate::terminal::console::{Console, Names};
use crate::terminal::play::{GameArgs, greet};

/// Play a game in the terminal
///
/// Type moves with both squares (Nd1W-c3N, b2W-b4N) or as Meder writes them (Nc3N, b4N), board moves
/// by their pins (QL1-QL3, QL3), castling as O-O and O-O-O; 'help' lists the other commands. At a
/// terminal the game is saved after every move: --resume continues it.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Position as one line of text [default: the start position]
    #[arg(value_name = "POSITION", conflicts_with = "resume")]
    position: Vec<String>,
    /// Allow attack boards to rotate in place
    #[arg(long)]
    rotation: bool,
    /// Style of printed moves: with both squares, or as Meder writes them
    #[arg(long, value_enum, value_name = "STYLE", default_value = "full")]
    notation: NotationStyle,
}

/// Plays until the input ends.
pub(crate) fn run(args: &PlayArgs) -> Result<(), CommandError> {
    let mut terminal = Terminal::stdio();
    let start = PositionArgs {
        position: args.position.clone(),
        rotation: args.rotation,
    };
    let first = GameState::new(start.position()?, args.game.side);
    let (state, file) = args.game.open(first, None, &[], &mut terminal)?;
    greet(&mut terminal, state.side, "");
    let tridim = Tridim {
        limits: args.limits.clone(),
        searcher: Searcher::default(),
        style: args.notation,
    };
    let names = Names {
        user: "You".to_owned(),
        engine: "Castellan".to_owned(),
    };
    let mut console = Console::new(terminal, tridim, state, names, false);
    if let Some(file) = file {
        console.record(file, args.game.session.is_some());
    }
    Ok(console.run()?)
}
