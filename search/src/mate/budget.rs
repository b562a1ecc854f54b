//! The limits of a proof: the rules that end lines, and the nodes it may use.

use crate::draw;
use crate::thread::Stopped;
use common::rng::split_mix;
use movegen::{FIFTY_MOVE_PLIES, Game, Position};

/// Draws by the rules, given the game so far.
#[derive(Debug)]
pub(super) struct Rules {
    /// The keys of positions that occurred twice.
    twice: Vec<u64>,
    /// Lines may be long enough for the fifty-move rule.
    clock_matters: bool,
}

impl Rules {
    pub(super) fn of(game: &Game, moves: u8) -> Self {
        let plies = u16::from(moves) * 2;
        Self {
            twice: draw::seen_twice(game),
            clock_matters: game.position().halfmove_clock().saturating_add(plies)
                > FIFTY_MOVE_PLIES,
        }
    }

    /// A draw, unless it is checkmate.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        position.halfmove_clock() >= FIFTY_MOVE_PLIES
            || position.is_insufficient_material()
            || self.twice.contains(&position.key())
    }

    /// Different for positions that may end differently.
    pub(super) fn key(&self, position: &Position) -> u64 {
        if self.clock_matters {
            position.key() ^ split_mix(position.halfmove_clock().into())
        } else {
            position.key()
        }
    }
}

/// Counts nodes, and ends a proof that takes too many.
pub(super) struct Budget<'a> {
    pub(super) nodes: u64,
    /// True if the search as a whole may go on after this many nodes.
    may_continue: &'a dyn Fn(u64) -> bool,
    next_check: u64,
    pause_at: u64,
}

impl<'a> Budget<'a> {
    pub(super) fn new(may_continue: &'a dyn Fn(u64) -> bool) -> Self {
        Self {
            nodes: 0,
            may_continue,
            next_check: 0,
            pause_at: u64::MAX,
        }
    }

    /// Stops, for now, after this many more nodes.
    pub(super) fn pause_after(&mut self, nodes: u64) {
        self.pause_at = self.nodes.saturating_add(nodes);
    }

    /// The next node checks the limits.
    pub(super) fn check_soon(&mut self) {
        self.next_check = 0;
    }

    /// Counts a node, and checks the limits now and then.
    pub(super) fn enter(&mut self) -> Result<(), Stopped> {
        const NODES_BETWEEN_CHECKS: u64 = 256;
        self.nodes += 1;
        if self.nodes < self.next_check {
            return Ok(());
        }
        self.next_check = self.nodes + NODES_BETWEEN_CHECKS;
        if self.nodes < self.pause_at && (self.may_continue)(self.nodes) {
            Ok(())
        } else {
            Err(Stopped)
        }
    }
}
