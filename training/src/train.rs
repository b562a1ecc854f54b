//! `castellan-train train`: trains a network on the CPU.
//!
//! A run writes its files next to the network, under its name: the checkpoint, the losses as a
//! table, and the recipe. Two runs with the same recipe give the same network bit for
//! bit, interrupted or not, on any number of threads.

mod adam;
mod backprop;
mod batch;
mod checkpoint;
mod initial;
mod loss;
mod options;
mod quantize;
mod recipe;
mod run_files;
#[cfg(test)]
mod tests;
mod trainer;
mod weights;

pub use options::Args;
pub use quantize::{Args as QuantizeArgs, run as run_quantize};

use crate::data::{self, Blend, Dataset};
use crate::progress;
use crate::progress::output_error;
use anyhow::{Result, anyhow, bail};
use checkpoint::Checkpoint;
use common::files::{FileError, check_output};
use common::lock::OutputLock;
use loss::Objective;
use run_files::RunFiles;
use search::nnue::Simd;
use std::fs;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use trainer::{Run, RunProgress, TrainState, Trainer};

/// Trains from the start or from a checkpoint, to the end or until stopped.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<()> {
    let done = run_with_output(args, stop, &mut io::stdout().lock());
    done.map_err(|error| match error.downcast::<io::Error>() {
        Ok(error) => output_error(&error),
        Err(error) => error,
    })
}

fn run_with_output(args: &Args, stop: &AtomicBool, out: &mut impl Write) -> Result<()> {
    let shape = args.shape()?;
    let init = args.init.as_ref().map(|path| initial::load(path, &shape));
    let init = init.transpose()?;
    // All files of the run have its name.
    let checkpoint = run_files::checkpoint_path(&args.out)?;
    for output in run_files::all(&args.out) {
        check_output(&output, args.files.iter().chain(&args.init))?;
    }
    let _lock = OutputLock::acquire(&checkpoint)?;
    let checkpoint = earlier_checkpoint(args)?;
    if !args.resume && !args.force {
        run_files::refuse_existing(&args.out)?;
    }
    let dataset = load(args)?;
    let (train, validation) = (&dataset.train, &dataset.validation);
    writeln!(
        out,
        "{} positions of {} games, {} of them for validation",
        train.len() + validation.len(),
        dataset.games,
        validation.len()
    )?;
    let (scale, origin) = match args.scale {
        Some(scale) => (scale.get(), "given"),
        // Between 1 and 65535.
        None => match loss::fit_scale(train) {
            Some(scale) => (scale.round() as u16, "fitted"),
            None => {
                bail!(
                    "cannot fit the scale: results do not depend on scores in these games (use --scale)"
                );
            }
        },
    };
    writeln!(out, "a logit is {scale} score units ({origin})")?;

    let files = RunFiles {
        network: args.out.clone(),
        recipe: recipe::recipe(args, &dataset, &shape, scale)?,
        description: recipe::description(args, &dataset, &shape),
        shape,
        scale,
    };
    let seed = args.parameters.seed;
    let origin = init.map(|network| initial::from_network(&network, &shape, scale, seed));
    let (progress, history, state) = match checkpoint {
        Some(checkpoint) => {
            if let Some((theirs, ours)) = recipe::difference(&checkpoint.recipe, &files.recipe) {
                bail!("cannot resume: the checkpoint's run has '{theirs}', this one '{ours}'");
            }
            (checkpoint.progress, checkpoint.history, checkpoint.state)
        }
        None => {
            let weights = origin.clone();
            let weights = weights.unwrap_or_else(|| initial::random(&shape, seed));
            (
                RunProgress::default(),
                Vec::new(),
                TrainState::new(&shape, weights),
            )
        }
    };
    let objective = Objective {
        wdl: args.parameters.wdl as f32,
        scale: f32::from(scale),
        power: args.parameters.power as f32,
        above: args.parameters.above as f32,
    };
    let (simd, threads) = (Simd::best(), args.threads());
    writeln!(out, "{shape}, {simd}, {threads} threads")?;
    let mut trainer = Trainer::new(shape, state, objective, simd, threads)?;
    if let Some(origin) = origin {
        trainer = trainer.with_origin(origin);
    }
    let mut run = Run {
        parameters: args.parameters,
        trainer,
        progress,
        history,
        train,
        validation,
    };
    // From now on a killed run can be resumed.
    files.write_checkpoint(&run)?;
    files.write_recipe()?;
    let trained = train_epochs(&mut run, &files, args.save_every.get(), stop, out);
    // After an error too, such as that of the output.
    files.write_checkpoint(&run)?;
    trained?;
    if run.is_finished() {
        let rounding = files.write_network(&run)?;
        writeln!(out, "{}: {rounding}", args.out.display())?;
    } else {
        let epoch = run.progress.epoch + 1;
        writeln!(out, "stopped in epoch {epoch}; use --resume to continue")?;
    }
    Ok(())
}

/// The checkpoint to resume from. A new run does not overwrite one whose network is missing.
fn earlier_checkpoint(args: &Args) -> Result<Option<Checkpoint>> {
    let path = run_files::checkpoint_path(&args.out)?;
    if !fs::exists(&path).map_err(FileError::read(&path))? {
        return if args.resume {
            Err(anyhow!(
                "cannot resume: no checkpoint {} (omit --resume to start a new run)",
                path.display()
            ))
        } else {
            Ok(None)
        };
    }
    if args.force {
        return Ok(None);
    }
    let checkpoint = Checkpoint::load(&path)?;
    if args.resume {
        Ok(Some(checkpoint))
    } else if checkpoint.is_finished() && args.out.exists() {
        Ok(None)
    } else {
        let epoch = (checkpoint.progress.epoch + 1).min(checkpoint.epochs);
        Err(anyhow!(
            "{} belongs to an unfinished run in epoch {epoch}; not overwritten (use --resume to \
             continue it, or --force to start over)",
            path.display()
        ))
    }
}

fn load(args: &Args) -> Result<Dataset> {
    let bar = progress::bytes_bar(&args.files)?;
    let lambda = args.parameters.lambda as f32;
    let blend = args.scale.filter(|_| lambda > 0.0).map(|scale| Blend {
        lambda,
        scale: f32::from(scale.get()),
    });
    let dataset = data::load(&args.files, &args.filter, &args.split, blend, &|bytes| {
        bar.inc(bytes);
    });
    bar.finish_and_clear();
    dataset
}

/// Trains epoch after epoch and prints a line for each, to the end or until stopped.
fn train_epochs(
    run: &mut Run<'_>,
    files: &RunFiles,
    save_every: usize,
    stop: &AtomicBool,
    out: &mut impl Write,
) -> Result<()> {
    let epochs = run.parameters.epochs.get();
    writeln!(out, "{}", run_files::HEADINGS)?;
    for stats in &run.history {
        writeln!(out, "{}", run_files::line(stats, epochs))?;
    }
    while !run.is_finished() {
        let positions = run.positions();
        let template = "epoch {prefix}  {pos}/{len} positions  {msg}";
        let bar = progress::bar(Some(positions as u64), template);
        bar.set_prefix(format!("{}/{epochs}", run.progress.epoch + 1));
        let later = (epochs - run.progress.epoch - 1) * positions;
        let (started, first) = (Instant::now(), run.progress.batch * run.batch());
        let stats = run.epoch(stop, |done| {
            let rate = (done - first) as f64 / started.elapsed().as_secs_f64().max(1e-9);
            let left = progress::time((later + positions - done) as f64 / rate);
            bar.set_message(format!("{rate:.0}/s  {left} left in all epochs"));
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let Some(stats) = stats else {
            break;
        };
        writeln!(out, "{}", run_files::line(&stats, epochs))?;
        out.flush()?;
        files.write_losses(run)?;
        if run.progress.epoch.is_multiple_of(save_every) {
            files.write_checkpoint(run)?;
        }
    }
    Ok(())
}
