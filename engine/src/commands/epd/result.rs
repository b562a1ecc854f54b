//! The result of a search for one position of a test suite.

use std::fmt;
use std::time::Duration;

use search::{Bound, Info, SearchResult};
use serde::Serialize;

use super::Test;
use crate::CommandError;
use crate::input::positions::InputLine;
use crate::output::json::milliseconds;
use crate::output::score::UciScore;
use common::excerpt;
use formats::epd::EpdLine;
use formats::notation;

#[derive(Debug, Serialize)]
pub(super) struct LineResult {
    pub(super) line: u64,
    #[serde(flatten)]
    pub(super) result: Option<TestResult>,
    /// Those of the line, if it has no result.
    #[serde(flatten)]
    invalid: Option<InvalidLine>,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct InvalidLine {
    id: Option<String>,
    fen: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct TestResult {
    id: Option<String>,
    pub(super) theme: Option<String>,
    fen: String,
    bestmove: Option<String>,
    san: Option<String>,
    score: Option<UciScore>,
    pub(super) solved: bool,
    /// The points of the best move, if the suite lists points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) points: Option<u32>,
    /// The most points a move can get.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) most: Option<u32>,
    /// When the search found the solution for good.
    pub(super) solution: Option<Effort>,
    /// The whole search.
    #[serde(flatten)]
    pub(super) total: Effort,
    /// The parts dropped from the FEN.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<String>,
}

/// The work a search has done up to some moment.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Effort {
    depth: u32,
    pub(super) nodes: u64,
    /// In milliseconds.
    #[serde(
        serialize_with = "milliseconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) time: Option<Duration>,
}

impl Effort {
    fn new(info: &Info) -> Effort {
        Effort {
            depth: info.depth,
            nodes: info.nodes,
            time: Some(info.time),
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "depth {} nodes {}", self.depth, self.nodes)?;
        match self.time {
            Some(time) => write!(f, " time {}", time.as_millis()),
            None => Ok(()),
        }
    }
}

impl LineResult {
    pub(super) fn new(line: &InputLine, result: Result<TestResult, CommandError>) -> LineResult {
        let error = result.as_ref().err().map(ToString::to_string);
        LineResult {
            line: line.number,
            invalid: error.as_ref().map(|_| {
                let line = line.epd().ok();
                InvalidLine {
                    id: line.as_ref().and_then(EpdLine::id),
                    fen: line.map(|line| line.fen),
                }
            }),
            result: result.ok(),
            error,
        }
    }
}

/// The result on one line of text.
impl fmt::Display for LineResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.line)?;
        let Some(result) = &self.result else {
            let error = self.error.as_deref().unwrap_or_default();
            return write!(f, ": error {}", excerpt(error));
        };
        if let Some(id) = result.id.as_deref().filter(|id| !id.is_empty()) {
            write!(f, " {}", excerpt(id))?;
        }
        let verdict = if result.solved {
            "solved"
        } else {
            "not solved"
        };
        write!(
            f,
            ": {} {verdict}",
            result.san.as_deref().unwrap_or("(none)")
        )?;
        if let (Some(points), Some(most)) = (result.points, result.most) {
            write!(f, " {points}/{most}")?;
        }
        match &result.solution {
            Some(effort) => write!(f, " {effort}"),
            None => Ok(()),
        }
    }
}

impl TestResult {
    pub(super) fn new(test: Test, outcome: &SearchResult, progress: &[Info]) -> TestResult {
        let Test {
            id,
            game,
            warnings,
            goal,
        } = test;
        let position = game.position();
        let variant = position.variant();
        let best = outcome.best_move;
        let last = outcome.lines.first();
        let score = last.map(UciScore::of);
        let solved = best
            .zip(score)
            .is_some_and(|(mv, score)| goal.is_met(mv, score));
        let mut solution = None;
        for info in progress.iter().filter(|info| info.bound == Bound::Exact) {
            let mut first = info.pv.first().into_iter();
            solution = if first.any(|mv| goal.is_met(*mv, UciScore::of(info))) {
                solution.or(Some(Effort::new(info)))
            } else {
                None
            };
        }
        let total = Effort {
            depth: last.map_or(0, |info| info.depth),
            nodes: outcome.nodes,
            time: Some(outcome.time),
        };
        TestResult {
            theme: id.as_deref().map(theme),
            id,
            fen: notation::fen(position, variant),
            bestmove: best.map(|mv| mv.uci(variant).to_string()),
            san: best.map(|mv| position.san(mv)),
            score,
            solved,
            points: best.and_then(|mv| goal.points_of(mv)),
            most: goal.most_points(),
            solution: solved.then(|| solution.unwrap_or(total)),
            total,
            warnings,
        }
    }

    pub(super) fn without_time(mut self) -> TestResult {
        for effort in self.solution.iter_mut().chain([&mut self.total]) {
            effort.time = None;
        }
        self
    }
}

/// Returns the text of an id in front of its number.
fn theme(id: &str) -> String {
    let name = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = name.trim_end_matches(['.', '-', '_', '#', ':', ' ']);
    // In some suites ids are only numbers.
    let name = if name.is_empty() { id } else { name };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::theme;

    #[test]
    fn the_theme_is_the_id_without_its_number() {
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
