//! The state of one search thread: what it keeps from search to search, and a search's own.

use crate::draw::KeyStack;
use crate::eval::{LineEvaluator, StaticEval};
use crate::history::Histories;
use crate::history::continuation::PieceTo;
use crate::history::keys::PieceKeys;
use crate::memory::Large;
use crate::movepick::{MovePicker, MoveStack};
use crate::nnue::Network;
use crate::observer::Observer;
use crate::pv::PvTable;
use crate::root::RootMoves;
use crate::score::{Bound, MAX_PLY, Score};
use crate::shared::Shared;
use crate::stack::{Stack, StackEntry};
use crate::syzygy::TbProber;
use crate::tt::{TtEntry, key};
use crate::window::Window;
use movegen::{Move, MoveList, Position, engine};
use std::mem;
use std::sync::Arc;

/// The state that a thread keeps from search to search.
#[derive(Debug)]
pub(crate) struct ThreadState {
    histories: Large<Histories>,
    /// The system has provided the memory of the histories.
    touched: bool,
    evaluator: LineEvaluator,
    stack: Stack,
    pv: PvTable,
    moves: MoveStack,
    key_stack: KeyStack,
}

impl ThreadState {
    pub(crate) fn new(network: &Arc<Network>) -> Self {
        Self {
            histories: Large::zeroed(),
            touched: false,
            evaluator: LineEvaluator::new(network),
            stack: Stack::new(),
            pv: PvTable::new(),
            moves: MoveStack::default(),
            key_stack: KeyStack::default(),
        }
    }

    /// Clears the histories. Afterwards the system has provided their memory.
    pub(crate) fn clear(&mut self) {
        if mem::replace(&mut self.touched, true) {
            self.histories.clear_written();
        } else {
            self.histories.clear();
        }
    }

    /// Every legal move of a position in the order a node would try them, without a killer or
    /// the moves that led to it.
    pub(crate) fn order(&mut self, position: &Position, tt_move: Option<Move>) -> MoveList {
        self.stack
            .at_mut(0)
            .enter(PieceKeys::of(position), position);
        let context = self.stack.move_context(0, position, None);
        self.moves.clear();
        let mut ordered = MoveList::new();
        let mut picker = MovePicker::all(tt_move, &context, &self.moves);
        while let Some(mv) = picker.next(position, &self.histories, &mut self.moves) {
            ordered.push(mv);
        }
        ordered
    }

    pub(crate) fn set_network(&mut self, network: &Arc<Network>) {
        self.evaluator = LineEvaluator::new(network);
    }
}

/// A thread in a search.
pub(crate) struct Worker<'a> {
    pub(crate) index: usize,
    pub(crate) shared: &'a Shared<'a>,
    /// Only the leader, worker 0, has one.
    pub(crate) observer: Option<&'a mut dyn Observer>,
    pub(crate) root: Position,
    pub(crate) root_moves: RootMoves,
    pub(crate) histories: &'a mut Histories,
    evaluator: &'a mut LineEvaluator,
    pub(crate) stack: &'a mut Stack,
    pub(crate) pv: &'a mut PvTable,
    /// The moves of all nodes of the current line, one node after another.
    pub(crate) moves: &'a mut MoveStack,
    pub(crate) key_stack: &'a mut KeyStack,
    pub(crate) nodes: u64,
    /// Tablebases, where the tree is to probe them.
    pub(crate) tablebases: Option<TbProber<'a>>,
    pub(crate) tablebase_hits: u64,
    pub(crate) selective_depth: usize,
    /// The current iteration.
    pub(crate) depth: i32,
    /// The last completed iteration.
    pub(crate) finished_depth: i32,
    /// While a null move is verified, no null move is tried before this ply.
    pub(crate) null_move_min_ply: usize,
}

const NODES_BETWEEN_CHECKS: u64 = 512;

impl<'a> Worker<'a> {
    pub(crate) fn new(
        index: usize,
        state: &'a mut ThreadState,
        shared: &'a Shared<'a>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Self {
        let ThreadState {
            histories,
            touched: _,
            evaluator,
            stack,
            pv,
            moves,
            key_stack,
        } = state;
        let game = shared.game;
        moves.clear();
        key_stack.set_game(game);
        evaluator.reset(game.position());
        for ply in 0..MAX_PLY {
            *stack.at_mut(ply) = StackEntry::default();
        }
        stack
            .at_mut(0)
            .enter(PieceKeys::of(game.position()), game.position());
        Self {
            index,
            shared,
            observer,
            root: *game.position(),
            root_moves: RootMoves::new(
                game.position(),
                &shared.options.limits,
                shared.ranking.as_ref(),
                shared.is_drawn.then_some(Score::DRAW),
            ),
            histories,
            evaluator,
            stack,
            pv,
            moves,
            key_stack,
            nodes: 0,
            tablebases: shared.tablebases_in_tree(),
            tablebase_hits: 0,
            selective_depth: 0,
            depth: 0,
            finished_depth: 0,
            null_move_min_ply: 0,
        }
    }

    /// Counts a node, empties its PV and checks the limits.
    #[inline]
    pub(crate) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.pv.clear(ply);
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) || self.near_node_limit() {
            self.check_limits();
        }
        // The first iteration is always completed, so that there is a move to play.
        if self.shared.halted() && self.finished_depth > 0 {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    fn near_node_limit(&self) -> bool {
        self.shared
            .node_limit
            .is_some_and(|limit| self.nodes >= limit)
    }

    /// Makes this worker's counters visible to the others.
    pub(crate) fn publish(&self) {
        self.shared
            .publish(self.index, self.nodes, self.tablebase_hits);
    }

    /// Publishes the counters; the leader halts the search when a limit is reached.
    #[cold]
    fn check_limits(&mut self) {
        let shared = self.shared;
        self.publish();
        if self.index != 0 {
            return;
        }
        let out_of_nodes = shared
            .node_limit
            .is_some_and(|limit| shared.nodes() >= limit);
        if out_of_nodes || shared.control.is_stopped() || shared.out_of_time() {
            shared.halt();
        }
    }

    /// Records on the stacks a move that leads from `position` to `child`.
    #[inline]
    pub(crate) fn record_move(
        &mut self,
        position: &Position,
        child: &Position,
        mv: Move,
        ply: usize,
    ) {
        self.shared.tt.prefetch(key(child));
        let entry = self.stack.at_mut(ply);
        entry.mv = Some(mv);
        entry.piece_to = Some(PieceTo::of(position, mv));
        let keys = entry.keys.after(position, mv, child);
        self.stack.at_mut(ply + 1).enter(keys, child);
        self.evaluator.make_move(position, mv, ply);
        self.key_stack.push(child);
    }

    /// Starts loading the TT buckets of the children that are probably searched first: after the
    /// TT move, and after a null move if `null_move`. It takes about as long as the evaluation.
    #[inline]
    pub(crate) fn prefetch_children(
        &self,
        position: &Position,
        tt_entry: Option<TtEntry>,
        null_move: bool,
    ) {
        if let Some(mv) = tt_entry.and_then(|entry| entry.mv) {
            self.shared.tt.prefetch(engine::key_after(position, mv));
        }
        if null_move {
            self.shared.tt.prefetch(engine::key_after_null(position));
        }
    }

    #[inline]
    pub(crate) fn undo_move(&mut self) {
        self.key_stack.pop();
    }

    /// Makes a null move that leads to `passed`. Returns what `undo_null` takes.
    pub(crate) fn make_null(&mut self, passed: &Position, ply: usize) -> usize {
        self.shared.tt.prefetch(key(passed));
        let entry = self.stack.at_mut(ply);
        entry.mv = None;
        entry.piece_to = None;
        let keys = entry.keys;
        self.stack.at_mut(ply + 1).enter(keys, passed);
        self.evaluator.make_null(ply);
        self.key_stack.push_null(passed)
    }

    pub(crate) fn undo_null(&mut self, key_start: usize) {
        self.key_stack.pop_null(key_start);
    }

    /// The static evaluation of a position; none in check.
    #[inline]
    pub(crate) fn static_eval(
        &mut self,
        position: &Position,
        ply: usize,
        tt_entry: Option<TtEntry>,
    ) -> Option<StaticEval> {
        if self.stack.at(ply).in_check {
            return None;
        }
        // Before the evaluation, which takes about as long as these loads.
        let (side, keys) = (position.side_to_move(), self.stack.at(ply).keys);
        let last_moves = self.stack.last_moves(ply);
        let correction = self.histories.correction.get(side, keys, last_moves);
        // Searches of the same node, as for razoring and singular extensions, share it.
        let known = self.stack.at(ply).raw_eval;
        let raw = known
            .or_else(|| tt_entry.and_then(|entry| entry.eval))
            .unwrap_or_else(|| self.evaluator.evaluate(position, ply));
        self.stack.at_mut(ply).raw_eval = Some(raw);
        Some(StaticEval::new(position, raw, correction))
    }
}

/// The search was stopped, and every node above it stops too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// Bookkeeping at the root.
impl Worker<'_> {
    /// Records the result of a root move. Only the first one and those that beat alpha have a
    /// score; the others are known to be no better.
    pub(crate) fn record_root_move(
        &mut self,
        mv: Move,
        score: Score,
        window: Window,
        number: i32,
        nodes_before: u64,
    ) {
        let Some(root) = self.root_moves.find(mv) else {
            return;
        };
        root.nodes += self.nodes - nodes_before;
        if number > 1 && score <= window.alpha {
            root.score = Score::MINUS_INFINITE;
            return;
        }
        root.bound = if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.score = score.max(window.alpha).min(window.beta);
        root.selective_depth = self.selective_depth;
        root.pv.clear();
        root.pv.push(mv);
        root.pv.extend_from_slice(self.pv.line(1));
    }
}
