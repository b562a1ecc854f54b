//! The engine's part in a game: it thinks in the background as the session's task.

use std::time::Duration;

use game::play::{Action, EndPolicy, Reply};
use search::{SearchError, SearchResult};

use super::{Event, Play, PlayRequestError, Report, Thought, failure};
use crate::session::{Context, Mode};

/// Of a draw offer.
const LONGEST_CONSIDERATION: Duration = Duration::from_secs(1);
/// Without a clock that is about to run out.
const UNHURRIED: Duration = Duration::from_secs(20);

impl Play {
    /// Starts the engine.
    pub(super) fn think(
        &mut self,
        thought: Thought,
        context: &mut Context,
    ) -> Result<(), PlayRequestError> {
        let game = self.state.game.clone();
        let limits = self.settings.limits();
        let job = if thought == Thought::Move {
            let clocks = self.state.running_clocks();
            let color = game.position().side_to_move();
            let clock = clocks.as_ref().map(|clocks| clocks.of(color));
            let hurried = clock.is_some_and(|clock| clock < UNHURRIED);
            let moves = game.position().legal_moves().len();
            self.settings.limit_strength(&mut context.engine)?;
            let limits = limits.with(clocks.map(|clocks| clocks.for_search()));
            let mut job = context.engine.reply(game, limits, None);
            if !hurried {
                job.options.not_before = self.settings.moment(moves, clock);
            }
            job
        } else {
            let mut limits = limits;
            if thought == Thought::DrawOffer {
                limits.time = limits.time.map(|time| time.min(LONGEST_CONSIDERATION));
            }
            context.engine.analysis(game, limits.with(None))
        };
        context.start(Mode::Play, move |stop, reporter| {
            let result = job.run(stop, &mut ());
            reporter.report(match thought {
                Thought::Move => Report::Reply(result.map(|result| job.reply(&result))),
                _ => Report::Evaluated(thought, result),
            });
        })?;
        self.thought = Some(thought);
        Ok(())
    }

    /// Stops the engine.
    pub(super) fn stop(&mut self, context: &mut Context) {
        context.stop(Mode::Play);
        self.thought = None;
        self.premoves.clear();
        self.paused = false;
        self.review = None;
    }

    pub(crate) fn report(&mut self, report: Report, context: &mut Context) {
        self.check_clock(context);
        let report = match report {
            Report::Review(report) => return self.review_report(report, context),
            report => report,
        };
        if self.thought.take().is_none() {
            // The flag has fallen meanwhile.
            return;
        }
        let taken = match report {
            Report::Reply(reply) => self.take_reply(reply, context),
            Report::Evaluated(thought, outcome) => self.take_outcome(thought, outcome, context),
            Report::Tried(ply, uci, found) => {
                let event = self.take_tried(ply, uci, found);
                return context.send(event.unwrap_or_else(|error| failure(&error)));
            }
            Report::Review(_) => Ok(()),
        };
        if let Err(error) = taken.and_then(|()| self.proceed(context)) {
            context.send(failure(&error));
        }
    }

    fn take_reply(
        &mut self,
        reply: Result<Option<Reply>, SearchError>,
        context: &mut Context,
    ) -> Result<(), PlayRequestError> {
        let Some(reply) = reply? else {
            return Ok(());
        };
        let game = &self.state.game;
        if let Some(action) = self.end_policy.ends_with(game, reply) {
            let text = EndPolicy::announcement(&action, game);
            context.send(Event::Note { text });
            return Ok(self.apply(&action)?);
        }
        self.play(reply.mv)?;
        let premove = self.premoves.pop_front();
        let legal = premove.and_then(|premove| self.legal(premove));
        let Some(mv) = legal.filter(|_| !self.state.is_over()) else {
            // Those after a move that is not legal made sense only after it.
            self.premoves.clear();
            return Ok(());
        };
        // The page shows one move after the other.
        self.show(context);
        Ok(self.play(mv)?)
    }

    fn take_outcome(
        &mut self,
        thought: Thought,
        outcome: Result<SearchResult, SearchError>,
        context: &mut Context,
    ) -> Result<(), PlayRequestError> {
        self.state.resume_clock();
        let outcome = outcome?;
        if thought == Thought::Hint {
            self.hint = outcome.best_move;
            return Ok(());
        }
        let answer = self.end_policy.answer(&self.state.game, outcome.score);
        let text = match answer {
            Ok(()) => "Castellan accepts the draw.".to_owned(),
            Err(declined) => declined.to_string(),
        };
        context.send(Event::Note { text });
        if answer.is_ok() {
            self.apply(&Action::Agree)?;
        }
        Ok(())
    }

    /// The page shows this mode: resumes what was interrupted.
    pub(crate) fn shown(&mut self, context: &mut Context) {
        if self.thought.is_none() || context.is_running(Mode::Play) {
            return;
        }
        let resumed = match self.thought.take() {
            Some(Thought::Review) => self.evaluate(context),
            _ => {
                self.premoves.clear();
                self.state.resume_clock();
                self.proceed(context)
            }
        };
        if let Err(error) = resumed {
            context.send(failure(&error));
        }
    }

    /// The page shows another mode: the engine's clock waits.
    pub(crate) fn hidden(&mut self) {
        if self.thought.is_some() {
            self.state.pause_clock();
        }
    }
}
