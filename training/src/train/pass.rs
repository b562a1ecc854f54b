//! One thread's part of a batch: forward, loss, and backward, block after block.

use super::backward::Backward;
use super::block::{BLOCK, Block, Index};
use super::forward::{Forward, Hidden};
use super::kernel::Kernel;
use super::layout::Layout;
use super::objective::{Loss, Objective};
use super::strip::Strip;
use crate::data::Example;
use search::net::Shape;

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
