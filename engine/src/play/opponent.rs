//! Who answers: a searcher, and how strongly it plays.

use std::time::Duration;

use movegen::Game;
use search::{Limits, Solo, TableError, Verdict};

const HASH_MEGABYTES: usize = 16;

/// What one move may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Strength {
    pub(super) time: Option<Duration>,
    pub(super) nodes: Option<u64>,
}

impl Strength {
    /// What a move costs when nothing is said.
    const USUAL: Duration = Duration::from_secs(1);

    fn limits(self) -> Limits {
        let unlimited = self.time.is_none() && self.nodes.is_none();
        Limits {
            move_time: self.time.or(unlimited.then_some(Strength::USUAL)),
            nodes: self.nodes,
            ..Limits::default()
        }
    }
}

#[derive(Debug)]
pub(super) struct Opponent {
    strength: Strength,
    /// Made for the first move it is asked for.
    searcher: Option<Solo>,
}

impl Opponent {
    pub(super) fn new(strength: Strength) -> Opponent {
        Opponent {
            strength,
            searcher: None,
        }
    }

    /// `None` where there is no legal move.
    pub(super) fn think(&mut self, game: &Game) -> Result<Option<Verdict>, TableError> {
        let searcher = match &mut self.searcher {
            Some(searcher) => searcher,
            None => self.searcher.insert(Solo::new(HASH_MEGABYTES)?),
        };
        Ok(searcher.search(game, &self.strength.limits()))
    }
}
