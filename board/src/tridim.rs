//! The mode Tri-D: a game of Tri-Dimensional chess against the engine or between two players.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use game::library::{Entry, GameId, GameKind};
use game::play::{
    Command, Controller, GameState, MOVE_SECONDS, PlayablePosition, Refusal, Reply, TridimState,
    saved_game,
};
use rayon::ThreadPool;
use service::background::TaskError;
use tridim::search::{Limits, MAX_DEPTH, SearchResult, Searcher};
use tridim::{Color, Game, GamePosition, IllegalMove, Move, MoveError, Position, Rules};

use crate::context::{Context, Page};
use crate::messages::Mode;
use crate::messages::tridim::{Event, GameView, Limit, Request};
use crate::report::TridimReport;
use crate::task::Search;

mod view;

/// The searcher, and the threads it uses.
#[derive(Debug)]
struct Engine {
    searcher: Searcher,
    pool: Option<ThreadPool>,
}

#[derive(Debug)]
pub(crate) struct Tridim {
    game: Controller<Position>,
    /// The game in the library.
    entry: Entry,
    limit: Limit,
    /// Created for the first search.
    engine: Option<Arc<Engine>>,
}

impl Tridim {
    pub(crate) fn new() -> Self {
        Self {
            game: Controller::new(GameState::default(), false),
            entry: Entry::default(),
            limit: Limit::Seconds(1.0),
            engine: None,
        }
    }

    pub(crate) fn handle(&mut self, request: Request, context: &mut Context) {
        let starts = matches!(request, Request::New { .. });
        match self.execute(request, context) {
            Ok(()) if starts => context.page.send(Event::Started),
            Ok(()) => {}
            Err(error) if starts => context.page.send(Event::NotStarted {
                text: error.to_string(),
            }),
            Err(error) => context.page.note(&error),
        }
    }

    /// Drops the engine, so that the next search uses the threads that are set then.
    pub(crate) fn configure(&mut self) {
        self.engine = None;
    }

    /// The page shows this mode: resumes what was interrupted.
    pub(crate) fn shown(&mut self, context: &mut Context) {
        if !context.search.is_running(Mode::Tridim) {
            self.game.restart();
        }
        self.resume(context);
    }

    pub(crate) fn report(&mut self, report: TridimReport, context: &mut Context) {
        match report {
            TridimReport::Iteration(found) => {
                let position = self.position();
                let score = match position.side_to_move() {
                    Color::White => found.score,
                    Color::Black => -found.score,
                };
                context.page.send(Event::Thinking {
                    depth: found.depth,
                    score: score.to_string(),
                    line: position.write_line(&found.line),
                });
            }
            TridimReport::Best(mv) => {
                context.search.stop(Mode::Tridim);
                // The game has not changed since the search began.
                let _ = self.game.found(mv.map(|mv| Reply { mv, score: None }));
                self.resume(context);
                if let Some(mv) = self.game.hint() {
                    let text = self.position().bare_notation(mv);
                    context.page.send(Event::Hint { text });
                }
            }
        }
    }

    fn position(&self) -> &Position {
        self.game.state().position()
    }

    fn execute(&mut self, request: Request, context: &mut Context) -> Result<()> {
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
                context.search.stop(Mode::Tridim);
                self.game.replace(GameState::new(position, side));
                self.entry = Entry::default();
            }
            Request::Limit { limit } => {
                self.limit = checked(limit)?;
                context.page.send(self.view());
                return Ok(());
            }
            Request::Move { text } => {
                let Some(mv) = self.read_move(&text, &mut context.page)? else {
                    return Ok(());
                };
                self.command(Command::Move(mv))?;
            }
            Request::Typed { text } => {
                if let Some(mv) = self.read_move(&text, &mut context.page)? {
                    let text = self.position().bare_notation(mv);
                    context.page.send(Event::Typed { text });
                }
                return Ok(());
            }
            Request::Activate { pin } => {
                let activated = self.position().activate(pin.parse()?)?;
                self.command(Command::Choose(activated))?;
            }
            Request::Release => {
                let activated = self.position().activated_board();
                activated.context("no board is activated")?;
                let released = self.position().release();
                self.command(Command::Choose(released))?;
            }
            Request::Stop => {
                context.search.finish(Mode::Tridim);
                return Ok(());
            }
            Request::Hint => self.command(Command::Hint)?,
            Request::Go => self.command(Command::Go)?,
            Request::Undo => self.command(Command::Undo)?,
            Request::Redo => self.command(Command::Redo)?,
            Request::Claim => self.command(Command::Claim(None))?,
            Request::Resign => self.command(Command::Resign)?,
            Request::Restore { saved, limit, id } => {
                let limit = checked(limit)?;
                let state = restored(&saved)?;
                context.search.stop(Mode::Tridim);
                self.entry = Entry {
                    id: id.unwrap_or_else(GameId::now),
                    // As it was kept, perhaps by an older version.
                    text: Some(saved_game::file(Position::SIGNATURE, &saved)),
                };
                self.limit = limit;
                self.game.replace(state);
                // The search is resumed when the page shows this mode.
                context.page.send(self.view());
                return Ok(());
            }
        }
        self.resume(context);
        Ok(())
    }

    /// Parses a move of the user, whose turn it must be. The page hears why one is illegal.
    fn read_move(&self, text: &str, page: &mut Page) -> Result<Option<Move>, Refusal> {
        self.game.check_turn()?;
        let read = find_move(self.position(), text);
        Ok(read
            .map_err(|error| {
                page.send(Event::Illegal {
                    squares: squares(&error),
                    text: error.to_string(),
                });
            })
            .ok())
    }

    fn command(&mut self, command: Command<Position>) -> Result<(), Refusal> {
        self.game.execute(command).map(drop)
    }

    fn view(&self) -> Event {
        let thinking = self.game.job().is_some();
        let view = GameView::new(self.game.state(), &self.entry.id, self.limit, thinking);
        Event::Game(Box::new(view))
    }

    /// Keeps the game in the library, once it has moves.
    fn keep(&mut self, context: &mut Context) {
        if self.game.state().has_moves() {
            let text = saved_game::text(self.game.state());
            context.keep(&mut self.entry, GameKind::Tridim, &text);
        }
    }

    /// Gives the game of an entry another name.
    pub(crate) fn rename(&mut self, old: &GameId, new: &GameId, context: &mut Context) {
        if self.entry.id == *old {
            self.entry.id = new.clone();
            context.page.send(self.view());
        }
    }

    /// Keeps and shows the game, and starts the search that is due.
    fn resume(&mut self, context: &mut Context) {
        self.keep(context);
        if self.game.next_job().is_some() {
            if let Err(error) = self.think(&mut context.search) {
                self.game.give_up();
                context.page.note(&error);
            }
        } else if self.game.job().is_none() {
            context.search.stop(Mode::Tridim);
        }
        context.page.send(self.view());
    }

    fn think(&mut self, search: &mut Search) -> Result<(), TaskError> {
        let threads = search.engine.config().threads;
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
        let (engine, game) = (Arc::clone(engine), self.game.state().searched());
        let (depth, time) = match self.limit {
            Limit::Seconds(seconds) => (MAX_DEPTH, Some(Duration::from_secs_f64(seconds))),
            Limit::Depth(depth) => (depth, None),
        };
        search.start(Mode::Tridim, move |stop, reporter| {
            let limits = Limits {
                depth,
                deadline: time.and_then(|time| Instant::now().checked_add(time)),
                is_stopped: &|| stop.is_stopped(),
            };
            let best = engine.search(&game, limits, |found| {
                reporter.report(TridimReport::Iteration(found.clone()));
            });
            reporter.report(TridimReport::Best(
                best.and_then(|best| best.line.first().copied()),
            ));
        })
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
            let unmarked = text.trim_end_matches(['+', '#', '!', '?']);
            position.read_move(&format!("{unmarked}=Q"))?;
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

fn checked(limit: Limit) -> Result<Limit> {
    let holds = match limit {
        Limit::Seconds(time) => MOVE_SECONDS.contains(&time),
        Limit::Depth(depth) => (1..=MAX_DEPTH).contains(&depth),
    };
    holds.then_some(limit).ok_or_else(|| {
        anyhow!("invalid limit: expected 0.001 to 86400 seconds, or a depth from 1 to {MAX_DEPTH}")
    })
}

/// Follows the lines of a saved game.
fn restored(saved: &[String]) -> Result<TridimState> {
    let mut state = GameState::default();
    for (line, number) in saved.iter().zip(1..) {
        state
            .follow(line)
            .map_err(|error| anyhow!("cannot resume the game: line {number}: {error}"))?;
    }
    Ok(state)
}
