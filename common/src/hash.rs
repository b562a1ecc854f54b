//! A hash that is the same on every machine. The build script of `search` includes this file too.

/// FNV-1a (Fowler, Noll and Vo). It detects damage, not forgery.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x100_0000_01b3;
    bytes.iter().fold(BASIS, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}
