//! Static evaluation: material, mobility and king safety.

use movegen::{Color, Role};

use super::score::Score;
use crate::placement::Placement;
use crate::position::Position;
use crate::square::{RANKS, Square};
use crate::square_set::SquareSet;

/// Piece values in centipawns.
pub(super) const VALUES: [i32; 6] = [100, 300, 320, 480, 900, 0];
/// Per attacked square, by role.
const MOBILITY: [i32; 6] = [0, 4, 4, 3, 1, 0];
/// Per squared rank of advance of a pawn.
const ADVANCE: i32 = 2;
/// Per attacked square next to the opposing king.
const KING_RING: i32 = 7;
/// Against a lone king: per step it is nearer the edge, and the kings nearer each other.
const DRIVE: i32 = 15;
const SIDE_TO_MOVE: i32 = 10;

/// Evaluates a position from the point of view of the side to move.
pub(super) fn evaluate(position: &Position) -> Score {
    let us = position.side_to_move;
    let placement = position.placement();
    Score::centipawns(SIDE_TO_MOVE + side(placement, us) - side(placement, !us))
}

fn side(placement: &Placement, side: Color) -> i32 {
    let enemy_ring = placement
        .king(!side)
        .map_or(SquareSet::EMPTY, |king| ring(placement, king));
    let mut sum = 0;
    for square in placement.by_color(side) {
        let Some(role) = placement.piece_on(square).map(movegen::Piece::role) else {
            continue;
        };
        let attacked = placement.attacks(side, role, square);
        sum += VALUES[role.index()] + MOBILITY[role.index()] * attacked.count() as i32;
        sum += KING_RING * (attacked & enemy_ring).count().min(3) as i32;
        if role == Role::Pawn {
            let advanced = i32::from(match side {
                Color::White => square.rank(),
                Color::Black => RANKS - 1 - square.rank(),
            });
            sum += ADVANCE * advanced * advanced;
        }
    }
    if placement.by_color(!side).count() == 1 {
        sum += drive(placement, side);
    }
    sum
}

/// The squares around a king, and the other levels of its own column.
fn ring(placement: &Placement, king: Square) -> SquareSet {
    placement.attacks(Color::White, Role::King, king) | placement.on_column(king.column())
}

/// Rewards driving a lone king to the edge with the help of the other king.
fn drive(placement: &Placement, side: Color) -> i32 {
    let (Some(ours), Some(theirs)) = (placement.king(side), placement.king(!side)) else {
        return 0;
    };
    let from_edge = |number: u8, last: u8| i32::from(number.min(last - number));
    let edge = from_edge(theirs.file(), 5) + from_edge(theirs.rank(), RANKS - 1);
    let apart = i32::from(ours.file().abs_diff(theirs.file()))
        .max(i32::from(ours.rank().abs_diff(theirs.rank())));
    let room = ring(placement, theirs)
        .into_iter()
        .filter(|square| placement.attackers(square.column(), side).is_empty())
        .count() as i32;
    DRIVE * (20 - 2 * edge - apart - room)
}
