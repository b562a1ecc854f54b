//! A searcher on its caller's own thread, for self-play and other work by the thousand:
//! nothing to start, nothing to wait for, nobody told.

use crate::clock::Clock;
use crate::deepen;
use crate::limits::Limits;
use crate::nnue::{Network, embedded};
use crate::score::Score;
use crate::shared::Shared;
use crate::signal::Signal;
use crate::tt::{Table, TableError, key};
use crate::worker::{Memory, Worker};
use movegen::{Game, Move, MoveList, Position};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub best: Move,
    /// The best move and what it expects, as far as that is known.
    pub line: Vec<Move>,
    /// For the side to move.
    pub score: Score,
    pub depth: u32,
    pub nodes: u64,
}

/// A table and the histories of one thread.
#[derive(Debug)]
pub struct Solo {
    table: Arc<Table>,
    memory: Memory,
}

impl Solo {
    /// With an empty table of so many megabytes and the network the program carries.
    pub fn new(hash_megabytes: usize) -> Result<Self, TableError> {
        Ok(Self {
            table: Arc::new(Table::new(hash_megabytes)?),
            memory: Memory::new(embedded()),
        })
    }

    /// Values positions by this network from now on. What was learnt before is forgotten, being
    /// of another opinion.
    pub fn set_network(&mut self, network: &Arc<Network>) {
        self.memory.set_network(network);
        self.forget();
    }

    /// Forgets everything learnt: table and histories.
    pub fn forget(&mut self) {
        self.table.clear();
        self.memory.forget();
    }

    /// Searches a game's present position; `None` when there is no legal move. The same
    /// limits after the same searches give the same verdict, unless they name a time.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Option<Verdict> {
        let clock = Clock::new(limits, game.position().side_to_move(), Duration::ZERO);
        let shared = Shared::new(
            Arc::clone(&self.table),
            Arc::new(Signal::new(Instant::now(), false)),
            limits.clone(),
            clock,
            1,
            1,
        );
        self.table.grow_older();
        let mut worker = Worker::new(0, &mut self.memory, &shared, game, None);
        let found = deepen::deepen(&mut worker)?;
        Some(Verdict {
            best: found.best.mv,
            score: found.best.score,
            depth: found.depth.unsigned_abs(),
            nodes: shared.nodes(),
            line: found.best.pv,
        })
    }

    /// Every legal move of a position, in the order a search would try them by what the
    /// searches before have taught.
    pub fn order(&mut self, position: &Position) -> MoveList {
        let hit = self.table.probe(key(position));
        let table_move = hit.and_then(|hit| hit.mv);
        self.memory
            .order(position, table_move.filter(|&mv| position.is_legal(mv)))
    }
}
