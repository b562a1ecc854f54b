//! What a position is worth before anybody looks ahead: material, mobility, king safety.

use super::score::Score;
use crate::column::RANKS;
use crate::position::Position;
use crate::square::Square;
use crate::squares::SquareSet;
use crate::world::World;
use movegen::{Color, Role};

/// Hundredths of a pawn by role; kings are never taken.
pub(super) const VALUES: [i32; 6] = [100, 300, 320, 480, 900, 0];
/// For each square a man attacks, by role.
const MOBILITY: [i32; 6] = [0, 4, 4, 3, 1, 0];
/// For each rank a pawn has left behind, growing towards the end.
const ADVANCE: i32 = 2;
/// For each attack on a square next to the enemy's king.
const KING_RING: i32 = 7;
/// For each column a king with nothing but itself is nearer the edge, and its enemy nearer to it.
const DRIVE: i32 = 15;
const SIDE_TO_MOVE: i32 = 10;

/// The score of a position, from the view of the side to move.
pub(super) fn evaluate(position: &Position) -> Score {
    let us = position.turn();
    let world = position.world();
    Score::centipawns(SIDE_TO_MOVE + side(world, us) - side(world, !us))
}

fn side(world: &World, side: Color) -> i32 {
    let enemy_ring = world
        .king(!side)
        .map_or(SquareSet::EMPTY, |king| ring(world, king));
    let mut sum = 0;
    for square in world.side(side) {
        let Some(role) = world.man_on(square).map(movegen::Piece::role) else {
            continue;
        };
        let attacked = world.attacks(side, role, square);
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
    if world.side(!side).count() == 1 {
        sum += drive(world, side);
    }
    sum
}

/// The squares next to a king, and beside it on its own column.
fn ring(world: &World, king: Square) -> SquareSet {
    world.attacks(Color::White, Role::King, king) | world.on_column(king.column())
}

/// A lone king is mated at the edge, by the other king's help.
fn drive(world: &World, side: Color) -> i32 {
    let (Some(ours), Some(theirs)) = (world.king(side), world.king(!side)) else {
        return 0;
    };
    let from_edge = |number: u8, last: u8| i32::from(number.min(last - number));
    let edge = from_edge(theirs.file(), 5) + from_edge(theirs.rank(), RANKS - 1);
    let apart = i32::from(ours.file().abs_diff(theirs.file()))
        .max(i32::from(ours.rank().abs_diff(theirs.rank())));
    let room = ring(world, theirs)
        .into_iter()
        .filter(|square| world.attackers(square.column(), side).is_empty())
        .count() as i32;
    DRIVE * (20 - 2 * edge - apart - room)
}
