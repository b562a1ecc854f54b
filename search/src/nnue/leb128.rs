//! Signed LEB128, as DWARF and WebAssembly have it: seven bits a byte, the lowest first.

use std::ops::BitOr;

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
            let number = low | i64::from(last(byte)) << shift;
            return (shift == 0 || number != sign_extend(number, shift)).then_some(number);
        }
        low |= i64::from(byte & 0x7f) << shift;
    }
    None
}

/// The integers of a tensor.
pub(super) trait Integer:
    Copy + Default + BitOr<Output = Self> + Into<i32> + TryFrom<i64>
{
    /// The wrapped sum, and a number that is zero if it did not wrap: unlike a flag, compilers
    /// keep numbers in vectors.
    fn wrapping_add_i8(self, other: i8) -> (Self, Self);
}

macro_rules! integers {
    ($($integer:ty),*) => {
        $(impl Integer for $integer {
            #[inline]
            fn wrapping_add_i8(self, other: i8) -> (Self, Self) {
                let sum = self.wrapping_add(other.into());
                (sum, sum ^ self.saturating_add(other.into()))
            }
        })*
    };
}
integers!(i8, i16, i32);

/// Takes numbers of one byte each off the front and adds them to others. Does nothing if one is
/// longer, or a sum does not fit.
#[inline]
pub(super) fn add_short<N: Integer, const COUNT: usize>(
    bytes: &mut &[u8],
    numbers: &mut [N; COUNT],
) -> bool {
    let Some((short, rest)) = bytes.split_first_chunk::<COUNT>() else {
        return false;
    };
    if !short.is_ascii() {
        return false;
    }
    let mut sums = *numbers;
    let mut wrapped = N::default();
    for (sum, &byte) in sums.iter_mut().zip(short) {
        let (added, wraps) = sum.wrapping_add_i8(last(byte));
        *sum = added;
        wrapped = wrapped | wraps;
    }
    let fits = wrapped.into() == 0;
    if fits {
        (*numbers, *bytes) = (sums, rest);
    }
    fits
}

/// The last byte of a number, whose sign is the highest of the seven bits.
#[inline]
fn last(byte: u8) -> i8 {
    (byte ^ 0x40).wrapping_sub(0x40) as i8
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
