//! Rows of weights and sums, cut into blocks that lie on cache lines.

/// As many numbers as the width of every row is a multiple of.
pub(super) const LANES: usize = 64;

/// A piece of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; LANES]);

/// Numbers as blocks; what would not fill the last one is left out.
pub(super) fn blocks(numbers: &[i16]) -> Box<[Block]> {
    let (blocks, _) = numbers.as_chunks();
    blocks.iter().map(|&block| Block(block)).collect()
}

/// Blocks as numbers.
pub(super) fn numbers(blocks: &[Block]) -> impl Iterator<Item = i16> {
    blocks.iter().flat_map(|block| block.0)
}
