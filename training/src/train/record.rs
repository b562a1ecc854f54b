//! What a run leaves on disk, all under the network's name: checkpoint, table, plot, recipe,
//! and at last the network.

use super::TrainError;
use super::checkpoint::Checkpoint;
use super::course::Course;
use super::recipe;
use super::rounding;
use super::{history, plot};
use crate::replace::replace;
use search::net::Shape;
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
        let table = history::csv(&course.rows);
        replace(&self.paths.table, table.as_bytes())?;
        let name = self.paths.network.file_stem().unwrap_or_default();
        let plot = plot::svg(&name.to_string_lossy(), &course.rows, course.plan.epochs);
        Ok(replace(&self.paths.plot, plot.as_bytes())?)
    }

    /// The network, and in the recipe what came of it; says what rounding cost.
    pub(super) fn finish(&self, course: &mut Course<'_>) -> Result<String, TrainError> {
        let rounding = rounding::write(&self.checkpoint(course), &self.paths.network)?;
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
