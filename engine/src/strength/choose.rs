//! Which of several moves a weaker player plays.
//!
//! Chance comes from a seed and the position alone: whoever knows the seed can have the game
//! again.

use crate::chance;

/// One who chooses: how freely, and by which chance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chooser {
    /// See `Level::spread`.
    pub(crate) spread: f64,
    pub(crate) seed: u64,
    /// Of the position.
    pub(crate) key: u64,
}

/// Keeps the choice apart from other things that depend on the same seed and position.
const CHOICE_STREAM: u64 = 1;
const PAUSE_STREAM: u64 = 2;

impl Chooser {
    /// The place of the move played among moves with these centipawns, the best first.
    pub(crate) fn pick(&self, centipawns: &[i32]) -> usize {
        let Some(best) = centipawns.iter().copied().max() else {
            return 0;
        };
        if self.spread <= 0.0 {
            return 0;
        }
        let weights = centipawns
            .iter()
            .map(|&value| (-(felt(best) - felt(value)) / self.spread).exp());
        let total: f64 = weights.clone().sum();
        let mut point = self.chance(CHOICE_STREAM) * total;
        weights
            .into_iter()
            .position(|weight| {
                point -= weight;
                point < 0.0
            })
            .unwrap_or(0)
    }

    /// From 0 up to 1, for how long to pause.
    pub(crate) fn patience(&self) -> f64 {
        self.chance(PAUSE_STREAM)
    }

    fn chance(&self, stream: u64) -> f64 {
        chance::unit(self.seed, self.key.rotate_left(32) ^ stream)
    }
}

/// How a player feels a difference: a pawn matters in a level game, hardly in a decided one.
fn felt(centipawns: i32) -> f64 {
    let value = f64::from(centipawns) / 100.0;
    value.signum() * value.abs().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::Chooser;

    const GAMES: u64 = 20_000;

    /// How often each is picked.
    fn shares(spread: f64, centipawns: &[i32]) -> Vec<f64> {
        let mut counts = vec![0_u32; centipawns.len()];
        for seed in 0..GAMES {
            let chooser = Chooser {
                spread,
                seed,
                key: 0x463b_9618_1691_fc9c,
            };
            counts[chooser.pick(centipawns)] += 1;
        }
        counts
            .into_iter()
            .map(|count| f64::from(count) / GAMES as f64)
            .collect()
    }

    #[test]
    fn without_spread_the_best_is_played() {
        assert_eq!(shares(0.0, &[30, 30, 29, -500]), [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn equal_moves_are_played_equally_often_and_worse_ones_more_rarely() {
        for share in shares(0.3, &[20, 20, 20, 20]) {
            assert!((share - 0.25).abs() < 0.02, "{share}");
        }
        // From a level game one pawn down feels like ln 2: e^(-ln 2 / 0.5) is a quarter.
        let found = shares(0.5, &[0, -100]);
        assert!((found[1] - 0.2).abs() < 0.02, "{found:?}");
        let found = shares(0.5, &[1000, 900]);
        assert!(found[1] > 0.4, "{found:?}");
    }

    #[test]
    fn mates_are_not_passed_over_for_material() {
        let found = shares(0.2, &[30_000, 900, 850]);
        assert!(found[0] > 0.99, "{found:?}");
    }

    #[test]
    fn nothing_to_choose_from_is_no_trouble() {
        let chooser = Chooser {
            spread: 0.5,
            seed: 1,
            key: 2,
        };
        assert_eq!(chooser.pick(&[]), 0);
        assert_eq!(chooser.pick(&[i32::MIN]), 0);
        assert_eq!(chooser.pick(&[i32::MAX, i32::MIN]), 0);
    }
}
