//! How a network was made, as a text beside it: enough to make it again.

use super::output::Row;
use super::trainer::Plan;
use crate::data::Filter;
use crate::replace::FileError;
use search::nnue::Shape;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A file of games, known again by its contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Source {
    name: String,
    bytes: u64,
    checksum: u32,
}

impl Source {
    pub(super) fn of(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path).map_err(FileError::at(path))?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let (mut bytes, mut hasher) = (0, crc32fast::Hasher::new());
        loop {
            let piece = file.fill_buf().map_err(FileError::at(path))?;
            if piece.is_empty() {
                break;
            }
            hasher.update(piece);
            let length = piece.len();
            bytes += length as u64;
            file.consume(length);
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(Self {
            name: name.to_string_lossy().into_owned(),
            bytes,
            checksum: hasher.finalize(),
        })
    }
}

/// All that decides what becomes of a run, but for how many threads it has.
#[derive(Clone, Debug)]
pub(super) struct Recipe<'a> {
    pub(super) sources: Vec<Source>,
    pub(super) games: usize,
    pub(super) train: usize,
    pub(super) validation: usize,
    pub(super) validation_percent: u32,
    /// The recipes the games were made by.
    pub(super) data_recipes: &'a [String],
    pub(super) filter: &'a Filter,
    pub(super) shape: &'a Shape,
    pub(super) scale: u16,
    pub(super) wdl: f64,
    pub(super) plan: Plan,
}

impl Recipe<'_> {
    /// As TOML.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        let (shape, plan) = (self.shape, self.plan);
        let Filter {
            from_ply,
            score_within,
            keep_noisy,
        } = self.filter;
        writeln!(
            text,
            "program = \"castellan-train {}\"",
            env!("CARGO_PKG_VERSION")
        )?;
        writeln!(text, "\n[network]")?;
        writeln!(text, "hidden = {}", shape.hidden())?;
        writeln!(text, "king_buckets = {}", shape.king_buckets())?;
        writeln!(text, "king_map = {:?}", shape.king_map())?;
        writeln!(text, "output_buckets = {}", shape.output_buckets())?;
        writeln!(text, "scale = {}", self.scale)?;
        writeln!(text, "\n[training]")?;
        writeln!(text, "epochs = {}", plan.epochs)?;
        writeln!(text, "batch = {}", plan.batch)?;
        writeln!(text, "rate = {}", plan.rate)?;
        writeln!(text, "fall = \"{:?}\"", plan.fall)?;
        writeln!(text, "decay = {}", plan.decay)?;
        writeln!(text, "wdl = {}", self.wdl)?;
        writeln!(text, "seed = {}", plan.seed)?;
        writeln!(text, "\n[data]")?;
        writeln!(text, "from_ply = {from_ply}")?;
        writeln!(text, "score_within = {score_within}")?;
        writeln!(text, "keep_noisy = {keep_noisy}")?;
        writeln!(text, "validation_percent = {}", self.validation_percent)?;
        writeln!(text, "games = {}", self.games)?;
        writeln!(text, "train_positions = {}", self.train)?;
        writeln!(text, "validation_positions = {}", self.validation)?;
        for recipe in self.data_recipes {
            writeln!(text, "\n[[data.recipe]]\ntext = {}", quoted(recipe))?;
        }
        for source in &self.sources {
            writeln!(text, "\n[[data.file]]")?;
            writeln!(text, "name = {}", quoted(&source.name))?;
            writeln!(text, "bytes = {}", source.bytes)?;
            writeln!(text, "crc32 = \"{:08x}\"", source.checksum)?;
        }
        Ok(())
    }

    /// In a line, as the network carries it.
    pub(super) fn description(&self) -> String {
        let (shape, plan) = (self.shape, self.plan);
        format!(
            "{shape}, {} king bucket(s); {} positions of {} games; {} epochs of batches of {}, \
             rate {} {:?}, decay {}, wdl {}, seed {}; castellan-train {}",
            shape.king_buckets(),
            self.train,
            self.games,
            plan.epochs,
            plan.batch,
            plan.rate,
            plan.fall,
            plan.decay,
            self.wdl,
            plan.seed,
            env!("CARGO_PKG_VERSION"),
        )
    }
}

/// What is added to a recipe when the run is over.
pub(super) fn result(last: Option<&Row>, network: &Path, rounding: &str) -> String {
    let mut text = String::from("\n[result]\n");
    let name = network.file_name().unwrap_or(network.as_os_str());
    // Writing to a string does not fail.
    let _ = writeln!(text, "network = {}", quoted(&name.to_string_lossy()));
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
            (Some(one), Some(other)) if one == other => {}
            (one, other) => return Some((one.unwrap_or("nothing"), other.unwrap_or("nothing"))),
        }
    }
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
