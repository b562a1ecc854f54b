//! The review of a finished game: its annotation.

use anyhow::{Result, bail};
use game::annotation;
use game::play::Refusal;

use super::{Play, failure};
use crate::analysis;
use crate::annotator::keep_annotated;
use crate::context::Context;
use crate::evaluation::EvaluatedGame;
use crate::messages::Mode;
use crate::messages::play::Event;
use crate::report::{PlayReport, Progress};

/// The nodes for each position.
const NODES: u64 = 100_000;
impl Play {
    /// Starts the review of the game that is over, or shows the one there is.
    pub(super) fn review(&mut self, context: &mut Context) -> Result<()> {
        if !self.game.state().is_over() {
            return Err(Refusal::NotOver.into());
        }
        if self.review.is_none() {
            let players = self.players();
            let record = self.game.state().record(&players.white, &players.black);
            if record.moves().len() == 0 {
                bail!("the game has no moves");
            }
            self.review = Some(EvaluatedGame::new(record, NODES));
        }
        self.evaluate(context)
    }

    pub(super) fn evaluate(&mut self, context: &mut Context) -> Result<()> {
        self.is_reviewing = false;
        let Some(review) = &mut self.review else {
            return Ok(());
        };
        if review.is_complete() {
            let mut record = review.record.clone();
            annotation::annotate(&mut record, &review.evaluations);
            let view = analysis::game_of_record(record, &context.names);
            context.page.send(Event::Review(Box::new(view)));
            return Ok(());
        }
        review.start(Mode::Play, &mut context.search, PlayReport::Review)?;
        context.page.send(progress(review));
        self.is_reviewing = true;
        Ok(())
    }

    pub(super) fn review_report(&mut self, report: Progress, context: &mut Context) {
        let Some(review) = &mut self.review else {
            return;
        };
        match review.take(report) {
            Ok(true) => {
                self.keep_annotated(context);
                if let Err(error) = self.evaluate(context) {
                    self.show(context);
                    context.page.send(failure(&error));
                }
            }
            Ok(false) => context.page.send(progress(review)),
            Err(text) => {
                self.end_review();
                self.show(context);
                context.page.note(&text);
            }
        }
    }

    /// Keeps the annotated game in place of the one in the library, for the exercises.
    fn keep_annotated(&self, context: &mut Context) {
        if let Some(game) = &self.review
            && let Err(error) = keep_annotated(
                &context.library,
                &self.entry.id,
                &game.record,
                &game.evaluations,
            )
        {
            context.page.note(&error);
        }
    }
}

fn progress(review: &EvaluatedGame) -> Event {
    Event::ReviewProgress {
        done: review.searched(),
        total: review.total(),
    }
}
