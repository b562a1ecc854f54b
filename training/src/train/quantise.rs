//! Quantisation: from the trainer's floats to the network's integers.
//! `castellan-train quantise` does it for any checkpoint.

use super::TrainError;
use super::backprop::{NetworkView, Pass};
use super::batch::BLOCK;
use super::checkpoint::Checkpoint;
use super::loss::Objective;
use super::simd::Kernel;
use super::weights::{Layout, OutputUnit, Rounded, TILE, round};
use crate::data::{Example, GameRecord, GameResult};
use common::files::replace;
use movegen::Position;
use search::nnue::Network;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Checkpoint of a training run
    checkpoint: PathBuf,
    /// Network file to write
    #[arg(long, value_name = "NET")]
    out: PathBuf,
}

/// Writes the network of a checkpoint and prints what rounding changes.
pub fn run(args: &Args) -> Result<(), TrainError> {
    let rounding = write(&Checkpoint::load(&args.checkpoint)?, &args.out)?;
    Ok(writeln!(
        io::stdout(),
        "{}: {rounding}",
        args.out.display()
    )?)
}

/// Quantises a checkpoint and writes the network; returns what rounding changes.
pub(super) fn write(checkpoint: &Checkpoint, path: &Path) -> Result<String, TrainError> {
    let network = network(checkpoint)?;
    replace(path, &network.to_bytes())?;
    Ok(rounding(checkpoint, &network))
}

/// The network of a checkpoint.
pub(super) fn network(checkpoint: &Checkpoint) -> Result<Network, TrainError> {
    let (shape, layout) = (checkpoint.shape, Layout::new(&checkpoint.shape));
    let output_unit = OutputUnit::new(checkpoint.scale.into());
    let quantised = |what: &dyn Fn() -> String, tile: usize, lane: usize| {
        let (found, limit) = (checkpoint.state.weights[tile].0[lane], layout.limit(tile));
        if found.abs() <= limit {
            Ok(round(found * layout.unit(tile, output_unit)))
        } else {
            let what = what();
            Err(TrainError::Weight { what, found, limit })
        }
    };
    // The weights of all neurons; `place` is the tile of 64 of them.
    let row = |what: &str, number: usize, place: &dyn Fn(usize) -> usize| {
        let neurons = 0..shape.hidden();
        let weights = neurons.map(|neuron| {
            let what = || format!("{what} {number}, neuron {neuron}");
            let weight = quantised(&what, place(neuron / TILE), neuron % TILE)?;
            // Within ±1.98 · 255.
            Ok(weight as i16)
        });
        weights.collect::<Result<Vec<i16>, TrainError>>()
    };
    let mut feature_weights = Vec::with_capacity(layout.features() * shape.hidden());
    for feature in 0..layout.features() {
        let place = |tile| layout.feature_row(tile, feature);
        feature_weights.extend(row("the weight of feature", feature, &place)?);
    }
    let feature_bias = row("feature bias", 0, &|tile| layout.feature_bias(tile))?;
    let mut output_weights = Vec::with_capacity(layout.output_buckets() * 2 * shape.hidden());
    for bucket in 0..layout.output_buckets() {
        for side in 0..2 {
            let place = |tile| layout.output_weights(bucket, tile) + side;
            output_weights.extend(row("the weight of output bucket", bucket, &place)?);
        }
    }
    let output_bias = (0..layout.output_buckets()).map(|bucket| {
        let what = || format!("the bias of output bucket {bucket}");
        quantised(&what, layout.output_bias(), bucket)
    });
    Ok(Network::from_parts(
        shape,
        output_unit.scale,
        checkpoint.network_description(),
        feature_weights,
        feature_bias,
        output_weights,
        output_bias.collect::<Result<_, _>>()?,
    )?)
}

/// How far the network's values are from the trainer's, on positions of random games.
fn rounding(checkpoint: &Checkpoint, network: &Network) -> String {
    const GAMES: u32 = 50;
    let games = (0..GAMES).map(|number| GameRecord::random(number, Position::default()));
    let positions: Vec<Position> = games
        .flat_map(|game| {
            game.positions()
                .map(|(position, _)| position)
                .collect::<Vec<_>>()
        })
        .collect();
    let exact = values(checkpoint, &positions);
    let errors = positions.iter().zip(exact).map(|(position, exact)| {
        (f64::from(network.evaluate_from_scratch(position)) - f64::from(exact)).abs()
    });
    let (sum, largest) = errors.fold((0.0, 0.0f64), |(sum, largest), error| {
        (sum + error, largest.max(error))
    });
    let mean = sum / positions.len().max(1) as f64;
    format!(
        "rounding changes values by {mean:.2} units on average and {largest:.1} at most, over {} \
         positions of random games",
        positions.len()
    )
}

/// Values of positions by the trainer's arithmetic, in evaluation units.
pub(super) fn values(checkpoint: &Checkpoint, positions: &[Position]) -> Vec<f32> {
    let scale = f32::from(checkpoint.scale);
    let layout = Layout::new(&checkpoint.shape);
    let weights = &checkpoint.state.weights;
    let model = NetworkView {
        shape: &checkpoint.shape,
        layout: &layout,
        weights: &Rounded::new(&layout, weights, OutputUnit::new(scale)),
        objective: Objective { wdl: 0.0, scale },
        kernel: Kernel::best(),
    };
    let mut pass = Pass::new(&layout);
    let logits = positions.chunks(BLOCK).flat_map(|block| {
        let example = |number: usize| Example::new(&block[number], 0, GameResult::Draw);
        pass.forward(model, block.len(), example).to_vec()
    });
    logits.map(|logit| logit * scale).collect()
}
