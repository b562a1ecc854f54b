//! `castellan-train train`: teaches a network on processor cores.
//!
//! Everything a run writes lies beside the network under its name: the checkpoint it can be
//! taken up from, the losses as table and plot, and the recipe. Two runs with the same recipe
//! and as many threads give the same network, bit for bit, interrupted or not.

mod adam;
mod backprop;
mod batch;
mod checkpoint;
mod loss;
mod options;
mod output;
mod quantise;
mod recipe;
mod simd;
#[cfg(test)]
mod tests;
mod trainer;
mod weights;

pub use checkpoint::CheckpointError;
pub use options::Args;
pub use quantise::{Args as QuantiseArgs, QuantiseError, RoundingError, run as run_quantise};
pub use simd::{Kernel, KernelError};
pub use trainer::Fall;

use crate::data::{self, DataError, Loaded};
use crate::replace::FileError;
use checkpoint::Checkpoint;
use indicatif::{ProgressBar, ProgressStyle};
use loss::Objective;
use output::{Paths, Record};
use rayon::ThreadPoolBuildError;
use recipe::{Recipe, Source};
use search::nnue::{Shape, ShapeError};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use thiserror::Error;
use trainer::{Course, Learner, Place, State};

#[derive(Debug, Error)]
pub enum TrainError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}: {source}", path.display())]
    Checkpoint {
        path: PathBuf,
        source: CheckpointError,
    },
    #[error("there is no such network: {0}")]
    Shape(#[from] ShapeError),
    #[error(
        "{} cannot be the network: the run's other files have its name with the endings checkpoint, \
         csv, svg and toml; a name such as gen1.net is free",
        path.display()
    )]
    Name { path: PathBuf },
    #[error("there is no checkpoint {} to resume; without --resume a run begins", path.display())]
    NothingToResume { path: PathBuf },
    #[error(
        "{} belongs to a run stopped in epoch {epoch}; --resume goes on with it, and without that \
         file a new run begins",
        path.display()
    )]
    Unfinished { path: PathBuf, epoch: usize },
    #[error("the checkpoint is of another run: it has \"{theirs}\" where this one has \"{ours}\"")]
    OtherRun { theirs: String, ours: String },
    #[error(
        "the results of these games do not follow their scores; --scale must say how many units \
         a logit is worth"
    )]
    Scale,
    #[error("no threads to train on: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    #[error(transparent)]
    Rounding(#[from] RoundingError),
    #[error("what there is to say cannot be written: {0}")]
    Output(#[from] io::Error),
}

impl TrainError {
    fn checkpoint(path: &Path) -> impl Fn(CheckpointError) -> Self + '_ {
        move |source| Self::Checkpoint {
            path: path.to_path_buf(),
            source,
        }
    }
}

/// Trains, from the beginning or from a checkpoint, until the end or told to stop.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<(), TrainError> {
    run_telling(args, stop, &mut io::stdout().lock())
}

fn run_telling(args: &Args, stop: &AtomicBool, say: &mut impl Write) -> Result<(), TrainError> {
    let shape = args.shape()?;
    let paths = Paths::beside(&args.out).ok_or_else(|| TrainError::Name {
        path: args.out.clone(),
    })?;
    let earlier = earlier(args, &paths.checkpoint)?;
    let loaded = load(args)?;
    let (train, validation) = (&loaded.train, &loaded.validation);
    let (all, aside) = (train.len() + validation.len(), validation.len());
    let games = loaded.games;
    writeln!(
        say,
        "{all} positions of {games} games, {aside} of them for validation"
    )?;
    let scale = scale(args, &loaded)?;
    let how = if args.scale.is_some() {
        "as told"
    } else {
        "fitted"
    };
    writeln!(say, "a logit is worth {scale} units of the score, {how}")?;

    let record = record(args, paths, &loaded, shape, scale)?;
    let (place, rows, state) = match earlier {
        Some(checkpoint) => {
            same_run(&checkpoint.recipe, &record.recipe)?;
            (checkpoint.place, checkpoint.rows, checkpoint.state)
        }
        None => (Place::default(), Vec::new(), State::new(&shape, args.seed)),
    };
    let objective = Objective {
        wdl: args.wdl as f32,
        scale: f32::from(scale),
    };
    let (kernel, threads) = (args.kernel.unwrap_or_else(Kernel::best), args.threads());
    writeln!(say, "{shape}, kernel {kernel}, threads {threads}")?;
    let mut course = Course {
        plan: args.plan(),
        learner: Learner::new(shape, state, objective, kernel, threads)?,
        place,
        rows,
        train,
        validation,
    };
    record.begin()?;
    teach(&mut course, &record, args.save_every.get(), stop, say)?;
    if course.is_over() {
        let cost = record.finish(&mut course)?;
        writeln!(say, "{}: {cost}", args.out.display())?;
    } else {
        let epoch = course.place.epoch + 1;
        writeln!(
            say,
            "stopped in epoch {epoch}; the same command with --resume goes on"
        )?;
    }
    Ok(())
}

/// The checkpoint to go on from. One that is not over is not written over unasked.
fn earlier(args: &Args, path: &Path) -> Result<Option<Checkpoint>, TrainError> {
    let there = fs::exists(path).map_err(FileError::at(path))?;
    if !there {
        return if args.resume {
            Err(TrainError::NothingToResume {
                path: path.to_path_buf(),
            })
        } else {
            Ok(None)
        };
    }
    let checkpoint = Checkpoint::load(path).map_err(TrainError::checkpoint(path))?;
    if args.resume {
        Ok(Some(checkpoint))
    } else if checkpoint.is_over() {
        Ok(None)
    } else {
        Err(TrainError::Unfinished {
            path: path.to_path_buf(),
            epoch: checkpoint.place.epoch + 1,
        })
    }
}

fn same_run(theirs: &str, ours: &str) -> Result<(), TrainError> {
    match recipe::difference(theirs, ours) {
        None => Ok(()),
        Some((theirs, ours)) => Err(TrainError::OtherRun {
            theirs: theirs.to_owned(),
            ours: ours.to_owned(),
        }),
    }
}

fn load(args: &Args) -> Result<Loaded, DataError> {
    let sizes = args.files.iter().filter_map(|path| fs::metadata(path).ok());
    let bar = bar(
        sizes.map(|file| file.len()).sum(),
        "{bytes} of {total_bytes} read, {eta} to go",
    );
    let loaded = data::load(&args.files, &args.filter, args.validation, &|bytes| {
        bar.inc(bytes);
    });
    bar.finish_and_clear();
    loaded
}

/// As told, or fitted to the games.
fn scale(args: &Args, loaded: &Loaded) -> Result<u16, TrainError> {
    match args.scale {
        Some(scale) => Ok(scale.get()),
        // Between 1 and 65535, or none.
        None => loss::fit(&loaded.train)
            .map(|scale| scale.round() as u16)
            .ok_or(TrainError::Scale),
    }
}

fn record(
    args: &Args,
    paths: Paths,
    loaded: &Loaded,
    shape: Shape,
    scale: u16,
) -> Result<Record, TrainError> {
    let sources = args.files.iter().map(|path| Source::of(path));
    let recipe = Recipe {
        sources: sources.collect::<Result<_, _>>()?,
        games: loaded.games,
        train: loaded.train.len(),
        validation: loaded.validation.len(),
        validation_percent: args.validation,
        data_recipes: &loaded.recipes,
        filter: &args.filter,
        shape: &shape,
        scale,
        wdl: args.wdl,
        plan: args.plan(),
    };
    Ok(Record {
        paths,
        recipe: recipe.text(),
        description: recipe.description(),
        shape,
        scale,
    })
}

/// Epoch after epoch, each told in a line; ends with a checkpoint in any case.
fn teach(
    course: &mut Course<'_>,
    record: &Record,
    save_every: usize,
    stop: &AtomicBool,
    say: &mut impl Write,
) -> Result<(), TrainError> {
    writeln!(say, "{}", output::HEAD)?;
    for row in &course.rows {
        writeln!(say, "{}", row.line())?;
    }
    while !course.is_over() {
        let bar = bar(
            course.positions() as u64,
            "{pos} of {len} positions, {eta} to go",
        );
        let row = course.epoch(stop, |done| bar.set_position(done as u64));
        bar.finish_and_clear();
        let Some(row) = row else {
            break;
        };
        writeln!(say, "{}", row.line())?;
        say.flush()?;
        record.show(course)?;
        if course.place.epoch.is_multiple_of(save_every) {
            record.save(course)?;
        }
    }
    record.save(course)
}

/// Drawn on the error output, and only where somebody looks at it.
fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(&format!("{{wide_bar}} {template}")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
