//! The layers behind the hidden layer of a layered network: products of pairs of its neurons, two
//! layers with a clipped ReLU, and the output.
//!
//! Activations are integers as in the engine, up to `Shape::QC`, so that sums have the engine's
//! values in any order; gradients are those of activations up to 1.

mod matrix;
mod pairwise;

use super::{NetworkView, add_tiles};
use crate::train::batch::{BLOCK, CHUNK, CHUNKS, ExampleBlock, Input};
use crate::train::weights::{Layout, Section, TILE, Tile, round};
use matrix::{ByInput, ByNeuron};
use pairwise::{PairwiseBackward, PairwiseForward};
use rayon::prelude::*;
use search::nnue::{Loops, Shape, Tensor};
use std::ops::Range;

/// Neurons of the layers between hidden layer and output.
const FIRST: usize = Shape::FIRST;
const SECOND: usize = Shape::SECOND;
/// Tiles of the first layer's weights that multiply the activations of one part.
const PART_TILES: usize = TILE / Shape::CHUNK;
/// Rows of the second layer's weights for a bucket.
const SECOND_ROWS: usize = FIRST / Shape::CHUNK;
/// The largest activation.
const ONE: f32 = Shape::QC as f32;

#[derive(Debug)]
pub(super) struct Layers {
    /// For each part of the hidden layer the products of pairs of every example: 32 of the side to
    /// move, 32 of the other.
    activations: Vec<Tile>,
    /// What each part adds to the sums of the first layer of every example.
    partial_sums: Vec<[f32; FIRST]>,
    /// The sums of the first layer of every example; then their gradients.
    sums: Vec<[f32; FIRST]>,
    /// For each task the gradients of the first layer's weights and of the feature biases.
    partial_gradients: Vec<Tile>,
    /// For each chunk the gradients of the `small_tiles`.
    small_gradients: Vec<Tile>,
}

/// The tiles of the tensors from the first layer's biases to the output weights.
fn small_tiles(layout: &Layout) -> Range<usize> {
    layout.section(Tensor::FirstBiases).start..layout.section(Tensor::OutputBiases).start
}

/// The first row of the first layer's weights for a part of the hidden layer.
fn first_row(first: &Section, bucket: usize, part: usize) -> usize {
    bucket * first.shape.rows + part * PART_TILES
}

/// The first layer's weights for a part of the hidden layer, by bucket.
fn first_tiles<'a>(model: NetworkView<'a>, part: usize) -> impl Iterator<Item = &'a [Tile]> {
    let first = model.layout.section(Tensor::FirstWeights);
    let tiles = model.weights.floats(first, 0);
    (0..first.shape.buckets)
        .map(move |bucket| &tiles[first_row(first, bucket, part)..][..PART_TILES])
}

/// The second layer's weights by bucket, of the halves of its neurons.
fn second_tiles<'a>(model: NetworkView<'a>) -> impl Iterator<Item = [&'a [Tile]; 2]> {
    let second = model.layout.section(Tensor::SecondWeights);
    (0..second.shape.buckets).map(move |bucket| {
        [0, 1]
            .map(|half| &model.weights.floats(second, half)[bucket * SECOND_ROWS..][..SECOND_ROWS])
    })
}

impl Layers {
    pub(super) fn new(layout: &Layout) -> Self {
        let parts = layout.section(Tensor::FeatureBiases).parts();
        Self {
            activations: vec![Tile::ZERO; parts * BLOCK],
            partial_sums: vec![[0.0; FIRST]; parts * BLOCK],
            sums: vec![[0.0; FIRST]; BLOCK],
            partial_gradients: vec![Tile::ZERO; parts * CHUNKS * Self::gradient_tiles(layout)],
            small_gradients: vec![Tile::ZERO; CHUNKS * small_tiles(layout).len()],
        }
    }

    /// Tiles of the gradients of a task.
    fn gradient_tiles(layout: &Layout) -> usize {
        layout.section(Tensor::FirstWeights).shape.buckets * PART_TILES + 1
    }

    /// Overwrites the accumulators and the logits.
    pub(super) fn forward(
        &mut self,
        model: NetworkView<'_>,
        block: &ExampleBlock,
        accumulators: &mut [Tile],
        logits: &mut [f32],
    ) {
        let accumulators = accumulators.par_chunks_mut(CHUNK * 2);
        let activations = self.activations.par_chunks_mut(CHUNK);
        let outputs = activations.zip(self.partial_sums.par_chunks_mut(CHUNK));
        let tasks = accumulators.zip(outputs).enumerate();
        tasks.for_each(|(task, (accumulators, (activations, sums)))| {
            model.simd.run_loops(PairwiseForward {
                model,
                part: task / CHUNKS,
                inputs: block.chunk(task % CHUNKS),
                accumulators,
                activations,
                sums,
            });
        });
        let partial_sums = &self.partial_sums;
        let sums = self.sums.par_chunks_mut(CHUNK);
        let tasks = sums.zip(logits.par_chunks_mut(CHUNK)).enumerate();
        tasks.for_each(|(chunk, (sums, logits))| {
            model.simd.run_loops(LayersForward {
                model,
                inputs: block.chunk(chunk),
                partial_sums: &partial_sums[chunk * CHUNK..],
                sums,
                logits,
            });
        });
    }

    /// Replaces the accumulators with their gradients, and adds to the gradients of the feature
    /// biases and of all weights behind them but the output biases.
    pub(super) fn backward(
        &mut self,
        model: NetworkView<'_>,
        block: &ExampleBlock,
        slopes: &[f32],
        accumulators: &mut [Tile],
        gradient: &mut [Tile],
    ) {
        let layout = model.layout;
        let small = small_tiles(layout);
        let chunks = self.sums.par_chunks_mut(CHUNK);
        let tasks = chunks.zip(self.small_gradients.par_chunks_mut(small.len()));
        tasks.enumerate().for_each(|(chunk, (sums, gradient))| {
            model.simd.run_loops(LayersBackward {
                model,
                inputs: block.chunk(chunk),
                slopes: slopes.get(chunk * CHUNK..).unwrap_or_default(),
                sums,
                gradient,
            });
        });
        for partial in self.small_gradients.chunks(small.len()) {
            add_tiles(&mut gradient[small.clone()], partial);
        }

        let (activations, slopes) = (&self.activations, &self.sums);
        let partials = Self::gradient_tiles(layout);
        let accumulators = accumulators.par_chunks_mut(CHUNK * 2);
        let tasks = accumulators.zip(self.partial_gradients.par_chunks_mut(partials));
        tasks
            .enumerate()
            .for_each(|(task, (accumulators, gradient))| {
                model.simd.run_loops(PairwiseBackward {
                    model,
                    part: task / CHUNKS,
                    inputs: block.chunk(task % CHUNKS),
                    slopes: &slopes[task % CHUNKS * CHUNK..],
                    activations: &activations[task * CHUNK..],
                    accumulators,
                    gradient,
                });
            });
        let first = layout.section(Tensor::FirstWeights);
        for (task, partial) in self.partial_gradients.chunks(partials).enumerate() {
            let part = task / CHUNKS;
            let (weights, bias) = partial.split_at(partials - 1);
            for (bucket, weights) in weights.chunks(PART_TILES).enumerate() {
                let tile = first.tile(0, first_row(first, bucket, part));
                add_tiles(&mut gradient[tile..], weights);
            }
            gradient[layout.section(Tensor::FeatureBiases).tile(part, 0)].add(&bias[0]);
        }
    }
}

/// The weights of the layers after the first.
struct SmallLayers<'a> {
    first_biases: &'a [Tile],
    /// By bucket and half of the neurons.
    second: Vec<[ByInput<FIRST>; 2]>,
    second_biases: &'a [Tile],
    outputs: &'a [Tile],
    output_biases: &'a Tile,
}

/// Sums before and activations after the clipped ReLU, and the logit.
struct Values {
    first: [f32; FIRST],
    first_activations: [f32; FIRST],
    second: [f32; SECOND],
    second_activations: [f32; SECOND],
    logit: f32,
}

impl<'a> SmallLayers<'a> {
    #[inline(always)]
    fn new(model: NetworkView<'a>) -> Self {
        let tiles = |tensor, part| model.weights.floats(model.layout.section(tensor), part);
        Self {
            first_biases: tiles(Tensor::FirstBiases, 0),
            second: second_tiles(model)
                .map(|halves| halves.map(ByInput::new))
                .collect(),
            second_biases: tiles(Tensor::SecondBiases, 0),
            outputs: tiles(Tensor::OutputWeights, 0),
            output_biases: &tiles(Tensor::OutputBiases, 0)[0],
        }
    }

    /// The values from the sums of the first layer without its biases.
    #[inline(always)]
    fn values(&self, bucket: usize, sums: &[f32; FIRST]) -> Values {
        let first = with_biases(sums, &self.first_biases[bucket]);
        let first_activations = activations(&first);
        let mut sums = [0.0; SECOND];
        for (sums, weights) in sums.chunks_exact_mut(FIRST).zip(&self.second[bucket]) {
            sums.copy_from_slice(&weights.sums(&first_activations));
        }
        let second = with_biases(&sums, &self.second_biases[bucket]);
        let second_activations = activations(&second);
        let mut logit = 0.0;
        for (activation, weight) in second_activations.iter().zip(&self.outputs[bucket].0) {
            logit += activation * weight;
        }
        Values {
            first,
            first_activations,
            second,
            second_activations,
            logit: logit / ONE + self.output_biases.0[bucket],
        }
    }
}

/// Sums in units of an activation, exactly as the engine's integers.
#[inline(always)]
fn with_biases<const N: usize>(sums: &[f32; N], biases: &Tile) -> [f32; N] {
    const UNIT: f32 = (1 << Shape::SHIFT) as f32;
    let mut results = *sums;
    for (sum, bias) in results.iter_mut().zip(&biases.0) {
        *sum += round(bias * (ONE * UNIT)) as f32 / UNIT;
    }
    results
}

#[inline(always)]
fn activations<const N: usize>(sums: &[f32; N]) -> [f32; N] {
    let mut results = *sums;
    for sum in &mut results {
        *sum = sum.floor().clamp(0.0, ONE);
    }
    results
}

/// The gradient of a sum from that of its activation.
#[inline(always)]
fn through_activation(sum: f32, gradient: f32) -> f32 {
    if sum > 0.0 && sum < ONE {
        gradient
    } else {
        0.0
    }
}

struct LayersForward<'a> {
    model: NetworkView<'a>,
    inputs: &'a [Input],
    /// From the first example on, by part and example of the block.
    partial_sums: &'a [[f32; FIRST]],
    sums: &'a mut [[f32; FIRST]],
    logits: &'a mut [f32],
}

impl Loops for LayersForward<'_> {
    #[inline(always)]
    fn run(self) {
        let layers = SmallLayers::new(self.model);
        let examples = self.inputs.iter().zip(self.sums).zip(self.logits);
        for (example, ((input, sums), logit)) in examples.enumerate() {
            *sums = [0.0; FIRST];
            for partial in self.partial_sums[example..].iter().step_by(BLOCK) {
                for (sum, partial) in sums.iter_mut().zip(partial) {
                    *sum += partial;
                }
            }
            *logit = layers.values(input.output_bucket.into(), sums).logit;
        }
    }
}

struct LayersBackward<'a> {
    model: NetworkView<'a>,
    inputs: &'a [Input],
    /// Derivative of the loss with respect to each logit.
    slopes: &'a [f32],
    /// As `LayersForward` left them; overwritten with their gradients.
    sums: &'a mut [[f32; FIRST]],
    /// Of the tensors from the first layer's biases to the output weights; overwritten.
    gradient: &'a mut [Tile],
}

impl Loops for LayersBackward<'_> {
    #[inline(always)]
    fn run(self) {
        let layers = SmallLayers::new(self.model);
        let layout = self.model.layout;
        let place =
            |tensor, part, row| layout.section(tensor).tile(part, row) - small_tiles(layout).start;
        let mut weights: Vec<_> = second_tiles(self.model)
            .map(|halves| halves.map(|tiles| (ByNeuron::new(tiles), ByNeuron::ZERO)))
            .collect();
        self.gradient.fill(Tile::ZERO);
        let examples = self.inputs.iter().zip(self.slopes).zip(self.sums);
        for ((input, &slope), sums) in examples {
            let bucket = usize::from(input.output_bucket);
            let values = layers.values(bucket, sums);
            let mut second = [0.0; SECOND];
            let outputs = &mut self.gradient[place(Tensor::OutputWeights, 0, bucket)].0;
            for neuron in 0..SECOND {
                outputs[neuron] += slope * values.second_activations[neuron] / ONE;
                let gradient = slope * layers.outputs[bucket].0[neuron];
                second[neuron] = through_activation(values.second[neuron], gradient);
            }
            let biases = &mut self.gradient[place(Tensor::SecondBiases, 0, bucket)].0;
            for (sum, gradient) in biases.iter_mut().zip(&second) {
                *sum += gradient;
            }
            let mut first = [0.0; FIRST];
            let halves = second.as_chunks::<FIRST>().0.iter();
            for (slopes, (weights, gradients)) in halves.zip(&mut weights[bucket]) {
                weights.backward(slopes, &values.first_activations, gradients, &mut first);
            }
            let biases = &mut self.gradient[place(Tensor::FirstBiases, 0, bucket)].0;
            for neuron in 0..FIRST {
                sums[neuron] = through_activation(values.first[neuron], first[neuron]);
                biases[neuron] += sums[neuron];
            }
        }
        for (bucket, halves) in weights.iter().enumerate() {
            for (half, (_, gradients)) in halves.iter().enumerate() {
                let tile = place(Tensor::SecondWeights, half, bucket * SECOND_ROWS);
                gradients.copy_to(&mut self.gradient[tile..][..SECOND_ROWS]);
            }
        }
    }
}
