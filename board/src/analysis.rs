//! The mode Analyze: a game with its variations, the search of the position that is shown, and the
//! annotation of the game.

mod annotation;
mod live;
mod loading;
mod own_games;
mod shapes;
mod tables;
mod tags;
mod view;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, anyhow, bail};
use formats::pgn::{Nag, Record};
use game::library::GameId;
use game::tree::{NodeId, ROOT, Tree, TreeError};
use movegen::{Game, Move, Position, Validated, Variant};
use search::Limits;

use crate::annotator;
use crate::context::{Context, Page};
use crate::evaluation::EvaluatedGame;
use crate::illegal;
use crate::legal::{self, BoardView};
use crate::messages::analysis::{Event, GameView, LinesView, PositionView, Request};
use crate::messages::{MAX_REQUEST_BYTES, Mode};
use crate::report::AnalysisReport;

use live::LatestLines;
use loading::{Loaded, games};
use own_games::OwnGames;
pub(crate) use view::game_of_record;

const MAX_LINES: usize = 5;
/// The changes that can be undone.
const MAX_UNDO: usize = 20;

/// A game, and the node that is shown.
#[derive(Debug, Clone)]
struct State {
    /// Names the game in the library, where it is or may be kept.
    id: GameId,
    tree: Tree,
    node: NodeId,
}

impl State {
    fn new(record: Record) -> Self {
        Self {
            id: GameId::now(),
            tree: Tree::new(record),
            node: ROOT,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Analysis {
    state: State,
    /// The games of the text loaded last.
    choices: Vec<Result<Loaded, String>>,
    /// The games of them that were kept in the library last.
    kept: Vec<GameId>,
    /// The texts of games of the library that were last read or written here.
    texts: HashMap<GameId, String>,
    /// The states before the last changes.
    undo: Vec<State>,
    /// The states that have been undone since the last change.
    redo: Vec<State>,
    latest_lines: LatestLines,
    engine: bool,
    lines: usize,
    threat: bool,
    annotation: Option<EvaluatedGame>,
    /// The games of the library, where the page shows their moves.
    own_games: Option<OwnGames>,
}

impl Analysis {
    pub(crate) fn new() -> Self {
        Self {
            state: State::new(Record::new(Position::default())),
            choices: Vec::new(),
            kept: Vec::new(),
            texts: HashMap::new(),
            undo: Vec::new(),
            redo: Vec::new(),
            latest_lines: LatestLines::default(),
            engine: false,
            lines: 3,
            threat: false,
            annotation: None,
            own_games: None,
        }
    }

    pub(crate) fn handle(&mut self, request: Request, context: &mut Context) {
        use Request::{Choose, LoadFen, LoadPgn, New};
        // The answer is a game, a choice of games, or the reason there is none.
        let opens = matches!(
            request,
            New | LoadPgn { .. } | Choose { .. } | LoadFen { .. }
        );
        if let Err(error) = self.try_handle(request, context) {
            let text = error.to_string();
            context.page.send(if opens {
                Event::NotOpened { text }
            } else {
                Event::Error { text }
            });
        }
    }

    fn try_handle(&mut self, request: Request, context: &mut Context) -> Result<()> {
        match request {
            Request::Restore {
                pgn,
                path,
                id,
                based_on,
            } => {
                let game = games(&pgn)?.swap_remove(0).map_err(Error::msg)?;
                self.state = State::new(game.record);
                check_size(&self.state.tree)?;
                self.state.node = self.state.tree.at(&path);
                if let Some(id) = id {
                    // What cannot be read is reported when it is to be changed.
                    let present = context.library.find(&id).ok().flatten();
                    let text = present.map(|(_, text)| text);
                    let text = text.filter(|text| Some(revision(text)) == based_on);
                    self.texts.insert(id.clone(), text.unwrap_or_default());
                    self.state.id = id;
                }
                self.undo.clear();
                self.redo.clear();
                self.cancel_stale_annotation(context);
                self.show_all(context)
            }
            Request::New => self.load(State::new(Record::new(Position::default())), context),
            Request::LoadPgn { text, id } => self.load_pgn(&text, id, context),
            Request::Choose { game } => {
                let chosen = self.choices.get(game).context("there is no such game")?;
                self.load_game(chosen.clone(), None, context)
            }
            Request::LoadFen { fen, chess960 } => {
                let read = Validated::from_fen(&fen, chess960.map(Variant::from_chess960))?;
                self.load(State::new(Record::new(read.position)), context)?;
                for dropped in &read.dropped {
                    context.page.note(dropped);
                }
                Ok(())
            }
            Request::Go { node } => {
                self.state.tree.node(node).ok_or(TreeError::NoMove)?;
                self.go(node, context)
            }
            Request::Move { text } => {
                let game = self.state.tree.game(self.state.node);
                match illegal::read_move(&game, &text) {
                    Ok(mv) => self.play(&[mv], context),
                    Err(illegal) => {
                        context.page.send(Event::Illegal(illegal));
                        Ok(())
                    }
                }
            }
            Request::Line { moves } => self.play(&self.moves(&moves)?, context),
            Request::Preview { moves } => {
                let line = self.moves(&moves)?;
                let board = BoardView::after(self.state.tree.position(self.state.node), &line);
                context.page.send(Event::Preview { moves, board });
                Ok(())
            }
            Request::Delete { node } => self.change(context, |tree, here| {
                let path = tree.path(here);
                let gone = tree.path(node);
                let parent = tree.delete(node)?;
                // What is shown stays, unless it is gone.
                let stays = !path.starts_with(&gone);
                Ok(if stays {
                    tree.at(&without(path, &gone))
                } else {
                    parent
                })
            }),
            Request::Promote { node } => self.change(context, |tree, here| {
                tree.promote(node)?;
                Ok(here)
            }),
            Request::Comment { node, text } => self.change(context, |tree, here| {
                tree.note_mut(node)?.comment.set_shown_text(&text);
                Ok(here)
            }),
            Request::Symbols { node, nags } => self.change(context, |tree, here| {
                tree.note_mut(node)?.nags = nags.into_iter().map(Nag).collect();
                Ok(here)
            }),
            Request::Shapes { node, shapes } => self.change(context, |tree, here| {
                shapes::set(&mut tree.note_mut(node)?.comment, &shapes);
                Ok(here)
            }),
            Request::Keep => self.keep(context),
            Request::KeepChoices => self.keep_choices(context),
            Request::DeleteKept => self.delete_kept(context),
            Request::AnnotateKept => {
                let builder = context.search.engine.builder();
                Ok(context
                    .annotator
                    .add(&self.kept, annotator::NODES, builder)?)
            }
            Request::OwnGames { on } => {
                self.own_games = on.then(OwnGames::default);
                self.go(self.state.node, context)
            }
            Request::Tags { tags } => self.change(context, |tree, here| {
                tags::set(&mut tree.record, tags)?;
                Ok(here)
            }),
            Request::Undo => {
                if let Some(before) = self.undo.pop() {
                    let undone = self.show_state(before, context);
                    self.redo.push(undone);
                }
                self.show_all(context)
            }
            Request::Redo => {
                if let Some(undone) = self.redo.pop() {
                    let before = self.show_state(undone, context);
                    self.undo.push(before);
                }
                self.show_all(context)
            }
            Request::Engine { on, lines, threat } => {
                self.engine = on;
                self.threat = threat;
                self.lines = lines.clamp(1, MAX_LINES);
                self.send_engine(&mut context.page);
                self.search(context)
            }
            Request::Annotate { nodes } => self.annotate(nodes, context),
            Request::CancelAnnotation => {
                self.end_annotation(context, Some("canceled".to_owned()));
                self.search(context)
            }
        }
    }

    /// Reads the games of the library again, where the page shows their moves.
    pub(crate) fn forget_own_games(&mut self) {
        self.own_games = self.own_games.as_ref().map(|_| OwnGames::default());
    }

    /// The page shows this mode: resumes what was interrupted.
    pub(crate) fn shown(&mut self, context: &mut Context) {
        self.send_engine(&mut context.page);
        if let Err(error) = self.show_all(context) {
            context.page.send(Event::Error {
                text: error.to_string(),
            });
        }
    }

    pub(crate) fn report(&mut self, report: AnalysisReport, context: &mut Context) {
        match report {
            AnalysisReport::Lines(infos) => {
                self.latest_lines.put(infos);
                self.send_lines(context);
            }
            AnalysisReport::Annotation(report) => self.annotation_report(report, context),
            AnalysisReport::Failed(text) => self.failed(text, context),
        }
    }

    /// The time until lines are to be sent.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.latest_lines.time_left(Instant::now())
    }

    /// Sends the latest lines, unless it is too early.
    pub(crate) fn send_lines(&mut self, context: &mut Context) {
        if let Some(infos) = self.latest_lines.take(Instant::now())
            && context.search.is_running(Mode::Analysis)
            && let Some(game) = self.searched()
            && let Some(lines) =
                LinesView::new(&infos, self.state.node, game.position(), self.threat)
        {
            context.page.send(Event::Lines(lines));
        }
    }

    fn failed(&mut self, text: String, context: &mut Context) {
        self.end_annotation(context, Some(text.clone()));
        self.engine = false;
        self.send_engine(&mut context.page);
        context.page.send(Event::Error { text });
    }

    /// Changes the game, which then shows the node that is returned. If that fails, nothing is
    /// changed.
    fn change(
        &mut self,
        context: &mut Context,
        change: impl FnOnce(&mut Tree, NodeId) -> Result<NodeId>,
    ) -> Result<()> {
        let mut state = self.state.clone();
        state.node = change(&mut state.tree, state.node)?;
        self.replace(state, context)
    }

    /// Replaces the game; this can be undone.
    fn replace(&mut self, state: State, context: &mut Context) -> Result<()> {
        check_size(&state.tree)?;
        let before = self.show_state(state, context);
        self.undo.push(before);
        if self.undo.len() > MAX_UNDO {
            self.undo.remove(0);
        }
        self.redo.clear();
        self.show_all(context)
    }

    /// Shows a state, and returns the one before.
    fn show_state(&mut self, state: State, context: &mut Context) -> State {
        let before = std::mem::replace(&mut self.state, state);
        self.cancel_stale_annotation(context);
        before
    }

    /// Parses successive moves from the position that is shown.
    fn moves(&self, moves: &[String]) -> Result<Vec<Move>> {
        let mut position = *self.state.tree.position(self.state.node);
        let moves = moves.iter().map(|uci| {
            let mv = position.move_from_uci(uci)?;
            position = position.play_unchecked(mv);
            Ok(mv)
        });
        moves.collect()
    }

    /// Follows moves, and adds those that are new.
    fn play(&mut self, moves: &[Move], context: &mut Context) -> Result<()> {
        if let Some(node) = self.state.tree.follow(self.state.node, moves) {
            return self.go(node, context);
        }
        self.change(context, |tree, here| {
            let before = tree.main_moves();
            let mut node = here;
            for &mv in moves {
                node = tree.add(node, mv)?;
            }
            tree.forget_stale_accuracy(&before);
            Ok(node)
        })
    }

    fn go(&mut self, node: NodeId, context: &mut Context) -> Result<()> {
        self.state.node = node;
        let own_games = self.own_games.as_mut().map(|games| {
            games.read_new(&context.library, &context.names);
            games.moves(self.state.tree.position(node))
        });
        let view = PositionView::new(&self.state.tree, node, own_games, &context.search.engine);
        context.page.send(Event::Position(Box::new(view)));
        self.search(context)
    }

    fn show_all(&mut self, context: &mut Context) -> Result<()> {
        self.send_game(context);
        self.go(self.state.node, context)
    }

    fn send_game(&self, context: &mut Context) {
        let changes = (!self.undo.is_empty(), !self.redo.is_empty());
        let mut game = GameView::new(&self.state, changes, &context.names);
        game.based_on = self.texts.get(&self.state.id).map(|text| revision(text));
        context.page.send(Event::Game(Box::new(game)));
    }

    // The search of the position that is shown.

    fn send_engine(&self, page: &mut Page) {
        page.send(Event::Engine {
            on: self.engine,
            lines: self.lines,
            threat: self.threat,
        });
    }

    /// The position the engine searches: the one shown, or that with the other side to move.
    fn searched(&self) -> Option<Game> {
        if self.threat {
            legal::passed(self.state.tree.position(self.state.node))
                .ok()
                .map(Game::new)
        } else {
            Some(self.state.tree.game(self.state.node))
        }
    }

    /// Starts the annotation or, without one, the search, if it should be running.
    fn search(&mut self, context: &mut Context) -> Result<()> {
        self.latest_lines = LatestLines::default();
        if self.annotation.is_some() {
            return if context.search.is_running(Mode::Analysis) {
                Ok(())
            } else {
                self.evaluate(context)
            };
        }
        let game = self.searched().filter(|game| game.position().has_moves());
        let Some(game) = game.filter(|_| self.engine) else {
            context.search.stop(Mode::Analysis);
            return Ok(());
        };
        let mut job = context.search.engine.analysis(
            game,
            Limits {
                infinite: true,
                ..Limits::default()
            },
        );
        job.options.multi_pv = self.lines;
        context
            .search
            .start(Mode::Analysis, move |stop, reporter| {
                live::analyze(&job, stop, reporter);
            })?;
        Ok(())
    }
}

/// Identifies a text of a game.
fn revision(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Checks that the page can restore the game, which it keeps as PGN, by one request.
fn check_size(tree: &Tree) -> Result<()> {
    const MAX_PATH_BYTES: usize = 1 << 18;
    /// Every change sends the whole tree to the page.
    const MAX_NODES: usize = 20_000;
    if tree.size() > MAX_NODES {
        bail!("the game has more than {MAX_NODES} moves");
    }
    let json = serde_json::to_string(&tree.record().pgn());
    if json.is_ok_and(|json| json.len() <= MAX_REQUEST_BYTES - MAX_PATH_BYTES) {
        Ok(())
    } else {
        Err(anyhow!(
            "the game is too large: as PGN it may have 3.75 MiB, in which a line break or a quotation \
             mark counts twice"
        ))
    }
}

/// Corrects a path for the deletion of another one.
fn without(mut path: Vec<usize>, gone: &[usize]) -> Vec<usize> {
    if let Some((&number, parents)) = gone.split_last()
        && path.starts_with(parents)
        && let Some(step) = path.get_mut(parents.len())
        && *step > number
    {
        *step -= 1;
    }
    path
}
