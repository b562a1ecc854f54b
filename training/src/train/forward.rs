//! From features to logits, for a block of examples.

use super::block::{BLOCK, Input};
use super::kernel::Work;
use super::layout::Layout;
use super::strip::{STRIP, Strip};

/// Sums of the hidden layer, of both sides of every example of a block.
#[derive(Debug)]
pub(super) struct Hidden(Vec<Strip>);

impl Hidden {
    pub(super) fn new(layout: &Layout) -> Self {
        Self(vec![Strip::ZERO; layout.strips() * BLOCK * 2])
    }

    /// One strip of all: twice the number of an example, and 1 more for the side not to move.
    #[inline(always)]
    pub(super) fn strip(&mut self, strip: usize) -> &mut [Strip] {
        &mut self.0[strip * BLOCK * 2..][..BLOCK * 2]
    }
}

pub(super) struct Forward<'a> {
    pub(super) layout: &'a Layout,
    pub(super) weights: &'a [Strip],
    pub(super) inputs: &'a [Input],
    pub(super) hidden: &'a mut Hidden,
    /// One for each input.
    pub(super) logits: &'a mut [f32],
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            layout,
            weights,
            inputs,
            hidden,
            logits,
        } = self;
        let bias = &weights[layout.output_bias()].0;
        for (input, logit) in inputs.iter().zip(logits.iter_mut()) {
            *logit = bias[usize::from(input.bucket)];
        }
        for strip in 0..layout.strips() {
            let table = &weights[layout.row(strip, 0)..][..layout.rows()];
            let bias = &weights[layout.feature_bias(strip)];
            let hidden = hidden.strip(strip).chunks_exact_mut(2);
            for ((input, logit), sums) in inputs.iter().zip(logits.iter_mut()).zip(hidden) {
                let output = &weights[layout.output(usize::from(input.bucket), strip)..][..2];
                for (side, (place, output)) in sums.iter_mut().zip(output).enumerate() {
                    let sum = sum(table, bias, input.rows(side));
                    *logit += weighted(&sum, output);
                    *place = sum;
                }
            }
        }
    }
}

/// The bias and all active rows.
#[inline(always)]
fn sum(table: &[Strip], bias: &Strip, rows: &[u16]) -> Strip {
    let mut sum = *bias;
    for &row in rows {
        sum.add(&table[usize::from(row)]);
    }
    sum
}

/// Clamped, squared, weighted and added up.
#[inline(always)]
fn weighted(sum: &Strip, weights: &Strip) -> f32 {
    let mut products = [0.0; STRIP];
    for ((product, sum), weight) in products.iter_mut().zip(&sum.0).zip(&weights.0) {
        let clamped = sum.clamp(0.0, 1.0);
        *product = clamped * clamped * weight;
    }
    // Halved in an order of its own: the compiler may not choose one.
    let quarter: [f32; STRIP / 4] = std::array::from_fn(|lane| {
        let [first, second, third, fourth] =
            [0, 1, 2, 3].map(|part| products[part * STRIP / 4 + lane]);
        (first + second) + (third + fourth)
    });
    quarter.iter().sum()
}
