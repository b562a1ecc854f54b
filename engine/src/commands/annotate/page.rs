//! A game as a self-contained HTML page: the board, the moves, a graph of the evaluations and
//! the key moments. The page contains the game as JSON, and its script creates no markup from
//! text, so that names and comments cannot inject any.

use movegen::{Move, Position, Variant};
use serde::Serialize;

use super::evaluate::Evaluation;
use super::notes::{self, Report, SideReport};
use crate::formats::pgn::{MoveNode, Record};
use crate::notation;

const STYLE: &str = include_str!("page/style.css");
const BODY: &str = include_str!("page/body.html");
const SCRIPT: &str = include_str!("page/script.js");

const MAX_KEY_MOMENTS: usize = 6;

/// The data for the script.
#[derive(Serialize)]
struct PageData<'a> {
    white: &'a str,
    black: &'a str,
    result: &'static str,
    /// Event, site and date, as far as they are known.
    occasion: String,
    white_play: Option<String>,
    black_play: Option<String>,
    /// The start position and the position after each move.
    positions: Vec<PagePosition>,
    /// The indices of the positions after the most costly moves.
    moments: Vec<usize>,
}

/// A position and the move before it.
#[derive(Default, Serialize)]
struct PagePosition {
    /// The first field of the FEN.
    board: String,
    eval: Option<String>,
    /// White's expected score, from 0 to 1.
    points: f64,
    /// `12.` or `12...`.
    number: String,
    san: String,
    /// Origin and destination of the move.
    squares: Vec<String>,
    /// `?!` and the like.
    mark: &'static str,
    /// The better line, after a move with an assessment by the engine.
    better: String,
    comment: String,
}

pub(super) fn page(
    record: &Record,
    evaluations: &[Evaluation],
    report: &Report,
) -> Result<String, serde_json::Error> {
    let white = name(record, "White");
    let black = name(record, "Black");
    let title = escaped(&format!("{white} – {black}"));
    let data = PageData {
        white,
        black,
        result: record.result.as_str(),
        occasion: occasion(record),
        white_play: summary(&report.white),
        black_play: summary(&report.black),
        positions: positions(record, evaluations, report),
        moments: key_moments(report),
    };
    // Without '<' the data cannot end its script element.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{BODY}\
         <script type=\"application/json\" id=\"game\">{data}</script>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    ))
}

fn name<'a>(record: &'a Record, tag: &'static str) -> &'a str {
    let known = record.tags.get(tag).filter(|name| is_known(name));
    known.unwrap_or(tag)
}

fn is_known(value: &str) -> bool {
    !matches!(value, "" | "?" | "-" | "????.??.??")
}

fn occasion(record: &Record) -> String {
    let tags = ["Event", "Site", "Date"].into_iter();
    let known: Vec<&str> = tags
        .filter_map(|tag| record.tags.get(tag))
        .filter(|value| is_known(value))
        .collect();
    known.join(", ")
}

fn summary(side: &SideReport) -> Option<String> {
    let (acpl, accuracy) = (side.acpl()?, side.accuracy()?);
    Some(format!("{accuracy:.1} % accuracy, {acpl} ACPL"))
}

fn positions(record: &Record, evaluations: &[Evaluation], report: &Report) -> Vec<PagePosition> {
    let mut position = record.start;
    let mut positions = vec![PagePosition {
        board: board(&position, record.variant),
        comment: record.main_line.comment.text.clone(),
        ..PagePosition::default()
    }];
    let losses = report.losses.iter().zip(evaluations);
    for (node, (&loss, before)) in record.main_line.moves.iter().zip(losses) {
        let better = match notes::assessment(loss) {
            Some(_) => notation::numbered_moves(&position, notes::shown_moves(before, &position)),
            None => String::new(),
        };
        let next = position.play_unchecked(node.mv);
        positions.push(PagePosition {
            board: board(&next, record.variant),
            number: notation::move_number(&position),
            san: position.san(node.mv),
            squares: squares(&position, node.mv),
            mark: symbol(node),
            better,
            comment: node.comment.text.clone(),
            ..PagePosition::default()
        });
        position = next;
    }
    for (shown, evaluation) in positions.iter_mut().zip(evaluations) {
        shown.eval = evaluation.eval.map(|eval| eval.to_string());
        shown.points = (1000.0 * evaluation.expectation).round() / 1000.0;
    }
    positions
}

fn board(position: &Position, variant: Variant) -> String {
    let fen = notation::fen(position, variant);
    fen.split(' ').next().unwrap_or_default().to_owned()
}

/// Origin and destination of the moving piece; in castling those of the king.
fn squares(position: &Position, mv: Move) -> Vec<String> {
    let to = match mv.castling_side() {
        Some(side) => side.king_target(position.side_to_move()),
        None => mv.to(),
    };
    vec![mv.from().to_string(), to.to_string()]
}

/// The symbol of a move's assessment.
fn symbol(node: &MoveNode) -> &'static str {
    let assessment = node.nags.iter().find(|nag| nag.is_move_assessment());
    assessment.map_or("", |nag| nag.symbol())
}

/// The indices of the positions after the most costly moves, in the order of the game.
fn key_moments(report: &Report) -> Vec<usize> {
    let numbered = report.losses.iter().zip(1..);
    let mut costly: Vec<_> = numbered
        .filter(|(loss, _)| notes::assessment(**loss).is_some())
        .collect();
    costly.sort_by(|(one, _), (other, _)| other.points.total_cmp(&one.points));
    let mut moments: Vec<usize> = costly
        .into_iter()
        .take(MAX_KEY_MOMENTS)
        .map(|(_, index)| index)
        .collect();
    moments.sort_unstable();
    moments
}

/// Escapes text for use in an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
