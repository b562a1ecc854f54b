//! `castellan annotate`: adds evaluations, assessments, better lines and accuracy to games.
//!
//! `chunks` splits games into chunks, which are searched in parallel, `checkpoint` keeps what is
//! done, and `pages` writes HTML: `page` makes the document from the `tree` of moves.

mod checkpoint;
mod chunks;
mod page;
mod pages;
mod tree;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use indicatif::ProgressBar;
use search::SearchControl;
use thiserror::Error;

use super::CommandError;
use super::games::InputGames;
use super::search_args::SearchArgs;
use crate::output::progress;
use crate::output::results::ResultWriter;
use game::annotate::{self, Evaluation, Heading, evaluate};
use game::parallel::ordered_map;
use game::pgn::Games;

use checkpoint::{Checkpoint, Confirmed, Existing, Previous};
use chunks::{Chunk, GameChunks, NumberedGame};
use page::IndexEntry;
use pages::Pages;

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
    /// Write the games to FILE, which gets its name when it is complete
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write an HTML page for each game into FOLDER, and an index of them
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
    /// Continue an interrupted run with --out
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Error)]
enum AnnotateError {
    #[error("each position is searched with one thread; use --jobs instead of --threads")]
    Threads,
}

pub(crate) fn run(args: &AnnotateArgs) -> Result<(), CommandError> {
    let setup = args.search.setup()?;
    if setup.threads > 1 {
        return Err(AnnotateError::Threads.into());
    }
    let variant = setup.variant;
    let bar = match progress::is_visible(args.out.is_some()) {
        true => progress::positions(chunks::count_positions(&args.games, variant)),
        false => ProgressBar::hidden(),
    };
    let mut games = InputGames::open_with_bar(&args.games, bar.clone(), move |input| {
        Games::annotated(input, variant)
    })?;
    let existing = match (args.resume, args.force) {
        (true, _) => Existing::Resume,
        (_, true) => Existing::Overwrite,
        _ => Existing::Keep,
    };
    let settings = checkpoint::settings(setup.settings(), args.html.as_deref());
    let previous = match &args.out {
        Some(path) => Previous::read(path, existing, &settings)?,
        None => Previous::default(),
    };
    previous.skip(&mut games)?;
    let skipped = previous.games.iter().map(|game| game.positions);
    bar.set_position(skipped.sum());
    bar.reset_eta();
    let mut output = Output::open(args, existing, &previous, settings)?;
    let mut chunks = GameChunks::new(games);
    let mut evaluations = Vec::new();
    let never = SearchControl::new();
    let done: Result<(), CommandError> = ordered_map(
        setup.jobs,
        || Ok(chunks.next_chunk()?),
        || Ok(setup.searcher()?),
        |searcher, chunk: Chunk| {
            let Chunk { game, positions } = &chunk;
            let (record, options) = (&game.record, setup.options(1));
            let searched = || bar.inc(1);
            let positions = positions.clone();
            let evaluations = evaluate(searcher, &options, record, positions, &never, &searched);
            (chunk, evaluations)
        },
        |(chunk, of_chunk)| {
            evaluations.extend(of_chunk.unwrap_or_default());
            if !chunk.is_last() {
                return Ok(ControlFlow::Continue(()));
            }
            // All chunks of the game are back, so that this is its only owner.
            let game = Arc::unwrap_or_clone(chunk.game);
            output.write(game, &std::mem::take(&mut evaluations))
        },
    );
    bar.finish_and_clear();
    done?;
    if output.finish()?.is_break() {
        return Ok(());
    }
    Ok(chunks.games.count().check()?)
}

/// Where annotated games go.
struct Output {
    games: GameOutput,
    pages: Option<Pages>,
}

enum GameOutput {
    Stdout(ResultWriter),
    File(Checkpoint),
}

impl Output {
    fn open(
        args: &AnnotateArgs,
        existing: Existing,
        previous: &Previous,
        settings: Vec<String>,
    ) -> Result<Output, CommandError> {
        let html = args.html.as_deref();
        let pages = html.map(|folder| Pages::open(folder, existing, previous));
        let pages = pages.transpose()?;
        let games = match &args.out {
            Some(path) => GameOutput::File(Checkpoint::open(path, previous, settings)?),
            None => GameOutput::Stdout(ResultWriter::create(None)?),
        };
        Ok(Output { games, pages })
    }

    /// Annotates and writes a game; breaks if the reader of standard output has closed it.
    fn write(
        &mut self,
        game: NumberedGame,
        evaluations: &[Evaluation],
    ) -> Result<ControlFlow<()>, CommandError> {
        let NumberedGame { number, mut record } = game;
        let input = checkpoint::fingerprint(&record.pgn());
        let report = annotate::annotate(&mut record, evaluations);
        let mut index = None;
        if let Some(pages) = &mut self.pages {
            let heading = Heading::new(&record);
            let page = page::page(&record, &heading, evaluations, &report)?;
            let entry = IndexEntry {
                page: pages::page_name(number),
                heading,
                white: report.white,
                black: report.black,
                moves: record.moves().len().div_ceil(2),
            };
            pages.add(&page, entry.clone())?;
            index = Some(entry);
        }
        let text = record.pgn();
        match &mut self.games {
            GameOutput::Stdout(writer) => Ok(writer.write(&text)?),
            GameOutput::File(file) => {
                let positions = evaluations.len() as u64;
                file.add(&text, Confirmed::new(number, positions, input, index))?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Completes the files; breaks if the reader of standard output has closed it.
    fn finish(self) -> Result<ControlFlow<()>, CommandError> {
        if let Some(pages) = &self.pages {
            pages.finish()?;
        }
        match self.games {
            GameOutput::Stdout(writer) if writer.is_closed() => Ok(ControlFlow::Break(())),
            GameOutput::Stdout(_) => Ok(ControlFlow::Continue(())),
            GameOutput::File(file) => {
                file.finish()?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }
}

#[cfg(test)]
mod tests;
