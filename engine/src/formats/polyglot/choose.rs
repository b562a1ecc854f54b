//! Which of a book's moves is played.
//!
//! Chance comes from a seed and the position alone: whoever knows the seed can have the game
//! again, and asking twice gives the same move.

use super::file::{BookMove, Found};
use crate::chance::below;

/// How one of several moves is picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The heaviest, the first of equals.
    Best,
    /// Each as often as its weight says.
    Weighted { seed: u64 },
}

impl Choice {
    /// One of the moves of a position with this key; `None` if none has any weight.
    #[must_use]
    pub fn pick(self, found: &Found, key: u64) -> Option<BookMove> {
        match self {
            Choice::Best => found.moves.first().copied().filter(|best| best.weight > 0),
            Choice::Weighted { seed } => at_weight(&found.moves, below(found.total(), seed, key)),
        }
    }
}

/// The move on whose share of all weights, laid side by side, this point falls.
fn at_weight(moves: &[BookMove], point: u64) -> Option<BookMove> {
    let mut end = 0;
    moves.iter().copied().find(|known| {
        end += u64::from(known.weight);
        point < end
    })
}

#[cfg(test)]
mod tests {
    use movegen::Position;

    use super::{BookMove, Choice, Found};

    const START: u64 = 0x463b_9618_1691_fc9c;
    const AFTER_E4: u64 = 0x823c_9b50_fd11_4196;

    fn found(weights: &[u32]) -> Found {
        let moves = Position::default().legal_moves();
        Found {
            moves: moves
                .iter()
                .zip(weights)
                .map(|(&mv, &weight)| BookMove { mv, weight })
                .collect(),
            illegal: Vec::new(),
        }
    }

    /// How often each move is picked by the seeds from 1 to `seeds`.
    fn counts(weights: &[u32], key: u64, seeds: u64) -> Vec<u32> {
        let found = found(weights);
        let mut counts = vec![0; weights.len()];
        for seed in 1..=seeds {
            let picked = Choice::Weighted { seed }.pick(&found, key).expect("a move");
            let at = found.moves.iter().position(|known| *known == picked);
            counts[at.expect("one of them")] += 1;
        }
        counts
    }

    /// The counts were computed by another program from the definition of SplitMix64; each is
    /// as near to its weight as chance lets expect.
    #[test]
    fn as_often_as_the_weights_say() {
        let weights = [5000, 3000, 1999, 1, 0];
        let ten_thousand = counts(&weights, START, 10_000);
        assert_eq!(ten_thousand, [5013, 3020, 1965, 2, 0]);
        assert_eq!(counts(&[3, 2, 1], AFTER_E4, 6000), [3007, 1986, 1007]);
        for (count, weight) in ten_thousand.into_iter().zip(weights) {
            let (count, expected) = (f64::from(count), f64::from(weight));
            let deviation = (expected * (1.0 - expected / 10_000.0)).sqrt();
            assert!(
                (count - expected).abs() <= 3.0 * deviation,
                "{count} of {weight}"
            );
        }
    }

    /// Two positions of one game do not choose alike: all four pairs of two choices occur,
    /// about as often.
    #[test]
    fn positions_choose_for_themselves() {
        let found = found(&[1, 1]);
        let mut pairs = [[0; 2]; 2];
        for seed in 1..=6000 {
            let [one, other] = [START, AFTER_E4].map(|key| {
                let picked = Choice::Weighted { seed }.pick(&found, key);
                usize::from(picked != found.moves.first().copied())
            });
            pairs[one][other] += 1;
        }
        assert_eq!(pairs, [[1519, 1505], [1488, 1488]]);
    }

    #[test]
    fn the_best_is_the_heaviest_and_the_first_of_equals() {
        for (weights, expected) in [(&[7, 7, 2][..], Some(0)), (&[1], Some(0)), (&[0], None)] {
            let found = found(weights);
            let picked = Choice::Best.pick(&found, START);
            assert_eq!(
                picked,
                expected.and_then(|at: usize| found.moves.get(at).copied())
            );
        }
    }

    #[test]
    fn what_weighs_nothing_is_not_played() {
        for choice in [Choice::Best, Choice::Weighted { seed: 1 }] {
            assert_eq!(choice.pick(&found(&[0, 0]), START), None);
            assert_eq!(choice.pick(&Found::default(), START), None);
        }
    }
}
