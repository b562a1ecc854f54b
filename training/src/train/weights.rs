//! The trainable parameters: one vector of tiles, and where in it the tensors of the network are.
//!
//! A tensor is cut into parts of 64 columns, and all rows of one part are stored together: one
//! part of all feature weights fits into a core's L2 cache, the whole table does not.

use search::nnue::{HIDDEN_MULTIPLE, Shape, Tensor, TensorShape};
use std::ops::Range;

/// Columns of a tile. As sums they fit into the registers of every SIMD level, and the width of
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

    /// The integers for weights of which 1 is `one`.
    #[inline(always)]
    pub(super) fn of(tile: &Tile, one: f32) -> Self {
        let mut integers = [0; TILE];
        for (lane, integer) in integers.iter_mut().enumerate() {
            *integer = round(tile.0[lane] * one) as i16;
        }
        Self(integers)
    }
}

/// The nearest integer, the even one of two; for numbers within ±2²². Unlike `f32::round` it is
/// two instructions on every processor.
#[inline(always)]
pub(super) fn round(number: f32) -> i32 {
    /// The value from which on the last bit of a float is 1.
    const SHIFT: f32 = 12_582_912.0;
    (number + SHIFT).to_bits() as i32 - SHIFT.to_bits() as i32
}

/// The factor by which the output layer is quantized finer than in the network's format.
///
/// The format has a fixed unit, but a scale for each network: with a finer unit the logits grow
/// and the scale in the header shrinks in proportion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Fineness {
    factor: f32,
    /// The scale in the network's header.
    pub(super) header: u16,
}

impl Fineness {
    /// The largest with which clipped output weights fit, for this many score units per logit.
    pub(super) fn new(shape: &Shape, scale: f32) -> Self {
        let output = shape.tensor(Tensor::OutputWeights);
        let largest = output.number.range().1 as f32 / output.clip;
        Self::with_header(scale, (scale * output.one as f32 / largest).ceil() as u16)
    }

    /// That of a network with this scale in its header.
    pub(super) fn with_header(scale: f32, header: u16) -> Self {
        Self {
            factor: scale / f32::from(header),
            header,
        }
    }
}

/// A tensor among the parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Section {
    pub(super) tensor: Tensor,
    pub(super) shape: TensorShape,
    /// The first tile.
    pub(super) start: usize,
}

impl Section {
    /// Rows of all buckets.
    pub(super) fn rows(&self) -> usize {
        self.shape.buckets * self.shape.rows
    }

    /// Tiles of a row.
    pub(super) fn parts(&self) -> usize {
        self.shape.columns.div_ceil(TILE)
    }

    pub(super) fn tiles(&self) -> Range<usize> {
        self.start..self.start + self.parts() * self.rows()
    }

    /// The tile of a part and a row; those of the next rows follow.
    #[inline(always)]
    pub(super) fn tile(&self, part: usize, row: usize) -> usize {
        self.start + part * self.rows() + row
    }

    /// Tile and lane of a weight.
    pub(super) fn place(&self, row: usize, column: usize) -> (usize, usize) {
        (self.tile(column / TILE, row), column % TILE)
    }

    /// The network's number for a weight of 1.
    pub(super) fn one(&self, fineness: Fineness) -> f32 {
        let factor = match self.tensor {
            Tensor::OutputWeights | Tensor::OutputBiases | Tensor::AttackOutputs => fineness.factor,
            _ => 1.0,
        };
        self.shape.one as f32 * factor
    }
}

/// The places of the tensors, in the order of the network's description.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Layout {
    pub(super) shape: Shape,
    pub(super) sections: [Section; Tensor::ALL.len()],
}

impl Layout {
    pub(super) fn new(shape: &Shape) -> Self {
        let mut start = 0;
        Self {
            shape: *shape,
            sections: Tensor::ALL.map(|tensor| {
                let section = Section {
                    tensor,
                    shape: shape.tensor(tensor),
                    start,
                };
                start = section.tiles().end;
                section
            }),
        }
    }

    #[inline(always)]
    pub(super) fn section(&self, tensor: Tensor) -> &Section {
        &self.sections[tensor as usize]
    }

    /// Tiles of all tensors.
    pub(super) fn len(&self) -> usize {
        self.sections
            .iter()
            .map(|section| section.tiles().len())
            .sum()
    }
}

/// The weights as the quantized network has them: what the forward pass uses.
///
/// Training is aware of rounding: losses are those of the quantized network, and a step changes
/// the weights behind it (the straight-through estimator). Sums of integers also need half the
/// memory traffic.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rounded {
    /// The feature layer, in its places in the layout.
    pub(super) integers: Vec<IntTile>,
    /// The other layers.
    floats: Vec<Tile>,
    fineness: Fineness,
}

impl Rounded {
    pub(super) fn new(layout: &Layout, weights: &[Tile], fineness: Fineness) -> Self {
        let mut rounded = Self {
            integers: vec![IntTile([0; TILE]); layout.len()],
            floats: vec![Tile::ZERO; layout.len()],
            fineness,
        };
        for section in &layout.sections {
            rounded.update(section, weights);
        }
        rounded
    }

    /// Takes over the weights of a tensor.
    pub(super) fn update(&mut self, section: &Section, weights: &[Tile]) {
        let one = section.one(self.fineness);
        for tile in section.tiles() {
            let exact = &weights[tile];
            match section.tensor {
                Tensor::FeatureWeights | Tensor::FeatureBiases => {
                    self.integers[tile] = IntTile::of(exact, one);
                }
                _ => {
                    let rounded = exact.0.map(|weight| round(weight * one) as f32 / one);
                    self.floats[tile] = Tile(rounded);
                }
            }
        }
    }

    /// The rows of a part of a tensor of the feature layer.
    #[inline(always)]
    pub(super) fn integers(&self, section: &Section, part: usize) -> &[IntTile] {
        &self.integers[section.tile(part, 0)..][..section.rows()]
    }

    /// The rows of a part of a tensor of another layer.
    #[inline(always)]
    pub(super) fn floats(&self, section: &Section, part: usize) -> &[Tile] {
        &self.floats[section.tile(part, 0)..][..section.rows()]
    }
}
