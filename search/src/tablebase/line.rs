//! Lines of play as the endgame tables would play them on.

use crate::tablebase::Access;
use crate::tablebase::ranking::{Past, weigh};
use movegen::{Color, FIFTY_MOVE_PLIES, Move, Position};

/// Whether a side still wins in time with this position on the board; taken on trust where the
/// tables do not know it.
pub(crate) fn still_wins(access: &Access<'_>, position: &Position, winner: Color) -> bool {
    if !access.covers(position) || position.is_checkmate() {
        return true;
    }
    access.tables.distance(position).is_none_or(|distance| {
        let wins = if position.side_to_move() == winner {
            1
        } else {
            -1
        };
        let clock = i32::from(position.halfmove_clock());
        let in_time = clock + distance.plies.saturating_abs() <= i32::from(FIFTY_MOVE_PLIES);
        distance.plies.signum() == wins && (in_time || !access.fifty_moves)
    })
}

/// The move the tables play: the winner hurries, the loser delays. None where they do not know
/// every move, or where nobody wins in time.
pub(crate) fn next(access: &Access<'_>, position: &Position) -> Option<Move> {
    if !access.covers(position) {
        return None;
    }
    let past = Past::unknown(position.halfmove_clock());
    let moves: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|&mv| weigh(access, position, &past, mv))
        .collect::<Option<_>>()?;
    let best = moves.iter().rev().max_by_key(|weighed| weighed.order())?;
    best.decides().then_some(best.mv)
}
