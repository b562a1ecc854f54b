//! The optimiser: AdamW, Adam with decoupled weight decay (Kingma and Ba 2015, Loshchilov and
//! Hutter 2019).
//!
//! Factoriser: with several king buckets, the weights of a feature are in training the sum of
//! the bucket's own weights and of weights shared by all buckets. Only the sum is stored: a step
//! of the shared weights is a step of every bucket's, and decay acts on the sum as it would on
//! the parts. So the factoriser exists only as the moments of its gradient.

use super::simd::{Kernel, Work};
use super::weights::{Layout, Tile};
use rayon::prelude::*;
use search::nnue::FEATURES;

/// Weights are clipped to ± this. Quantised with units of 255 and 64, an output weight then fits
/// into i8, and a sum of 32 feature rows into i16.
pub(super) const MAX_WEIGHT: f32 = 1.98;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
/// Avoids division by zero where there has been no gradient.
const EPSILON: f32 = 1e-8;

/// Tiles per task. Divides the features of a king bucket, so that no task spans two.
const TASK: usize = 64;

/// Running means of the gradient and of its square.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Moments {
    pub(super) first: Vec<Tile>,
    pub(super) second: Vec<Tile>,
}

impl Moments {
    fn new(tiles: usize) -> Self {
        Self {
            first: vec![Tile::ZERO; tiles],
            second: vec![Tile::ZERO; tiles],
        }
    }

    /// Both moments in pieces of one task each.
    fn tasks(&mut self) -> impl IndexedParallelIterator<Item = (&mut [Tile], &mut [Tile])> {
        let second = self.second.par_chunks_mut(TASK);
        self.first.par_chunks_mut(TASK).zip(second)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Adam {
    pub(super) steps: u64,
    pub(super) weights: Moments,
    /// One tile for each feature of one king bucket and each tile of the hidden layer. Empty
    /// with a single bucket.
    pub(super) factoriser: Moments,
}

/// Hyperparameters of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepSize {
    pub(super) learning_rate: f32,
    pub(super) weight_decay: f32,
}

/// What a step multiplies by, its number taken into account.
#[derive(Clone, Copy)]
struct Factors {
    /// Turns the summed gradient into the mean.
    gradient: f32,
    /// What weight decay leaves of a weight.
    kept: f32,
    /// Learning rate with the bias correction of the first moment.
    rate: f32,
    /// Bias correction of the second moment.
    second: f32,
}

impl Adam {
    pub(super) fn new(layout: &Layout) -> Self {
        let factorised = layout.features() > FEATURES;
        Self {
            steps: 0,
            weights: Moments::new(layout.len()),
            factoriser: Moments::new(if factorised {
                layout.tiles() * FEATURES
            } else {
                0
            }),
        }
    }

    /// One step along the mean over `batch` examples of the gradients' sum. Runs on the current
    /// thread pool.
    pub(super) fn step(
        &mut self,
        layout: &Layout,
        weights: &mut [Tile],
        gradients: &[&[Tile]],
        batch: usize,
        size: StepSize,
        kernel: Kernel,
    ) {
        self.steps += 1;
        let age = self.steps.min(1 << 30) as i32;
        let factors = Factors {
            gradient: 1.0 / batch.max(1) as f32,
            kept: 1.0 - size.learning_rate * size.weight_decay,
            rate: size.learning_rate / (1.0 - BETA1.powi(age)),
            second: 1.0 / (1.0 - BETA2.powi(age)),
        };
        let shared = self.factoriser_steps(layout, gradients, factors, kernel);
        let tasks = weights.par_chunks_mut(TASK).zip(self.weights.tasks());
        tasks.enumerate().for_each(|(task, (weights, moments))| {
            let start = task * TASK;
            let shared = factoriser_tile(layout, start).and_then(|tile| shared.get(tile..));
            kernel.run(WeightStep {
                start,
                weights,
                moments,
                gradients,
                shared: shared.unwrap_or_default(),
                factors,
            });
        });
    }

    /// The steps of the factoriser's weights.
    fn factoriser_steps(
        &mut self,
        layout: &Layout,
        gradients: &[&[Tile]],
        factors: Factors,
        kernel: Kernel,
    ) -> Vec<Tile> {
        let mut steps = vec![Tile::ZERO; self.factoriser.first.len()];
        let tasks = steps.par_chunks_mut(TASK).zip(self.factoriser.tasks());
        tasks.enumerate().for_each(|(task, (steps, moments))| {
            let (tile, feature) = (task * TASK / FEATURES, task * TASK % FEATURES);
            kernel.run(FactoriserStep {
                start: layout.feature_row(tile, feature),
                buckets: layout.features() / FEATURES,
                steps,
                moments,
                gradients,
                factors,
            });
        });
        steps
    }
}

/// The factoriser's tile for a tile of the weights, if that is part of the feature transformer.
fn factoriser_tile(layout: &Layout, tile: usize) -> Option<usize> {
    (tile < layout.feature_weights())
        .then(|| tile / layout.features() * FEATURES + tile % layout.features() % FEATURES)
}

struct WeightStep<'a> {
    /// Index of the task's first weights in the gradients.
    start: usize,
    weights: &'a mut [Tile],
    moments: (&'a mut [Tile], &'a mut [Tile]),
    gradients: &'a [&'a [Tile]],
    /// Steps of the factoriser; empty without one.
    shared: &'a [Tile],
    factors: Factors,
}

impl Work for WeightStep<'_> {
    #[inline(always)]
    fn run(self) {
        let moments = self.moments.0.iter_mut().zip(self.moments.1);
        for (number, (weights, (first, second))) in self.weights.iter_mut().zip(moments).enumerate()
        {
            let mut gradient = Tile::ZERO;
            for part in self.gradients {
                gradient.add(&part[self.start + number]);
            }
            let mut step = adam_step(&gradient, first, second, self.factors);
            if let Some(shared) = self.shared.get(number) {
                step.add(shared);
            }
            for (weight, step) in weights.0.iter_mut().zip(&step.0) {
                let moved = *weight * self.factors.kept - step;
                *weight = moved.clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
    }
}

struct FactoriserStep<'a> {
    /// Index of the first king bucket's features of this task in the gradients.
    start: usize,
    buckets: usize,
    steps: &'a mut [Tile],
    moments: (&'a mut [Tile], &'a mut [Tile]),
    gradients: &'a [&'a [Tile]],
    factors: Factors,
}

impl Work for FactoriserStep<'_> {
    #[inline(always)]
    fn run(self) {
        let moments = self.moments.0.iter_mut().zip(self.moments.1);
        for (number, (step, (first, second))) in self.steps.iter_mut().zip(moments).enumerate() {
            let mut gradient = Tile::ZERO;
            for part in self.gradients {
                for bucket in 0..self.buckets {
                    gradient.add(&part[self.start + bucket * FEATURES + number]);
                }
            }
            *step = adam_step(&gradient, first, second, self.factors);
        }
    }
}

/// Updates the moments and returns the step.
#[inline(always)]
fn adam_step(gradient: &Tile, first: &mut Tile, second: &mut Tile, factors: Factors) -> Tile {
    let mut step = Tile::ZERO;
    let moments = first.0.iter_mut().zip(&mut second.0);
    for ((step, gradient), (first, second)) in step.0.iter_mut().zip(&gradient.0).zip(moments) {
        let gradient = gradient * factors.gradient;
        *first = *first * BETA1 + gradient * (1.0 - BETA1);
        *second = *second * BETA2 + gradient * gradient * (1.0 - BETA2);
        *step = factors.rate * *first / ((*second * factors.second).sqrt() + EPSILON);
    }
    step
}
