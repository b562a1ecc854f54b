//! Sixty-four neighbouring numbers of a row, the unit the trainer computes in.

use search::net::HIDDEN_STEP;

/// Rows of the hidden layer are a multiple of this wide. As sums they fit into the registers of
/// every kind of processor.
pub(super) const STRIP: usize = HIDDEN_STEP;

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
