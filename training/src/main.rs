//! `castellan-train`: self-play, files of games, training.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use training::{datagen, files, fit_wdl, relabel, train};

/// Teaches Castellan's network: plays games, keeps them, trains on them.
#[derive(Debug, Parser)]
#[command(name = "castellan-train", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Plays the engine against itself and keeps the games
    Datagen(datagen::Args),
    /// Searches the positions of games again, with the present evaluation
    Relabel(relabel::Args),
    /// Says what files of games hold
    Info(files::InfoArgs),
    /// Reads files of games to their end and replays every move
    Check(files::CheckArgs),
    /// Puts files of games into one
    Merge(files::MergeArgs),
    /// Shows some positions: FEN, value, result
    Sample(files::SampleArgs),
    /// Teaches a network what files of games hold
    Train(train::Args),
    /// Makes a network of a checkpoint
    Quantise(train::QuantiseArgs),
    /// Fits the win-rate model of the search to games
    FitWdl(fit_wdl::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    // A second Ctrl-C ends the program at once: what it was at can be taken up again.
    let handler = ctrlc::set_handler(move || {
        if on_interrupt.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    if let Err(error) = handler {
        eprintln!("Ctrl-C will end the program at once: {error}");
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
