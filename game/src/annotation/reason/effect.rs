//! The effect of a move, as far as the position after it or the line proves it.

use movegen::engine::see_ge;
use movegen::{Bitboard, Color, Move, Position, Role, Square, attacks};

use super::material::{ROLES, listed, value};
use super::{Line, SEE_VALUES};

/// The gain from which a capture is a threat, in centipawns.
const THREAT: i32 = 200;
/// The part of a line in which a king loses its right to castle, in positions.
const KING_PLIES: usize = 8;
/// The part in which the opponent gets a passed pawn.
const PAWN_PLIES: usize = 10;

/// A double attack, a trapped piece, or a threat of mate.
pub(super) fn of(line: &Line, ply: usize) -> Option<String> {
    let [before, after, ..] = line.positions.get(ply..)? else {
        return None;
    };
    let mv = *line.moves.get(ply)?;
    let attacked = attacked(before, mv, after);
    if attacked.count() >= 2 {
        return Some(format!("a double attack on {}", names(after, attacked)));
    }
    if let Some(square) = attacked
        .into_iter()
        .find(|square| is_trapped(after, *square))
    {
        return Some(format!("which traps the {}", after.role_on(square)?.name()));
    }
    // In check, an older threat has no legal move.
    let is_new = !before.in_check() && !mates(before);
    (is_new && mates(&after.null_move()?)).then(|| "which threatens mate".to_owned())
}

/// True if the side to move can checkmate.
fn mates(position: &Position) -> bool {
    let mut moves = position.legal_moves().into_iter();
    moves.any(|mv| position.play_unchecked(mv).is_checkmate())
}

/// An attack on a piece that could not be captured before.
pub(super) fn attack(line: &Line, ply: usize) -> Option<String> {
    let [before, after, ..] = line.positions.get(ply..)? else {
        return None;
    };
    let attacked = attacked(before, *line.moves.get(ply)?, after);
    let names = names(after, attacked);
    (attacked.count() == 1 && !after.in_check()).then(|| format!("which attacks the {names}"))
}

/// The pieces, and in check the king, that a move attacks, unless what has moved can be captured.
fn attacked(before: &Position, mv: Move, after: &Position) -> Bitboard {
    let side = after.side_to_move();
    let mut replies = after.noisy_moves().into_iter();
    if replies.any(|reply| reply.to() == mv.to() && see_ge(after, reply, 0, &SEE_VALUES)) {
        return Bitboard::EMPTY;
    }
    let pieces = after.by_color(side) & !after.by_role(Role::Pawn) & !after.by_role(Role::King);
    if let Some(passed) = after.null_move() {
        let attacked = captures(&passed) & pieces & !captures(before);
        if before.in_check() {
            // An older threat has no legal move.
            let old = attacked_from(before, mv.from());
            return attacked & attacked_from(after, mv.to()) & !old;
        }
        return attacked;
    }
    let Some(attacker) = after.piece_on(mv.to()) else {
        return Bitboard::EMPTY;
    };
    let targets = attacks::of(attacker, mv.to(), after.occupied()) & pieces;
    let is_lost = |square: &Square| {
        let defenders = after.attackers_to(*square, after.occupied()) & after.by_color(side);
        let is_worth_more = |role| value(role) > value(attacker.role());
        defenders.is_empty() || after.role_on(*square).is_some_and(is_worth_more)
    };
    let targets: Bitboard = targets.into_iter().filter(is_lost).collect();
    if targets.is_empty() {
        return targets;
    }
    targets | Bitboard::of(after.king(side))
}

/// The squares that the piece on a square attacks.
fn attacked_from(position: &Position, square: Square) -> Bitboard {
    let Some(piece) = position.piece_on(square) else {
        return Bitboard::EMPTY;
    };
    attacks::of(piece, square, position.occupied())
}

/// The squares on which the side to move wins something by a capture.
fn captures(position: &Position) -> Bitboard {
    let moves = position.noisy_moves().into_iter();
    moves
        .filter(|mv| position.is_capture(*mv) && see_ge(position, *mv, THREAT, &SEE_VALUES))
        .map(Move::to)
        .collect()
}

/// True if an attacked piece has no safe move, and no other safe move prevents its capture.
fn is_trapped(position: &Position, square: Square) -> bool {
    let mut moves = position.legal_moves().into_iter();
    moves.all(|mv| {
        let saves = mv.from() == square || !captures(&position.play_unchecked(mv)).has(square);
        !(saves && see_ge(position, mv, 0, &SEE_VALUES))
    })
}

/// The most valuable first.
fn names(position: &Position, squares: Bitboard) -> String {
    let roles = [Role::King].into_iter().chain(ROLES);
    let named = roles.flat_map(|role| {
        let count = (squares & position.by_role(role)).count() as usize;
        match count {
            0 => None,
            1 => Some(role.name().to_owned()),
            _ => Some(format!("{}s", role.name())),
        }
    });
    listed(&named.collect::<Vec<_>>())
}

/// A sacrifice on a pawn beside the king, or a check that takes its right to castle away, where the
/// better line keeps it.
pub(super) fn on_king(played: &Line, best: &Line) -> Option<&'static str> {
    let (start, before) = (played.positions.first()?, played.positions.get(1)?);
    let (answer, reply) = (*played.moves.get(1)?, *played.moves.get(2)?);
    let side = start.side_to_move();
    let shelter = attacks::king(before.king(side)) & before.pieces(side, Role::Pawn);
    let is_taken = reply.to() == answer.to() && !see_ge(before, answer, 0, &SEE_VALUES);
    if shelter.has(answer.to()) && is_taken {
        return Some("a sacrifice that opens the king's position");
    }
    let has_rights = |position: &Position| position.castling_rights().of(side).any();
    let positions = played.positions.iter();
    let mut answers = positions
        .clone()
        .zip(positions.skip(1))
        .take(KING_PLIES - 1)
        .skip(2)
        .step_by(2);
    let is_lost = answers.any(|(checked, answered)| {
        checked.in_check() && has_rights(checked) && !has_rights(answered)
    });
    let mut moves = best.moves.iter().take(KING_PLIES).step_by(2);
    let end = best.positions.iter().take(KING_PLIES).next_back()?;
    let is_kept = has_rights(end) || moves.any(|mv| mv.is_castling());
    (is_lost && is_kept).then_some("after which the king cannot castle")
}

/// A passed pawn that the opponent soon has, further than any in the better line.
pub(super) fn passed_pawn(played: &Line, best: &Line) -> Option<String> {
    let side = !played.positions.first()?.side_to_move();
    let farthest = |line: &Line, ply: usize| {
        let position = line.positions.iter().take(ply + 1).next_back()?;
        let pawns = position.pieces(side, Role::Pawn).into_iter();
        let passed = pawns.filter(|pawn| is_passed(position, *pawn, side));
        passed.max_by_key(|pawn| relative_rank(*pawn, side))
    };
    let pawn = farthest(played, PAWN_PLIES)?;
    let rank = |pawn: Option<Square>| pawn.map_or(0, |pawn| relative_rank(pawn, side));
    let others = [farthest(played, 0), farthest(best, PAWN_PLIES)];
    let is_new = others
        .into_iter()
        .all(|other| rank(other) + 1 < rank(Some(pawn)));
    (rank(Some(pawn)) >= 4 && is_new).then(|| format!("which leads to a passed pawn on {pawn}"))
}

fn is_passed(position: &Position, pawn: Square, side: Color) -> bool {
    let mut others = position.pieces(!side, Role::Pawn).into_iter();
    !others.any(|other| {
        other.file().index().abs_diff(pawn.file().index()) <= 1
            && relative_rank(other, side) > relative_rank(pawn, side)
    })
}

/// From 0, as the side sees it.
fn relative_rank(square: Square, side: Color) -> usize {
    match side {
        Color::White => square.rank().index(),
        Color::Black => 7 - square.rank().index(),
    }
}
