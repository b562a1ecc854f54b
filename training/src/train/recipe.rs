//! Recipes: the text file beside a network with everything needed to train it again.
//!
//! A checkpoint stores the recipe and a run resumes only under the same one, so a change of its
//! text makes unfinished runs impossible to resume.

use super::options::Args;
use super::trainer::EpochStats;
use crate::data::Dataset;
use common::files::FileError;
use flate2::CrcReader;
use search::nnue::Shape;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader};
use std::iter;
use std::path::Path;

const PROGRAM: &str = concat!("castellan-train ", env!("CARGO_PKG_VERSION"));

/// Everything that determines the result of a run, as TOML.
pub(super) fn recipe(
    args: &Args,
    dataset: &Dataset,
    shape: &Shape,
    scale: u16,
) -> Result<String, FileError> {
    let (parameters, filter) = (&args.parameters, &args.filter);
    let mut text = format!("program = {}\n", quoted(PROGRAM));
    text += &section(
        "[network]",
        &[
            ("hidden", &shape.hidden()),
            ("king_buckets", &shape.king_buckets()),
            ("king_map", &format!("{:?}", shape.king_map())),
            ("output_buckets", &shape.output_buckets()),
            ("scale", &scale),
        ],
    );
    text += &section(
        "[training]",
        &[
            ("epochs", &parameters.epochs),
            ("batch", &parameters.batch),
            ("rate", &parameters.rate),
            ("fall", &quoted(&format!("{:?}", parameters.fall))),
            ("decay", &parameters.decay),
            ("wdl", &parameters.wdl),
            ("seed", &parameters.seed),
            // Not so in earlier versions, whose runs cannot be resumed.
            ("rounded_weights_in_passes", &true),
        ],
    );
    text += &section(
        "[data]",
        &[
            ("from_ply", &filter.from_ply),
            ("score_within", &filter.score_within),
            ("keep_noisy", &filter.keep_noisy),
            ("validation_percent", &args.split.validation),
            ("share_percent", &args.split.share),
            ("games", &dataset.games),
            ("train_positions", &dataset.train.len()),
            ("validation_positions", &dataset.validation.len()),
        ],
    );
    for recipe in &dataset.recipes {
        text += &section("[[data.recipe]]", &[("text", &quoted(recipe))]);
    }
    let init = args.init.iter().map(|path| ("[init]", path));
    let files = args.files.iter().map(|path| ("[[data.file]]", path));
    for (heading, path) in init.chain(files) {
        let (bytes, crc) = fingerprint(path).map_err(FileError::read(path))?;
        text += &section(
            heading,
            &[
                ("name", &quoted(&file_name(path))),
                ("bytes", &bytes),
                ("crc32", &format!("\"{crc:08x}\"")),
            ],
        );
    }
    Ok(text)
}

/// The recipe on one line, for the header of the network.
pub(super) fn description(args: &Args, dataset: &Dataset, shape: &Shape) -> String {
    let parameters = &args.parameters;
    let init = args.init.as_deref().map(file_name);
    format!(
        "{shape}, {} king bucket(s); {}{} positions of {} games; {} epochs of batches of {}, \
         rate {} {:?}, decay {}, wdl {}, seed {}; {PROGRAM}",
        shape.king_buckets(),
        init.map_or_else(String::new, |name| format!("from {name}; ")),
        dataset.train.len(),
        dataset.games,
        parameters.epochs,
        parameters.batch,
        parameters.rate,
        parameters.fall,
        parameters.decay,
        parameters.wdl,
        parameters.seed,
    )
}

/// What a finished run appends to its recipe.
pub(super) fn result(last: Option<&EpochStats>, network: &Path, rounding: &str) -> String {
    let (network, rounding) = (quoted(&file_name(network)), quoted(rounding));
    let mut rows: Vec<(&str, &dyn Display)> = vec![("network", &network)];
    if let Some(last) = last {
        rows.push(("train_loss", &last.train));
        if let Some(loss) = &last.validation {
            rows.push(("validation_loss", loss));
        }
    }
    rows.push(("rounding", &rounding));
    section("[result]", &rows)
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

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A TOML table.
fn section(heading: &str, rows: &[(&str, &dyn Display)]) -> String {
    let rows = rows.iter().map(|(key, value)| format!("{key} = {value}\n"));
    format!("\n{heading}\n{}", rows.collect::<String>())
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            other if other.is_control() => quoted.push(' '),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
