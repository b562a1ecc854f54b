//! The engine as an opponent: its limits, its book, its evaluation, and the move it plays at limited
//! strength.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use movegen::{Game, Move};
use search::{
    Limits, Observer, PlayerClock, SearchControl, SearchError, SearchOptions, SearchResult,
    Searcher, Tablebases,
};

use crate::seed::GameSeed;
use crate::strength::{Chooser, Level};
use game::play::Reply;
use game::polyglot::{Book, BookError, Choice, key, passed_square};

/// How strongly the engine plays.
#[derive(Debug, Clone, PartialEq)]
pub struct Strength {
    /// Limits of one move.
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// Limited playing strength.
    pub level: Option<Level>,
    /// Random seed of limited strength and the book; 0 for any.
    pub seed: u32,
    pub threads: usize,
    /// Size of the hash table in MB.
    pub hash: usize,
}

impl Strength {
    /// Without other limits.
    const DEFAULT_TIME: Duration = Duration::from_secs(1);

    fn limits(&self, clocks: Option<[PlayerClock; 2]>) -> Limits {
        let limited = self.nodes.is_some() || self.depth.is_some() || clocks.is_some();
        Limits {
            move_time: self.time.or((!limited).then_some(Strength::DEFAULT_TIME)),
            nodes: self.nodes,
            depth: self.depth,
            clocks: clocks.unwrap_or_default(),
            ..Limits::default()
        }
    }
}

/// The engine with its strength, its book and its hash tables.
#[derive(Debug)]
pub struct Opponent {
    strength: Strength,
    seed: u32,
    book: Option<Book<File>>,
    tablebases: Arc<Tablebases>,
    /// Created for the first search.
    searcher: Option<Searcher>,
    /// For limited strength: shares no table with hint and eval.
    weak_searcher: Option<Searcher>,
}

/// Time lost with every move outside of the search.
const MOVE_OVERHEAD: Duration = Duration::from_millis(10);

impl Opponent {
    pub fn new(strength: Strength) -> Opponent {
        Opponent {
            seed: GameSeed::new(strength.seed).get(),
            strength,
            book: None,
            tablebases: Arc::default(),
            searcher: None,
            weak_searcher: None,
        }
    }

    /// Plays the moves of a Polyglot book.
    pub fn open_book(&mut self, path: &Path) -> Result<(), BookError> {
        self.book = Some(Book::open(path)?);
        Ok(())
    }

    /// Before the first search.
    pub fn set_tablebases(&mut self, tablebases: Arc<Tablebases>) {
        self.tablebases = tablebases;
    }

    /// The time for one move, if limited.
    pub fn time(&self) -> Option<Duration> {
        self.strength.limits(None).move_time
    }

    /// Searches at full strength, without a clock.
    pub fn think(
        &mut self,
        game: &Game,
        stop: &SearchControl,
        observer: &mut dyn Observer,
    ) -> Result<SearchResult, SearchError> {
        let limits = self.strength.limits(None);
        self.search(game, limits, stop, observer)
    }

    /// A searcher with one thread, and a hash table and tablebases like this one's.
    pub fn new_searcher(&self) -> Result<Searcher, SearchError> {
        let mut searcher = Searcher::new(self.strength.hash)?;
        searcher.set_tablebases(Arc::clone(&self.tablebases));
        Ok(searcher)
    }

    /// Searches this many nodes at full strength.
    pub fn evaluate(
        &mut self,
        game: &Game,
        nodes: u64,
        stop: &SearchControl,
    ) -> Result<SearchResult, SearchError> {
        self.search(game, Limits::nodes(nodes), stop, &mut ())
    }

    fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &SearchControl,
        observer: &mut dyn Observer,
    ) -> Result<SearchResult, SearchError> {
        let options = SearchOptions {
            move_overhead: MOVE_OVERHEAD,
            ..SearchOptions::new(limits)
        };
        let searcher = get_or_create(&mut self.searcher, &self.strength, &self.tablebases)?;
        Ok(searcher.search(game, &options, stop, observer))
    }

    /// The move to play; `None` without a legal move.
    pub fn choose(
        &mut self,
        game: &Game,
        clocks: Option<[PlayerClock; 2]>,
        stop: &SearchControl,
        observer: &mut dyn Observer,
    ) -> Result<Option<Reply>, SearchError> {
        if let Some(mv) = self.book_move(game) {
            return Ok(Some(Reply { mv, score: None }));
        }
        let limits = self.strength.limits(clocks);
        let (outcome, mv) = match self.strength.level {
            None => {
                let outcome = self.search(game, limits, stop, observer)?;
                let mv = outcome.best_move;
                (outcome, mv)
            }
            Some(level) => self.choose_at(level, game, limits, stop, observer)?,
        };
        let score = Some(outcome.score);
        Ok(mv.map(|mv| Reply { mv, score }))
    }

    fn choose_at(
        &mut self,
        level: Level,
        game: &Game,
        limits: Limits,
        stop: &SearchControl,
        observer: &mut dyn Observer,
    ) -> Result<(SearchResult, Option<Move>), SearchError> {
        let options = SearchOptions {
            multi_pv: level.lines,
            move_overhead: MOVE_OVERHEAD,
            ..SearchOptions::new(level.limited(limits))
        };
        let searcher = get_or_create(&mut self.weak_searcher, &self.strength, &self.tablebases)?;
        let outcome = searcher.search(game, &options, stop, observer);
        let chooser = Chooser {
            spread: level.spread,
            seed: self.seed.into(),
            // A repeated position may get another reply.
            key: game.position().key() ^ game.moves().len() as u64,
        };
        let chosen = chooser.choose(&outcome).and_then(|info| info.pv.first());
        let mv = chosen.copied().or(outcome.best_move);
        Ok((outcome, mv))
    }

    /// A move of the book. A book that can no longer be read is not used again.
    fn book_move(&mut self, game: &Game) -> Option<Move> {
        let position = game.position();
        let key = key(position, passed_square(game, None));
        let found = match self.book.as_mut()?.find(position, key) {
            Ok(found) => found,
            Err(_) => {
                self.book = None;
                return None;
            }
        };
        let choice = Choice::Weighted {
            seed: self.seed.into(),
        };
        choice.pick(&found, key).map(|picked| picked.mv)
    }
}

fn get_or_create<'a>(
    searcher: &'a mut Option<Searcher>,
    strength: &Strength,
    tablebases: &Arc<Tablebases>,
) -> Result<&'a mut Searcher, SearchError> {
    match searcher {
        Some(searcher) => Ok(searcher),
        None => {
            let mut new = Searcher::new(strength.hash)?;
            new.set_threads(strength.threads)?;
            new.set_tablebases(Arc::clone(tablebases));
            Ok(searcher.insert(new))
        }
    }
}
