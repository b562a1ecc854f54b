//! Signed LEB128, as DWARF and WebAssembly have it: seven bits a byte, the lowest first.

/// Bytes of the longest number of 32 bits.
const MAX_BYTES: u32 = 5;

/// Takes a number off the front. `None` if it does not end, or is longer than it need be.
#[inline]
pub(super) fn take(bytes: &mut &[u8]) -> Option<i64> {
    let mut low = 0;
    for shift in (0..MAX_BYTES).map(|byte| 7 * byte) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if byte < 0x80 {
            // The sign is the highest of the seven bits.
            let number = low | i64::from((byte << 1) as i8 >> 1) << shift;
            return (shift == 0 || number != sign_extend(number, shift)).then_some(number);
        }
        low |= i64::from(byte & 0x7f) << shift;
    }
    None
}

/// The number that the lowest `bits` bits stand for.
fn sign_extend(number: i64, bits: u32) -> i64 {
    let above = i64::BITS - bits;
    number << above >> above
}

/// Appends a number of at most 32 bits and a sign.
pub(super) fn push(bytes: &mut Vec<u8>, mut number: i64) {
    while !(-0x40..0x40).contains(&number) {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8 & 0x7f);
}
