//! Views of the page: games, positions and lines.

use std::collections::HashMap;

use formats::pgn::{Comment, Eval, Nag, Record, Tags, san};
use formats::{notation, openings};
use game::annotation::{
    self, Evaluation, Heading, Loss, costliest, expectation_of_eval, move_seconds,
    white_expectation,
};
use game::profile::Names;
use game::tree::{Node, NodeId, Tree};
use movegen::{Color, Game, Outcome, Position};
use search::{Chances, Info};
use service::Engine;

use super::shapes::shapes;
use super::{State, tables};
use crate::legal::{self, BoardView, NamedMove, squares};
use crate::messages::analysis::{
    Choice, GameView, LineView, LinesView, NodeView, OwnMoveView, PositionView, PvMove, Score,
    SideSummary, TablebaseView,
};
use crate::own::OwnSide;

/// The most moves of a principal variation that are shown.
const MAX_PV_MOVES: usize = 24;

/// A game that is not changed.
pub(crate) fn game_of_record(record: Record, names: &Names) -> GameView {
    GameView::new(&State::new(record), (false, false), names)
}

impl From<Eval> for Score {
    fn from(eval: Eval) -> Self {
        match eval {
            Eval::Centipawns(value) => Self::Cp(value),
            Eval::Mate(moves) => Self::Mate(moves),
        }
    }
}

impl GameView {
    pub(super) fn new(
        State { id, tree, .. }: &State,
        (undo, redo): (bool, bool),
        names: &Names,
    ) -> Self {
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
            id: id.clone(),
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
        let Comment { eval, clock, .. } = node.note.comment;
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
            nags: node.note.nags.iter().map(|nag| nag.0).collect(),
            score: eval.map(Score::from),
            points: points.map(rounded),
            seconds: None,
            clock: clock.and_then(|clock| clock.as_millis().try_into().ok()),
            opening: node.note.opening.shown_text(),
            comment: node.note.comment.shown_text(),
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

/// Rounds to three decimals.
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
        match node.note.nags.iter().find(|nag| nag.is_move_assessment()) {
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
        // The start position has no comment; the better move is as good as it.
        let better = || {
            let mut others = tree
                .nodes()
                .filter(|(other, played)| *other != id && played.parent == node.parent);
            others.find_map(|(_, played)| played.note.comment.eval)
        };
        node.note
            .nags
            .iter()
            .find(|nag| matches!(**nag, Nag::DUBIOUS | Nag::MISTAKE | Nag::BLUNDER))?;
        let eval = before.note.comment.eval.or_else(better);
        let before = Evaluation::of_eval(eval, &before.position);
        let after = Evaluation::of_eval(node.note.comment.eval, &node.position);
        let loss = Loss::new(!node.position.side_to_move(), node.mv?, &before?, &after?);
        Some((id, loss.chances))
    });
    costliest(costs, MOMENTS)
}

fn number<T: std::str::FromStr>(tags: &Tags, name: &str) -> Option<T> {
    tags.get(name)?.parse().ok()
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
        let opening = openings::find(game.start(), game.moves());
        Self {
            node: id,
            path: tree.path(id),
            board: BoardView::new(position, last),
            legal: legal::moves(position),
            outcome: game.outcome().map(|outcome| outcome.to_string()),
            opening: opening.map(|(eco, name)| format!("{eco} {name}")),
            shapes: tree
                .node(id)
                .map_or_else(Vec::new, |node| shapes(&node.note.comment)),
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

impl LinesView {
    /// The lines from a position; for a threat, that with the other side to move.
    pub(super) fn new(
        infos: &[Info],
        node: NodeId,
        position: &Position,
        threat: bool,
    ) -> Option<Self> {
        // The one reported last counts all nodes.
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
            mv: NamedMove::new(mv, &position),
            number: notation::move_number(&position),
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
