//! Under which key a position is remembered.
//!
//! Near the fifty-move rule the same men are worth something else with another clock, so the
//! clock goes into the key there, a few plies at a time; before that all clocks share an entry.

use movegen::Position;

/// Clocks below this share a key.
const SHARED_CLOCK: u16 = 24;
/// So many plies of the clock share a key after that.
const PLIES_PER_KEY: u16 = 8;
/// An odd number with well-mixed bits; its multiples differ in all of theirs.
const SPREAD: u64 = 0xa076_1d64_78bd_642f;

/// The key the table knows a position by.
#[must_use]
#[inline]
pub fn key(position: &Position) -> u64 {
    let over = position.halfmove_clock().saturating_sub(SHARED_CLOCK);
    position.key() ^ u64::from(over.div_ceil(PLIES_PER_KEY)).wrapping_mul(SPREAD)
}
