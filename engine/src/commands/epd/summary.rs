//! The sums over a test suite, by theme and in total.

use std::time::Duration;

use serde::Serialize;

use super::result::TestResult;
use crate::output::json::milliseconds;
use common::excerpt;

#[derive(Debug, Serialize)]
pub(super) struct Summary {
    /// In the order of their first positions.
    themes: Vec<Sums>,
    total: Sums,
    errors: u64,
}

#[derive(Debug, Clone, Default, Serialize)]
struct Sums {
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<String>,
    positions: u64,
    solved: u64,
    points: u64,
    /// The most points that were possible; 0 if the suite lists none.
    most: u64,
    nodes: u64,
    /// The nodes until the solutions were found.
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

impl Sums {
    fn new(theme: Option<&str>, time: bool) -> Sums {
        let time = time.then_some(Duration::ZERO);
        Sums {
            theme: theme.map(str::to_owned),
            time,
            time_to_solution: time,
            ..Sums::default()
        }
    }
}

const NO_THEME: &str = "(no id)";

impl Summary {
    pub(super) fn new(time: bool) -> Summary {
        Summary {
            themes: Vec::new(),
            total: Sums::new(None, time),
            errors: 0,
        }
    }

    /// Adds the result of a line, or an error.
    pub(super) fn add(&mut self, result: Option<&TestResult>) {
        let Some(result) = result else {
            self.errors += 1;
            return;
        };
        let theme = Some(result.theme.as_deref().unwrap_or(NO_THEME));
        if self
            .themes
            .iter()
            .all(|sums| sums.theme.as_deref() != theme)
        {
            let sums = Sums::new(theme, self.total.time.is_some());
            self.themes.push(sums);
        }
        let of_theme = self.themes.iter_mut();
        let of_theme = of_theme.filter(|sums| sums.theme.as_deref() == theme);
        for sums in of_theme.chain([&mut self.total]) {
            sums.positions += 1;
            sums.solved += u64::from(result.solved);
            sums.points += u64::from(result.points.unwrap_or_default());
            sums.most += u64::from(result.most.unwrap_or_default());
            sums.nodes += result.total.nodes;
            sums.time = sum(sums.time, result.total.time);
            if let Some(solution) = &result.solution {
                sums.nodes_to_solution += solution.nodes;
                sums.time_to_solution = sum(sums.time_to_solution, solution.time);
            }
        }
    }

    /// Returns a table with a line for each theme and one for all.
    pub(super) fn table(&self) -> String {
        let total = Sums {
            theme: Some("all".to_owned()),
            ..self.total.clone()
        };
        let mut rows = vec![HEADER.map(str::to_owned)];
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
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        };
        rows.iter().map(line).collect()
    }
}

fn sum(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    Some(one?.saturating_add(other?))
}

const COLUMNS: usize = 7;
const HEADER: [&str; COLUMNS] = [
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
        let mean = |sum: u128| match u128::from(self.solved) {
            0 => "-".to_owned(),
            solved => (sum / solved).to_string(),
        };
        let percent = match self.positions {
            0 => "-".to_owned(),
            positions => format!("{:.1}", 100.0 * self.solved as f64 / positions as f64),
        };
        [
            excerpt(self.theme.as_deref().unwrap_or_default()),
            self.positions.to_string(),
            self.solved.to_string(),
            percent,
            points,
            mean(self.nodes_to_solution.into()),
            self.time_to_solution
                .map_or_else(|| "-".to_owned(), |time| mean(time.as_millis())),
        ]
    }
}
