//! The loss, and the scale between scores and logits.

use crate::data::{Example, sigmoid};

/// The target of the network, a mix of the game's result and the search's score, and the loss of
/// a prediction that misses it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Objective {
    /// Weight of the game result, 0 to 1.
    pub(super) wdl: f32,
    /// Score units per logit.
    pub(super) scale: f32,
    /// The power of the error that is the loss.
    pub(super) power: f32,
    /// The weight of predictions above the target, relative to those below.
    pub(super) above: f32,
}

impl Objective {
    pub(super) fn target(self, example: &Example) -> f32 {
        let expected = sigmoid(f32::from(example.score) / self.scale);
        example.result.map_or(expected, |result| {
            self.wdl * result.points() + (1.0 - self.wdl) * expected
        })
    }

    /// The loss of a prediction, and its derivative with respect to the logit.
    #[inline(always)]
    pub(super) fn loss(self, logit: f32, target: f32) -> (f32, f32) {
        let prediction = sigmoid(logit);
        let error = prediction - target;
        let mut weight = if error > 0.0 { self.above } else { 1.0 };
        // Below a power of 2 the weight of an error of zero is infinite, and the loss NaN.
        if self.power != 2.0 && error != 0.0 {
            weight *= error.abs().powf(self.power - 2.0);
        }
        let slope = self.power * weight * error * prediction * (1.0 - prediction);
        (weight * error * error, slope)
    }
}

/// The scale at which the sigmoid of the scores makes the results most likely; `None` when
/// results do not depend on scores.
#[must_use]
pub(super) fn fit_scale(examples: &[Example]) -> Option<f64> {
    const BISECTIONS: usize = 50;
    // Examples and points by score.
    let mut counts = vec![(0u32, 0.0); 1 << 16];
    for example in examples {
        let (count, points) = &mut counts[usize::from(example.score as u16)];
        if let Some(result) = example.result {
            *count += 1;
            *points += f64::from(result.points());
        }
    }
    let scores: Vec<(f64, f64, f64)> = (i16::MIN..=i16::MAX)
        .map(|score| (score, counts[usize::from(score as u16)]))
        .filter(|(_, (count, _))| *count > 0)
        .map(|(score, (count, points))| (f64::from(score), f64::from(count), points))
        .collect();
    // The log-likelihood has one maximum; its slope is negative at every smaller scale.
    let too_small = |scale: f64| {
        let terms = scores.iter().map(|&(score, count, points)| {
            let expected = count / (1.0 + (-score / scale).exp());
            score * (points - expected)
        });
        terms.sum::<f64>() < 0.0
    };
    let (mut low, mut high) = (1.0f64, 65_535.0);
    if too_small(high) || !too_small(low) {
        return None;
    }
    for _ in 0..BISECTIONS {
        let middle = (low * high).sqrt();
        if too_small(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}
