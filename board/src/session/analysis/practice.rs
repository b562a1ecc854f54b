//! The search for better moves than the mistakes of an annotated game.

use game::annotation::{Evaluation, Loss, expectation_of_eval};
use movegen::{Game, Move, Position};
use search::{Limits, SearchError, SearchResult};
use service::{Engine, Job};

use super::tree::{NodeId, TreeError};
use super::{Analysis, Error, Event, Report};
use crate::session::{Context, Mode};

const NODES: u64 = 100_000;

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
            context.page.send(Event::Tried {
                node,
                uci,
                good: true,
                text,
            });
            return Ok(());
        }
        let job = attempt.search(&context.search.engine);
        context
            .search
            .start(Mode::Analysis, move |stop, reporter| {
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

/// A move that is tried, where its position has been evaluated.
struct Attempt {
    position: Position,
    mv: Move,
    before: Evaluation,
}

impl Attempt {
    /// What is said of the best move, which needs no search.
    fn praise(&self) -> Option<String> {
        (self.before.line.first() == Some(&self.mv))
            .then(|| format!("{} is the best move.", self.position.san(self.mv)))
    }

    /// The search by which the move is judged.
    fn search(&self, engine: &Engine) -> Job {
        engine.analysis(Game::new(self.after()), Limits::nodes(NODES))
    }

    /// True if the move is good, and what is said of it.
    fn judgement(&self, found: &SearchResult) -> (bool, String) {
        let after = Evaluation::new(found, &self.after());
        let loss = Loss::new(self.position.side_to_move(), self.mv, &self.before, &after);
        let san = self.position.san(self.mv);
        match loss.assessment {
            Some(nag) => (false, format!("{san}{}: try another move.", nag.symbol())),
            None => (true, format!("{san} is a good move.")),
        }
    }

    fn after(&self) -> Position {
        self.position.play_unchecked(self.mv)
    }
}
