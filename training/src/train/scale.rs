//! How many units of the score one logit is worth: the scale at which the sigmoid of the score
//! makes the games' results most likely.

use crate::data::Example;

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
