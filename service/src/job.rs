//! A search that is ready to run, here or in the background.

use std::time::Duration;

use game::play::Reply;
use movegen::{Game, Move};
use search::{Info, Observer, SearchControl, SearchError, SearchOptions, SearchResult};

use crate::book::{BookProblem, PickedMove};
use crate::searcher::{SearcherBuilder, SharedSearcher};
use crate::strength::{Chooser, Level, pause};

/// One search of an engine.
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

/// What a search has found.
#[derive(Debug)]
pub struct Answer {
    pub result: SearchResult,
    pub chooser: Option<Chooser>,
    /// The move is one of the book.
    pub is_book: bool,
}

impl Job {
    /// Limits the playing strength.
    pub(crate) fn limit(&mut self, level: Level, chooser: Chooser) {
        self.options.multi_pv = self.options.multi_pv.max(level.lines);
        self.options.limits = level.limited(std::mem::take(&mut self.options.limits));
        self.chooser = Some(chooser);
    }

    /// The time after which a player of limited strength moves; zero at full strength.
    #[must_use]
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
    ) -> Result<Answer, SearchError> {
        let mut slot = self.searcher.lock();
        let limited = self.chooser.is_some();
        let has_changed = slot.limited != limited;
        slot.limited = limited;
        let searcher = slot.get_or_build(&self.builder)?;
        if has_changed {
            searcher.new_game();
        }
        Ok(Answer {
            result: searcher.search(&self.game, &self.options, control, observer),
            chooser: self.chooser,
            is_book: self.book_move.is_some(),
        })
    }
}

impl Answer {
    /// The line to play: the best one, or another at limited strength.
    #[must_use]
    pub fn line(&self) -> Option<&Info> {
        match &self.chooser {
            Some(chooser) => chooser.choose(&self.result),
            None => self.result.lines.first(),
        }
    }

    /// The move to play, with the score unless it is one of the book.
    #[must_use]
    pub fn reply(&self) -> Option<Reply> {
        let score = (!self.is_book).then_some(self.result.score);
        self.moves().0.map(|mv| Reply { mv, score })
    }

    /// The move to play, and the reply to ponder on.
    #[must_use]
    pub fn moves(&self) -> (Option<Move>, Option<Move>) {
        match self.chooser.and_then(|_| self.line()) {
            Some(line) => (line.pv.first().copied(), line.pv.get(1).copied()),
            None => (self.result.best_move, self.result.ponder),
        }
    }
}
