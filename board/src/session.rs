//! The session of a page: its requests, its modes, and its one search.

use std::time::{Duration, Instant};

use common::NAME;

use crate::analysis::Analysis;
use crate::annotator::{UNEXPECTED, read};
use crate::context::{CHANGED_ELSEWHERE, Context};
use crate::finder::Finder;
use crate::messages::{AnnotatorView, Mode, Request, SessionEvent};
use crate::openings::Openings;
use crate::play::Play;
use crate::report::{AnnotatorReport, Report};
use crate::task::Owner;
use crate::training::Training;
use crate::tridim::Tridim;
use crate::{browser, castling, editor, engine, library, messages};

pub(crate) struct Session {
    context: Context,
    /// The progress of the annotation that was sent last.
    annotation: Option<AnnotatorView>,
    /// The time of the last look at what it waits for.
    checked: Instant,
    finder: Finder,
    /// The reason for which the browser does not keep the games of the static page, if it does not.
    unkept: Option<String>,
    play: Play,
    analysis: Analysis,
    training: Training,
    openings: Openings,
    tridim: Tridim,
    /// The mode that the page shows.
    shown: Option<Mode>,
}

impl Session {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            context,
            annotation: None,
            checked: Instant::now(),
            finder: Finder::default(),
            unkept: None,
            play: Play::new(),
            analysis: Analysis::new(),
            training: Training::default(),
            openings: Openings::default(),
            tridim: Tridim::new(),
            shown: None,
        }
    }

    /// Sends the first event.
    pub(crate) fn greet(&mut self) {
        let engine = engine::settings(&self.context.search.engine, Vec::new());
        self.context.page.send(SessionEvent::Hello {
            program: NAME,
            engine,
            names: self.context.names.clone(),
        });
        self.send_annotation();
    }

    /// Takes a report of a task, or its end.
    pub(crate) fn handle_task(&mut self, id: u64, report: Option<Report>) {
        if self.context.search.is_current(id) {
            match report {
                Some(report) => self.report(report),
                None => self.task_ended(),
            }
        }
        self.annotate();
    }

    pub(crate) fn handle_request(&mut self, text: &str) {
        self.request(text);
        self.annotate();
    }

    /// Annotates the next game that waits, if that is a session's work and no other search runs.
    fn annotate(&mut self) {
        let context = &mut self.context;
        if context.search.owner().is_some() || !context.annotator.needs_session() {
            return;
        }
        let annotator = context.annotator.clone();
        let started = context
            .search
            .start(Owner::Annotator, move |stop, reporter| {
                annotator.annotate_next(stop);
                reporter.report(Report::Annotator);
            });
        if let Err(error) = started {
            context.annotator.fail(&error.to_string());
        }
    }

    /// Takes a report of the annotator.
    pub(crate) fn handle_annotator(&mut self, report: AnnotatorReport) {
        let context = &mut self.context;
        match report {
            AnnotatorReport::Progress => {}
            AnnotatorReport::Annotated(id) => {
                if let Some(record) = read(&context.library, &id) {
                    let is_shown = self.shown == Some(Mode::Training);
                    self.training.add(&id, &record, is_shown, context);
                }
            }
            AnnotatorReport::Failed(text) => context.page.note(&text),
        }
        self.send_annotation();
        self.annotate();
    }

    /// Sends the progress of the annotation, unless it is as it was.
    fn send_annotation(&mut self) {
        let running = self.context.annotator.view();
        if running != self.annotation {
            self.annotation.clone_from(&running);
            self.context.page.send(SessionEvent::Annotation { running });
        }
    }

    /// The time until something is due without an input, such as the end of a clock.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let times = [
            self.play.time_left(),
            self.analysis.time_left(),
            self.annotator_time_left(),
            self.finder.time_left(),
        ];
        times.into_iter().flatten().min()
    }

    /// The time until a session is to look at what waits for annotation.
    fn annotator_time_left(&self) -> Option<Duration> {
        let pause = self.context.annotator.pause()?;
        Some(pause.saturating_sub(self.checked.elapsed()))
    }

    /// True if the page has gone away.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn is_over(&self) -> bool {
        self.context.page.gone
    }

    /// Does what `time_left` has announced.
    pub(crate) fn time_out(&mut self) {
        self.play.check_clock(&mut self.context);
        self.analysis.send_lines(&mut self.context);
        self.finder.work(&mut self.context);
        if self
            .annotator_time_left()
            .is_some_and(|left| left.is_zero())
        {
            self.checked = Instant::now();
            self.context.annotator.check();
            self.annotate();
        }
    }

    fn request(&mut self, text: &str) {
        let context = &mut self.context;
        match serde_json::from_str(text) {
            Ok(Request::Show(mode)) => {
                if context.read_names() {
                    self.forget();
                }
                self.show(mode);
            }
            Ok(Request::Play(request)) => self.play.handle(request, context),
            Ok(Request::Analysis(request)) => self.analysis.handle(request, context),
            Ok(Request::Training(request)) => self.training.handle(request, context),
            Ok(Request::Openings(request)) => self.openings.handle(request, context),
            Ok(Request::Castling(request)) => context.page.send(castling::answer(&request)),
            Ok(Request::Tridim(request)) => self.tridim.handle(request, context),
            Ok(Request::Editor(request)) => context.page.send(editor::answer(request)),
            Ok(Request::Finder(request)) => self.finder.handle(&request, context),
            Ok(Request::Engine(request)) => self.configure(&request),
            Ok(Request::Browser(request)) => self.settle(request),
            Ok(Request::Library(request)) => {
                let names = context.names.clone();
                let has_other_games = matches!(
                    request,
                    messages::library::Request::Add { .. }
                        | messages::library::Request::Delete { .. }
                );
                let is_import = matches!(request, messages::library::Request::Import { .. });
                library::handle(request, self.unkept.as_deref(), context);
                let forgets = is_import || names != context.names;
                if forgets {
                    self.forget();
                }
                if (forgets || has_other_games)
                    && let Some(mode) = self.shown
                {
                    self.show(mode);
                }
            }
            Err(error) => context.page.note(&format!("invalid request: {error}")),
        }
    }

    /// Forgets what depends on the names.
    fn forget(&mut self) {
        self.analysis.forget_own_games();
        self.training.forget(&mut self.context.search);
        self.openings.forget();
    }

    /// Handles a report that the browser has not kept a file.
    fn settle(&mut self, request: messages::browser::Request) {
        let context = &mut self.context;
        let text = match browser::handle(request, &context.library, &mut self.unkept) {
            Ok(None) => self.unkept.clone(),
            Ok(Some((old, new))) => {
                self.play.rename(&old, &new, context);
                self.analysis.rename(&old, &new, context);
                self.tridim.rename(&old, &new, context);
                Some(CHANGED_ELSEWHERE.to_owned())
            }
            Err(error) => Some(error.to_string()),
        };
        if let Some(text) = text {
            context.page.note(&text);
        }
    }

    /// Searches with other settings; one that is running starts again.
    fn configure(&mut self, request: &messages::engine::Request) {
        // Not the engine whose search is running: in WebAssembly that ends later.
        let mut engine = self.context.search.engine.another();
        let problems = engine::configure(&mut engine, request);
        let event = engine::settings(&engine, problems);
        if engine.config() != self.context.search.engine.config() {
            self.play.hidden();
            self.context.search.end();
            self.tridim.configure();
            self.context.search.engine = engine;
            if let Some(mode) = self.shown {
                self.show(mode);
            }
        }
        self.context.page.send(event);
    }

    /// Interrupts the search of another mode; the mode that is shown may resume its own.
    fn show(&mut self, mode: Mode) {
        self.shown = Some(mode);
        let context = &mut self.context;
        if let Err(error) = context.annotator.resume() {
            context.page.note(&error);
        }
        if matches!(context.search.owner(), Some(Owner::Mode(running)) if running != mode) {
            context.search.end();
        }
        if mode != Mode::Play {
            self.play.hidden();
        }
        match mode {
            Mode::Play => self.play.shown(context),
            Mode::Analysis => self.analysis.shown(context),
            Mode::Training => self.training.shown(context),
            Mode::Openings => self.openings.shown(context),
            Mode::Castling => {}
            Mode::Tridim => self.tridim.shown(context),
        }
    }

    fn report(&mut self, report: Report) {
        let context = &mut self.context;
        match report {
            Report::Play(report) => self.play.report(report, context),
            Report::Analysis(report) => self.analysis.report(report, context),
            Report::Training(report) => self.training.report(report, context),
            Report::Tridim(report) => self.tridim.report(report, context),
            Report::Annotator => context.search.stop(Owner::Annotator),
        }
    }

    fn task_ended(&mut self) {
        let is_annotator = self.context.search.is_running(Owner::Annotator);
        if !self.context.search.end() {
            if is_annotator {
                self.context.annotator.fail(UNEXPECTED);
            } else {
                self.context.page.note(&UNEXPECTED);
            }
        }
    }
}

#[cfg(test)]
mod tests;
