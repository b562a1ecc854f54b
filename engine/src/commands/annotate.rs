//! `castellan annotate`: adds evaluations, assessments, better lines and accuracy to games.
//!
//! `chunks` splits games into chunks, which are searched in parallel, and `pages` writes HTML:
//! `page` makes the document from the `tree` of moves.

mod chunks;
mod page;
mod pages;
mod tree;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use indicatif::ProgressBar;
use search::SearchControl;

use super::checkpoint::{Entry, OutArgs, Output, PreviousRun};
use super::search_args::SearchArgs;
use crate::CommandError;
use crate::input::games::InputGames;
use crate::output::printer::Printer;
use crate::output::progress;
use formats::pgn::Games;
use game::annotation::{self, Evaluation, Heading, evaluate};
use game::parallel::ordered_map;

use chunks::{Chunk, GameChunks, NumberedGame};
use pages::Pages;

/// Annotate games with evaluations, assessments, better moves and accuracy
///
/// Existing annotations are kept, except old evaluations. Invalid games are reported and skipped.
#[derive(Debug, clap::Args)]
pub(crate) struct AnnotateArgs {
    /// PGN files; reads standard input if omitted or '-'
    #[arg(value_name = "PGN")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    out: OutArgs,
    /// Write an HTML page for each game into FOLDER
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
}

pub(crate) fn run(args: &AnnotateArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    let setup = args.search.setup()?;
    if setup.threads() > 1 {
        return Err(
            "each position is searched with one thread; use --jobs instead of --threads".into(),
        );
    }
    let variant = setup.reading.variant;
    let bar = if progress::is_visible(args.out.out.is_some()) {
        progress::positions(chunks::count_positions(&args.games, variant))
    } else {
        ProgressBar::hidden()
    };
    let mut games = InputGames::open(&args.games, bar.clone(), move |input| {
        Games::annotated(input, variant)
    })?;
    let html = args.html.iter();
    let html = html.map(|folder| format!("--html {}", folder.display()));
    let settings = setup.settings().into_iter().chain(html).collect();
    let mut previous = PreviousRun::read(&args.out, settings)?;
    let annotated = skip_annotated(&mut previous, &mut games, &bar)?;
    bar.reset_eta();
    let mut output = GameOutput::open(args, previous, &annotated, printer)?;
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
    chunks.games.count().check()
}

/// Skips the games of the interrupted run; returns their numbers.
fn skip_annotated(
    previous: &mut PreviousRun,
    games: &mut InputGames,
    bar: &ProgressBar,
) -> Result<Vec<u64>, CommandError> {
    let mut annotated = Vec::new();
    while let Some(result) = previous.next_result()? {
        let game = games.next_game()?;
        let found = game.as_ref();
        result.check("game", found.map(|game| (games.count().total, game.pgn())))?;
        annotated.push(result.number);
        bar.inc(game.map_or(0, |game| game.moves().len() as u64 + 1));
    }
    Ok(annotated)
}

/// The destination of annotated games.
struct GameOutput {
    games: Output,
    pages: Option<Pages>,
}

impl GameOutput {
    fn open(
        args: &AnnotateArgs,
        previous: PreviousRun,
        annotated: &[u64],
        printer: &Printer<io::Stdout>,
    ) -> Result<GameOutput, CommandError> {
        let may_overwrite = args.out.force || previous.is_continued();
        let pages = args.html.as_deref();
        let pages = pages.map(|folder| Pages::open(folder, may_overwrite, annotated));
        Ok(GameOutput {
            pages: pages.transpose()?,
            games: previous.open_output(printer)?,
        })
    }

    /// Annotates and writes a game; breaks if the reader of standard output has closed it.
    fn write(
        &mut self,
        game: NumberedGame,
        evaluations: &[Evaluation],
    ) -> Result<ControlFlow<()>, CommandError> {
        let NumberedGame { number, mut record } = game;
        let input = record.pgn();
        let report = annotation::annotate(&mut record, evaluations);
        if let Some(pages) = &self.pages {
            let heading = Heading::new(&record);
            let page = page::page(&record, &heading, evaluations, &report)?;
            pages.add(number, &page)?;
        }
        let entry = Entry::new(number, &input, record.pgn());
        Ok(self.games.write(&entry)?)
    }

    /// Completes the files; breaks if the reader of standard output has closed it.
    fn finish(self) -> Result<ControlFlow<()>, CommandError> {
        Ok(self.games.finish()?)
    }
}

#[cfg(test)]
mod tests;
