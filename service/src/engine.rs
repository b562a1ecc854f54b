//! The engine: the values of its options, what they have loaded, and its searches.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Instant;

use formats::polyglot::{BookMove, BookMoves};
use movegen::{Game, Square};
use search::nnue::Network;
use search::{Limits, SearchError, SearchOptions, Searcher, TablebaseError, Tablebases};
use thiserror::Error;

use crate::book::{BookFileError, BookProblem, OpeningBook, PickedMove};
use crate::job::Job;
use crate::memory::{self, MemoryError};
use crate::network::{self, EvalFileError};
use crate::options::{Assignment, Config, Effect, OptionError, OptionTable};
use crate::searcher::{SearcherBuilder, SharedSearcher};
use crate::seed::GameSeed;
use crate::strength::{Chooser, Level};

/// Reason why an option cannot be set; the old value stays.
#[derive(Debug, Error)]
pub enum EngineError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[error(transparent)]
    Book(#[from] BookFileError),
}

/// Options, and the searcher that they set up.
#[derive(Debug)]
pub struct Engine {
    /// With the defaults.
    table: Arc<OptionTable>,
    /// With the values that are set.
    current: OptionTable,
    config: Config,
    network: Arc<Network>,
    tablebases: Arc<Tablebases>,
    book: OpeningBook,
    /// For the choices at limited strength.
    strength_seed: GameSeed,
    searcher: SharedSearcher,
}

impl Engine {
    /// All options at their defaults.
    pub fn new(table: OptionTable) -> Self {
        Self {
            config: table.default_config(),
            current: table.clone(),
            table: Arc::new(table),
            network: Arc::clone(search::nnue::embedded()),
            tablebases: Arc::default(),
            book: OpeningBook::default(),
            strength_seed: GameSeed::default(),
            searcher: SharedSearcher::default(),
        }
    }

    /// An engine with the same options and files, and a hash table of its own.
    pub fn another(&self) -> Self {
        Self {
            table: Arc::clone(&self.table),
            current: self.current.clone(),
            config: self.config.clone(),
            network: Arc::clone(&self.network),
            tablebases: Arc::clone(&self.tablebases),
            book: self.book.clone(),
            strength_seed: GameSeed::new(self.config.strength_seed),
            searcher: SharedSearcher::default(),
        }
    }

    pub fn table(&self) -> &OptionTable {
        &self.table
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// All options with their values.
    pub fn options(&self) -> &[Assignment] {
        &self.current.rows
    }

    /// The options of analysis that do not have their defaults, as `NAME=VALUE`.
    pub fn changed_options(&self) -> impl Iterator<Item = String> + '_ {
        let rows = self.current.rows.iter().zip(&self.table.rows);
        let rows = rows.map(|(row, default)| (row, row.text(), default.text()));
        rows.filter(|(row, text, default)| row.analysis && text != default)
            .map(|(row, text, _)| format!("{}={text}", row.name))
    }

    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    pub fn tablebases(&self) -> &Arc<Tablebases> {
        &self.tablebases
    }

    /// Checks a value for an option, whose name may be in any case.
    pub fn parse(&self, name: &str, value: &str) -> Result<Assignment, OptionError> {
        self.table.parse(name, value)
    }

    /// Sets an option, whose name may be in any case. Returns the tablebase files that cannot be
    /// used.
    pub fn set(
        &mut self,
        name: &str,
        value: impl Display,
    ) -> Result<Vec<TablebaseError>, EngineError> {
        let assignment = self.table.parse(name, &value.to_string())?;
        self.apply(&assignment)
    }

    /// Sets an option; waits for a running search if the option needs that
    /// ([`Effect::needs_idle_search`]). Returns the tablebase files that cannot be used.
    pub fn apply(&mut self, assignment: &Assignment) -> Result<Vec<TablebaseError>, EngineError> {
        let mut config = self.config.clone();
        assignment.apply(&mut config);
        let mut skipped = Vec::new();
        match assignment.effect {
            Effect::Nothing | Effect::OpenDebugLog => {}
            #[cfg(feature = "tune")]
            Effect::Tune => {}
            Effect::ResizeHash => {
                let searcher = &mut self.searcher.lock().searcher;
                let held = searcher.as_ref().map_or(0, Searcher::hash_megabytes);
                memory::check_hash(config.hash, held)?;
                if let Some(searcher) = searcher {
                    searcher.set_hash(config.hash)?;
                }
            }
            Effect::ClearHash => {
                if let Some(searcher) = &mut self.searcher.lock().searcher {
                    searcher.clear_hash();
                }
            }
            Effect::StartThreads => {
                if let Some(searcher) = &mut self.searcher.lock().searcher {
                    searcher.set_threads(config.threads)?;
                }
            }
            Effect::LoadNetwork => {
                self.network = network::load(config.eval_file.as_deref())?;
                if let Some(searcher) = &mut self.searcher.lock().searcher {
                    searcher.set_network(Arc::clone(&self.network));
                }
            }
            Effect::LoadTablebases => {
                let (tablebases, errors) = Tablebases::find(&config.syzygy_path);
                skipped = errors;
                self.tablebases = Arc::new(tablebases);
                if let Some(searcher) = &mut self.searcher.lock().searcher {
                    searcher.set_tablebases(Arc::clone(&self.tablebases));
                }
            }
            Effect::OpenBook => self.book.open(config.book_file.as_deref())?,
            Effect::SeedBook => self.book.seed = GameSeed::new(config.book_seed),
            Effect::SeedStrength => self.strength_seed = GameSeed::new(config.strength_seed),
        }
        self.config = config;
        let mut rows = self.current.rows.iter_mut();
        if let Some(row) = rows.find(|row| row.name == assignment.name) {
            row.clone_from(assignment);
        }
        Ok(skipped)
    }

    /// Forgets what was learned in the last game; waits for a running search.
    pub fn new_game(&mut self) {
        self.book.seed.next_game();
        self.strength_seed.next_game();
        if let Some(searcher) = &mut self.searcher.lock().searcher {
            searcher.new_game();
        }
    }

    /// Creates the searcher now instead of for the first search.
    pub fn prepare(&self) -> Result<(), SearchError> {
        self.searcher.lock().get_or_build(&self.builder())?;
        Ok(())
    }

    /// Parts for searchers beside the engine's own.
    pub fn builder(&self) -> SearcherBuilder {
        SearcherBuilder {
            hash: self.config.hash,
            threads: self.config.threads,
            network: Arc::clone(&self.network),
            tablebases: Arc::clone(&self.tablebases),
        }
    }

    /// Options of a search within these limits, which count from now.
    pub fn search_options(&self, limits: Limits) -> SearchOptions {
        SearchOptions {
            limits,
            started: Instant::now(),
            ..self.config.search.clone()
        }
    }

    /// The moves of the book; `None` without one, or if it cannot be read.
    pub fn book_moves(&self, game: &Game) -> Option<BookMoves> {
        let (found, _) = self.book.find(game, None)?.ok()?;
        Some(found)
    }

    /// A search at full strength.
    pub fn analysis(&self, game: Game, limits: Limits) -> Job {
        Job {
            searcher: self.searcher.clone(),
            builder: self.builder(),
            game,
            options: self.search_options(limits),
            chooser: None,
            book_move: None,
            book_problems: Vec::new(),
        }
    }

    /// A search for the move to play: in the book and at the strength that the options say.
    /// Infinite searches, mate searches and searches with `UCI_AnalyseMode` count as analysis.
    ///
    /// The en passant square is that in the FEN of the game's first position, which the keys of
    /// books need also where no capture is legal.
    pub fn reply(&mut self, game: Game, limits: Limits, initial_en_passant: Option<Square>) -> Job {
        if self.config.analyse_mode || limits.infinite || limits.mate.is_some() {
            return self.analysis(game, limits);
        }
        let mut book_problems = Vec::new();
        let book_move = self.pick(&game, &limits, initial_en_passant, &mut book_problems);
        let limits = match &book_move {
            // Searched to depth 1, so that the answer has a score and waits for a ponder hit.
            Some(picked) => Limits {
                depth: Some(1),
                ponder: limits.ponder,
                search_moves: vec![picked.known.mv],
                ..Limits::default()
            },
            None => limits,
        };
        let mut job = Job {
            book_move,
            book_problems,
            ..self.analysis(game, limits)
        };
        let level = if self.config.limit_strength {
            Some(Level::of_elo(self.config.elo))
        } else {
            Level::of_skill(self.config.skill_level)
        };
        if let Some(level) = level {
            let seed = self.strength_seed.take();
            job.limit(level, Chooser::new(level, seed, job.game.position()));
        }
        job
    }

    fn pick(
        &mut self,
        game: &Game,
        limits: &Limits,
        initial_en_passant: Option<Square>,
        problems: &mut Vec<BookProblem>,
    ) -> Option<PickedMove> {
        let config = &self.config;
        let number = game.position().fullmove_number();
        if !config.own_book || u32::from(number) > config.book_depth {
            return None;
        }
        let moves = &limits.search_moves;
        let allowed = |known: &BookMove| moves.is_empty() || moves.contains(&known.mv);
        let best = config.book_best;
        self.book
            .pick(game, initial_en_passant, best, allowed, problems)
    }
}
