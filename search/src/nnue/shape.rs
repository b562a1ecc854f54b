//! The network, described once: its dimensions, and the tensors that follow from them.
//!
//! The file format, the engine's memory, the trainer's parameters with their optimizer state,
//! initial weights, checkpoints and quantization all loop over `Tensor::ALL`. A new layer is two
//! tensors here, its arithmetic and the plain reference in `forward`, and a forward and a backward
//! function in the trainer.

use movegen::Square;
use std::fmt;
use thiserror::Error;

/// Features of one king bucket: twelve pieces on 64 squares.
pub const FEATURES: usize = 12 * 64;
/// The width of the hidden layer is a multiple of this.
pub const HIDDEN_MULTIPLE: usize = 64;
pub(super) const MAX_HIDDEN: usize = 1024;
pub const MAX_KING_BUCKETS: usize = 32;
pub const MAX_OUTPUT_BUCKETS: usize = 8;

/// Quantization of the feature layer: 1 in its weights, biases and sums, and the largest
/// activation. Weights up to 0.79 fit 8 bits, which halves the memory that an update reads.
pub const QA: i16 = 160;
/// The number of attack features; the last eight are always zero.
pub const ATTACK_FEATURES: usize = 144;
/// Attack features whose weights are together, and are multiplied in one step.
pub(super) const ATTACK_GROUP: usize = 4;
pub(super) const ATTACK_GROUPS: usize = ATTACK_FEATURES / ATTACK_GROUP;
/// The neurons of the attack layer are a multiple of this.
pub const ATTACK_MULTIPLE: usize = 16;
pub(super) const MAX_ATTACK_NEURONS: usize = 2 * ATTACK_MULTIPLE;
/// Quantization of the attack layer: 1 in its weights, biases and sums, and the largest activation.
pub const ATTACK_ONE: i32 = 256;
/// Quantization of the output layer: 1 in its weights.
const QB: i16 = 64;

/// The weights and the biases of each layer, in the order of the network file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tensor {
    FeatureWeights,
    FeatureBiases,
    AttackWeights,
    AttackBiases,
    AttackOutputs,
    OutputWeights,
    OutputBiases,
}

impl Tensor {
    pub const ALL: [Self; 7] = [
        Self::FeatureWeights,
        Self::FeatureBiases,
        Self::AttackWeights,
        Self::AttackBiases,
        Self::AttackOutputs,
        Self::OutputWeights,
        Self::OutputBiases,
    ];
}

/// The integers of a tensor, with the most bytes of one, or of a difference of two, in a network
/// file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    I8 = 2,
    I16 = 3,
    I32 = 5,
}

impl Number {
    /// The least and the largest.
    #[must_use]
    pub fn range(self) -> (i32, i32) {
        match self {
            Self::I8 => (i8::MIN.into(), i8::MAX.into()),
            Self::I16 => (i16::MIN.into(), i16::MAX.into()),
            Self::I32 => (i32::MIN, i32::MAX),
        }
    }
}

/// The dimensions and the quantization of a tensor. Numbers are stored by bucket, then by row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TensorShape {
    pub name: &'static str,
    /// Sets of weights, of which each position uses one.
    pub buckets: usize,
    /// Rows of a bucket.
    pub rows: usize,
    pub columns: usize,
    /// Inputs of a neuron, which determine its initial weights; 0 for biases, which start at 0.
    pub inputs: usize,
    pub number: Number,
    /// Quantization: the number for a weight of 1.
    pub one: i32,
    /// The largest size of a weight in training, before quantization.
    pub clip: f32,
}

#[rustfmt::skip]
impl Shape {
    /// The description of the network.
    #[must_use]
    #[inline]
    pub const fn tensor(&self, tensor: Tensor) -> TensorShape {
        use Number::{I8, I16, I32};
        const SUM: i32 = QA as i32;
        const WEIGHT: i32 = QB as i32;
        let Self { hidden, king_buckets, output_buckets, attack_neurons, .. } = *self;
        match tensor {
            // A row for each feature.
            Tensor::FeatureWeights => TensorShape {
                name: "feature weights", buckets: king_buckets, rows: FEATURES, columns: hidden,
                inputs: FEATURES, number: I8, one: SUM, clip: 0.79,
            },
            // What both accumulators start from.
            Tensor::FeatureBiases => TensorShape {
                name: "feature biases", buckets: 1, rows: 1, columns: hidden,
                inputs: 0, number: I16, one: SUM, clip: 1.98,
            },
            // A row for each group of features; four weights of each neuron in turn. Counts are
            // larger than activations, so the initial weights are those for sixteen times as
            // many inputs.
            Tensor::AttackWeights => TensorShape {
                name: "attack weights", buckets: 1, rows: ATTACK_GROUPS,
                columns: ATTACK_GROUP * attack_neurons,
                inputs: 16 * ATTACK_FEATURES, number: I8, one: ATTACK_ONE, clip: 0.49,
            },
            Tensor::AttackBiases => TensorShape {
                name: "attack biases", buckets: 1, rows: 1, columns: attack_neurons,
                inputs: 0, number: I16, one: ATTACK_ONE, clip: 7.9,
            },
            Tensor::AttackOutputs => TensorShape {
                name: "attack output weights", buckets: output_buckets, rows: 1, columns: attack_neurons,
                inputs: 0, number: I16, one: WEIGHT, clip: 3.9,
            },
            // A row for the side to move and one for the opponent.
            Tensor::OutputWeights => TensorShape {
                name: "output weights", buckets: output_buckets, rows: 2, columns: hidden,
                inputs: 2 * hidden, number: I8, one: WEIGHT, clip: 0.99,
            },
            Tensor::OutputBiases => TensorShape {
                name: "output biases", buckets: 1, rows: 1, columns: output_buckets,
                inputs: 0, number: I32, one: SUM * WEIGHT, clip: 1.98,
            },
        }
    }
}

impl Shape {
    /// The number of weights of all tensors.
    pub(super) fn len(&self) -> usize {
        Tensor::ALL
            .map(|tensor| self.tensor(tensor).len())
            .iter()
            .sum()
    }

    /// The most bytes that all tensors take in a network file.
    pub(super) const fn max_bytes(&self) -> usize {
        let (mut bytes, mut index) = (0, 0);
        while index < Tensor::ALL.len() {
            let tensor = self.tensor(Tensor::ALL[index]);
            bytes += tensor.len() * tensor.number as usize;
            index += 1;
        }
        bytes
    }
}

impl TensorShape {
    /// The number of weights.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no tensor is empty")]
    pub const fn len(&self) -> usize {
        self.buckets * self.bucket_len()
    }

    /// The number of weights of a bucket.
    pub(super) const fn bucket_len(&self) -> usize {
        self.rows * self.columns
    }

    /// Blocks of a row in memory.
    pub(super) const fn row_blocks(&self) -> usize {
        self.columns.div_ceil(HIDDEN_MULTIPLE)
    }

    /// Blocks in memory.
    pub(super) const fn blocks(&self) -> usize {
        self.buckets * self.rows * self.row_blocks()
    }
}

/// The reason a shape is invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ShapeError {
    #[error(
        "invalid hidden layer width {found}: expected a multiple of {HIDDEN_MULTIPLE} up to {MAX_HIDDEN}"
    )]
    Hidden { found: usize },
    #[error("invalid number of king buckets {found}: expected 1 to {MAX_KING_BUCKETS}")]
    KingBuckets { found: usize },
    #[error("invalid number of output buckets {found}: expected 1 to {MAX_OUTPUT_BUCKETS}")]
    OutputBuckets { found: usize },
    #[error(
        "invalid attack layer width {found}: expected a multiple of {ATTACK_MULTIPLE} up to {MAX_ATTACK_NEURONS}"
    )]
    AttackNeurons { found: usize },
    #[error("invalid king bucket {found} for {king}: the last bucket is {last}")]
    KingMap {
        king: Square,
        found: u8,
        last: usize,
    },
    #[error("{king} and its mirror image {mirrored} are in different king buckets")]
    Mirror { king: Square, mirrored: Square },
}

/// The dimensions of a network, always valid ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    hidden: usize,
    king_buckets: usize,
    output_buckets: usize,
    attack_neurons: usize,
    /// The king bucket of each square, from the perspective of the king's side.
    king_map: [u8; 64],
}

impl Shape {
    pub(super) const LARGEST: Self = Self {
        hidden: MAX_HIDDEN,
        king_buckets: MAX_KING_BUCKETS,
        output_buckets: MAX_OUTPUT_BUCKETS,
        attack_neurons: MAX_ATTACK_NEURONS,
        king_map: [0; 64],
    };

    /// `hidden` neurons for each side and a king bucket for each square of the side's own king,
    /// from its own perspective: a1 is Black's a8. Mirrored squares share a bucket, since the
    /// board is mirrored to have the king on the files a to d.
    pub fn new(
        hidden: usize,
        king_buckets: usize,
        output_buckets: usize,
        king_map: [u8; 64],
    ) -> Result<Self, ShapeError> {
        if !(1..=MAX_HIDDEN).contains(&hidden) || !hidden.is_multiple_of(HIDDEN_MULTIPLE) {
            return Err(ShapeError::Hidden { found: hidden });
        }
        if !(1..=MAX_KING_BUCKETS).contains(&king_buckets) {
            return Err(ShapeError::KingBuckets {
                found: king_buckets,
            });
        }
        if !(1..=MAX_OUTPUT_BUCKETS).contains(&output_buckets) {
            return Err(ShapeError::OutputBuckets {
                found: output_buckets,
            });
        }
        for king in Square::all() {
            let found = king_map[king.index()];
            if usize::from(found) >= king_buckets {
                return Err(ShapeError::KingMap {
                    king,
                    found,
                    last: king_buckets - 1,
                });
            }
            let mirrored = king.flip_file();
            if found != king_map[mirrored.index()] {
                return Err(ShapeError::Mirror { king, mirrored });
            }
        }
        Ok(Self {
            hidden,
            king_buckets,
            output_buckets,
            attack_neurons: 0,
            king_map,
        })
    }

    /// The shape with an attack layer of this many neurons; 0 is none.
    pub fn with_attack_neurons(self, found: usize) -> Result<Self, ShapeError> {
        if found > MAX_ATTACK_NEURONS || !found.is_multiple_of(ATTACK_MULTIPLE) {
            return Err(ShapeError::AttackNeurons { found });
        }
        Ok(Self {
            attack_neurons: found,
            ..self
        })
    }

    /// The shape with these `counts`.
    pub fn from_counts(counts: [u32; 4], king_map: [u8; 64]) -> Result<Self, ShapeError> {
        let [hidden, king_buckets, output_buckets, attack_neurons] =
            counts.map(|count| count as usize);
        Self::new(hidden, king_buckets, output_buckets, king_map)?
            .with_attack_neurons(attack_neurons)
    }

    /// Neurons for each side, king buckets, output buckets and attack neurons, as in files.
    #[must_use]
    pub fn counts(&self) -> [u32; 4] {
        // None exceeds 1024.
        [
            self.hidden,
            self.king_buckets,
            self.output_buckets,
            self.attack_neurons,
        ]
        .map(|count| count as u32)
    }

    /// A shape with one king bucket.
    pub fn without_king_buckets(hidden: usize, output_buckets: usize) -> Result<Self, ShapeError> {
        Self::new(hidden, 1, output_buckets, [0; 64])
    }

    /// Neurons for each side.
    #[must_use]
    #[inline]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Neurons of the attack layer.
    #[must_use]
    #[inline]
    pub fn attack_neurons(&self) -> usize {
        self.attack_neurons
    }

    #[must_use]
    pub fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    #[must_use]
    pub fn output_buckets(&self) -> usize {
        self.output_buckets
    }

    /// The king bucket of each square, as given to `new`.
    #[must_use]
    pub fn king_map(&self) -> &[u8; 64] {
        &self.king_map
    }

    /// The king bucket of a square, from the perspective of the king's side.
    #[must_use]
    #[inline]
    pub fn king_bucket(&self, king: Square) -> usize {
        usize::from(self.king_map[king.index()])
    }

    /// The output bucket for a number of pieces on the board, kings included.
    #[must_use]
    #[inline]
    pub fn output_bucket(&self, pieces: u32) -> usize {
        const MAX_PIECES: usize = 32;
        let without_kings = (pieces as usize).saturating_sub(2);
        (without_kings * self.output_buckets / MAX_PIECES).min(self.output_buckets - 1)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let features = self.tensor(Tensor::FeatureWeights);
        let (inputs, hidden) = (features.buckets * features.rows, features.columns);
        write!(f, "({inputs} -> {hidden})x2 -> {}", self.output_buckets)?;
        if self.attack_neurons > 0 {
            write!(f, " + ({ATTACK_FEATURES} -> {})", self.attack_neurons)?;
        }
        Ok(())
    }
}
