//! The mode Play: a game against the engine or between two people at one board.
//!
//! `game::play::Controller` conducts the game; this module turns requests into its commands, runs
//! its searches as the session's task, reviews finished games and keeps all in the library.

mod engine;
mod review;
mod start;
#[cfg(test)]
mod tests;
mod view;

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use game::library::{Entry, GameId, GameKind, record};
use game::play::{
    Command, Controller, GameState, Job, Notice, Refusal, TypedMoveError, parse_move,
};
use movegen::Move;
use thiserror::Error;

use crate::context::{Context, Page, keep};
use crate::evaluation::EvaluatedGame;
use crate::illegal;
use crate::messages::Mode;
use crate::messages::play::{Event, NewRequest, Request, Saved, Settings};
use crate::task::Search;

/// The reason a request is refused.
#[derive(Debug, Error)]
#[error(transparent)]
enum Refused {
    Move(#[from] TypedMoveError),
    Command(#[from] Refusal),
    Other(#[from] anyhow::Error),
}

#[derive(Debug)]
pub(crate) struct Play {
    game: Controller,
    settings: Settings,
    review: Option<EvaluatedGame>,
    /// Its search is running.
    is_reviewing: bool,
    /// The game in the library, without what only others say about it.
    entry: Option<Entry>,
    /// The number of the game's lines in it.
    kept: usize,
}

impl Play {
    /// The strength of the game that a new page shows.
    const FIRST_ELO: u32 = 1500;
    pub(crate) fn new() -> Self {
        let settings = Settings {
            elo: Some(Self::FIRST_ELO),
            takes_time: true,
            ..Settings::default()
        };
        Self {
            game: Controller::new(GameState::default(), settings.resigns),
            settings,
            review: None,
            is_reviewing: false,
            entry: None,
            kept: 0,
        }
    }

    pub(crate) fn handle(&mut self, request: Request, context: &mut Context) {
        self.check_clock(context);
        let starts = matches!(request, Request::New(_));
        match self.execute(request, context) {
            Ok(()) if starts => context.page.send(Event::Started),
            Ok(()) => {}
            Err(error) => context.page.send(match &error {
                Refused::Move(typed) => {
                    Event::Illegal(illegal::typed(&self.game.state().game, typed))
                }
                _ if starts => Event::NotStarted {
                    text: illegal::sentence(&error),
                },
                _ => failure(&error),
            }),
        }
    }

    fn execute(&mut self, request: Request, context: &mut Context) -> Result<(), Refused> {
        match request {
            Request::State => {}
            Request::New(new) => self.begin(&new, context)?,
            Request::Restore { saved } => {
                let restored = self.restore(saved, &mut context.search);
                // The page shows the game that there is, if not the one it has kept.
                self.proceed(context)?;
                return Ok(restored?);
            }
            Request::Pause => self.command(Command::Pause, &mut context.page)?,
            Request::Resume => self.command(Command::Resume, &mut context.page)?,
            Request::Rematch => {
                let state = self.game.rematch()?;
                self.take(state, self.settings.clone(), &mut context.search);
            }
            Request::Continue { id } => self.reopen(id, context)?,
            Request::Review => return Ok(self.review(context)?),
            Request::Move { uci } => {
                let mv = self.uci_move(&uci)?;
                self.command(Command::Move(mv), &mut context.page)?;
            }
            Request::Typed { text } => {
                self.game.check_turn()?;
                let mv = parse_move(&self.game.state().game, &text)?;
                self.command(Command::Move(mv), &mut context.page)?;
            }
            Request::Explain { from, to } => {
                self.game.check_running()?;
                if let Some(illegal) = illegal::explain(&self.game.state().game, from, to) {
                    context.page.send(Event::Illegal(illegal));
                }
                return Ok(());
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
            Request::ClaimDrawWith { uci } => {
                let mv = self.uci_move(&uci)?;
                self.command(Command::Claim(Some(mv)), &mut context.page)?;
            }
            Request::Hint => self.command(Command::Hint, &mut context.page)?,
        }
        Ok(self.proceed(context)?)
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

    /// The review is about a game that has changed.
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
        let is_kept = self.kept == self.game.state().lines().len();
        if is_kept || self.game.state().played().0.moves().len() == 0 {
            return;
        }
        let pgn = self.pgn();
        let entry = self.entry.get_or_insert_default();
        let note = match keep(&context.library, entry, GameKind::Chess, &pgn) {
            Ok(note) => {
                self.kept = self.game.state().lines().len();
                note.map(str::to_owned)
            }
            // It leaves what is there, and the next move tries again.
            Err(error) => Some(error.to_string()),
        };
        if let Some(text) = note.as_ref().map(illegal::sentence) {
            context.page.send(Event::Note { text });
        }
    }

    /// The game of an entry has another.
    pub(crate) fn rename(&mut self, old: &GameId, new: &GameId, context: &mut Context) {
        if let Some(entry) = self.entry.as_mut().filter(|entry| entry.id == *old) {
            entry.id = new.clone();
            self.show(context);
        }
    }

    /// The library has the game as it is here, with what others say about it.
    fn set_entry(&mut self, id: Option<GameId>) {
        let text = Some(self.pgn());
        self.entry = id.map(|id| Entry { id, text });
        self.kept = self.game.state().lines().len();
    }

    /// A legal move of the user, whose turn it must be.
    fn uci_move(&self, uci: &str) -> Result<Move, Refused> {
        self.game.check_turn()?;
        let found = self.game.state().game.move_from_uci(uci);
        Ok(found.map_err(TypedMoveError::from)?)
    }

    fn begin(&mut self, new: &NewRequest, context: &mut Context) -> Result<()> {
        let (state, settings) = new.resolve(&context.names.own)?;
        self.take(state, settings, &mut context.search);
        Ok(())
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
        saved.settings.check()?;
        let mut state = GameState::default();
        for (action, line) in saved.actions.iter().zip(1..) {
            let followed = state.follow(action);
            followed.map_err(|error| anyhow!("cannot restore the game: line {line}: {error}"))?;
        }
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
        self.entry = None;
        self.kept = 0;
    }

    /// Until the clock of the side to move runs out; `None` if none is running.
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
            page.send(Event::Note { text });
        }
    }
}

fn failure(error: &impl ToString) -> Event {
    Event::Error {
        text: illegal::sentence(error),
    }
}
