//! The command line of `castellan-train train`.

use crate::data::{PositionFilter, Split};
use anyhow::{Context, Result, anyhow};
use search::nnue::Shape;
use serde::Serialize;
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Game files
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Network file to write; checkpoint, losses and recipe are written next to it
    #[arg(long, value_name = "NET")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    pub(super) filter: PositionFilter,
    #[command(flatten)]
    pub(super) split: Split,
    /// Neurons per perspective, a multiple of 64
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// King buckets: sets of feature weights, selected by the king's square
    #[arg(long, value_enum, default_value = "1")]
    king_buckets: KingBuckets,
    /// Output buckets: sets of output weights, selected by the number of pieces
    #[arg(long, default_value_t = 8)]
    output_buckets: usize,
    /// Neurons of the attack layer: 0, 16 or 32
    #[arg(long, default_value_t = 0)]
    attack_neurons: usize,
    /// Start from the weights of this network, which may be narrower [default: random weights]
    #[arg(long, value_name = "NET")]
    pub(super) init: Option<PathBuf>,
    #[command(flatten)]
    pub(super) parameters: Hyperparameters,
    /// Score units per logit [default: fitted to the games]
    #[arg(long, value_name = "UNITS")]
    pub(super) scale: Option<NonZeroU16>,
    /// Number of threads [default: one per core]
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Resume from the checkpoint next to the network
    #[arg(long)]
    pub(super) resume: bool,
    /// Overwrite existing files
    #[arg(long, conflicts_with = "resume")]
    pub(super) force: bool,
    /// Save a checkpoint every EPOCHS epochs
    #[arg(long, default_value = "1", value_name = "EPOCHS")]
    pub(super) save_every: NonZeroUsize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum KingBuckets {
    /// All squares
    #[value(name = "1")]
    One,
    /// Corners of the first rank, its middle, the second rank, all others
    #[value(name = "4")]
    Four,
    /// The first rank by file, the second rank by half, the third and fourth, all others
    #[value(name = "8")]
    Eight,
    /// The first two ranks by file, the third, the fourth, and each pair of the others by half
    #[value(name = "16")]
    Sixteen,
}

impl KingBuckets {
    /// The number of buckets, and the bucket of each square.
    fn map(self) -> (usize, [u8; 64]) {
        // Files by their distance from the edge.
        let map = |bucket: fn(usize, usize) -> u8| {
            std::array::from_fn(|square| bucket(square / 8, (square % 8).min(7 - square % 8)))
        };
        match self {
            Self::One => (1, [0; 64]),
            Self::Four => {
                let bucket = |rank, file| match (rank, file) {
                    (0, 0 | 1) => 0,
                    (0, _) => 1,
                    (1, _) => 2,
                    _ => 3,
                };
                (4, map(bucket))
            }
            Self::Eight => {
                let bucket = |rank, file| match (rank, file) {
                    (0, file) => file as u8,
                    (1, 0 | 1) => 4,
                    (1, _) => 5,
                    (2 | 3, _) => 6,
                    _ => 7,
                };
                (8, map(bucket))
            }
            Self::Sixteen => {
                let bucket = |rank, file| match rank {
                    0 | 1 => 4 * rank + file,
                    2 | 3 => 4 + 2 * rank + file / 2,
                    _ => 8 + 2 * (rank / 2) + file / 2,
                } as u8;
                (16, map(bucket))
            }
        }
    }
}

/// The settings that determine a run, besides the data, the network's shape and the scale.
#[derive(Clone, Copy, Debug, clap::Args, Serialize)]
pub(super) struct Hyperparameters {
    /// Passes over all positions
    #[arg(long, default_value = "14")]
    pub(super) epochs: NonZeroUsize,
    /// Positions per optimizer step
    #[arg(long, default_value = "1024")]
    pub(super) batch: NonZeroUsize,
    /// Initial learning rate; it falls along a cosine to a hundredth
    #[arg(long, default_value_t = 0.001, value_parser = within(1e-9, 1.0))]
    pub(super) rate: f64,
    /// Weight decay, towards zero or the network to start from
    #[arg(long, default_value_t = 0.15, value_parser = within(0.0, 100.0))]
    pub(super) decay: f64,
    /// Adam's ε: weights whose gradients are smaller take smaller steps
    #[arg(long, default_value_t = 1e-8, value_parser = within(1e-9, 1.0))]
    pub(super) epsilon: f64,
    /// Steps of the weights of a single king bucket, relative to those that all buckets share
    #[arg(long, default_value_t = 1.0, value_parser = within(0.0, 1.0))]
    pub(super) bucket_rate: f64,
    /// Steps of the attack layer, which does not decay, relative to those of the other weights
    #[arg(long, default_value_t = 1.0, value_parser = within(0.0, 1e9))]
    pub(super) attack_rate: f64,
    /// Weight of the game result in the target, from 0 to 1; the score has the rest
    #[arg(long, default_value_t = 0.0, value_parser = within(0.0, 1.0))]
    pub(super) wdl: f64,
    /// Weight of the later scores of the game in a position's score, TD(λ), from 0 to 0.99
    #[arg(long, default_value_t = 0.0, value_parser = within(0.0, 0.99), requires = "scale")]
    pub(super) lambda: f64,
    /// Power of the error that is the loss; above 2, large errors count for more
    #[arg(long, default_value_t = 2.0, value_parser = within(1.5, 4.0))]
    pub(super) power: f64,
    /// Weight of predictions above the target, relative to those below
    #[arg(long, default_value_t = 1.0, value_parser = within(0.2, 5.0))]
    pub(super) above: f64,
    /// Random seed of the initial weights and the order of positions
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

/// Parses a number within a range.
fn within(low: f64, high: f64) -> impl Fn(&str) -> Result<f64> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| (low..=high).contains(number));
        number.with_context(|| format!("expected a number from {low:?} to {high:?}"))
    }
}

/// Share of the initial learning rate after a share of the run: a cosine from 1 to a hundredth.
pub(super) fn schedule(progress: f64) -> f64 {
    const LAST: f64 = 0.01;
    let wave = (1.0 + (progress * std::f64::consts::PI).cos()) / 2.0;
    LAST + (1.0 - LAST) * wave
}

impl Args {
    pub(super) fn shape(&self) -> Result<Shape> {
        let (buckets, map) = self.king_buckets.map();
        let shape = Shape::new(self.hidden, buckets, self.output_buckets, map)
            .and_then(|shape| shape.with_attack_neurons(self.attack_neurons));
        shape.map_err(|error| anyhow!("invalid network shape: {error}"))
    }

    pub(super) fn threads(&self) -> usize {
        let threads = self
            .threads
            .or_else(|| std::thread::available_parallelism().ok());
        threads.map_or(1, NonZeroUsize::get)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn king_buckets_are_all_used() {
        for buckets in KingBuckets::value_variants() {
            let (count, map) = buckets.map();
            let shape = Shape::new(64, count, 8, map).unwrap();
            for bucket in 0..count {
                assert!((0..64).any(|square| usize::from(shape.king_map()[square]) == bucket));
            }
        }
    }

    #[test]
    fn learning_rate_falls_to_a_hundredth() {
        let rates: Vec<f64> = (0..=100)
            .map(|step| schedule(f64::from(step) / 100.0))
            .collect();
        assert!((rates[0] - 1.0).abs() < 1e-9 && (rates[100] - 0.01).abs() < 1e-9);
        assert!(rates.is_sorted_by(|before, after| before >= after));
    }
}
