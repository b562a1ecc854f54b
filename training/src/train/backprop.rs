//! Forward and backward pass over a block of examples, on all threads of the current pool.
//!
//! A task is one part of the hidden layer and a chunk of the block, or some of its features. The
//! results of tasks are summed in a fixed order, so that the number of threads changes nothing.
//! The feature layer is here, what follows it in the modules.

mod attacks;
mod output;

use super::batch::{BLOCK, ExampleBlock, FeatureIndex, Input};
use super::loss::Objective;
use super::weights::{IntTile, Layout, Rounded, TILE, Tile};
use crate::data::Example;
use attacks::AttackLayer;
use output::OutputLayer;
use search::nnue::{QA, Simd, Tensor};

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
    /// For each part of the hidden layer the accumulators of both perspectives of every example, in
    /// the order of `FeatureIndex`; then their gradients.
    accumulators: Vec<Tile>,
    output: OutputLayer,
    attacks: AttackLayer,
    /// The logit of every example; then the derivative of the loss with respect to it.
    logits: Vec<f32>,
}

impl Pass {
    pub(super) fn new(layout: &Layout) -> Self {
        let parts = layout.section(Tensor::FeatureBiases).parts();
        Self {
            block: ExampleBlock::default(),
            index: FeatureIndex::default(),
            accumulators: vec![Tile::ZERO; parts * BLOCK * 2],
            output: OutputLayer::new(layout),
            attacks: AttackLayer::new(layout),
            logits: Vec::with_capacity(BLOCK),
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
        let losses = pairs.map(|(&logit, &target)| model.objective.loss(logit, target).0);
        losses.map(f64::from).sum()
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
            let (lost, slope) = model.objective.loss(*logit, target);
            loss += f64::from(lost);
            *logit = slope;
            bias[usize::from(input.output_bucket)] += slope;
        }

        let (block, slopes, accumulators) = (&self.block, &self.logits, &mut self.accumulators);
        self.output
            .backward(model, block, slopes, accumulators, gradient);
        self.attacks.backward(model, block, slopes, gradient);
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
        self.logits.resize(examples.len(), 0.0);
        let (block, index, output) = (&self.block, &mut self.index, &mut self.output);
        let (accumulators, logits) = (&mut self.accumulators, &mut self.logits);
        let forward = || output.forward(model, block, accumulators, &mut *logits);
        rayon::join(forward, || and(index, &block.inputs));
        self.attacks.forward(model, block, logits);
    }
}

#[inline(always)]
fn accumulate(bias: &IntTile, rows: &[IntTile], features: &[u16]) -> IntTile {
    let mut sum = *bias;
    for &feature in features {
        sum.add(&rows[usize::from(feature)]);
    }
    sum
}

#[inline(always)]
fn dequantize(integers: &IntTile, tile: &mut Tile) {
    const UNIT: f32 = 1.0 / QA as f32;
    for lane in 0..TILE {
        tile.0[lane] = f32::from(integers.0[lane]) * UNIT;
    }
}

/// The gradients of a part of the feature weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureGradients<'a> {
    index: &'a FeatureIndex,
    accumulators: &'a [Tile],
}

impl FeatureGradients<'_> {
    /// True if an example has the feature.
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

fn add_tiles(sums: &mut [Tile], tiles: &[Tile]) {
    for (sum, tile) in sums.iter_mut().zip(tiles) {
        sum.add(tile);
    }
}
