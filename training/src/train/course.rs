//! The course of a run: batch after batch, epoch after epoch, from any place in it.

use super::history::Row;
use super::learner::{Learner, Pace};
use super::order::Order;
use super::schedule::Fall;
use crate::data::Example;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
