//! Command-line values that several commands take.

use std::fmt;
use std::ops::RangeInclusive;
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

/// Parses a number of nodes, which may end with zeros as an exponent.
pub(crate) fn nodes(text: &str) -> Result<u64, &'static str> {
    let (digits, zeros) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let power = zeros
        .parse()
        .ok()
        .and_then(|zeros| 10_u64.checked_pow(zeros));
    let nodes = digits.parse::<u64>().ok().zip(power);
    let nodes = nodes.and_then(|(digits, power)| digits.checked_mul(power));
    let nodes = nodes.filter(|&nodes| nodes > 0);
    nodes.ok_or("expected a whole number above 0, such as 500000 or 1e6")
}

/// A contiguous part of the input, such as the third of ten.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shard {
    number: u64,
    of: u64,
}

/// Parses `K/N`.
pub(crate) fn shard(text: &str) -> Result<Shard, &'static str> {
    let numbers = text.split_once('/').map(|(k, n)| (k.parse(), n.parse()));
    match numbers {
        Some((Ok(number), Ok(of))) if (1..=of).contains(&number) => Ok(Shard { number, of }),
        _ => Err("expected K/N, such as 3/10"),
    }
}

impl Shard {
    /// The numbers, from 1, of its items; the argument is the number of all.
    pub(crate) fn part(self, length: u64) -> RangeInclusive<u64> {
        let end = |number| (u128::from(length) * u128::from(number) / u128::from(self.of)) as u64;
        end(self.number - 1) + 1..=end(self.number)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--shard {}/{}", self.number, self.of)
    }
}
