//! A position on the command line.

use std::path::Path;

use common::excerpt;
use movegen::Variant;

use crate::CommandError;
use crate::input::positions::{self, Reading};
use crate::output::warn;
use formats::uci_position::UciPosition;

#[derive(Debug, clap::Args)]
pub(crate) struct PositionArgs {
    /// FEN, EPD or 'startpos', optionally followed by 'moves ...' [default: startpos]
    #[arg(value_name = "FEN")]
    position: Vec<String>,
    /// Use Chess960 castling notation
    #[arg(long)]
    chess960: bool,
    /// Reject a FEN with castling rights or an en passant square that its position cannot have
    #[arg(long)]
    strict: bool,
}

impl PositionArgs {
    /// Warns of what is dropped.
    pub(crate) fn parse(&self) -> Result<UciPosition, CommandError> {
        let text = match self.position.as_slice() {
            [] => "startpos".to_owned(),
            [first, ..] if first == "moves" => format!("startpos {}", self.position.join(" ")),
            [_, second, ..] if second != "moves" => {
                return Err(format!(
                    "expected a FEN in quotation marks or 'startpos', optionally followed by 'moves ...'; \
                     found '{}' behind it",
                    excerpt(second)
                )
                .into());
            }
            words => words.join(" "),
        };
        let how = Reading {
            variant: Variant::from_chess960(self.chess960),
            strict: self.strict,
        };
        match positions::parse(&text, how) {
            Ok((_, position)) => {
                position.dropped.iter().for_each(warn);
                Ok(position)
            }
            Err(_) if Path::new(&text).is_file() => Err(format!(
                "'{}' is a file; expected a FEN or 'startpos', optionally followed by 'moves ...'",
                excerpt(&text)
            )
            .into()),
            Err(error) => Err(error),
        }
    }
}
