//! What a user asks of the whole game or of the engine: the legal moves, a review, a draw.

use formats::pgn::Record;
use game::annotation::{self, GameEvaluation};
use game::play::{self, Job, Refusal, TextError};
use search::{Limits, Score, SearchOptions};

use super::{Console, ConsoleError};
use crate::terminal::Work;
use crate::terminal::chess::{Purpose, messages};

/// Per position.
const REVIEW_NODES: u64 = 100_000;

impl Console {
    /// The game as a record.
    pub(super) fn played(&self) -> Record {
        let [white, black] = self.players();
        self.state().record(white, black)
    }

    /// Prints the legal moves; of one piece, if its square is given.
    pub(super) fn legal(&mut self, of: Option<&str>) -> Result<(), ConsoleError> {
        self.state().takes_moves()?;
        let game = &self.state().game;
        let lines = match of {
            None => play::legal(game),
            Some(square) => play::legal_from(game, square).map_err(TextError::from)?,
        };
        self.terminal.lines(lines);
        Ok(())
    }

    /// Evaluates all positions of the game that is over, and prints what decided it.
    pub(super) fn review(&mut self) -> Result<(), ConsoleError> {
        if !self.state().is_over() {
            return Err(Refusal::NotOver.into());
        }
        let mut record = self.played();
        let mut builder = self.chess.engine.builder();
        builder.threads = 1;
        let mut evaluations = Vec::new();
        let run = |work: &Work| {
            let evaluation = GameEvaluation {
                record: &record,
                done: 0,
                jobs: 1,
                options: &SearchOptions::new(Limits::nodes(REVIEW_NODES)),
                stop: &work.stop,
            };
            evaluation.run(
                || builder.build(),
                || work.bar.inc(1),
                |chunk| evaluations.extend(chunk),
            )
        };
        let work = Work::positions(record.moves().len() + 1);
        self.terminal.work(&work, run).map_err(TextError::from)?;
        // A review that was stopped is about the moves up to there.
        let report = annotation::annotate(&mut record, &evaluations);
        self.terminal
            .lines(messages::review(&record, &evaluations, &report));
        Ok(())
    }

    /// Offers the engine a draw. Two players agree on one.
    pub(super) fn offer_draw(&mut self) -> Result<(), ConsoleError> {
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
