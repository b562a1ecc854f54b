//! Recipes: the text file next to a network with everything needed to train it again.
//!
//! A checkpoint stores the recipe, and a run resumes only with the same one: after a change of its
//! text, unfinished runs cannot be resumed.

use super::options::{Args, Hyperparameters};
use super::trainer::EpochStats;
use crate::data::Dataset;
use crate::scorer::file_name;
use anyhow::Result;
use common::files::FileError;
use flate2::CrcReader;
use search::nnue::Shape;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufReader};
use std::iter;
use std::path::Path;

const PROGRAM: &str = concat!("castellan-train ", env!("CARGO_PKG_VERSION"));

#[derive(Serialize)]
struct Recipe<'a> {
    program: &'a str,
    network: NetworkTable<'a>,
    training: Hyperparameters,
    data: DataTable<'a>,
    init: Option<FileTable>,
}

#[derive(Serialize)]
struct NetworkTable<'a> {
    hidden: usize,
    king_buckets: usize,
    king_map: &'a [u8],
    output_buckets: usize,
    attack_neurons: usize,
    scale: u16,
}

#[derive(Serialize)]
struct DataTable<'a> {
    from_ply: usize,
    score_within: i16,
    keep_noisy: bool,
    validation_percent: u32,
    share_percent: u32,
    games: usize,
    train_positions: usize,
    validation_positions: usize,
    recipe: Vec<GamesTable<'a>>,
    file: Vec<FileTable>,
}

/// The settings games were made with.
#[derive(Serialize)]
struct GamesTable<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct FileTable {
    name: String,
    bytes: u64,
    crc32: String,
}

impl FileTable {
    fn new(path: &Path) -> Result<Self, FileError> {
        let (bytes, crc) = fingerprint(path).map_err(FileError::read(path))?;
        Ok(Self {
            name: file_name(path),
            bytes,
            crc32: format!("{crc:08x}"),
        })
    }
}

/// Everything that determines the result of a run, as TOML.
pub(super) fn recipe(args: &Args, dataset: &Dataset, shape: &Shape, scale: u16) -> Result<String> {
    let init = args.init.as_deref().map(FileTable::new).transpose()?;
    let files = args.files.iter().map(|path| FileTable::new(path));
    let recipes = dataset.recipes.iter();
    Ok(toml::to_string(&Recipe {
        program: PROGRAM,
        network: NetworkTable {
            hidden: shape.hidden(),
            king_buckets: shape.king_buckets(),
            king_map: shape.king_map(),
            output_buckets: shape.output_buckets(),
            attack_neurons: shape.attack_neurons(),
            scale,
        },
        training: args.parameters,
        data: DataTable {
            from_ply: args.filter.from_ply,
            score_within: args.filter.score_within,
            keep_noisy: args.filter.keep_noisy,
            validation_percent: args.split.validation,
            share_percent: args.split.share,
            games: dataset.games,
            train_positions: dataset.train.len(),
            validation_positions: dataset.validation.len(),
            recipe: recipes.map(|text| GamesTable { text }).collect(),
            file: files.collect::<Result<_, _>>()?,
        },
        init,
    })?)
}

/// The recipe on one line, for the header of the network.
pub(super) fn description(args: &Args, dataset: &Dataset, shape: &Shape) -> String {
    let parameters = &args.parameters;
    let init = args.init.as_deref().map(file_name);
    format!(
        "{shape}, {} king bucket(s); {}{} positions of {} games; {} epochs of batches of {}, \
         rate {}, bucket rate {}, attack rate {}, decay {}, epsilon {:e}, wdl {}, lambda {}, power {}, above {}, \
         seed {}; {PROGRAM}",
        shape.king_buckets(),
        init.map_or_else(String::new, |name| format!("from {name}; ")),
        dataset.train.len(),
        dataset.games,
        parameters.epochs,
        parameters.batch,
        parameters.rate,
        parameters.bucket_rate,
        parameters.attack_rate,
        parameters.decay,
        parameters.epsilon,
        parameters.wdl,
        parameters.lambda,
        parameters.power,
        parameters.above,
        parameters.seed,
    )
}

/// The results that a finished run appends to its recipe.
#[derive(Serialize)]
struct Finished<'a> {
    result: ResultTable<'a>,
}

#[derive(Serialize)]
struct ResultTable<'a> {
    network: String,
    train_loss: Option<f64>,
    validation_loss: Option<f64>,
    rounding: &'a str,
}

/// The recipe of a finished run, with its result.
pub(super) fn with_result(
    recipe: &str,
    last: Option<&EpochStats>,
    network: &Path,
    rounding: &str,
) -> Result<String> {
    let result = toml::to_string(&Finished {
        result: ResultTable {
            network: file_name(network),
            train_loss: last.map(|stats| stats.train),
            validation_loss: last.and_then(|stats| stats.validation),
            rounding,
        },
    })?;
    Ok(format!("{recipe}\n{result}"))
}

/// The first lines in which two recipes differ.
pub(super) fn difference<'a>(one: &'a str, other: &'a str) -> Option<(&'a str, &'a str)> {
    let lines = one.lines().count().max(other.lines().count());
    let padded = |text: &'a str| text.lines().chain(iter::repeat(""));
    let mut pairs = padded(one).zip(padded(other)).take(lines);
    pairs.find(|(one, other)| one != other)
}

/// Length and CRC-32 of a file.
fn fingerprint(path: &Path) -> io::Result<(u64, u32)> {
    let mut reader = CrcReader::new(BufReader::new(File::open(path)?));
    let bytes = io::copy(&mut reader, &mut io::sink())?;
    Ok((bytes, reader.crc().sum()))
}
