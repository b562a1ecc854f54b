//! The optimiser: Adam with decoupled weight decay (Kingma and Ba 2015, Loshchilov and Hutter
//! 2019).
//!
//! With several king buckets the weights of a feature are, in training, the sum of weights of
//! its own and of weights that all buckets share. That sum is all that is kept: a step of the
//! shared weights is a step of every bucket's, and decay falls on the sum as it would on the
//! parts. So the shared weights exist only as the moments of their gradient.

use super::simd::{Kernel, Work};
use super::weights::{Layout, Strip};
use rayon::prelude::*;
use search::nnue::FEATURES;

/// No weight is further from zero: at the network's grain, 64 and 255 to one, the output
/// weights stay within 127, and 32 rows of the feature layer fit into sixteen bits.
pub(super) const LARGEST_WEIGHT: f32 = 1.98;

const FIRST_MEMORY: f32 = 0.9;
const SECOND_MEMORY: f32 = 0.999;
/// Keeps quotients finite where there has been no gradient.
const SMALLEST: f32 = 1e-8;

/// Strips to a task. It divides the features of a king bucket: no task has parts of two.
const TASK: usize = 64;

/// Running means of the gradient and of its square.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Moments {
    pub(super) first: Vec<Strip>,
    pub(super) second: Vec<Strip>,
}

impl Moments {
    fn new(strips: usize) -> Self {
        Self {
            first: vec![Strip::ZERO; strips],
            second: vec![Strip::ZERO; strips],
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Adam {
    pub(super) steps: u64,
    pub(super) own: Moments,
    /// Of the weights shared by all king buckets: a strip for each of the features of one
    /// bucket, for each strip of the hidden layer. Empty with a single bucket.
    pub(super) shared: Moments,
}

/// How far one step goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    pub(super) rate: f32,
    pub(super) decay: f32,
    /// What a summed gradient is multiplied by to be the mean.
    pub(super) share: f32,
}

/// A stride with what follows from the number of the step.
#[derive(Clone, Copy)]
struct Terms {
    kept: f32,
    share: f32,
    /// The rate, and what makes up for the first mean having begun at zero.
    rate: f32,
    /// The same for the second.
    second_share: f32,
}

impl Adam {
    pub(super) fn new(layout: &Layout) -> Self {
        let several = layout.rows() > FEATURES;
        Self {
            steps: 0,
            own: Moments::new(layout.len()),
            shared: Moments::new(if several {
                layout.strips() * FEATURES
            } else {
                0
            }),
        }
    }

    /// One step down the sum of the gradients, on the threads of the pool it is called in.
    pub(super) fn step(
        &mut self,
        layout: &Layout,
        weights: &mut [Strip],
        gradients: &[&[Strip]],
        stride: Stride,
        kernel: Kernel,
    ) {
        self.steps += 1;
        let age = self.steps.min(1 << 30) as i32;
        let terms = Terms {
            kept: 1.0 - stride.rate * stride.decay,
            share: stride.share,
            rate: stride.rate / (1.0 - FIRST_MEMORY.powi(age)),
            second_share: 1.0 / (1.0 - SECOND_MEMORY.powi(age)),
        };
        let steps = self.shared_steps(layout, gradients, terms, kernel);
        let moments = self.own.first.par_chunks_mut(TASK);
        let moments = moments.zip(self.own.second.par_chunks_mut(TASK));
        let tasks = weights.par_chunks_mut(TASK).zip(moments).enumerate();
        tasks.for_each(|(task, (weights, (first, second)))| {
            let start = task * TASK;
            let shared = shared_place(layout, start).and_then(|place| steps.get(place..));
            kernel.run(Step {
                start,
                weights,
                first,
                second,
                gradients,
                shared: shared.unwrap_or_default(),
                terms,
            });
        });
    }

    /// By how much each shared weight moves.
    fn shared_steps(
        &mut self,
        layout: &Layout,
        gradients: &[&[Strip]],
        terms: Terms,
        kernel: Kernel,
    ) -> Vec<Strip> {
        let mut steps = vec![Strip::ZERO; self.shared.first.len()];
        let moments = self.shared.first.par_chunks_mut(TASK);
        let moments = moments.zip(self.shared.second.par_chunks_mut(TASK));
        let tasks = steps.par_chunks_mut(TASK).zip(moments).enumerate();
        tasks.for_each(|(task, (steps, (first, second)))| {
            let (strip, feature) = (task * TASK / FEATURES, task * TASK % FEATURES);
            kernel.run(SharedStep {
                start: layout.row(strip, feature),
                buckets: layout.rows() / FEATURES,
                steps,
                first,
                second,
                gradients,
                terms,
            });
        });
        steps
    }
}

/// Where the shared weights are that go with the strip at a place of all weights.
fn shared_place(layout: &Layout, strip: usize) -> Option<usize> {
    (strip < layout.table())
        .then(|| strip / layout.rows() * FEATURES + strip % layout.rows() % FEATURES)
}

struct Step<'a> {
    /// Where in the gradients the weights of this task begin.
    start: usize,
    weights: &'a mut [Strip],
    first: &'a mut [Strip],
    second: &'a mut [Strip],
    gradients: &'a [&'a [Strip]],
    /// Steps of the shared weights; empty where there are none.
    shared: &'a [Strip],
    terms: Terms,
}

impl Work for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let moments = self.first.iter_mut().zip(self.second);
        for (number, (weights, (first, second))) in self.weights.iter_mut().zip(moments).enumerate()
        {
            let mut gradient = Strip::ZERO;
            for part in self.gradients {
                gradient.add(&part[self.start + number]);
            }
            let mut step = direction(&gradient, first, second, self.terms);
            if let Some(shared) = self.shared.get(number) {
                step.add(shared);
            }
            for (weight, step) in weights.0.iter_mut().zip(&step.0) {
                let moved = *weight * self.terms.kept - step;
                *weight = moved.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
            }
        }
    }
}

struct SharedStep<'a> {
    /// Where in the gradients the first bucket's features of this task begin.
    start: usize,
    buckets: usize,
    steps: &'a mut [Strip],
    first: &'a mut [Strip],
    second: &'a mut [Strip],
    gradients: &'a [&'a [Strip]],
    terms: Terms,
}

impl Work for SharedStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let moments = self.first.iter_mut().zip(self.second);
        for (number, (step, (first, second))) in self.steps.iter_mut().zip(moments).enumerate() {
            let mut gradient = Strip::ZERO;
            for part in self.gradients {
                for bucket in 0..self.buckets {
                    gradient.add(&part[self.start + bucket * FEATURES + number]);
                }
            }
            *step = direction(&gradient, first, second, self.terms);
        }
    }
}

/// Brings the moments up to date and says how far to go.
#[inline(always)]
fn direction(gradient: &Strip, first: &mut Strip, second: &mut Strip, terms: Terms) -> Strip {
    let mut step = Strip::ZERO;
    let moments = first.0.iter_mut().zip(&mut second.0);
    for ((step, gradient), (first, second)) in step.0.iter_mut().zip(&gradient.0).zip(moments) {
        let gradient = gradient * terms.share;
        *first = *first * FIRST_MEMORY + gradient * (1.0 - FIRST_MEMORY);
        *second = *second * SECOND_MEMORY + gradient * gradient * (1.0 - SECOND_MEMORY);
        *step = terms.rate * *first / ((*second * terms.second_share).sqrt() + SMALLEST);
    }
    step
}
