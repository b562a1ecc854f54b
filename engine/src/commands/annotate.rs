//! `castellan annotate`: adds evaluations, assessments, better lines and accuracy to games.
//!
//! `games` reads the games and splits them into chunks, `evaluate` searches the positions of a
//! chunk, `notes` adds the annotations, and `page` makes an HTML page of a game.

mod evaluate;
mod games;
mod notes;
mod page;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::files::{self, FileError};
use search::SearchError;
use thiserror::Error;

use super::parallel::{JobsError, ordered_map};
use super::search_args::SearchArgs;
use crate::eval_file::EvalFileError;
use crate::output::progress;
use crate::output::results::{ResultWriter, WriteError};

use evaluate::{Evaluation, evaluate};
use games::{Chunk, GameChunks, NumberedGame, ReadError};

/// Annotate games with evaluations, assessments, better moves and accuracy
///
/// Existing annotations are kept, except old evaluations. Invalid games are reported and skipped.
#[derive(Debug, clap::Args)]
pub(crate) struct AnnotateArgs {
    /// PGN files; '-', or none, is standard input
    #[arg(value_name = "PGN")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
    /// Write the games to FILE, which must not exist
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write an HTML page for each game into FOLDER
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
}

#[derive(Debug, Error)]
pub(crate) enum AnnotateError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[error(transparent)]
    Jobs(#[from] JobsError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("each position is searched with one thread; use --jobs instead of --threads")]
    Threads,
    #[error("tablebases are not supported here; omit SyzygyPath")]
    Tablebases,
    #[error("{invalid} of {total} games are invalid")]
    InvalidGames { invalid: u64, total: u64 },
}

pub(crate) fn run(args: &AnnotateArgs) -> Result<(), AnnotateError> {
    let setup = args.search.setup()?;
    if setup.threads > 1 {
        return Err(AnnotateError::Threads);
    }
    if setup.has_tablebases {
        return Err(AnnotateError::Tablebases);
    }
    let bar = progress::bytes(&args.games);
    let mut chunks = GameChunks::new(&args.games, setup.variant, bar.clone())?;
    let html = args.html.as_deref();
    if let Some(folder) = html {
        fs::create_dir_all(folder).map_err(FileError::write(folder))?;
    }
    let mut output = ResultWriter::create(args.out.as_deref())?;
    let mut evaluations = Vec::new();
    let done: Result<(), AnnotateError> = ordered_map(
        setup.jobs,
        || Ok(chunks.next_chunk()?),
        || Ok(setup.searcher()?),
        |searcher, chunk: Chunk| {
            let evaluations = evaluate(searcher, &setup.limits, &chunk);
            (chunk, evaluations)
        },
        |(chunk, of_chunk)| {
            evaluations.extend(of_chunk);
            if !chunk.is_last() {
                return Ok(ControlFlow::Continue(()));
            }
            // All chunks of the game are back, so that this is its only owner.
            let game = Arc::unwrap_or_clone(chunk.game);
            write(game, &std::mem::take(&mut evaluations), html, &mut output)
        },
    );
    bar.finish_and_clear();
    done?;
    match chunks.invalid_games() {
        0 => Ok(()),
        _ if output.is_closed() => Ok(()),
        invalid => Err(AnnotateError::InvalidGames {
            invalid,
            total: chunks.games(),
        }),
    }
}

fn write(
    game: NumberedGame,
    evaluations: &[Evaluation],
    html: Option<&Path>,
    output: &mut ResultWriter,
) -> Result<ControlFlow<()>, AnnotateError> {
    let NumberedGame { number, mut record } = game;
    let report = notes::annotate(&mut record, evaluations);
    if let Some(folder) = html {
        let page = page::page(&record, evaluations, &report)?;
        let path = folder.join(format!("game-{number:04}.html"));
        files::create(&path, page.as_bytes())?;
    }
    Ok(output.write(&record.pgn())?)
}
