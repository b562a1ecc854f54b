//! The annotation of the game, as `castellan annotate` does it.

use std::ops::RangeInclusive;

use game::annotation::{self, Evaluation, GameEvaluation};
use game::pgn::Record;
use search::{Limits, SearchOptions};

use super::live::new_searcher;
use super::tree::Tree;
use super::{Analysis, Error, Event, Report};
use crate::session::{Context, Mode};

/// Nodes per position.
const NODES: RangeInclusive<u64> = 100..=1_000_000_000;

#[derive(Debug)]
pub(super) struct Annotation {
    /// The main line when it was started.
    record: Record,
    nodes: u64,
    pub(super) evaluations: Vec<Evaluation>,
    pub(super) searched: usize,
}

impl Analysis {
    pub(super) fn annotate(&mut self, nodes: u64, context: &mut Context) -> Result<(), Error> {
        let record = self.tree.record();
        if record.moves().len() == 0 {
            return Err(Error::NoMoves);
        }
        self.annotation = Some(Annotation {
            record,
            nodes: nodes.clamp(*NODES.start(), *NODES.end()),
            evaluations: Vec::new(),
            searched: 0,
        });
        self.evaluate(context)
    }

    /// Evaluates the rest of the game's positions.
    pub(super) fn evaluate(&mut self, context: &mut Context) -> Result<(), Error> {
        let Some(annotation) = &mut self.annotation else {
            return Ok(());
        };
        annotation.searched = annotation.evaluations.len();
        context.send(annotation.progress());
        let config = context.config.clone();
        let record = annotation.record.clone();
        let (done, nodes) = (annotation.searched, annotation.nodes);
        context.start(Mode::Analysis, move |stop, reporter| {
            let evaluation = GameEvaluation {
                record: &record,
                done,
                jobs: config.threads,
                options: &SearchOptions::new(Limits::nodes(nodes)),
                stop,
            };
            let hash = (config.hash / config.threads.max(1)).max(1);
            let result = evaluation.run(
                || new_searcher(&config, 1, hash),
                || reporter.report(Report::Searched),
                |evaluations| reporter.report(Report::Evaluated(evaluations)),
            );
            if let Err(error) = result {
                reporter.report(Report::Failed(error.to_string()));
            }
        })?;
        Ok(())
    }

    pub(super) fn evaluated(&mut self, evaluations: Vec<Evaluation>, context: &mut Context) {
        let Some(annotation) = &mut self.annotation else {
            return;
        };
        annotation.evaluations.extend(evaluations);
        if annotation.evaluations.len() < annotation.total() {
            return;
        }
        let evaluations = std::mem::take(&mut annotation.evaluations);
        self.annotation = None;
        context.stop(Mode::Analysis);
        let done = self.change(context, |tree, here| {
            let path = tree.path(here);
            let mut record = tree.record();
            annotation::annotate(&mut record, &evaluations);
            *tree = Tree::new(record)?;
            Ok(tree.at(&path))
        });
        context.send(Event::Annotated {
            text: done.err().map(|error| error.to_string()),
        });
    }

    /// Ends an annotation of a main line that has changed.
    pub(super) fn cancel_stale_annotation(&mut self, context: &mut Context) {
        let moves = self.tree.main_moves();
        let same = |annotation: &Annotation| {
            let record = &annotation.record;
            record.start == self.tree.record.start && record.moves().eq(moves.iter().copied())
        };
        if self.annotation.as_ref().is_some_and(|one| !same(one)) {
            self.end_annotation(context, Some("the main line has changed".to_owned()));
        }
    }

    pub(super) fn end_annotation(&mut self, context: &mut Context, text: Option<String>) {
        if self.annotation.take().is_some() {
            context.stop(Mode::Analysis);
            context.send(Event::Annotated { text });
        }
    }
}

impl Annotation {
    fn total(&self) -> usize {
        self.record.moves().len() + 1
    }

    pub(super) fn progress(&self) -> Event {
        Event::Progress {
            done: self.searched,
            total: self.total(),
        }
    }
}
