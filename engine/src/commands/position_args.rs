//! One position on the command line.

use movegen::Variant;

use crate::uci::session::{Placed, WordsError};

/// A position in words, as a job of the shell is given it.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionArgs {
    /// A FEN, or 'startpos', and 'moves ...' behind it if wanted [default: startpos]
    #[arg(value_name = "FEN")]
    position: Vec<String>,
    /// Reads and writes castling as in Chess960
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

    /// The game that is described.
    pub(crate) fn placed(&self) -> Result<Placed, WordsError> {
        let text = match self.position.as_slice() {
            [] => "startpos".to_owned(),
            words => words.join(" "),
        };
        Placed::from_words(&text, self.variant())
    }
}
