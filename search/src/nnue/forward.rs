//! The network's arithmetic, written once over the operations of any instruction set: updates of
//! accumulators, and the value they give; and the same from scratch, slowly and plainly.

use super::attacks::AttackCounts;
use super::features::{features, piece_sets};
use super::network::{Block, Network};
use super::shape::{
    ATTACK_GROUP, ATTACK_GROUPS, ATTACK_MULTIPLE, ATTACK_ONE, HIDDEN_MULTIPLE, QA, Tensor,
};
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
        position: &Position,
    ) -> i32 {
        let bucket = self.shape.output_bucket(position.occupied().count());
        let (for_us, for_them) = self.output_weights(bucket).split_at(us.len());
        let weighted = weighted_screlu(simd, [us, them], [for_us, for_them]);
        let attacks = match self.shape.attack_neurons() / ATTACK_MULTIPLE {
            1 => self.attack_value::<S, 1>(simd, position, bucket),
            2 => self.attack_value::<S, 2>(simd, position, bucket),
            _ => 0,
        };
        self.scaled(weighted / i64::from(QA) + attacks, bucket)
    }

    /// The contribution of an attack layer with this many parts of sixteen neurons.
    #[inline(always)]
    fn attack_value<S: SimdOps, const PARTS: usize>(
        &self,
        simd: S,
        position: &Position,
        bucket: usize,
    ) -> i64 {
        /// Sums that do not wait for each other.
        const CHAINS: usize = 9;
        let counts = AttackCounts::with(simd, &piece_sets(position), position.side_to_move());
        let (groups, _) = counts.groups().as_chunks::<2>();
        let (groups, _) = groups.as_chunks::<CHAINS>();
        let (weights, _) = self.i8s(Tensor::AttackWeights).as_chunks::<PARTS>();
        let (weights, _) = weights[..ATTACK_GROUPS].as_chunks::<2>();
        let (weights, _) = weights.as_chunks::<CHAINS>();
        let (biases, _) = self.i16s(Tensor::AttackBiases)[0].0.as_chunks();
        let (outputs, _) = self.i16s(Tensor::AttackOutputs)[bucket].0.as_chunks();
        let mut value = 0;
        for (part, (biases, outputs)) in biases.iter().zip(outputs).enumerate().take(PARTS) {
            let mut chains = [simd.sums([0; ATTACK_MULTIPLE]); CHAINS];
            for (groups, weights) in groups.iter().zip(weights) {
                for (chain, (groups, [first, second])) in
                    chains.iter_mut().zip(groups.iter().zip(weights))
                {
                    *chain = simd.add_groups(*chain, groups, [&first[part], &second[part]]);
                }
            }
            let mut sums = simd.sums([0; ATTACK_MULTIPLE]);
            for chain in chains {
                sums = simd.add_sums(sums, chain);
            }
            value += weighted_activations(simd.to_array(sums), biases, outputs);
        }
        value * i64::from(QA) / i64::from(ATTACK_ONE * ATTACK_ONE)
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
        let logit = weighted.sum::<i64>() / i64::from(QA);
        self.scaled(
            logit + self.attack_value_from_scratch(position, bucket),
            bucket,
        )
    }

    /// The share of the attack layer in the logit, slowly and plainly.
    fn attack_value_from_scratch(&self, position: &Position, bucket: usize) -> i64 {
        let counts = AttackCounts::new(&piece_sets(position), position.side_to_move());
        let neurons = self.shape.attack_neurons();
        let weights = self.numbers(Tensor::AttackWeights);
        let biases = self.numbers(Tensor::AttackBiases);
        let outputs = self.numbers(Tensor::AttackOutputs);
        let value = (0..neurons).map(|neuron| {
            let products = counts
                .groups()
                .iter()
                .zip(weights.chunks(ATTACK_GROUP * neurons));
            let products = products.flat_map(|(group, weights)| {
                let weights = &weights[neuron * ATTACK_GROUP..];
                group
                    .iter()
                    .zip(weights)
                    .map(|(&count, weight)| i32::from(count) * weight)
            });
            let input = products.sum::<i32>() + biases[neuron];
            let activation = i64::from(input.clamp(0, ATTACK_ONE));
            activation * activation * i64::from(outputs[bucket * neurons + neuron])
        });
        value.sum::<i64>() * i64::from(QA) / i64::from(ATTACK_ONE * ATTACK_ONE)
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

/// The squared clipped ReLU of neurons of the attack layer, weighted and summed.
#[inline(always)]
fn weighted_activations(
    sums: [i32; ATTACK_MULTIPLE],
    biases: &[i16; ATTACK_MULTIPLE],
    weights: &[i16; ATTACK_MULTIPLE],
) -> i64 {
    let mut value = 0;
    for lane in 0..ATTACK_MULTIPLE {
        let activation = (sums[lane] + i32::from(biases[lane])).clamp(0, ATTACK_ONE);
        value += i64::from(activation * activation * i32::from(weights[lane]));
    }
    value
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
