//! The clocks of a game, which the server watches.

use std::time::{Duration, Instant};

use game::play::{Action, Clocks};
use movegen::Color;

use super::{Event, Play};
use crate::session::Context;

/// The time that the side to move has used for its move.
#[derive(Debug, Default)]
pub(super) struct Stopwatch {
    used: Duration,
    /// Since when it runs; `None` while it is stopped.
    since: Option<Instant>,
}

impl Stopwatch {
    /// Back to zero, stopped.
    pub(super) fn reset(&mut self) {
        *self = Stopwatch::default();
    }

    pub(super) fn pause(&mut self) {
        self.used = self.used();
        self.since = None;
    }

    pub(super) fn resume(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    pub(super) fn is_running(&self) -> bool {
        self.since.is_some()
    }

    pub(super) fn used(&self) -> Duration {
        let running = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.used.saturating_add(running)
    }
}

impl Play {
    /// Until the clock of the side to move runs out; `None` if none is running.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let clocks = self.running_clocks()?;
        let color = self.state.game.position().side_to_move();
        self.stopwatch.is_running().then(|| clocks.of(color))
    }

    /// Ends the game if a clock has run out.
    pub(crate) fn check_clock(&mut self, context: &mut Context) {
        let color = self.state.game.position().side_to_move();
        if self.time_left() == Some(Duration::ZERO) && self.apply(Action::Flag(color)).is_ok() {
            self.stop(context);
            context.send(Event::Game(Box::new(self.view())));
        }
    }

    /// The clock starts with the first move.
    pub(super) fn start_turn(&mut self) {
        self.stopwatch.reset();
        self.resume_clock();
    }

    pub(super) fn resume_clock(&mut self) {
        if !self.state.is_over() && self.state.game.moves().len() > 0 {
            self.stopwatch.resume();
        }
    }

    /// The clocks at this moment; `None` without clocks or when the game is over.
    pub(super) fn running_clocks(&self) -> Option<Clocks> {
        let mut clocks = self.state.clocks().filter(|_| !self.state.is_over())?;
        let running = match self.state.game.position().side_to_move() {
            Color::White => &mut clocks.white,
            Color::Black => &mut clocks.black,
        };
        *running = running.saturating_sub(self.stopwatch.used());
        Some(clocks)
    }
}
