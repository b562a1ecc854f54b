//! The engine's turn: it thinks, plays, claims draws, answers offers and resigns.

use game::Side;
use movegen::Color;
use search::SearchResult;

use super::{Console, ConsoleError};
use crate::play::thinking::Thinking;
use game::play::Action;
use game::play::{Reply, engine_name};

impl Console {
    /// Plays the engine's move if it is to move.
    pub(super) fn reply(&mut self) -> Result<(), ConsoleError> {
        if self.state.is_over() || self.state.is_user_to_move() {
            return Ok(());
        }
        let Some(reply) = self.choose()? else {
            return Ok(());
        };
        self.check_flag();
        if self.state.is_over() || self.claims_or_resigns(reply)? {
            return Ok(());
        }
        self.play(reply.mv, "Castellan")?;
        self.show();
        Ok(())
    }

    /// Lets the engine play the user's move.
    pub(super) fn play_engine_move(&mut self) -> Result<(), ConsoleError> {
        self.state.takes_moves()?;
        if let Some(reply) = self.choose()? {
            self.check_flag();
            self.state.takes_moves()?;
            self.play(reply.mv, "Castellan")?;
            if self.state.side == Side::Both || self.state.is_over() {
                self.show();
            }
        }
        Ok(())
    }

    fn choose(&mut self) -> Result<Option<Reply>, ConsoleError> {
        let position = *self.state.game.position();
        let clocks = self.running_clocks();
        let own_clock = clocks.map(|clocks| clocks.of(position.side_to_move()));
        let thinking = Thinking::new(position, own_clock.or(self.opponent.time()));
        let clocks = clocks.map(|clocks| clocks.for_search());
        let (game, opponent) = (&self.state.game, &mut self.opponent);
        let watched = self.terminal.is_interactive();
        let reply = self.terminal.work(&thinking, || match watched {
            true => opponent.choose(game, clocks, &thinking.stop, &mut &thinking),
            false => opponent.choose(game, clocks, &thinking.stop, &mut ()),
        });
        Ok(reply?)
    }

    /// Claims a draw that the engine wants, or resigns; returns whether the game has ended.
    fn claims_or_resigns(&mut self, reply: Reply) -> Result<bool, ConsoleError> {
        let game = &self.state.game;
        let Some(action) = self.end_policy.ends_with(game, reply) else {
            return Ok(false);
        };
        if let Action::Resign(_) = action {
            self.apply(action, "")?;
            self.show_ending();
            return Ok(true);
        }
        let with = match action {
            Action::DrawWith { mv, .. } => format!(" with {}", game.position().san(mv)),
            _ => String::new(),
        };
        self.terminal
            .line(format_args!("Castellan claims a draw{with}."));
        self.claim_draw(action)?;
        Ok(true)
    }

    /// Offers the engine a draw. Two players agree on one.
    pub(super) fn offer_draw(&mut self) -> Result<(), ConsoleError> {
        self.state.takes_moves()?;
        if self.state.side != Side::Both {
            if self.end_policy.has_declined(&self.state.game) {
                return Err(ConsoleError::Declined);
            }
            let outcome = self.think()?;
            if !self.end_policy.accepts(&self.state.game, outcome.score) {
                self.terminal.line("Castellan declines the draw.");
                return Ok(());
            }
            self.terminal.line("Castellan accepts the draw.");
        }
        self.apply(Action::Agree, "")?;
        self.show_ending();
        Ok(())
    }

    /// Searches the position at full strength; no clock runs meanwhile.
    pub(super) fn think(&mut self) -> Result<SearchResult, ConsoleError> {
        if self.state.is_over() {
            return Err(ConsoleError::GameOver);
        }
        let thinking = Thinking::new(*self.state.game.position(), self.opponent.time());
        let (game, opponent) = (&self.state.game, &mut self.opponent);
        let watched = self.terminal.is_interactive();
        let outcome = self.terminal.work(&thinking, || match watched {
            true => opponent.think(game, &thinking.stop, &mut &thinking),
            false => opponent.think(game, &thinking.stop, &mut ()),
        })?;
        self.turn_started += outcome.time;
        Ok(outcome)
    }

    /// The name of a side's player.
    pub(super) fn player_name(&self, color: Color) -> String {
        match self.state.side.includes(color) {
            true => self.player.clone(),
            false => engine_name(self.elo),
        }
    }
}
