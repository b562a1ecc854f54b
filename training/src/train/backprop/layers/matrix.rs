//! The weights of sixteen neurons in orders that suit vectors: in a tile each neuron's weights for
//! four inputs are next to each other, as in the engine.

use super::{FIRST, ONE};
use crate::train::weights::Tile;
use search::nnue::Shape;

/// Inputs of a neuron that are next to each other in a tile.
const CHUNK: usize = Shape::CHUNK;

/// For each of `N` inputs the weights of all neurons.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct ByInput<const N: usize>([[f32; FIRST]; N]);

impl<const N: usize> ByInput<N> {
    #[inline(always)]
    pub(super) fn new(tiles: &[Tile]) -> Self {
        let mut inputs = [[0.0; FIRST]; N];
        for (inputs, tile) in inputs.chunks_exact_mut(CHUNK).zip(tiles) {
            for (neuron, weights) in tile.0.chunks_exact(CHUNK).enumerate() {
                for (input, weight) in inputs.iter_mut().zip(weights) {
                    input[neuron] = *weight;
                }
            }
        }
        Self(inputs)
    }

    /// The sums of the neurons: integers, so their order does not matter. The inner loops are
    /// written out: calls of `add_product` are compiled to scalar code here.
    #[inline(always)]
    pub(super) fn sums(&self, inputs: &[f32; N]) -> [f32; FIRST] {
        let mut sums = [[0.0; FIRST]; CHUNK];
        for (inputs, weights) in inputs.chunks_exact(CHUNK).zip(self.0.chunks_exact(CHUNK)) {
            for (sums, (input, weights)) in sums.iter_mut().zip(inputs.iter().zip(weights)) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += input * weight;
                }
            }
        }
        let [mut total, others @ ..] = sums;
        for others in others {
            for (total, other) in total.iter_mut().zip(others) {
                *total += other;
            }
        }
        total
    }
}

/// For each neuron the weights of its `N` inputs, or their gradients.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct ByNeuron<const N: usize>([[f32; N]; FIRST]);

impl<const N: usize> ByNeuron<N> {
    pub(super) const ZERO: Self = Self([[0.0; N]; FIRST]);

    #[inline(always)]
    pub(super) fn new(tiles: &[Tile]) -> Self {
        let mut neurons = Self::ZERO;
        for (number, tile) in tiles.iter().enumerate() {
            for (neuron, weights) in neurons.0.iter_mut().zip(tile.0.chunks_exact(CHUNK)) {
                neuron[number * CHUNK..][..CHUNK].copy_from_slice(weights);
            }
        }
        neurons
    }

    /// Overwrites the tiles.
    #[inline(always)]
    pub(super) fn copy_to(&self, tiles: &mut [Tile]) {
        for (neuron, weights) in self.0.iter().enumerate() {
            for (tile, weights) in tiles.iter_mut().zip(weights.chunks_exact(CHUNK)) {
                tile.0[neuron * CHUNK..][..CHUNK].copy_from_slice(weights);
            }
        }
    }

    /// Adds to the gradients of these weights and of the activations that they multiply.
    #[inline(always)]
    pub(super) fn backward(
        &self,
        slopes: &[f32; FIRST],
        activations: &[f32; N],
        weight_gradients: &mut Self,
        gradients: &mut [f32; N],
    ) {
        let inputs = activations.map(|activation| activation / ONE);
        let neurons = self.0.iter().zip(&mut weight_gradients.0);
        for (&slope, (weights, sums)) in slopes.iter().zip(neurons) {
            add_product(sums, slope, &inputs);
            add_product(gradients, slope, weights);
        }
    }
}

#[inline(always)]
fn add_product<const N: usize>(sums: &mut [f32; N], factor: f32, others: &[f32; N]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += factor * other;
    }
}
