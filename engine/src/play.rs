//! `castellan play`: a game in the terminal, against the engine or between two people.
//!
//! `table` holds the game and is changed by entries alone; `journal` keeps the entries;
//! `console` stands between them and the person.

mod console;
mod journal;
mod load;
mod opponent;
mod table;
mod tell;
mod wish;

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

use crate::board::{Drawing, Men};
use crate::output::printer::Printer;
use crate::output::warn;
use crate::seed::MAX_SEED;
use crate::strength::{Level, MAX_ELO, MIN_ELO};

use console::Console;
use journal::{Journal, JournalError, Kept};
use opponent::{Opponent, Strength};
use table::{Beginning, Entry, Table};

/// Plays a game in the terminal
///
/// Moves are typed as squares (e2e4, e1g1, e7e8q) or as scores have them (e4, O-O, e8=Q);
/// 'help' at the board lists everything else. The game is kept move by move: after an interrupt
/// or a crash, --resume goes on with it.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// Whose moves you make
    #[arg(long, value_enum, value_name = "SIDE", default_value = "white")]
    side: Side,
    /// The engine's seconds for a move; 1 where neither this nor --nodes is given
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// The engine's nodes for a move: the same answers on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The engine plays like somebody of this rating; hint and eval do not
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(i64::from(MIN_ELO)..=i64::from(MAX_ELO)))]
    elo: Option<u32>,
    /// With --elo: the same number gives the same answers; 0 stands for any
    #[arg(long, value_name = "N", requires = "elo", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_SEED)))]
    seed: u32,
    /// Begins here
    #[arg(long, value_name = "FEN", conflicts_with = "resume")]
    fen: Option<String>,
    /// Reads the FEN as one of Chess960
    #[arg(long, requires = "fen")]
    chess960: bool,
    /// Keeps the game in this file
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Goes on with the game in the --session file, or with the unfinished one played last
    #[arg(long, conflicts_with = "side")]
    resume: bool,
    /// Your name in the game's record
    #[arg(long, value_name = "NAME", default_value = "You")]
    name: String,
    /// Draws the men as letters
    #[arg(long)]
    ascii: bool,
    /// Draws in colors
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: Colored,
}

/// From which side the board is seen.
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
    fn here(self) -> bool {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Colored::Auto => {
                let dumb = env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
                io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
            }
            Colored::Always => true,
            Colored::Never => false,
        }
    }
}

/// Why there was no game, or why it was broken off.
#[derive(Debug, Error)]
pub(crate) enum PlayError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("cannot read the input: {0}")]
    Input(#[from] io::Error),
}

/// Plays until the input ends.
pub(crate) fn run(args: &PlayArgs, printer: &Printer<io::Stdout>) -> Result<(), PlayError> {
    let waiting = match args.session {
        None if !args.resume => Journal::waiting(),
        _ => 0,
    };
    let (journal, kept) = open(args)?;
    match waiting {
        0 => {}
        1 => printer.line("An unfinished game is kept; --resume goes on with it."),
        _ => printer.line(format_args!(
            "{waiting} unfinished games are kept; --resume goes on with the last one."
        )),
    }
    let Kept { table, entries, .. } = kept;
    let drawing = Drawing {
        men: if args.ascii {
            Men::Letters
        } else {
            Men::Figures
        },
        colored: args.color.here(),
        seen_by: view(table.side),
    };
    let console = Console {
        terminal: Terminal::stdio(),
        table,
        entries,
        journal,
        journal_stays: args.session.is_some(),
        opponent: Opponent::new(Strength {
            time: args.time,
            nodes: args.nodes,
            level: args.elo.map(Level::of_elo),
            seed: args.seed,
        }),
        elo: args.elo,
        drawing,
        player: args.name.clone(),
        own_files: OwnFiles::default(),
    };
    Ok(console.run()?)
}

/// The game that is to be played, and the file it is kept in.
fn open(args: &PlayArgs) -> Result<(Option<Journal>, Kept), PlayError> {
    if args.resume {
        let (journal, kept) = match &args.session {
            Some(path) => Journal::resume(path)?,
            None => Journal::resume_latest()?,
        };
        return Ok((Some(journal), kept));
    }
    let variant = match args.chess960 {
        true => Variant::Chess960,
        false => Variant::Standard,
    };
    let start = match &args.fen {
        Some(fen) => Position::from_fen(fen, variant)?,
        None => Position::default(),
    };
    let beginning = Beginning {
        start,
        variant,
        side: args.side,
    };
    let entry = Entry::Begin(Box::new(beginning));
    let journal = match &args.session {
        Some(path) => Some(Journal::create(path)?),
        // Nobody asked for a file; a game without one is a game all the same.
        None => Journal::create_somewhere()
            .inspect_err(|error| warn(format_args!("the game is not kept: {error}")))
            .ok(),
    };
    let journal = match journal {
        Some(mut journal) => {
            journal.write(&entry.to_string())?;
            Some(journal)
        }
        None => None,
    };
    Ok((journal, Kept::new(Table::new(beginning), entry)))
}
