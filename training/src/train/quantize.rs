//! Quantization: from the trainer's floats to the network's integers.
//! `castellan-train quantize` does it for any checkpoint.

use super::backprop::{NetworkView, Pass};
use super::batch::BLOCK;
use super::checkpoint::Checkpoint;
use super::loss::Objective;
use super::weights::{Fineness, Layout, Rounded, Section, round};
use crate::data::{Example, GameRecord};
use crate::progress::output_error;
use anyhow::{Result, bail};
use common::files::{check_output, replace};
use movegen::Position;
use search::nnue::{Network, Simd};
use std::io::{self, Write};
use std::ops::Range;
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
pub fn run(args: &Args) -> Result<()> {
    check_output(&args.out, [&args.checkpoint])?;
    let rounding = write(&Checkpoint::load(&args.checkpoint)?, &args.out)?;
    let written = writeln!(io::stdout(), "{}: {rounding}", args.out.display());
    written.map_err(|error| output_error(&error))
}

/// Quantizes a checkpoint and writes the network; returns what rounding changes.
pub(super) fn write(checkpoint: &Checkpoint, path: &Path) -> Result<String> {
    let network = network(checkpoint)?;
    replace(path, &network.to_bytes())?;
    Ok(rounding(checkpoint, &network))
}

/// The network of a checkpoint.
pub(super) fn network(checkpoint: &Checkpoint) -> Result<Network> {
    let (shape, layout) = (checkpoint.shape, Layout::new(&checkpoint.shape));
    let fineness = Fineness::new(&shape, checkpoint.scale.into());
    let weight = |tensor, index: usize| {
        let section = layout.section(tensor);
        let columns = section.shape.columns;
        let (tile, lane) = section.place(index / columns, index % columns);
        checkpoint.state.weights[tile].0[lane]
    };
    for Section { tensor, shape, .. } in layout.sections {
        for index in 0..shape.len() {
            let (found, limit) = (weight(tensor, index), shape.clip);
            // So are numbers that are not finite.
            if !(-limit..=limit).contains(&found) {
                let tensor = shape.name;
                bail!(
                    "cannot quantize number {index} of the {tensor}: {found} is not within ±{limit}"
                );
            }
        }
    }
    let description = checkpoint.network_description();
    let number = |tensor, index| {
        let one = layout.section(tensor).one(fineness);
        round(weight(tensor, index) * one)
    };
    Ok(Network::from_fn(
        shape,
        fineness.header,
        &description,
        number,
    )?)
}

/// The distance of the network's values from the trainer's, on positions of random games.
fn rounding(checkpoint: &Checkpoint, network: &Network) -> String {
    const GAMES: u32 = 50;
    let positions = random_positions(0..GAMES);
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

/// The positions of random games.
pub(super) fn random_positions(games: Range<u32>) -> Vec<Position> {
    let games = games.map(|number| GameRecord::random(number, Position::default()));
    let positions = games.flat_map(|game| game.positions().collect::<Vec<_>>());
    positions.map(|(position, _)| position).collect()
}

/// Values of positions by the trainer's arithmetic, in evaluation units.
pub(super) fn values(checkpoint: &Checkpoint, positions: &[Position]) -> Vec<f32> {
    let scale = f32::from(checkpoint.scale);
    let layout = Layout::new(&checkpoint.shape);
    let weights = &checkpoint.state.weights;
    let model = NetworkView {
        layout: &layout,
        weights: &Rounded::new(&layout, weights, Fineness::new(&checkpoint.shape, scale)),
        objective: Objective {
            wdl: 0.0,
            scale,
            power: 2.0,
            above: 1.0,
        },
        simd: Simd::best(),
    };
    let mut pass = Pass::new(&layout);
    let logits = positions.chunks(BLOCK).flat_map(|block| {
        let examples = block.iter().map(|position| Example::new(position, 0, None));
        pass.forward(model, &examples.collect::<Vec<_>>()).to_vec()
    });
    logits.map(|logit| logit * scale).collect()
}
