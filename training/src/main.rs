//! `castellan-train`: self-play, files of games, training.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use training::{datagen, files, fit_wdl, relabel, train};

/// Trains Castellan's network on games of self-play
#[derive(Debug, Parser)]
#[command(name = "castellan-train", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games of the engine against itself
    Datagen(datagen::Args),
    /// Rescore the positions of games with the current evaluation
    Relabel(relabel::Args),
    /// Show statistics of files of games
    Info(files::InfoArgs),
    /// Verify files of games: checksums and the legality of every move
    Check(files::CheckArgs),
    /// Combine files of games into one
    Merge(files::MergeArgs),
    /// Print random positions: FEN, move, score, result
    Sample(files::SampleArgs),
    /// Train a network on files of games
    Train(train::Args),
    /// Quantise a checkpoint to a network
    Quantise(train::QuantiseArgs),
    /// Fit the search's win-rate model to games
    FitWdl(fit_wdl::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    // A second Ctrl-C exits at once: every command can be resumed.
    let handler = ctrlc::set_handler(move || {
        if on_interrupt.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    if let Err(error) = handler {
        eprintln!(
            "castellan-train: cannot handle Ctrl-C, which will end the program at once: {error}"
        );
    }
    match run(cli.command, &stop) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("castellan-train: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, stop: &AtomicBool) -> Result<(), Box<dyn std::error::Error>> {
    match command {
        Command::Datagen(args) => datagen::run(&args, stop)?,
        Command::Relabel(args) => relabel::run(&args, stop)?,
        Command::Info(args) => files::info(&args)?,
        Command::Check(args) => files::check(&args)?,
        Command::Merge(args) => files::merge(&args)?,
        Command::Sample(args) => files::sample(&args)?,
        Command::Train(args) => train::run(&args, stop)?,
        Command::Quantise(args) => train::run_quantise(&args)?,
        Command::FitWdl(args) => fit_wdl::run(&args)?,
    }
    Ok(())
}
