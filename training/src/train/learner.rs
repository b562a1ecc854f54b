//! A network being taught: its weights, its optimiser and the threads that work on it.

use super::adam::{Adam, Stride};
use super::kernel::Kernel;
use super::layout::Layout;
use super::objective::Objective;
use super::order::Order;
use super::pass::{Pass, Task};
use super::rounding;
use super::strip::Strip;
use crate::data::Example;
use crate::rng::Rng;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use search::net::{FEATURES, Shape};
use std::ops::Range;

/// Separates the numbers that make the first weights from those that order the examples.
const WEIGHTS_STREAM: u64 = u64::MAX;

/// All that a step changes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct State {
    pub(super) weights: Vec<Strip>,
    pub(super) adam: Adam,
}

impl State {
    /// Small numbers by chance. King buckets begin alike.
    pub(super) fn new(shape: &Shape, seed: u64) -> Self {
        let layout = Layout::new(shape);
        let mut weights = vec![Strip::ZERO; layout.len()];
        let mut rng = Rng::new(seed, WEIGHTS_STREAM);
        let mut fill = |strips: &mut [Strip], within: f32| {
            for number in strips.iter_mut().flat_map(|strip| &mut strip.0) {
                *number = (rng.unit() as f32 * 2.0 - 1.0) * within;
            }
        };
        let within = |inputs: usize| (inputs as f32).sqrt().recip();
        for strip in 0..layout.strips() {
            let start = layout.row(strip, 0);
            let (first, others) = weights[start..][..layout.rows()].split_at_mut(FEATURES);
            fill(first, within(FEATURES));
            for bucket in others.chunks_exact_mut(FEATURES) {
                bucket.copy_from_slice(first);
            }
        }
        let outputs = layout.output(0, 0)..layout.output_bias();
        fill(&mut weights[outputs], within(2 * shape.hidden()));
        Self {
            weights,
            adam: Adam::new(&layout),
        }
    }
}

/// What a step is made with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) rate: f32,
    pub(super) decay: f32,
}

#[derive(Debug)]
pub(super) struct Learner {
    shape: Shape,
    layout: Layout,
    state: State,
    objective: Objective,
    kernel: Kernel,
    pool: ThreadPool,
    /// One for each thread.
    passes: Vec<Pass>,
}

impl Learner {
    pub(super) fn new(
        shape: Shape,
        state: State,
        objective: Objective,
        kernel: Kernel,
        threads: usize,
    ) -> Result<Self, ThreadPoolBuildError> {
        let threads = threads.max(1);
        let layout = Layout::new(&shape);
        Ok(Self {
            shape,
            layout,
            state,
            objective,
            kernel,
            pool: ThreadPoolBuilder::new().num_threads(threads).build()?,
            passes: (0..threads).map(|_| Pass::new(&layout)).collect(),
        })
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// One step for the examples at these places of the order; their summed loss before it.
    pub(super) fn step(
        &mut self,
        examples: &[Example],
        order: &Order,
        places: Range<usize>,
        pace: Pace,
    ) -> f64 {
        let share = 1.0 / places.len().max(1) as f32;
        let loss = self.share_out(places, |pass, task, places| {
            let chosen = places.filter_map(|place| examples.get(order.at(place)));
            pass.learn(task, chosen.copied())
        });
        let gradients: Vec<&[Strip]> = self.passes.iter().map(Pass::gradient).collect();
        let (State { weights, adam }, layout, kernel) =
            (&mut self.state, &self.layout, self.kernel);
        let stride = Stride {
            rate: pace.rate,
            decay: pace.decay,
            share,
        };
        self.pool
            .install(|| adam.step(layout, weights, &gradients, stride, kernel));
        loss
    }

    /// The mean loss over examples.
    pub(super) fn judge(&mut self, examples: &[Example]) -> f64 {
        let loss = self.share_out(0..examples.len(), |pass, task, places| {
            pass.judge(task, examples[places].iter().copied())
        });
        loss / examples.len().max(1) as f64
    }

    /// The mean loss over examples when the weights are rounded as the network has them.
    pub(super) fn judge_rounded(&mut self, examples: &[Example]) -> f64 {
        let rounded = rounding::on_grid(&self.layout, &self.state.weights);
        let own = std::mem::replace(&mut self.state.weights, rounded);
        let loss = self.judge(examples);
        self.state.weights = own;
        loss
    }

    /// Cuts places into a part for each thread, and adds up what comes of the parts.
    fn share_out(
        &mut self,
        places: Range<usize>,
        work: impl Fn(&mut Pass, Task<'_>, Range<usize>) -> f64 + Sync,
    ) -> f64 {
        let task = Task {
            shape: &self.shape,
            layout: &self.layout,
            weights: &self.state.weights,
            objective: self.objective,
            kernel: self.kernel,
        };
        let threads = self.passes.len();
        let cut = |part| places.start + places.len() * part / threads;
        let passes = self.passes.par_iter_mut().with_max_len(1).enumerate();
        let losses: Vec<f64> = self.pool.install(|| {
            passes
                .map(|(part, pass)| work(pass, task, cut(part)..cut(part + 1)))
                .collect()
        });
        // In order, so that the sum is always the same.
        losses.iter().sum()
    }
}
