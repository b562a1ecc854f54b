//! The moves of a page: the game with its variations and the engine's lines, each move with the
//! position after it.

use movegen::{Move, Position, Variant};
use serde::Serialize;

use formats::notation;
use formats::pgn::{MoveNode, Record, Variation, format_clock};
use game::annotation::{self, Evaluation, GameReport};

/// A position and the move before it, if any. Fields without information are left out.
#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    fen: String,
    /// `12.` or `12...`.
    #[serde(skip_serializing_if = "String::is_empty")]
    number: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    san: String,
    /// Origin and destination of the moving piece; in castling those of the king.
    #[serde(skip_serializing_if = "Option::is_none")]
    squares: Option<[String; 2]>,
    /// `?!` and the like.
    #[serde(skip_serializing_if = "str::is_empty")]
    mark: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<String>,
    /// White's expected score, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<f64>,
    /// The clock of the side that moved, after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    /// The time that the move took.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    /// True if the engine found a better move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    costly: bool,
    /// The engine's line from this position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<Node>,
    /// The alternatives to the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Line>,
}

/// A variation of the game.
#[derive(Debug, Serialize)]
struct Line {
    /// True if it is the engine's.
    engine: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    moves: Vec<Node>,
}

/// Returns the start position and the position after each move.
pub(super) fn nodes(record: &Record, evaluations: &[Evaluation], report: &GameReport) -> Vec<Node> {
    let variant = record.start.variant();
    let mut position = record.start;
    let mut nodes = vec![Node {
        fen: notation::fen(&position, variant),
        comment: record.main_line.comment.shown_text(),
        ..Node::default()
    }];
    let losses = report.losses.iter().zip(evaluations);
    for (step, (loss, before)) in record.main_line.moves.iter().zip(losses) {
        let variations = step.variations.iter();
        nodes.push(Node {
            costly: loss.assessment.is_some(),
            variations: variations
                .map(|line| variation(line, &position, variant, Some(before)))
                .collect(),
            ..node(step, &position, variant)
        });
        position = step.after(&position);
    }
    let mut positions = vec![record.start];
    for mv in record.moves() {
        let last = positions.last().unwrap_or(&record.start);
        positions.push(last.play_unchecked(mv));
    }
    for (node, seconds) in nodes
        .iter_mut()
        .skip(1)
        .zip(annotation::move_seconds(record))
    {
        node.seconds = seconds;
    }
    for ((node, evaluation), position) in nodes.iter_mut().zip(evaluations).zip(&positions) {
        node.eval = evaluation.eval.map(|eval| eval.to_string());
        node.points = Some(points(evaluation));
        node.line = plain_line(evaluation, position, variant);
    }
    nodes
}

/// A move with its annotations, except variations.
fn node(step: &MoveNode, position: &Position, variant: Variant) -> Node {
    let assessment = step.nags.iter().find(|nag| nag.is_move_assessment());
    Node {
        mark: assessment.map_or("", |nag| nag.symbol()),
        eval: step.comment.eval.map(|eval| eval.to_string()),
        clock: step.comment.clock.map(format_clock),
        comment: step.comment.shown_text(),
        ..match step.mv {
            Some(mv) => plain_node(mv, position, variant),
            None => Node {
                fen: notation::fen(&step.after(position), variant),
                number: notation::move_number(position),
                san: step.san(position),
                ..Node::default()
            },
        }
    }
}

fn plain_node(mv: Move, position: &Position, variant: Variant) -> Node {
    let to = match mv.castling_side() {
        Some(side) => side.king_target(position.side_to_move()),
        None => mv.to(),
    };
    Node {
        fen: notation::fen(&position.play_unchecked(mv), variant),
        number: notation::move_number(position),
        san: position.san(mv),
        squares: Some([mv.from().to_string(), to.to_string()]),
        ..Node::default()
    }
}

/// The engine's line from a position.
fn plain_line(evaluation: &Evaluation, start: &Position, variant: Variant) -> Vec<Node> {
    let moves = annotation::shown_moves(evaluation, start);
    notation::legal_moves(start, moves)
        .map(|(position, mv)| plain_node(mv, &position, variant))
        .collect()
}

/// A variation; `before` is the evaluation of its start, where there is one.
fn variation(
    line: &Variation,
    start: &Position,
    variant: Variant,
    before: Option<&Evaluation>,
) -> Line {
    let engine = before.filter(|before| {
        let moves = line.moves.iter().map(|step| step.mv);
        moves.eq(annotation::shown_moves(before, start).map(Some))
    });
    let mut position = *start;
    let moves = line.moves.iter().map(|step| {
        let variations = step.variations.iter();
        let node = Node {
            points: engine.map(points),
            variations: variations
                .map(|line| variation(line, &position, variant, None))
                .collect(),
            ..node(step, &position, variant)
        };
        position = step.after(&position);
        node
    });
    Line {
        moves: moves.collect(),
        engine: engine.is_some(),
        comment: line.comment.shown_text(),
    }
}

/// White's expected score with three decimals.
fn points(evaluation: &Evaluation) -> f64 {
    (1000.0 * evaluation.expectation).round() / 1000.0
}
