//! Forward and backward pass over a block of examples, on all threads of the current pool.
//!
//! A task is one part of the hidden layer and a chunk of the block, or some of its features. The
//! results of tasks are summed in a fixed order, so that the number of threads changes nothing.

use super::batch::{BLOCK, CHUNK, CHUNKS, ExampleBlock, FeatureIndex, Input};
use super::loss::{Objective, squared_error};
use super::weights::{IntTile, Layout, Rounded, TILE, Tile};
use crate::data::Example;
use rayon::prelude::*;
use search::nnue::{Loops, QA, Simd, Tensor};

/// The network and the loss, shared by all threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkView<'a> {
    pub(super) layout: &'a Layout,
    pub(super) weights: &'a Rounded,
    pub(super) objective: Objective,
    pub(super) simd: Simd,
}

/// The buffers of a block.
#[derive(Debug)]
pub(super) struct Pass {
    block: ExampleBlock,
    index: FeatureIndex,
    /// For each part of the hidden layer the accumulators of both perspectives of every example, in the order of
    /// `FeatureIndex`; then their gradients.
    accumulators: Vec<Tile>,
    /// What each part adds to the logit of every example.
    partial_logits: Vec<f32>,
    /// The logit of every example; then the derivative of the loss with respect to it.
    logits: Vec<f32>,
    /// For each task the gradients of the output weights and of the feature biases.
    partial_gradients: Vec<Tile>,
}

impl Pass {
    pub(super) fn new(layout: &Layout) -> Self {
        let parts = layout.section(Tensor::FeatureBiases).parts();
        Self {
            block: ExampleBlock::default(),
            index: FeatureIndex::default(),
            accumulators: vec![Tile::ZERO; parts * BLOCK * 2],
            partial_logits: vec![0.0; parts * BLOCK],
            logits: Vec::with_capacity(BLOCK),
            partial_gradients: vec![Tile::ZERO; parts * CHUNKS * partial_tiles(layout)],
        }
    }

    /// The logits of at most `BLOCK` examples.
    pub(super) fn forward(&mut self, model: NetworkView<'_>, examples: &[Example]) -> &[f32] {
        self.forward_and(model, examples, |_, _| ());
        &self.logits
    }

    /// The summed loss of at most `BLOCK` examples.
    pub(super) fn loss(&mut self, model: NetworkView<'_>, examples: &[Example]) -> f64 {
        self.forward(model, examples);
        let pairs = self.logits.iter().zip(&self.block.targets);
        let errors = pairs.map(|(&logit, &target)| squared_error(logit, target).0);
        errors.map(f64::from).sum()
    }

    /// Adds the gradient of at most `BLOCK` examples' summed loss for all weights but those of
    /// the feature transformer, which are left to `FeatureGradients`. Returns that loss.
    pub(super) fn backward(
        &mut self,
        model: NetworkView<'_>,
        examples: &[Example],
        gradient: &mut [Tile],
    ) -> f64 {
        let layout = model.layout;
        self.forward_and(model, examples, |index, inputs| {
            index.fill(layout.section(Tensor::FeatureWeights).rows(), inputs);
        });
        let mut loss = 0.0;
        let bias = &mut gradient[layout.section(Tensor::OutputBiases).start].0;
        let examples = self.block.inputs.iter().zip(&self.block.targets);
        for (logit, (input, &target)) in self.logits.iter_mut().zip(examples) {
            let (squared, slope) = squared_error(*logit, target);
            loss += f64::from(squared);
            *logit = slope;
            bias[usize::from(input.output_bucket)] += slope;
        }

        let partials = partial_tiles(layout);
        let (block, slopes) = (&self.block, &self.logits);
        let accumulators = self.accumulators.par_chunks_mut(CHUNK * 2);
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
            for (sum, output) in gradient[first..].iter_mut().zip(outputs) {
                sum.add(output);
            }
            gradient[layout.section(Tensor::FeatureBiases).tile(part, 0)].add(&bias[0]);
        }
        loss
    }

    /// After `backward`: the gradients of a part of the feature weights.
    pub(super) fn feature_gradients(&self, part: usize) -> FeatureGradients<'_> {
        FeatureGradients {
            index: &self.index,
            accumulators: &self.accumulators[part * BLOCK * 2..][..BLOCK * 2],
        }
    }

    /// Computes the logits, and at the same time something else from the inputs.
    fn forward_and(
        &mut self,
        model: NetworkView<'_>,
        examples: &[Example],
        and: impl FnOnce(&mut FeatureIndex, &[Input]) + Send,
    ) {
        let examples = &examples[..examples.len().min(BLOCK)];
        self.block
            .fill(&model.layout.shape, model.objective, examples);
        let (block, index) = (&self.block, &mut self.index);
        let accumulators = self.accumulators.par_chunks_mut(CHUNK * 2);
        let tasks = accumulators.zip(self.partial_logits.par_chunks_mut(CHUNK));
        let forward = || {
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
        };
        rayon::join(forward, || and(index, &block.inputs));
        let bias = model.layout.section(Tensor::OutputBiases);
        let bias = &model.weights.floats(bias, 0)[0].0;
        let inputs = self.block.inputs.iter();
        self.logits.clear();
        self.logits
            .extend(inputs.map(|input| bias[usize::from(input.output_bucket)]));
        for parts in self.partial_logits.chunks(BLOCK) {
            for (logit, part) in self.logits.iter_mut().zip(parts) {
                *logit += part;
            }
        }
    }
}

/// Tiles of the partial gradient of a task: output weights and feature biases.
fn partial_tiles(layout: &Layout) -> usize {
    layout.section(Tensor::OutputWeights).rows() + 1
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
                let mut sum = *bias;
                for &feature in input.features(side) {
                    sum.add(&rows[usize::from(feature)]);
                }
                dequantise(&sum, accumulator);
                *logit += screlu_dot(accumulator, output);
            }
        }
    }
}

#[inline(always)]
fn dequantise(integers: &IntTile, tile: &mut Tile) {
    const UNIT: f32 = 1.0 / QA as f32;
    for lane in 0..TILE {
        tile.0[lane] = f32::from(integers.0[lane]) * UNIT;
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
    /// As `Forward` left them; overwritten with their gradients.
    accumulators: &'a mut [Tile],
    /// Of the output weights and the feature biases; overwritten.
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

/// The gradients of a part of the feature weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureGradients<'a> {
    index: &'a FeatureIndex,
    accumulators: &'a [Tile],
}

impl FeatureGradients<'_> {
    /// Whether an example has the feature.
    #[inline(always)]
    pub(super) fn is_active(&self, feature: usize) -> bool {
        !self.index.accumulators(feature).is_empty()
    }

    /// The gradient of a feature's weights, added to another.
    #[inline(always)]
    pub(super) fn add(&self, feature: usize, mut gradient: Tile) -> Tile {
        for &index in self.index.accumulators(feature) {
            gradient.add(&self.accumulators[usize::from(index)]);
        }
        gradient
    }
}
