//! Mates in one and two moves by brute force, which is faster there than proof numbers.

use super::budget::{Budget, Rules};
use crate::thread::Stopped;
use movegen::{Bitboard, Move, Position, Role, attacks};

/// The move that mates in one move, or two if allowed.
pub(super) fn mate(
    rules: &Rules,
    budget: &mut Budget<'_>,
    position: &Position,
    moves: u8,
) -> Result<Option<Move>, Stopped> {
    match mate_in_one(position) {
        None if moves >= 2 => mate_in_two(rules, budget, position),
        mate => Ok(mate),
    }
}

/// The move that mates at once.
fn mate_in_one(position: &Position) -> Option<Move> {
    let checks = Checks::of(position);
    let moves = position.legal_moves();
    let mut checking = moves.iter().filter(|&&mv| checks.possible(position, mv));
    checking
        .find(|&&mv| position.play_unchecked(mv).is_checkmate())
        .copied()
}

/// The move after which every reply is mated.
fn mate_in_two(
    rules: &Rules,
    budget: &mut Budget<'_>,
    position: &Position,
) -> Result<Option<Move>, Stopped> {
    let checks = Checks::of(position);
    let moves = position.legal_moves();
    let (checking, others): (Vec<Move>, Vec<Move>) =
        moves.iter().partition(|&&mv| checks.possible(position, mv));
    // The reply that refuted the last move usually refutes the next one.
    let mut refutation = None;
    for mv in checking.into_iter().chain(others) {
        if !escapes(rules, budget, &position.play_unchecked(mv), &mut refutation)? {
            return Ok(Some(mv));
        }
    }
    Ok(None)
}

/// True if the side to move has a reply after which it is not mated at once.
fn escapes(
    rules: &Rules,
    budget: &mut Budget<'_>,
    position: &Position,
    refutation: &mut Option<Move>,
) -> Result<bool, Stopped> {
    budget.enter()?;
    if rules.is_draw(position) {
        return Ok(!position.is_checkmate());
    }
    let replies = position.legal_moves();
    if replies.is_empty() {
        return Ok(!position.in_check());
    }
    let first = refutation.filter(|mv| replies.contains(mv));
    let rest = replies.iter().copied().filter(|&mv| Some(mv) != first);
    for reply in first.into_iter().chain(rest) {
        budget.nodes += 1;
        let next = position.play_unchecked(reply);
        if rules.is_draw(&next) || mate_in_one(&next).is_none() {
            *refutation = Some(reply);
            return Ok(true);
        }
    }
    Ok(false)
}

/// The squares from which the opponent's king is attacked.
struct Checks {
    knights: Bitboard,
    diagonals: Bitboard,
    orthogonals: Bitboard,
    pawns: Bitboard,
    /// Pieces that may give a discovered check.
    discoverers: Bitboard,
}

impl Checks {
    fn of(position: &Position) -> Self {
        let us = position.side_to_move();
        let them = !us;
        let king = position.king(them);
        let occupied = position.occupied();
        let diagonals = attacks::bishop(king, occupied);
        let orthogonals = attacks::rook(king, occupied);
        Self {
            knights: attacks::knight(king),
            diagonals,
            orthogonals,
            pawns: attacks::pawn(king, them),
            discoverers: (diagonals | orthogonals) & position.by_color(us),
        }
    }

    /// True if a move may give check.
    fn possible(&self, position: &Position, mv: Move) -> bool {
        if self.discoverers.has(mv.from())
            || mv.is_castling()
            || mv.is_en_passant()
            || mv.is_promotion()
        {
            return true;
        }
        let squares = match position.role_on(mv.from()) {
            Some(Role::Pawn) => self.pawns,
            Some(Role::Knight) => self.knights,
            Some(Role::Bishop) => self.diagonals,
            Some(Role::Rook) => self.orthogonals,
            Some(Role::Queen) => self.diagonals | self.orthogonals,
            Some(Role::King) | None => Bitboard::EMPTY,
        };
        squares.has(mv.to())
    }
}
