//! The attack layer: neurons over the attack features, whose share is added to the logits.

use super::{NetworkView, add_tiles};
use crate::train::batch::{BLOCK, CHUNK, CHUNKS, ExampleBlock, Input};
use crate::train::weights::{Layout, TILE, Tile};
use rayon::prelude::*;
use search::nnue::{ATTACK_FEATURES, ATTACK_MULTIPLE, Loops, Tensor};

/// Features whose weights are in one tile, in turn for each of its neurons.
const GROUP: usize = TILE / ATTACK_MULTIPLE;
const GROUPS: usize = ATTACK_FEATURES / GROUP;

#[derive(Debug)]
pub(super) struct AttackLayer {
    /// Tiles of the attack weights of a group: one for every 16 neurons.
    parts: usize,
    output_buckets: usize,
    /// The sum of every neuron, for each example.
    sums: Vec<Tile>,
    /// For each chunk the gradients of the weights, the biases and the output weights.
    partial_gradients: Vec<Tile>,
}

impl AttackLayer {
    pub(super) fn new(layout: &Layout) -> Self {
        let parts = layout.shape.attack_neurons() / ATTACK_MULTIPLE;
        let output_buckets = layout.shape.output_buckets();
        Self {
            parts,
            output_buckets,
            sums: vec![Tile::ZERO; BLOCK],
            partial_gradients: vec![Tile::ZERO; CHUNKS * (parts * GROUPS + 1 + output_buckets)],
        }
    }

    /// Adds to the logits.
    pub(super) fn forward(
        &mut self,
        model: NetworkView<'_>,
        block: &ExampleBlock,
        logits: &mut [f32],
    ) {
        if self.parts == 0 {
            return;
        }
        let tasks = self
            .sums
            .par_chunks_mut(CHUNK)
            .zip(logits.par_chunks_mut(CHUNK));
        tasks.enumerate().for_each(|(chunk, (sums, logits))| {
            model.simd.run_loops(Forward {
                model,
                parts: self.parts,
                inputs: block.chunk(chunk),
                sums,
                logits,
            });
        });
    }

    pub(super) fn backward(
        &mut self,
        model: NetworkView<'_>,
        block: &ExampleBlock,
        slopes: &[f32],
        gradient: &mut [Tile],
    ) {
        if self.parts == 0 {
            return;
        }
        let weights = self.parts * GROUPS;
        let size = weights + 1 + self.output_buckets;
        let tasks = self
            .sums
            .par_chunks(CHUNK)
            .zip(self.partial_gradients.par_chunks_mut(size));
        tasks.enumerate().for_each(|(chunk, (sums, gradient))| {
            model.simd.run_loops(Backward {
                model,
                parts: self.parts,
                inputs: block.chunk(chunk),
                slopes: slopes.get(chunk * CHUNK..).unwrap_or_default(),
                sums,
                gradient,
            });
        });
        let start = |tensor| model.layout.section(tensor).start;
        for partial in self.partial_gradients.chunks(size) {
            add_tiles(
                &mut gradient[start(Tensor::AttackWeights)..],
                &partial[..weights],
            );
            add_tiles(
                &mut gradient[start(Tensor::AttackBiases)..],
                &partial[weights..][..1],
            );
            add_tiles(
                &mut gradient[start(Tensor::AttackOutputs)..],
                &partial[weights + 1..],
            );
        }
    }
}

/// The counts of a group, repeated for every neuron of a tile.
#[inline(always)]
fn repeated(counts: &[u8; GROUP]) -> Tile {
    let counts = counts.map(f32::from);
    let mut tile = Tile::ZERO;
    for lane in 0..TILE {
        tile.0[lane] = counts[lane % GROUP];
    }
    tile
}

struct Forward<'a> {
    model: NetworkView<'a>,
    parts: usize,
    inputs: &'a [Input],
    sums: &'a mut [Tile],
    logits: &'a mut [f32],
}

impl Loops for Forward<'_> {
    #[inline(always)]
    fn run(self) {
        let NetworkView {
            layout, weights, ..
        } = self.model;
        let section = layout.section(Tensor::AttackWeights);
        let bias = &weights.floats(layout.section(Tensor::AttackBiases), 0)[0];
        let outputs = weights.floats(layout.section(Tensor::AttackOutputs), 0);
        for ((input, sums), logit) in self.inputs.iter().zip(self.sums).zip(self.logits) {
            let groups = input.counts.groups();
            *sums = *bias;
            for part in 0..self.parts {
                let mut products = Tile::ZERO;
                for (counts, row) in groups.iter().zip(weights.floats(section, part)) {
                    if *counts == [0; GROUP] {
                        continue;
                    }
                    let counts = repeated(counts);
                    for lane in 0..TILE {
                        products.0[lane] += counts.0[lane] * row.0[lane];
                    }
                }
                for neuron in 0..ATTACK_MULTIPLE {
                    let [a, b, c, d] = [0, 1, 2, 3].map(|place| products.0[neuron * GROUP + place]);
                    sums.0[part * ATTACK_MULTIPLE + neuron] += (a + b) + (c + d);
                }
            }
            let output = &outputs[usize::from(input.output_bucket)];
            let mut value = 0.0;
            for neuron in 0..self.parts * ATTACK_MULTIPLE {
                let activation = sums.0[neuron].clamp(0.0, 1.0);
                value += activation * activation * output.0[neuron];
            }
            *logit += value;
        }
    }
}

struct Backward<'a> {
    model: NetworkView<'a>,
    parts: usize,
    inputs: &'a [Input],
    /// Derivative of the loss with respect to each logit.
    slopes: &'a [f32],
    sums: &'a [Tile],
    /// The gradients of the weights, part by part, the biases and the output weights; overwritten.
    gradient: &'a mut [Tile],
}

impl Loops for Backward<'_> {
    #[inline(always)]
    fn run(self) {
        let NetworkView {
            layout, weights, ..
        } = self.model;
        let outputs = weights.floats(layout.section(Tensor::AttackOutputs), 0);
        self.gradient.fill(Tile::ZERO);
        let (weight_gradient, rest) = self.gradient.split_at_mut(self.parts * GROUPS);
        let Some((bias_gradient, output_gradient)) = rest.split_first_mut() else {
            return;
        };
        for ((input, sums), &slope) in self.inputs.iter().zip(self.sums).zip(self.slopes) {
            let bucket = usize::from(input.output_bucket);
            let (output, gradient) = (&outputs[bucket], &mut output_gradient[bucket]);
            let mut deltas = Tile::ZERO;
            for lane in 0..self.parts * ATTACK_MULTIPLE {
                let sum = sums.0[lane];
                let clipped = sum.clamp(0.0, 1.0);
                gradient.0[lane] += slope * (clipped * clipped);
                let derivative = if sum < 1.0 { clipped + clipped } else { 0.0 };
                deltas.0[lane] = slope * output.0[lane] * derivative;
            }
            bias_gradient.add(&deltas);
            let groups = input.counts.groups();
            for part in 0..self.parts {
                let mut own = Tile::ZERO;
                for lane in 0..TILE {
                    own.0[lane] = deltas.0[part * ATTACK_MULTIPLE + lane / GROUP];
                }
                for (counts, row) in groups.iter().zip(&mut weight_gradient[part * GROUPS..]) {
                    if *counts == [0; GROUP] {
                        continue;
                    }
                    let counts = repeated(counts);
                    for lane in 0..TILE {
                        row.0[lane] += own.0[lane] * counts.0[lane];
                    }
                }
            }
        }
    }
}
