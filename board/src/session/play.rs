//! The mode Play: a game against the engine or between two people at one board.
//!
//! The game, its clocks and its end are those of `game::play`; this module adds what a page
//! needs: premoves, hints, and a clock that the server watches.

mod clock;
mod engine;
mod start;
#[cfg(test)]
mod tests;
mod view;

use std::sync::{Arc, Mutex};

use game::Side;
use game::play::{
    Action, ActionError, ActionRejected, Clocks, EndPolicy, GameState, MAX_CLOCK, Opponent, Reply,
    TypedMoveError, parse_move,
};
use movegen::{Move, Role, Square};
use search::{SearchError, SearchResult};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::illegal::{self, Illegal};
use super::task::TaskError;
use crate::Config;
use crate::session::{Context, Mode};
use clock::Stopwatch;
use start::{NewRequest, Settings, StartError};
use view::GameView;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// The page wants the state of the game.
    State,
    New(NewRequest),
    Move {
        uci: String,
    },
    /// A move typed by its squares or in SAN.
    Typed {
        text: String,
    },
    /// Why a move is illegal.
    Explain {
        from: Square,
        to: Square,
    },
    /// A move to play as soon as the engine has moved, if it is legal then.
    Premove(Premove),
    CancelPremove,
    /// The engine moves at once.
    MoveNow,
    Takeback,
    Redo,
    Resign,
    OfferDraw,
    ClaimDraw,
    /// A claim with an intended move.
    ClaimDrawWith {
        uci: String,
    },
    Hint,
    /// The game as an earlier state described it.
    Restore {
        saved: Saved,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The complete state.
    Game(Box<GameView>),
    Illegal(Illegal),
    /// What the engine does or says besides moving.
    Note {
        text: String,
    },
    Error {
        text: String,
    },
}

/// A move out of turn.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Premove {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

/// What the page keeps, so that a game outlives its session.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    /// The lines of a saved game.
    actions: Vec<String>,
    settings: Settings,
}

/// Why a request was rejected. The game is unchanged.
#[derive(Debug, Error)]
enum PlayError {
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
    #[error("the draw has been declined; offer again after the next move")]
    Declined,
    #[error("cannot restore the game: line {line}: {source}")]
    Restore { line: usize, source: ActionError },
    #[error("cannot search: {0}")]
    Search(#[from] SearchError),
    #[error(transparent)]
    Task(#[from] TaskError),
}

/// What the engine thinks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Thought {
    Move,
    Hint,
    DrawOffer,
}

#[derive(Debug)]
pub(crate) enum Report {
    Reply(Result<Option<Reply>, SearchError>),
    Evaluated(Thought, Result<SearchResult, SearchError>),
}

#[derive(Debug)]
pub(crate) struct Play {
    config: Config,
    state: GameState,
    settings: Settings,
    /// Locked by the running task.
    opponent: Arc<Mutex<Opponent>>,
    end_policy: EndPolicy,
    stopwatch: Stopwatch,
    thought: Option<Thought>,
    premove: Option<Premove>,
    hint: Option<Move>,
    /// The clocks at the end of the game.
    final_clocks: Option<Clocks>,
}

impl Play {
    /// The strength of the game that a new page shows.
    const FIRST_ELO: u32 = 1500;
    pub(crate) fn new(config: &Config) -> Play {
        let settings = Settings {
            elo: Some(Play::FIRST_ELO),
            ..Settings::default()
        };
        Play {
            opponent: opponent(config, &settings),
            config: config.clone(),
            state: GameState::default(),
            end_policy: EndPolicy::new(settings.resigns),
            settings,
            stopwatch: Stopwatch::default(),
            thought: None,
            premove: None,
            hint: None,
            final_clocks: None,
        }
    }

    pub(crate) fn handle(&mut self, request: Request, context: &mut Context) {
        self.check_clock(context);
        match self.execute(request, context) {
            Ok(()) => {}
            Err(PlayError::Move(error)) => {
                context.send(Event::Illegal(illegal::typed(&self.state.game, &error)));
            }
            Err(error) => context.send(failure(&error)),
        }
    }

    fn execute(&mut self, request: Request, context: &mut Context) -> Result<(), PlayError> {
        match request {
            Request::State => {}
            Request::New(new) => self.begin(&new, context)?,
            Request::Restore { saved } => {
                let restored = self.restore(saved, context);
                // The page shows the game that there is, if not the one it has kept.
                self.proceed(context)?;
                return restored;
            }
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
                self.premove = Some(premove);
            }
            // The engine has just moved.
            Request::Premove(premove) => {
                self.check_turn()?;
                if let Some(mv) = self.legal(premove) {
                    self.play_users(mv, context)?;
                }
            }
            Request::CancelPremove => self.premove = None,
            Request::MoveNow => {
                if self.thought == Some(Thought::Move) {
                    context.finish(Mode::Play);
                }
                return Ok(());
            }
            Request::Takeback => self.take_back(context)?,
            Request::Redo => self.redo(context)?,
            Request::Resign => {
                let color = self
                    .state
                    .side
                    .color(self.state.game.position().side_to_move());
                self.apply(Action::Resign(color))?;
                self.stop(context);
            }
            Request::OfferDraw => self.offer_draw(context)?,
            Request::ClaimDraw => {
                self.check_turn()?;
                self.apply(Action::Draw)?;
                self.stop(context);
            }
            Request::ClaimDrawWith { uci } => {
                self.check_turn()?;
                let mv = self.uci_move(&uci)?;
                let variant = self.state.variant;
                self.apply(Action::DrawWith { mv, variant })?;
                self.stop(context);
            }
            Request::Hint => {
                self.check_turn()?;
                self.stopwatch.pause();
                self.think(Thought::Hint, context)?;
            }
        }
        self.proceed(context)
    }

    /// Lets the engine think if it is to move, and shows the state.
    fn proceed(&mut self, context: &mut Context) -> Result<(), PlayError> {
        let is_engines = !self.state.is_over() && !self.state.is_user_to_move();
        if is_engines && self.thought.is_none() {
            self.think(Thought::Move, context)?;
        }
        context.send(Event::Game(Box::new(self.view())));
        Ok(())
    }

    /// The user may make a move.
    fn check_turn(&self) -> Result<(), PlayError> {
        if self.state.is_over() {
            return Err(PlayError::Over);
        }
        if !self.state.is_user_to_move() {
            return Err(PlayError::NotYourTurn);
        }
        // A hint may come too late.
        match self.thought {
            Some(Thought::Move | Thought::DrawOffer) => Err(PlayError::Thinking),
            Some(Thought::Hint) | None => Ok(()),
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

    fn begin(&mut self, new: &NewRequest, context: &mut Context) -> Result<(), PlayError> {
        let (new_game, control, settings) = new.resolve()?;
        let mut state = GameState::new(new_game);
        if let Some(control) = control {
            state.apply(Action::Clock(control))?;
        }
        self.take(state, settings, context);
        Ok(())
    }

    fn restore(&mut self, saved: Saved, context: &mut Context) -> Result<(), PlayError> {
        saved.settings.check()?;
        let mut state = GameState::default();
        for (action, line) in saved.actions.iter().zip(1..) {
            let followed = state.follow(action);
            followed.map_err(|source| PlayError::Restore { line, source })?;
        }
        self.take(state, saved.settings, context);
        Ok(())
    }

    /// Another game.
    fn take(&mut self, state: GameState, settings: Settings, context: &mut Context) {
        self.stop(context);
        self.opponent = opponent(&self.config, &settings);
        self.end_policy = EndPolicy::new(settings.resigns);
        self.settings = settings;
        self.final_clocks = match state.is_over() {
            true => state.clocks(),
            false => None,
        };
        self.state = state;
        self.hint = None;
        self.start_turn();
    }

    /// Applies an action; the turn of the next side starts.
    fn apply(&mut self, action: Action) -> Result<(), ActionRejected> {
        let clocks = self.running_clocks();
        self.state.apply(action)?;
        self.hint = None;
        self.final_clocks = clocks.filter(|_| self.state.is_over());
        self.start_turn();
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), ActionRejected> {
        let variant = self.state.variant;
        let color = self.state.game.position().side_to_move();
        let clock = self.running_clocks().map(|clocks| {
            let clock = clocks.of(color).saturating_add(clocks.control.increment);
            clock.min(MAX_CLOCK)
        });
        self.apply(Action::Move { mv, variant, clock })
    }

    fn play_users(&mut self, mv: Move, context: &mut Context) -> Result<(), PlayError> {
        self.play(mv)?;
        self.stop(context);
        Ok(())
    }

    /// Takes back moves up to the user's last turn.
    fn take_back(&mut self, context: &mut Context) -> Result<(), PlayError> {
        let steps = self.takeback()?;
        self.stop(context);
        for _ in 0..steps {
            self.apply(Action::Undo)?;
        }
        Ok(())
    }

    /// How many moves a takeback undoes.
    fn takeback(&self) -> Result<usize, ActionRejected> {
        let mut tried = self.state.clone();
        for steps in 1.. {
            tried.apply(Action::Undo)?;
            if tried.is_user_to_move() {
                return Ok(steps);
            }
        }
        Err(ActionRejected::NothingToUndo)
    }

    fn can_redo(&self) -> bool {
        self.state.clone().apply(Action::Redo).is_ok()
    }

    fn redo(&mut self, context: &mut Context) -> Result<(), PlayError> {
        self.apply(Action::Redo)?;
        while !self.state.is_user_to_move() && self.apply(Action::Redo).is_ok() {}
        self.stop(context);
        Ok(())
    }

    /// Two players agree; the engine thinks about it.
    fn offer_draw(&mut self, context: &mut Context) -> Result<(), PlayError> {
        self.check_turn()?;
        if self.state.side == Side::Both {
            return Ok(self.apply(Action::Agree)?);
        }
        if self.end_policy.has_declined(&self.state.game) {
            return Err(PlayError::Declined);
        }
        self.stopwatch.pause();
        self.think(Thought::DrawOffer, context)
    }
}

fn failure(error: &PlayError) -> Event {
    Event::Error {
        text: illegal::sentence(error),
    }
}

fn opponent(config: &Config, settings: &Settings) -> Arc<Mutex<Opponent>> {
    let mut opponent = Opponent::new(settings.strength(config));
    opponent.set_tablebases(Arc::clone(&config.tablebases));
    Arc::new(Mutex::new(opponent))
}
