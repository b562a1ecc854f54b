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

    /// Whom the user plays, in a list of games.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Side::White => "White against the engine",
            Side::Black => "Black against the engine",
            Side::Both => "both sides",
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

/// Parses a whole number from `MIN`.
pub fn at_least<T: TryFrom<u64>, const MIN: u64>(text: &str) -> Result<T, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().unwrap_or(u64::MAX);
    if !is_number || number < MIN {
        return Err(format!("expected a whole number of {MIN} or more"));
    }
    T::try_from(number).map_err(|_| "the number is too large".to_owned())
}

/// Parses a whole number from `MIN` to `MAX`.
pub fn between<T: TryFrom<u64>, const MIN: u64, const MAX: u64>(text: &str) -> Result<T, String> {
    let expected = || format!("expected a whole number from {MIN} to {MAX}");
    let number = at_least::<u64, MIN>(text).map_err(|_| expected())?;
    let number = Some(number).filter(|number| *number <= MAX);
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::{at_least, between};

    #[test]
    fn numbers_in_a_range() {
        let elo = between::<u32, 800, 3000>;
        assert_eq!((elo("800"), elo("3000")), (Ok(800), Ok(3000)));
        for wrong in [
            "799",
            "3001",
            "",
            "-1",
            "+900",
            "900.0",
            "99999999999999999999",
        ] {
            let expected = "expected a whole number from 800 to 3000".to_owned();
            assert_eq!(elo(wrong), Err(expected), "{wrong}");
        }
        // More than the type holds.
        assert!(between::<u8, 0, 1000>("256").is_err());
        assert_eq!(at_least::<u8, 1>("255"), Ok(255));
        assert!(at_least::<u8, 1>("256").is_err());
    }
}
