//! The command line of `castellan-train train`.

use crate::data::{Filter, Split};
use search::nnue::{Shape, ShapeError};
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Network file to write; checkpoint, losses and recipe go beside it
    #[arg(long, value_name = "NET")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    pub(super) filter: Filter,
    #[command(flatten)]
    pub(super) split: Split,
    /// Neurons per perspective, a multiple of 64
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// Sets of feature weights, selected by the king's square
    #[arg(long, value_enum, default_value = "1")]
    king_buckets: KingBuckets,
    /// Sets of output weights, selected by the number of pieces
    #[arg(long, default_value_t = 8)]
    output_buckets: usize,
    /// Start from the weights of a network, no wider than this one [default: random weights]
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
    /// Resume from the checkpoint beside the network
    #[arg(long)]
    pub(super) resume: bool,
    /// Save a checkpoint every so many epochs
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
        }
    }
}

/// What determines a run, besides the data, the network's shape and the scale.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Hyperparameters {
    /// Passes over all positions
    #[arg(long, default_value = "14")]
    pub(super) epochs: NonZeroUsize,
    /// Positions per optimiser step
    #[arg(long, default_value = "1024")]
    pub(super) batch: NonZeroUsize,
    /// Initial learning rate; it falls to a hundredth
    #[arg(long, default_value_t = 0.001, value_parser = within(1e-9, 1.0))]
    pub(super) rate: f64,
    /// Learning-rate schedule
    #[arg(long, value_enum, default_value = "cosine")]
    pub(super) fall: Fall,
    /// Weight decay
    #[arg(long, default_value_t = 0.15, value_parser = within(0.0, 1.0))]
    pub(super) decay: f64,
    /// Weight of the game result in the target, 0 to 1; the rest is the score
    #[arg(long, default_value_t = 0.0, value_parser = within(0.0, 1.0))]
    pub(super) wdl: f64,
    /// Seed of the initial weights and of the order of positions
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

/// Parses a number within a range.
fn within(low: f64, high: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| (low..=high).contains(number));
        number.ok_or_else(|| format!("expected a number from {low:?} to {high:?}"))
    }
}

/// Learning-rate schedule, from the initial rate to a hundredth of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Fall {
    /// Half a cosine wave
    Cosine,
    /// To a tenth after three fifths of the run, to a hundredth after six sevenths
    Step,
}

impl Fall {
    /// Share of the initial learning rate after a share of the run.
    pub(super) fn at(self, progress: f64) -> f64 {
        const LAST: f64 = 0.01;
        match self {
            Self::Cosine => {
                let wave = (1.0 + (progress * std::f64::consts::PI).cos()) / 2.0;
                LAST + (1.0 - LAST) * wave
            }
            Self::Step if progress < 3.0 / 5.0 => 1.0,
            Self::Step if progress < 6.0 / 7.0 => 0.1,
            Self::Step => LAST,
        }
    }
}

impl Args {
    pub(super) fn shape(&self) -> Result<Shape, ShapeError> {
        let (buckets, map) = self.king_buckets.map();
        Shape::new(self.hidden, buckets, self.output_buckets, map)
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

    #[test]
    fn king_buckets_are_all_used() {
        for buckets in [KingBuckets::One, KingBuckets::Four, KingBuckets::Eight] {
            let (count, map) = buckets.map();
            let shape = Shape::new(64, count, 8, map).unwrap();
            for bucket in 0..count {
                assert!((0..64).any(|square| usize::from(shape.king_map()[square]) == bucket));
            }
        }
    }

    #[test]
    fn learning_rate_falls_to_a_hundredth() {
        for fall in [Fall::Cosine, Fall::Step] {
            let rates: Vec<f64> = (0..=100)
                .map(|step| fall.at(f64::from(step) / 100.0))
                .collect();
            assert!((rates[0] - 1.0).abs() < 1e-9 && (rates[100] - 0.01).abs() < 1e-9);
            assert!(rates.is_sorted_by(|before, after| before >= after));
        }
    }
}
