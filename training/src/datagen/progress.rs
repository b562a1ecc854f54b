//! How a run is going, for whoever watches the terminal; a summary at its end for all.

use super::Args;
use crate::data::Game;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::Color;
use std::time::{Duration, Instant};

pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    /// Games of this run that were there before.
    before: usize,
    games: u64,
    positions: u64,
    /// Won by White, drawn, won by Black.
    results: [u64; 3],
}

impl Progress {
    pub(super) fn new(args: &Args, before: usize) -> Self {
        // Hidden by itself where standard error is no terminal.
        let (bar, template) = match args.games {
            Some(games) => (
                ProgressBar::new(games.into()),
                "{bar:24} {pos}/{len} games  {msg}  {eta} to go",
            ),
            None => (ProgressBar::new_spinner(), "{spinner} {pos} games  {msg}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(before as u64);
        bar.enable_steady_tick(Duration::from_millis(500));
        Self {
            bar,
            started: Instant::now(),
            before,
            games: 0,
            positions: 0,
            results: [0; 3],
        }
    }

    pub(super) fn tell(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        let result = match game.winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        };
        self.results[result] += 1;
        self.bar.inc(1);
        self.bar.set_message(self.text());
    }

    fn text(&self) -> String {
        let per = |count: u64, whole: f64| count as f64 / whole.max(1e-9);
        let [white, drawn, black] = self
            .results
            .map(|count| 100.0 * per(count, self.games as f64));
        format!(
            "{} positions, {:.0}/s, W/D/L {white:.0}/{drawn:.0}/{black:.0} %, {:.0} plies a game",
            self.positions,
            per(self.positions, self.started.elapsed().as_secs_f64()),
            per(self.positions, self.games as f64),
        )
    }

    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
        println!("{} games: {}", self.games, self.text());
        if self.before > 0 {
            println!("{} games were there before", self.before);
        }
    }
}
