//! The mode Tri-D: a game of Tri-Dimensional chess against the engine or between two players.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::Side;
use game::library::{GameId, GameKind};
use game::play::{
    Action, ActionRejected, GameState, LineError, MOVE_SECONDS, TridimState, saved_game,
};
use rayon::ThreadPool;
use serde::{Deserialize, Deserializer, Serialize, de};
use service::background::TaskError;
use thiserror::Error;
use tridim::search::{Limits, MAX_DEPTH, SearchResult, Searcher};
use tridim::{Color, Game, IllegalMove, Move, MoveError, Position, Rules, TextError};

use crate::session::library::CONTINUED_ELSEWHERE;
use crate::session::{Context, Mode};
use view::GameView;

#[cfg(test)]
mod tests;
mod view;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Starts a game.
    New {
        #[serde(deserialize_with = "side")]
        side: Side,
        /// The start position by default.
        position: Option<String>,
        #[serde(default)]
        rotation: bool,
    },
    /// Limits the engine's next searches.
    Limit {
        limit: Limit,
    },
    /// Plays a move in notation.
    Move {
        text: String,
    },
    /// Which move a typed text means, so that it can be confirmed.
    Typed {
        text: String,
    },
    /// A good move for the user.
    Hint,
    /// Releases the board that a position activates.
    Release,
    /// The engine makes this move.
    Go,
    /// The engine moves now.
    Stop,
    /// Undoes moves up to the user's last turn.
    Undo,
    Redo,
    /// Claims a draw.
    Claim,
    Resign,
    /// Resumes a game.
    Restore {
        saved: Vec<String>,
        limit: Limit,
        /// Its name in the library.
        id: Option<GameId>,
    },
}

/// When the engine moves.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Limit {
    Seconds(f64),
    /// In plies.
    Depth(u32),
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The complete state.
    Game(Box<GameView>),
    /// The new game that was requested is the one shown.
    Started,
    /// The new game that was requested cannot start.
    NotStarted {
        text: String,
    },
    /// A move was illegal; the squares show why.
    Illegal {
        text: String,
        squares: Vec<String>,
    },
    /// The move in notation that a typed text means.
    Typed {
        text: String,
    },
    /// A good move in notation.
    Hint {
        text: String,
    },
    /// The engine has finished an iteration.
    Thinking {
        depth: u32,
        /// For White, in pawns or moves to mate.
        score: String,
        line: Vec<String>,
    },
    Error {
        text: String,
    },
}

#[derive(Debug)]
pub(crate) enum Report {
    Iteration(SearchResult),
    Best(Option<Move>),
    Hint(Option<Move>),
}

/// The reason a request was rejected. The game is unchanged.
#[derive(Debug, Error)]
enum TridimRequestError {
    #[error("it is the engine's turn")]
    EnginesTurn,
    #[error("no board is activated")]
    NoActivatedBoard,
    #[error("invalid limit: expected 0.001 to 86400 seconds, or a depth from 1 to {MAX_DEPTH}")]
    Limit,
    #[error("cannot resume the game: line {number}: {source}")]
    Saved { number: usize, source: LineError },
    #[error(transparent)]
    Position(#[from] TextError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Rejected(#[from] ActionRejected),
    #[error(transparent)]
    Task(#[from] TaskError),
}

/// The searcher, and the threads it uses.
#[derive(Debug)]
struct Engine {
    searcher: Searcher,
    pool: Option<ThreadPool>,
}

#[derive(Debug)]
pub(crate) struct Tridim {
    state: TridimState,
    /// Names the game in the library.
    id: GameId,
    /// The text of the game that the library has.
    kept: String,
    limit: Limit,
    /// Created for the first search.
    engine: Option<Arc<Engine>>,
}

impl Tridim {
    pub(crate) fn new() -> Tridim {
        Tridim {
            state: GameState::default(),
            id: GameId::now(),
            kept: String::new(),
            limit: Limit::Seconds(1.0),
            engine: None,
        }
    }

    pub(crate) fn handle(&mut self, request: Request, context: &mut Context) {
        let starts = matches!(request, Request::New { .. });
        match self.execute(request, context) {
            Ok(()) if starts => context.send(Event::Started),
            Ok(()) => {}
            Err(TridimRequestError::Move(error)) => context.send(Event::Illegal {
                squares: squares(&error),
                text: error.to_string(),
            }),
            Err(error) => {
                let text = error.to_string();
                context.send(if starts {
                    Event::NotStarted { text }
                } else {
                    Event::Error { text }
                });
            }
        }
    }

    /// The next searches use the threads of the session as they then are.
    pub(crate) fn configure(&mut self) {
        self.engine = None;
    }

    /// The page shows this mode: resumes what was interrupted.
    pub(crate) fn shown(&mut self, context: &mut Context) {
        self.resume(context);
    }

    pub(crate) fn report(&mut self, report: Report, context: &mut Context) {
        match report {
            Report::Iteration(found) => {
                let position = self.state.game.position();
                let score = match position.side_to_move() {
                    Color::White => found.score,
                    Color::Black => -found.score,
                };
                context.send(Event::Thinking {
                    depth: found.depth,
                    score: score.to_string(),
                    line: position.write_line(&found.line, Position::notation),
                });
            }
            Report::Best(mv) => {
                context.stop(Mode::Tridim);
                if let Some(mv) = mv {
                    // The game has not changed since the search began.
                    let _ = self.state.play(mv);
                }
                self.resume(context);
            }
            Report::Hint(mv) => {
                context.stop(Mode::Tridim);
                context.send(self.view(context));
                if let Some(mv) = mv {
                    let text = self.state.game.position().bare_notation(mv);
                    context.send(Event::Hint { text });
                }
            }
        }
    }

    fn execute(
        &mut self,
        request: Request,
        context: &mut Context,
    ) -> Result<(), TridimRequestError> {
        match request {
            Request::New {
                side,
                position,
                rotation,
            } => {
                let rules = Rules { rotation };
                let position = match position {
                    Some(text) => Position::from_text(&text, rules)?,
                    None => Position::start(rules),
                };
                context.stop(Mode::Tridim);
                self.state = GameState::new(position, side);
                (self.id, self.kept) = (GameId::now(), String::new());
            }
            Request::Limit { limit } => {
                self.limit = checked(limit)?;
                context.send(self.view(context));
                return Ok(());
            }
            Request::Move { text } => {
                self.check_users_turn()?;
                let mv = find_move(self.state.game.position(), &text)?;
                context.stop(Mode::Tridim);
                self.state.play(mv)?;
            }
            Request::Typed { text } => {
                self.check_users_turn()?;
                let position = self.state.game.position();
                let mv = find_move(position, &text)?;
                let text = position.bare_notation(mv);
                context.send(Event::Typed { text });
                return Ok(());
            }
            Request::Hint => {
                self.check_users_turn()?;
                self.think(context, Report::Hint)?;
                context.send(self.view(context));
                return Ok(());
            }
            Request::Release => {
                let position = *self.state.game.position();
                let activated = position.activated_board();
                activated.ok_or(TridimRequestError::NoActivatedBoard)?;
                self.state.game.choose(position.release());
            }
            Request::Go => {
                self.check_not_over()?;
                self.think(context, Report::Best)?;
                context.send(self.view(context));
                return Ok(());
            }
            Request::Stop => {
                context.finish(Mode::Tridim);
                return Ok(());
            }
            Request::Undo => {
                self.check_not_claimed()?;
                context.stop(Mode::Tridim);
                self.state.undo_turn()?;
            }
            Request::Redo => {
                self.check_not_claimed()?;
                context.stop(Mode::Tridim);
                self.state.redo_turn()?;
            }
            Request::Claim => {
                self.check_users_turn()?;
                self.state.apply(&Action::Draw)?;
                context.stop(Mode::Tridim);
            }
            Request::Resign => {
                self.check_not_over()?;
                self.state.apply(&Action::Resign(self.state.user_color()))?;
                context.stop(Mode::Tridim);
            }
            Request::Restore { saved, limit, id } => {
                let limit = checked(limit)?;
                let state = restored(&saved)?;
                context.stop(Mode::Tridim);
                self.kept = saved_game::text(&state);
                self.id = id.unwrap_or_else(GameId::now);
                (self.state, self.limit) = (state, limit);
                // The search is resumed when the page shows this mode.
                context.send(self.view(context));
                return Ok(());
            }
        }
        self.resume(context);
        Ok(())
    }

    fn view(&self, context: &Context) -> Event {
        let thinking = context.is_running(Mode::Tridim);
        let view = GameView::new(&self.state, &self.id, self.limit, thinking);
        Event::Game(Box::new(view))
    }

    /// Keeps the game in the library, once it has moves.
    fn keep(&mut self, context: &mut Context) {
        let text = saved_game::text(&self.state);
        if self.state.played().0.moves().len() == 0 || text == self.kept {
            return;
        }
        // A game that was deleted is kept again.
        let found = context.library.read(&self.id).ok().flatten();
        if found.is_some_and(|(_, found)| found != self.kept) {
            self.id = GameId::now();
            context.send(Event::Error {
                text: CONTINUED_ELSEWHERE.to_owned(),
            });
        }
        if let Err(error) = context.library.keep(&self.id, GameKind::Tridim, &text) {
            let text = error.to_string();
            context.send(Event::Error { text });
        }
        self.kept = text;
    }

    /// Keeps and shows the game, and starts the engine if it is to move.
    fn resume(&mut self, context: &mut Context) {
        self.keep(context);
        let thinks = context.is_running(Mode::Tridim);
        let engine_moves = !self.state.is_user_to_move() && self.check_not_over().is_ok();
        if engine_moves
            && !thinks
            && let Err(error) = self.think(context, Report::Best)
        {
            let text = error.to_string();
            context.send(Event::Error { text });
        }
        context.send(self.view(context));
    }

    /// Starts the engine, which reports its best move like this.
    fn think(
        &mut self,
        context: &mut Context,
        report: fn(Option<Move>) -> Report,
    ) -> Result<(), TridimRequestError> {
        let threads = context.engine.config().threads;
        let engine = self.engine.get_or_insert_with(|| {
            Arc::new(Engine {
                searcher: Searcher::default(),
                // Without a pool of its own the search uses the common one.
                pool: rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .ok(),
            })
        });
        let (engine, game) = (Arc::clone(engine), self.state.game.clone());
        let (depth, time) = match self.limit {
            Limit::Seconds(seconds) => (MAX_DEPTH, Some(Duration::from_secs_f64(seconds))),
            Limit::Depth(depth) => (depth, None),
        };
        context.start(Mode::Tridim, move |stop, reporter| {
            let limits = Limits {
                depth,
                nodes: u64::MAX,
                deadline: time.and_then(|time| Instant::now().checked_add(time)),
                is_stopped: &|| stop.is_stopped(),
            };
            let best = engine.search(&game, limits, |found| {
                reporter.report(Report::Iteration(found.clone()));
            });
            reporter.report(report(best.and_then(|best| best.line.first().copied())));
        })?;
        Ok(())
    }

    fn check_users_turn(&self) -> Result<(), TridimRequestError> {
        self.check_not_over()?;
        if self.state.is_user_to_move() {
            Ok(())
        } else {
            Err(TridimRequestError::EnginesTurn)
        }
    }

    fn check_not_over(&self) -> Result<(), TridimRequestError> {
        self.check_not_claimed()?;
        Ok(self.state.takes_moves()?)
    }

    fn check_not_claimed(&self) -> Result<(), TridimRequestError> {
        match self.state.claimed() {
            Some(claimed) => Err(ActionRejected::Over(claimed.outcome()).into()),
            None => Ok(()),
        }
    }
}

impl Engine {
    fn search(
        &self,
        game: &Game,
        limits: Limits<'_>,
        on_iteration: impl FnMut(&SearchResult) + Send,
    ) -> Option<SearchResult> {
        let search = || self.searcher.search(game, limits, on_iteration);
        match &self.pool {
            Some(pool) => pool.install(search),
            None => search(),
        }
    }
}

/// Parses a move. One that would promote a pawn has another reason to be illegal than a missing
/// choice, if no choice is legal.
fn find_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    match position.read_move(text) {
        Err(error @ MoveError::Illegal(IllegalMove::MissingPromotion)) => {
            position.read_move(&format!("{text}=Q"))?;
            Err(error)
        }
        found => found,
    }
}

/// The squares that show why a move is illegal.
fn squares(error: &MoveError) -> Vec<String> {
    match error {
        MoveError::Illegal(reason) | MoveError::MeansCastling { reason, .. } => {
            view::names(reason.squares())
        }
        MoveError::Notation(_) | MoveError::Ambiguous(_) => Vec::new(),
    }
}

fn checked(limit: Limit) -> Result<Limit, TridimRequestError> {
    let holds = match limit {
        Limit::Seconds(time) => MOVE_SECONDS.contains(&time),
        Limit::Depth(depth) => (1..=MAX_DEPTH).contains(&depth),
    };
    holds.then_some(limit).ok_or(TridimRequestError::Limit)
}

/// Follows the lines of a saved game.
fn restored(saved: &[String]) -> Result<TridimState, TridimRequestError> {
    let mut state = GameState::default();
    for (line, number) in saved.iter().zip(1..) {
        state
            .follow(line)
            .map_err(|source| TridimRequestError::Saved { number, source })?;
    }
    Ok(state)
}

fn side<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Side, D::Error> {
    let name = String::deserialize(deserializer)?;
    name.parse()
        .map_err(|error| de::Error::custom(format_args!("side: {error}")))
}
