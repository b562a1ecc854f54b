//! The weights a run starts from: random ones, or those of another network.

use super::weights::{Layout, OutputUnit, TILE, Tile};
use crate::evaluator::{NetworkFileError, read_network};
use common::rng::SplitMix64;
use search::nnue::{FEATURES, Network, Shape};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a network cannot be started from.
#[derive(Debug, Error)]
pub enum InitError {
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    #[error(
        "cannot start from {}: it has {their_hidden} neurons and {their_buckets} output buckets, \
         this run {hidden} and {buckets} (as many buckets are needed, and no fewer neurons)",
        path.display()
    )]
    Shape {
        path: PathBuf,
        their_hidden: usize,
        their_buckets: usize,
        hidden: usize,
        buckets: usize,
    },
}

/// Reads a network to start from: no wider than that of the run.
pub(super) fn load(path: &Path, shape: &Shape) -> Result<Network, InitError> {
    let network = read_network(path)?;
    let [theirs, ours] = [network.shape(), shape].map(|s| (s.hidden(), s.output_buckets()));
    if theirs.0 <= ours.0 && theirs.1 == ours.1 {
        Ok(network)
    } else {
        Err(InitError::Shape {
            path: path.to_path_buf(),
            their_hidden: theirs.0,
            their_buckets: theirs.1,
            hidden: ours.0,
            buckets: ours.1,
        })
    }
}

/// Stream of the seed that weights are drawn from; the others shuffle the epochs.
const WEIGHTS_STREAM: u64 = u64::MAX;

/// Uniform random weights within 1/√inputs, biases zero; all king buckets start alike.
pub(super) fn random(shape: &Shape, seed: u64) -> Vec<Tile> {
    let layout = Layout::new(shape);
    let mut weights = vec![Tile::ZERO; layout.len()];
    let mut rng = SplitMix64::with_stream(seed, WEIGHTS_STREAM);
    let mut fill = |tiles: &mut [Tile], inputs: usize| {
        let bound = (inputs as f32).sqrt().recip();
        for weight in tiles.iter_mut().flat_map(|tile| &mut tile.0) {
            *weight = (rng.unit() as f32 * 2.0 - 1.0) * bound;
        }
    };
    for tile in 0..layout.tiles() {
        let rows = &mut weights[layout.feature_row(tile, 0)..][..layout.features()];
        let (first, others) = rows.split_at_mut(FEATURES);
        fill(first, FEATURES);
        for bucket in others.chunks_exact_mut(FEATURES) {
            bucket.copy_from_slice(first);
        }
    }
    let outputs = layout.output_weights(0, 0)..layout.output_bias();
    fill(&mut weights[outputs], 2 * shape.hidden());
    weights
}

/// Weights that give the values of a network. A king bucket takes the weights that its first
/// square has in the network; neurons beyond those of the network have random feature weights and
/// are not used by the output yet. With a scale much smaller than the network's, output weights may
/// exceed their limit and are clipped.
pub(super) fn from_network(network: &Network, shape: &Shape, scale: u16, seed: u64) -> Vec<Tile> {
    let layout = Layout::new(shape);
    let mut weights = random(shape, seed);
    weights[layout.output_weights(0, 0)..].fill(Tile::ZERO);
    let unit = OutputUnit::with_header(scale.into(), network.scale());
    let mut set = |tile: usize, lane: usize, number: i32| {
        let limit = layout.limit(tile);
        let weight = number as f32 / layout.unit(tile, unit);
        weights[tile].0[lane] = weight.clamp(-limit, limit);
    };
    for bucket in 0..shape.king_buckets() {
        let king = shape
            .king_map()
            .iter()
            .position(|&b| usize::from(b) == bucket);
        let theirs = king.map_or(0, |king| usize::from(network.shape().king_map()[king]));
        for feature in 0..FEATURES {
            let row = network.feature_row(theirs * FEATURES + feature);
            for (neuron, weight) in row.enumerate() {
                let tile = layout.feature_row(neuron / TILE, bucket * FEATURES + feature);
                set(tile, neuron % TILE, weight.into());
            }
        }
    }
    for (neuron, bias) in network.bias_row().enumerate() {
        set(
            layout.feature_bias(neuron / TILE),
            neuron % TILE,
            bias.into(),
        );
    }
    let hidden = network.shape().hidden();
    for (bucket, &bias) in network.output_biases().iter().enumerate() {
        for (number, weight) in network.output_rows(bucket).enumerate() {
            let (side, neuron) = (number / hidden, number % hidden);
            let tile = layout.output_weights(bucket, neuron / TILE) + side;
            set(tile, neuron % TILE, weight.into());
        }
        set(layout.output_bias(), bucket, bias);
    }
    weights
}
