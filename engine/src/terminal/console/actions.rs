//! Requests about the whole game or to the engine: the legal moves, a draw.

use anyhow::Result;
use formats::pgn::Record;
use game::play::{self, Job};
use search::Score;

use super::Console;
use crate::terminal::chess::Purpose;

impl Console {
    /// The game as a record.
    pub(super) fn played(&self) -> Record {
        let [white, black] = self.players();
        self.state().record(white, black)
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
