//! What a run has said of itself so far: a row for each epoch, as a table, as CSV, as a plot.

use std::fmt::Write as _;

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
