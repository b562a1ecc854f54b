//! The kernels for any processor, one number at a time: the reference for all others.

use super::{SimdOps, SimdTask};
use crate::nnue::QA;
use crate::nnue::network::Block;

#[derive(Clone, Copy)]
pub(super) struct Scalar;

impl SimdOps for Scalar {
    #[inline]
    fn update<const ADDED: usize, const REMOVED: usize>(
        self,
        parent: &[Block],
        child: &mut [Block],
        added: [&[Block]; ADDED],
        removed: [&[Block]; REMOVED],
    ) {
        child.copy_from_slice(parent);
        added.into_iter().for_each(|row| add(child, row));
        removed.into_iter().for_each(|row| subtract(child, row));
    }

    #[inline]
    fn refresh(self, row: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
        let blocks = row.len();
        let weights = |&feature: &u16| &weights[usize::from(feature) * blocks..][..blocks];
        added.iter().for_each(|feature| add(row, weights(feature)));
        removed
            .iter()
            .for_each(|feature| subtract(row, weights(feature)));
    }

    #[inline]
    fn output(self, us: &[Block], them: &[Block], weights: &[Block]) -> i64 {
        let rows = us.iter().chain(them);
        rows.zip(weights)
            .map(|(sums, weights)| weighted(sums, weights))
            .sum()
    }

    fn run<T: SimdTask>(self, task: T) -> T::Output {
        task.run(self)
    }
}

fn add(sums: &mut [Block], row: &[Block]) {
    for (sums, weights) in sums.iter_mut().zip(row) {
        for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

fn subtract(sums: &mut [Block], row: &[Block]) {
    for (sums, weights) in sums.iter_mut().zip(row) {
        for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
            *sum = sum.wrapping_sub(weight);
        }
    }
}

/// The weighted SCReLU of a block fits 32 bits; that of a wide row does not.
fn weighted(sums: &Block, weights: &Block) -> i64 {
    let terms = sums.0.iter().zip(weights.0).map(|(&sum, weight)| {
        let activation = i32::from(sum.clamp(0, QA));
        activation * activation * i32::from(weight)
    });
    i64::from(terms.sum::<i32>())
}
