//! One thread's part of a batch: forward, loss, and backward, block after block.

use super::batch::{BLOCK, Block, Index, Input};
use super::loss::{Loss, Objective};
use super::simd::{Kernel, Work};
use super::weights::{Layout, STRIP, Strip};
use crate::data::Example;
use search::nnue::Shape;

/// What all threads look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub(super) shape: &'a Shape,
    pub(super) layout: &'a Layout,
    pub(super) weights: &'a [Strip],
    pub(super) objective: Objective,
    pub(super) kernel: Kernel,
}

/// What a thread computes in, and what it found.
#[derive(Debug)]
pub(super) struct Pass {
    block: Block,
    index: Index,
    hidden: Hidden,
    logits: Vec<f32>,
    gradient: Vec<Strip>,
}

impl Pass {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            block: Block::default(),
            index: Index::default(),
            hidden: Hidden::new(layout),
            logits: Vec::with_capacity(BLOCK),
            gradient: vec![Strip::ZERO; layout.len()],
        }
    }

    /// The sums over the examples last learnt from.
    pub(super) fn gradient(&self) -> &[Strip] {
        &self.gradient
    }

    /// The summed loss of examples, and its gradient.
    pub(super) fn learn(
        &mut self,
        task: Task<'_>,
        mut examples: impl Iterator<Item = Example>,
    ) -> f64 {
        self.gradient.fill(Strip::ZERO);
        let mut loss = 0.0;
        while self.look(task, &mut examples) {
            // Logits become slopes in their place.
            for (logit, &target) in self.logits.iter_mut().zip(&self.block.targets) {
                let here = Loss::of(*logit, target);
                loss += f64::from(here.squared);
                *logit = here.slope;
            }
            self.index.fill(task.layout.rows(), &self.block.inputs);
            task.kernel.run(Backward {
                layout: task.layout,
                weights: task.weights,
                inputs: &self.block.inputs,
                index: &self.index,
                slopes: &self.logits,
                hidden: &mut self.hidden,
                gradient: &mut self.gradient,
            });
        }
        loss
    }

    /// The summed loss of examples.
    pub(super) fn judge(
        &mut self,
        task: Task<'_>,
        mut examples: impl Iterator<Item = Example>,
    ) -> f64 {
        let mut loss = 0.0;
        while self.look(task, &mut examples) {
            let pairs = self.logits.iter().zip(&self.block.targets);
            let squared = pairs.map(|(&logit, &target)| f64::from(Loss::of(logit, target).squared));
            loss += squared.sum::<f64>();
        }
        loss
    }

    /// What the network says of a few examples.
    pub(super) fn logits(
        &mut self,
        task: Task<'_>,
        mut examples: impl Iterator<Item = Example>,
    ) -> Vec<f32> {
        let mut all = Vec::new();
        while self.look(task, &mut examples) {
            all.extend(&self.logits);
        }
        all
    }

    /// Takes a block of examples and computes their logits; `false` when there are no more.
    fn look(&mut self, task: Task<'_>, examples: &mut impl Iterator<Item = Example>) -> bool {
        self.block
            .fill(task.shape, task.objective, examples.by_ref().take(BLOCK));
        self.logits.clear();
        self.logits.resize(self.block.inputs.len(), 0.0);
        task.kernel.run(Forward {
            layout: task.layout,
            weights: task.weights,
            inputs: &self.block.inputs,
            hidden: &mut self.hidden,
            logits: &mut self.logits,
        });
        !self.logits.is_empty()
    }
}

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
