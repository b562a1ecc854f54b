//! A search that is ready to run, here or in the background.

use std::time::Duration;

use movegen::{Game, Move};
use search::{Limits, Observer, Score, SearchControl, SearchError, SearchOptions, SearchResult};

use crate::book::{BookProblem, PickedMove};
use crate::searcher::{SearcherBuilder, SharedSearcher};
use crate::strength::{Chooser, Level, choice, pause};

/// These limits, or a million nodes, about a second, if there are none.
pub fn limits_or_default(limits: Limits) -> Limits {
    const DEFAULT_NODES: u64 = 1_000_000;
    match limits {
        Limits {
            depth: None,
            nodes: None,
            move_time: None,
            mate: None,
            ..
        } => Limits {
            nodes: Some(DEFAULT_NODES),
            ..limits
        },
        limited => limited,
    }
}

/// A search of an engine.
#[derive(Debug)]
pub struct Job {
    pub(crate) searcher: SharedSearcher,
    pub(crate) builder: SearcherBuilder,
    pub game: Game,
    pub options: SearchOptions,
    /// Chooses the move at limited strength.
    pub chooser: Option<Chooser>,
    pub book_move: Option<PickedMove>,
    pub book_problems: Vec<BookProblem>,
}

impl Job {
    /// Limits the playing strength.
    pub(crate) fn limit(&mut self, level: Level, chooser: Chooser) {
        self.options.multi_pv = self.options.multi_pv.max(level.lines);
        self.options.limits = level.limited(std::mem::take(&mut self.options.limits));
        self.chooser = Some(chooser);
    }

    /// The time after which a player of limited strength moves; zero at full strength.
    pub fn pause(&self) -> Duration {
        let side_to_move = self.game.position().side_to_move();
        let limits = &self.options.limits;
        self.chooser.map_or(Duration::ZERO, |chooser| {
            pause(limits, side_to_move, chooser.pause_part())
        })
    }

    /// Searches on the caller's stack, which should be `search::STACK_BYTES` large.
    pub fn run(
        &self,
        control: &SearchControl,
        observer: &mut dyn Observer,
    ) -> Result<SearchResult, SearchError> {
        let mut slot = self.searcher.lock();
        let limited = self.chooser.is_some();
        let has_changed = slot.limited != limited;
        slot.limited = limited;
        let searcher = slot.get_or_build(&self.builder)?;
        if has_changed {
            searcher.new_game();
        }
        Ok(searcher.search(&self.game, &self.options, control, observer))
    }

    /// The move to play after this search, with the score unless it is one of the book.
    pub fn reply(&self, result: &SearchResult) -> Option<(Move, Option<Score>)> {
        let score = self.book_move.is_none().then_some(result.score);
        choice(self.chooser, result).0.map(|mv| (mv, score))
    }
}
