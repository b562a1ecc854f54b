//! The search for better moves than the mistakes of an annotated game.

use game::annotation::{Evaluation, Loss, expectation_of_eval};
use movegen::{Game, Move, Position};
use search::{Limits, SearchError, SearchResult};

use super::tree::{NodeId, TreeError};
use super::{Analysis, Error, Event, Report};
use crate::session::evaluation::tried_text;
use crate::session::{Context, Mode};

/// For the move that is tried.
const NODES: u64 = 100_000;

impl Analysis {
    /// A position, its evaluation by the annotation, and a move that is tried there.
    fn tried(&self, node: NodeId, uci: &str) -> Result<(Position, Move, Evaluation), Error> {
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
        Ok((position, mv, before))
    }

    pub(super) fn try_move(
        &mut self,
        node: NodeId,
        uci: String,
        context: &mut Context,
    ) -> Result<(), Error> {
        let (position, mv, before) = self.tried(node, &uci)?;
        if before.line.first() == Some(&mv) {
            let text = format!("{} is the best move.", position.san(mv));
            context.send(Event::Tried {
                node,
                uci,
                good: true,
                text,
            });
            return Ok(());
        }
        let game = Game::new(position.play_unchecked(mv));
        let job = context.engine.analysis(game, Limits::nodes(NODES));
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
        let (position, mv, before) = self.tried(node, &uci)?;
        let after = Evaluation::new(&found, &position.play_unchecked(mv));
        let loss = Loss::new(position.side_to_move(), mv, &before, &after);
        let (good, text) = tried_text(&position, mv, &loss);
        Ok(Event::Tried {
            node,
            uci,
            good,
            text,
        })
    }
}
