//! Views of the page: games, positions and lines.

use std::collections::HashMap;

use formats::pgn::{Comment, Nag, Record, Tags, san};
use formats::{notation, openings};
use game::annotation::{
    self, Evaluation, Heading, Loss, costliest, expectation_of_eval, move_seconds,
    white_expectation,
};
use game::library::GameId;
use game::profile::Names;
use movegen::{Color, Game, Move, Outcome, Position, Square};
use search::{Chances, Info};
use serde::Serialize;
use service::Engine;

use super::own_games::OwnMoveView;
use super::shapes::{Shape, shapes};
use super::tables::{self, BookMoveView, TablebaseView};
use super::tree::{Node, NodeId, Tree};
use crate::session::evaluation::Score;
use crate::session::legal::{self, LegalMove, squares};
use crate::session::own::OwnSide;

/// The moves of a principal variation that are shown.
const MAX_PV_MOVES: usize = 24;

/// The game with all its variations.
#[derive(Debug, Serialize)]
pub(crate) struct GameView {
    id: GameId,
    /// The revision of the text of the library that the game is based on.
    pub(super) based_on: Option<String>,
    heading: Heading,
    own: Option<OwnSide>,
    chess960: bool,
    /// All tags that can be changed.
    tags: Vec<(String, String)>,
    /// Each node behind its parent and in the order of its siblings.
    nodes: Vec<NodeView>,
    /// Of an annotated game.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<[SideSummary; 2]>,
    /// The moves that decided it.
    moments: Vec<NodeId>,
    /// The game can be restored from it.
    pgn: String,
    undo: bool,
    redo: bool,
}

#[derive(Debug, Serialize)]
struct NodeView {
    id: NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<NodeId>,
    /// `12.` or `12...`.
    #[serde(skip_serializing_if = "String::is_empty")]
    number: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    san: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    /// White's expected score.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<f64>,
    /// The time that a move of the main line took.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// The mover's clock after the move, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
    /// The comment before a variation's first move.
    #[serde(skip_serializing_if = "String::is_empty")]
    opening: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
}

/// One side's play, by the annotations.
#[derive(Debug, Default, Serialize)]
struct SideSummary {
    accuracy: Option<f64>,
    acpl: Option<u32>,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

impl GameView {
    /// A game that is not changed; `None` if it has too many moves.
    pub(crate) fn of_record(record: Record, names: &Names) -> Option<Self> {
        Some(Self::new(&Tree::new(record).ok()?, (false, false), names))
    }

    pub(super) fn new(tree: &Tree, (undo, redo): (bool, bool), names: &Names) -> Self {
        let record = tree.record();
        let times = tree.main_line().zip(move_seconds(&record));
        let times: HashMap<NodeId, Option<f64>> = times.collect();
        let nodes = tree.nodes().map(|(id, node)| {
            let before = node.parent.map(|parent| tree.position(parent));
            NodeView {
                seconds: times.get(&id).copied().flatten(),
                ..NodeView::new(id, node, before)
            }
        });
        Self {
            id: tree.id.clone(),
            based_on: None,
            heading: Heading::new(&record),
            own: OwnSide::new(&record, names),
            chess960: record.start.variant() == movegen::Variant::Chess960,
            tags: record
                .tags
                .iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .chain([("Result".to_owned(), record.result.as_str().to_owned())])
                .collect(),
            nodes: nodes.collect(),
            summary: summary(tree),
            moments: moments(tree),
            pgn: record.pgn(),
            undo,
            redo,
        }
    }
}

impl NodeView {
    fn new(id: NodeId, node: &Node, before: Option<&Position>) -> Self {
        let Comment { eval, clock, .. } = node.comment;
        let points = match eval {
            Some(eval) => Some(expectation_of_eval(eval, &node.position)),
            // Mate has no evaluation.
            None => Game::new(node.position).outcome().map(points_of_outcome),
        };
        Self {
            id,
            parent: node.parent,
            number: before.map(notation::move_number).unwrap_or_default(),
            san: before.map_or_else(String::new, |before| san(node.mv, before)),
            nags: node.nags.iter().map(|nag| nag.0).collect(),
            score: eval.map(Score::from),
            points: points.map(rounded),
            seconds: None,
            clock: clock.and_then(|clock| clock.as_millis().try_into().ok()),
            opening: node.opening.shown_text(),
            comment: node.comment.shown_text(),
        }
    }
}

fn points_of_outcome(outcome: Outcome) -> f64 {
    match outcome.winner() {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    }
}

/// Three decimals are enough.
fn rounded(points: f64) -> f64 {
    (1000.0 * points).round() / 1000.0
}

/// White's and Black's play in an annotated game.
fn summary(tree: &Tree) -> Option<[SideSummary; 2]> {
    let tags = &tree.record.tags;
    let mut sides = ["White", "Black"].map(|side| SideSummary {
        accuracy: number(tags, &format!("{side}Accuracy")),
        acpl: number(tags, &format!("{side}ACPL")),
        ..SideSummary::default()
    });
    if sides.iter().all(|side| side.accuracy.is_none()) {
        return None;
    }
    let [white, black] = &mut sides;
    for node in tree.main_line().filter_map(|id| tree.node(id)) {
        let side = match node.position.side_to_move() {
            Color::White => &mut *black,
            Color::Black => &mut *white,
        };
        match node.nags.iter().find(|nag| nag.is_move_assessment()) {
            Some(&Nag::DUBIOUS) => side.inaccuracies += 1,
            Some(&Nag::MISTAKE) => side.mistakes += 1,
            Some(&Nag::BLUNDER) => side.blunders += 1,
            _ => {}
        }
    }
    Some(sides)
}

/// The moves of the main line with an assessment that cost most, in their order.
fn moments(tree: &Tree) -> Vec<NodeId> {
    const MOMENTS: usize = 3;
    let costs = tree.main_line().filter_map(|id| {
        let node = tree.node(id)?;
        let before = tree.node(node.parent?)?;
        node.nags
            .iter()
            .find(|nag| matches!(**nag, Nag::DUBIOUS | Nag::MISTAKE | Nag::BLUNDER))?;
        let [before, after] =
            [before, node].map(|node| Evaluation::of_eval(node.comment.eval, &node.position));
        let loss = Loss::new(!node.position.side_to_move(), node.mv?, &before?, &after?);
        Some((id, loss.chances))
    });
    costliest(costs, MOMENTS)
}

fn number<T: std::str::FromStr>(tags: &Tags, name: &str) -> Option<T> {
    tags.get(name)?.parse().ok()
}

/// A game of a file with several.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Choice {
    Game {
        heading: Box<Heading>,
        own: Option<OwnSide>,
        moves: usize,
    },
    Invalid {
        error: String,
    },
}

impl Choice {
    pub(super) fn new(game: Result<&Record, &String>, names: &Names) -> Self {
        match game {
            Ok(record) => Self::Game {
                heading: Box::new(Heading::new(record)),
                own: OwnSide::new(record, names),
                moves: record.moves().len().div_ceil(2),
            },
            Err(error) => Self::Invalid {
                error: error.clone(),
            },
        }
    }
}

/// The position that is shown.
#[derive(Debug, Serialize)]
pub(crate) struct PositionView {
    node: NodeId,
    /// Leads to it after a restart.
    path: Vec<usize>,
    #[serde(flatten)]
    board: BoardView,
    legal: Vec<LegalMove>,
    /// The outcome of the game.
    outcome: Option<String>,
    opening: Option<String>,
    /// Arrows and circles of its comment.
    shapes: Vec<Shape>,
    /// The reason the other side threatens nothing.
    no_threat: Option<String>,
    tablebase: Option<TablebaseView>,
    /// Without a book of the user `None`.
    book: Option<Vec<BookMoveView>>,
    /// The moves of the user's games with White and with Black, if they are to be shown.
    own_games: Option<[Vec<OwnMoveView>; 2]>,
}

/// A position and the move before it.
#[derive(Debug, Serialize)]
pub(crate) struct BoardView {
    fen: String,
    last: Option<[Square; 2]>,
    check: bool,
}

impl BoardView {
    pub(super) fn new(position: &Position, last: Option<[Square; 2]>) -> Self {
        Self {
            fen: notation::fen(position, position.variant()),
            last,
            check: position.in_check(),
        }
    }

    /// The position after some moves.
    pub(super) fn after(start: &Position, moves: &[Move]) -> Self {
        let mut board = Self::new(start, None);
        for (position, mv) in notation::legal_moves(start, moves.iter().copied()) {
            let last = squares(mv, &position);
            board = Self::new(&position.play_unchecked(mv), Some(last));
        }
        board
    }
}

impl PositionView {
    pub(super) fn new(
        tree: &Tree,
        id: NodeId,
        own_games: Option<[Vec<OwnMoveView>; 2]>,
        engine: &Engine,
    ) -> Self {
        let position = tree.position(id);
        let game = tree.game(id);
        let mut last = None;
        if let Some(node) = tree.node(id)
            && let Some((parent, mv)) = node.parent.zip(node.mv)
        {
            last = Some(squares(mv, tree.position(parent)));
        }
        let opening = openings::find(&tree.record.start, game.moves());
        Self {
            node: id,
            path: tree.path(id),
            board: BoardView::new(position, last),
            legal: legal::moves(position),
            outcome: game.outcome().map(|outcome| outcome.to_string()),
            opening: opening.map(|(eco, name)| format!("{eco} {name}")),
            shapes: tree
                .node(id)
                .map_or_else(Vec::new, |node| shapes(&node.comment)),
            no_threat: no_threat(position),
            tablebase: TablebaseView::new(engine.tablebases(), position),
            book: tables::book(engine, &game),
            own_games,
        }
    }
}

fn no_threat(position: &Position) -> Option<String> {
    match legal::passed(position) {
        Ok(passed) if passed.has_moves() => None,
        Ok(passed) => Some(format!("{} could not move.", passed.side_to_move())),
        Err(reason) => Some(reason),
    }
}

/// The lines of the running search.
#[derive(Debug, Serialize)]
pub(crate) struct LinesView {
    node: NodeId,
    depth: u32,
    selective_depth: u32,
    nodes: u64,
    nodes_per_second: u64,
    tablebase_hits: u64,
    threat: bool,
    lines: Vec<LineView>,
}

#[derive(Debug, Serialize)]
struct LineView {
    depth: u32,
    score: Score,
    points: f64,
    /// White's chances to win, to draw and to lose, in permille.
    wdl: [u32; 3],
    pv: Vec<PvMove>,
}

#[derive(Debug, Serialize)]
struct PvMove {
    uci: String,
    san: String,
    /// `12.` or `12...`.
    number: String,
    squares: [Square; 2],
}

impl LinesView {
    /// The lines from a position; of a threat, it is that with the other side to move.
    pub(super) fn new(
        infos: &[Info],
        node: NodeId,
        position: &Position,
        threat: bool,
    ) -> Option<Self> {
        // The last one reported counts all nodes.
        let latest = infos.iter().max_by_key(|info| info.nodes)?;
        Some(Self {
            node,
            depth: latest.depth,
            selective_depth: latest.selective_depth,
            nodes: latest.nodes,
            nodes_per_second: latest.nodes_per_second(),
            tablebase_hits: latest.tablebase_hits,
            threat,
            lines: infos
                .iter()
                .map(|info| LineView::new(info, position))
                .collect(),
        })
    }
}

impl LineView {
    fn new(info: &Info, start: &Position) -> Self {
        let Chances { win, draw, loss } = info.chances;
        let moves = info.pv.iter().copied().take(MAX_PV_MOVES);
        let moves = notation::legal_moves(start, moves).map(|(position, mv)| PvMove {
            uci: mv.uci(position.variant()).to_string(),
            san: position.san(mv),
            number: notation::move_number(&position),
            squares: squares(mv, &position),
        });
        Self {
            depth: info.depth,
            score: annotation::eval_for_white(info.score, start).into(),
            points: rounded(white_expectation(info.score, start)),
            wdl: match start.side_to_move() {
                Color::White => [win, draw, loss],
                Color::Black => [loss, draw, win],
            },
            pv: moves.collect(),
        }
    }
}
