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

const SMALLEST: f64 = 1.0;
const LARGEST: f64 = 65_535.0;
const HALVINGS: usize = 50;

/// Examples of one score.
#[derive(Clone, Copy, Default)]
struct Column {
    count: u32,
    points: f64,
}

/// The scale fitted to the results of examples; `None` when results do not follow scores.
#[must_use]
pub(super) fn fit(examples: &[Example]) -> Option<f64> {
    let mut columns = vec![Column::default(); 1 << 16];
    for example in examples {
        let column = &mut columns[usize::from(example.score as u16)];
        column.count += 1;
        column.points += f64::from(example.result.points());
    }
    let columns: Vec<(f64, Column)> = (i16::MIN..=i16::MAX)
        .map(|score| (f64::from(score), columns[usize::from(score as u16)]))
        .filter(|(_, column)| column.count > 0)
        .collect();
    // The likelihood has a single peak; below it a larger scale is too sure of itself.
    let too_sure = |scale: f64| {
        let slope: f64 = columns
            .iter()
            .map(|&(score, column)| {
                let expected = f64::from(column.count) / (1.0 + (-score / scale).exp());
                score * (column.points - expected)
            })
            .sum();
        slope < 0.0
    };
    let (mut low, mut high) = (SMALLEST, LARGEST);
    if too_sure(high) || !too_sure(low) {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if too_sure(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}
