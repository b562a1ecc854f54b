//! What came of one position of a suite.

use std::time::Duration;

use movegen::{Position, Variant};
use search::{Bound, Info};
use serde::Serialize;

use super::{Task, TrialError};
use crate::notation;
use crate::output::json::{JsonScore, milliseconds};
use common::excerpt;

/// A line of a suite and what came of it.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) line: u64,
    #[serde(flatten)]
    pub(super) solved: Option<Solved>,
    error: Option<String>,
}

/// What a search found, and whether it is what was asked for.
#[derive(Debug, Serialize)]
pub(super) struct Solved {
    id: Option<String>,
    pub(super) theme: Option<String>,
    fen: String,
    bestmove: Option<String>,
    san: Option<String>,
    score: Option<JsonScore>,
    pub(super) solved: bool,
    /// Of so many as could be had; only where points are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) points: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) most: Option<u32>,
    /// When the solution was found that was never left again.
    pub(super) solution: Option<Moment>,
    /// The end.
    #[serde(flatten)]
    pub(super) end: Moment,
}

/// A point in a search.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Moment {
    depth: u32,
    pub(super) nodes: u64,
    /// In milliseconds.
    #[serde(
        serialize_with = "milliseconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) time: Option<Duration>,
}

impl Moment {
    fn of(info: &Info) -> Moment {
        Moment {
            depth: info.depth,
            nodes: info.nodes,
            time: Some(info.time),
        }
    }
}

impl Outcome {
    pub(super) fn new(line: u64, solved: Solved) -> Outcome {
        Outcome {
            line,
            solved: Some(solved),
            error: None,
        }
    }

    pub(super) fn failed(line: u64, error: &TrialError) -> Outcome {
        Outcome {
            line,
            solved: None,
            error: Some(error.to_string()),
        }
    }

    /// On one line; without times if they are not wanted.
    pub(super) fn text(mut self, json: bool, time: bool) -> Result<String, serde_json::Error> {
        if let Some(solved) = self.solved.as_mut().filter(|_| !time) {
            solved.end.time = None;
            if let Some(solution) = &mut solved.solution {
                solution.time = None;
            }
        }
        match json {
            true => serde_json::to_string(&self),
            false => Ok(self.for_people()),
        }
    }

    fn for_people(&self) -> String {
        let number = self.line;
        let Some(solved) = &self.solved else {
            let error = self.error.as_deref().unwrap_or_default();
            return format!("{number}: error {}", excerpt(error));
        };
        let name = solved.id.as_deref().map(excerpt).unwrap_or_default();
        let points = match (solved.points, solved.most) {
            (Some(points), Some(most)) => format!(" {points}/{most}"),
            _ => String::new(),
        };
        let verdict = match &solved.solution {
            Some(moment) => format!("solved{points} {}", moment.words()),
            None => format!("not solved{points}"),
        };
        let san = solved.san.as_deref().unwrap_or("(none)");
        let gap = if name.is_empty() { "" } else { " " };
        format!("{number}{gap}{name}: {san} {verdict}")
    }
}

impl Moment {
    fn words(&self) -> String {
        let time = self.time.map(|time| format!(" time {}", time.as_millis()));
        let (depth, nodes) = (self.depth, self.nodes);
        format!("depth {depth} nodes {nodes}{}", time.unwrap_or_default())
    }
}

impl Solved {
    pub(super) fn new(
        task: Task,
        outcome: &search::Outcome,
        infos: &[Info],
        notation: Variant,
    ) -> Solved {
        let Task { id, game, goal } = task;
        let position: &Position = game.position();
        let best = outcome.best_move;
        let last = outcome.lines.first();
        let score = last.map(JsonScore::of);
        let solved = best
            .zip(score)
            .is_some_and(|(mv, score)| goal.is_met(mv, score));
        let mut solution = None;
        for info in infos.iter().filter(|info| info.bound == Bound::Exact) {
            let first = info.pv.first();
            let met = first.is_some_and(|mv| goal.is_met(*mv, JsonScore::of(info)));
            solution = match met {
                true => solution.or(Some(Moment::of(info))),
                false => None,
            };
        }
        let end = Moment {
            depth: last.map_or(0, |info| info.depth),
            nodes: outcome.nodes,
            time: Some(outcome.time),
        };
        Solved {
            theme: id.as_deref().map(theme),
            id,
            fen: notation::fen(position, notation),
            bestmove: best.map(|mv| mv.uci(notation).to_string()),
            san: best.map(|mv| position.san(mv)),
            score,
            solved,
            points: best.and_then(|mv| goal.points_of(mv)),
            most: goal.most_points(),
            solution: solved.then(|| solution.unwrap_or(end)),
            end,
        }
    }
}

/// What an id says before the number at its end.
fn theme(id: &str) -> String {
    let name = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = name.trim_end_matches(['.', '-', '_', '#', ':', ' ']);
    // A suite may have nothing but numbers.
    let name = if name.is_empty() { id } else { name };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::theme;

    #[test]
    fn a_theme_is_an_id_without_its_number() {
        for (id, expected) in [
            ("STS(v1.0) Undermine.001", "STS(v1.0) Undermine"),
            ("STS(v14.0) 7th Rank.007", "STS(v14.0) 7th Rank"),
            ("WAC.300", "WAC"),
            ("BK 01", "BK"),
            ("no number", "no number"),
            ("123", "123"),
            ("", ""),
        ] {
            assert_eq!(theme(id), expected);
        }
    }
}
