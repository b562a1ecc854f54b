//! `castellan-train fit-wdl`: the win-rate model of `search::wdl`, fitted to games.
//!
//! The model says how often a position is won, drawn and lost, by its value and the material
//! left. Found are the numbers that make the games most likely; to be put in place by hand.

mod climb;
mod counts;

use crate::data::{Chunk, Chunks, DataError, Filter};
use counts::{Counts, LARGEST_VALUE, Outcome};
use rayon::prelude::*;
use search::wdl::Model;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Leave out positions before this ply of the game
    #[arg(long, default_value_t = 16, value_name = "PLY")]
    from_ply: usize,
}

#[derive(Debug, Error)]
pub enum FitError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("the files have no position from ply {from_ply} on to fit the model to")]
    Empty { from_ply: usize },
    #[error("what was found cannot be written: {0}")]
    Output(#[from] io::Error),
}

pub fn run(args: &Args) -> Result<(), FitError> {
    let filter = Filter {
        from_ply: args.from_ply,
        score_within: LARGEST_VALUE,
        keep_noisy: true,
    };
    let mut counts = Counts::default();
    for path in &args.files {
        count_file(path, &filter, &mut counts)?;
    }
    if counts.is_empty() {
        return Err(FitError::Empty {
            from_ply: args.from_ply,
        });
    }
    let model = climb::fit(&counts, Model::PRESENT);
    report(&mut io::stdout().lock(), &model, &counts)?;
    Ok(())
}

fn count_file(path: &Path, filter: &Filter, counts: &mut Counts) -> Result<(), DataError> {
    let mut chunks = Chunks::open(path)?;
    loop {
        let some = chunks.by_ref().take(4 * rayon::current_num_threads());
        let some: Vec<Chunk> = some.collect::<Result<_, _>>()?;
        if some.is_empty() {
            return Ok(());
        }
        let parts = some.par_iter().map(|chunk| {
            let mut counts = Counts::default();
            for game in &chunk.games()? {
                counts.add(game, filter);
            }
            Ok(counts)
        });
        for part in parts.collect::<Result<Vec<_>, DataError>>()? {
            counts.merge(part);
        }
    }
}

/// The numbers as the source has them, and how the model compares with what happened.
fn report(out: &mut impl Write, model: &Model, counts: &Counts) -> io::Result<()> {
    for (name, (constant, slope)) in [("middle", model.middle), ("width", model.width)] {
        writeln!(out, "{name}: ({constant:.1}, {slope:.1}),")?;
    }
    writeln!(
        out,
        "\n      value   positions   won: games / model   drawn: games / model"
    )?;
    for (low, row) in rows(model, counts) {
        let Row {
            times,
            happened,
            expected,
        } = row;
        let share = |part: f64| 100.0 * part / times;
        writeln!(
            out,
            "{low:>6} .. {:>4} {times:>10} {:>10.1}% / {:>5.1}% {:>13.1}% / {:>5.1}%",
            low + ROW - 1,
            share(happened[0]),
            share(expected[0]),
            share(happened[1]),
            share(expected[1]),
        )?;
    }
    Ok(())
}

/// Values to a row, and how far rows go.
const ROW: i32 = 100;
const LAST_ROW: i32 = 500;

#[derive(Clone, Copy, Default)]
struct Row {
    times: f64,
    /// Won and drawn.
    happened: [f64; 2],
    /// The same by the model.
    expected: [f64; 2],
}

fn rows(model: &Model, counts: &Counts) -> BTreeMap<i32, Row> {
    let mut rows = BTreeMap::new();
    for (&(material, value), outcomes) in counts.iter() {
        let low = value.div_euclid(ROW) * ROW;
        if !(-LAST_ROW..LAST_ROW).contains(&low) {
            continue;
        }
        let chances = climb::chances(model, material, value);
        let times = outcomes.iter().sum::<u64>() as f64;
        let row: &mut Row = rows.entry(low).or_default();
        row.times += times;
        for outcome in [Outcome::Won, Outcome::Drawn] {
            row.happened[outcome as usize] += outcomes[outcome as usize] as f64;
            row.expected[outcome as usize] += chances[outcome as usize] * times;
        }
    }
    rows
}
