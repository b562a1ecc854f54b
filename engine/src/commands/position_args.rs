//! A position on the command line.

use movegen::Variant;

use crate::uci::position::{PositionError, UciPosition};

#[derive(Debug, clap::Args)]
pub(crate) struct PositionArgs {
    /// FEN or 'startpos', optionally followed by 'moves ...' [default: startpos]
    #[arg(value_name = "FEN")]
    position: Vec<String>,
    /// Use Chess960 castling notation
    #[arg(long)]
    chess960: bool,
}

impl PositionArgs {
    pub(crate) fn variant(&self) -> Variant {
        match self.chess960 {
            true => Variant::Chess960,
            false => Variant::Standard,
        }
    }

    pub(crate) fn parse(&self) -> Result<UciPosition, PositionError> {
        let text = match self.position.as_slice() {
            [] => "startpos".to_owned(),
            words => words.join(" "),
        };
        UciPosition::parse(&text, self.variant())
    }
}
