//! `castellan book`: the moves of an opening book.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use movegen::{Dropped, Position};
use serde::Serialize;
use serde_json::value::RawValue;

use super::position_args::PositionArgs;
use crate::CommandError;
use crate::output::json::{versioned, warnings};
use crate::output::printer::Printer;
use formats::notation;
use formats::polyglot::{Book, BookError, BookMoves, key, passed_square};

/// Show the moves an opening book has for a position
#[derive(Debug, clap::Args)]
pub(crate) struct BookArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Book to read
    #[arg(long, value_name = "FILE", default_value = "book.bin")]
    book: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &BookArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
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
        BookError::Read(error) if error.kind() == ErrorKind::NotFound => {
            format!("no book '{path}'; choose one with --book")
        }
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
