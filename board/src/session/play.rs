//! The mode Play: a game against the engine or between two people at one board.
//!
//! `game::play::Controller` conducts the game; this module turns requests into its commands, runs
//! its searches as the session's task, reviews finished games and keeps all in the library.

mod engine;
mod messages;
mod review;
mod start;
#[cfg(test)]
mod tests;
mod view;

use std::time::Duration;

use common::files::FileError;
use game::library::GameKind;
use game::play::{
    Command, Controller, GameState, Job, LineError, Notice, Refusal, Reply, TypedMoveError,
    parse_move,
};
use movegen::Move;
use search::{SearchError, SearchResult};
use serde::{Deserialize, Serialize};
use service::EngineError;
use service::background::TaskError;
use thiserror::Error;

use super::evaluation::{EvaluatedGame, Progress};
use super::illegal;
use super::library::{self, GameId};
use crate::session::{Context, Mode};
pub(crate) use messages::{Event, Request};

use start::{NewRequest, Settings, StartError};

/// The state that the page keeps, so that a game outlives its session.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    /// The lines of a saved game.
    actions: Vec<String>,
    settings: Settings,
    #[serde(default)]
    paused: bool,
    /// Names the game in the library.
    #[serde(default)]
    id: Option<GameId>,
}

/// The reason a request was rejected. The game is unchanged.
#[derive(Debug, Error)]
enum PlayRequestError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Move(#[from] TypedMoveError),
    #[error("the game has no moves")]
    NoMoves,
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the library has no such game")]
    NoGame,
    #[error("there is no such move in the review")]
    NoReview,
    #[error("cannot restore the game: line {line}: {source}")]
    Restore { line: usize, source: LineError },
    #[error("cannot search: {0}")]
    Search(#[from] SearchError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Task(#[from] TaskError),
}

/// A search about a game that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Study {
    Review,
    Try,
}

#[derive(Debug)]
pub(crate) enum Report {
    Reply(Result<Option<Reply>, SearchError>),
    Evaluated(Result<SearchResult, SearchError>),
    Review(Progress),
    Tried(usize, String, Result<SearchResult, SearchError>),
}

#[derive(Debug)]
pub(crate) struct Play {
    game: Controller,
    settings: Settings,
    /// The search about the game that is over.
    study: Option<Study>,
    review: Option<EvaluatedGame>,
    /// The game's entry in the library.
    id: Option<GameId>,
    /// The number of the game's lines in it, and the moves.
    kept: usize,
    kept_moves: Vec<Move>,
}

impl Play {
    /// The strength of the game that a new page shows.
    const FIRST_ELO: u32 = 1500;
    pub(crate) fn new() -> Play {
        let settings = Settings {
            elo: Some(Play::FIRST_ELO),
            takes_time: true,
            ..Settings::default()
        };
        Play {
            game: Controller::new(GameState::default(), settings.resigns),
            settings,
            study: None,
            review: None,
            id: None,
            kept: 0,
            kept_moves: Vec::new(),
        }
    }

    pub(crate) fn handle(&mut self, request: Request, context: &mut Context) {
        self.check_clock(context);
        let starts = matches!(request, Request::New(_));
        match self.execute(request, context) {
            Ok(()) if starts => context.send(Event::Started),
            Ok(()) => {}
            Err(PlayRequestError::Move(error)) => {
                context.send(Event::Illegal(illegal::typed(
                    &self.game.state().game,
                    &error,
                )));
            }
            Err(error) if starts => context.send(Event::NotStarted {
                text: illegal::sentence(&error),
            }),
            Err(error) => context.send(failure(&error)),
        }
    }

    fn execute(&mut self, request: Request, context: &mut Context) -> Result<(), PlayRequestError> {
        match request {
            Request::State => {}
            Request::New(new) => self.begin(&new, context)?,
            Request::Restore { saved } => {
                let restored = self.restore(saved, context);
                // The page shows the game that there is, if not the one it has kept.
                self.proceed(context)?;
                return restored;
            }
            Request::Pause => self.command(Command::Pause, context)?,
            Request::Resume => self.command(Command::Resume, context)?,
            Request::Rematch => {
                let state = self.game.rematch()?;
                self.take(state, self.settings.clone(), context);
            }
            Request::Continue { id } => self.reopen(id, context)?,
            Request::Review => return self.review(context),
            Request::Try { ply, uci } => return self.try_move(ply, uci, context),
            Request::Move { uci } => {
                let mv = self.uci_move(&uci)?;
                self.command(Command::Move(mv), context)?;
            }
            Request::Typed { text } => {
                self.game.check_turn()?;
                let mv = parse_move(&self.game.state().game, &text)?;
                self.command(Command::Move(mv), context)?;
            }
            Request::Explain { from, to } => {
                self.game.check_running()?;
                if let Some(illegal) = illegal::explain(&self.game.state().game, from, to) {
                    context.send(Event::Illegal(illegal));
                }
                return Ok(());
            }
            Request::Premove(premove) => self.command(Command::Premove(premove), context)?,
            Request::CancelPremove => self.command(Command::CancelPremoves, context)?,
            Request::MoveNow => {
                if self.game.job() == Some(Job::Move) {
                    context.finish(Mode::Play);
                }
                return Ok(());
            }
            Request::Takeback => self.command(Command::Undo, context)?,
            Request::Redo => self.command(Command::Redo, context)?,
            Request::Resign => self.command(Command::Resign, context)?,
            Request::OfferDraw => {
                let notices = self.game.offer_draw()?;
                say(notices, context);
            }
            Request::ClaimDraw => self.command(Command::Claim(None), context)?,
            Request::ClaimDrawWith { uci } => {
                let mv = self.uci_move(&uci)?;
                self.command(Command::Claim(Some(mv)), context)?;
            }
            Request::Hint => self.command(Command::Hint, context)?,
        }
        self.proceed(context)
    }

    fn command(&mut self, command: Command, context: &mut Context) -> Result<(), Refusal> {
        let lines = self.game.state().lines().len();
        let notices = self.game.execute(command)?;
        if self.game.state().lines().len() != lines {
            self.end_study();
        }
        say(notices, context);
        Ok(())
    }

    /// The review is about a game that has changed.
    fn end_study(&mut self) {
        self.study = None;
        self.review = None;
    }

    /// Runs the search that is due, or stops one that is not, and shows the state.
    fn proceed(&mut self, context: &mut Context) -> Result<(), PlayRequestError> {
        self.search(context)?;
        self.show(context);
        Ok(())
    }

    /// Shows the state, and keeps the game in the library.
    fn show(&mut self, context: &mut Context) {
        self.keep(context);
        context.send(Event::Game(Box::new(self.view())));
    }

    /// Keeps the game in the library, once it has moves.
    fn keep(&mut self, context: &mut Context) {
        let is_kept = self.kept == self.game.state().lines().len();
        if is_kept || self.game.state().played().0.moves().len() == 0 {
            return;
        }
        if self.is_continued_elsewhere(context) {
            self.id = None;
            context.send(Event::Note {
                text: illegal::sentence(&library::CONTINUED_ELSEWHERE),
            });
        }
        self.set_kept();
        let players = self.players();
        let pgn = self.game.state().pgn(&players.white, &players.black);
        let id = self.id.get_or_insert_with(GameId::now);
        if let Err(error) = context.library.keep(id, GameKind::Chess, &pgn) {
            context.send(Event::Note {
                text: illegal::sentence(&error),
            });
        }
    }

    /// The library has the game as it is here.
    fn set_kept(&mut self) {
        self.kept = self.game.state().lines().len();
        self.kept_moves = self.game.state().played().0.moves().collect();
    }

    /// True if the library has other moves of the game than this page has kept.
    fn is_continued_elsewhere(&self, context: &Context) -> bool {
        let Some(id) = &self.id else {
            return false;
        };
        // A game that was deleted is kept again.
        let kept = context.library.read(id).ok().flatten();
        let record = kept.and_then(|(_, pgn)| library::record(&pgn));
        record.is_some_and(|record| !record.moves().eq(self.kept_moves.iter().copied()))
    }

    /// A legal move of the user, whose turn it must be.
    fn uci_move(&self, uci: &str) -> Result<Move, PlayRequestError> {
        self.game.check_turn()?;
        let found = self.game.state().game.move_from_uci(uci);
        Ok(found.map_err(TypedMoveError::from)?)
    }

    fn begin(&mut self, new: &NewRequest, context: &mut Context) -> Result<(), PlayRequestError> {
        let (state, settings) = new.resolve()?;
        self.take(state, settings, context);
        Ok(())
    }

    fn reopen(&mut self, id: GameId, context: &mut Context) -> Result<(), PlayRequestError> {
        let kept = context.library.read(&id)?;
        let record = kept.and_then(|(_, pgn)| library::record(&pgn));
        let record = record.ok_or(PlayRequestError::NoGame)?;
        let (state, settings) = start::reopened(&record)?;
        self.take(state, settings, context);
        self.set_kept();
        self.id = Some(id);
        Ok(())
    }

    fn restore(&mut self, saved: Saved, context: &mut Context) -> Result<(), PlayRequestError> {
        saved.settings.check()?;
        let mut state = GameState::default();
        for (action, line) in saved.actions.iter().zip(1..) {
            let followed = state.follow(action);
            followed.map_err(|source| PlayRequestError::Restore { line, source })?;
        }
        self.take(state, saved.settings, context);
        self.id = saved.id;
        self.set_kept();
        if saved.paused {
            // Unless the game is over.
            let _ = self.game.execute(Command::Pause);
        }
        Ok(())
    }

    /// Replaces the game.
    fn take(&mut self, state: GameState, settings: Settings, context: &mut Context) {
        context.stop(Mode::Play);
        // A hash table of its own; in WebAssembly a search may still use the old one.
        context.engine = context.engine.another();
        self.game = Controller::new(state, settings.resigns);
        self.settings = settings;
        self.end_study();
        self.id = None;
        self.kept = 0;
    }

    /// Until the clock of the side to move runs out; `None` if none is running.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.game.state().time_left()
    }

    /// Ends the game if a clock has run out.
    pub(crate) fn check_clock(&mut self, context: &mut Context) {
        if self.game.tick() {
            context.stop(Mode::Play);
            self.show(context);
        }
    }
}

/// Sends the engine's messages; the state shows the rest.
fn say(notices: Vec<Notice>, context: &mut Context) {
    for notice in notices {
        if let Notice::Says(text) = notice {
            context.send(Event::Note { text });
        }
    }
}

fn failure(error: &PlayRequestError) -> Event {
    Event::Error {
        text: illegal::sentence(error),
    }
}
