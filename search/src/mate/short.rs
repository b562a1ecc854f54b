//! Mates in one and in two moves, found by trying everything: with so little left that is
//! quicker than keeping books.

use super::dfpn::DfPn;
use movegen::{Bitboard, Move, Position, Role, attacks};

/// The move that mates in at most so many moves, two or one; `None` inside when there is none,
/// outside when the time is up.
pub(super) fn mate(dfpn: &mut DfPn<'_>, position: &Position, moves: u8) -> Option<Option<Move>> {
    match mate_in_one(position) {
        Some(mv) => Some(Some(mv)),
        None if moves >= 2 => mate_in_two(dfpn, position),
        None => Some(None),
    }
}

/// The move that mates at once.
pub(super) fn mate_in_one(position: &Position) -> Option<Move> {
    let checks = Checks::of(position);
    let moves = position.legal_moves();
    let mut checking = moves.iter().filter(|&&mv| checks.possible(position, mv));
    checking
        .find(|&&mv| position.play_unchecked(mv).is_checkmate())
        .copied()
}

/// The move after which every reply is mated.
fn mate_in_two(dfpn: &mut DfPn<'_>, position: &Position) -> Option<Option<Move>> {
    let checks = Checks::of(position);
    let moves = position.legal_moves();
    let (checking, others): (Vec<Move>, Vec<Move>) =
        moves.iter().partition(|&&mv| checks.possible(position, mv));
    // What refuted the last try refutes the next one as a rule.
    let mut refutation = None;
    for mv in checking.into_iter().chain(others) {
        if !escapes(dfpn, &position.play_unchecked(mv), &mut refutation)? {
            return Some(Some(mv));
        }
    }
    Some(None)
}

/// The side to move has a reply that is not mated at once; `None` when the time is up.
fn escapes(
    dfpn: &mut DfPn<'_>,
    position: &Position,
    refutation: &mut Option<Move>,
) -> Option<bool> {
    dfpn.enter()?;
    if dfpn.rules.drawn(position) {
        return Some(!position.is_checkmate());
    }
    let replies = position.legal_moves();
    if replies.is_empty() {
        return Some(!position.in_check());
    }
    let first = refutation.filter(|mv| replies.contains(mv));
    let rest = replies.iter().copied().filter(|&mv| Some(mv) != first);
    for reply in first.into_iter().chain(rest) {
        dfpn.nodes += 1;
        let next = position.play_unchecked(reply);
        if dfpn.rules.drawn(&next) || mate_in_one(&next).is_none() {
            *refutation = Some(reply);
            return Some(true);
        }
    }
    Some(false)
}

/// Where the opponent's king is checked from.
struct Checks {
    knights: Bitboard,
    diagonals: Bitboard,
    orthogonals: Bitboard,
    pawns: Bitboard,
    /// Men whose leaving could let another one check.
    shields: Bitboard,
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
            shields: (diagonals | orthogonals) & position.side(us),
        }
    }

    /// A move that may give check; the others do not.
    fn possible(&self, position: &Position, mv: Move) -> bool {
        if self.shields.has(mv.from())
            || mv.is_castling()
            || mv.is_en_passant()
            || mv.is_promotion()
        {
            return true;
        }
        let from_there = match position.role_on(mv.from()) {
            Some(Role::Pawn) => self.pawns,
            Some(Role::Knight) => self.knights,
            Some(Role::Bishop) => self.diagonals,
            Some(Role::Rook) => self.orthogonals,
            Some(Role::Queen) => self.diagonals | self.orthogonals,
            Some(Role::King) | None => Bitboard::EMPTY,
        };
        from_there.has(mv.to())
    }
}
