//! `castellan pgn`: validates games and extracts their positions.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;

use indicatif::ProgressBar;
use movegen::Variant;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::CommandError;
use crate::input::games::InputGames;
use crate::output::json::versioned;
use crate::output::printer::Printer;
use formats::notation;
use formats::pgn::{Games, Record, Tags};

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
    /// Print one JSON object per line, also for invalid games
    #[arg(long)]
    json: bool,
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

    fn from_str(text: &str) -> Result<Extract, &'static str> {
        match text {
            "all" => Ok(Extract::All),
            "last" => Ok(Extract::Last),
            _ => match text.parse() {
                Ok(plies) => Ok(Extract::After(plies)),
                Err(_) => Err("expected all, last or a number of plies"),
            },
        }
    }
}

#[derive(Debug, Serialize)]
struct JsonGame<'a> {
    /// From 1, over all files.
    game: u64,
    #[serde(serialize_with = "tags")]
    tags: &'a Tags,
    result: &'static str,
    /// The position before the first move.
    fen: String,
    uci: Vec<String>,
    san: Vec<String>,
    /// Parts of the text that were not kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct JsonPosition {
    game: u64,
    /// The number of plies of the game that precede it.
    ply: usize,
    fen: String,
    /// The move played; `None` at the end of the game.
    uci: Option<String>,
    san: Option<String>,
}

#[derive(Debug, Serialize)]
struct JsonError<'a> {
    game: u64,
    error: &'a str,
}

#[derive(Debug, Serialize)]
struct JsonCount {
    games: u64,
    invalid: u64,
}

fn tags<S: Serializer>(tags: &Tags, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for (name, value) in tags.iter() {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

pub(crate) fn run(args: &PgnArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    let variant = Variant::from_chess960(args.chess960);
    // A bar would be drawn between the results.
    let bar = ProgressBar::hidden();
    let is_count = args.count;
    let mut games = InputGames::open(&args.games, bar, move |input| {
        if is_count {
            Games::checked(input, variant)
        } else {
            Games::annotated(input, variant)
        }
    })?;
    while let Some(game) = games.next_result()? {
        let number = games.count().total;
        let flow = match game {
            Ok(record) => args.print(number, &record, printer)?,
            Err(error) if args.json && !args.count => {
                let game = number;
                let error = error.as_str();
                printer.text(&(versioned(&JsonError { game, error })? + "\n"))
            }
            Err(error) => {
                games.report(&error);
                ControlFlow::Continue(())
            }
        };
        if flow.is_break() {
            return Ok(());
        }
    }
    let count = games.count();
    if args.count {
        let text = if args.json {
            versioned(&JsonCount {
                games: count.valid(),
                invalid: count.invalid,
            })? + "\n"
        } else {
            format!("{}\n", count.valid())
        };
        if printer.text(&text).is_break() {
            return Ok(());
        }
    }
    count.check()
}

impl PgnArgs {
    fn print(
        &self,
        number: u64,
        record: &Record,
        printer: &Printer<io::Stdout>,
    ) -> Result<ControlFlow<()>, CommandError> {
        let text = match self.fens {
            _ if self.count => return Ok(ControlFlow::Continue(())),
            Some(extract) => return self.print_positions(extract, number, record, printer),
            None if self.json => versioned(&json_game(number, record))? + "\n",
            None => record.pgn(),
        };
        Ok(printer.text(&text))
    }

    fn print_positions(
        &self,
        extract: Extract,
        game: u64,
        record: &Record,
        printer: &Printer<io::Stdout>,
    ) -> Result<ControlFlow<()>, CommandError> {
        let variant = record.start.variant();
        let plies = record.moves().len();
        let mut position = record.start;
        let mut moves = record.moves();
        for ply in 0..=plies {
            let mv = moves.next();
            let is_wanted = match extract {
                Extract::All => true,
                Extract::Last => ply == plies,
                Extract::After(wanted) => ply == wanted,
            };
            if is_wanted {
                let fen = notation::fen(&position, variant);
                let text = if self.json {
                    versioned(&JsonPosition {
                        game,
                        ply,
                        fen,
                        uci: mv.map(|mv| mv.uci(variant).to_string()),
                        san: mv.map(|mv| position.san(mv)),
                    })? + "\n"
                } else {
                    fen + "\n"
                };
                if printer.text(&text).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            if let Some(mv) = mv {
                position = position.play_unchecked(mv);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn json_game(game: u64, record: &Record) -> JsonGame<'_> {
    let variant = record.start.variant();
    let uci = record.moves().map(|mv| mv.uci(variant).to_string());
    JsonGame {
        game,
        tags: &record.tags,
        result: record.result.as_str(),
        fen: notation::fen(&record.start, variant),
        uci: uci.collect(),
        san: notation::san_moves(&record.start, record.moves()),
        warnings: record.warnings.clone(),
        error: None,
    }
}
