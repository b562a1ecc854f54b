//! The files of a run, all under the network's name: checkpoint, loss table, loss plot, recipe,
//! and at the end the network.

use super::TrainError;
use super::checkpoint::Checkpoint;
use super::trainer::{EpochStats, Run};
use super::{quantise, recipe};
use crate::progress;
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
        Ok(self.checkpoint(run).save(&path)?)
    }

    /// The losses as a table and as a plot.
    pub(super) fn write_losses(&self, run: &Run<'_>) -> Result<(), TrainError> {
        self.write("csv", &csv(&run.history))?;
        let name = self.network.file_stem().unwrap_or_default();
        let plot = svg(
            &name.to_string_lossy(),
            &run.history,
            run.parameters.epochs.get(),
        );
        self.write("svg", &plot)
    }

    /// The network, and its result in the recipe; returns what rounding changes as text.
    pub(super) fn write_network(&self, run: &Run<'_>) -> Result<String, TrainError> {
        let rounding = quantise::write(&self.checkpoint(run), &self.network)?;
        let result = recipe::result(run.history.last(), &self.network, &rounding);
        self.write("toml", &(self.recipe.clone() + &result))?;
        Ok(rounding)
    }

    fn checkpoint(&self, run: &Run<'_>) -> Checkpoint {
        Checkpoint {
            recipe: self.recipe.clone(),
            description: self.description.clone(),
            shape: self.shape,
            scale: self.scale,
            epochs: run.parameters.epochs.get(),
            progress: run.progress,
            history: run.history.clone(),
            state: run.trainer.state().clone(),
        }
    }
}

/// Headings of the lines of `line`.
pub(super) const HEADINGS: &str =
    "epoch      positions      train  validation         rate  positions/s  time left";

/// An epoch of a run, for the terminal.
pub(super) fn line(stats: &EpochStats, epochs: usize) -> String {
    let positions = stats.positions as f64 / stats.epoch.max(1) as f64;
    let left = positions * epochs.saturating_sub(stats.epoch) as f64;
    let validation = stats.validation.map(|loss| format!("{loss:.6}"));
    format!(
        "{:>5} {:>14} {:>10.6} {:>11} {:>12.8} {:>12.0} {:>10}",
        stats.epoch,
        stats.positions,
        stats.train,
        validation.unwrap_or_else(|| "-".into()),
        stats.learning_rate,
        stats.positions_per_second,
        progress::time(left / stats.positions_per_second.max(1.0)),
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

/// Training and validation loss by epoch, as an SVG image.
fn svg(title: &str, history: &[EpochStats], epochs: usize) -> String {
    const GRID_LINES: usize = 5;
    const LEFT: f64 = 70.0;
    const TOP: f64 = 40.0;
    const WIDTH: f64 = 630.0;
    const HEIGHT: f64 = 320.0;
    let losses = history
        .iter()
        .flat_map(|stats| [Some(stats.train), stats.validation]);
    let (low, high) = losses
        .flatten()
        .fold((f64::MAX, f64::MIN), |(low, high), loss| {
            (low.min(loss), high.max(loss))
        });
    let range = (high - low).max(1e-6);
    let point = |epoch: usize, loss: f64| {
        let x = LEFT + WIDTH * (epoch as f64 - 1.0) / (epochs as f64 - 1.0).max(1.0);
        format!("{x:.1},{:.1} ", TOP + HEIGHT * (high - loss) / range)
    };
    let train = history.iter().map(|stats| point(stats.epoch, stats.train));
    let validation = history
        .iter()
        .filter_map(|stats| Some(point(stats.epoch, stats.validation?)));
    let grid = (0..=GRID_LINES).map(|line| {
        let share = line as f64 / GRID_LINES as f64;
        let (y, loss) = (TOP + HEIGHT * share, high - range * share);
        format!(
            "<text x=\"10\" y=\"{y:.1}\">{loss:.5}</text>\
             <path d=\"M{LEFT} {y:.1}h{WIDTH}\" stroke=\"#ddd\"/>\n"
        )
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"400\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\">{title}: \
         <tspan fill=\"#1f6fb4\">training</tspan> and \
         <tspan fill=\"#d1622b\">validation</tspan> loss, {epochs} epochs</text>\n\
         {}\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#1f6fb4\"/>\n\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#d1622b\"/>\n\
         </svg>\n",
        grid.collect::<String>(),
        train.collect::<String>(),
        validation.collect::<String>(),
        title = title.replace('&', "&amp;").replace('<', "&lt;"),
    )
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
            .split_whitespace()
            .map(|point| point.split_once(',').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        assert_eq!(points.len(), 2);
        // In SVG, y grows downwards.
        assert!(points[0].0 < points[1].0 && points[0].1 < points[1].1);
    }

    #[test]
    fn plot_of_no_or_one_epoch_has_finite_numbers() {
        for history in [vec![], vec![stats(1, 0.05)]] {
            let svg = svg("", &history, 1);
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
