//! The sums over a suite, theme by theme.

use std::time::Duration;

use serde::Serialize;

use super::EpdJobError;
use super::result::Outcome;
use crate::output::json::milliseconds;
use common::excerpt;

/// The end of a run, in JSON and as a table.
#[derive(Debug, Default, Serialize)]
pub(super) struct Tally {
    /// In the order in which they came.
    themes: Vec<Sums>,
    total: Sums,
    errors: u64,
    #[serde(skip)]
    first_error: Option<u64>,
}

#[derive(Debug, Clone, Serialize)]
struct Sums {
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<String>,
    positions: u64,
    solved: u64,
    points: u64,
    /// Points that could be had; none where none are listed.
    most: u64,
    nodes: u64,
    /// Of those solved, until they were.
    nodes_to_solution: u64,
    #[serde(
        serialize_with = "milliseconds",
        skip_serializing_if = "Option::is_none"
    )]
    time: Option<Duration>,
    #[serde(
        serialize_with = "milliseconds",
        skip_serializing_if = "Option::is_none"
    )]
    time_to_solution: Option<Duration>,
}

impl Default for Sums {
    fn default() -> Sums {
        Sums {
            theme: None,
            positions: 0,
            solved: 0,
            points: 0,
            most: 0,
            nodes: 0,
            nodes_to_solution: 0,
            time: Some(Duration::ZERO),
            time_to_solution: Some(Duration::ZERO),
        }
    }
}

const NO_THEME: &str = "(no id)";

impl Tally {
    pub(super) fn add(&mut self, outcome: &Outcome) {
        let Some(solved) = &outcome.solved else {
            self.errors += 1;
            self.first_error.get_or_insert(outcome.line);
            return;
        };
        let name = solved.theme.as_deref().unwrap_or(NO_THEME);
        let known = self
            .themes
            .iter()
            .position(|sums| sums.theme.as_deref() == Some(name));
        let at = known.unwrap_or_else(|| {
            self.themes.push(Sums {
                theme: Some(name.to_owned()),
                ..Sums::default()
            });
            self.themes.len() - 1
        });
        for sums in self.themes.get_mut(at).into_iter().chain([&mut self.total]) {
            sums.positions += 1;
            sums.solved += u64::from(solved.solved);
            sums.points += u64::from(solved.points.unwrap_or_default());
            sums.most += u64::from(solved.most.unwrap_or_default());
            sums.nodes += solved.end.nodes;
            sums.time = sum(sums.time, solved.end.time);
            if let Some(solution) = &solved.solution {
                sums.nodes_to_solution += solution.nodes;
                sums.time_to_solution = sum(sums.time_to_solution, solution.time);
            }
        }
    }

    pub(super) fn forget_time(&mut self) {
        for sums in self.themes.iter_mut().chain([&mut self.total]) {
            sums.time = None;
            sums.time_to_solution = None;
        }
    }

    /// For people: a line for each theme, and one for all.
    pub(super) fn table(&self) -> Vec<String> {
        let total = Sums {
            theme: Some("all".to_owned()),
            ..self.total.clone()
        };
        let mut rows = vec![HEAD.map(str::to_owned)];
        if self.themes.len() > 1 {
            rows.extend(self.themes.iter().map(Sums::row));
        }
        rows.push(total.row());
        let mut widths = [0; COLUMNS];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let line = |row: &[String; COLUMNS]| {
            let cells = row.iter().zip(widths).enumerate();
            let padded = cells.map(|(column, (cell, width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        rows.iter().map(line).collect()
    }

    /// What is to be complained of.
    pub(super) fn complaint(&self) -> Option<EpdJobError> {
        Some(EpdJobError::BadLines {
            bad: self.errors,
            of: self.total.positions + self.errors,
            first: self.first_error?,
        })
    }
}

fn sum(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    Some(one?.saturating_add(other?))
}

const COLUMNS: usize = 7;
const HEAD: [&str; COLUMNS] = [
    "theme",
    "positions",
    "solved",
    "%",
    "points",
    "nodes to solve",
    "ms to solve",
];

impl Sums {
    fn row(&self) -> [String; COLUMNS] {
        let points = match self.most {
            0 => "-".to_owned(),
            most => format!("{}/{most}", self.points),
        };
        let each = |sum: u128| match u128::from(self.solved) {
            0 => "-".to_owned(),
            solved => (sum / solved).to_string(),
        };
        [
            excerpt(self.theme.as_deref().unwrap_or_default()),
            self.positions.to_string(),
            self.solved.to_string(),
            percent(self.solved, self.positions),
            points,
            each(self.nodes_to_solution.into()),
            self.time_to_solution
                .map_or_else(|| "-".to_owned(), |time| each(time.as_millis())),
        ]
    }
}

fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".to_owned(),
        whole => format!("{:.1}", 100.0 * part as f64 / whole as f64),
    }
}
