//! A position on the command line.

use std::path::Path;

use common::excerpt;
use movegen::Variant;

use crate::CommandError;
use crate::input::positions;
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

impl PositionArgs {
    pub(crate) fn variant(&self) -> Variant {
        Variant::from_chess960(self.chess960)
    }

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
        match positions::parse(&text, self.variant()) {
            Ok((_, position)) => Ok(position),
            Err(_) if Path::new(&text).is_file() => Err(format!(
                "'{}' is a file; expected a FEN or 'startpos', optionally followed by 'moves ...'",
                excerpt(&text)
            )
            .into()),
            Err(error) => Err(error),
        }
    }
}
