//! Reports while df-pn and the alpha-beta search take turns: with the nodes of both, and no depth
//! twice.

use crate::observer::{Info, Observer, SearchResult};
use crate::score::{Bound, Score};
use crate::shared::Shared;
use crate::wdl;
use movegen::Move;
use std::time::Duration;

/// Passes on the reports of the search, and reports proven mates.
pub(super) struct Reporter<'a> {
    observer: &'a mut dyn Observer,
    shared: &'a Shared<'a>,
    /// The deepest iteration reported before the current turn, and in all.
    known_depth: u32,
    deepest: u32,
    /// Nodes and tablebase hits of the search before the current turn.
    pub(super) searched: u64,
    tablebase_hits: u64,
    /// Nodes of the proofs before the current turn.
    pub(super) proved: u64,
    /// All nodes but those of the proof that reports.
    pub(super) nodes_elsewhere: u64,
    /// The mate in the last report of the search, in moves.
    pub(super) seen: Option<i32>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(observer: &'a mut dyn Observer, shared: &'a Shared<'a>) -> Self {
        Self {
            observer,
            shared,
            known_depth: 0,
            deepest: 0,
            searched: 0,
            tablebase_hits: 0,
            proved: 0,
            nodes_elsewhere: 0,
            seen: None,
        }
    }

    /// A turn of the search begins.
    pub(super) fn begin(&mut self) {
        self.known_depth = self.deepest;
    }

    pub(super) fn end(&mut self, outcome: &SearchResult) {
        self.searched += outcome.nodes;
        self.tablebase_hits += outcome.lines.first().map_or(0, |info| info.tablebase_hits);
        for info in &outcome.lines {
            self.see(info);
        }
    }

    fn see(&mut self, info: &Info) {
        if info.line == 1 && info.bound == Bound::Exact {
            self.seen = info.score.mate_distance();
        }
    }

    /// Reports a mate for or against the side to move, by the line that ends in it.
    pub(super) fn mate(&mut self, line: &[Move], nodes: u64) -> Info {
        let root = self.shared.game.position();
        let plies = line.len();
        let score = if plies % 2 == 1 {
            Score::mate_in(plies)
        } else {
            Score::mated_in(plies)
        };
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        // Depths do not fall when the search was deeper.
        let depth = plies.max(self.deepest);
        let info = Info {
            depth,
            selective_depth: depth,
            line: 1,
            score,
            centipawns: wdl::centipawns(score, root),
            chances: wdl::chances(score, root),
            bound: Bound::Exact,
            nodes: self.nodes_elsewhere + nodes,
            time: self.shared.elapsed(),
            hash_full: self.shared.tt.hashfull(),
            tablebase_hits: self.tablebase_hits,
            pv: line.to_vec(),
        };
        self.observer.info(&info);
        info
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.shared.elapsed()
    }

    pub(super) fn no_mate(&mut self, moves: u32) {
        self.observer.no_mate(moves);
    }
}

impl Observer for Reporter<'_> {
    fn info(&mut self, info: &Info) {
        self.see(info);
        self.deepest = self.deepest.max(info.depth);
        if info.depth > self.known_depth {
            let mut info = info.clone();
            info.nodes += self.searched + self.proved;
            info.tablebase_hits += self.tablebase_hits;
            self.observer.info(&info);
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.observer.current_move(depth, mv, number);
    }
}
