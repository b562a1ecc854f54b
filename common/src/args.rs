//! Command-line values that several commands take.

use std::fmt;
use std::time::Duration;

use clap::ValueEnum;

/// Whose moves the user makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Side {
    White,
    Black,
    Both,
}

impl Side {
    /// Whether the user makes White's moves, or Black's.
    #[must_use]
    pub fn includes(self, white: bool) -> bool {
        match self {
            Side::White => white,
            Side::Black => !white,
            Side::Both => true,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "white",
            Side::Black => "black",
            Side::Both => "both",
        })
    }
}

/// Parses a time per move.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let expected = "expected seconds from 0.001 to 86400, such as 3 or 0.5";
    let seconds: f64 = text.parse().map_err(|_| expected)?;
    if (0.001..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(expected.to_owned())
    }
}
