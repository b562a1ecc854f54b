//! Where in the trainer's vectors each weight is.
//!
//! The hidden layer is cut into strips of sixty-four neurons, and all rows of one strip lie
//! together: one strip of all features fits into a core's cache, the whole table does not.

use search::nnue::{HIDDEN_MULTIPLE, Shape};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    strips: usize,
    rows: usize,
    outputs: usize,
}

impl Layout {
    pub(super) fn new(shape: &Shape) -> Self {
        Self {
            strips: shape.hidden() / STRIP,
            rows: shape.feature_count(),
            outputs: shape.output_buckets(),
        }
    }

    /// Strips of the hidden layer.
    pub(super) fn strips(&self) -> usize {
        self.strips
    }

    /// Features.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Strips of all weights of the first layer; they come first.
    pub(super) fn table(&self) -> usize {
        self.strips * self.rows
    }

    /// The strip of a feature's row.
    pub(super) fn row(&self, strip: usize, row: usize) -> usize {
        strip * self.rows + row
    }

    pub(super) fn feature_bias(&self, strip: usize) -> usize {
        self.table() + strip
    }

    /// The strip of an output bucket's weights for one side; the other side's is the next.
    pub(super) fn output(&self, bucket: usize, strip: usize) -> usize {
        self.table() + self.strips + (bucket * self.strips + strip) * 2
    }

    /// The strip of all output biases, the last; it has room for more than there are.
    pub(super) fn output_bias(&self) -> usize {
        self.output(self.outputs, 0)
    }

    /// Strips of everything.
    pub(super) fn len(&self) -> usize {
        self.output_bias() + 1
    }
}

/// Rows of the hidden layer are a multiple of this wide. As sums they fit into the registers of
/// every kind of processor.
pub(super) const STRIP: usize = HIDDEN_MULTIPLE;

/// A piece of a row of weights, sums or gradients, on cache lines of its own.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub(super) struct Strip(pub(super) [f32; STRIP]);

impl Strip {
    pub(super) const ZERO: Self = Self([0.0; STRIP]);

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own += other;
        }
    }
}
