//! Who answers: what the engine thinks, and the move it plays, which need not be the best one when
//! it plays like somebody weaker.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use movegen::{Game, Move};
use search::{Limits, Search, SearchError, Solo, TableError, Verdict};
use thiserror::Error;

use crate::ask::{AskError, Question, ask};
use crate::chance::Seed;
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

/// Why there is no move.
#[derive(Debug, Error)]
pub(super) enum ThinkError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Ask(#[from] AskError),
}

#[derive(Debug)]
pub(super) struct Opponent {
    strength: Strength,
    seed: u32,
    /// Made for the first thought.
    searcher: Option<Solo>,
    /// The weaker player's, who knows nothing of what the other has found out.
    held_back: Option<Search>,
}

impl Opponent {
    pub(super) fn new(strength: Strength) -> Opponent {
        Opponent {
            strength,
            seed: Seed::new(strength.seed).present(),
            searcher: None,
            held_back: None,
        }
    }

    /// As well as time and nodes allow; `None` where there is no legal move.
    pub(super) fn think(&mut self, game: &Game) -> Result<Option<Verdict>, TableError> {
        let searcher = match &mut self.searcher {
            Some(searcher) => searcher,
            None => self.searcher.insert(Solo::new(HASH_MEGABYTES)?),
        };
        Ok(searcher.search(game, &self.strength.limits()))
    }

    /// The move that is played.
    pub(super) fn choose(&mut self, game: &Game) -> Result<Option<Move>, ThinkError> {
        match self.strength.level {
            None => Ok(self.think(game)?.map(|verdict| verdict.best)),
            Some(level) => self.choose_at(level, game),
        }
    }

    fn choose_at(&mut self, level: Level, game: &Game) -> Result<Option<Move>, ThinkError> {
        let search = match &mut self.held_back {
            Some(search) => search,
            None => self.held_back.insert(Search::new(HASH_MEGABYTES)?),
        };
        let never = AtomicBool::new(false);
        let limits = level.limited(self.strength.limits());
        let question = Question {
            multi_pv: level.moves,
            ..Question::new(limits)
        };
        let answer = ask(search, game, &question, &never)?;
        let lines = answer.lines();
        let values: Vec<i32> = lines.iter().map(|info| info.centipawns).collect();
        let chooser = Chooser {
            spread: level.spread,
            seed: self.seed.into(),
            // A position that comes again is not always answered in the same way.
            key: game.position().key() ^ game.moves().len() as u64,
        };
        let chosen = lines
            .get(chooser.pick(&values))
            .and_then(|info| info.pv.first());
        Ok(chosen.copied().or(answer.best.best))
    }
}
