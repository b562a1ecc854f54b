//! `castellan book`: makes opening books from games and shows their moves.

mod builder;

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use common::files::{self, FileError};
use indicatif::ProgressBar;
use movegen::{Position, Variant};
use serde::Serialize;
use thiserror::Error;

use super::position_args::PositionArgs;
use crate::formats::pgn::Games;
use crate::formats::polyglot::{Book, BookError, BookMoves, key, passed_square};
use crate::notation;
use crate::output::printer::Printer;
use crate::output::{progress, warn};
use crate::uci::position::PositionError;

use builder::{BookBuilder, Weights};

const DEFAULT_BOOK: &str = "book.bin";

/// The number of broken games that are reported one by one.
const MAX_REPORTED_GAMES: u64 = 100;

#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    Make(MakeArgs),
    Show(ShowArgs),
}

/// Make an opening book from games
///
/// A move's weight is two points for each game won by the side that played it, and one for each
/// draw or unfinished game. Moves that scored no points are left out. Broken games are reported
/// and skipped.
#[derive(Debug, clap::Args)]
pub(crate) struct MakeArgs {
    /// PGN files
    #[arg(value_name = "PGN", required = true)]
    games: Vec<PathBuf>,
    /// Book to write; an existing file is replaced
    #[arg(long, value_name = "FILE", default_value = DEFAULT_BOOK)]
    out: PathBuf,
    /// Use the first N moves of each side
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    depth: u16,
    /// Leave out moves played in fewer than N games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// Give all moves the same weight, including lost ones
    #[arg(long)]
    uniform: bool,
}

/// Show the moves a book has for a position
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Book to read
    #[arg(long, value_name = "FILE", default_value = DEFAULT_BOOK)]
    book: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Error)]
pub(crate) enum BookCommandError {
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("'{}' is one of the input files; choose another name with --out", path.display())]
    OutputIsInput { path: PathBuf },
    #[error(transparent)]
    Write(#[from] FileError),
    #[error("no moves left from {games} with --min-games {min_games}")]
    NoMoves { games: GameCount, min_games: u32 },
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("cannot use '{}' as a book: {source}", path.display())]
    Book { path: PathBuf, source: BookError },
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

pub(crate) fn run(
    command: &BookCommand,
    printer: &Printer<io::Stdout>,
) -> Result<(), BookCommandError> {
    match command {
        BookCommand::Make(args) => make(args, printer),
        BookCommand::Show(args) => show(args, printer),
    }
}

fn make(args: &MakeArgs, printer: &Printer<io::Stdout>) -> Result<(), BookCommandError> {
    if args
        .games
        .iter()
        .any(|games| files::is_same(games, &args.out))
    {
        return Err(BookCommandError::OutputIsInput {
            path: args.out.clone(),
        });
    }
    let mut builder = BookBuilder::default();
    let mut games = GameCount::default();
    let bar = progress::bytes(&args.games);
    for path in &args.games {
        let plies = 2 * usize::from(args.depth);
        add_file(path, plies, &bar, &mut builder, &mut games).map_err(|source| {
            BookCommandError::Read {
                path: path.clone(),
                source,
            }
        })?;
    }
    bar.finish_and_clear();
    if games.broken > MAX_REPORTED_GAMES {
        warn(format_args!(
            "and {} more",
            games.broken - MAX_REPORTED_GAMES
        ));
    }
    let weights = match args.uniform {
        true => Weights::Uniform,
        false => Weights::ByResult,
    };
    let entries = builder.into_entries(args.min_games, weights);
    if entries.is_empty() {
        let min_games = args.min_games;
        return Err(BookCommandError::NoMoves { games, min_games });
    }
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    files::replace(&args.out, &bytes)?;
    let positions = entries.chunk_by(|one, other| one.key == other.key).count();
    printer.line(format_args!(
        "{}: {} moves in {positions} positions, from {games}",
        args.out.display(),
        entries.len(),
    ));
    Ok(())
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GameCount {
    read: u64,
    broken: u64,
}

impl std::fmt::Display for GameCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} games", self.read)?;
        match self.broken {
            0 => Ok(()),
            broken => write!(f, " ({broken} broken)"),
        }
    }
}

fn add_file(
    path: &Path,
    plies: usize,
    bar: &ProgressBar,
    builder: &mut BookBuilder,
    count: &mut GameCount,
) -> io::Result<()> {
    let file = bar.wrap_read(File::open(path)?);
    let mut games = Games::new(BufReader::with_capacity(1 << 16, file), plies);
    while let Some(game) = games.next_game()? {
        match game {
            Ok(game) => {
                builder.add(&game);
                count.read += 1;
            }
            Err(error) => {
                count.broken += 1;
                if count.broken <= MAX_REPORTED_GAMES {
                    bar.suspend(|| warn(format_args!("{}: {error}", path.display())));
                }
            }
        }
    }
    Ok(())
}

fn show(args: &ShowArgs, printer: &Printer<io::Stdout>) -> Result<(), BookCommandError> {
    let (game, variant) = (args.position.parse()?, args.position.variant());
    let position = game.game.position();
    let passed = passed_square(&game.game, game.initial_en_passant);
    let key = key(position, passed);
    let found = Book::open(&args.book)
        .and_then(|mut book| book.find(position, key))
        .map_err(|source| BookCommandError::Book {
            path: args.book.clone(),
            source,
        })?;
    let shown = ShownMoves::new(position, variant, key, found);
    if args.json {
        printer.line(serde_json::to_string(&shown)?);
    } else {
        printer.lines(shown.lines());
    }
    Ok(())
}

/// The moves of a position, in JSON.
#[derive(Debug, Serialize)]
struct ShownMoves {
    fen: String,
    key: String,
    moves: Vec<ShownMove>,
    illegal: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ShownMove {
    uci: String,
    san: String,
    weight: u32,
    /// Share of all weights, rounded to two decimals.
    percent: f64,
}

impl ShownMoves {
    fn new(position: &Position, variant: Variant, key: u64, found: BookMoves) -> ShownMoves {
        let total = found.total().max(1) as f64;
        let moves = found.moves.iter().map(|known| ShownMove {
            uci: known.mv.uci(variant).to_string(),
            san: position.san(known.mv),
            weight: known.weight,
            percent: (1e4 * f64::from(known.weight) / total).round() / 100.0,
        });
        ShownMoves {
            fen: notation::fen(position, variant),
            key: format!("{key:016x}"),
            moves: moves.collect(),
            illegal: found.illegal,
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.fen.clone(), format!("key {}", self.key)];
        if self.moves.is_empty() {
            lines.push("no book moves".to_owned());
        }
        lines.extend(self.moves.iter().map(|mv| {
            let (san, uci, weight, percent) = (&mv.san, &mv.uci, mv.weight, mv.percent);
            format!("{san:<8} {uci:<6} {weight:>6} {percent:>6.2} %")
        }));
        if !self.illegal.is_empty() {
            lines.push(format!("illegal moves: {}", self.illegal.join(" ")));
        }
        lines
    }
}
