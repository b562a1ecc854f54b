//! `castellan-train`: self-play, game files, training.

#![forbid(unsafe_code)]

use anyhow::anyhow;
use clap::{Parser, Subcommand};
use common::lock::is_in_use;
use rayon::ThreadPoolBuilder;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use training::{datagen, files, fit_wdl, train};

/// Trains Castellan's network on self-play games
#[derive(Debug, Parser)]
#[command(name = "castellan-train", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Generate self-play games
    Datagen(datagen::Args),
    /// Show statistics of game files
    Info(files::InfoArgs),
    /// Verify the checksums and moves of game files
    Check(files::CheckArgs),
    /// Train a network
    Train(train::Args),
    /// Quantize a checkpoint and write it as a network
    Quantize(train::QuantizeArgs),
    /// Fit the win-rate model to games
    FitWdl(fit_wdl::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let stop = Arc::new(AtomicBool::new(false));
    // The others have nothing to keep: a signal ends them.
    if matches!(cli.command, Command::Datagen(_) | Command::Train(_)) {
        stop_on_signals(Arc::clone(&stop));
    }
    match run(cli.command, &stop) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            warn(&error);
            if is_in_use(error.as_ref()) {
                ExitCode::from(2)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

/// Sets `stop` on Ctrl-C or SIGTERM; a second one exits at once: what was stopped can be resumed.
fn stop_on_signals(stop: Arc<AtomicBool>) {
    let handler = ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    if let Err(error) = handler {
        warn(format_args!(
            "cannot handle Ctrl-C, which will end the program at once: {error}"
        ));
    }
}

fn warn(message: impl Display) {
    // Without standard error there is still the exit status.
    let _ = writeln!(io::stderr(), "castellan-train: {message}");
}

fn run(command: Command, stop: &AtomicBool) -> anyhow::Result<()> {
    // Otherwise its first use would, and panic if it cannot.
    ThreadPoolBuilder::new()
        .build_global()
        .map_err(|error| anyhow!("cannot start threads: {error}"))?;
    match command {
        Command::Datagen(args) => datagen::run(&args, stop)?,
        Command::Info(args) => files::info(&args)?,
        Command::Check(args) => files::check(&args)?,
        Command::Train(args) => train::run(&args, stop)?,
        Command::Quantize(args) => train::run_quantize(&args)?,
        Command::FitWdl(args) => fit_wdl::run(&args)?,
    }
    Ok(())
}
