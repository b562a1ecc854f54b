//! `castellan fen`: validates, converts and flips positions, or explains a move, one line for each.

use std::io;

use anyhow::{Result, anyhow};
use clap::ValueEnum;
use movegen::{FenError, Game, Position, Variant};
use serde::Serialize;

use crate::input::positions::{InputLine, LineCount, Positions, Reading};
use crate::output::json::versioned;
use crate::output::printer::Printer;
use crate::output::warn;
use formats::epd::EpdLine;
use formats::notation;
use formats::typed_move::{self, TypedMoveError};
use formats::uci_position::flipped;

/// Validate and convert FENs
///
/// Prints each position as a FEN of six fields. Invalid positions, and castling rights and en
/// passant squares that are dropped because the position cannot have them, are reported on
/// standard error.
#[derive(Debug, clap::Args)]
pub(crate) struct FenArgs {
    /// Positions, or files with one position per line; reads standard input if omitted or '-'
    #[arg(value_name = "POSITION|FILE")]
    positions: Vec<String>,
    /// The format to print [default: fen, shredder with --chess960]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    /// Swap the colors
    #[arg(long)]
    flip: bool,
    /// Print, in place of each FEN, every reason why a move is illegal there
    #[arg(long, value_name = "MOVE", conflicts_with_all = ["to", "flip"])]
    explain: Option<String>,
    /// Read castling rights and moves as those of Chess960
    #[arg(long)]
    chess960: bool,
    /// Reject a FEN with castling rights or an en passant square that its position cannot have
    #[arg(long)]
    strict: bool,
    /// Print one JSON object per line, also for invalid positions
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Castling rights as KQkq; a rook that is not the outermost one by its file (X-FEN)
    #[value(alias = "x-fen", alias = "xfen")]
    Fen,
    /// Castling rights as the files of the rooks (Shredder-FEN)
    #[value(alias = "shredder-fen")]
    Shredder,
    /// The first four fields
    Epd,
}

impl Format {
    fn write(self, position: &Position) -> String {
        match self {
            Self::Fen => position.fen(),
            Self::Shredder => position.shredder_fen(),
            Self::Epd => {
                let fen = position.fen();
                let fields: Vec<&str> = fen.split(' ').take(4).collect();
                fields.join(" ")
            }
        }
    }
}

/// The result for one line of the input.
#[derive(Debug, Default, Serialize)]
struct Conversion {
    line: u64,
    id: Option<String>,
    fen: Option<String>,
    /// The answer to `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
    /// The parts that were dropped.
    warnings: Vec<String>,
    error: Option<String>,
}

pub(crate) fn run(args: &FenArgs, printer: &Printer<io::Stdout>) -> Result<()> {
    let mut positions = Positions::from_arguments(&args.positions)?;
    let mut count = LineCount::default();
    while let Some(line) = positions.next_line()? {
        let conversion = args.convert(&line).unwrap_or_else(|error| Conversion {
            line: line.number,
            error: Some(error.to_string()),
            ..Conversion::default()
        });
        count.add(line.number, conversion.error.is_none());
        let text = match conversion.explanation.as_ref().or(conversion.fen.as_ref()) {
            _ if args.json => versioned(&conversion)? + "\n",
            Some(text) => format!("{text}\n"),
            None => String::new(),
        };
        if !text.is_empty() && printer.text(&text).is_break() {
            return Ok(());
        }
        if !args.json {
            for message in conversion.error.iter().chain(&conversion.warnings) {
                warn(format_args!("line {}: {message}", line.number));
            }
        }
    }
    count.check()
}

impl FenArgs {
    fn convert(&self, line: &InputLine) -> Result<Conversion> {
        let record = line.parse(Reading {
            variant: self.chess960.then_some(Variant::Chess960),
            strict: self.strict,
        })?;
        for code in ["bm", "am"] {
            if let Some(epd) = &record.epd {
                let moves = epd.moves(code, record.position.game.start());
                moves.map_err(|error| anyhow!("{code}: {error}"))?;
            }
        }
        let explanation = self.explain.as_deref();
        let explanation = explanation
            .map(|mv| explain(&record.position.game, mv))
            .transpose()?;
        let mut position = *record.position.game.position();
        if self.flip {
            let flipped = flipped(&position).position(position.variant());
            position = flipped.map_err(FenError::from)?.position;
        }
        Ok(Conversion {
            line: line.number,
            id: record.epd.as_ref().and_then(EpdLine::id),
            fen: Some(match self.to {
                Some(format) => format.write(&position),
                None => notation::fen(&position, position.variant()),
            }),
            explanation,
            warnings: record.warnings,
            error: None,
        })
    }
}

/// The move in SAN if it is legal, and otherwise every reason why not.
fn explain(game: &Game, text: &str) -> Result<String> {
    match typed_move::parse(game, text) {
        Ok(mv) => Ok(format!("legal move '{}'", game.position().san(mv))),
        Err(error @ (TypedMoveError::Malformed { .. } | TypedMoveError::Letter { .. })) => {
            Err(error.into())
        }
        Err(error) => Ok(format!("{error:#}")),
    }
}
