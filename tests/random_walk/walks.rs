//! Random walks: a start, and numbers that choose among the legal moves of each position.

use crate::starts::Start;
use movegen::{Move, MoveList, Position, Variant};
use proptest::prelude::*;

const MOST_PLIES: usize = 160;
/// Numbers from here on choose among the rare moves, where there are any.
const PREFERS_RARE: u16 = 0xb000;

/// A line of play.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) start: Position,
    pub(crate) variant: Variant,
    pub(crate) moves: Vec<Move>,
}

/// Castling, en passant and promotions: what a walk would seldom meet by chance.
fn is_rare(mv: Move) -> bool {
    mv.is_castling() || mv.is_en_passant() || mv.is_promotion()
}

fn choose(moves: &MoveList, number: u16) -> Option<Move> {
    let rare: Vec<Move> = moves.iter().copied().filter(|&mv| is_rare(mv)).collect();
    let choices = if number >= PREFERS_RARE && !rare.is_empty() {
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

    /// Every position of the walk, the start included.
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
    let numbers = prop::collection::vec(any::<u16>(), 1..MOST_PLIES);
    (starts, numbers).prop_map(|(start, numbers)| Walk::new(&start, &numbers))
}
