//! The clocks of a running game.

use std::time::{Duration, Instant};

use super::game_state::GameState;
use super::playable::PlayableGame;
use super::time_control::{Clocks, MAX_CLOCK};

/// The time that the side to move has used for its move.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stopwatch {
    used: Duration,
    /// Since when it runs; `None` while it is stopped.
    since: Option<Instant>,
}

impl Stopwatch {
    pub(super) fn pause(&mut self) {
        self.used = self.used();
        self.since = None;
    }

    pub(super) fn resume(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    fn used(&self) -> Duration {
        let running = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.used.saturating_add(running)
    }
}

impl<G: PlayableGame> GameState<G> {
    /// What the clocks show now, or at the end of the game; `None` without a time control.
    #[must_use]
    pub fn clocks(&self) -> Option<Clocks> {
        let control = self.control()?;
        let (game, times) = self.played();
        let mut clocks = Clocks::new(control);
        for (mover, time) in game.movers().into_iter().zip(times) {
            if let Some(time) = time {
                *clocks.of_mut(mover) = *time;
            }
        }
        let running = clocks.of_mut(game.side_to_move());
        *running = running.saturating_sub(self.stopwatch.used());
        Some(clocks)
    }

    /// The clocks at this moment; `None` without clocks or when the game is over.
    #[must_use]
    pub fn running_clocks(&self) -> Option<Clocks> {
        self.clocks().filter(|_| !self.is_over())
    }

    /// Until the clock of the side to move runs out; `None` if none is running.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let clocks = self.running_clocks()?;
        let left = clocks.of(self.game.side_to_move());
        self.is_clock_running().then_some(left)
    }

    #[must_use]
    pub fn is_clock_running(&self) -> bool {
        self.stopwatch.since.is_some()
    }

    pub fn pause_clock(&mut self) {
        self.stopwatch.pause();
    }

    /// Starts the clock of the side to move, but not before the first move.
    pub fn resume_clock(&mut self) {
        if !self.is_over() && !self.game.movers().is_empty() {
            self.stopwatch.resume();
        }
    }

    /// The clock of the side to move when it moves now.
    pub(super) fn clock_after_move(&self) -> Option<Duration> {
        let clocks = match self.claimed() {
            None => self.clocks()?,
            // A new game begins.
            Some(_) => Clocks::new(self.control()?),
        };
        let left = clocks.of(self.game.side_to_move());
        Some(left.saturating_add(clocks.control.increment).min(MAX_CLOCK))
    }
}
