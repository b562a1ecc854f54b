//! Command-line values that several commands take.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use game::Side;
use game::play::MOVE_SECONDS;

/// A parser of the side that the user plays, with the names as possible values.
pub(crate) fn side() -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(Side::NAMES).try_map(|name| name.parse::<Side>())
}

/// Parses a time per move.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let expected = "expected seconds from 0.001 to 86400, such as 3 or 0.5";
    let seconds: f64 = text.parse().map_err(|_| expected)?;
    if MOVE_SECONDS.contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(expected.to_owned())
    }
}

/// Parses a whole number from `MIN`.
pub(crate) fn at_least<T: TryFrom<u64>, const MIN: u64>(text: &str) -> Result<T, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().unwrap_or(u64::MAX);
    if !is_number || number < MIN {
        return Err(format!("expected a whole number of {MIN} or more"));
    }
    T::try_from(number).map_err(|_| "the number is too large".to_owned())
}

/// Parses a whole number from `MIN` to `MAX`.
pub(crate) fn between<T: TryFrom<u64>, const MIN: u64, const MAX: u64>(
    text: &str,
) -> Result<T, String> {
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
