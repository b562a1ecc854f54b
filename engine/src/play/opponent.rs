//! Who answers: what the engine thinks, and the move it plays, which need not be the best one when
//! it plays like somebody weaker.

use std::time::Duration;

use movegen::{Game, Move};
use search::{Limits, Outcome, SearchError, SearchOptions, Searcher, Stop};

use crate::seed::GameSeed;
use crate::strength::{Chooser, Level};

const HASH_MEGABYTES: usize = 16;

/// How strongly the engine plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Strength {
    /// What one move may cost.
    pub(super) time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    /// Of a weaker player in its place.
    pub(super) level: Option<Level>,
    /// Which of such a player's games this is; 0 for any.
    pub(super) seed: u32,
}

impl Strength {
    /// What a move costs when nothing is said.
    const USUAL: Duration = Duration::from_secs(1);

    fn limits(&self) -> Limits {
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
    seed: u32,
    /// Made for the first thought.
    searcher: Option<Searcher>,
    /// The weaker player's, who knows nothing of what the other has found out.
    held_back: Option<Searcher>,
}

impl Opponent {
    pub(super) fn new(strength: Strength) -> Opponent {
        Opponent {
            strength,
            seed: GameSeed::new(strength.seed).get(),
            searcher: None,
            held_back: None,
        }
    }

    /// As well as time and nodes allow.
    pub(super) fn think(&mut self, game: &Game) -> Result<Outcome, SearchError> {
        let options = SearchOptions::new(self.strength.limits());
        let searcher = made(&mut self.searcher)?;
        Ok(searcher.search(game, &options, &Stop::new(), &mut ()))
    }

    /// The move that is played; `None` where there is no legal move.
    pub(super) fn choose(&mut self, game: &Game) -> Result<Option<Move>, SearchError> {
        match self.strength.level {
            None => Ok(self.think(game)?.best_move),
            Some(level) => self.choose_at(level, game),
        }
    }

    fn choose_at(&mut self, level: Level, game: &Game) -> Result<Option<Move>, SearchError> {
        let options = SearchOptions {
            multi_pv: level.lines,
            ..SearchOptions::new(level.limited(self.strength.limits()))
        };
        let searcher = made(&mut self.held_back)?;
        let outcome = searcher.search(game, &options, &Stop::new(), &mut ());
        let chooser = Chooser {
            spread: level.spread,
            seed: self.seed.into(),
            // A position that comes again is not always answered in the same way.
            key: game.position().key() ^ game.moves().len() as u64,
        };
        let chosen = chooser.choose(&outcome).and_then(|info| info.pv.first());
        Ok(chosen.copied().or(outcome.best_move))
    }
}

fn made(searcher: &mut Option<Searcher>) -> Result<&mut Searcher, SearchError> {
    match searcher {
        Some(searcher) => Ok(searcher),
        None => Ok(searcher.insert(Searcher::new(HASH_MEGABYTES)?)),
    }
}
