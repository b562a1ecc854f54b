//! The clocks of a running game.

use std::time::Duration;

use super::game_state::GameState;
use super::playable::PlayablePosition;
use super::time_control::{Clocks, MAX_CLOCK};

impl<P: PlayablePosition> GameState<P> {
    /// The time on the clocks now, or at the end of the game; `None` without a time control.
    pub fn clocks(&self) -> Option<Clocks> {
        let control = self.control()?;
        let (game, times) = self.played();
        let mut clocks = Clocks::new(control);
        for (before, time) in game.positions().zip(times) {
            if let Some(time) = time {
                *clocks.of_mut(before.side_to_move()) = *time;
            }
        }
        let running = clocks.of_mut(game.position().side_to_move());
        *running = running.saturating_sub(self.stopwatch.used());
        Some(clocks)
    }

    /// The clocks at this moment; `None` without clocks or when the game is over.
    pub fn running_clocks(&self) -> Option<Clocks> {
        self.clocks().filter(|_| !self.is_over())
    }

    /// Until the clock of the side to move runs out; `None` if none is running.
    pub fn time_left(&self) -> Option<Duration> {
        let clocks = self.running_clocks()?;
        let left = clocks.of(self.game.position().side_to_move());
        self.is_clock_running().then_some(left)
    }

    pub fn is_clock_running(&self) -> bool {
        self.stopwatch.is_running()
    }

    pub fn pause_clock(&mut self) {
        self.stopwatch.pause();
    }

    /// Starts the clock of the side to move, but not before the first move.
    pub fn resume_clock(&mut self) {
        if !self.is_over() && self.game.moves().len() > 0 {
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
        let left = clocks.of(self.game.position().side_to_move());
        Some(left.saturating_add(clocks.control.increment).min(MAX_CLOCK))
    }
}
