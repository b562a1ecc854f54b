//! The trainable parameters: one vector of tiles, and where in it each weight is.
//!
//! The hidden layer is cut into tiles of 64 neurons, and the feature transformer stores all
//! rows of one tile together: one tile of all features fits into a core's L2 cache, the whole
//! table does not.

use common::rng::SplitMix64;
use search::nnue::{FEATURES, HIDDEN_MULTIPLE, QA, QB, Shape};

/// Neurons in a tile. As sums they fit into the registers of every SIMD level, and the width of
/// the hidden layer is a multiple of it.
pub(super) const TILE: usize = HIDDEN_MULTIPLE;

/// Part of a row of weights, accumulators or gradients, aligned to cache lines.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub(super) struct Tile(pub(super) [f32; TILE]);

impl Tile {
    pub(super) const ZERO: Self = Self([0.0; TILE]);

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own += other;
        }
    }
}

/// Positions of the weights, in tiles: feature transformer, its biases, output weights, output
/// biases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    tiles: usize,
    features: usize,
    output_buckets: usize,
}

impl Layout {
    pub(super) fn new(shape: &Shape) -> Self {
        Self {
            tiles: shape.hidden() / TILE,
            features: shape.feature_count(),
            output_buckets: shape.output_buckets(),
        }
    }

    /// Tiles of the hidden layer.
    pub(super) fn tiles(&self) -> usize {
        self.tiles
    }

    /// Features of all king buckets.
    pub(super) fn features(&self) -> usize {
        self.features
    }

    pub(super) fn output_buckets(&self) -> usize {
        self.output_buckets
    }

    /// Size of the feature transformer without its biases; it comes first.
    pub(super) fn feature_weights(&self) -> usize {
        self.tiles * self.features
    }

    pub(super) fn feature_row(&self, tile: usize, feature: usize) -> usize {
        tile * self.features + feature
    }

    pub(super) fn feature_bias(&self, tile: usize) -> usize {
        self.feature_weights() + tile
    }

    /// Output weights of the side to move; those of the other side follow.
    pub(super) fn output_weights(&self, bucket: usize, tile: usize) -> usize {
        self.feature_weights() + self.tiles + (bucket * self.tiles + tile) * 2
    }

    /// The last tile holds the biases of all output buckets, with unused room after them.
    pub(super) fn output_bias(&self) -> usize {
        self.output_weights(self.output_buckets, 0)
    }

    pub(super) fn len(&self) -> usize {
        self.output_bias() + 1
    }

    /// The network's integer for a weight of 1, by the tile it is in.
    pub(super) fn unit(&self, tile: usize) -> f32 {
        let (feature, output) = (f32::from(QA), f32::from(QB));
        if tile < self.output_weights(0, 0) {
            feature
        } else if tile < self.output_bias() {
            output
        } else {
            feature * output
        }
    }
}

/// Stream of the seed that weights are drawn from; the others shuffle the epochs.
const WEIGHTS_STREAM: u64 = u64::MAX;

/// Uniform random weights within 1/√inputs, biases zero; all king buckets start alike.
pub(super) fn initial(shape: &Shape, seed: u64) -> Vec<Tile> {
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

/// The weights as the quantised network has them, still as floats.
pub(super) fn rounded(layout: &Layout, weights: &[Tile]) -> Vec<Tile> {
    let tiles = weights.iter().enumerate().map(|(number, tile)| {
        let unit = layout.unit(number);
        Tile(tile.0.map(|weight| (weight * unit).round() / unit))
    });
    tiles.collect()
}
