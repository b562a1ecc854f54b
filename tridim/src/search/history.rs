//! Move ordering: TT move, captures and promotions by MVV-LVA, killers, history.

use movegen::{Piece, Role};

use super::eval::VALUES;
use crate::moves::Move;
use crate::position::Position;
use crate::square::Square;

/// Killers of deeper plies share slots.
const PLIES: usize = 64;

const TT_MOVE: i32 = 1_000_000;
const TACTICAL: i32 = 100_000;
const KILLER: i32 = 90_000;
const MAX_HISTORY: i32 = 50_000;

/// Killers and history of one thread.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// Two quiet moves per ply that caused a beta cutoff there.
    killers: [[Option<Move>; 2]; PLIES],
    /// By role and destination: depth-weighted count of beta cutoffs by quiet moves.
    history: Box<[[i32; Square::COUNT]; 6]>,
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            killers: [[None; 2]; PLIES],
            history: Box::new([[0; Square::COUNT]; 6]),
        }
    }

    /// Records a quiet move that caused a beta cutoff.
    pub(super) fn update(&mut self, position: &Position, mv: Move, ply: u32, depth: u32) {
        let slots = &mut self.killers[ply as usize % PLIES];
        if slots[0] != Some(mv) {
            *slots = [Some(mv), slots[0]];
        }
        if let Some((role, to)) = mover(position, mv) {
            let count = &mut self.history[role.index()][to.index()];
            *count = (*count + (depth * depth) as i32).min(MAX_HISTORY);
        }
    }

    /// Returns the indices of the moves, the most promising first.
    pub(super) fn sort(
        &self,
        position: &Position,
        moves: &[Move],
        tt_move: Option<usize>,
        ply: u32,
    ) -> Vec<usize> {
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_cached_key(|&index| {
            if Some(index) == tt_move {
                -TT_MOVE
            } else {
                moves
                    .get(index)
                    .map_or(0, |&mv| -self.move_score(position, mv, ply))
            }
        });
        order
    }

    fn move_score(&self, position: &Position, mv: Move, ply: u32) -> i32 {
        if let Some(mvv_lva) = mvv_lva(position, mv) {
            return TACTICAL + mvv_lva;
        }
        let killers = &self.killers[ply as usize % PLIES];
        if killers.contains(&Some(mv)) {
            return KILLER;
        }
        mover(position, mv).map_or(0, |(role, to)| self.history[role.index()][to.index()])
    }
}

/// The role and destination of a piece move.
fn mover(position: &Position, mv: Move) -> Option<(Role, Square)> {
    match mv {
        Move::Piece { from, to, .. } => Some((position.piece_on(from)?.role(), to)),
        Move::Castle(castling) => Some((Role::King, castling.king_to)),
        Move::Board { .. } | Move::Promotion { .. } => None,
    }
}

/// Most valuable victim, least valuable attacker (MVV-LVA) plus the value of a promotion.
/// `None` for quiet moves.
pub(super) fn mvv_lva(position: &Position, mv: Move) -> Option<i32> {
    let promoted = mv.promotion().map(|role| VALUES[role.index()]);
    let captured = match mv {
        Move::Piece { from, to, .. } if position.is_capture(mv) => {
            Some(value_on(position, to) * 10 - value_on(position, from))
        }
        _ => None,
    };
    match (promoted, captured) {
        (None, None) => None,
        (promoted, captured) => Some(promoted.unwrap_or(0) + captured.unwrap_or(0)),
    }
}

/// The material a move wins at once: the captured piece and the promotion.
pub(super) fn material_gain(position: &Position, mv: Move) -> i32 {
    let promoted = mv
        .promotion()
        .map_or(0, |role| VALUES[role.index()] - VALUES[Role::Pawn.index()]);
    let captured = match mv {
        Move::Piece { to, .. } if position.is_capture(mv) => value_on(position, to),
        _ => 0,
    };
    promoted + captured
}

/// The value of the piece on a square; of a pawn if it is empty, as in an en passant capture.
fn value_on(position: &Position, square: Square) -> i32 {
    let role = position.piece_on(square).map_or(Role::Pawn, Piece::role);
    VALUES[role.index()]
}
