//! The evaluation of all positions of a game, in the background.

use formats::pgn::Record;
use game::annotation::{Evaluation, GameEvaluation};
use search::{Limits, SearchOptions};
use service::background::TaskError;

use crate::report::{Progress, Report};
use crate::task::{Owner, Search};

/// A game that is evaluated. A task that was interrupted goes on after what is evaluated.
#[derive(Debug)]
pub(crate) struct EvaluatedGame {
    pub(crate) record: Record,
    /// The nodes to search in each position.
    nodes: u64,
    pub(crate) evaluations: Vec<Evaluation>,
    searched: usize,
}

impl EvaluatedGame {
    pub(crate) fn new(record: Record, nodes: u64) -> Self {
        Self {
            record,
            nodes,
            evaluations: Vec::new(),
            searched: 0,
        }
    }

    /// The number of positions that are searched.
    pub(crate) fn searched(&self) -> usize {
        self.searched
    }

    /// The number of positions.
    pub(crate) fn total(&self) -> usize {
        self.record.moves().len() + 1
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.evaluations.len() >= self.total()
    }

    /// Takes a report; returns true once all positions are evaluated.
    pub(crate) fn take(&mut self, report: Progress) -> Result<bool, String> {
        match report {
            Progress::Searched => self.searched += 1,
            Progress::Evaluated(evaluations) => self.evaluations.extend(evaluations),
            Progress::Failed(text) => return Err(text),
        }
        Ok(self.is_complete())
    }

    /// Evaluates the positions that are left as the task of an owner.
    pub(crate) fn start<R: Into<Report>>(
        &mut self,
        owner: impl Into<Owner>,
        search: &mut Search,
        report: impl Fn(Progress) -> R + Send + Sync + 'static,
    ) -> Result<(), TaskError> {
        self.searched = self.evaluations.len();
        let mut builder = search.engine.builder();
        let jobs = builder.threads;
        builder.hash = (builder.hash / jobs).max(1);
        builder.threads = 1;
        let record = self.record.clone();
        let (done, nodes) = (self.searched, self.nodes);
        search.start(owner, move |stop, reporter| {
            let evaluation = GameEvaluation {
                record: &record,
                done,
                jobs,
                options: &SearchOptions::new(Limits::nodes(nodes)),
                stop,
            };
            let result = evaluation.run(
                || builder.build(),
                || reporter.report(report(Progress::Searched)),
                |evaluations| reporter.report(report(Progress::Evaluated(evaluations))),
            );
            if let Err(error) = result {
                reporter.report(report(Progress::Failed(error.to_string())));
            }
        })
    }
}
