//! The files of a run, all under the network's name: checkpoint, loss table, loss plot, recipe,
//! and at the end the network.

use super::TrainError;
use super::checkpoint::Checkpoint;
use super::trainer::{EpochStats, Run};
use super::{quantise, recipe};
use common::files::replace;
use search::nnue::Shape;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Names and contents of a run's files.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) network: PathBuf,
    pub(super) recipe: String,
    pub(super) description: String,
    pub(super) shape: Shape,
    pub(super) scale: u16,
}

/// Extensions of the files beside the network.
const EXTENSIONS: [&str; 4] = ["checkpoint", "csv", "svg", "toml"];

/// The checkpoint of a network; an error if the network has the name of another file of the run.
pub(super) fn checkpoint_path(network: &Path) -> Result<PathBuf, TrainError> {
    let taken = |extension| network.with_extension(extension) == network;
    if EXTENSIONS.into_iter().any(taken) {
        return Err(TrainError::Name {
            path: network.to_path_buf(),
        });
    }
    Ok(network.with_extension("checkpoint"))
}

impl Output {
    fn write(&self, extension: &str, text: &str) -> Result<(), TrainError> {
        let path = self.network.with_extension(extension);
        Ok(replace(&path, text.as_bytes())?)
    }

    pub(super) fn write_recipe(&self) -> Result<(), TrainError> {
        self.write("toml", &self.recipe)
    }

    pub(super) fn write_checkpoint(&self, run: &Run<'_>) -> Result<(), TrainError> {
        let path = self.network.with_extension("checkpoint");
        let saved = self.checkpoint(run).save(&path);
        saved.map_err(TrainError::checkpoint(&path))
    }

    /// The losses as a table and as a plot.
    pub(super) fn write_losses(&self, run: &Run<'_>) -> Result<(), TrainError> {
        self.write("csv", &csv(&run.history))?;
        let name = self.network.file_stem().unwrap_or_default();
        let plot = svg(&name.to_string_lossy(), &run.history, run.parameters.epochs);
        self.write("svg", &plot)
    }

    /// The network, and its result in the recipe; returns the cost of quantisation as text.
    pub(super) fn write_network(&self, run: &mut Run<'_>) -> Result<String, TrainError> {
        let rounding = quantise::write(&self.checkpoint(run), &self.network)?;
        let last = run.history.last().copied();
        let mut cost = rounding.to_string();
        if let Some(before) = last.and_then(|stats| stats.validation) {
            let after = run.trainer.rounded_loss(run.validation);
            cost += &format!("; validation loss from {before:.6} to {after:.6}");
        }
        let result = recipe::result(last.as_ref(), &self.network, &cost);
        self.write("toml", &(self.recipe.clone() + &result))?;
        Ok(cost)
    }

    fn checkpoint(&self, run: &Run<'_>) -> Checkpoint {
        Checkpoint {
            recipe: self.recipe.clone(),
            description: self.description.clone(),
            shape: self.shape,
            scale: self.scale,
            epochs: run.parameters.epochs,
            progress: run.progress,
            history: run.history.clone(),
            state: run.trainer.state().clone(),
        }
    }
}

/// Headings of the lines of `line`.
pub(super) const HEADINGS: &str =
    "epoch      positions      train  validation         rate  positions/s";

/// An epoch for the terminal.
pub(super) fn line(stats: &EpochStats) -> String {
    let validation = stats.validation.map(|loss| format!("{loss:.6}"));
    format!(
        "{:>5} {:>14} {:>10.6} {:>11} {:>12.8} {:>12.0}",
        stats.epoch,
        stats.positions,
        stats.train,
        validation.unwrap_or_else(|| "-".into()),
        stats.learning_rate,
        stats.positions_per_second,
    )
}

fn csv(history: &[EpochStats]) -> String {
    let mut text = String::from("epoch,positions,train,validation,rate,positions_per_second\n");
    for stats in history {
        let validation = stats.validation.map(|loss| loss.to_string());
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{:.0}",
            stats.epoch,
            stats.positions,
            stats.train,
            validation.unwrap_or_default(),
            stats.learning_rate,
            stats.positions_per_second,
        );
    }
    text
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 30.0;
const RIGHT: f64 = 20.0;

/// Training and validation loss by epoch, as an SVG image.
fn svg(title: &str, history: &[EpochStats], epochs: usize) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\">{title}</text>\n"
    );
    if !history.is_empty() {
        // Writing to a string does not fail.
        let _ = write_curves(&mut svg, history, epochs);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_curves(svg: &mut String, history: &[EpochStats], epochs: usize) -> std::fmt::Result {
    const GRID_LINES: usize = 5;
    let losses = history
        .iter()
        .flat_map(|stats| [Some(stats.train), stats.validation]);
    let (low, high) = losses
        .flatten()
        .fold((f64::MAX, f64::MIN), |(low, high), loss| {
            (low.min(loss), high.max(loss))
        });
    let margin = ((high - low) * 0.05).max(1e-6);
    let (low, high) = (low - margin, high + margin);
    let right = WIDTH - RIGHT;
    let x = |epoch: usize| {
        LEFT + (right - LEFT) * (epoch as f64 - 1.0) / (epochs as f64 - 1.0).max(1.0)
    };
    let y = |loss: f64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (loss - low) / (high - low);

    for line in 0..=GRID_LINES {
        let loss = low + (high - low) * line as f64 / GRID_LINES as f64;
        let (y, label_x, label_y) = (y(loss), LEFT - 6.0, y(loss) + 4.0);
        writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{label_x}\" y=\"{label_y:.1}\" text-anchor=\"end\">{loss:.5}</text>",
        )?;
    }
    for epoch in [1, epochs.div_ceil(2), epochs] {
        let (x, y) = (x(epoch), HEIGHT - BOTTOM + 18.0);
        writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{epoch}</text>"
        )?;
    }
    let label_y = HEIGHT - 6.0;
    writeln!(
        svg,
        "<text x=\"{right}\" y=\"{label_y}\" text-anchor=\"end\">epochs</text>"
    )?;

    let train: Vec<_> = history.iter().map(|stats| Some(stats.train)).collect();
    let validation: Vec<_> = history.iter().map(|stats| stats.validation).collect();
    for (name, color, losses, label_y) in [
        ("train", "#1f6fb4", train, TOP + 14.0),
        ("validation", "#d1622b", validation, TOP + 30.0),
    ] {
        let points = history.iter().zip(losses).filter_map(|(stats, loss)| {
            let (x, y) = (x(stats.epoch), y(loss?));
            Some(format!("{x:.1},{y:.1}"))
        });
        let points = points.collect::<Vec<_>>().join(" ");
        writeln!(
            svg,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>\
             <text x=\"{right}\" y=\"{label_y}\" text-anchor=\"end\" fill=\"{color}\">{name}</text>"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(epoch: usize, train: f64) -> EpochStats {
        EpochStats {
            epoch,
            positions: 0,
            train,
            validation: Some(train + 0.001),
            learning_rate: 0.001,
            positions_per_second: 1.0,
        }
    }

    #[test]
    fn plot_goes_down_with_the_loss() {
        let svg = svg("a < b", &[stats(1, 0.05), stats(2, 0.04)], 2);
        assert!(svg.contains("a &lt; b"));
        let points = svg.split("points=\"").nth(1).unwrap();
        let points: Vec<(f64, f64)> = points[..points.find('"').unwrap()]
            .split(' ')
            .map(|point| point.split_once(',').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        assert_eq!(points.len(), 2);
        // In SVG, y grows downwards.
        assert!(points[0].0 < points[1].0 && points[0].1 < points[1].1);
    }

    #[test]
    fn plot_of_few_epochs_has_finite_numbers() {
        for history in [vec![], vec![stats(1, 0.05)]] {
            let svg = svg("", &history, 1);
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
