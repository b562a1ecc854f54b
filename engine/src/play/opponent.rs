//! The engine as an opponent: its limits, its evaluation, and the move it plays at limited
//! strength.

use std::time::Duration;

use movegen::{Game, Move};
use search::{Limits, Outcome, SearchError, SearchOptions, Searcher, Stop};

use crate::seed::GameSeed;
use crate::strength::{Chooser, Level};

const HASH_MEGABYTES: usize = 16;

/// How strongly the engine plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Strength {
    /// Limits of one move.
    pub(super) time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    /// Limited playing strength.
    pub(super) level: Option<Level>,
    /// Random seed of limited strength; 0 for any.
    pub(super) seed: u32,
}

impl Strength {
    /// Without other limits.
    const DEFAULT_TIME: Duration = Duration::from_secs(1);

    fn limits(&self) -> Limits {
        let unlimited = self.time.is_none() && self.nodes.is_none();
        Limits {
            move_time: self.time.or(unlimited.then_some(Strength::DEFAULT_TIME)),
            nodes: self.nodes,
            ..Limits::default()
        }
    }
}

#[derive(Debug)]
pub(super) struct Opponent {
    strength: Strength,
    seed: u32,
    /// Created for the first search.
    searcher: Option<Searcher>,
    /// For limited strength: shares no table with hint and eval.
    weak_searcher: Option<Searcher>,
}

impl Opponent {
    pub(super) fn new(strength: Strength) -> Opponent {
        Opponent {
            strength,
            seed: GameSeed::new(strength.seed).get(),
            searcher: None,
            weak_searcher: None,
        }
    }

    /// Searches at full strength.
    pub(super) fn think(&mut self, game: &Game) -> Result<Outcome, SearchError> {
        let options = SearchOptions::new(self.strength.limits());
        let searcher = get_or_create(&mut self.searcher)?;
        Ok(searcher.search(game, &options, &Stop::new(), &mut ()))
    }

    /// The move to play; `None` without a legal move.
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
        let searcher = get_or_create(&mut self.weak_searcher)?;
        let outcome = searcher.search(game, &options, &Stop::new(), &mut ());
        let chooser = Chooser {
            spread: level.spread,
            seed: self.seed.into(),
            // A repeated position may get another reply.
            key: game.position().key() ^ game.moves().len() as u64,
        };
        let chosen = chooser.choose(&outcome).and_then(|info| info.pv.first());
        Ok(chosen.copied().or(outcome.best_move))
    }
}

fn get_or_create(searcher: &mut Option<Searcher>) -> Result<&mut Searcher, SearchError> {
    match searcher {
        Some(searcher) => Ok(searcher),
        None => Ok(searcher.insert(Searcher::new(HASH_MEGABYTES)?)),
    }
}
