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
    loop {
        let report = match annotator.view() {
            Some(view) => {
                show(&bar, &view);
                Some(reports.recv()?)
            }
            // What was reported before the end.
            None => reports.try_recv().ok(),
        };
        match report {
            Some(Input::Annotator(AnnotatorReport::Annotated(_))) => done += 1,
            Some(Input::Annotator(AnnotatorReport::Failed(text))) => bail!(text),
            Some(_) => {}
            None => break,
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

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use game::library::{Entry, GameKind, Library};
    use game::profile::Profile;
    use service::{Engine, OptionTable};
    use test_common::TempDir;

    use super::{Annotator, run};

    #[test]
    fn a_failure_is_an_error() {
        let folder = TempDir::new("annotate failure");
        let library = Library::at(folder.directory().to_owned());
        let pgn = "[White \"You\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0";
        let kept = library.keep(&mut Entry::default(), GameKind::Chess, pgn);
        kept.expect("written");
        // It would take hours.
        let chosen = Profile::change(&library, |profile| {
            profile.annotating.nodes = 1_000_000_000;
        });
        chosen.expect("a profile");
        let engine = || Engine::new(OptionTable::default());
        let annotator = Annotator::new(library, engine().builder());
        thread::scope(|scope| {
            let running = scope.spawn(|| run(&engine(), &annotator));
            while annotator.view().is_none() && !running.is_finished() {
                thread::sleep(Duration::from_millis(5));
            }
            annotator.fail("the disk is full");
            let error = running.join().expect("no panic").expect_err("it failed");
            assert_eq!(error.to_string(), "the disk is full");
        });
    }
}
