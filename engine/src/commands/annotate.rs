//! `castellan annotate`: adds evaluations, assessments, better lines and accuracy to games.
//!
//! `chunks` splits games into chunks, which are searched in parallel.

mod chunks;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use search::SearchControl;

use super::checkpoint::{Entry, OutArgs, Output, PreviousRun};
use super::search_args::SearchArgs;
use crate::input::games::InputGames;
use crate::output::printer::Printer;
use crate::output::progress;
use game::annotation::{self, Evaluation, evaluate};
use game::parallel::ordered_map;

use chunks::{Chunk, GameChunks, NumberedGame};

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
}

pub(crate) fn run(args: &AnnotateArgs, printer: &Printer<io::Stdout>) -> Result<()> {
    let setup = args.search.setup()?;
    if setup.threads() > 1 {
        bail!("each position is searched with one thread; use --jobs instead of --threads");
    }
    let variant = setup.reading.variant;
    let bar = progress::bar(
        || progress::bytes(&args.games),
        args.out.out.is_some(),
        ["{bytes} of {total_bytes}", "{bytes}"],
    );
    let mut games = InputGames::open(&args.games, bar.clone(), variant)?;
    games.part = setup.part(|| progress::bytes(&args.games))?;
    let mut previous = PreviousRun::read(&args.out, setup.settings())?;
    skip_annotated(&mut previous, &mut games, &bar)?;
    bar.reset_eta();
    let mut output = previous.open_output(printer)?;
    let mut chunks = GameChunks::new(games);
    let mut evaluations = Vec::new();
    let never = SearchControl::new();
    let done: Result<()> = ordered_map(
        setup.jobs,
        || Ok(chunks.next_chunk()?),
        || Ok(setup.searcher()?),
        |searcher, chunk: Chunk| {
            let Chunk { game, positions } = &chunk;
            let (record, options) = (&game.record, setup.options(1));
            let share = game.bytes / (record.moves().len() as u64 + 1);
            let searched = || bar.inc(share);
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
            write(&mut output, game, &std::mem::take(&mut evaluations))
        },
    );
    bar.finish_and_clear();
    done?;
    if output.finish()?.is_break() {
        return Ok(());
    }
    chunks.games.count().check()
}

/// Skips the games of the interrupted run.
fn skip_annotated(
    previous: &mut PreviousRun,
    games: &mut InputGames,
    bar: &ProgressBar,
) -> Result<()> {
    while let Some(result) = previous.next_result()? {
        let game = games.next_game()?;
        let found = game.as_ref();
        result.check("game", found.map(|game| (games.count().total, game.pgn())))?;
        bar.inc(games.count().bytes);
    }
    Ok(())
}

/// Annotates and writes a game; breaks if the reader of standard output has closed it.
fn write(
    output: &mut Output,
    NumberedGame {
        number, mut record, ..
    }: NumberedGame,
    evaluations: &[Evaluation],
) -> Result<ControlFlow<()>> {
    let input = record.pgn();
    annotation::annotate(&mut record, evaluations);
    output.write(&Entry::new(number, &input, record.pgn()))
}
