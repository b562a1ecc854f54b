//! `castellan book`: makes opening books from games and shows their moves.

mod builder;

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::{Subcommand, value_parser};
use common::lock::OutputLock;
use common::{files, plural};
use movegen::{Dropped, Position, Variant};
use serde::Serialize;
use serde_json::value::RawValue;

use super::position_args::PositionArgs;
use crate::CommandError;
use crate::input::games::InputGames;
use crate::output::json::{versioned, warnings};
use crate::output::printer::Printer;
use formats::notation;
use formats::pgn::Games;
use formats::polyglot::{Book, BookError, BookMoves, key, passed_square};

use builder::{BookBuilder, Weights};

const DEFAULT_BOOK: &str = "book.bin";

#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    Make(MakeArgs),
    Show(ShowArgs),
}

/// Make an opening book from games
///
/// A move's weight is two points for each game won by the side that played it, and one for each
/// draw or unfinished game. Moves that scored no points are left out. Invalid games are reported
/// and skipped.
#[derive(Debug, clap::Args)]
pub(crate) struct MakeArgs {
    /// PGN files; '-' is standard input
    #[arg(value_name = "PGN", required = true)]
    games: Vec<PathBuf>,
    /// Book to write; an existing file is replaced
    #[arg(long, value_name = "FILE", default_value = DEFAULT_BOOK)]
    out: PathBuf,
    /// Use the first N moves of each side
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = value_parser!(u16).range(1..))]
    depth: u16,
    /// Leave out moves played in fewer than N games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
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

pub(crate) fn run(
    command: &BookCommand,
    printer: &Printer<io::Stdout>,
) -> Result<(), CommandError> {
    match command {
        BookCommand::Make(args) => make(args, printer),
        BookCommand::Show(args) => show(args, printer),
    }
}

fn make(args: &MakeArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    files::check_output(&args.out, &args.games)?;
    let _lock = OutputLock::acquire(&args.out)?;
    let plies = 2 * usize::from(args.depth);
    let mut games = InputGames::open(&args.games, move |input| {
        Games::new(input, Variant::Standard, plies)
    })?;
    let mut builder = BookBuilder::default();
    while let Some(game) = games.next_game()? {
        builder.add(&game);
    }
    games.bar().finish_and_clear();
    let games = games.count();
    let weights = if args.uniform {
        Weights::Uniform
    } else {
        Weights::ByResult
    };
    let entries = builder.into_entries(args.min_games, weights);
    if entries.is_empty() {
        let min_games = args.min_games;
        return Err(format!("no moves left from {games} with --min-games {min_games}").into());
    }
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    files::replace(&args.out, &bytes)?;
    let positions = entries.chunk_by(|one, other| one.key == other.key).count();
    printer.line(format_args!(
        "{}: {} in {}, from {games}",
        args.out.display(),
        plural(entries.len(), "move"),
        plural(positions, "position"),
    ));
    Ok(())
}

fn show(args: &ShowArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    let game = args.position.parse()?;
    let position = game.game.position();
    let passed = passed_square(&game.game, game.initial_en_passant);
    let key = key(position, passed);
    let found = Book::open(&args.book)
        .and_then(|mut book| book.find(position, key))
        .map_err(|error| book_error(&args.book, &error))?;
    let shown = ShownMoves::new(position, &game.dropped, key, found)?;
    if args.json {
        printer.line(versioned(&shown)?);
    } else {
        printer.lines(shown.lines());
    }
    Ok(())
}

fn book_error(path: &Path, error: &BookError) -> String {
    let path = path.display();
    match error {
        BookError::Read(error) if error.kind() == ErrorKind::NotFound => format!(
            "no book '{path}'; choose one with --book, or make one with 'castellan book make'"
        ),
        error => format!("cannot use '{path}' as a book: {error}"),
    }
}

/// The moves of a position, in JSON.
#[derive(Debug, Serialize)]
struct ShownMoves {
    fen: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    key: String,
    moves: Vec<ShownMove>,
    illegal: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ShownMove {
    uci: String,
    san: String,
    weight: u32,
    /// Share of all weights, with two decimals.
    percent: Box<RawValue>,
}

impl ShownMoves {
    fn new(
        position: &Position,
        dropped: &[Dropped],
        key: u64,
        found: BookMoves,
    ) -> Result<ShownMoves, serde_json::Error> {
        let variant = position.variant();
        let total = found.total().max(1) as f64;
        let moves = found.moves.iter().map(|known| {
            let percent = 100.0 * f64::from(known.weight) / total;
            Ok(ShownMove {
                uci: known.mv.uci(variant).to_string(),
                san: position.san(known.mv),
                weight: known.weight,
                percent: RawValue::from_string(format!("{percent:.2}"))?,
            })
        });
        Ok(ShownMoves {
            fen: notation::fen(position, variant),
            warnings: warnings(dropped),
            key: format!("{key:016x}"),
            moves: moves.collect::<Result<_, _>>()?,
            illegal: found.illegal,
        })
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.fen.clone(), format!("key {}", self.key)];
        if self.moves.is_empty() {
            lines.push("no book moves".to_owned());
        }
        lines.extend(self.moves.iter().map(|mv| {
            let (san, uci, weight, percent) = (&mv.san, &mv.uci, mv.weight, mv.percent.get());
            format!("{san:<8} {uci:<6} {weight:>6} {percent:>6} %")
        }));
        if !self.illegal.is_empty() {
            lines.push(format!("illegal moves: {}", self.illegal.join(" ")));
        }
        lines
    }
}
