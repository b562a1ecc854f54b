//! `castellan book show`: what a book says of a position.

use std::io;
use std::path::PathBuf;

use movegen::{Position, Variant};
use thiserror::Error;

use crate::formats::polyglot::{Book, BookError, Found, key, passed_square};
use crate::output::json;
use crate::output::printer::Printer;
use crate::uci::session::{Placed, WordsError};

/// Shows the moves a book has for a position
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// A FEN, or 'startpos', and 'moves ...' behind it if wanted
    #[arg(value_name = "FEN", required = true)]
    position: Vec<String>,
    /// The book
    #[arg(long, value_name = "FILE", default_value = super::USUAL_BOOK)]
    book: PathBuf,
    /// Answers as one line of JSON
    #[arg(long)]
    json: bool,
    /// Reads the FEN as one of Chess960
    #[arg(long)]
    chess960: bool,
}

/// Why there is nothing to show.
#[derive(Debug, Error)]
pub(crate) enum ShowError {
    #[error(transparent)]
    Words(#[from] WordsError),
    #[error("cannot use '{}' as a book: {source}", path.display())]
    Book { path: PathBuf, source: BookError },
}

/// Looks the position up and prints its moves.
pub(crate) fn run(args: &ShowArgs, printer: &Printer<io::Stdout>) -> Result<(), ShowError> {
    let variant = match args.chess960 {
        true => Variant::Chess960,
        false => Variant::Standard,
    };
    let placed = Placed::from_words(&args.position.join(" "), variant)?;
    let position = placed.game.position();
    let key = key(
        position,
        passed_square(&placed.game, placed.passed_at_start),
    );
    let found = Book::open(&args.book)
        .and_then(|mut book| book.find(position, key))
        .map_err(|source| ShowError::Book {
            path: args.book.clone(),
            source,
        })?;
    let page = Page {
        position,
        variant,
        key,
        found,
    };
    if args.json {
        printer.line(page.json());
    } else {
        printer.lines(page.lines());
    }
    Ok(())
}

/// What is shown of one position.
struct Page<'a> {
    position: &'a Position,
    variant: Variant,
    key: u64,
    found: Found,
}

impl Page<'_> {
    fn fen(&self) -> String {
        json::fen(self.position, self.variant)
    }

    /// A move's share of all weights, in percent.
    fn percent(&self, weight: u32) -> f64 {
        100.0 * f64::from(weight) / (self.found.total().max(1) as f64)
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.fen(), format!("key {:016x}", self.key)];
        if self.found.moves.is_empty() {
            lines.push("the book has no move here".to_owned());
        }
        lines.extend(self.found.moves.iter().map(|known| {
            format!(
                "{:<8} {:<6} {:>6} {:>6.2} %",
                self.position.san(known.mv),
                known.mv.uci(self.variant).to_string(),
                known.weight,
                self.percent(known.weight),
            )
        }));
        if !self.found.illegal.is_empty() {
            lines.push(format!("not legal here: {}", self.found.illegal.join(" ")));
        }
        lines
    }

    /// All texts in it are of letters and figures: nothing needs an escape.
    fn json(&self) -> String {
        let moves = self.found.moves.iter().map(|known| {
            format!(
                r#"{{"uci":"{}","san":"{}","weight":{},"percent":{:.2}}}"#,
                known.mv.uci(self.variant),
                self.position.san(known.mv),
                known.weight,
                self.percent(known.weight),
            )
        });
        let illegal = self.found.illegal.iter().map(|mv| format!(r#""{mv}""#));
        format!(
            r#"{{"fen":"{}","key":"{:016x}","moves":[{}],"illegal":[{}]}}"#,
            self.fen(),
            self.key,
            moves.collect::<Vec<_>>().join(","),
            illegal.collect::<Vec<_>>().join(","),
        )
    }
}
