//! The mode Play: a game against the engine or between two people at one board.
//!
//! The game, its clocks and its end are those of `game::play`; this module adds what a page
//! needs: premoves, hints, and a clock that the server watches.

mod engine;
mod messages;
mod review;
mod start;
#[cfg(test)]
mod tests;
mod view;

use std::collections::VecDeque;
use std::time::Duration;

use common::files::FileError;
use game::Side;
use game::library::GameKind;
use game::play::{
    Action, ActionRejected, EndPolicy, GameState, LineError, Reply, TypedMoveError, parse_move,
};
use movegen::{Move, Role, Square};
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

const MAX_PREMOVES: usize = 10;

/// A move out of turn.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Premove {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

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
    Rejected(#[from] ActionRejected),
    #[error(transparent)]
    Move(#[from] TypedMoveError),
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("the engine is thinking")]
    Thinking,
    #[error("the game is over")]
    Over,
    #[error("the game is not over")]
    NotOver,
    #[error("the game has no moves")]
    NoMoves,
    #[error("the game is paused")]
    Paused,
    #[error("the game has no clocks that run")]
    NoClock,
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the library has no such game")]
    NoGame,
    #[error("there is no such move in the review")]
    NoReview,
    #[error("the draw has been declined; offer again after the next move")]
    Declined,
    #[error("cannot restore the game: line {line}: {source}")]
    Restore { line: usize, source: LineError },
    #[error("cannot search: {0}")]
    Search(#[from] SearchError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Task(#[from] TaskError),
}

/// The subject of the engine's search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Thought {
    Move,
    Hint,
    DrawOffer,
    Review,
    Try,
}

#[derive(Debug)]
pub(crate) enum Report {
    Reply(Result<Option<Reply>, SearchError>),
    Evaluated(Thought, Result<SearchResult, SearchError>),
    Review(Progress),
    Tried(usize, String, Result<SearchResult, SearchError>),
}

#[derive(Debug)]
pub(crate) struct Play {
    state: GameState,
    settings: Settings,
    end_policy: EndPolicy,
    thought: Option<Thought>,
    /// One after each move of the engine.
    premoves: VecDeque<Premove>,
    hint: Option<Move>,
    paused: bool,
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
            state: GameState::default(),
            end_policy: EndPolicy::new(settings.resigns),
            settings,
            thought: None,
            premoves: VecDeque::new(),
            hint: None,
            paused: false,
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
                context.send(Event::Illegal(illegal::typed(&self.state.game, &error)));
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
            Request::Pause => self.pause(context)?,
            Request::Resume => {
                self.paused = false;
                self.state.resume_clock();
            }
            Request::Rematch => self.rematch(context)?,
            Request::Continue { id } => self.reopen(id, context)?,
            Request::Review => return self.review(context),
            Request::Try { ply, uci } => return self.try_move(ply, uci, context),
            Request::Move { uci } => {
                self.check_turn()?;
                let mv = self.uci_move(&uci)?;
                self.play_users(mv, context)?;
            }
            Request::Typed { text } => {
                self.check_turn()?;
                let mv = parse_move(&self.state.game, &text)?;
                self.play_users(mv, context)?;
            }
            Request::Explain { from, to } => {
                self.state.takes_moves()?;
                if let Some(illegal) = illegal::explain(&self.state.game, from, to) {
                    context.send(Event::Illegal(illegal));
                }
                return Ok(());
            }
            Request::Premove(premove) if self.thought == Some(Thought::Move) => {
                if self.premoves.len() < MAX_PREMOVES {
                    self.premoves.push_back(premove);
                }
            }
            // The engine has just moved.
            Request::Premove(premove) => {
                self.check_turn()?;
                if let Some(mv) = self.legal(premove) {
                    self.play_users(mv, context)?;
                }
            }
            Request::CancelPremove => self.premoves.clear(),
            Request::MoveNow => {
                if self.thought == Some(Thought::Move) {
                    context.finish(Mode::Play);
                }
                return Ok(());
            }
            Request::Takeback => {
                self.state.undo_turn()?;
                self.hint = None;
                self.stop(context);
            }
            Request::Redo => {
                self.state.redo_turn()?;
                self.hint = None;
                self.stop(context);
            }
            Request::Resign => {
                self.apply(&Action::Resign(self.state.user_color()))?;
                self.stop(context);
            }
            Request::OfferDraw => self.offer_draw(context)?,
            Request::ClaimDraw => {
                self.check_turn()?;
                self.apply(&Action::Draw)?;
                self.stop(context);
            }
            Request::ClaimDrawWith { uci } => {
                self.check_turn()?;
                let mv = self.uci_move(&uci)?;
                self.apply(&Action::DrawWith(mv))?;
                self.stop(context);
            }
            Request::Hint => {
                self.check_turn()?;
                self.state.pause_clock();
                self.think(Thought::Hint, context)?;
            }
        }
        self.proceed(context)
    }

    /// Lets the engine think if it is to move, and shows the state.
    fn proceed(&mut self, context: &mut Context) -> Result<(), PlayRequestError> {
        let is_engines = !self.state.is_over() && !self.state.is_user_to_move();
        if is_engines && self.thought.is_none() && !self.paused {
            self.think(Thought::Move, context)?;
        }
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
        let is_kept = self.kept == self.state.lines().len();
        if is_kept || self.state.played().0.moves().len() == 0 {
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
        let pgn = self.state.pgn(&players.white, &players.black);
        let id = self.id.get_or_insert_with(GameId::now);
        if let Err(error) = context.library.keep(id, GameKind::Chess, &pgn) {
            context.send(Event::Note {
                text: illegal::sentence(&error),
            });
        }
    }

    /// The library has the game as it is here.
    fn set_kept(&mut self) {
        self.kept = self.state.lines().len();
        self.kept_moves = self.state.played().0.moves().collect();
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

    /// The user may make a move.
    fn check_turn(&self) -> Result<(), PlayRequestError> {
        if self.state.is_over() {
            return Err(PlayRequestError::Over);
        }
        if self.paused {
            return Err(PlayRequestError::Paused);
        }
        if !self.state.is_user_to_move() {
            return Err(PlayRequestError::NotYourTurn);
        }
        // A hint may come too late.
        match self.thought {
            Some(Thought::Move | Thought::DrawOffer) => Err(PlayRequestError::Thinking),
            Some(_) | None => Ok(()),
        }
    }

    fn uci_move(&self, uci: &str) -> Result<Move, TypedMoveError> {
        Ok(self.state.game.move_from_uci(uci)?)
    }

    fn legal(&self, premove: Premove) -> Option<Move> {
        let Premove {
            from,
            to,
            promotion,
        } = premove;
        let position = self.state.game.position();
        position.find_move(from, to, promotion).ok()
    }

    fn begin(&mut self, new: &NewRequest, context: &mut Context) -> Result<(), PlayRequestError> {
        let (state, settings) = new.resolve()?;
        self.take(state, settings, context);
        Ok(())
    }

    /// The same start position, clocks and strength, with the other side.
    fn rematch(&mut self, context: &mut Context) -> Result<(), PlayRequestError> {
        if !self.state.is_over() {
            return Err(PlayRequestError::NotOver);
        }
        let start = *self.state.played().0.start();
        let mut state = GameState::new(start, self.state.side.rematch());
        if let Some(control) = self.state.control() {
            state.apply(&Action::Clock(control))?;
        }
        self.take(state, self.settings.clone(), context);
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

    fn pause(&mut self, context: &mut Context) -> Result<(), PlayRequestError> {
        if self.time_left().is_none() {
            return Err(PlayRequestError::NoClock);
        }
        self.stop(context);
        self.state.pause_clock();
        self.paused = true;
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
        if saved.paused && !self.state.is_over() {
            self.state.pause_clock();
            self.paused = true;
        }
        Ok(())
    }

    /// Replaces the game.
    fn take(&mut self, state: GameState, settings: Settings, context: &mut Context) {
        self.stop(context);
        // A hash table of its own; in WebAssembly a search may still use the old one.
        context.engine = context.engine.another();
        self.end_policy = EndPolicy::new(settings.resigns);
        self.settings = settings;
        self.state = state;
        self.hint = None;
        self.id = None;
        self.kept = 0;
    }

    /// Applies an action.
    fn apply(&mut self, action: &Action) -> Result<(), ActionRejected> {
        self.state.apply(action)?;
        self.hint = None;
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), ActionRejected> {
        self.state.play(mv)?;
        self.hint = None;
        Ok(())
    }

    fn play_users(&mut self, mv: Move, context: &mut Context) -> Result<(), PlayRequestError> {
        self.play(mv)?;
        self.stop(context);
        Ok(())
    }

    /// Until the clock of the side to move runs out; `None` if none is running.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.state.time_left()
    }

    /// Ends the game if a clock has run out.
    pub(crate) fn check_clock(&mut self, context: &mut Context) {
        let color = self.state.game.position().side_to_move();
        if self.time_left() == Some(Duration::ZERO) && self.apply(&Action::Flag(color)).is_ok() {
            self.stop(context);
            self.show(context);
        }
    }

    /// Two players agree; the engine thinks about it.
    fn offer_draw(&mut self, context: &mut Context) -> Result<(), PlayRequestError> {
        self.check_turn()?;
        if self.state.side == Side::Both {
            return Ok(self.apply(&Action::Agree)?);
        }
        if self.end_policy.has_declined(&self.state.game) {
            return Err(PlayRequestError::Declined);
        }
        if let Some(declined) = self.end_policy.declines_at_once(&self.state.game) {
            context.send(Event::Note {
                text: declined.to_string(),
            });
            return Ok(());
        }
        self.state.pause_clock();
        self.think(Thought::DrawOffer, context)
    }
}

fn failure(error: &PlayRequestError) -> Event {
    Event::Error {
        text: illegal::sentence(error),
    }
}
