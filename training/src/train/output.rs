//! What a run leaves on disk, all under the network's name: checkpoint, table, plot, recipe,
//! and at last the network.

use super::TrainError;
use super::checkpoint::Checkpoint;
use super::trainer::Course;
use super::{quantise, recipe};
use crate::replace::replace;
use search::nnue::Shape;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub(super) struct Paths {
    pub(super) network: PathBuf,
    pub(super) checkpoint: PathBuf,
    table: PathBuf,
    plot: PathBuf,
    recipe: PathBuf,
}

impl Paths {
    /// `None` when the network would have the name of another of the files.
    pub(super) fn beside(network: &Path) -> Option<Self> {
        let [checkpoint, table, plot, recipe] =
            ["checkpoint", "csv", "svg", "toml"].map(|ending| network.with_extension(ending));
        let taken = [&checkpoint, &table, &plot, &recipe].contains(&&network.to_path_buf());
        (!taken).then(|| Self {
            network: network.to_path_buf(),
            checkpoint,
            table,
            plot,
            recipe,
        })
    }
}

#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) paths: Paths,
    /// The recipe as text.
    pub(super) recipe: String,
    pub(super) description: String,
    pub(super) shape: Shape,
    pub(super) scale: u16,
}

impl Record {
    pub(super) fn begin(&self) -> Result<(), TrainError> {
        Ok(replace(&self.paths.recipe, self.recipe.as_bytes())?)
    }

    pub(super) fn save(&self, course: &Course<'_>) -> Result<(), TrainError> {
        let saved = self.checkpoint(course).save(&self.paths.checkpoint);
        saved.map_err(TrainError::checkpoint(&self.paths.checkpoint))
    }

    /// The table and the plot of losses.
    pub(super) fn show(&self, course: &Course<'_>) -> Result<(), TrainError> {
        let table = csv(&course.rows);
        replace(&self.paths.table, table.as_bytes())?;
        let name = self.paths.network.file_stem().unwrap_or_default();
        let plot = svg(&name.to_string_lossy(), &course.rows, course.plan.epochs);
        Ok(replace(&self.paths.plot, plot.as_bytes())?)
    }

    /// The network, and in the recipe what came of it; says what rounding cost.
    pub(super) fn finish(&self, course: &mut Course<'_>) -> Result<String, TrainError> {
        let rounding = quantise::write(&self.checkpoint(course), &self.paths.network)?;
        let last = course.rows.last().copied();
        let mut cost = rounding.to_string();
        if let Some(before) = last.and_then(|row| row.validation) {
            let after = course.learner.judge_rounded(course.validation);
            cost += &format!("; the loss on games put aside from {before:.6} to {after:.6}");
        }
        let result = recipe::result(last.as_ref(), &self.paths.network, &cost);
        let text = self.recipe.clone() + &result;
        replace(&self.paths.recipe, text.as_bytes())?;
        Ok(cost)
    }

    fn checkpoint(&self, course: &Course<'_>) -> Checkpoint {
        Checkpoint {
            recipe: self.recipe.clone(),
            description: self.description.clone(),
            shape: self.shape,
            scale: self.scale,
            epochs: course.plan.epochs,
            place: course.place,
            rows: course.rows.clone(),
            state: course.learner.state().clone(),
        }
    }
}

/// An epoch that is over.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Row {
    pub(super) epoch: usize,
    /// Learnt from in all epochs so far.
    pub(super) positions: u64,
    /// Mean over the epoch, each batch before its step.
    pub(super) train: f64,
    /// At the epoch's end; `None` without validation examples.
    pub(super) validation: Option<f64>,
    /// At the epoch's end.
    pub(super) rate: f64,
    pub(super) speed: f64,
}

pub(super) const HEAD: &str =
    "epoch      positions      train  validation         rate  positions/s";

impl Row {
    /// A line below `HEAD`.
    pub(super) fn line(&self) -> String {
        let Self {
            epoch,
            positions,
            train,
            rate,
            speed,
            ..
        } = self;
        let validation = self
            .validation
            .map_or_else(|| "-".into(), |loss| format!("{loss:.6}"));
        format!(
            "{epoch:>5} {positions:>14} {train:>10.6} {validation:>11} {rate:>12.8} {speed:>12.0}"
        )
    }
}

/// All rows with a line of names.
pub(super) fn csv(rows: &[Row]) -> String {
    let mut text = String::from("epoch,positions,train,validation,rate,positions_per_second\n");
    for row in rows {
        let Row {
            epoch,
            positions,
            train,
            rate,
            speed,
            ..
        } = row;
        let validation = row.validation.map(|loss| loss.to_string());
        let validation = validation.unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{epoch},{positions},{train},{validation},{rate},{speed:.0}"
        );
    }
    text
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// Room for the numbers at the left and below.
const LEFT: f64 = 80.0;
const BELOW: f64 = 40.0;
const ABOVE: f64 = 30.0;
const RIGHT: f64 = 20.0;
const GRID_LINES: usize = 5;
const CURVES: [(&str, &str); 2] = [("train", "#1f6fb4"), ("validation", "#d1622b")];

/// What the picture shows of the plane.
struct Window {
    epochs: f64,
    low: f64,
    high: f64,
}

impl Window {
    fn x(&self, epoch: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * (epoch - 1.0) / (self.epochs - 1.0).max(1.0)
    }

    fn y(&self, loss: f64) -> f64 {
        let share = (loss - self.low) / (self.high - self.low);
        HEIGHT - BELOW - (HEIGHT - BELOW - ABOVE) * share
    }
}

/// The curves of training and validation loss over a run of so many epochs.
pub(super) fn svg(title: &str, rows: &[Row], epochs: usize) -> String {
    let losses = || {
        rows.iter()
            .flat_map(|row| [Some(row.train), row.validation])
            .flatten()
    };
    let (low, high) = losses().fold((f64::MAX, f64::MIN), |(low, high), loss| {
        (low.min(loss), high.max(loss))
    });
    let margin = ((high - low) * 0.05).max(1e-6);
    let window = Window {
        epochs: epochs as f64,
        low: low - margin,
        high: high + margin,
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\">{}</text>\n",
        escaped(title)
    );
    // Writing to a string does not fail.
    if !rows.is_empty() {
        let _ = grid(&mut svg, &window, epochs);
        let _ = curves(&mut svg, &window, rows);
    }
    svg.push_str("</svg>\n");
    svg
}

fn grid(svg: &mut String, window: &Window, epochs: usize) -> std::fmt::Result {
    let right = WIDTH - RIGHT;
    for line in 0..=GRID_LINES {
        let share = line as f64 / GRID_LINES as f64;
        let loss = window.low + (window.high - window.low) * share;
        let y = window.y(loss);
        writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.5}</text>",
            LEFT - 6.0,
            y + 4.0
        )?;
    }
    for epoch in [1, epochs.div_ceil(2), epochs] {
        let (x, y) = (window.x(epoch as f64), HEIGHT - BELOW + 18.0);
        writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{epoch}</text>"
        )?;
    }
    writeln!(
        svg,
        "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">epochs</text>",
        HEIGHT - 6.0
    )
}

fn curves(svg: &mut String, window: &Window, rows: &[Row]) -> std::fmt::Result {
    for (number, (name, color)) in CURVES.into_iter().enumerate() {
        let points = rows.iter().filter_map(|row| {
            let loss = [Some(row.train), row.validation][number]?;
            let (x, y) = (window.x(row.epoch as f64), window.y(loss));
            Some(format!("{x:.1},{y:.1}"))
        });
        let points = points.collect::<Vec<_>>().join(" ");
        let (x, y) = (WIDTH - RIGHT, ABOVE + 14.0 + 16.0 * number as f64);
        writeln!(
            svg,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>\
             <text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" fill=\"{color}\">{name}</text>"
        )?;
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(epoch: usize, train: f64) -> Row {
        Row {
            epoch,
            positions: 0,
            train,
            validation: Some(train + 0.001),
            rate: 0.001,
            speed: 1.0,
        }
    }

    #[test]
    fn falling_losses_fall_in_the_picture() {
        let svg = svg("a < b", &[row(1, 0.05), row(2, 0.04)], 2);
        assert!(svg.contains("a &lt; b"));
        let points = svg
            .split("points=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let points: Vec<(f64, f64)> = points
            .unwrap()
            .split(' ')
            .map(|point| point.split_once(',').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        assert_eq!(points.len(), 2);
        // Down is where y grows.
        assert!(points[0].0 < points[1].0 && points[0].1 < points[1].1);
    }

    #[test]
    fn a_picture_of_nothing_or_of_one_point_has_no_broken_numbers() {
        for rows in [vec![], vec![row(1, 0.05)]] {
            let svg = svg("", &rows, 1);
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
