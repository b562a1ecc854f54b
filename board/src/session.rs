//! One page: its requests, its modes, and its one search.

mod analysis;
mod annotator;
mod browser;
mod castling;
mod context;
mod editor;
mod engine;
mod evaluation;
mod illegal;
mod legal;
mod library;
mod own;
mod play;
mod task;
mod training;
mod tridim;
#[cfg(target_family = "wasm")]
pub(crate) mod wasm;

use std::sync::Arc;
use std::time::Duration;

use common::NAME;
use game::profile::Names;
use serde::{Deserialize, Serialize};

use analysis::Analysis;
pub(crate) use context::Context;
use play::Play;
use task::Owner;
use training::Training;
use tridim::Tridim;

/// Enough for the PGN of a long annotated game.
pub(crate) const MAX_REQUEST_BYTES: usize = 4 << 20;

/// An input that a session waits for.
#[derive(Debug)]
pub(crate) enum Input {
    /// As long as it waits, it keeps its place, which can be counted.
    Request(String, Arc<()>),
    /// Of the task with this number.
    Report(u64, Report),
    TaskEnded(u64),
    /// The page has disconnected.
    #[cfg(not(target_family = "wasm"))]
    Closed,
}

/// The parts of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    Play,
    Analysis,
    Training,
    Castling,
    Tridim,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "mode", content = "request", rename_all = "snake_case")]
enum Request {
    /// The page now shows this mode.
    Show(Mode),
    Play(play::Request),
    Analysis(analysis::Request),
    Training(training::Request),
    Castling(castling::Request),
    Tridim(tridim::Request),
    Editor(editor::Request),
    Engine(engine::Request),
    Library(library::Request),
    Browser(browser::Request),
}

#[derive(Debug, Serialize)]
#[serde(tag = "mode", content = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    Session(SessionEvent),
    Play(play::Event),
    Analysis(analysis::Event),
    Training(training::Event),
    Castling(castling::Event),
    Tridim(tridim::Event),
    Editor(editor::Event),
    Engine(engine::Event),
    Library(library::Event),
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum SessionEvent {
    /// The first event of every session.
    Hello {
        program: &'static str,
        /// The settings of the command line.
        engine: engine::Event,
        names: Names,
    },
    Error {
        text: String,
    },
}

/// A report of a task to its mode.
#[derive(Debug)]
pub(crate) enum Report {
    Play(play::Report),
    Analysis(analysis::Report),
    Training(training::Report),
    Tridim(tridim::Report),
    Annotator(evaluation::Progress),
}

macro_rules! variants {
    ($($target:ident::$variant:ident($inner:ty)),* $(,)?) => {
        $(impl From<$inner> for $target {
            fn from(inner: $inner) -> $target {
                $target::$variant(inner)
            }
        })*
    };
}

variants! {
    Event::Session(SessionEvent),
    Event::Play(play::Event),
    Event::Analysis(analysis::Event),
    Event::Training(training::Event),
    Event::Castling(castling::Event),
    Event::Tridim(tridim::Event),
    Event::Editor(editor::Event),
    Event::Engine(engine::Event),
    Event::Library(library::Event),
    Report::Play(play::Report),
    Report::Analysis(analysis::Report),
    Report::Training(training::Report),
    Report::Tridim(tridim::Report),
}

pub(crate) struct Session {
    context: Context,
    play: Play,
    analysis: Analysis,
    training: Training,
    tridim: Tridim,
    /// The mode that the page shows.
    shown: Option<Mode>,
}

impl Session {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            context,
            play: Play::new(),
            analysis: Analysis::new(),
            training: Training::default(),
            tridim: Tridim::new(),
            shown: None,
        }
    }

    /// Sends the first event.
    pub(crate) fn greet(&mut self) {
        let engine = engine::Event::new(&self.context.search.engine, Vec::new());
        self.context.page.send(SessionEvent::Hello {
            program: NAME,
            engine,
            names: self.context.names.clone(),
        });
    }

    pub(crate) fn handle(&mut self, input: Input) {
        match input {
            Input::Request(text, _place) => self.request(&text),
            Input::Report(id, report) if self.context.search.tasks.is_running(id) => {
                self.report(report);
            }
            Input::TaskEnded(id) if self.context.search.tasks.is_running(id) => self.task_ended(),
            Input::Report(..) | Input::TaskEnded(_) => {}
            #[cfg(not(target_family = "wasm"))]
            Input::Closed => self.context.page.gone = true,
        }
        self.annotate();
    }

    /// While no other search runs, the games that wait are annotated.
    fn annotate(&mut self) {
        let context = &mut self.context;
        if context.search.tasks.owner().is_none()
            && let Err(error) = context.annotator.run(&mut context.search, &context.library)
        {
            self.stop_annotating(error.to_string());
        }
    }

    fn stop_annotating(&mut self, text: String) {
        let context = &mut self.context;
        let kept = context.annotator.cancel(&context.library);
        let text = kept.err().map_or(text, |error| error.to_string());
        context.page.send(SessionEvent::Error { text });
    }

    /// Takes a report of the annotator.
    fn annotated(&mut self, progress: evaluation::Progress) {
        let context = &mut self.context;
        let is_shown = self.shown == Some(Mode::Training);
        match context.annotator.report(progress, &context.library) {
            Ok(None) => {}
            Ok(Some((id, record))) => {
                context.search.stop(Owner::Annotator);
                self.training.add(&id, &record, is_shown, context);
            }
            Err(text) => context.page.send(SessionEvent::Error { text }),
        }
        if is_shown {
            self.training.send_annotation(&mut self.context);
        }
    }

    /// The time until something happens without an input: a clock runs out, or lines are due.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let times = [
            self.play.time_left(),
            self.analysis.time_left(),
            self.context.annotator.time_left(),
        ];
        times.into_iter().flatten().min()
    }

    /// True if the page has gone away.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn is_over(&self) -> bool {
        self.context.page.gone
    }

    /// Does what is due.
    pub(crate) fn time_out(&mut self) {
        self.play.check_clock(&mut self.context);
        self.analysis.send_lines(&mut self.context);
        let context = &mut self.context;
        if context
            .annotator
            .check(&mut context.search, &context.library)
        {
            self.annotate();
            if self.shown == Some(Mode::Training) {
                self.training.send_annotation(&mut self.context);
            }
        }
    }

    fn request(&mut self, text: &str) {
        let context = &mut self.context;
        match serde_json::from_str(text) {
            Ok(Request::Show(mode)) => self.show(mode),
            Ok(Request::Play(request)) => self.play.handle(request, context),
            Ok(Request::Analysis(request)) => self.analysis.handle(request, context),
            Ok(Request::Training(request)) => self.training.handle(request, context),
            Ok(Request::Castling(request)) => context.page.send(castling::answer(&request)),
            Ok(Request::Tridim(request)) => self.tridim.handle(request, context),
            Ok(Request::Editor(request)) => context.page.send(editor::answer(request)),
            Ok(Request::Engine(request)) => self.configure(&request),
            Ok(Request::Browser(request)) => self.settle(request),
            Ok(Request::Library(request)) => {
                let names = context.names.clone();
                library::handle(request, context);
                if names != context.names {
                    self.analysis.forget_own_games();
                    self.training.forget(context);
                    if let Some(mode) = self.shown {
                        self.show(mode);
                    }
                }
            }
            Err(error) => context.page.send(SessionEvent::Error {
                text: format!("invalid request: {error}"),
            }),
        }
    }

    /// The browser has not kept what the session has kept.
    fn settle(&mut self, request: browser::Request) {
        let context = &mut self.context;
        let text = match browser::handle(request, context) {
            Ok(None) => context.unkept.clone(),
            Ok(Some((old, new))) => {
                self.play.rename(&old, &new, context);
                self.analysis.rename(&old, &new, context);
                self.tridim.rename(&old, &new, context);
                Some(library::CHANGED_ELSEWHERE.to_owned())
            }
            Err(error) => Some(error.to_string()),
        };
        if let Some(text) = text {
            let text = illegal::sentence(&text);
            context.page.send(SessionEvent::Error { text });
        }
    }

    /// Searches with other settings; one that is running starts again.
    fn configure(&mut self, request: &engine::Request) {
        // Not the engine whose search is running: in WebAssembly that ends later.
        let mut engine = self.context.search.engine.another();
        let problems = engine::configure(&mut engine, request);
        let event = engine::Event::new(&engine, problems);
        if engine.config() != self.context.search.engine.config() {
            self.play.hidden();
            self.context.search.tasks.stop();
            self.tridim.configure();
            self.context.search.engine = engine;
            if let Some(mode) = self.shown {
                self.show(mode);
            }
        }
        self.context.page.send(event);
    }

    /// The search of another mode is interrupted; the mode that is shown may resume its own.
    fn show(&mut self, mode: Mode) {
        self.shown = Some(mode);
        let context = &mut self.context;
        if let Err(error) = context.annotator.resume(&context.library) {
            let text = illegal::sentence(&error);
            context.page.send(SessionEvent::Error { text });
        }
        if matches!(context.search.tasks.owner(), Some(Owner::Mode(running)) if running != mode) {
            context.search.tasks.stop();
        }
        if mode != Mode::Play {
            self.play.hidden();
        }
        match mode {
            Mode::Play => self.play.shown(context),
            Mode::Analysis => self.analysis.shown(context),
            Mode::Training => self.training.shown(context),
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
            Report::Annotator(report) => self.annotated(report),
        }
    }

    fn task_ended(&mut self) {
        let is_annotator = self.context.search.is_running(Owner::Annotator);
        if !self.context.search.tasks.stop() {
            let text = "the search has ended unexpectedly; please report this".to_owned();
            if is_annotator {
                self.stop_annotating(text);
            } else {
                self.context.page.send(SessionEvent::Error { text });
            }
        }
    }
}

/// A context without a page, for the tests of the modes.
#[cfg(test)]
pub(crate) mod harness {
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    use game::library::Library;
    use serde_json::Value;
    use service::{Engine, OptionTable};

    use super::{Context, Event, Input, Report};

    pub(crate) struct Harness {
        pub(crate) context: Context,
        events: Receiver<String>,
        inputs: Receiver<Input>,
    }

    impl Harness {
        pub(crate) fn new() -> Harness {
            let mut engine = Engine::new(OptionTable::default());
            engine.set("Hash", 1).expect("a valid option");
            let (sender, inputs) = mpsc::channel();
            let (events_sender, events) = mpsc::channel();
            let send = move |event| events_sender.send(event).is_ok();
            Harness {
                context: Context::new(engine, Library::default(), sender, Box::new(send)),
                events,
                inputs,
            }
        }

        /// The events sent since the last call, without the mode.
        pub(crate) fn events(&mut self) -> Vec<Value> {
            let mut events = Vec::new();
            while let Ok(text) = self.events.try_recv() {
                let mut message: Value = serde_json::from_str(&text).expect("valid JSON");
                events.push(message["event"].take());
            }
            events
        }

        /// The next report of the running task; `None` when it has ended.
        pub(crate) fn next_report(&mut self) -> Option<Report> {
            loop {
                let input = self.inputs.recv_timeout(Duration::from_secs(120));
                match input.expect("a report or the end of the task") {
                    Input::Report(id, report) if self.context.search.tasks.is_running(id) => {
                        return Some(report);
                    }
                    Input::TaskEnded(id) if self.context.search.tasks.is_running(id) => {
                        assert!(self.context.search.tasks.stop(), "the task has panicked");
                        return None;
                    }
                    _ => {}
                }
            }
        }
    }

    /// Also makes the conversion of events testable without a context.
    pub(crate) fn json(event: impl Into<Event>) -> Value {
        let mut message = serde_json::to_value(event.into()).expect("valid JSON");
        message["event"].take()
    }
}
