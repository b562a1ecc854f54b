//! What must hold of the trainer as a whole: gradients, learning, and that a run can be had
//! again bit for bit.

mod program;

use super::Kernel;
use super::adam::{Adam, LARGEST_WEIGHT, Stride};
use super::backprop::{Pass, Task};
use super::batch::{Input, Order};
use super::checkpoint::{Checkpoint, CheckpointError};
use super::loss::{self, Objective};
use super::output::Row;
use super::quantise::{self, walk};
use super::trainer::{Course, Fall, Learner, Pace, Place, Plan, State};
use super::weights::{Layout, STRIP, Strip};
use crate::data::{Example, GameResult};
use crate::rng::Rng;
use movegen::{Position, Role};
use search::nnue::{FEATURES, Shape, features};
use std::sync::atomic::{AtomicBool, Ordering};

const SCALE: f32 = 200.0;

/// Two king buckets, so that everything that several need is at work.
fn two_kings(hidden: usize) -> Shape {
    let map = std::array::from_fn(|square| u8::from(square >= 8));
    Shape::new(hidden, 2, 8, map).unwrap()
}

/// What a beginner counts, in units.
fn material(position: &Position) -> i16 {
    let worth = [100, 300, 300, 500, 900];
    let count = |color| -> i32 {
        let men = Role::ALL.into_iter().zip(worth);
        men.map(|(role, worth)| position.pieces(color, role).count() as i32 * worth)
            .sum()
    };
    (count(position.side_to_move()) - count(!position.side_to_move())) as i16
}

/// Positions of random games, with scores that follow the material and results by chance.
fn examples(walks: std::ops::Range<u64>) -> Vec<Example> {
    let mut rng = Rng::new(walks.start, 1);
    let positions = walks.flat_map(quantise::walk);
    positions
        .map(|position| {
            let results = [GameResult::Lost, GameResult::Drawn, GameResult::Won];
            let result = results[rng.below(3)];
            Example::new(&position, material(&position), result)
        })
        .collect()
}

fn learner(shape: Shape, kernel: Kernel, threads: usize, wdl: f32) -> Learner {
    taught(shape, State::new(&shape, 1), kernel, threads, wdl)
}

/// One that has got as far as this state.
fn taught(shape: Shape, state: State, kernel: Kernel, threads: usize, wdl: f32) -> Learner {
    let objective = Objective { wdl, scale: SCALE };
    Learner::new(shape, state, objective, kernel, threads).unwrap()
}

#[test]
fn a_handful_is_learnt_by_heart() {
    // Late enough that no two games have the same position.
    let late = examples(0..3).into_iter().skip(10);
    let few: Vec<Example> = late.step_by(15).collect();
    for shape in [Shape::without_king_buckets(64, 8).unwrap(), two_kings(64)] {
        let mut learner = learner(shape, Kernel::best(), 1, 0.5);
        let order = Order::new(few.len(), 1, 0);
        let before = learner.judge(&few);
        for step in 0..1500 {
            let pace = Pace {
                rate: if step < 1000 { 0.003 } else { 0.0003 },
                decay: 0.0,
            };
            learner.step(&few, &order, 0..few.len(), pace);
        }
        let after = learner.judge(&few);
        assert!(before > 0.02 && after < 1e-5, "{before} {after}");
    }
}

/// What is learnt of some games holds in others: material is what there is to find.
#[test]
fn what_is_learnt_holds_elsewhere() {
    // Few of many games: else games are learnt by heart, not what matters in them.
    let some = |walks| -> Vec<Example> { examples(walks).into_iter().step_by(12).collect() };
    let (seen, unseen) = (some(0..600), some(600..650));
    let shape = Shape::without_king_buckets(64, 8).unwrap();
    let mut learner = learner(shape, Kernel::best(), 2, 0.0);
    let before = learner.judge(&unseen);
    for epoch in 0..40 {
        let order = Order::new(seen.len(), 1, epoch);
        for batch in 0..seen.len() / 256 {
            let pace = Pace {
                rate: 0.003,
                decay: 0.01,
            };
            learner.step(&seen, &order, batch * 256..(batch + 1) * 256, pace);
        }
    }
    let after = learner.judge(&unseen);
    assert!(after < before / 4.0, "{before} {after}");
}

#[test]
fn the_scale_is_found_again() {
    let mut rng = Rng::new(5, 5);
    let true_scale = 173.0;
    let example = |rng: &mut Rng, results: &dyn Fn(f64, f64) -> GameResult| {
        let score = rng.below(1201) as i16 - 600;
        let chance = 1.0 / (1.0 + (-f64::from(score) / true_scale).exp());
        let result = results(chance, rng.unit());
        Example::new(&Position::default(), score, result)
    };
    let by_chance = |chance: f64, drawn: f64| {
        if drawn < chance {
            GameResult::Won
        } else {
            GameResult::Lost
        }
    };
    let games: Vec<Example> = (0..40_000).map(|_| example(&mut rng, &by_chance)).collect();
    let found = loss::fit(&games).unwrap();
    assert!((found - true_scale).abs() < 5.0, "{found}");

    let drawn = |_: f64, _: f64| GameResult::Drawn;
    let games: Vec<Example> = (0..100).map(|_| example(&mut rng, &drawn)).collect();
    assert_eq!(loss::fit(&games), None);
}

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
fn plain_loss(shape: &Shape, weights: &dyn Fn(usize, usize) -> f64, example: &Example) -> f64 {
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
                .map(|example| plain_loss(&shape, &weight, example))
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
        let weights = quantise::on_grid(&layout, &weights(&shape));
        let checkpoint = checkpoint(shape, weights);
        let network = quantise::rounded(&checkpoint).unwrap();
        let positions: Vec<Position> = (0..10).flat_map(walk).collect();
        let values = quantise::values(&checkpoint, &positions);
        for (position, value) in positions.iter().zip(values) {
            let engine = network.evaluate_from_scratch(position) as f32;
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
        let mut checkpoint = checkpoint(shape, weights(&shape));
        assert!(quantise::rounded(&checkpoint).is_ok());
        checkpoint.state.weights[strip].0[3] = wrong;
        let refused = quantise::rounded(&checkpoint).unwrap_err().to_string();
        assert!(refused.contains(&format!("is {wrong}")), "{refused}");
    }
}

#[test]
fn examples_have_the_features_of_their_positions() {
    let shape = two_kings(64);
    for position in (0..5).flat_map(walk) {
        let example = Example::new(&position, 0, GameResult::Drawn);
        let input = Input::new(&shape, &example);
        for (side, color) in [position.side_to_move(), !position.side_to_move()]
            .into_iter()
            .enumerate()
        {
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

const PLAN: Plan = Plan {
    epochs: 3,
    batch: 700,
    rate: 0.001,
    fall: Fall::Cosine,
    decay: 0.01,
    seed: 9,
};

fn course<'a>(shape: Shape, kernel: Kernel, threads: usize, data: &'a [Example]) -> Course<'a> {
    let (train, validation) = data.split_at(data.len() - 100);
    Course {
        plan: PLAN,
        learner: learner(shape, kernel, threads, 0.3),
        place: Place::default(),
        rows: Vec::new(),
        train,
        validation,
    }
}

fn run(course: &mut Course<'_>) {
    let stop = AtomicBool::new(false);
    while !course.is_over() {
        assert!(course.epoch(&stop, |_| {}).is_some());
    }
}

/// Losses without how long they took.
fn losses(rows: &[Row]) -> Vec<(usize, f64, Option<f64>)> {
    let losses = rows
        .iter()
        .map(|row| (row.epoch, row.train, row.validation));
    losses.collect()
}

pub(super) fn checkpoint(shape: Shape, weights: Vec<Strip>) -> Checkpoint {
    Checkpoint {
        recipe: "a recipe".into(),
        description: "a network".into(),
        shape,
        scale: 200,
        epochs: 3,
        place: Place {
            epoch: 1,
            batch: 2,
            loss: 0.125,
        },
        rows: vec![Row {
            epoch: 1,
            positions: 100,
            train: 0.5,
            validation: None,
            rate: 0.001,
            speed: 1e6,
        }],
        state: State {
            weights,
            adam: Adam::new(&Layout::new(&shape)),
        },
    }
}

#[test]
fn the_same_seed_gives_the_same_network() {
    let data = examples(0..20);
    for threads in [1, 2, 3] {
        let [one, other] = [(); 2].map(|()| {
            let mut course = course(two_kings(64), Kernel::best(), threads, &data);
            run(&mut course);
            (course.learner.state().clone(), losses(&course.rows))
        });
        assert_eq!(one, other);
    }
}

#[test]
fn every_kernel_gives_the_same_network() {
    let data = examples(0..20);
    let results: Vec<State> = Kernel::all()
        .map(|kernel| {
            let mut course = course(two_kings(128), kernel, 2, &data);
            run(&mut course);
            course.learner.state().clone()
        })
        .collect();
    assert!(results.iter().all(|state| *state == results[0]));
}

#[test]
fn a_resumed_run_is_as_if_never_stopped() {
    let data = examples(0..20);
    let begin = || course(two_kings(64), Kernel::best(), 2, &data);
    let mut whole = begin();
    run(&mut whole);

    let mut broken = begin();
    let stop = AtomicBool::new(false);
    assert!(broken.epoch(&stop, |_| {}).is_some());
    // In the middle of the second epoch.
    let stopped = broken.epoch(&stop, |_| stop.store(true, Ordering::Relaxed));
    assert!(stopped.is_none() && broken.place.batch == 1);
    let kept = Checkpoint {
        place: broken.place,
        rows: broken.rows.clone(),
        state: broken.learner.state().clone(),
        ..checkpoint(two_kings(64), Vec::new())
    };
    let read = Checkpoint::read(&kept.to_bytes()).unwrap();
    let mut resumed = begin();
    resumed.place = read.place;
    resumed.rows = read.rows;
    resumed.learner = taught(two_kings(64), read.state, Kernel::best(), 2, 0.3);
    run(&mut resumed);
    assert_eq!(resumed.learner.state(), whole.learner.state());
    assert_eq!(losses(&resumed.rows), losses(&whole.rows));
}

#[test]
fn checkpoints_come_back_and_damage_is_seen() {
    let shape = two_kings(64);
    let kept = checkpoint(shape, State::new(&shape, 4).weights);
    let bytes = kept.to_bytes();
    assert_eq!(Checkpoint::read(&bytes).unwrap(), kept);

    let damaged = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        Checkpoint::read(&bytes)
    };
    assert!(matches!(damaged(0), Err(CheckpointError::Magic)));
    assert!(matches!(damaged(8), Err(CheckpointError::Version { .. })));
    for at in [20, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(matches!(damaged(at), Err(CheckpointError::Checksum { .. })));
    }
    for length in [0, 5, 11, 50, bytes.len() - 1] {
        assert!(Checkpoint::read(&bytes[..length]).is_err());
    }
}
