//! `castellan annotate`: adds evaluations, assessments, better lines and accuracy to games.
//!
//! `evaluate` splits games into chunks and searches their positions, `notes` adds the annotations,
//! and `page` makes an HTML page of a game.

mod evaluate;
mod notes;
mod page;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::files::{self, FileError};
use thiserror::Error;

use super::CommandError;
use super::games::InputGames;
use super::parallel::ordered_map;
use super::search_args::SearchArgs;
use crate::formats::pgn::Games;
use crate::output::results::ResultWriter;

use evaluate::{Chunk, Evaluation, GameChunks, NumberedGame, evaluate};

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
enum AnnotateError {
    #[error("each position is searched with one thread; use --jobs instead of --threads")]
    Threads,
    #[error("tablebases are not supported here; omit SyzygyPath")]
    Tablebases,
    #[error("invalid games: {invalid} of {total}")]
    InvalidGames { invalid: u64, total: u64 },
}

pub(crate) fn run(args: &AnnotateArgs) -> Result<(), CommandError> {
    let setup = args.search.setup()?;
    if setup.threads > 1 {
        return Err(AnnotateError::Threads.into());
    }
    if setup.has_tablebases {
        return Err(AnnotateError::Tablebases.into());
    }
    let variant = setup.variant;
    let games = InputGames::open(&args.games, move |input| Games::annotated(input, variant))?;
    let bar = games.bar();
    let mut chunks = GameChunks::new(games);
    let html = args.html.as_deref();
    if let Some(folder) = html {
        fs::create_dir_all(folder).map_err(FileError::write(folder))?;
    }
    let mut output = ResultWriter::create(args.out.as_deref())?;
    let mut evaluations = Vec::new();
    let done: Result<(), CommandError> = ordered_map(
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
    let count = chunks.games.count();
    if count.invalid == 0 || output.is_closed() {
        return Ok(());
    }
    let (invalid, total) = (count.invalid, count.total);
    Err(AnnotateError::InvalidGames { invalid, total }.into())
}

fn write(
    game: NumberedGame,
    evaluations: &[Evaluation],
    html: Option<&Path>,
    output: &mut ResultWriter,
) -> Result<ControlFlow<()>, CommandError> {
    let NumberedGame { number, mut record } = game;
    let report = notes::annotate(&mut record, evaluations);
    if let Some(folder) = html {
        let page = page::page(&record, evaluations, &report)?;
        let path = folder.join(format!("game-{number:04}.html"));
        files::create(&path, page.as_bytes())?;
    }
    Ok(output.write(&record.pgn())?)
}

#[cfg(test)]
mod tests;
