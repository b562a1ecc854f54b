//! What the network is to say of an example, and how wrong it is.

use crate::data::Example;

#[must_use]
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The target: the game's result mixed with the chance to win that the score stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Objective {
    /// The part of the result in it, 0 to 1.
    pub wdl: f32,
    /// Units of the score in one logit.
    pub scale: f32,
}

/// How wrong a logit is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loss {
    pub(super) squared: f32,
    /// By how much the squared error grows with the logit.
    pub(super) slope: f32,
}

impl Objective {
    pub(super) fn target(self, example: &Example) -> f32 {
        let expected = sigmoid(f32::from(example.score) / self.scale);
        self.wdl * example.result.points() + (1.0 - self.wdl) * expected
    }
}

impl Loss {
    #[inline(always)]
    pub(super) fn of(logit: f32, target: f32) -> Self {
        let says = sigmoid(logit);
        let error = says - target;
        Self {
            squared: error * error,
            slope: 2.0 * error * says * (1.0 - says),
        }
    }
}
