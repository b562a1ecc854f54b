//! The command line of a training run.

use super::simd::Kernel;
use super::trainer::{Fall, Plan};
use crate::data::Filter;
use search::nnue::{Shape, ShapeError};
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// The network to write; checkpoint, losses and recipe go beside it
    #[arg(long, value_name = "NET")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    pub(super) filter: Filter,
    /// Of a hundred games, how many are not learnt from but looked at after every epoch
    #[arg(long, default_value_t = 2, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..100))]
    pub(super) validation: u32,
    /// Neurons for each side, a multiple of 64
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// Sets of feature weights, chosen by where the king stands
    #[arg(long, value_enum, default_value = "1")]
    king_buckets: Kings,
    /// Sets of output weights, chosen by how many men there are
    #[arg(long, default_value_t = 8)]
    output_buckets: usize,
    /// How often all positions are learnt from
    #[arg(long, default_value = "14")]
    epochs: NonZeroUsize,
    /// Positions to a step
    #[arg(long, default_value = "1024")]
    batch: NonZeroUsize,
    /// Learning rate at the beginning; at the end it is a hundredth of that
    #[arg(long, default_value_t = 0.001, value_parser = positive)]
    rate: f64,
    /// How the learning rate falls
    #[arg(long, value_enum, default_value = "cosine")]
    fall: Fall,
    /// Weight decay
    #[arg(long, default_value_t = 0.15, value_parser = share)]
    decay: f64,
    /// The part of the game's result in what is learnt; the rest is the score
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    pub(super) wdl: f64,
    /// Units of the score in one logit; default: fitted to the games
    #[arg(long, value_name = "UNITS")]
    pub(super) scale: Option<NonZeroU16>,
    /// Other first weights, another order of the positions
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Default: one for each core
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// plain, avx2 or avx512; default: the best this processor has
    #[arg(long)]
    pub(super) kernel: Option<Kernel>,
    /// Go on from the checkpoint beside the network
    #[arg(long)]
    pub(super) resume: bool,
    /// Epochs from one checkpoint to the next
    #[arg(long, default_value = "1", value_name = "EPOCHS")]
    pub(super) save_every: NonZeroUsize,
}

/// How squares are put together to king buckets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Kings {
    /// All alike
    #[value(name = "1")]
    One,
    /// The corner of the first rank, its middle, the second rank, all others
    #[value(name = "4")]
    Four,
}

impl Kings {
    /// How many buckets, and the bucket of each square.
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
    let number = text
        .parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("'{text}' is no number from 0 to 1"))
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1e-9..=1.0).contains(number));
    number.ok_or_else(|| format!("'{text}' is no number above 0 and up to 1"))
}

impl Args {
    pub(super) fn shape(&self) -> Result<Shape, ShapeError> {
        let (buckets, map) = self.king_buckets.map();
        Shape::new(self.hidden, buckets, self.output_buckets, map)
    }

    pub(super) fn plan(&self) -> Plan {
        Plan {
            epochs: self.epochs.get(),
            batch: self.batch.get(),
            rate: self.rate,
            fall: self.fall,
            decay: self.decay,
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
