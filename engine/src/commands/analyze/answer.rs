//! What is said of one line of the input, for people and for programs.

use std::fmt::{Display, Write as _};

use movegen::Variant;
use search::Outcome;
use serde::Serialize;

use crate::commands::positions::Record;
use crate::notation;
use crate::output::json::{JsonBound, JsonLine};
use common::excerpt;

/// How answers are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) json: bool,
    pub(super) time: bool,
}

/// One answer: what was found, or why nothing was.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) line: u64,
    id: Option<String>,
    fen: Option<String>,
    bestmove: Option<String>,
    #[serde(flatten)]
    best: Option<JsonLine>,
    nodes: Option<u64>,
    /// In milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u128>,
    /// All lines of play, when several were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<JsonLine>>,
    error: Option<String>,
}

impl Answer {
    pub(super) fn refused(line: u64, error: impl Display) -> Answer {
        Answer {
            line,
            id: None,
            fen: None,
            bestmove: None,
            best: None,
            nodes: None,
            time: None,
            lines: None,
            error: Some(error.to_string()),
        }
    }

    pub(super) fn at_the_end(line: u64, record: &Record, notation: Variant) -> Answer {
        let position = record.game.position();
        Answer {
            line,
            id: record.id.clone(),
            fen: Some(notation::fen(position, notation)),
            bestmove: None,
            best: Some(JsonLine::game_over(position)),
            nodes: Some(0),
            time: Some(0),
            lines: None,
            error: None,
        }
    }

    /// `wanted` lines of play were asked for.
    pub(super) fn found(
        line: u64,
        record: &Record,
        outcome: &Outcome,
        wanted: usize,
        notation: Variant,
    ) -> Answer {
        let position = record.game.position();
        let told = outcome.lines.iter();
        let lines: Vec<JsonLine> = told
            .map(|info| JsonLine::new(info, position, notation))
            .collect();
        Answer {
            line,
            id: record.id.clone(),
            fen: Some(notation::fen(position, notation)),
            bestmove: outcome.best_move.map(|mv| mv.uci(notation).to_string()),
            best: lines.first().cloned(),
            nodes: Some(outcome.nodes),
            time: Some(outcome.time.as_millis()),
            lines: (wanted > 1).then_some(lines),
            error: None,
        }
    }

    pub(super) fn is_error(&self) -> bool {
        self.error.is_some()
    }

    /// Without the end of the last line.
    pub(super) fn text(mut self, style: Style) -> Result<String, serde_json::Error> {
        if !style.time {
            self.time = None;
        }
        match style.json {
            true => serde_json::to_string(&self),
            false => Ok(self.for_people()),
        }
    }

    /// A line for each line of play.
    fn for_people(&self) -> String {
        let mut text = String::new();
        let all = match &self.lines {
            Some(lines) => lines.as_slice(),
            None => self.best.as_slice(),
        };
        for line in all {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&self.head());
            let [win, draw, loss] = line.wdl;
            let (score, depth) = (line.score, line.depth);
            let bound = line.bound.map_or("", JsonBound::uci);
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                " {score}{bound} wdl {win} {draw} {loss} depth {depth}"
            );
            if let Some(nodes) = self.nodes {
                let _ = write!(text, " nodes {nodes}");
            }
            if let Some(time) = self.time {
                let _ = write!(text, " time {time}");
            }
            for mv in ["pv"]
                .into_iter()
                .chain(line.san.iter().map(String::as_str))
            {
                text.push(' ');
                text.push_str(mv);
            }
        }
        if let Some(error) = &self.error {
            text = format!("{} error {}", self.head(), one_line(error));
        }
        text
    }

    fn head(&self) -> String {
        match &self.id {
            Some(id) => format!("{} {}:", self.line, excerpt(id)),
            None => format!("{}:", self.line),
        }
    }
}

/// What is wrong may repeat text from outside.
fn one_line(error: &str) -> String {
    let escaped = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    error.chars().map(escaped).collect()
}
