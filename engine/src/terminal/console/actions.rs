//! Requests about the whole game or to the engine: the legal moves, a draw.

use anyhow::Result;
use game::play::{self, GameState, Job};
use movegen::Color;
use search::Score;
use service::strength::engine_name;

use super::Console;
use crate::terminal::chess::Purpose;

impl Console {
    /// A game as PGN.
    pub(super) fn pgn(&self, state: &GameState) -> String {
        let engine = engine_name(state.level());
        let [white, black] = Color::ALL.map(|color| {
            if state.side.includes(color) {
                &self.user
            } else {
                &engine
            }
        });
        state.pgn(white, black)
    }

    /// Prints the legal moves; of one piece, if its square is given.
    pub(super) fn legal(&mut self, of: Option<&str>) -> Result<()> {
        self.state().takes_moves()?;
        let game = &self.state().game;
        let lines = match of {
            None => play::legal(game),
            Some(square) => play::legal_from(game, square)?,
        };
        self.terminal.lines(lines);
        Ok(())
    }

    /// Offers the engine a draw. Two players agree on one.
    pub(super) fn offer_draw(&mut self) -> Result<()> {
        let mut notices = self.game.offer_draw()?;
        if self.game.next_job() == Some(Job::DrawOffer) {
            let found = self.search(Purpose::Advice);
            let found = found.inspect_err(|_| self.game.give_up())?;
            let score = found.and_then(|found| found.reply.score);
            notices = self.game.judged(score.unwrap_or(Score::DRAW))?;
        }
        self.changed(notices);
        Ok(())
    }
}
