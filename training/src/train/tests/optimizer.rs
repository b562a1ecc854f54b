//! The optimizer's steps, with gradients that are given.

use super::super::adam::{Adam, Gradients, StepSize, Weights};
use super::super::backprop::{NetworkView, Pass};
use super::super::weights::{Layout, Rounded, TILE, Tile};
use super::{OBJECTIVE, one_king_bucket, rounded, step_size, two_king_buckets};
use search::nnue::{FEATURES, Shape, Simd, Tensor};

/// Weights and their optimizer.
struct Steps {
    layout: Layout,
    weights: Vec<Tile>,
    rounded: Rounded,
    origin: Vec<Tile>,
    adam: Adam,
    pass: Pass,
}

impl Steps {
    fn new(shape: &Shape, weight: f32) -> Self {
        let layout = Layout::new(shape);
        let weights = vec![Tile([weight; TILE]); layout.len()];
        let rounded = rounded(shape, &weights);
        let model = NetworkView {
            layout: &layout,
            weights: &rounded,
            objective: OBJECTIVE,
            simd: Simd::best(),
        };
        let mut pass = Pass::new(&layout);
        // No examples, so that there is no other gradient.
        pass.backward(model, &[], &mut vec![Tile::ZERO; layout.len()]);
        let adam = Adam::new(&layout);
        Self {
            layout,
            weights,
            rounded,
            origin: vec![Tile::ZERO; layout.len()],
            adam,
            pass,
        }
    }

    fn step(&mut self, mut gradient: Vec<Tile>, examples: usize, size: StepSize) {
        let gradients = Gradients {
            examples,
            pass: &self.pass,
            stored: &mut gradient,
            has_features: true,
        };
        let weights = Weights {
            exact: &mut self.weights,
            rounded: &mut self.rounded,
            origin: &self.origin,
        };
        let simd = Simd::best();
        self.adam.step(&self.layout, weights, gradients, size, simd);
        assert!(gradient.iter().all(|&tile| tile == Tile::ZERO));
    }
}

/// Compares a weight under a varying gradient with the formulas of the paper.
#[test]
fn optimizer_is_adamw() {
    for (origin, epsilon) in [(0.0, 1e-8), (0.3, 1e-8), (0.0, 2.0)] {
        follows_the_paper(origin, epsilon);
    }
}

/// Decay is towards `origin`, which is zero in the paper, and ε stands outside the root there.
fn follows_the_paper(origin: f64, epsilon: f64) {
    let size = StepSize {
        epsilon: epsilon as f32,
        ..step_size(0.01, 0.1)
    };
    let mut steps = Steps::new(&one_king_bucket(64, 1), 0.5);
    let layout = steps.layout;
    steps.origin = vec![Tile([origin as f32; TILE]); layout.len()];
    let (mut weight, mut first, mut second) = (0.5f64, 0.0, 0.0);
    for step in 1..=50i32 {
        let sum = f64::from(step).sin() + f64::from(step) * 0.1;
        let gradient = vec![Tile([sum as f32; TILE]); layout.len()];
        steps.step(gradient, 4, size);

        let gradient = sum / 4.0;
        first = 0.9 * first + 0.1 * gradient;
        second = 0.999 * second + 0.001 * gradient * gradient;
        let mean = first / (1.0 - 0.9f64.powi(step));
        let square = second / (1.0 - 0.999f64.powi(step));
        weight -= 0.01 * (mean / (square + epsilon * epsilon).sqrt() + 0.1 * (weight - origin));
        for tile in Tensor::ALL.map(|tensor| layout.section(tensor).start) {
            let found = f64::from(steps.weights[tile].0[7]);
            assert!(
                (found - weight).abs() < 1e-4,
                "step {step}: {found} {weight}"
            );
        }
    }
}

#[test]
fn weights_are_clipped() {
    let shape = one_king_bucket(64, 1);
    let mut steps = Steps::new(&shape, 0.0);
    let layout = steps.layout;
    for _ in 0..5 {
        let gradient = vec![Tile([-1.0; TILE]); layout.len()];
        steps.step(gradient, 1, step_size(1.0, 0.0));
    }
    for section in layout.sections {
        for tile in &steps.weights[section.tiles()] {
            assert_eq!(tile.0, [section.shape.clip; TILE]);
        }
    }
    assert_eq!(steps.rounded, rounded(&shape, &steps.weights));
}

/// A gradient in one king bucket moves the feature in all of them, and twice in its own: by its
/// own step and by the factorizer's.
#[test]
fn factorizer_moves_all_king_buckets() {
    for (bucket_rate, own) in [(1.0, -0.002), (0.5, -0.0015)] {
        let mut steps = Steps::new(&two_king_buckets(64), 0.0);
        let feature = 400;
        let mut gradient = vec![Tile::ZERO; steps.layout.len()];
        gradient[feature] = Tile([1.0; TILE]);
        let size = StepSize {
            bucket_rate,
            ..step_size(0.001, 0.0)
        };
        steps.step(gradient, 1, size);
        let is_near =
            |tile: usize, expected: f32| (steps.weights[tile].0[0] - expected).abs() < 1e-6;
        assert!(is_near(feature, own) && is_near(feature + FEATURES, -0.001));
        let moved = steps.weights.iter().filter(|&&tile| tile != Tile::ZERO);
        assert_eq!(moved.count(), 2);
    }
}
