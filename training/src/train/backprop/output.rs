//! The output layer behind the squared clipped ReLU (SCReLU) of the hidden layer.

use super::{NetworkView, accumulate, add_tiles, dequantize};
use crate::train::batch::{BLOCK, CHUNK, CHUNKS, ExampleBlock, Input};
use crate::train::weights::{Layout, TILE, Tile};
use rayon::prelude::*;
use search::nnue::{Loops, Tensor};

#[derive(Debug)]
pub(super) struct OutputLayer {
    /// The share of each part of the hidden layer in the logit of every example.
    partial_logits: Vec<f32>,
    /// For each task the gradients of the output weights and of the feature biases.
    partial_gradients: Vec<Tile>,
}

impl OutputLayer {
    pub(super) fn new(layout: &Layout) -> Self {
        let parts = layout.section(Tensor::FeatureBiases).parts();
        Self {
            partial_logits: vec![0.0; parts * BLOCK],
            partial_gradients: vec![Tile::ZERO; parts * CHUNKS * Self::gradient_tiles(layout)],
        }
    }

    /// Tiles of the gradients of a task.
    fn gradient_tiles(layout: &Layout) -> usize {
        layout.section(Tensor::OutputWeights).rows() + 1
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
        let tasks = accumulators.zip(self.partial_logits.par_chunks_mut(CHUNK));
        tasks
            .enumerate()
            .for_each(|(task, (accumulators, logits))| {
                model.simd.run_loops(Forward {
                    model,
                    part: task / CHUNKS,
                    inputs: block.chunk(task % CHUNKS),
                    accumulators,
                    logits,
                });
            });
        let bias = model.layout.section(Tensor::OutputBiases);
        let bias = &model.weights.floats(bias, 0)[0].0;
        for (logit, input) in logits.iter_mut().zip(&block.inputs) {
            *logit = bias[usize::from(input.output_bucket)];
        }
        for parts in self.partial_logits.chunks(BLOCK) {
            for (logit, part) in logits.iter_mut().zip(parts) {
                *logit += part;
            }
        }
    }

    /// Replaces the accumulators with their gradients, and adds to the gradients of the output
    /// weights and the feature biases.
    pub(super) fn backward(
        &mut self,
        model: NetworkView<'_>,
        block: &ExampleBlock,
        slopes: &[f32],
        accumulators: &mut [Tile],
        gradient: &mut [Tile],
    ) {
        let layout = model.layout;
        let partials = Self::gradient_tiles(layout);
        let accumulators = accumulators.par_chunks_mut(CHUNK * 2);
        let tasks = accumulators.zip(self.partial_gradients.par_chunks_mut(partials));
        tasks
            .enumerate()
            .for_each(|(task, (accumulators, gradient))| {
                let (part, chunk) = (task / CHUNKS, task % CHUNKS);
                model.simd.run_loops(Backward {
                    model,
                    part,
                    inputs: block.chunk(chunk),
                    slopes: slopes.get(chunk * CHUNK..).unwrap_or_default(),
                    accumulators,
                    gradient,
                });
            });
        for (task, partial) in self.partial_gradients.chunks(partials).enumerate() {
            let part = task / CHUNKS;
            let (outputs, bias) = partial.split_at(partials - 1);
            let first = layout.section(Tensor::OutputWeights).tile(part, 0);
            add_tiles(&mut gradient[first..], outputs);
            gradient[layout.section(Tensor::FeatureBiases).tile(part, 0)].add(&bias[0]);
        }
    }
}

struct Forward<'a> {
    model: NetworkView<'a>,
    part: usize,
    inputs: &'a [Input],
    accumulators: &'a mut [Tile],
    logits: &'a mut [f32],
}

impl Loops for Forward<'_> {
    #[inline(always)]
    fn run(self) {
        let NetworkView {
            layout, weights, ..
        } = self.model;
        let rows = weights.integers(layout.section(Tensor::FeatureWeights), self.part);
        let bias = &weights.integers(layout.section(Tensor::FeatureBiases), self.part)[0];
        let outputs = weights.floats(layout.section(Tensor::OutputWeights), self.part);
        let accumulators = self.accumulators.chunks_exact_mut(2);
        let examples = self.inputs.iter().zip(self.logits);
        for ((input, logit), accumulators) in examples.zip(accumulators) {
            let bucket = usize::from(input.output_bucket);
            let output = &outputs[bucket * 2..][..2];
            *logit = 0.0;
            for (side, (accumulator, output)) in accumulators.iter_mut().zip(output).enumerate() {
                let sum = accumulate(bias, rows, input.features(side));
                dequantize(&sum, accumulator);
                *logit += screlu_dot(accumulator, output);
            }
        }
    }
}

/// Dot product of weights with the squared clipped ReLU (SCReLU) of an accumulator.
#[inline(always)]
fn screlu_dot(accumulator: &Tile, weights: &Tile) -> f32 {
    const LANES: usize = 16;
    let mut products = [0.0; TILE];
    for (lane, product) in products.iter_mut().enumerate() {
        let clipped = accumulator.0[lane].clamp(0.0, 1.0);
        *product = clipped * clipped * weights.0[lane];
    }
    // Summed in a fixed order: the compiler must not choose one.
    let mut sums = [0.0; LANES];
    for part in 0..TILE / LANES {
        for lane in 0..LANES {
            sums[lane] += products[part * LANES + lane];
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

struct Backward<'a> {
    model: NetworkView<'a>,
    part: usize,
    inputs: &'a [Input],
    /// Derivative of the loss with respect to each logit.
    slopes: &'a [f32],
    /// The sums that `Forward` left, overwritten with their gradients.
    accumulators: &'a mut [Tile],
    /// The gradient of the output weights and the feature biases, which is overwritten.
    gradient: &'a mut [Tile],
}

impl Loops for Backward<'_> {
    #[inline(always)]
    fn run(self) {
        let NetworkView {
            layout, weights, ..
        } = self.model;
        let outputs = weights.floats(layout.section(Tensor::OutputWeights), self.part);
        self.gradient.fill(Tile::ZERO);
        let Some((bias_gradient, output_gradients)) = self.gradient.split_last_mut() else {
            return;
        };
        let mut bias = Tile::ZERO;
        let examples = self.inputs.iter().zip(self.slopes);
        for ((input, &slope), both) in examples.zip(self.accumulators.chunks_exact_mut(2)) {
            let bucket = usize::from(input.output_bucket);
            let weights = &outputs[bucket * 2..][..2];
            let gradient = &mut output_gradients[bucket * 2..][..2];
            for ((accumulator, weights), gradient) in both.iter_mut().zip(weights).zip(gradient) {
                screlu_backward(slope, weights, accumulator, gradient);
                bias.add(accumulator);
            }
        }
        *bias_gradient = bias;
    }
}

/// Adds to the gradient of the output weights; replaces the accumulator with its gradient.
#[inline(always)]
fn screlu_backward(slope: f32, weights: &Tile, accumulator: &mut Tile, gradient: &mut Tile) {
    for lane in 0..TILE {
        let sum = accumulator.0[lane];
        let clipped = sum.clamp(0.0, 1.0);
        gradient.0[lane] += slope * (clipped * clipped);
        let derivative = if sum < 1.0 { clipped + clipped } else { 0.0 };
        accumulator.0[lane] = slope * weights.0[lane] * derivative;
    }
}
