//! The weights a run starts from: random ones, or those of another network.

use super::weights::{Fineness, Layout, Section, TILE, Tile};
use crate::scorer::read_network;
use anyhow::{Result, anyhow};
use common::rng::SplitMix64;
use search::nnue::{Network, Shape, Tensor};
use std::path::Path;

/// Reads a network to start from: no wider than that of the run.
pub(super) fn load(path: &Path, ours: &Shape) -> Result<Network> {
    let network = read_network(path)?;
    let theirs = network.shape();
    if theirs.output_buckets() == ours.output_buckets()
        && theirs.hidden() <= ours.hidden()
        && [0, ours.attack_neurons()].contains(&theirs.attack_neurons())
    {
        Ok(network)
    } else {
        Err(anyhow!(
            "cannot start from {}: it is {theirs}, this run {ours} (the output buckets must be equal, \
             the neurons no fewer, the attack neurons as many unless it has none)",
            path.display()
        ))
    }
}

/// Stream of the seed that weights are drawn from; the others shuffle the epochs.
const WEIGHTS_STREAM: u64 = u64::MAX;

/// The first bias of the attack layer, whose sums are then within the range of activations.
const ATTACK_BIAS: f32 = 0.3;

/// Uniform random weights within 1/√inputs, biases zero but for the attack layer's; all king
/// buckets start alike.
pub(super) fn random(shape: &Shape, seed: u64) -> Vec<Tile> {
    let layout = Layout::new(shape);
    let mut weights = vec![Tile::ZERO; layout.len()];
    let mut rng = SplitMix64::with_stream(seed, WEIGHTS_STREAM);
    for section in &layout.sections {
        let Section { tensor, shape, .. } = section;
        if *tensor == Tensor::AttackBiases {
            weights[section.tiles()].fill(Tile([ATTACK_BIAS; TILE]));
        }
        if shape.inputs == 0 {
            continue;
        }
        let bound = (shape.inputs as f32).sqrt().recip();
        for bucket in 0..shape.buckets {
            for part in 0..section.parts() {
                let tile = section.tile(part, bucket * shape.rows);
                if bucket > 0 && *tensor == Tensor::FeatureWeights {
                    let first = section.tile(part, 0);
                    weights.copy_within(first..first + shape.rows, tile);
                    continue;
                }
                let tiles = &mut weights[tile..tile + shape.rows];
                for weight in tiles.iter_mut().flat_map(|tile| &mut tile.0) {
                    *weight = (rng.unit() as f32 * 2.0 - 1.0) * bound;
                }
            }
        }
    }
    weights
}

/// Weights that give the values of a network. A king bucket takes the weights that its first
/// square has in the network; neurons beyond those of the network have random feature weights,
/// and the output does not use them yet. With a scale much smaller than the network's, output
/// weights may exceed their limit and are clipped.
pub(super) fn from_network(network: &Network, shape: &Shape, scale: u16, seed: u64) -> Vec<Tile> {
    let layout = Layout::new(shape);
    let mut weights = random(shape, seed);
    let fineness = Fineness::with_header(scale.into(), network.scale());
    for section in &layout.sections {
        let ours = &section.shape;
        if !matches!(
            section.tensor,
            Tensor::FeatureWeights
                | Tensor::FeatureBiases
                | Tensor::AttackWeights
                | Tensor::AttackBiases
        ) {
            weights[section.tiles()].fill(Tile::ZERO);
        }
        let theirs = network.shape().tensor(section.tensor);
        let numbers = network.numbers(section.tensor);
        let one = section.one(fineness);
        if theirs.len() == 0 {
            continue;
        }
        for bucket in 0..ours.buckets {
            let their_bucket = match section.tensor {
                Tensor::FeatureWeights => their_king_bucket(network.shape(), shape, bucket),
                _ => bucket,
            };
            let count = theirs.rows * theirs.columns;
            let numbers = &numbers[their_bucket * count..][..count];
            for (row, numbers) in numbers.chunks(theirs.columns).enumerate() {
                for (column, &number) in numbers.iter().enumerate() {
                    let (tile, lane) = section.place(bucket * ours.rows + row, column);
                    let weight = number as f32 / one;
                    weights[tile].0[lane] = weight.clamp(-ours.clip, ours.clip);
                }
            }
        }
    }
    weights
}

/// The king bucket in `theirs` of the first square of a king bucket in `ours`.
fn their_king_bucket(theirs: &Shape, ours: &Shape, bucket: usize) -> usize {
    let mut squares = ours.king_map().iter().zip(theirs.king_map());
    let first = squares.find(|&(&ours, _)| usize::from(ours) == bucket);
    first.map_or(0, |(_, &theirs)| theirs.into())
}
