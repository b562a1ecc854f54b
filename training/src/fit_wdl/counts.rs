//! How often positions of some value and material were won, drawn and lost.

use crate::data::{Filter, Game};
use movegen::Color;
use search::wdl::material;
use std::collections::BTreeMap;

/// Values are taken together so many at a time.
const STEP: i32 = 10;
/// Beyond this nothing is uncertain any more.
pub(super) const LARGEST_VALUE: i16 = 2000;

/// What became of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Won,
    Drawn,
    Lost,
}

/// By material and value, how often each outcome was met.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts(pub(super) BTreeMap<(u32, i32), [u64; 3]>);

impl Counts {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&(u32, i32), &[u64; 3])> {
        self.0.iter()
    }

    /// The positions of a game that pass the filter, but for those in check.
    pub(super) fn add(&mut self, game: &Game, filter: &Filter) {
        for (position, ply) in game.positions() {
            if !filter.takes(&position, ply) || position.in_check() {
                continue;
            }
            let turn = position.turn();
            let value = match turn {
                Color::White => i32::from(ply.score),
                Color::Black => -i32::from(ply.score),
            };
            let outcome = match game.winner {
                None => Outcome::Drawn,
                Some(winner) if winner == turn => Outcome::Won,
                Some(_) => Outcome::Lost,
            };
            let rounded = (f64::from(value) / f64::from(STEP)).round() as i32 * STEP;
            let outcomes = self.0.entry((material(&position), rounded)).or_default();
            outcomes[outcome as usize] += 1;
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (place, more) in other.0 {
            let outcomes = self.0.entry(place).or_default();
            for (count, more) in outcomes.iter_mut().zip(more) {
                *count += more;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Ending, Ply};
    use movegen::Position;

    /// 1. e4 d5 2. exd5, which White wins: the taken pawn is no material any more.
    #[test]
    fn both_sides_positions_are_counted_from_their_own_side() {
        let mut position = Position::default();
        let mut plies = Vec::new();
        for (mv, score) in [("e2e4", 31), ("d7d5", -44), ("e4d5", 96), ("d8d5", 0)] {
            let mv = position.move_from_uci(mv).unwrap();
            plies.push(Ply { mv, score });
            position = position.play_unchecked(mv);
        }
        let game = Game {
            number: 0,
            start: Position::default(),
            plies,
            winner: Some(Color::White),
            ending: Ending::Adjudicated,
        };
        let filter = Filter {
            from_ply: 1,
            score_within: LARGEST_VALUE,
            keep_noisy: true,
        };
        let mut counts = Counts::default();
        counts.add(&game, &filter);
        counts.merge(counts.clone());
        let wanted = [
            // Black has moved from -(-44), White from 96, Black from 0 with a pawn less.
            ((78, 40), [0, 0, 2]),
            ((78, 100), [2, 0, 0]),
            ((77, 0), [0, 0, 2]),
        ];
        assert_eq!(counts, Counts(wanted.into()));
    }
}
