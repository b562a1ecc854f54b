//! The trainer as a whole: gradients, learning and quantization.

mod optimizer;
mod program;
mod runs;

use super::adam::{self, Adam, StepSize};
use super::backprop::{NetworkView, Pass};
use super::batch::{BLOCK, Input, Order};
use super::checkpoint::Checkpoint;
use super::initial;
use super::loss::{self, Objective};
use super::quantize;
use super::trainer::{EpochStats, RunProgress, TrainState, Trainer};
use super::weights::{Fineness, Layout, Rounded, Section, TILE, Tile};
use crate::data::{Example, GameResult};
use common::rng::SplitMix64;
use movegen::{Color, Position, Role};
use search::nnue::{AttackCounts, Shape, Simd, Tensor};

const OBJECTIVE: Objective = Objective {
    wdl: 0.4,
    scale: 200.0,
    power: 2.5,
    above: 1.25,
};

fn one_king_bucket(hidden: usize, output_buckets: usize) -> Shape {
    Shape::without_king_buckets(hidden, output_buckets).unwrap()
}

/// With a factorizer.
fn two_king_buckets(hidden: usize) -> Shape {
    let map = std::array::from_fn(|square| u8::from(square >= 8));
    Shape::new(hidden, 2, 8, map).unwrap()
}

fn with_attacks(shape: Shape, neurons: usize) -> Shape {
    shape.with_attack_neurons(neurons).unwrap()
}

/// Material balance for the side to move.
fn material(position: &Position) -> i16 {
    let values = [100, 300, 300, 500, 900];
    let count = |color| -> i32 {
        let pieces = Role::ALL.into_iter().zip(values);
        pieces
            .map(|(role, value)| position.pieces(color, role).count() as i32 * value)
            .sum()
    };
    let side = position.side_to_move();
    (count(side) - count(!side)) as i16
}

/// Positions of random games, with material as score and a random result or none.
fn examples(games: std::ops::Range<u32>) -> Vec<Example> {
    let mut rng = SplitMix64::with_stream(games.start.into(), 1);
    let positions = quantize::random_positions(games).into_iter();
    let examples = positions.map(|position| {
        let results = [GameResult::Loss, GameResult::Draw, GameResult::Win];
        let result = results.get(rng.below(4)).copied();
        Example::new(&position, material(&position), result)
    });
    examples.collect()
}

fn trainer(shape: Shape, threads: usize, wdl: f32) -> Trainer {
    let objective = Objective {
        wdl,
        power: 2.0,
        above: 1.0,
        ..OBJECTIVE
    };
    let state = TrainState::new(&shape, initial::random(&shape, 1));
    Trainer::new(shape, state, objective, Simd::best(), threads).unwrap()
}

fn step_size(learning_rate: f32, weight_decay: f32) -> StepSize {
    StepSize {
        learning_rate,
        weight_decay,
        epsilon: 1e-8,
        bucket_rate: 1.0,
        attack_rate: 1.0,
    }
}

/// Weights large enough that some neurons are off and some saturated.
fn large_weights(shape: &Shape) -> Vec<Tile> {
    let mut weights = initial::random(shape, 3);
    let mut rng = SplitMix64::with_stream(3, 3);
    for section in Layout::new(shape).sections {
        for weight in weights[section.tiles()]
            .iter_mut()
            .flat_map(|tile| &mut tile.0)
        {
            match section.tensor {
                Tensor::FeatureWeights => *weight *= 6.0,
                Tensor::AttackWeights => {}
                _ => *weight += (rng.unit() as f32 - 0.5) * 0.4,
            }
        }
    }
    weights
}

fn rounded(shape: &Shape, weights: &[Tile]) -> Rounded {
    let fineness = Fineness::new(shape, OBJECTIVE.scale);
    Rounded::new(&Layout::new(shape), weights, fineness)
}

/// Weights that rounding does not change.
fn on_grid(shape: &Shape, mut weights: Vec<Tile>) -> Vec<Tile> {
    let fineness = Fineness::new(shape, OBJECTIVE.scale);
    for section in Layout::new(shape).sections {
        let one = section.one(fineness);
        for tile in &mut weights[section.tiles()] {
            tile.0 = tile.0.map(|weight| (weight * one).round() / one);
        }
    }
    weights
}

fn checkpoint(shape: Shape, weights: Vec<Tile>) -> Checkpoint {
    Checkpoint {
        recipe: "a recipe".into(),
        description: "a network".into(),
        shape,
        scale: 200,
        epochs: 3,
        progress: RunProgress {
            epoch: 1,
            batch: 2,
            loss: 0.125,
        },
        history: vec![EpochStats {
            epoch: 1,
            positions: 100,
            train: 0.5,
            validation: None,
            learning_rate: 0.001,
            positions_per_second: 1e6,
        }],
        state: TrainState {
            weights,
            adam: Adam::new(&Layout::new(&shape)),
        },
    }
}

/// The loss of one example, written plainly in double precision.
fn reference_loss(
    shape: &Shape,
    weight: &dyn Fn(usize, usize) -> f64,
    example: &Example,
    has_bend: &mut bool,
) -> f64 {
    let layout = Layout::new(shape);
    let weight = |tensor, row: usize, column| {
        let (tile, lane) = layout.section(tensor).place(row, column);
        weight(tile, lane)
    };
    let input = Input::new(shape, example);
    let bucket = usize::from(input.output_bucket);
    let mut clipped = |sum: f64| {
        // At a bend there is no derivative to compare with.
        *has_bend |= sum.abs() < 5e-5 || (sum - 1.0).abs() < 5e-5;
        sum.clamp(0.0, 1.0)
    };
    let hidden = [0, 1].map(|side| -> Vec<f64> {
        let sums = (0..shape.hidden()).map(|neuron| {
            let rows = input.features(side).iter();
            let rows = rows.map(|&row| weight(Tensor::FeatureWeights, row.into(), neuron));
            weight(Tensor::FeatureBiases, 0, neuron) + rows.sum::<f64>()
        });
        sums.map(&mut clipped).collect()
    });
    let mut logit = weight(Tensor::OutputBiases, 0, bucket);
    for (side, activations) in hidden.iter().enumerate() {
        for (neuron, activation) in activations.iter().enumerate() {
            let weight = weight(Tensor::OutputWeights, bucket * 2 + side, neuron);
            logit += activation.powi(2) * weight;
        }
    }
    let counts = AttackCounts::new(&example.piece_sets(), Color::White);
    for neuron in 0..shape.attack_neurons() {
        let products = counts
            .groups()
            .iter()
            .enumerate()
            .flat_map(|(group, counts)| {
                let places = counts.iter().enumerate();
                places.map(move |(place, &count)| (group, 4 * neuron + place, f64::from(count)))
            });
        let products = products
            .map(|(group, column, count)| count * weight(Tensor::AttackWeights, group, column));
        let sum = weight(Tensor::AttackBiases, 0, neuron) + products.sum::<f64>();
        let activation = clipped(sum);
        logit += activation.powi(2) * weight(Tensor::AttackOutputs, bucket, neuron);
    }
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let (wdl, scale) = (f64::from(OBJECTIVE.wdl), f64::from(OBJECTIVE.scale));
    let expected = sigmoid(f64::from(example.score) / scale);
    let target = match example.result {
        Some(result) => wdl * f64::from(result.points()) + (1.0 - wdl) * expected,
        None => expected,
    };
    let error = sigmoid(logit) - target;
    let weight = if error > 0.0 { OBJECTIVE.above } else { 1.0 };
    f64::from(weight) * error.abs().powf(f64::from(OBJECTIVE.power))
}

#[test]
fn gradients_equal_finite_differences() {
    const STEP: f64 = 1e-6;
    for shape in [
        with_attacks(two_king_buckets(64), 32),
        with_attacks(one_king_bucket(128, 3), 16),
        one_king_bucket(64, 8),
    ] {
        let layout = Layout::new(&shape);
        let weights = on_grid(&shape, large_weights(&shape));
        let exact = |tile: usize, lane: usize| f64::from(weights[tile].0[lane]);
        let examples = examples(0..4).into_iter().step_by(7);
        let is_smooth = |example: &Example| {
            let mut has_bend = false;
            reference_loss(&shape, &exact, example, &mut has_bend);
            !has_bend
        };
        let examples: Vec<Example> = examples.filter(is_smooth).collect();
        assert!(examples.len() > 5);
        let model = NetworkView {
            layout: &layout,
            weights: &rounded(&shape, &weights),
            objective: OBJECTIVE,
            simd: Simd::best(),
        };
        let mut pass = Pass::new(&layout);
        let mut gradient = vec![Tile::ZERO; layout.len()];
        let loss = pass.backward(model, &examples, &mut gradient);
        adam::store_feature_gradients(&layout, &pass, &mut gradient, Simd::best());
        // The loss with one weight changed.
        let reference = |tile: usize, lane: usize, change: f64| -> f64 {
            let weight = |t: usize, l: usize| {
                exact(t, l) + if (t, l) == (tile, lane) { change } else { 0.0 }
            };
            let losses = examples
                .iter()
                .map(|example| reference_loss(&shape, &weight, example, &mut false));
            losses.sum()
        };
        assert!((loss - reference(0, 0, 0.0)).abs() < 1e-4 * loss, "{loss}");

        let mut rng = SplitMix64::with_stream(1, 1);
        for Section { tensor, .. } in layout.sections {
            let tiles = layout.section(tensor).tiles();
            if tiles.is_empty() {
                continue;
            }
            let weights: Vec<(usize, usize)> = tiles
                .flat_map(|tile| (0..TILE).map(move |lane| (tile, lane)))
                .filter(|&(tile, lane)| gradient[tile].0[lane].abs() > 1e-4)
                .collect();
            assert!(!weights.is_empty(), "{tensor:?}");
            for _ in 0..25 {
                let (tile, lane) = weights[rng.below(weights.len())];
                let difference = reference(tile, lane, STEP) - reference(tile, lane, -STEP);
                let expected = difference / (2.0 * STEP);
                let found = f64::from(gradient[tile].0[lane]);
                assert!(
                    (found - expected).abs() < 1e-5 + 0.01 * expected.abs(),
                    "{tensor:?}, {tile} {lane}: {found} {expected}"
                );
            }
        }
    }
}

/// The trainer's values are those of the engine's network, except for what integer division
/// drops.
#[test]
fn values_equal_those_of_the_engines_network() {
    for shape in [
        with_attacks(two_king_buckets(64), 16),
        with_attacks(one_king_bucket(128, 8), 32),
    ] {
        let checkpoint = checkpoint(shape, large_weights(&shape));
        let network = quantize::network(&checkpoint).unwrap();
        let positions = quantize::random_positions(0..10);
        let values = quantize::values(&checkpoint, &positions);
        for (position, value) in positions.iter().zip(values) {
            let engine = network.evaluate_from_scratch(position) as f32;
            assert!((engine - value).abs() < 1.1, "{engine} {value}");
        }
    }
}

/// A run that starts from a network has its values, with another scale, finer king buckets and more
/// neurons too.
#[test]
fn weights_of_a_network_give_its_values() {
    let map = std::array::from_fn(|square| u8::from(square >= 8) + u8::from(square >= 40));
    let others = [
        two_king_buckets(64),
        Shape::new(64, 3, 8, map).unwrap(),
        two_king_buckets(192),
        with_attacks(two_king_buckets(64), 16),
    ];
    let shapes = others.map(|other| (two_king_buckets(64), other));
    let attacks = with_attacks(two_king_buckets(64), 16);
    for (shape, other) in shapes.into_iter().chain([(attacks, attacks)]) {
        let network = quantize::network(&checkpoint(shape, large_weights(&shape))).unwrap();
        // With a scale of 100 the unit of the output weights is twice as fine.
        for scale in [200, 100] {
            let weights = initial::from_network(&network, &other, scale, 1);
            let mut run = checkpoint(other, weights);
            run.scale = scale;
            let positions = quantize::random_positions(0..10);
            let values = quantize::values(&run, &positions);
            for (position, value) in positions.iter().zip(values) {
                let expected = network.evaluate_from_scratch(position) as f32;
                assert!((expected - value).abs() < 1.1, "{expected} {value}");
            }
        }
    }
}

/// The output weights use their range, and the scale in the header makes up for it.
#[test]
fn output_weights_are_fine_and_fit_the_network() {
    let shape = one_king_bucket(64, 1);
    let outputs = *Layout::new(&shape).section(Tensor::OutputWeights);
    for scale in [1.0, 2.0, 99.0, 147.0, 200.0, 65_535.0] {
        let fineness = Fineness::new(&shape, scale);
        let one = outputs.one(fineness);
        assert!(0.99 * one <= 127.01, "{scale}: {one}");
        assert!(scale < 50.0 || one > 125.0, "{scale}: {one}");
        let product = f32::from(fineness.header) * one;
        assert!((product / (scale * 64.0) - 1.0).abs() < 1e-6, "{scale}");
    }
}

/// A batch of several blocks has the gradient of all of them.
#[test]
fn batches_larger_than_a_block_are_summed() {
    let some: Vec<Example> = examples(0..6).into_iter().take(BLOCK / 2).collect();
    let repeated = [&some[..]; 5].concat();
    for shape in [one_king_bucket(64, 8), two_king_buckets(64)] {
        let moments = |examples: &[Example]| {
            let mut trainer = trainer(shape, 2, 0.4);
            let order = Order::new(examples.len(), 1, 0);
            for _ in 0..2 {
                trainer.step(examples, &order, 0..examples.len(), step_size(0.0, 0.0));
            }
            trainer.state().adam.weights.first.clone()
        };
        assert!(repeated.len() > 2 * BLOCK);
        for (one, several) in moments(&some).iter().zip(moments(&repeated)) {
            for (one, several) in one.0.iter().zip(several.0) {
                assert!((one - several).abs() < 1e-6, "{one} {several}");
            }
        }
    }
}

#[test]
fn weights_out_of_range_are_not_quantized() {
    let shape = one_king_bucket(64, 8);
    let layout = Layout::new(&shape);
    for (tensor, row, weight) in [
        (Tensor::FeatureWeights, 5, 1.99),
        (Tensor::FeatureBiases, 0, -2.0),
        (Tensor::OutputWeights, 7, f32::NAN),
        (Tensor::OutputBiases, 0, f32::INFINITY),
    ] {
        let mut checkpoint = checkpoint(shape, large_weights(&shape));
        assert!(quantize::network(&checkpoint).is_ok());
        let (tile, lane) = layout.section(tensor).place(row, 3);
        checkpoint.state.weights[tile].0[lane] = weight;
        let error = quantize::network(&checkpoint).unwrap_err().to_string();
        let index = row * 64 + 3;
        let name = shape.tensor(tensor).name;
        let expected = format!("number {index} of the {name}: {weight} is not within");
        assert!(error.contains(&expected), "{error}");
    }
}

/// Material, the whole truth of these examples, is learned from some games and found in others.
#[test]
fn training_generalizes() {
    // Few positions of many games, so that games cannot be memorized.
    let some = |games| -> Vec<Example> { examples(games).into_iter().step_by(12).collect() };
    let (train, validation) = (some(0..400), some(400..440));
    let mut trainer = trainer(one_king_bucket(64, 8), 2, 0.0);
    let before = trainer.loss(&validation);
    for epoch in 0..30 {
        let order = Order::new(train.len(), 1, epoch);
        for batch in 0..train.len() / 256 {
            let places = batch * 256..(batch + 1) * 256;
            trainer.step(&train, &order, places, step_size(0.003, 0.01));
        }
    }
    let after = trainer.loss(&validation);
    assert!(after < before / 4.0, "{before} {after}");
}

/// Below a power of 2 the weight of an error would be infinite at zero.
#[test]
fn exact_predictions_have_no_loss() {
    for power in [1.5, 2.0, 2.5] {
        let mut objective = OBJECTIVE;
        objective.power = power;
        // In single precision the sigmoid of 40 is 1.
        for (logit, target) in [(0.0, 0.5), (40.0, 1.0)] {
            assert_eq!(objective.loss(logit, target), (0.0, 0.0), "{power}");
        }
    }
}

#[test]
fn scale_is_recovered_from_results() {
    let mut rng = SplitMix64::with_stream(5, 5);
    let scale = 173.0;
    let mut examples = |count, decisive: bool| -> Vec<Example> {
        let example = |_| {
            let score = rng.below(1201) as i16 - 600;
            let win = 1.0 / (1.0 + (-f64::from(score) / scale).exp());
            let result = match rng.unit() < win {
                _ if !decisive => GameResult::Draw,
                true => GameResult::Win,
                false => GameResult::Loss,
            };
            Example::new(&Position::default(), score, Some(result))
        };
        (0..count).map(example).collect()
    };
    let fitted = loss::fit_scale(&examples(40_000, true)).unwrap();
    assert!((fitted - scale).abs() < 5.0, "{fitted}");
    assert_eq!(loss::fit_scale(&examples(100, false)), None);
}
