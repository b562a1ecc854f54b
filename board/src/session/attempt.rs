//! Moves that are tried in place of a mistake.

use game::annotation::{Evaluation, Loss};
use movegen::{Game, Move, Position};
use search::{Limits, SearchResult};
use service::{Engine, Job};

const NODES: u64 = 100_000;

/// A move that is tried, where its position has been evaluated.
pub(super) struct Attempt {
    pub(super) position: Position,
    pub(super) mv: Move,
    pub(super) before: Evaluation,
}

impl Attempt {
    /// What is said of the best move, which needs no search.
    pub(super) fn praise(&self) -> Option<String> {
        (self.before.line.first() == Some(&self.mv))
            .then(|| format!("{} is the best move.", self.position.san(self.mv)))
    }

    /// The search by which the move is judged.
    pub(super) fn search(&self, engine: &Engine) -> Job {
        engine.analysis(Game::new(self.after()), Limits::nodes(NODES))
    }

    /// True if the move is good, and what is said of it.
    pub(super) fn judgement(&self, found: &SearchResult) -> (bool, String) {
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
