//! Draws inside the tree: repetition, the fifty-move rule, dead positions, and repetitions
//! the opponent could not prevent.

use crate::score::Score;
use crate::worker::Worker;
use movegen::{FIFTY_MOVE_PLIES, Game, Position, THREEFOLD, attacks, reversible_move};

/// The value of a position that is drawn by the rules, or mated at the very moment the
/// fifty-move rule would draw it: mate comes first.
#[inline]
pub(crate) fn certain(worker: &Worker<'_>, position: &Position, ply: usize) -> Option<Score> {
    if position.halfmove_clock() >= FIFTY_MOVE_PLIES {
        return Some(if position.is_checkmate() {
            Score::mated_in(ply)
        } else {
            Score::DRAW
        });
    }
    let drawn = repeats(worker, position, ply) || position.is_insufficient_material();
    drawn.then_some(Score::DRAW)
}

/// What has been on the board twice since the clock last stood at zero, and is a draw the third
/// time.
pub(crate) fn seen_twice(game: &Game) -> Vec<u64> {
    const _: () = assert!(THREEFOLD == 3);
    let clock = usize::from(game.position().halfmove_clock());
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    for position in game.positions().rev().take(clock + 1) {
        let key = position.key();
        if once.contains(&key) {
            twice.push(key);
        } else {
            once.push(key);
        }
    }
    twice
}

/// How many plies back a repetition could lie.
#[inline]
fn reversible(worker: &Worker<'_>, position: &Position) -> usize {
    let in_keys = worker.keys.len() - 1 - worker.keys_from;
    usize::from(position.halfmove_clock()).min(in_keys)
}

/// The position occurred before: once is enough inside the tree, where it can be reached
/// again; across the root it takes two earlier times, as on the board.
#[inline]
fn repeats(worker: &Worker<'_>, position: &Position, ply: usize) -> bool {
    let present = worker.keys.len() - 1;
    let mut earlier = 0;
    let mut back = 4;
    let limit = reversible(worker, position);
    while back <= limit {
        if worker.keys[present - back] == position.key() {
            earlier += 1;
            if back < ply || earlier == 2 {
                return true;
            }
        }
        back += 2;
    }
    false
}

/// The side to move has a move back to an earlier position of this line: it can have a draw.
#[inline]
pub(crate) fn can_repeat(worker: &Worker<'_>, position: &Position, ply: usize) -> bool {
    let present = worker.keys.len() - 1;
    let limit = reversible(worker, position).min(ply.saturating_sub(1));
    let mut back = 3;
    while back <= limit {
        let difference = worker.keys[present - back] ^ position.key();
        if let Some([a, b]) = reversible_move(difference)
            && (attacks::between(a, b) & position.occupied()).is_empty()
        {
            return true;
        }
        back += 2;
    }
    false
}
