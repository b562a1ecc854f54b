//! `castellan-train relabel`: rescores the positions of games with the current evaluation.
//!
//! Moves and results stay; every position is searched again. Works chunk by chunk in the order
//! of the files, so that an interrupted run resumes at the first missing chunk.

use crate::data::{Chunk, ChunkReader, ChunkWriter, DataError, GameRecord};
use crate::evaluator::{Evaluator, EvaluatorArgs, EvaluatorError, NodeSearcher};
use common::files::FileError;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::Game;
use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use search::{STACK_BYTES, SearchError};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to append the games to; the same command again resumes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Soft limit of nodes per move; the hard limit is eight times that
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    evaluator: EvaluatorArgs,
    /// Number of threads [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

#[derive(Debug, Error)]
pub enum RelabelError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("cannot start the search threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    #[error(
        "cannot resume {}: its chunk {chunk} is from other games, nodes or evaluation",
        path.display()
    )]
    OtherRun { path: PathBuf, chunk: usize },
}

/// Rescores all chunks, or until stopped.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<(), RelabelError> {
    let evaluator = Evaluator::new(&args.evaluator)?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .stack_size(STACK_BYTES)
        .build()?;
    let mut done: Vec<String> = Vec::new();
    let mut out = ChunkWriter::open(&args.out, |chunk| {
        done.push(chunk.recipe()?.to_string());
        Ok(())
    })?;
    let bar = progress_bar(args).map_err(DataError::from)?;
    let mut number = 0;
    for path in &args.files {
        for chunk in ChunkReader::open(path)? {
            let chunk = chunk?;
            let recipe = format!(
                "{}; now {}, {} nodes",
                chunk.recipe()?,
                evaluator.description,
                args.nodes
            );
            match done.get(number) {
                Some(there) if *there == recipe => {}
                Some(_) => {
                    return Err(RelabelError::OtherRun {
                        path: args.out.clone(),
                        chunk: number,
                    });
                }
                None => {
                    let games = pool.install(|| relabel(&chunk, &evaluator, args.nodes, stop))?;
                    let Some(games) = games else {
                        return Ok(());
                    };
                    out.append(&recipe, &games)?;
                }
            }
            number += 1;
            bar.inc(chunk.bytes());
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// A progress bar on standard error, hidden unless that is a terminal.
fn progress_bar(args: &Args) -> Result<ProgressBar, FileError> {
    let mut bytes = 0;
    for path in &args.files {
        bytes += fs::metadata(path).map_err(FileError::read(path))?.len();
    }
    let bar = ProgressBar::new(bytes);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {bytes}/{total_bytes}  {eta} left") {
        bar.set_style(style);
    }
    Ok(bar)
}

/// The games of a chunk with new scores; `None` when stopped.
fn relabel(
    chunk: &Chunk,
    evaluator: &Evaluator,
    nodes: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<GameRecord>>, RelabelError> {
    let games = chunk.games()?.into_par_iter().map_init(
        || evaluator.searcher(),
        |searcher, game| match searcher {
            _ if stop.load(Ordering::Relaxed) => Ok(None),
            Ok(searcher) => Ok(Some(relabel_game(game, searcher, nodes))),
            Err(error) => Err(error.clone().into()),
        },
    );
    games.collect()
}

/// Searches from the first position to the last, as in the game.
fn relabel_game(mut game: GameRecord, searcher: &mut NodeSearcher, nodes: u64) -> GameRecord {
    searcher.new_game();
    let mut replay = Game::new(game.start);
    for played in &mut game.moves {
        if let Some(found) = searcher.search(&replay, nodes) {
            played.score = found.score;
        }
        // Legal: the reader has replayed the game.
        if replay.push(played.mv).is_err() {
            break;
        }
    }
    game
}
