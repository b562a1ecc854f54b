//! A position on the command line.

use std::path::Path;

use common::excerpt;
use movegen::Variant;
use thiserror::Error;

use crate::input::positions::{self, LineError};
use game::uci_position::UciPosition;

#[derive(Debug, clap::Args)]
pub(crate) struct PositionArgs {
    /// FEN, EPD or 'startpos', optionally followed by 'moves ...' [default: startpos]
    #[arg(value_name = "FEN")]
    position: Vec<String>,
    /// Use Chess960 castling notation
    #[arg(long)]
    chess960: bool,
}

#[derive(Debug, Error)]
pub(crate) enum PositionArgsError {
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(
        "expected a FEN in quotation marks or 'startpos', optionally followed by 'moves ...'; found '{text}' behind it"
    )]
    Unquoted { text: String },
    #[error("'{path}' is a file; expected a FEN or 'startpos', optionally followed by 'moves ...'")]
    File { path: String },
}

impl PositionArgs {
    pub(crate) fn variant(&self) -> Variant {
        Variant::from_chess960(self.chess960)
    }

    pub(crate) fn parse(&self) -> Result<UciPosition, PositionArgsError> {
        let text = match self.position.as_slice() {
            [] => "startpos".to_owned(),
            [first, ..] if first == "moves" => format!("startpos {}", self.position.join(" ")),
            [_, second, ..] if second != "moves" => {
                return Err(PositionArgsError::Unquoted {
                    text: excerpt(second),
                });
            }
            words => words.join(" "),
        };
        positions::parse(&text, self.variant())
            .map(|(_, position)| position)
            .map_err(|error| {
                if Path::new(&text).is_file() {
                    PositionArgsError::File {
                        path: excerpt(&text),
                    }
                } else {
                    error.into()
                }
            })
    }
}
