//! The command line of `castellan-train train`.

use super::simd::Kernel;
use super::trainer::{Fall, Hyperparameters};
use crate::data::Filter;
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
    /// Share of the games held out for validation, in percent
    #[arg(long, default_value_t = 2, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..100))]
    pub(super) validation: u32,
    /// Neurons per perspective, a multiple of 64
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// Sets of feature weights, selected by the king's square
    #[arg(long, value_enum, default_value = "1")]
    king_buckets: KingBuckets,
    /// Sets of output weights, selected by the number of pieces
    #[arg(long, default_value_t = 8)]
    output_buckets: usize,
    /// Passes over all positions
    #[arg(long, default_value = "14")]
    epochs: NonZeroUsize,
    /// Positions per optimiser step
    #[arg(long, default_value = "1024")]
    batch: NonZeroUsize,
    /// Initial learning rate; it falls to a hundredth
    #[arg(long, default_value_t = 0.001, value_parser = learning_rate)]
    rate: f64,
    /// Learning-rate schedule
    #[arg(long, value_enum, default_value = "cosine")]
    fall: Fall,
    /// Weight decay
    #[arg(long, default_value_t = 0.15, value_parser = share)]
    decay: f64,
    /// Weight of the game result in the target, 0 to 1; the rest is the score
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    pub(super) wdl: f64,
    /// Score units per logit [default: fitted to the games]
    #[arg(long, value_name = "UNITS")]
    pub(super) scale: Option<NonZeroU16>,
    /// Seed of the initial weights and of the order of positions
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Number of threads [default: one per core]
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// SIMD instructions: plain, avx2 or avx512 [default: the fastest supported]
    #[arg(long)]
    pub(super) kernel: Option<Kernel>,
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
}

impl KingBuckets {
    /// The number of buckets, and the bucket of each square.
    fn map(self) -> (usize, [u8; 64]) {
        let bucket = |square: usize| match (square / 8, square % 8) {
            (0, 0 | 1 | 6 | 7) => 0,
            (0, _) => 1,
            (1, _) => 2,
            _ => 3,
        };
        match self {
            Self::One => (1, [0; 64]),
            Self::Four => (4, std::array::from_fn(bucket)),
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn learning_rate(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1e-9..=1.0).contains(number));
    number.ok_or_else(|| "expected a number greater than 0 and at most 1".to_owned())
}

impl Args {
    pub(super) fn shape(&self) -> Result<Shape, ShapeError> {
        let (buckets, map) = self.king_buckets.map();
        Shape::new(self.hidden, buckets, self.output_buckets, map)
    }

    pub(super) fn hyperparameters(&self) -> Hyperparameters {
        Hyperparameters {
            epochs: self.epochs.get(),
            batch: self.batch.get(),
            learning_rate: self.rate,
            fall: self.fall,
            weight_decay: self.decay,
            seed: self.seed,
        }
    }

    pub(super) fn threads(&self) -> usize {
        let threads = self
            .threads
            .or_else(|| std::thread::available_parallelism().ok());
        threads.map_or(1, NonZeroUsize::get)
    }
}
