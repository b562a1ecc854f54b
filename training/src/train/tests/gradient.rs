//! Gradients against finite differences of a plain network in double precision, the optimiser
//! against the formulas of its paper, and the trainer's values against the engine's.

use super::super::adam::{Adam, LARGEST_WEIGHT, Stride};
use super::super::block::Input;
use super::super::kernel::Kernel;
use super::super::layout::Layout;
use super::super::learner::State;
use super::super::objective::Objective;
use super::super::pass::{Pass, Task};
use super::super::rounding::{self, walk};
use super::super::strip::{STRIP, Strip};
use super::{SCALE, examples, two_kings};
use crate::data::{Example, GameResult};
use crate::rng::Rng;
use movegen::Position;
use search::net::{FEATURES, Shape, features};

const OBJECTIVE: Objective = Objective {
    wdl: 0.4,
    scale: SCALE,
};

/// Weights large enough that some neurons are off and some at their end.
fn weights(shape: &Shape) -> Vec<Strip> {
    let mut weights = State::new(shape, 3).weights;
    let mut rng = Rng::new(3, 3);
    let bias = Layout::new(shape).table();
    for number in weights[..bias].iter_mut().flat_map(|strip| &mut strip.0) {
        *number *= 6.0;
    }
    for number in weights[bias..].iter_mut().flat_map(|strip| &mut strip.0) {
        *number += (rng.unit() as f32 - 0.5) * 0.4;
    }
    weights
}

/// The network said once more, plainly: the loss of one example.
fn loss(shape: &Shape, weights: &dyn Fn(usize, usize) -> f64, example: &Example) -> f64 {
    let layout = Layout::new(shape);
    let input = Input::new(shape, example);
    let bucket = usize::from(input.bucket);
    let mut logit = weights(layout.output_bias(), bucket);
    for side in 0..2 {
        for neuron in 0..shape.hidden() {
            let (strip, lane) = (neuron / STRIP, neuron % STRIP);
            let rows = input.rows(side).iter();
            let rows = rows.map(|&row| weights(layout.row(strip, usize::from(row)), lane));
            let sum = weights(layout.feature_bias(strip), lane) + rows.sum::<f64>();
            let activation = sum.clamp(0.0, 1.0).powi(2);
            logit += activation * weights(layout.output(bucket, strip) + side, lane);
        }
    }
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let (wdl, scale) = (f64::from(OBJECTIVE.wdl), f64::from(OBJECTIVE.scale));
    let target = wdl * f64::from(example.result.points())
        + (1.0 - wdl) * sigmoid(f64::from(example.score) / scale);
    (sigmoid(logit) - target).powi(2)
}

#[test]
fn gradients_are_those_of_finite_differences() {
    const STEP: f64 = 1e-4;
    for shape in [two_kings(64), Shape::without_king_buckets(128, 3).unwrap()] {
        let layout = Layout::new(&shape);
        let weights = weights(&shape);
        let some: Vec<Example> = examples(0..4).into_iter().step_by(23).collect();
        let task = Task {
            shape: &shape,
            layout: &layout,
            weights: &weights,
            objective: OBJECTIVE,
            kernel: Kernel::best(),
        };
        let mut pass = Pass::new(&layout);
        let found = pass.learn(task, some.iter().copied());
        let plain = |strip: usize, lane: usize, more: f64| -> f64 {
            let weight = |s: usize, l: usize| {
                let extra = if (s, l) == (strip, lane) { more } else { 0.0 };
                f64::from(weights[s].0[l]) + extra
            };
            some.iter()
                .map(|example| loss(&shape, &weight, example))
                .sum()
        };
        assert!((found - plain(0, 0, 0.0)).abs() < 1e-4 * found, "{found}");

        let moving: Vec<(usize, usize)> = (0..layout.len())
            .flat_map(|strip| (0..STRIP).map(move |lane| (strip, lane)))
            .filter(|&(strip, lane)| pass.gradient()[strip].0[lane].abs() > 1e-4)
            .collect();
        let mut rng = Rng::new(1, 1);
        let in_layer = |range: std::ops::Range<usize>| {
            let places = moving
                .iter()
                .filter(move |(strip, _)| range.contains(strip));
            places.copied().collect::<Vec<_>>()
        };
        // Every kind of weight, whatever their numbers.
        let table = layout.table();
        let (bias, output, last) = (layout.feature_bias(0), layout.output(0, 0), layout.len());
        for layer in [0..table, bias..output, output..last - 1, last - 1..last] {
            let places = in_layer(layer);
            assert!(!places.is_empty());
            for _ in 0..25 {
                let (strip, lane) = places[rng.below(places.len())];
                let slope = plain(strip, lane, STEP) - plain(strip, lane, -STEP);
                let slope = slope / (2.0 * STEP);
                let found = f64::from(pass.gradient()[strip].0[lane]);
                let error = (found - slope).abs();
                assert!(
                    error < 1e-5 + 0.01 * slope.abs(),
                    "{strip} {lane}: {found} {slope}"
                );
            }
        }
    }
}

/// With weights that are exact at the network's grain, the trainer's values are the engine's,
/// but for what integer division drops. This ties the features of examples to those of positions.
#[test]
fn values_are_those_of_the_engines_network() {
    for shape in [two_kings(64), Shape::without_king_buckets(128, 8).unwrap()] {
        let layout = Layout::new(&shape);
        let weights = rounding::on_grid(&layout, &weights(&shape));
        let checkpoint = super::same::checkpoint(shape, weights);
        let network = rounding::rounded(&checkpoint).unwrap();
        let positions: Vec<Position> = (0..10).flat_map(walk).collect();
        let values = rounding::values(&checkpoint, &positions);
        for (position, value) in positions.iter().zip(values) {
            let engine = network.value_from_scratch(position) as f32;
            assert!((engine - value).abs() < 1.1, "{engine} {value}");
        }
    }
}

#[test]
fn weights_that_do_not_fit_are_refused() {
    let shape = Shape::without_king_buckets(64, 8).unwrap();
    let layout = Layout::new(&shape);
    for (strip, wrong) in [
        (layout.row(0, 5), 1.99),
        (layout.feature_bias(0), -2.0),
        (layout.output(3, 0), f32::NAN),
        (layout.output_bias(), f32::INFINITY),
    ] {
        let mut checkpoint = super::same::checkpoint(shape, weights(&shape));
        assert!(rounding::rounded(&checkpoint).is_ok());
        checkpoint.state.weights[strip].0[3] = wrong;
        let refused = rounding::rounded(&checkpoint).unwrap_err().to_string();
        assert!(refused.contains(&format!("is {wrong}")), "{refused}");
    }
}

#[test]
fn examples_have_the_features_of_their_positions() {
    let shape = two_kings(64);
    for position in (0..5).flat_map(walk) {
        let example = Example::new(&position, 0, GameResult::Drawn);
        let input = Input::new(&shape, &example);
        for (side, color) in [position.turn(), !position.turn()].into_iter().enumerate() {
            let mut found: Vec<usize> = input.rows(side).iter().map(|&row| row.into()).collect();
            let mut wanted: Vec<usize> = features(&shape, &position, color).collect();
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted);
        }
    }
}

/// One weight followed by the formulas of the paper, for gradients that change.
#[test]
fn the_optimiser_is_adam() {
    let shape = Shape::without_king_buckets(64, 1).unwrap();
    let layout = Layout::new(&shape);
    let mut weights = vec![Strip([0.5; STRIP]); layout.len()];
    let mut adam = Adam::new(&layout);
    let stride = Stride {
        rate: 0.01,
        decay: 0.1,
        share: 0.25,
    };
    let (mut weight, mut first, mut second) = (0.5f64, 0.0, 0.0);
    for step in 1..=50i32 {
        let parts = [f64::from(step).sin(), f64::from(step) * 0.1];
        let [one, other] = parts.map(|part| vec![Strip([part as f32; STRIP]); layout.len()]);
        adam.step(
            &layout,
            &mut weights,
            &[&one, &other],
            stride,
            Kernel::best(),
        );

        let gradient = (parts[0] + parts[1]) * 0.25;
        first = 0.9 * first + 0.1 * gradient;
        second = 0.999 * second + 0.001 * gradient * gradient;
        let (mean, square) = (
            first / (1.0 - 0.9f64.powi(step)),
            second / (1.0 - 0.999f64.powi(step)),
        );
        weight -= 0.01 * (mean / (square.sqrt() + 1e-8) + 0.1 * weight);
        for strip in [0, layout.table(), layout.len() - 1] {
            let found = f64::from(weights[strip].0[7]);
            assert!(
                (found - weight).abs() < 1e-4,
                "step {step}: {found} {weight}"
            );
        }
    }
}

#[test]
fn weights_stay_within_bounds() {
    let shape = Shape::without_king_buckets(64, 1).unwrap();
    let layout = Layout::new(&shape);
    let mut weights = vec![Strip::ZERO; layout.len()];
    let mut adam = Adam::new(&layout);
    let stride = Stride {
        rate: 1.0,
        decay: 0.0,
        share: 1.0,
    };
    let uphill = vec![Strip([-1.0; STRIP]); layout.len()];
    for _ in 0..5 {
        adam.step(&layout, &mut weights, &[&uphill], stride, Kernel::best());
    }
    assert!(
        weights
            .iter()
            .all(|strip| strip.0 == [LARGEST_WEIGHT; STRIP])
    );
}

/// What one king bucket learns, the others learn too, and it itself twice: once for its own
/// weights, once for the shared ones.
#[test]
fn king_buckets_share() {
    let shape = two_kings(64);
    let layout = Layout::new(&shape);
    let mut weights = vec![Strip::ZERO; layout.len()];
    let mut adam = Adam::new(&layout);
    let stride = Stride {
        rate: 0.001,
        decay: 0.0,
        share: 1.0,
    };
    let feature = 100;
    let mut gradient = vec![Strip::ZERO; layout.len()];
    gradient[feature] = Strip([1.0; STRIP]);
    adam.step(&layout, &mut weights, &[&gradient], stride, Kernel::best());
    let near = |strip: usize, wanted: f32| (weights[strip].0[0] - wanted).abs() < 1e-6;
    assert!(near(feature, -0.002) && near(feature + FEATURES, -0.001));
    let moved = weights.iter().filter(|&&strip| strip != Strip::ZERO);
    assert_eq!(moved.count(), 2);
}
