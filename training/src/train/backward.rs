//! From errors of logits to gradients of all weights, for a block of examples.

use super::block::{Index, Input};
use super::forward::Hidden;
use super::kernel::Work;
use super::layout::Layout;
use super::strip::Strip;

pub(super) struct Backward<'a> {
    pub(super) layout: &'a Layout,
    pub(super) weights: &'a [Strip],
    pub(super) inputs: &'a [Input],
    pub(super) index: &'a Index,
    /// By how much the loss grows with each logit.
    pub(super) slopes: &'a [f32],
    /// As `Forward` left it; afterwards no longer of use.
    pub(super) hidden: &'a mut Hidden,
    /// What is found is added here.
    pub(super) gradient: &'a mut [Strip],
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            layout,
            weights,
            inputs,
            index,
            slopes,
            hidden,
            gradient,
        } = self;
        let bias = &mut gradient[layout.output_bias()].0;
        for (input, slope) in inputs.iter().zip(slopes) {
            bias[usize::from(input.bucket)] += slope;
        }
        for strip in 0..layout.strips() {
            let sums = hidden.strip(strip);
            let bias = layout.feature_bias(strip);
            let mut bias_gradient = gradient[bias];
            let both = inputs.iter().zip(slopes).zip(sums.chunks_exact_mut(2));
            for ((input, &slope), sums) in both {
                let output = layout.output(usize::from(input.bucket), strip);
                let weights = &weights[output..][..2];
                let gradient = &mut gradient[output..][..2];
                for ((sum, weights), gradient) in sums.iter_mut().zip(weights).zip(gradient) {
                    through_activation(slope, weights, sum, gradient);
                    bias_gradient.add(sum);
                }
            }
            gradient[bias] = bias_gradient;
            let table = &mut gradient[layout.row(strip, 0)..][..layout.rows()];
            for (row, gradient) in table.iter_mut().enumerate() {
                let places = index.places(row);
                if !places.is_empty() {
                    *gradient = gathered(*gradient, sums, places);
                }
            }
        }
    }
}

/// Adds to the gradient of the output weights, and makes of the sums their own gradients.
#[inline(always)]
fn through_activation(slope: f32, weights: &Strip, sum: &mut Strip, gradient: &mut Strip) {
    let weights = sum.0.iter_mut().zip(&weights.0);
    for ((sum, weight), gradient) in weights.zip(&mut gradient.0) {
        let clamped = sum.clamp(0.0, 1.0);
        *gradient += slope * (clamped * clamped);
        let steepness = if *sum < 1.0 { clamped + clamped } else { 0.0 };
        *sum = slope * weight * steepness;
    }
}

/// A row's gradient with those of all sums it is part of.
#[inline(always)]
fn gathered(mut gradient: Strip, sums: &[Strip], places: &[u16]) -> Strip {
    for &place in places {
        gradient.add(&sums[usize::from(place)]);
    }
    gradient
}
