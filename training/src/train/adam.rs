//! The optimizer: AdamW, Adam with decoupled weight decay (Kingma and Ba 2015, Loshchilov and
//! Hutter 2019). Decay is towards an origin: zero, or the network that the run starts from. ε is
//! added under the root, as its square, so that no division is needed.
//!
//! Factorizer: with several king buckets, the weights of a feature are in training the sum of
//! the bucket's own weights and of weights shared by all buckets. Only the sum is stored: a step
//! of the shared weights is a step of every bucket's, and decay acts on the sum as it would on
//! the parts. So the factorizer exists only as the moments of its gradient.
//!
//! Nearly all weights belong to features. Their gradients are summed from the accumulators'
//! right where they are used, a feature in all king buckets at a time; they are stored only if a
//! batch is larger than a block.

use super::backprop::{FeatureGradients, Pass};
use super::weights::{IntTile, Layout, Rounded, Section, TILE, Tile};
use rayon::prelude::*;
use search::nnue::{FEATURES, Loops, MAX_KING_BUCKETS, Simd, Tensor, TensorShape};
use std::slice::ChunksMut;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

/// Features of a task.
const TASK: usize = 192;
/// Tasks of each part of the feature weights.
const TASKS: usize = FEATURES / TASK;

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
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Adam {
    pub(super) steps: u64,
    pub(super) weights: Moments,
    /// There are as many as the feature weights of one king bucket; none with a single bucket.
    pub(super) factorizer: Moments,
}

/// The weights that a step changes, in the form of training and of the network.
pub(super) struct Weights<'a> {
    pub(super) exact: &'a mut [Tile],
    pub(super) rounded: &'a mut Rounded,
    /// The weights that decay pulls them towards.
    pub(super) origin: &'a [Tile],
}

/// Hyperparameters of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepSize {
    pub(super) learning_rate: f32,
    pub(super) weight_decay: f32,
    pub(super) epsilon: f32,
    /// Steps of the weights of a single king bucket, relative to the shared ones.
    pub(super) bucket_rate: f32,
    /// Steps of the attack layer, relative to the others.
    pub(super) attack_rate: f32,
}

/// The factors of a step, which depend on its number.
#[derive(Clone, Copy)]
struct Factors {
    /// Turns the summed gradient into the mean.
    gradient: f32,
    /// The share of a weight's distance from its origin that decay leaves.
    kept: f32,
    /// Learning rate with the bias correction of the first moment.
    rate: f32,
    /// Bias correction of the second moment.
    second: f32,
    epsilon_squared: f32,
    bucket_rate: f32,
}

impl Factors {
    /// Multiplies the size of the steps.
    fn times(self, rate: f32) -> Self {
        let rate = self.rate * rate;
        Self { rate, ..self }
    }
}

impl Adam {
    pub(super) fn new(layout: &Layout) -> Self {
        let features = layout.section(Tensor::FeatureWeights);
        let factorized = match features.shape.buckets {
            1 => 0,
            _ => features.parts() * FEATURES,
        };
        Self {
            steps: 0,
            weights: Moments::new(layout.len()),
            factorizer: Moments::new(factorized),
        }
    }

    /// Makes a step along the mean gradient. Runs on the current thread pool.
    pub(super) fn step(
        &mut self,
        layout: &Layout,
        weights: Weights<'_>,
        gradients: Gradients<'_>,
        size: StepSize,
        simd: Simd,
    ) {
        self.steps += 1;
        let age = self.steps.min(1 << 30) as i32;
        let factors = Factors {
            gradient: 1.0 / gradients.examples.max(1) as f32,
            kept: 1.0 - size.learning_rate * size.weight_decay,
            rate: size.learning_rate / (1.0 - BETA1.powi(age)),
            second: 1.0 / (1.0 - BETA2.powi(age)),
            epsilon_squared: size.epsilon * size.epsilon,
            bucket_rate: size.bucket_rate,
        };
        let Gradients {
            pass,
            stored,
            has_features,
            ..
        } = gradients;
        let Weights {
            exact: weights,
            rounded,
            origin,
        } = weights;
        let Moments { first, second } = &mut self.weights;
        let features = layout.section(Tensor::FeatureWeights);
        let mut tasks: Vec<FeatureStep<'_>> = (0..features.parts() * TASKS)
            .map(|task| FeatureStep {
                start: task % TASKS * TASK,
                buckets: Vec::new(),
                factorizer: None,
                summed: pass.feature_gradients(task / TASKS),
                has_stored: has_features,
                shape: features.shape,
                factors,
            })
            .collect();
        let exact = tasks_of(features, weights).zip(tasks_of(features, &mut rounded.integers));
        let moments = tasks_of(features, first).zip(tasks_of(features, second));
        let others = tasks_of(features, stored).zip(origin[features.tiles()].chunks(TASK));
        let parts = exact.zip(moments).zip(others).enumerate();
        for (part, (((weights, rounded), (first, second)), (stored, origin))) in parts {
            let first_task = part * TASK / features.rows() * TASKS;
            tasks[first_task + part % TASKS].buckets.push(Bucket {
                weights,
                rounded,
                origin,
                first,
                second,
                stored,
            });
        }
        let factorizer = &mut self.factorizer;
        let moments = factorizer.first.chunks_mut(TASK);
        let moments = moments.zip(factorizer.second.chunks_mut(TASK));
        for (task, moments) in tasks.iter_mut().zip(moments) {
            task.factorizer = Some(moments);
        }
        tasks.into_par_iter().for_each(|task| simd.run_loops(task));

        let others = layout.sections.iter();
        for section in others.filter(|section| section.tensor != Tensor::FeatureWeights) {
            let (kept, factors) = match section.tensor {
                Tensor::AttackWeights | Tensor::AttackBiases | Tensor::AttackOutputs => {
                    (1.0, factors.times(size.attack_rate))
                }
                _ => (factors.kept, factors),
            };
            for tile in section.tiles() {
                let gradient = std::mem::replace(&mut stored[tile], Tile::ZERO);
                let step = adam_step(&gradient, &mut first[tile], &mut second[tile], factors);
                let weights = &mut weights[tile];
                take_step(weights, &origin[tile], &step, kept, section.shape.clip);
            }
            rounded.update(section, weights);
        }
    }
}

/// The tiles of each task, of those of all tensors.
fn tasks_of<'a, T>(features: &Section, tiles: &'a mut [T]) -> ChunksMut<'a, T> {
    tiles[features.tiles()].chunks_mut(TASK)
}

/// The summed gradients of a batch.
#[derive(Debug)]
pub(super) struct Gradients<'a> {
    /// Their number.
    pub(super) examples: usize,
    /// After the last block's `backward`, whose feature gradients are still to be summed.
    pub(super) pass: &'a Pass,
    /// The sum of all other gradients; zeros after a step.
    pub(super) stored: &'a mut [Tile],
    /// There were blocks before the last one, whose feature gradients are stored.
    pub(super) has_features: bool,
}

/// Adds the feature gradients of a block to those stored.
pub(super) fn store_feature_gradients(
    layout: &Layout,
    pass: &Pass,
    stored: &mut [Tile],
    simd: Simd,
) {
    let features = layout.section(Tensor::FeatureWeights);
    let parts = stored[features.tiles()].par_chunks_mut(TASK);
    parts.enumerate().for_each(|(part, stored)| {
        simd.run_loops(FeatureSum {
            start: part * TASK % features.rows(),
            summed: pass.feature_gradients(part * TASK / features.rows()),
            stored,
        });
    });
}

struct FeatureSum<'a> {
    start: usize,
    summed: FeatureGradients<'a>,
    stored: &'a mut [Tile],
}

impl Loops for FeatureSum<'_> {
    #[inline(always)]
    fn run(self) {
        for (feature, stored) in (self.start..).zip(self.stored) {
            if self.summed.is_active(feature) {
                *stored = self.summed.add(feature, *stored);
            }
        }
    }
}

/// A part of some features' weights in one king bucket.
struct Bucket<'a> {
    weights: &'a mut [Tile],
    rounded: &'a mut [IntTile],
    origin: &'a [Tile],
    first: &'a mut [Tile],
    second: &'a mut [Tile],
    stored: &'a mut [Tile],
}

/// A part of some features' weights in all king buckets.
struct FeatureStep<'a> {
    /// The first feature in the first king bucket.
    start: usize,
    buckets: Vec<Bucket<'a>>,
    factorizer: Option<(&'a mut [Tile], &'a mut [Tile])>,
    summed: FeatureGradients<'a>,
    has_stored: bool,
    shape: TensorShape,
    factors: Factors,
}

impl Loops for FeatureStep<'_> {
    #[inline(always)]
    fn run(mut self) {
        let factors = self.factors;
        // The only bucket is what all share.
        let own = match self.factorizer {
            Some(_) => factors.times(factors.bucket_rate),
            None => factors,
        };
        let mut gradients = [Tile::ZERO; MAX_KING_BUCKETS];
        for number in 0..TASK {
            let mut total = Tile::ZERO;
            for (bucket, part) in self.buckets.iter_mut().enumerate() {
                let mut gradient = Tile::ZERO;
                if self.has_stored {
                    gradient = part.stored[number];
                    part.stored[number] = Tile::ZERO;
                }
                let feature = bucket * FEATURES + self.start + number;
                gradient = self.summed.add(feature, gradient);
                total.add(&gradient);
                gradients[bucket] = gradient;
            }
            let mut shared = Tile::ZERO;
            if let Some((first, second)) = &mut self.factorizer {
                shared = adam_step(&total, &mut first[number], &mut second[number], factors);
            }
            for (bucket, part) in self.buckets.iter_mut().enumerate() {
                let gradient = &gradients[bucket];
                let (first, second) = (&mut part.first[number], &mut part.second[number]);
                let mut step = adam_step(gradient, first, second, own);
                step.add(&shared);
                let (weights, origin) = (&mut part.weights[number], &part.origin[number]);
                take_step(weights, origin, &step, factors.kept, self.shape.clip);
                part.rounded[number] = IntTile::of(weights, self.shape.one as f32);
            }
        }
    }
}

#[inline(always)]
fn take_step(weights: &mut Tile, origin: &Tile, step: &Tile, kept: f32, clip: f32) {
    for lane in 0..TILE {
        let origin = origin.0[lane];
        let moved = origin + (weights.0[lane] - origin) * kept - step.0[lane];
        weights.0[lane] = moved.max(-clip).min(clip);
    }
}

/// Updates the moments and returns the step.
#[inline(always)]
fn adam_step(gradient: &Tile, first: &mut Tile, second: &mut Tile, factors: Factors) -> Tile {
    let mut step = Tile::ZERO;
    for lane in 0..TILE {
        let gradient = gradient.0[lane] * factors.gradient;
        let mean = first.0[lane] * BETA1 + gradient * (1.0 - BETA1);
        let square = second.0[lane] * BETA2 + gradient * gradient * (1.0 - BETA2);
        first.0[lane] = mean;
        second.0[lane] = square;
        step.0[lane] =
            factors.rate * mean * inverse_sqrt(square * factors.second + factors.epsilon_squared);
    }
    step
}

/// 1/√x within 5 millionths, by two steps of Newton's method: division and square root would take
/// most of the time of a step, and the processors' own approximations differ.
#[inline(always)]
fn inverse_sqrt(x: f32) -> f32 {
    /// Halving the exponent and this give a first guess within 4 %.
    const GUESS: u32 = 0x5f37_59df;
    let half = x * 0.5;
    let guess = f32::from_bits(GUESS.wrapping_sub(x.to_bits() >> 1));
    let better = guess * (1.5 - half * guess * guess);
    better * (1.5 - half * better * better)
}
