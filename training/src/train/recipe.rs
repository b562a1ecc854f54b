//! Recipes: the text file beside a network with everything needed to train it again.
//!
//! A checkpoint stores the recipe and a run resumes only under the same one, so a change of its
//! text makes unfinished runs impossible to resume.

use super::trainer::{EpochStats, Hyperparameters};
use crate::data::Filter;
use common::files::FileError;
use search::nnue::Shape;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A file of games, identified by its contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DataFile {
    name: String,
    bytes: u64,
    checksum: u32,
}

impl DataFile {
    pub(super) fn read(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path).map_err(FileError::read(path))?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let (mut bytes, mut hasher) = (0, crc32fast::Hasher::new());
        loop {
            let piece = file.fill_buf().map_err(FileError::read(path))?;
            if piece.is_empty() {
                break;
            }
            hasher.update(piece);
            let length = piece.len();
            bytes += length as u64;
            file.consume(length);
        }
        Ok(Self {
            name: file_name(path),
            bytes,
            checksum: hasher.finalize(),
        })
    }
}

/// Everything that determines the result of a run except the number of threads.
#[derive(Clone, Debug)]
pub(super) struct Recipe<'a> {
    pub(super) files: Vec<DataFile>,
    pub(super) games: usize,
    pub(super) train: usize,
    pub(super) validation: usize,
    pub(super) validation_percent: u32,
    /// Recipes of the games.
    pub(super) data_recipes: &'a [String],
    pub(super) filter: &'a Filter,
    pub(super) shape: &'a Shape,
    pub(super) scale: u16,
    pub(super) wdl: f64,
    pub(super) parameters: Hyperparameters,
}

/// As TOML.
impl fmt::Display for Recipe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "program = \"castellan-train {}\"",
            env!("CARGO_PKG_VERSION")
        )?;
        let shape = self.shape;
        writeln!(f, "\n[network]")?;
        writeln!(f, "hidden = {}", shape.hidden())?;
        writeln!(f, "king_buckets = {}", shape.king_buckets())?;
        writeln!(f, "king_map = {:?}", shape.king_map())?;
        writeln!(f, "output_buckets = {}", shape.output_buckets())?;
        writeln!(f, "scale = {}", self.scale)?;
        let parameters = self.parameters;
        writeln!(f, "\n[training]")?;
        writeln!(f, "epochs = {}", parameters.epochs)?;
        writeln!(f, "batch = {}", parameters.batch)?;
        writeln!(f, "rate = {}", parameters.learning_rate)?;
        writeln!(f, "fall = \"{:?}\"", parameters.fall)?;
        writeln!(f, "decay = {}", parameters.weight_decay)?;
        writeln!(f, "wdl = {}", self.wdl)?;
        writeln!(f, "seed = {}", parameters.seed)?;
        writeln!(f, "\n[data]")?;
        writeln!(f, "from_ply = {}", self.filter.from_ply)?;
        writeln!(f, "score_within = {}", self.filter.score_within)?;
        writeln!(f, "keep_noisy = {}", self.filter.keep_noisy)?;
        writeln!(f, "validation_percent = {}", self.validation_percent)?;
        writeln!(f, "games = {}", self.games)?;
        writeln!(f, "train_positions = {}", self.train)?;
        writeln!(f, "validation_positions = {}", self.validation)?;
        for recipe in self.data_recipes {
            writeln!(f, "\n[[data.recipe]]\ntext = {}", quoted(recipe))?;
        }
        for file in &self.files {
            writeln!(f, "\n[[data.file]]")?;
            writeln!(f, "name = {}", quoted(&file.name))?;
            writeln!(f, "bytes = {}", file.bytes)?;
            writeln!(f, "crc32 = \"{:08x}\"", file.checksum)?;
        }
        Ok(())
    }
}

impl Recipe<'_> {
    /// On one line, for the header of the network.
    pub(super) fn description(&self) -> String {
        let (shape, parameters) = (self.shape, self.parameters);
        format!(
            "{shape}, {} king bucket(s); {} positions of {} games; {} epochs of batches of {}, \
             rate {} {:?}, decay {}, wdl {}, seed {}; castellan-train {}",
            shape.king_buckets(),
            self.train,
            self.games,
            parameters.epochs,
            parameters.batch,
            parameters.learning_rate,
            parameters.fall,
            parameters.weight_decay,
            self.wdl,
            parameters.seed,
            env!("CARGO_PKG_VERSION"),
        )
    }
}

/// What a finished run appends to its recipe.
pub(super) fn result(last: Option<&EpochStats>, network: &Path, rounding: &str) -> String {
    let mut text = format!("\n[result]\nnetwork = {}\n", quoted(&file_name(network)));
    // Writing to a string does not fail.
    if let Some(last) = last {
        let _ = writeln!(text, "train_loss = {}", last.train);
        if let Some(loss) = last.validation {
            let _ = writeln!(text, "validation_loss = {loss}");
        }
    }
    let _ = writeln!(text, "rounding = {}", quoted(rounding));
    text
}

/// The first lines in which two recipes differ.
pub(super) fn difference<'a>(one: &'a str, other: &'a str) -> Option<(&'a str, &'a str)> {
    let (mut one, mut other) = (one.lines(), other.lines());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return None,
            (one, other) if one == other => {}
            (one, other) => return Some((one.unwrap_or_default(), other.unwrap_or_default())),
        }
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
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
