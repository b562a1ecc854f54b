//! The annotation of the game, as `castellan annotate` does it.

use anyhow::{Result, bail};
use game::annotation;
use game::tree::Tree;

use super::Analysis;
use crate::annotator;
use crate::context::Context;
use crate::evaluation::EvaluatedGame;
use crate::messages::Mode;
use crate::messages::analysis::Event;
use crate::report::{AnalysisReport, Progress};

impl Analysis {
    pub(super) fn annotate(&mut self, nodes: u64, context: &mut Context) -> Result<()> {
        let record = self.state.tree.record();
        if record.moves().len() == 0 {
            bail!("the game has no moves to annotate");
        }
        self.annotation = Some(EvaluatedGame::new(record, annotator::clamp_nodes(nodes)));
        self.evaluate(context)
    }

    /// Evaluates the positions that are left.
    pub(super) fn evaluate(&mut self, context: &mut Context) -> Result<()> {
        let Some(annotation) = &mut self.annotation else {
            return Ok(());
        };
        annotation.start(
            Mode::Analysis,
            &mut context.search,
            AnalysisReport::Annotation,
        )?;
        context.page.send(progress(annotation));
        Ok(())
    }

    pub(super) fn annotation_report(&mut self, report: Progress, context: &mut Context) {
        let Some(annotation) = &mut self.annotation else {
            return;
        };
        match annotation.take(report) {
            Ok(true) => self.evaluated(context),
            Ok(false) => context.page.send(progress(annotation)),
            Err(text) => self.failed(text, context),
        }
    }

    fn evaluated(&mut self, context: &mut Context) {
        let Some(annotation) = self.annotation.take() else {
            return;
        };
        context.search.stop(Mode::Analysis);
        let done = self.change(context, |tree, here| {
            let path = tree.path(here);
            let mut record = tree.record();
            annotation::annotate(&mut record, &annotation.evaluations);
            *tree = Tree::new(record);
            Ok(tree.at(&path))
        });
        context.page.send(Event::Annotated {
            text: done.err().map(|error| error.to_string()),
        });
    }

    /// Ends an annotation of a main line that has changed.
    pub(super) fn cancel_stale_annotation(&mut self, context: &mut Context) {
        let moves = self.state.tree.main_moves();
        let same = |annotation: &EvaluatedGame| {
            let record = &annotation.record;
            record.start == self.state.tree.record.start && record.moves().eq(moves.iter().copied())
        };
        if self.annotation.as_ref().is_some_and(|one| !same(one)) {
            self.end_annotation(context, Some("the main line has changed".to_owned()));
        }
    }

    pub(super) fn end_annotation(&mut self, context: &mut Context, text: Option<String>) {
        if self.annotation.take().is_some() {
            context.search.stop(Mode::Analysis);
            context.page.send(Event::Annotated { text });
        }
    }
}

fn progress(annotation: &EvaluatedGame) -> Event {
    Event::Progress {
        done: annotation.searched(),
        total: annotation.total(),
    }
}
