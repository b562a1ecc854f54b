//! The training loop: steps of the optimizer on all threads, batch after batch and epoch after
//! epoch, from any point of a run.

use super::adam::{self, Adam, Gradients, StepSize, Weights};
use super::backprop::{NetworkView, Pass};
use super::batch::{BLOCK, Order};
use super::loss::Objective;
use super::options::{Hyperparameters, schedule};
use super::weights::{Fineness, Layout, Rounded, Tile};
use crate::data::Example;
use anyhow::{Result, anyhow};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use search::nnue::{Shape, Simd};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Everything a step changes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TrainState {
    pub(super) weights: Vec<Tile>,
    pub(super) adam: Adam,
}

impl TrainState {
    /// Before the first step.
    pub(super) fn new(shape: &Shape, weights: Vec<Tile>) -> Self {
        Self {
            weights,
            adam: Adam::new(&Layout::new(shape)),
        }
    }
}

/// A network in training and the threads that train it.
#[derive(Debug)]
pub(super) struct Trainer {
    layout: Layout,
    state: TrainState,
    rounded: Rounded,
    origin: Vec<Tile>,
    objective: Objective,
    simd: Simd,
    pool: ThreadPool,
    pass: Pass,
    /// The examples of a step, by king buckets.
    batch: Vec<Example>,
    gradient: Vec<Tile>,
}

/// The king buckets of both sides.
fn king_buckets(shape: &Shape, example: &Example) -> [usize; 2] {
    let kings = [example.own_king(), example.their_king().flip_rank()];
    kings.map(|king| shape.king_bucket(king))
}

impl Trainer {
    pub(super) fn new(
        shape: Shape,
        state: TrainState,
        objective: Objective,
        simd: Simd,
        threads: usize,
    ) -> Result<Self> {
        let layout = Layout::new(&shape);
        let fineness = Fineness::new(&shape, objective.scale);
        let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
        let pool = pool.map_err(|error| anyhow!("cannot start the training threads: {error}"))?;
        Ok(Self {
            layout,
            rounded: Rounded::new(&layout, &state.weights, fineness),
            state,
            origin: vec![Tile::ZERO; layout.len()],
            objective,
            simd,
            pool,
            pass: Pass::new(&layout),
            batch: Vec::new(),
            gradient: vec![Tile::ZERO; layout.len()],
        })
    }

    /// Weights decay towards these instead of zero.
    pub(super) fn with_origin(self, origin: Vec<Tile>) -> Self {
        Self { origin, ..self }
    }

    pub(super) fn state(&self) -> &TrainState {
        &self.state
    }

    /// Makes a step on the examples at these places of the order; returns their summed loss before
    /// it.
    pub(super) fn step(
        &mut self,
        examples: &[Example],
        order: &Order,
        places: Range<usize>,
        size: StepSize,
    ) -> f64 {
        let model = NetworkView {
            layout: &self.layout,
            weights: &self.rounded,
            objective: self.objective,
            simd: self.simd,
        };
        let (layout, simd) = (&self.layout, self.simd);
        let (pass, stored) = (&mut self.pass, &mut self.gradient);
        let batch = &mut self.batch;
        let loss = self.pool.install(|| {
            let numbers = places.clone().into_par_iter();
            numbers
                .map(|place| examples[order.at(place)])
                .collect_into_vec(batch);
            // A block then needs the weights of few king buckets.
            batch.par_sort_by_key(|example| king_buckets(&layout.shape, example));
            let mut loss = 0.0;
            for (number, block) in batch.chunks(BLOCK).enumerate() {
                if number > 0 {
                    adam::store_feature_gradients(layout, pass, stored, simd);
                }
                loss += pass.backward(model, block, stored);
            }
            loss
        });
        let Self {
            state: TrainState { weights, adam },
            rounded,
            origin,
            pool,
            ..
        } = self;
        let weights = Weights {
            exact: weights,
            rounded,
            origin,
        };
        let gradients = Gradients {
            examples: places.len(),
            pass,
            stored,
            has_features: places.len() > BLOCK,
        };
        pool.install(|| adam.step(layout, weights, gradients, size, simd));
        loss
    }

    /// The mean loss over examples.
    pub(super) fn loss(&mut self, examples: &[Example]) -> f64 {
        let model = NetworkView {
            layout: &self.layout,
            weights: &self.rounded,
            objective: self.objective,
            simd: self.simd,
        };
        let pass = &mut self.pass;
        let loss = self.pool.install(|| {
            let blocks = examples.chunks(BLOCK);
            let losses = blocks.map(|block| pass.loss(model, block));
            losses.sum::<f64>()
        });
        loss / examples.len().max(1) as f64
    }
}

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct RunProgress {
    /// Epochs completed.
    pub(super) epoch: usize,
    /// Batches of the current epoch completed.
    pub(super) batch: usize,
    /// Summed loss of the examples in these batches.
    pub(super) loss: f64,
}

/// The statistics of a completed epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct EpochStats {
    pub(super) epoch: usize,
    /// Positions trained on in all epochs so far.
    pub(super) positions: u64,
    /// Mean loss over the epoch, of each batch before its step.
    pub(super) train: f64,
    /// Loss at the end of the epoch; `None` without validation examples.
    pub(super) validation: Option<f64>,
    /// Learning rate at the end of the epoch.
    pub(super) learning_rate: f64,
    pub(super) positions_per_second: f64,
}

/// A training run.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) parameters: Hyperparameters,
    pub(super) trainer: Trainer,
    pub(super) progress: RunProgress,
    pub(super) history: Vec<EpochStats>,
    pub(super) train: &'a [Example],
    pub(super) validation: &'a [Example],
}

impl Run<'_> {
    pub(super) fn is_finished(&self) -> bool {
        self.progress.epoch >= self.parameters.epochs.get()
    }

    /// The batch size, no larger than the data set.
    pub(super) fn batch(&self) -> usize {
        self.parameters.batch.get().min(self.train.len()).max(1)
    }

    /// Batches per epoch. What remains at the end of an epoch's order is left out.
    fn batches(&self) -> usize {
        self.train.len() / self.batch()
    }

    /// Examples per epoch.
    pub(super) fn positions(&self) -> usize {
        self.batches() * self.batch()
    }

    fn learning_rate(&self) -> f64 {
        let batches = self.batches();
        let Hyperparameters { rate, epochs, .. } = self.parameters;
        let all = (batches * epochs.get()).max(1);
        let done = batches * self.progress.epoch + self.progress.batch;
        rate * schedule(done as f64 / all as f64)
    }

    /// Trains to the end of the epoch and returns its statistics, or `None` when stopped before.
    /// `on_progress` receives the number of positions of the epoch completed.
    pub(super) fn epoch(
        &mut self,
        stop: &AtomicBool,
        mut on_progress: impl FnMut(usize),
    ) -> Option<EpochStats> {
        let order = Order::new(self.train.len(), self.parameters.seed, self.progress.epoch);
        let batch = self.batch();
        let (started, first) = (Instant::now(), self.progress.batch);
        while self.progress.batch < self.batches() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let size = StepSize {
                learning_rate: self.learning_rate() as f32,
                weight_decay: self.parameters.decay as f32,
                epsilon: self.parameters.epsilon as f32,
                bucket_rate: self.parameters.bucket_rate as f32,
                attack_rate: self.parameters.attack_rate as f32,
            };
            let start = self.progress.batch * batch;
            let places = start..start + batch;
            self.progress.loss += self.trainer.step(self.train, &order, places, size);
            self.progress.batch += 1;
            on_progress(self.progress.batch * batch);
        }
        let trained = (self.progress.batch - first) * batch;
        let positions_per_second = trained as f64 / started.elapsed().as_secs_f64().max(1e-9);
        let validation = &self.validation;
        let stats = EpochStats {
            epoch: self.progress.epoch + 1,
            positions: self.positions() as u64 * (self.progress.epoch as u64 + 1),
            train: self.progress.loss / self.positions().max(1) as f64,
            validation: (!validation.is_empty()).then(|| self.trainer.loss(validation)),
            learning_rate: self.learning_rate(),
            positions_per_second,
        };
        self.progress = RunProgress {
            epoch: self.progress.epoch + 1,
            ..RunProgress::default()
        };
        self.history.push(stats);
        Some(stats)
    }
}
