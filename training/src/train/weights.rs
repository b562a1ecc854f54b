//! The trainable parameters: one vector of tiles, and where in it each weight is.
//!
//! The hidden layer is cut into tiles of 64 neurons, and the feature transformer stores all
//! rows of one tile together: one tile of all features fits into a core's L2 cache, the whole
//! table does not.

use search::nnue::{HIDDEN_MULTIPLE, MAX_OUTPUT_WEIGHT, QA, QB, Shape};

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
        for lane in 0..TILE {
            self.0[lane] += other.0[lane];
        }
    }
}

/// A tile of the network's integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct IntTile(pub(super) [i16; TILE]);

impl IntTile {
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for lane in 0..TILE {
            self.0[lane] = self.0[lane].wrapping_add(other.0[lane]);
        }
    }

    /// The integers for a tile of weights of the feature transformer.
    #[inline(always)]
    pub(super) fn of_features(tile: &Tile) -> Self {
        let mut integers = [0; TILE];
        for (lane, integer) in integers.iter_mut().enumerate() {
            *integer = round(tile.0[lane] * QA as f32) as i16;
        }
        Self(integers)
    }
}

/// The nearest integer, the even one of two; for numbers within ±2²². Unlike `f32::round` it is
/// two instructions on every processor.
#[inline(always)]
pub(super) fn round(number: f32) -> i32 {
    /// Where the last bit of a float is 1.
    const SHIFT: f32 = 12_582_912.0;
    (number + SHIFT).to_bits() as i32 - SHIFT.to_bits() as i32
}

/// Weights of the feature transformer, and biases, are clipped to ± this: a sum of 32 rows,
/// quantised with a unit of 255, then fits into i16.
pub(super) const MAX_WEIGHT: f32 = 1.98;
/// The same for output weights. The smaller it is, the finer is their unit.
const MAX_OUTPUT: f32 = 0.99;

/// How output weights are quantised.
///
/// The network's format has a fixed unit, but a scale for each network: with a finer unit the
/// logits grow and the scale in the header shrinks in proportion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct OutputUnit {
    /// The network's integer for a weight of 1.
    pub(super) unit: f32,
    /// The scale in the network's header.
    pub(super) scale: u16,
}

impl OutputUnit {
    /// The finest unit with which `MAX_OUTPUT` still fits, for this many score units per logit.
    pub(super) fn new(scale: f32) -> Self {
        let finest = f32::from(MAX_OUTPUT_WEIGHT) / MAX_OUTPUT;
        Self::with_header(scale, (scale * f32::from(QB) / finest).ceil() as u16)
    }

    /// The unit of a network with this scale in its header.
    pub(super) fn with_header(scale: f32, header: u16) -> Self {
        Self {
            unit: scale * f32::from(QB) / f32::from(header),
            scale: header,
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

    /// The largest size of the weights in a tile.
    pub(super) fn limit(&self, tile: usize) -> f32 {
        if (self.output_weights(0, 0)..self.output_bias()).contains(&tile) {
            MAX_OUTPUT
        } else {
            MAX_WEIGHT
        }
    }

    /// The network's integer for a weight of 1, by the tile it is in.
    pub(super) fn unit(&self, tile: usize, output: OutputUnit) -> f32 {
        let feature = f32::from(QA);
        if tile < self.output_weights(0, 0) {
            feature
        } else if tile < self.output_bias() {
            output.unit
        } else {
            feature * output.unit
        }
    }
}

/// The weights as the quantised network has them: what the forward pass uses.
///
/// Training is aware of rounding: losses are those of the quantised network, and a step changes
/// the weights behind it (the straight-through estimator). Sums of integers also need half the
/// memory traffic.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rounded {
    /// Feature transformer and its biases.
    pub(super) features: Vec<IntTile>,
    /// Output weights and biases, as floats.
    outputs: Vec<Tile>,
    output_unit: OutputUnit,
}

impl Rounded {
    pub(super) fn new(layout: &Layout, weights: &[Tile], output_unit: OutputUnit) -> Self {
        let (features, outputs) = weights.split_at(layout.output_weights(0, 0));
        let mut rounded = Self {
            features: features.iter().map(IntTile::of_features).collect(),
            outputs: outputs.to_vec(),
            output_unit,
        };
        rounded.update_small(layout, weights);
        rounded
    }

    /// Takes over everything but the weights of the feature transformer.
    pub(super) fn update_small(&mut self, layout: &Layout, weights: &[Tile]) {
        let outputs = layout.output_weights(0, 0);
        let biases = layout.feature_weights()..outputs;
        for (rounded, bias) in self.features[biases.clone()]
            .iter_mut()
            .zip(&weights[biases])
        {
            *rounded = IntTile::of_features(bias);
        }
        for (tile, rounded) in (outputs..).zip(&mut self.outputs) {
            let unit = layout.unit(tile, self.output_unit);
            *rounded = Tile(
                weights[tile]
                    .0
                    .map(|weight| round(weight * unit) as f32 / unit),
            );
        }
    }

    /// Output weights for the side to move, then for the other side.
    #[inline(always)]
    pub(super) fn output_weights(&self, layout: &Layout, bucket: usize, tile: usize) -> &[Tile] {
        let start = layout.output_weights(bucket, tile) - layout.output_weights(0, 0);
        &self.outputs[start..start + 2]
    }

    /// The biases of all output buckets.
    pub(super) fn output_bias(&self, layout: &Layout) -> &Tile {
        &self.outputs[layout.output_bias() - layout.output_weights(0, 0)]
    }
}
