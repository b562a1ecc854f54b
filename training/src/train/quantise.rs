//! From the trainer's numbers to the network's small integers, and how much is lost on the way.

use super::adam::LARGEST_WEIGHT;
use super::backprop::{Pass, Task};
use super::checkpoint::{Checkpoint, CheckpointError};
use super::loss::Objective;
use super::simd::Kernel;
use super::weights::{Layout, STRIP, Strip};
use crate::data::{Example, GameResult};
use crate::replace::{FileError, replace};
use crate::rng::Rng;
use movegen::Position;
use search::nnue::{Network, NetworkError, QA, QB};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Games at random on which both kinds of numbers are compared.
const WALKS: u64 = 50;
const WALK_PLIES: usize = 120;

#[derive(Debug, Error)]
pub enum RoundingError {
    #[error(
        "the {what} {number} to neuron {neuron} is {found}; to be rounded it must be within \
         {LARGEST_WEIGHT} of zero"
    )]
    Weight {
        what: &'static str,
        number: usize,
        neuron: usize,
        found: f32,
    },
    #[error(
        "the bias of output bucket {bucket} is {found}; to be rounded it must be within {LARGEST_WEIGHT} \
         of zero"
    )]
    OutputBias { bucket: usize, found: f32 },
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    File(#[from] FileError),
}

/// How far values of the network are from those of the trainer's numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rounding {
    positions: usize,
    /// In units of the evaluation.
    mean: f64,
    largest: f64,
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            positions,
            mean,
            largest,
        } = self;
        write!(
            f,
            "rounding changes values by {mean:.2} units in the mean and {largest:.1} at most, over \
             {positions} positions of random games"
        )
    }
}

/// Rounds a checkpoint's weights and writes the network.
pub(super) fn write(checkpoint: &Checkpoint, path: &Path) -> Result<Rounding, RoundingError> {
    let network = rounded(checkpoint)?;
    replace(path, &network.to_bytes())?;
    Ok(compared(checkpoint, &network))
}

/// What 1 is in the network for the weights of a strip.
fn unit(layout: &Layout, strip: usize) -> f32 {
    let (feature, output) = (f32::from(QA), f32::from(QB));
    if strip < layout.output(0, 0) {
        feature
    } else if strip < layout.output_bias() {
        output
    } else {
        feature * output
    }
}

/// The trainer's numbers as the network will have them, still as fractions.
pub(super) fn on_grid(layout: &Layout, weights: &[Strip]) -> Vec<Strip> {
    let strips = weights.iter().enumerate().map(|(number, strip)| {
        let unit = unit(layout, number);
        Strip(strip.0.map(|weight| (weight * unit).round() / unit))
    });
    strips.collect()
}

/// The network of a checkpoint.
pub(super) fn rounded(checkpoint: &Checkpoint) -> Result<Network, RoundingError> {
    let (shape, layout) = (checkpoint.shape, Layout::new(&checkpoint.shape));
    let weights = &checkpoint.state.weights;
    let fits = |weight: f32| weight.abs() <= LARGEST_WEIGHT;
    let row = |what, number, place: &dyn Fn(usize) -> usize| {
        let mut row = Vec::with_capacity(layout.strips() * STRIP);
        for strip in 0..layout.strips() {
            let unit = unit(&layout, place(strip));
            for found in weights[place(strip)].0 {
                if !fits(found) {
                    return Err(RoundingError::Weight {
                        what,
                        number,
                        neuron: row.len(),
                        found,
                    });
                }
                row.push((found * unit).round() as i16);
            }
        }
        Ok(row)
    };
    let mut feature_weights = Vec::with_capacity(layout.rows() * shape.hidden());
    for feature in 0..layout.rows() {
        feature_weights.extend(row("weight of feature", feature, &|strip| {
            layout.row(strip, feature)
        })?);
    }
    let feature_bias = row("bias", 0, &|strip| layout.feature_bias(strip))?;
    let mut output_weights = Vec::with_capacity(layout.outputs() * 2 * shape.hidden());
    for bucket in 0..layout.outputs() {
        for side in 0..2 {
            output_weights.extend(row("weight of output bucket", bucket, &|strip| {
                layout.output(bucket, strip) + side
            })?);
        }
    }
    let last = layout.output_bias();
    let biases = weights[last].0.iter().take(layout.outputs()).enumerate();
    let output_bias = biases.map(|(bucket, &found)| {
        if fits(found) {
            Ok((found * unit(&layout, last)).round() as i32)
        } else {
            Err(RoundingError::OutputBias { bucket, found })
        }
    });
    Ok(Network::from_parts(
        shape,
        checkpoint.scale,
        checkpoint.described(),
        feature_weights,
        feature_bias,
        output_weights,
        output_bias.collect::<Result<_, _>>()?,
    )?)
}

/// Values of both on the same positions.
fn compared(checkpoint: &Checkpoint, network: &Network) -> Rounding {
    let positions: Vec<Position> = (0..WALKS).flat_map(walk).collect();
    let values = values(checkpoint, &positions);
    let errors = positions.iter().zip(values).map(|(position, value)| {
        (f64::from(network.evaluate_from_scratch(position)) - f64::from(value)).abs()
    });
    let (sum, largest) = errors.fold((0.0, 0.0f64), |(sum, largest), error| {
        (sum + error, largest.max(error))
    });
    Rounding {
        positions: positions.len(),
        mean: sum / positions.len().max(1) as f64,
        largest,
    }
}

/// What the trainer's numbers say of positions, in units of the evaluation.
pub(super) fn values(checkpoint: &Checkpoint, positions: &[Position]) -> Vec<f32> {
    let scale = f32::from(checkpoint.scale);
    let layout = Layout::new(&checkpoint.shape);
    let task = Task {
        shape: &checkpoint.shape,
        layout: &layout,
        weights: &checkpoint.state.weights,
        objective: Objective { wdl: 0.0, scale },
        kernel: Kernel::best(),
    };
    let examples = positions.iter();
    let examples = examples.map(|position| Example::new(position, 0, GameResult::Drawn));
    let logits = Pass::new(&layout).logits(task, examples);
    logits.into_iter().map(|logit| logit * scale).collect()
}

/// The positions of a game played at random.
pub(super) fn walk(number: u64) -> Vec<Position> {
    let mut rng = Rng::new(number, 0);
    let mut position = Position::default();
    let mut positions = Vec::with_capacity(WALK_PLIES);
    while positions.len() < WALK_PLIES {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(rng.below(moves.len())) else {
            break;
        };
        position = position.play_unchecked(mv);
        positions.push(position);
    }
    positions
}

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A run's checkpoint
    checkpoint: PathBuf,
    /// The network to write
    #[arg(long, value_name = "NET")]
    out: PathBuf,
}

#[derive(Debug, Error)]
pub enum QuantiseError {
    #[error("{}: {source}", path.display())]
    Checkpoint {
        path: PathBuf,
        source: CheckpointError,
    },
    #[error(transparent)]
    Rounding(#[from] RoundingError),
    #[error("what there is to say cannot be written: {0}")]
    Output(#[from] io::Error),
}

pub fn run(args: &Args) -> Result<(), QuantiseError> {
    let said = quantise(args)?;
    Ok(writeln!(io::stdout(), "{said}")?)
}

/// Does it, and returns what there is to say.
pub(super) fn quantise(args: &Args) -> Result<String, QuantiseError> {
    let Args { checkpoint, out } = args;
    let read = Checkpoint::load(checkpoint).map_err(|source| QuantiseError::Checkpoint {
        path: checkpoint.clone(),
        source,
    })?;
    let rounding = write(&read, out)?;
    Ok(format!("{}: {rounding}", out.display()))
}
