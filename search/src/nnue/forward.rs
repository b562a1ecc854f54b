//! The network's arithmetic, written once over the operations of any instruction set: updates of
//! accumulators, and the value they give; and the same from scratch, slowly and plainly.

use super::features::features;
use super::network::{Block, Network};
use super::shape::{HIDDEN_MULTIPLE, QA, Tensor};
use super::simd::SimdOps;
use movegen::{Color, Position};

/// Sets `child` to `parent` with some rows added and others removed. All are equally long.
#[inline(always)]
pub(super) fn update<S: SimdOps, const ADDED: usize, const REMOVED: usize>(
    simd: S,
    parent: &[Block<i16>],
    child: &mut [Block<i16>],
    mut added: [&[Block<i8>]; ADDED],
    mut removed: [&[Block<i8>]; REMOVED],
) {
    let blocks = child.len();
    let parent = &parent[..blocks];
    // Lengths are checked once here, not for every block below.
    added = added.map(|row| &row[..blocks]);
    removed = removed.map(|row| &row[..blocks]);
    for (index, child) in child.iter_mut().enumerate() {
        let mut sums = simd.load(&parent[index]);
        for row in added {
            sums = simd.add(sums, simd.load_i8(&row[index]));
        }
        for row in removed {
            sums = simd.subtract(sums, simd.load_i8(&row[index]));
        }
        simd.store(child, sums);
    }
}

/// Adds rows of a table of weights to `row` and removes others.
#[inline(always)]
pub(super) fn refresh<S: SimdOps>(
    simd: S,
    row: &mut [Block<i16>],
    weights: &[Block<i8>],
    added: &[u16],
    removed: &[u16],
) {
    /// Blocks that are kept in registers together.
    const TILE: usize = 2;
    let blocks = row.len();
    let (tiles, rest) = row.as_chunks_mut::<TILE>();
    let tiled = tiles.len() * TILE;
    for (index, tile) in tiles.iter_mut().enumerate() {
        refresh_tile(simd, tile, &weights[index * TILE..], blocks, added, removed);
    }
    for (index, block) in rest.iter_mut().enumerate() {
        let tile = std::array::from_mut(block);
        refresh_tile(
            simd,
            tile,
            &weights[tiled + index..],
            blocks,
            added,
            removed,
        );
    }
}

/// `refresh` for a few blocks. `weights` begins at theirs.
#[inline(always)]
fn refresh_tile<S: SimdOps, const BLOCKS: usize>(
    simd: S,
    tile: &mut [Block<i16>; BLOCKS],
    weights: &[Block<i8>],
    stride: usize,
    added: &[u16],
    removed: &[u16],
) {
    let row = |feature: u16| &weights[usize::from(feature) * stride..][..BLOCKS];
    let mut sums = [simd.load(&tile[0]); BLOCKS];
    for (sums, block) in sums.iter_mut().zip(&*tile) {
        *sums = simd.load(block);
    }
    for &feature in added {
        for (sums, weights) in sums.iter_mut().zip(row(feature)) {
            *sums = simd.add(*sums, simd.load_i8(weights));
        }
    }
    for &feature in removed {
        for (sums, weights) in sums.iter_mut().zip(row(feature)) {
            *sums = simd.subtract(*sums, simd.load_i8(weights));
        }
    }
    for (sums, block) in sums.iter().zip(tile) {
        simd.store(block, *sums);
    }
}

impl Network {
    /// The value of the accumulators of a position with this number of pieces, for the side `us`.
    #[inline(always)]
    pub(super) fn value<S: SimdOps>(
        &self,
        simd: S,
        us: &[Block<i16>],
        them: &[Block<i16>],
        pieces: u32,
    ) -> i32 {
        let bucket = self.shape.output_bucket(pieces);
        let (for_us, for_them) = self.output_weights(bucket).split_at(us.len());
        let weighted = weighted_screlu(simd, [us, them], [for_us, for_them]);
        self.scaled(weighted / i64::from(QA), bucket)
    }

    /// The value of a position for the side to move: the reference for all faster implementations.
    #[must_use]
    pub fn evaluate_from_scratch(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        let bucket = self.shape.output_bucket(position.occupied().count());
        let sums = [us, !us].map(|side| self.accumulator(position, side));
        let weights = self.output_weights(bucket).iter().flat_map(|block| block.0);
        let weighted = sums.iter().flatten().zip(weights).map(|(&sum, weight)| {
            let activation = i64::from(sum.clamp(0, QA));
            activation * activation * i64::from(weight)
        });
        self.scaled(weighted.sum::<i64>() / i64::from(QA), bucket)
    }

    /// The accumulator of a side.
    fn accumulator(&self, position: &Position, side: Color) -> Vec<i16> {
        let biases = self.feature_biases().iter();
        let mut sums: Vec<i16> = biases.flat_map(|block| block.0).collect();
        for feature in features(&self.shape, position, side) {
            let weights = self.feature_weights(feature).iter();
            for (sum, weight) in sums.iter_mut().zip(weights.flat_map(|block| block.0)) {
                *sum = sum.wrapping_add(weight.into());
            }
        }
        sums
    }

    fn output_weights(&self, bucket: usize) -> &[Block<i8>] {
        let blocks = 2 * self.blocks();
        &self.i8s(Tensor::OutputWeights)[bucket * blocks..][..blocks]
    }

    /// From the output layer's sum to units of the evaluation.
    #[inline(always)]
    fn scaled(&self, weighted: i64, bucket: usize) -> i32 {
        let bias = self.i32s(Tensor::OutputBiases)[0].0[bucket];
        let one = self.shape.tensor(Tensor::OutputBiases).one;
        let logit = weighted + i64::from(bias);
        let value = logit * i64::from(self.scale) / i64::from(one);
        value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }
}

/// The squared clipped ReLU (SCReLU) of both rows, weighted and summed. An activation times a
/// weight fits 16 bits.
#[inline(always)]
fn weighted_screlu<S: SimdOps>(
    simd: S,
    rows: [&[Block<i16>]; 2],
    weights: [&[Block<i8>]; 2],
) -> i64 {
    let [zeros, ones] = [0, QA].map(|number| simd.load(&Block([number; HIDDEN_MULTIPLE])));
    let blocks = rows[0].len();
    let (rows, weights) = (
        rows.map(|row| &row[..blocks]),
        weights.map(|row| &row[..blocks]),
    );
    let mut sums = [simd.sums([0; 16]); 2];
    for block in 0..blocks {
        for (sums, (row, weights)) in sums.iter_mut().zip(rows.iter().zip(weights)) {
            let activations = simd.minimum(simd.maximum(simd.load(&row[block]), zeros), ones);
            let weighted = simd.multiply(activations, simd.load_i8(&weights[block]));
            *sums = simd.add_products(*sums, weighted, activations);
        }
    }
    let [us, them] = [simd.to_array(sums[0]), simd.to_array(sums[1])];
    // A sum has at most 64 products of at most 160² · 128, so four together fit 32 bits.
    let sums = (0..8).map(|lane| us[lane] + them[lane] + us[lane + 8] + them[lane + 8]);
    sums.map(i64::from).sum()
}
