//! Command-line values that several commands take.

pub(crate) mod tridim;

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
