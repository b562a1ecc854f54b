//! `castellan pgn`: validates games and extracts their positions.

use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Result;
use indicatif::ProgressBar;
use movegen::Variant;

use crate::input::games::InputGames;
use crate::output::printer::Printer;
use formats::notation;
use formats::pgn::Record;

/// Validate games and extract positions
///
/// Prints the valid games. Invalid games are reported and skipped.
#[derive(Debug, clap::Args)]
pub(crate) struct PgnArgs {
    /// PGN files; reads standard input if omitted or '-'
    #[arg(value_name = "PGN")]
    games: Vec<PathBuf>,
    /// Print positions instead of games: all, the last, or the one after this many plies
    #[arg(
        long,
        value_name = "all|last|PLIES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        conflicts_with = "count"
    )]
    fens: Option<Extract>,
    /// Print only the number of games
    #[arg(long)]
    count: bool,
    /// Read games without a Variant tag as Chess960
    #[arg(long)]
    chess960: bool,
}

/// The positions of a game to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extract {
    All,
    Last,
    /// If the game is that long.
    After(usize),
}

impl FromStr for Extract {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text {
            "all" => Ok(Self::All),
            "last" => Ok(Self::Last),
            _ => match text.parse() {
                Ok(plies) => Ok(Self::After(plies)),
                Err(_) => Err("expected all, last or a number of plies"),
            },
        }
    }
}

pub(crate) fn run(args: &PgnArgs, printer: &Printer<io::Stdout>) -> Result<()> {
    let variant = args.chess960.then_some(Variant::Chess960);
    // A bar would be drawn between the results.
    let bar = ProgressBar::hidden();
    let mut games = InputGames::open(&args.games, bar, variant)?;
    while let Some(record) = games.next_game()? {
        let text = match args.fens {
            _ if args.count => continue,
            Some(extract) => extract.positions(&record),
            None => record.pgn(),
        };
        if printer.text(&text).is_break() {
            return Ok(());
        }
    }
    let count = games.count();
    if args.count && printer.text(&format!("{}\n", count.valid())).is_break() {
        return Ok(());
    }
    count.check()
}

impl Extract {
    /// The positions of a game, one per line.
    fn positions(self, record: &Record) -> String {
        let plies = record.moves().len();
        let is_wanted = |ply: usize| match self {
            Self::All => true,
            Self::Last => ply == plies,
            Self::After(wanted) => ply == wanted,
        };
        let mut text = String::new();
        let mut position = record.start;
        let mut moves = record.moves();
        for ply in 0..=plies {
            if is_wanted(ply) {
                text += &notation::fen(&position, position.variant());
                text.push('\n');
            }
            if let Some(mv) = moves.next() {
                position = position.play_unchecked(mv);
            }
        }
        text
    }
}
