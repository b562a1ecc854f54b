//! A network being taught: its weights, its optimiser and the threads that work on it.

use super::adam::{Adam, Stride};
use super::backprop::{Pass, Task};
use super::batch::Order;
use super::loss::Objective;
use super::output::Row;
use super::quantise;
use super::simd::Kernel;
use super::weights::{Layout, Strip};
use crate::data::Example;
use crate::rng::Rng;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use search::nnue::{FEATURES, Shape};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
        let rounded = quantise::on_grid(&self.layout, &self.state.weights);
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

/// What a run is to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) epochs: usize,
    /// Examples to a step.
    pub(super) batch: usize,
    pub(super) rate: f64,
    pub(super) fall: Fall,
    pub(super) decay: f64,
    pub(super) seed: u64,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Place {
    /// Epochs done.
    pub(super) epoch: usize,
    /// Batches of the next epoch done.
    pub(super) batch: usize,
    /// The loss of their examples, summed.
    pub(super) loss: f64,
}

#[derive(Debug)]
pub(super) struct Course<'a> {
    pub(super) plan: Plan,
    pub(super) learner: Learner,
    pub(super) place: Place,
    pub(super) rows: Vec<Row>,
    pub(super) train: &'a [Example],
    pub(super) validation: &'a [Example],
}

impl Course<'_> {
    pub(super) fn is_over(&self) -> bool {
        self.place.epoch >= self.plan.epochs
    }

    /// Examples to a step; fewer than planned when there are not so many.
    fn batch(&self) -> usize {
        self.plan.batch.min(self.train.len()).max(1)
    }

    /// Whole batches to an epoch. What is over at the end of an epoch's order waits for another.
    fn batches(&self) -> usize {
        self.train.len() / self.batch()
    }

    /// Examples to an epoch.
    pub(super) fn positions(&self) -> usize {
        self.batches() * self.batch()
    }

    fn rate(&self, place: Place) -> f64 {
        let batches = self.batches();
        let all = (batches * self.plan.epochs).max(1);
        let over = (batches * place.epoch + place.batch) as f64 / all as f64;
        self.plan.rate * self.plan.fall.left(over)
    }

    /// Learns to the end of the epoch, and tells how many of its positions are done; the row
    /// it added, or `None` when it was stopped before.
    pub(super) fn epoch(&mut self, stop: &AtomicBool, mut tell: impl FnMut(usize)) -> Option<Row> {
        let order = Order::new(self.train.len(), self.plan.seed, self.place.epoch);
        let batch = self.batch();
        let (started, first) = (Instant::now(), self.place.batch);
        while self.place.batch < self.batches() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let pace = Pace {
                rate: self.rate(self.place) as f32,
                decay: self.plan.decay as f32,
            };
            let start = self.place.batch * batch;
            self.place.loss += self
                .learner
                .step(self.train, &order, start..start + batch, pace);
            self.place.batch += 1;
            tell(self.place.batch * batch);
        }
        let here = (self.place.batch - first) * batch;
        let speed = here as f64 / started.elapsed().as_secs_f64().max(1e-9);
        let validation = &self.validation;
        let row = Row {
            epoch: self.place.epoch + 1,
            positions: self.positions() as u64 * (self.place.epoch as u64 + 1),
            train: self.place.loss / self.positions().max(1) as f64,
            validation: (!validation.is_empty()).then(|| self.learner.judge(validation)),
            rate: self.rate(self.place),
            speed,
        };
        self.place = Place {
            epoch: self.place.epoch + 1,
            ..Place::default()
        };
        self.rows.push(row);
        Some(row)
    }
}

/// How the learning rate falls from its first value to a hundredth of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Fall {
    /// Along half a wave of the cosine
    Cosine,
    /// To a tenth after three fifths of the run, to a hundredth after six sevenths
    Step,
}

const LAST: f64 = 0.01;

impl Fall {
    /// The part of the first learning rate left when this part of the run is over.
    #[must_use]
    pub fn left(self, over: f64) -> f64 {
        match self {
            Self::Cosine => {
                let wave = (1.0 + (over * std::f64::consts::PI).cos()) / 2.0;
                LAST + (1.0 - LAST) * wave
            }
            Self::Step if over < 3.0 / 5.0 => 1.0,
            Self::Step if over < 6.0 / 7.0 => 0.1,
            Self::Step => LAST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_fall_from_the_whole_to_a_hundredth() {
        for fall in [Fall::Cosine, Fall::Step] {
            assert!((fall.left(0.0) - 1.0).abs() < 1e-9);
            assert!((fall.left(1.0) - 0.01).abs() < 1e-9);
            let mut before = 1.0;
            for step in 0..=100 {
                let left = fall.left(f64::from(step) / 100.0);
                assert!(left <= before);
                before = left;
            }
        }
    }
}
