//! `castellan-train relabel`: old games with new opinions of their positions.
//!
//! Moves and results stay; every position is searched again. Chunk by chunk in the order of
//! the files, so that a run that was stopped goes on with the first chunk it lacks.

use crate::data::{Appender, Chunk, Chunks, DataError, Game};
use crate::evaluator::{Judge, JudgeArgs, JudgeError};
use indicatif::{ProgressBar, ProgressStyle};
use movegen::Color;
use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use search::{Limits, STACK_BYTES, SearchError, SearchOptions, Searcher, Stop};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File the games are added to; the same command again goes on where it stopped
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes after which no further iteration is begun; eight times as many end a search
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Games at a time; default: one for each core
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

#[derive(Debug, Error)]
pub enum RelabelError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Judge(#[from] JudgeError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("the threads could not be started: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    #[error(
        "{} was made by another command: its chunk {chunk} is not what this one would write",
        path.display()
    )]
    OtherWork { path: PathBuf, chunk: usize },
}

/// Searches until every chunk is done, or until told to stop.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<(), RelabelError> {
    let judge = Judge::new(&args.judge)?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .stack_size(STACK_BYTES)
        .build()?;
    let mut done: Vec<String> = Vec::new();
    let mut out = Appender::open(&args.out, |chunk| {
        done.push(chunk.recipe()?.to_string());
        Ok(())
    })?;
    let bar = progress(args)?;
    let mut chunks = args.files.iter().map(|path| Chunks::open(path));
    let mut number = 0;
    for chunks in chunks.by_ref() {
        for chunk in chunks? {
            let chunk = chunk?;
            let recipe = format!(
                "{}; now {}, {} nodes",
                chunk.recipe()?,
                judge.words,
                args.nodes
            );
            match done.get(number) {
                Some(there) if *there == recipe => {}
                Some(_) => {
                    return Err(RelabelError::OtherWork {
                        path: args.out.clone(),
                        chunk: number,
                    });
                }
                None => {
                    let games = pool.install(|| relabelled(&chunk, &judge, args.nodes, stop))?;
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

fn progress(args: &Args) -> Result<ProgressBar, DataError> {
    let mut bytes = 0;
    for path in &args.files {
        bytes += fs::metadata(path).map_err(DataError::at(path))?.len();
    }
    // Hidden by itself where standard error is no terminal.
    let bar = ProgressBar::new(bytes);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {bytes}/{total_bytes}  {eta} to go") {
        bar.set_style(style);
    }
    Ok(bar)
}

/// The games of a chunk with new values; `None` when told to stop on the way.
fn relabelled(
    chunk: &Chunk,
    judge: &Judge,
    nodes: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<Game>>, RelabelError> {
    chunk
        .games()?
        .into_par_iter()
        .map_init(
            || judge.searcher(),
            |searcher, game| match searcher {
                _ if stop.load(Ordering::Relaxed) => Ok(None),
                Ok(searcher) => Ok(Some(search_again(game, searcher, nodes))),
                Err(error) => Err(error.clone().into()),
            },
        )
        .collect()
}

/// From the first position to the last, as the players met them.
fn search_again(mut game: Game, searcher: &mut Searcher, nodes: u64) -> Game {
    const HARD_PER_SOFT: u64 = 8;
    let limits = Limits {
        soft_nodes: Some(nodes),
        nodes: Some(nodes * HARD_PER_SOFT),
        ..Limits::default()
    };
    searcher.new_game();
    let mut played = movegen::Game::new(game.start);
    for ply in &mut game.plies {
        let options = SearchOptions::new(limits.clone());
        let outcome = searcher.search(&played, &options, &Stop::new(), &mut ());
        if outcome.best_move.is_some() {
            let score = match played.position().side_to_move() {
                Color::White => outcome.score.raw(),
                Color::Black => -outcome.score.raw(),
            };
            ply.score = score as i16;
        }
        // Every game that was read has been replayed: its moves are legal.
        if played.push(ply.mv).is_err() {
            break;
        }
    }
    game
}
