//! Looking for the best move: alpha-beta, ordering, evaluation, time, threads.
//!
//! Never prints and never reads: a caller brings a game and limits, and a `Report` that is
//! told what is found.

pub mod bench;
mod clock;
mod deepen;
mod draw;
mod endgame;
mod eval;
mod history;
mod limits;
mod line;
mod lmr;
mod mate;
mod memory;
mod movepick;
mod negamax;
pub mod nnue;
mod node;
pub mod params;
mod pool;
mod pruning;
mod pv;
mod qsearch;
mod report;
mod root;
mod score;
mod shared;
mod signal;
mod solo;
mod stack;
mod tablebase;
pub mod tt;
mod update;
mod vote;
pub mod wdl;
mod window;
mod worker;

pub use eval::{EvalTrace, eval_trace};
pub use limits::{Limits, PlayerClock};
pub use pool::ThreadError;
pub use report::{Best, Info, Report};
pub use score::{Bound, MAX_PLY, Score};
pub use solo::{Solo, Verdict};
pub use tablebase::{
    Count as TablebaseCount, Distance, TablebaseError, TablebaseUse, Tablebases, Wdl,
};
pub use tt::TableError;
pub use wdl::{Chances, centipawns, chances};

use clock::Clock;
use movegen::Game;
use nnue::Network;
use pool::Crew;
use shared::Shared;
use signal::Signal;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tablebase::Access;
use thiserror::Error;
use tt::Table;

/// Why a setting could not be made; the one before it stands.
#[derive(Debug, Error)]
pub enum SearchError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

/// What a search is asked besides its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// How many lines are wanted.
    pub multi_pv: usize,
    pub tablebases: TablebaseUse,
    /// Time lost on the way with every move.
    pub move_overhead: Duration,
    /// The move is not told before so much time has passed, unless somebody says stop.
    pub not_before: Duration,
    /// When the request was read; clocks run from here.
    pub started: Instant,
}

/// The engine behind the talking: owns table, histories and threads.
#[derive(Debug)]
pub struct Search {
    table: Arc<Table>,
    /// What values positions.
    network: Arc<Network>,
    tablebases: Arc<Tablebases>,
    threads: usize,
    /// Hired for the first search, and away while one runs.
    crew: Option<Crew>,
    running: Option<Running>,
}

/// A search under way; its coordinator brings the crew back.
#[derive(Debug)]
struct Running {
    signal: Arc<Signal>,
    coordinator: JoinHandle<Crew>,
}

impl Search {
    /// With a table of so many megabytes and one thread, neither used yet, and the network the
    /// program carries.
    pub fn new(hash_megabytes: usize) -> Result<Self, SearchError> {
        let table = Arc::new(Table::new(hash_megabytes)?);
        Ok(Self {
            table,
            network: Arc::clone(nnue::embedded()),
            tablebases: Arc::default(),
            threads: 1,
            crew: None,
            running: None,
        })
    }

    /// A table of another size, empty. Waits for a running search to end; the caller stops it.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), SearchError> {
        self.wait();
        let kept = self.table.megabytes();
        let table = Table::new(megabytes).map_err(|error| error.keeping(kept))?;
        self.table = Arc::new(table);
        Ok(())
    }

    /// Values positions by this network. What was learnt before is forgotten, being of another
    /// opinion.
    pub fn set_network(&mut self, network: Arc<Network>) -> Result<(), SearchError> {
        self.wait();
        self.network = network;
        if let Some(crew) = &mut self.crew {
            crew.set_network(&self.network);
            self.new_game()?;
        }
        Ok(())
    }

    /// What values positions.
    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Other endgame tables, which several searches may share. Waits for a running search to
    /// end; the caller stops it.
    pub fn set_tablebases(&mut self, tablebases: impl Into<Arc<Tablebases>>) {
        self.wait();
        self.tablebases = tablebases.into();
    }

    /// So many threads, knowing nothing of earlier games.
    pub fn set_threads(&mut self, count: usize) -> Result<(), SearchError> {
        self.wait();
        let count = count.max(1);
        if self.crew.as_ref().is_some_and(|crew| crew.len() != count) {
            self.crew = Some(self.hire(count)?);
        }
        self.threads = count;
        Ok(())
    }

    /// Forgets everything learnt: table and histories. Afterwards threads and memory are
    /// ready, so that no clock pays for them.
    pub fn new_game(&mut self) -> Result<(), SearchError> {
        self.clear_hash()?;
        if let Some(crew) = &mut self.crew {
            crew.forget();
        }
        Ok(())
    }

    /// Empties the table only.
    pub fn clear_hash(&mut self) -> Result<(), SearchError> {
        self.wait();
        let crew = match self.crew.take() {
            Some(crew) => crew,
            None => self.hire(self.threads)?,
        };
        crew.run(|| self.table.clear());
        self.crew = Some(crew);
        Ok(())
    }

    fn hire(&self, count: usize) -> Result<Crew, ThreadError> {
        Crew::hire(count, &self.network)
    }

    /// Starts searching a game's present position and returns at once.
    pub fn go(
        &mut self,
        game: &Game,
        limits: Limits,
        manner: Manner,
        mut report: Box<dyn Report>,
    ) -> Result<(), SearchError> {
        self.wait();
        let crew = match self.crew.take() {
            Some(crew) => crew,
            None => self.hire(self.threads)?,
        };
        let signal = Arc::new(Signal::new(manner.started, limits.ponder));
        let clock = Clock::new(
            &limits,
            game.position().side_to_move(),
            manner.move_overhead,
        );
        let infinite = limits.infinite;
        let shared = Shared::new(
            Arc::clone(&self.table),
            Arc::clone(&signal),
            limits,
            clock,
            manner.multi_pv.max(1),
            crew.len(),
        );
        self.table.grow_older();
        let tables = Access::new(&self.tablebases, manner.tablebases);
        let game = game.clone();
        let coordinator = std::thread::spawn(move || {
            let shared = shared.with_tables(tables, &game);
            let best = match shared.limits.mate {
                Some(moves) => mate::search(&crew, &game, &shared, moves, &mut *report),
                None => crew.search(&game, &shared, &mut *report),
            };
            shared.signal.wait_to_answer(infinite, manner.not_before);
            report.best(best);
            crew
        });
        self.running = Some(Running {
            signal,
            coordinator,
        });
        Ok(())
    }

    /// Ends the running search, if there is one; its best move is still reported.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.signal.stop();
        }
    }

    /// The opponent played the move pondered on.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.signal.ponder_hit();
        }
    }

    /// A search is running (it may just be about to report).
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| !running.coordinator.is_finished())
    }

    /// Waits for the running search to have reported its best move.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            self.crew = running.coordinator.join().ok();
        }
    }
}
