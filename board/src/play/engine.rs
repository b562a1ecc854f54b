//! The engine's part in a game: it thinks in the background as the session's task.

use std::time::Duration;

use anyhow::{Result, anyhow};
use game::play::{Job, Reply};
use search::{SearchError, SearchResult};
use service::{Engine, EngineError};

use super::{Play, failure, say};
use crate::context::{Context, Page};
use crate::messages::Mode;
use crate::report::PlayReport;
use crate::task::Search;

/// The longest search about a draw offer.
const LONGEST_CONSIDERATION: Duration = Duration::from_secs(1);
/// The time of a clock above which the engine takes a moment.
const UNHURRIED: Duration = Duration::from_secs(20);

/// Sets the strength of the engine's moves.
fn limit_strength(engine: &mut Engine, level: Option<u32>) -> Result<(), EngineError> {
    engine.set("UCI_LimitStrength", level.is_some())?;
    if let Some(elo) = level {
        engine.set("UCI_Elo", elo)?;
    }
    Ok(())
}

fn cannot_search(error: &SearchError) -> anyhow::Error {
    anyhow!("cannot search: {error}")
}

impl Play {
    /// Starts the search that is due, or stops one that no longer is.
    pub(super) fn search(&mut self, search: &mut Search) -> Result<()> {
        let Some(job) = self.game.next_job() else {
            if self.game.job().is_none() && !self.is_reviewing {
                search.stop(Mode::Play);
            }
            return Ok(());
        };
        self.end_review();
        let started = self.think(job, search);
        if started.is_err() {
            self.game.give_up();
        }
        started
    }

    fn think(&mut self, job: Job, search: &mut Search) -> Result<()> {
        let state = self.game.state();
        let game = state.game.clone();
        let mut limits = self.settings.limits();
        if job == Job::Move {
            let clocks = state.running_clocks();
            let color = game.position().side_to_move();
            let clock = clocks.as_ref().map(|clocks| clocks.of(color));
            let hurried = clock.is_some_and(|clock| clock < UNHURRIED);
            limit_strength(&mut search.engine, state.level())?;
            let limits = limits.with(clocks.map(|clocks| clocks.for_search()));
            let mut reply = search.engine.reply(game, limits, None);
            if !hurried {
                reply.options.not_before = self.settings.moment(state, clock);
            }
            search.start(Mode::Play, move |stop, reporter| {
                let found = reply.run(stop, &mut ());
                let chosen = found.map(|found| reply.reply(&found));
                let played = chosen.map(|chosen| chosen.map(|(mv, score)| Reply { mv, score }));
                reporter.report(PlayReport::Reply(played));
            })?;
        } else {
            if job == Job::DrawOffer {
                limits.time = limits.time.map(|time| time.min(LONGEST_CONSIDERATION));
            }
            let analysis = search.engine.analysis(game, limits.with(None));
            search.start(Mode::Play, move |stop, reporter| {
                reporter.report(PlayReport::Evaluated(analysis.run(stop, &mut ())));
            })?;
        }
        Ok(())
    }

    pub(crate) fn report(&mut self, report: PlayReport, context: &mut Context) {
        self.check_clock(context);
        let taken = match report {
            PlayReport::Review(report) => return self.review_report(report, context),
            PlayReport::Reply(reply) => self.take_reply(reply, context),
            PlayReport::Evaluated(found) => self.take_evaluation(found, &mut context.page),
        };
        if let Err(error) = taken.and_then(|()| self.proceed(context)) {
            self.game.give_up();
            context.page.send(failure(&error));
        }
    }

    fn take_reply(
        &mut self,
        reply: Result<Option<Reply>, SearchError>,
        context: &mut Context,
    ) -> Result<()> {
        let reply = reply.map_err(|error| cannot_search(&error))?;
        say(self.game.found(reply)?, &mut context.page);
        if self.game.has_premove() {
            // The page shows one move after the other.
            self.show(context);
            self.game.play_premove()?;
        }
        Ok(())
    }

    fn take_evaluation(
        &mut self,
        found: Result<SearchResult, SearchError>,
        page: &mut Page,
    ) -> Result<()> {
        let found = found.map_err(|error| cannot_search(&error))?;
        let notices = if self.game.job() == Some(Job::DrawOffer) {
            self.game.judged(found.score)
        } else {
            let hint = found.best_move.map(|mv| Reply { mv, score: None });
            self.game.found(hint)
        };
        say(notices?, page);
        Ok(())
    }

    /// The page shows this mode: resumes what was interrupted.
    pub(crate) fn shown(&mut self, context: &mut Context) {
        if context.search.is_running(Mode::Play) {
            return;
        }
        let resumed = if self.game.job().is_some() {
            self.game.restart();
            self.proceed(context)
        } else if self.is_reviewing {
            self.evaluate(context)
        } else {
            return;
        };
        if let Err(error) = resumed {
            self.show(context);
            context.page.send(failure(&error));
        }
    }

    /// The page shows another mode: the engine's clock waits.
    pub(crate) fn hidden(&mut self) {
        self.game.suspend();
    }
}
