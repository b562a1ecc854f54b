//! Forward and backward pass over blocks of examples, on one thread.

use super::batch::{BLOCK, Block, FeatureIndex, Input};
use super::loss::{Objective, squared_error};
use super::simd::{Kernel, Work};
use super::weights::{Layout, TILE, Tile};
use crate::data::Example;
use search::nnue::Shape;

/// The network and the loss, shared by all threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkView<'a> {
    pub(super) shape: &'a Shape,
    pub(super) layout: &'a Layout,
    pub(super) weights: &'a [Tile],
    pub(super) objective: Objective,
    pub(super) kernel: Kernel,
}

/// A thread's buffers and its part of the gradient.
#[derive(Debug)]
pub(super) struct Worker {
    block: Block,
    index: FeatureIndex,
    accumulators: Accumulators,
    logits: Vec<f32>,
    gradient: Vec<Tile>,
}

impl Worker {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            block: Block::default(),
            index: FeatureIndex::default(),
            accumulators: Accumulators::new(layout),
            logits: Vec::with_capacity(BLOCK),
            gradient: vec![Tile::ZERO; layout.len()],
        }
    }

    /// The gradient of the last call of `backward`.
    pub(super) fn gradient(&self) -> &[Tile] {
        &self.gradient
    }

    /// Computes the gradient of the examples' summed loss; returns that loss.
    pub(super) fn backward(
        &mut self,
        model: NetworkView<'_>,
        mut examples: impl Iterator<Item = Example>,
    ) -> f64 {
        self.gradient.fill(Tile::ZERO);
        let mut loss = 0.0;
        while self.forward_block(model, &mut examples) {
            // The derivatives replace the logits.
            for (logit, &target) in self.logits.iter_mut().zip(&self.block.targets) {
                let (squared, slope) = squared_error(*logit, target);
                loss += f64::from(squared);
                *logit = slope;
            }
            self.index.fill(model.layout.features(), &self.block.inputs);
            model.kernel.run(Backward {
                model,
                inputs: &self.block.inputs,
                index: &self.index,
                slopes: &self.logits,
                accumulators: &mut self.accumulators,
                gradient: &mut self.gradient,
            });
        }
        loss
    }

    /// The summed loss of examples.
    pub(super) fn loss(
        &mut self,
        model: NetworkView<'_>,
        mut examples: impl Iterator<Item = Example>,
    ) -> f64 {
        let mut loss = 0.0;
        while self.forward_block(model, &mut examples) {
            let pairs = self.logits.iter().zip(&self.block.targets);
            let errors = pairs.map(|(&logit, &target)| squared_error(logit, target).0);
            loss += errors.map(f64::from).sum::<f64>();
        }
        loss
    }

    /// The network's output for examples.
    pub(super) fn logits(
        &mut self,
        model: NetworkView<'_>,
        mut examples: impl Iterator<Item = Example>,
    ) -> Vec<f32> {
        let mut all = Vec::new();
        while self.forward_block(model, &mut examples) {
            all.extend(&self.logits);
        }
        all
    }

    /// Computes the logits of the next block; returns `false` when there are no more examples.
    fn forward_block(
        &mut self,
        model: NetworkView<'_>,
        examples: &mut impl Iterator<Item = Example>,
    ) -> bool {
        let examples = examples.by_ref().take(BLOCK);
        self.block.fill(model.shape, model.objective, examples);
        self.logits.clear();
        self.logits.resize(self.block.inputs.len(), 0.0);
        model.kernel.run(Forward {
            model,
            inputs: &self.block.inputs,
            accumulators: &mut self.accumulators,
            logits: &mut self.logits,
        });
        !self.logits.is_empty()
    }
}

/// Accumulators of a block, for both perspectives of every example.
#[derive(Debug)]
struct Accumulators(Vec<Tile>);

impl Accumulators {
    fn new(layout: &Layout) -> Self {
        Self(vec![Tile::ZERO; layout.tiles() * BLOCK * 2])
    }

    /// One tile of all accumulators, in the order of `FeatureIndex`.
    #[inline(always)]
    fn tile(&mut self, tile: usize) -> &mut [Tile] {
        &mut self.0[tile * BLOCK * 2..][..BLOCK * 2]
    }
}

struct Forward<'a> {
    model: NetworkView<'a>,
    inputs: &'a [Input],
    accumulators: &'a mut Accumulators,
    logits: &'a mut [f32],
}

impl Work for Forward<'_> {
    #[inline(always)]
    fn run(self) {
        let (layout, weights) = (self.model.layout, self.model.weights);
        let bias = &weights[layout.output_bias()].0;
        for (input, logit) in self.inputs.iter().zip(self.logits.iter_mut()) {
            *logit = bias[usize::from(input.output_bucket)];
        }
        for tile in 0..layout.tiles() {
            let rows = &weights[layout.feature_row(tile, 0)..][..layout.features()];
            let bias = &weights[layout.feature_bias(tile)];
            let accumulators = self.accumulators.tile(tile).chunks_exact_mut(2);
            let examples = self.inputs.iter().zip(self.logits.iter_mut());
            for ((input, logit), accumulators) in examples.zip(accumulators) {
                let bucket = usize::from(input.output_bucket);
                let output = &weights[layout.output_weights(bucket, tile)..][..2];
                let sides = accumulators.iter_mut().zip(output);
                for (side, (accumulator, output)) in sides.enumerate() {
                    let mut sum = *bias;
                    for &feature in input.features(side) {
                        sum.add(&rows[usize::from(feature)]);
                    }
                    *logit += screlu_dot(&sum, output);
                    *accumulator = sum;
                }
            }
        }
    }
}

/// Dot product of weights with the squared clipped ReLU (SCReLU) of an accumulator.
#[inline(always)]
fn screlu_dot(accumulator: &Tile, weights: &Tile) -> f32 {
    let mut products = [0.0; TILE];
    for ((product, sum), weight) in products.iter_mut().zip(&accumulator.0).zip(&weights.0) {
        let clipped = sum.clamp(0.0, 1.0);
        *product = clipped * clipped * weight;
    }
    // Summed in a fixed order: the compiler must not choose one.
    let quarter: [f32; TILE / 4] = std::array::from_fn(|lane| {
        let [first, second, third, fourth] =
            [0, 1, 2, 3].map(|part| products[part * TILE / 4 + lane]);
        (first + second) + (third + fourth)
    });
    quarter.iter().sum()
}

struct Backward<'a> {
    model: NetworkView<'a>,
    inputs: &'a [Input],
    index: &'a FeatureIndex,
    /// Derivative of the loss with respect to each logit.
    slopes: &'a [f32],
    /// As `Forward` left them; overwritten with their gradients.
    accumulators: &'a mut Accumulators,
    /// Gradients are added to it.
    gradient: &'a mut [Tile],
}

impl Work for Backward<'_> {
    #[inline(always)]
    fn run(self) {
        let Self {
            model: NetworkView {
                layout, weights, ..
            },
            inputs,
            index,
            slopes,
            accumulators,
            gradient,
        } = self;
        let bias = &mut gradient[layout.output_bias()].0;
        for (input, slope) in inputs.iter().zip(slopes) {
            bias[usize::from(input.output_bucket)] += slope;
        }
        for tile in 0..layout.tiles() {
            let accumulators = accumulators.tile(tile);
            let bias = layout.feature_bias(tile);
            let mut bias_gradient = gradient[bias];
            let examples = inputs.iter().zip(slopes);
            for ((input, &slope), both) in examples.zip(accumulators.chunks_exact_mut(2)) {
                let output = layout.output_weights(usize::from(input.output_bucket), tile);
                let weights = &weights[output..][..2];
                let gradient = &mut gradient[output..][..2];
                for ((accumulator, weights), gradient) in both.iter_mut().zip(weights).zip(gradient)
                {
                    screlu_backward(slope, weights, accumulator, gradient);
                    bias_gradient.add(accumulator);
                }
            }
            gradient[bias] = bias_gradient;
            let rows = &mut gradient[layout.feature_row(tile, 0)..][..layout.features()];
            for (feature, gradient) in rows.iter_mut().enumerate() {
                let active = index.accumulators(feature);
                if !active.is_empty() {
                    *gradient = sum(*gradient, accumulators, active);
                }
            }
        }
    }
}

/// Adds to the gradient of the output weights; replaces the accumulator with its gradient.
#[inline(always)]
fn screlu_backward(slope: f32, weights: &Tile, accumulator: &mut Tile, gradient: &mut Tile) {
    let neurons = accumulator.0.iter_mut().zip(&weights.0);
    for ((sum, weight), gradient) in neurons.zip(&mut gradient.0) {
        let clipped = sum.clamp(0.0, 1.0);
        *gradient += slope * (clipped * clipped);
        let derivative = if *sum < 1.0 { clipped + clipped } else { 0.0 };
        *sum = slope * weight * derivative;
    }
}

#[inline(always)]
fn sum(mut sum: Tile, tiles: &[Tile], indices: &[u16]) -> Tile {
    for &index in indices {
        sum.add(&tiles[usize::from(index)]);
    }
    sum
}
