//! Rows of weights and sums, cut into blocks that lie on cache lines.

use crate::memory::{Large, Zeroable};

/// As many numbers as the width of every row is a multiple of.
pub(super) const LANES: usize = 64;

/// A piece of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; LANES]);

// SAFETY: numbers.
unsafe impl Zeroable for Block {}

/// Numbers as blocks; what would not fill the last one is left out. `None` when there is no
/// memory for them.
pub(super) fn blocks(numbers: &[i16]) -> Option<Large<[Block]>> {
    let (whole, _) = numbers.as_chunks();
    let mut blocks = Large::<[Block]>::zeroed_slice(whole.len())?;
    blocks.enlarge_pages();
    for (block, &numbers) in blocks.iter_mut().zip(whole) {
        *block = Block(numbers);
    }
    Some(blocks)
}

/// Blocks as numbers.
pub(super) fn numbers(blocks: &[Block]) -> impl Iterator<Item = i16> {
    blocks.iter().flat_map(|block| block.0)
}
