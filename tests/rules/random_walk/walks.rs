//! Random walks: a start position, and numbers that select among the legal moves.

use super::starts::Start;
use movegen::{Move, MoveList, Position, Variant};
use proptest::prelude::*;

const MAX_PLIES: usize = 160;
/// Numbers from here on select among the rare moves, if there are any.
const RARE_FROM: u16 = 0xb000;

/// A start position and moves from it.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) start: Position,
    pub(crate) variant: Variant,
    pub(crate) moves: Vec<Move>,
}

/// Castling, en passant and promotions are rare in uniformly random play.
fn is_rare(mv: Move) -> bool {
    mv.is_castling() || mv.is_en_passant() || mv.is_promotion()
}

fn choose(moves: &MoveList, number: u16) -> Option<Move> {
    let rare: Vec<Move> = moves.iter().copied().filter(|&mv| is_rare(mv)).collect();
    let choices = if number >= RARE_FROM && !rare.is_empty() {
        &rare
    } else {
        &**moves
    };
    choices
        .get(usize::from(number) % choices.len().max(1))
        .copied()
}

impl Walk {
    fn new(start: &Start, numbers: &[u16]) -> Self {
        let mut position = start.position;
        let mut moves = Vec::new();
        for &number in numbers {
            let Some(mv) = choose(&position.legal_moves(), number) else {
                break;
            };
            position = position.play_unchecked(mv);
            moves.push(mv);
        }
        Self {
            start: start.position,
            variant: start.variant,
            moves,
        }
    }

    /// The positions of the walk, from the start on.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Position> {
        let mut position = self.start;
        let after = self.moves.iter().map(move |&mv| {
            position = position.play_unchecked(mv);
            position
        });
        std::iter::once(self.start).chain(after)
    }
}

pub(crate) fn walks(starts: impl Strategy<Value = Start>) -> impl Strategy<Value = Walk> {
    let numbers = prop::collection::vec(any::<u16>(), 1..MAX_PLIES);
    (starts, numbers).prop_map(|(start, numbers)| Walk::new(&start, &numbers))
}
