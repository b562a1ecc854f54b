//! The order in which moves are tried: the table's move, what takes and promotes, then what has
//! been good elsewhere.

use super::evaluate::VALUES;
use crate::mv::Move;
use crate::position::Position;
use crate::square::Square;
use movegen::Role;

/// The furthest ply from the root that is kept apart from others.
const PLIES: usize = 64;

const FIRST: i32 = 1_000_000;
const NOISY: i32 = 100_000;
const KILLER: i32 = 90_000;
const MOST_HISTORY: i32 = 50_000;

/// What one thread has learnt about quiet moves.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// Two quiet moves for each ply that have refuted something there.
    killers: [[Option<Move>; 2]; PLIES],
    /// By role and goal, how often a quiet move has refuted anything.
    history: Box<[[i32; Square::COUNT]; 6]>,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            killers: [[None; 2]; PLIES],
            history: Box::new([[0; Square::COUNT]; 6]),
        }
    }

    /// A quiet move has refuted the position.
    pub(super) fn refuted(&mut self, position: &Position, mv: Move, ply: u32, depth: u32) {
        let slots = &mut self.killers[ply as usize % PLIES];
        if slots[0] != Some(mv) {
            *slots = [Some(mv), slots[0]];
        }
        if let Some((role, to)) = mover(position, mv) {
            let count = &mut self.history[role.index()][to.index()];
            *count = (*count + (depth * depth) as i32).min(MOST_HISTORY);
        }
    }

    /// Moves with their places among the legal ones, the most promising first.
    pub(super) fn sort(
        &self,
        position: &Position,
        moves: &[Move],
        table: Option<usize>,
        ply: u32,
    ) -> Vec<usize> {
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_cached_key(|&place| match Some(place) == table {
            true => -FIRST,
            false => moves
                .get(place)
                .map_or(0, |&mv| -self.promise(position, mv, ply)),
        });
        order
    }

    fn promise(&self, position: &Position, mv: Move, ply: u32) -> i32 {
        if let Some(gain) = gain(position, mv) {
            return NOISY + gain;
        }
        let killers = &self.killers[ply as usize % PLIES];
        if killers.contains(&Some(mv)) {
            return KILLER;
        }
        mover(position, mv).map_or(0, |(role, to)| self.history[role.index()][to.index()])
    }
}

/// The man of a move and where it goes.
fn mover(position: &Position, mv: Move) -> Option<(Role, Square)> {
    match mv {
        Move::Man { from, to, .. } => Some((position.man_on(from)?.role(), to)),
        Move::Castle(castling) => Some((Role::King, castling.king_to)),
        Move::Board { .. } | Move::Choice { .. } => None,
    }
}

/// What a capture or promotion promises: the victim first, the cheaper taker before others.
/// `None` for quiet moves.
pub(super) fn gain(position: &Position, mv: Move) -> Option<i32> {
    let promoted = mv.promotion().map(|role| VALUES[role.index()]);
    let taken = match mv {
        Move::Man { from, to, .. } if position.is_capture(mv) => {
            let victim = position.man_on(to).map_or(Role::Pawn, movegen::Piece::role);
            let taker = position
                .man_on(from)
                .map_or(Role::Pawn, movegen::Piece::role);
            Some(VALUES[victim.index()] * 10 - VALUES[taker.index()])
        }
        _ => None,
    };
    match (promoted, taken) {
        (None, None) => None,
        (promoted, taken) => Some(promoted.unwrap_or(0) + taken.unwrap_or(0)),
    }
}

/// What a move wins at once: the man it takes, and what a pawn becomes.
pub(super) fn material(position: &Position, mv: Move) -> i32 {
    let value = |role: Role| VALUES[role.index()];
    let promoted = mv
        .promotion()
        .map_or(0, |role| value(role) - value(Role::Pawn));
    let taken = match mv {
        Move::Man { to, .. } if position.is_capture(mv) => {
            value(position.man_on(to).map_or(Role::Pawn, movegen::Piece::role))
        }
        _ => 0,
    };
    promoted + taken
}
