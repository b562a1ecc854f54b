//! `castellan-board --annotate`: annotates the user's games without a page.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::channel;

use anyhow::{Result, bail};
use game::library::GameId;
use game::profile::Profile;
use indicatif::{ProgressBar, ProgressStyle};
use service::Engine;

use super::warn;
use crate::annotator::{Annotator, NODES, is_wanting, read};
use crate::messages::AnnotatorView;
use crate::report::{AnnotatorReport, Input};

/// Annotates the games that wait and the user's games that are not annotated. Those that are left
/// when it is interrupted wait for the next start.
pub(super) fn run(engine: &Engine, annotator: &Annotator) -> Result<()> {
    let library = annotator.library();
    let Profile {
        names, annotating, ..
    } = Profile::read(library)?;
    let is_own_wanting = |id: &GameId| {
        let record = read(library, id);
        record.is_some_and(|record| names.side(&record).is_some() && is_wanting(&record))
    };
    let games: Vec<GameId> = library
        .games()?
        .into_iter()
        .filter(is_own_wanting)
        .collect();
    let nodes = match annotating.nodes {
        0 => NODES,
        nodes => nodes,
    };
    let (sender, reports) = channel();
    annotator.tell(sender);
    annotator.add(&games, nodes, engine.builder())?;
    if annotator.is_elsewhere() {
        bail!("the games wait for another Castellan Board that annotates the library");
    }
    annotator.start_workers();
    let bar = bar();
    let mut done = 0;
    while let Some(view) = annotator.view() {
        show(&bar, &view);
        match reports.recv()? {
            Input::Annotator(AnnotatorReport::Annotated(_)) => done += 1,
            Input::Annotator(AnnotatorReport::Failed(text)) => bail!(text),
            _ => {}
        }
    }
    bar.finish_and_clear();
    if done == 0 && games.is_empty() {
        warn("no game of yours waits; Settings of the page has the names under which you play");
    }
    Ok(())
}

/// A bar on standard error, if that is a terminal.
fn bar() -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(1);
    match ProgressStyle::with_template("{bar:24} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn show(bar: &ProgressBar, view: &AnnotatorView) {
    bar.set_length(view.of_positions as u64);
    bar.set_position(view.positions as u64);
    let left = view.seconds_left.map_or_else(String::new, |seconds| {
        format!(
            ", {}:{:02}:{:02} left",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        )
    });
    bar.set_message(format!("{} of {} games{left}", view.games, view.of_games));
}
