//! A game as a page that needs nothing but itself and a browser: the board, the moves, how the
//! game went, and the moments that decided it. What the record says goes into it as data, and
//! the script in `page/` makes no markup of it, so that no name or comment can do harm.

use movegen::{Move, Position, Variant};
use serde::Serialize;

use super::judge::Judgement;
use super::notes::{self, Report};
use crate::formats::pgn::{MoveNode, Record};
use crate::notation;

const STYLE: &str = include_str!("page/style.css");
const BODY: &str = include_str!("page/body.html");
const SCRIPT: &str = include_str!("page/script.js");

/// So many moments can decide a game.
const MOST_MOMENTS: usize = 6;

/// What the script is told.
#[derive(Serialize)]
struct Data<'a> {
    white: &'a str,
    black: &'a str,
    result: &'static str,
    /// Event, place and date, as far as they are known.
    occasion: String,
    white_play: Option<String>,
    black_play: Option<String>,
    /// The start, and the position after each move.
    positions: Vec<Place>,
    /// Which of them come of the moves that decided the game.
    moments: Vec<usize>,
}

/// A position, and the move that led to it.
#[derive(Default, Serialize)]
struct Place {
    /// The men, as a FEN's first field has them.
    board: String,
    eval: Option<String>,
    /// What White can expect, from 0 to 1.
    points: f64,
    /// `12.` or `12...`.
    number: String,
    san: String,
    /// Where the man came from and went to.
    squares: Vec<String>,
    /// `?!` and the like.
    mark: &'static str,
    /// What would have been better.
    better: String,
    comment: String,
}

/// The text of the page.
pub(super) fn page(
    record: &Record,
    judged: &[Judgement],
    report: &Report,
) -> Result<String, serde_json::Error> {
    let white = name(record, "White");
    let black = name(record, "Black");
    let title = escaped(&format!("{white} – {black}"));
    let data = Data {
        white,
        black,
        result: record.result.as_str(),
        occasion: occasion(record),
        white_play: play(&report.white),
        black_play: play(&report.black),
        positions: places(record, judged, report),
        moments: moments(report),
    };
    // Nothing in it can end the element it stands in.
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

fn play(play: &notes::Play) -> Option<String> {
    let (loss, accuracy) = (play.average_loss()?, play.accuracy()?);
    Some(format!("accuracy {accuracy:.1}, {loss} centipawns a move"))
}

fn places(record: &Record, judged: &[Judgement], report: &Report) -> Vec<Place> {
    let mut position = record.start;
    let mut places = vec![Place {
        board: board(&position, record.variant),
        comment: record.main_line.comment.text.clone(),
        ..Place::default()
    }];
    let losses = report.losses.iter().zip(judged);
    for (step, (&loss, before)) in record.main_line.moves.iter().zip(losses) {
        let better = match notes::mark(loss) {
            Some(_) => notation::numbered_moves(&position, notes::legal(before, &position)),
            None => String::new(),
        };
        let next = position.play_unchecked(step.mv);
        places.push(Place {
            board: board(&next, record.variant),
            number: notation::move_number(&position),
            san: position.san(step.mv),
            squares: squares(&position, step.mv),
            mark: symbol(step),
            better,
            comment: step.comment.text.clone(),
            ..Place::default()
        });
        position = next;
    }
    for (place, judgement) in places.iter_mut().zip(judged) {
        place.eval = judgement.eval.map(|eval| eval.to_string());
        place.points = (1000.0 * judgement.expectation).round() / 1000.0;
    }
    places
}

fn board(position: &Position, variant: Variant) -> String {
    let fen = notation::fen(position, variant);
    fen.split(' ').next().unwrap_or_default().to_owned()
}

/// From where to where a man is seen to go; castling names the king's squares.
fn squares(position: &Position, mv: Move) -> Vec<String> {
    let to = match mv.is_castling() {
        true => movegen::CastlingSide::of(mv.from(), mv.to()).king_target(position.side_to_move()),
        false => mv.to(),
    };
    vec![mv.from().to_string(), to.to_string()]
}

/// The symbol of a move's assessment.
fn symbol(node: &MoveNode) -> &'static str {
    let assessment = node.nags.iter().find(|nag| nag.is_move_assessment());
    assessment.map_or("", |nag| nag.symbol())
}

/// The costliest moves, in the game's order, as numbers of the positions they led to.
fn moments(report: &Report) -> Vec<usize> {
    let marked = report.losses.iter().zip(1..);
    let mut costly: Vec<_> = marked
        .filter(|(loss, _)| notes::mark(**loss).is_some())
        .collect();
    costly.sort_by(|(one, _), (other, _)| other.points.total_cmp(&one.points));
    let mut moments: Vec<usize> = costly
        .into_iter()
        .take(MOST_MOMENTS)
        .map(|(_, place)| place)
        .collect();
    moments.sort_unstable();
    moments
}

/// Text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests;
