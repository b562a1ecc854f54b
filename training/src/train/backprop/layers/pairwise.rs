//! Products of pairs of neurons of the hidden layer, and their part of the first layer's sums.

use super::super::{NetworkView, accumulate, dequantise};
use super::matrix::{ByInput, ByNeuron};
use super::{FIRST, PART_TILES, first_tiles};
use crate::train::batch::Input;
use crate::train::weights::{TILE, Tile};
use search::nnue::{Loops, QA, Tensor};

/// Half of the neurons of a part: each is multiplied with its counterpart in the other half.
const HALF: usize = TILE / 2;

pub(super) struct PairwiseForward<'a> {
    pub(super) model: NetworkView<'a>,
    pub(super) part: usize,
    pub(super) inputs: &'a [Input],
    pub(super) accumulators: &'a mut [Tile],
    pub(super) activations: &'a mut [Tile],
    pub(super) sums: &'a mut [[f32; FIRST]],
}

impl Loops for PairwiseForward<'_> {
    #[inline(always)]
    fn run(self) {
        let NetworkView {
            layout, weights, ..
        } = self.model;
        let rows = weights.integers(layout.section(Tensor::FeatureWeights), self.part);
        let bias = &weights.integers(layout.section(Tensor::FeatureBiases), self.part)[0];
        let first: Vec<_> = first_tiles(self.model, self.part)
            .map(ByInput::new)
            .collect();
        let outputs = self.activations.iter_mut().zip(self.sums);
        let examples = self.inputs.iter().zip(outputs);
        for ((input, (activations, sums)), both) in
            examples.zip(self.accumulators.chunks_exact_mut(2))
        {
            for (side, accumulator) in both.iter_mut().enumerate() {
                let sum = accumulate(bias, rows, input.features(side));
                dequantise(&sum, accumulator);
                for neuron in 0..HALF {
                    let [left, right] = [sum.0[neuron], sum.0[neuron + HALF]]
                        .map(|sum| i32::from(sum.clamp(0, QA)));
                    activations.0[side * HALF + neuron] = ((left * right) >> 9) as f32;
                }
            }
            *sums = first[usize::from(input.output_bucket)].sums(&activations.0);
        }
    }
}

pub(super) struct PairwiseBackward<'a> {
    pub(super) model: NetworkView<'a>,
    pub(super) part: usize,
    pub(super) inputs: &'a [Input],
    /// Derivatives of the loss with respect to the sums of the first layer.
    pub(super) slopes: &'a [[f32; FIRST]],
    pub(super) activations: &'a [Tile],
    /// As `PairwiseForward` left them; overwritten with their gradients.
    pub(super) accumulators: &'a mut [Tile],
    /// Of a part of the first layer's weights and the feature biases; overwritten.
    pub(super) gradient: &'a mut [Tile],
}

impl Loops for PairwiseBackward<'_> {
    #[inline(always)]
    fn run(self) {
        let mut weights: Vec<_> = first_tiles(self.model, self.part)
            .map(|tiles| (ByNeuron::new(tiles), ByNeuron::ZERO))
            .collect();
        let mut bias = Tile::ZERO;
        let examples = self.inputs.iter().zip(self.slopes).zip(self.activations);
        for (((input, slopes), activations), both) in
            examples.zip(self.accumulators.chunks_exact_mut(2))
        {
            let (weights, weight_gradients) = &mut weights[usize::from(input.output_bucket)];
            let mut gradients = Tile::ZERO;
            weights.backward(slopes, &activations.0, weight_gradients, &mut gradients.0);
            for (accumulator, gradients) in both.iter_mut().zip(gradients.0.chunks_exact(HALF)) {
                pairwise_backward(gradients, accumulator);
                bias.add(accumulator);
            }
        }
        let tiles = self.gradient.chunks_exact_mut(PART_TILES);
        for (tiles, (_, gradients)) in tiles.zip(&weights) {
            gradients.copy_to(tiles);
        }
        if let Some(gradient) = self.gradient.last_mut() {
            *gradient = bias;
        }
    }
}

/// Replaces the accumulator with its gradient.
#[inline(always)]
fn pairwise_backward(gradients: &[f32], accumulator: &mut Tile) {
    let (left, right) = accumulator.0.split_at_mut(HALF);
    for neuron in 0..HALF {
        let (one, other) = (left[neuron], right[neuron]);
        let gradient = gradients[neuron];
        let through = |sum: f32, factor: f32| {
            let factor = factor.clamp(0.0, 1.0);
            if sum > 0.0 && sum < 1.0 {
                gradient * factor
            } else {
                0.0
            }
        };
        left[neuron] = through(one, other);
        right[neuron] = through(other, one);
    }
}
