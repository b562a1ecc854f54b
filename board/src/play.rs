//! The mode Play: a game against the engine or between two people at one board.
//!
//! `game::play::Controller` conducts the game; this module turns requests into its commands, runs
//! its searches as the session's task, reviews finished games and keeps all in the library.

mod engine;
mod review;
mod start;
mod view;

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use game::library::{Entry, GameId, GameKind, record};
use game::play::{Action, Command, Controller, GameState, Job, Notice, Refusal};
use movegen::Move;

use crate::context::{Context, Page};
use crate::evaluation::EvaluatedGame;
use crate::illegal;
use crate::messages::Mode;
use crate::messages::play::{Event, Request, Saved, Settings};
use crate::task::Search;

#[derive(Debug)]
pub(crate) struct Play {
    game: Controller,
    settings: Settings,
    review: Option<EvaluatedGame>,
    /// True while the review is searched.
    is_reviewing: bool,
    /// The game in the library, without the comments of others.
    entry: Entry,
}

impl Play {
    /// The strength of the game that a new page shows.
    const FIRST_ELO: u32 = 1500;
    pub(crate) fn new() -> Self {
        let settings = Settings {
            takes_time: true,
            ..Settings::default()
        };
        let mut state = GameState::default();
        // A game that has not begun takes any level.
        let _ = state.apply(&Action::Level(Self::FIRST_ELO));
        Self {
            game: Controller::new(state, settings.resigns),
            settings,
            review: None,
            is_reviewing: false,
            entry: Entry::default(),
        }
    }

    pub(crate) fn handle(&mut self, request: Request, context: &mut Context) {
        self.check_clock(context);
        let starts = matches!(request, Request::New(_));
        match self.execute(request, context) {
            Ok(()) if starts => context.page.send(Event::Started),
            Ok(()) => {}
            Err(error) if starts => context.page.send(Event::NotStarted {
                text: illegal::sentence(&error),
            }),
            Err(error) => context.page.send(failure(&error)),
        }
    }

    fn execute(&mut self, request: Request, context: &mut Context) -> Result<()> {
        match request {
            Request::State => {}
            Request::New(new) => {
                let (state, settings) = new.resolve(&context.names.own)?;
                self.take(state, settings, &mut context.search);
            }
            Request::Restore { saved } => {
                let restored = self.restore(saved, &mut context.search);
                // The page shows the game that there is, if not the one it has kept.
                self.proceed(context)?;
                return restored;
            }
            Request::Pause => self.command(Command::Pause, &mut context.page)?,
            Request::Resume => self.command(Command::Resume, &mut context.page)?,
            Request::Rematch => {
                let state = self.game.rematch()?;
                self.take(state, self.settings.clone(), &mut context.search);
            }
            Request::Continue { id } => self.reopen(id, context)?,
            Request::Review => return self.review(context),
            Request::Move { text } => {
                let Some(mv) = self.read_move(&text, &mut context.page)? else {
                    return Ok(());
                };
                self.command(Command::Move(mv), &mut context.page)?;
            }
            Request::Premove(premove) => {
                self.command(Command::Premove(premove), &mut context.page)?;
            }
            Request::CancelPremove => self.command(Command::CancelPremoves, &mut context.page)?,
            Request::MoveNow => {
                if self.game.job() == Some(Job::Move) {
                    context.search.finish(Mode::Play);
                }
                return Ok(());
            }
            Request::Takeback => self.command(Command::Undo, &mut context.page)?,
            Request::Redo => self.command(Command::Redo, &mut context.page)?,
            Request::Resign => self.command(Command::Resign, &mut context.page)?,
            Request::OfferDraw => {
                let notices = self.game.offer_draw()?;
                say(notices, &mut context.page);
            }
            Request::ClaimDraw => self.command(Command::Claim(None), &mut context.page)?,
            Request::ClaimDrawWith { text } => {
                let Some(mv) = self.read_move(&text, &mut context.page)? else {
                    return Ok(());
                };
                self.command(Command::Claim(Some(mv)), &mut context.page)?;
            }
            Request::Hint => self.command(Command::Hint, &mut context.page)?,
        }
        self.proceed(context)
    }

    fn command(&mut self, command: Command, page: &mut Page) -> Result<(), Refusal> {
        let lines = self.game.state().lines().len();
        let notices = self.game.execute(command)?;
        if self.game.state().lines().len() != lines {
            self.end_review();
        }
        say(notices, page);
        Ok(())
    }

    /// Ends a review of a game that has changed.
    fn end_review(&mut self) {
        self.is_reviewing = false;
        self.review = None;
    }

    /// Runs the search that is due, or stops one that is not, and shows the state.
    fn proceed(&mut self, context: &mut Context) -> Result<()> {
        self.search(&mut context.search)?;
        self.show(context);
        Ok(())
    }

    /// Shows the state, and keeps the game in the library.
    fn show(&mut self, context: &mut Context) {
        self.keep(context);
        context.page.send(Event::Game(Box::new(self.view())));
    }

    /// Keeps the game in the library, once it has moves.
    fn keep(&mut self, context: &mut Context) {
        if self.game.state().has_moves() {
            let pgn = self.pgn();
            context.keep(&mut self.entry, GameKind::Chess, &pgn);
        }
    }

    /// Gives the game of an entry another name.
    pub(crate) fn rename(&mut self, old: &GameId, new: &GameId, context: &mut Context) {
        if self.entry.id == *old {
            self.entry.id = new.clone();
            self.show(context);
        }
    }

    /// Takes the game as the one that the library has under a name.
    fn set_entry(&mut self, id: Option<GameId>) {
        if let Some(id) = id {
            let text = Some(self.pgn());
            self.entry = Entry { id, text };
        }
    }

    /// Parses a move of the user, whose turn it must be. The page hears why one is illegal.
    fn read_move(&self, text: &str, page: &mut Page) -> Result<Option<Move>, Refusal> {
        self.game.check_turn()?;
        let read = illegal::read_move(&self.game.state().game, text);
        Ok(read
            .map_err(|illegal| page.send(Event::Illegal(illegal)))
            .ok())
    }

    fn reopen(&mut self, id: GameId, context: &mut Context) -> Result<()> {
        let kept = context.library.read(&id)?;
        let record = kept.and_then(|(_, pgn)| record(&pgn));
        let record = record.context("the library has no such game")?;
        let (state, settings) = start::reopened(&record)?;
        self.take(state, settings, &mut context.search);
        self.set_entry(Some(id));
        Ok(())
    }

    fn restore(&mut self, saved: Saved, search: &mut Search) -> Result<()> {
        let mut state = GameState::default();
        for (action, line) in saved.actions.iter().zip(1..) {
            let followed = state.follow(action);
            followed.map_err(|error| anyhow!("cannot restore the game: line {line}: {error}"))?;
        }
        saved.settings.check(state.level())?;
        self.take(state, saved.settings, search);
        self.set_entry(saved.id);
        if saved.paused {
            // Unless the game is over.
            let _ = self.game.execute(Command::Pause);
        }
        Ok(())
    }

    /// Replaces the game.
    fn take(&mut self, state: GameState, settings: Settings, search: &mut Search) {
        search.stop(Mode::Play);
        // A hash table of its own; in WebAssembly a search may still use the old one.
        search.engine = search.engine.another();
        self.game = Controller::new(state, settings.resigns);
        self.settings = settings;
        self.end_review();
        self.entry = Entry::default();
    }

    /// The time until the clock of the side to move runs out; `None` if none is running.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.game.state().time_left()
    }

    /// Ends the game if a clock has run out.
    pub(crate) fn check_clock(&mut self, context: &mut Context) {
        if self.game.tick() {
            context.search.stop(Mode::Play);
            self.show(context);
        }
    }
}

/// Sends the engine's messages; the state shows the rest.
fn say(notices: Vec<Notice>, page: &mut Page) {
    for notice in notices {
        if let Notice::Says(text) = notice {
            page.note(&text);
        }
    }
}

fn failure(error: &anyhow::Error) -> Event {
    Event::Error {
        text: illegal::sentence(error),
    }
}
