//! The search for better moves than the mistakes of an annotated game.

use game::annotation::{Evaluation, expectation_of_eval};
use search::{SearchError, SearchResult};

use super::tree::{NodeId, TreeError};
use super::{Analysis, Error, Event, Report};
use crate::session::attempt::Attempt;
use crate::session::{Context, Mode};

impl Analysis {
    /// A move that is tried in a position that the annotation has evaluated.
    fn attempt(&self, node: NodeId, uci: &str) -> Result<Attempt, Error> {
        let found = self.tree.node(node).ok_or(TreeError::NoNode)?;
        let position = found.position;
        let mv = position.move_from_uci(uci)?;
        let eval = found.comment.eval.ok_or(Error::NoEvaluation)?;
        // The annotation puts the engine's line beside a mistake.
        let better = found.children.get(1).and_then(|&id| self.tree.node(id)?.mv);
        let before = Evaluation {
            eval: Some(eval),
            expectation: expectation_of_eval(eval, &position),
            line: better.into_iter().collect(),
        };
        Ok(Attempt {
            position,
            mv,
            before,
        })
    }

    pub(super) fn try_move(
        &mut self,
        node: NodeId,
        uci: String,
        context: &mut Context,
    ) -> Result<(), Error> {
        let attempt = self.attempt(node, &uci)?;
        if let Some(text) = attempt.praise() {
            context.send(Event::Tried {
                node,
                uci,
                good: true,
                text,
            });
            return Ok(());
        }
        let job = attempt.search(&context.engine);
        context.start(Mode::Analysis, move |stop, reporter| {
            let found = job.run(stop, &mut ());
            reporter.report(Report::Tried(node, uci, found));
        })?;
        Ok(())
    }

    pub(super) fn take_tried(
        &self,
        node: NodeId,
        uci: String,
        found: Result<SearchResult, SearchError>,
    ) -> Result<Event, Error> {
        let found = found?;
        let (good, text) = self.attempt(node, &uci)?.judgement(&found);
        Ok(Event::Tried {
            node,
            uci,
            good,
            text,
        })
    }
}
