//! One thread's part of a search: what it remembers, and where it stands.

use crate::draw::KeyStack;
use crate::eval::{self, Evaluator};
use crate::history::continuation::PieceTo;
use crate::history::{Histories, MoveContext};
use crate::memory::Large;
use crate::movepick::{MovePicker, ScoredMove};
use crate::nnue::Network;
use crate::observer::Observer;
use crate::pv::Lines;
use crate::root::RootMoves;
use crate::score::{Bound, MAX_PLY, Score};
use crate::shared::Shared;
use crate::stack::{Frame, Stack};
use crate::tablebase::Access;
use crate::tt::key;
use crate::window::Window;
use movegen::{Move, MoveList, Position, Role};
use std::sync::Arc;

/// What a worker keeps from search to search.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) histories: Large<Histories>,
    evaluator: Evaluator,
    stack: Stack,
    lines: Lines,
    moves: Vec<ScoredMove>,
    keys: KeyStack,
}

/// Room for the moves of a whole line, so that the list is never moved in the tree.
const MOVES_IN_A_LINE: usize = MAX_PLY * 64;

impl Memory {
    /// Knows nothing yet, and has positions valued by a network.
    pub(crate) fn new(network: &Arc<Network>) -> Self {
        let histories = Large::<Histories>::zeroed();
        histories.enlarge_pages();
        Self {
            histories,
            evaluator: Evaluator::new(network),
            stack: Stack::new(),
            lines: Lines::new(),
            moves: Vec::with_capacity(MOVES_IN_A_LINE),
            keys: KeyStack::default(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.histories.clear();
    }

    /// Every legal move of a position in the order a node would try them of which nothing else
    /// is known: neither how it arose nor a move that refuted its siblings.
    pub(crate) fn order(&mut self, position: &Position, table_move: Option<Move>) -> MoveList {
        let context = MoveContext {
            threats: position.threats(),
            continuation: self.stack.continuation(0),
            killer: None,
        };
        self.moves.clear();
        let mut ordered = MoveList::new();
        let mut picker = MovePicker::all(table_move, &context, &self.moves);
        while let Some(mv) = picker.next(position, &self.histories, &mut self.moves) {
            ordered.push(mv);
        }
        ordered
    }

    /// Positions are valued by this network from now on.
    pub(crate) fn set_network(&mut self, network: &Arc<Network>) {
        self.evaluator = Evaluator::new(network);
    }
}

/// A worker in a search.
pub(crate) struct Worker<'a> {
    pub(crate) index: usize,
    pub(crate) shared: &'a Shared<'a>,
    /// Only the leader has one.
    pub(crate) observer: Option<&'a mut dyn Observer>,
    pub(crate) root: Position,
    pub(crate) roots: RootMoves,
    pub(crate) histories: &'a mut Histories,
    evaluator: &'a mut Evaluator,
    pub(crate) stack: &'a mut Stack,
    pub(crate) lines: &'a mut Lines,
    /// The moves of every node of the present line, one after the other.
    pub(crate) moves: &'a mut Vec<ScoredMove>,
    pub(crate) keys: &'a mut KeyStack,
    pub(crate) nodes: u64,
    /// Endgame tables, where they are to be asked.
    pub(crate) tables: Option<Access<'a>>,
    pub(crate) tablebase_hits: u64,
    pub(crate) selective_depth: usize,
    /// Iteration being searched.
    pub(crate) depth: i32,
    /// Iteration searched to the end.
    pub(crate) finished_depth: i32,
    /// While a null move is verified, no null move is tried before this ply.
    pub(crate) null_move_min_ply: usize,
}

/// How many nodes pass between looks at the clock.
const NODES_BETWEEN_LOOKS: u64 = 512;

impl<'a> Worker<'a> {
    pub(crate) fn new(
        index: usize,
        memory: &'a mut Memory,
        shared: &'a Shared<'a>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Self {
        let Memory {
            histories,
            evaluator,
            stack,
            lines,
            moves,
            keys,
        } = memory;
        let game = shared.game;
        moves.clear();
        keys.set_game(game);
        evaluator.start(game.position());
        for ply in 0..MAX_PLY {
            *stack.at_mut(ply) = Frame::default();
        }
        Self {
            index,
            shared,
            observer,
            root: *game.position(),
            roots: RootMoves::new(
                game.position(),
                &shared.options.limits,
                shared.ranking.as_ref(),
            ),
            histories,
            evaluator,
            stack,
            lines,
            moves,
            keys,
            nodes: 0,
            tables: shared.tables_in_tree(),
            tablebase_hits: 0,
            selective_depth: 0,
            depth: 0,
            finished_depth: 0,
            null_move_min_ply: 0,
        }
    }

    /// Counts a node and checks the limits.
    #[inline]
    pub(crate) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) || self.near_node_limit() {
            self.look_at_limits();
        }
        // However short the time, the first iteration is finished: it finds a move.
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

    /// Tells the others how far this worker is.
    pub(crate) fn publish(&self) {
        self.shared
            .publish(self.index, self.nodes, self.tablebase_hits);
    }

    /// Tells how far this worker is; the leader also asks whether time or nodes are up.
    #[cold]
    fn look_at_limits(&mut self) {
        let shared = self.shared;
        self.publish();
        if self.index != 0 {
            return;
        }
        let out_of_nodes = shared
            .node_limit
            .is_some_and(|limit| shared.nodes() >= limit);
        if out_of_nodes || shared.stop.is_stopped() || shared.out_of_time() {
            shared.halt();
        }
    }

    /// Makes a move: returns the position after it and records it on the stacks.
    #[inline]
    pub(crate) fn make_move(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let next = position.play_unchecked(mv);
        self.shared.table.prefetch(key(&next));
        let frame = self.stack.at_mut(ply);
        frame.mv = Some(mv);
        frame.piece_to = Some(PieceTo::of(position, mv));
        self.evaluator.make_move(position, mv, ply);
        self.keys.push(&next);
        next
    }

    #[inline]
    pub(crate) fn undo_move(&mut self) {
        self.keys.pop();
    }

    /// Makes a null move that leads to `passed`. Returns what `undo_null` takes.
    pub(crate) fn make_null(&mut self, passed: &Position, ply: usize) -> usize {
        self.shared.table.prefetch(key(passed));
        let frame = self.stack.at_mut(ply);
        frame.mv = None;
        frame.piece_to = None;
        self.evaluator.make_null(ply);
        self.keys.push_null(passed)
    }

    pub(crate) fn undo_null(&mut self, key_start: usize) {
        self.keys.pop_null(key_start);
    }

    /// The static evaluation of a position, from the raw one in the table if that has it. It
    /// shrinks towards a draw as the halfmove clock rises and is corrected by the correction
    /// history; known endings are taken as they are.
    #[inline]
    pub(crate) fn static_eval(
        &mut self,
        position: &Position,
        ply: usize,
        stored: Option<i16>,
    ) -> StaticEval {
        let raw = match stored {
            Some(raw) => i32::from(raw),
            None => Score::eval(self.evaluator.evaluate(position, ply)).raw(),
        };
        if eval::is_known(position) {
            return StaticEval {
                raw,
                corrected: raw,
            };
        }
        // Without pawns only a capture resets the clock, and it may never come.
        let full = if position.role(Role::Pawn).any() {
            200
        } else {
            100
        };
        let clock = i32::from(position.halfmove_clock().min(100));
        let damped = raw * (full - clock) / full;
        let last_moves = self.stack.last_moves(ply);
        let correction = self.histories.correction.get(position, last_moves);
        StaticEval {
            raw,
            corrected: Score::eval(damped + correction).raw(),
        }
    }
}

/// The static evaluation: as computed, and damped and corrected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StaticEval {
    pub(crate) raw: i32,
    pub(crate) corrected: i32,
}

/// The search was stopped, and every node above it stops too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// The root's part in a worker's life.
impl Worker<'_> {
    /// What a root move came to. Only the first one and those that beat alpha have a value;
    /// the others are known to be no better.
    pub(crate) fn record_root(
        &mut self,
        mv: Move,
        score: Score,
        window: Window,
        number: i32,
        nodes_before: u64,
    ) {
        let spent = self.nodes - nodes_before;
        let selective_depth = self.selective_depth;
        let line = self.lines.get(1);
        let Some(root) = self.roots.find(mv) else {
            return;
        };
        root.nodes += spent;
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
        root.selective_depth = selective_depth;
        root.pv.clear();
        root.pv.push(mv);
        root.pv.extend(line);
    }

    /// Tells whoever watches which root move is looked at.
    pub(crate) fn announce(&mut self, mv: Move, number: i32) {
        let number = number.unsigned_abs() as usize + self.roots.line;
        if let Some(observer) = &mut self.observer {
            observer.current_move(self.depth.unsigned_abs(), mv, number);
        }
    }
}
