//! The model that makes counted games most likely.

use super::counts::Counts;
use search::wdl::Model;

/// With less material than this, and with more, no game was ever played.
const MATERIAL: [u32; 2] = [0, 78];
/// Narrower curves are steps.
const NARROWEST: f64 = 5.0;
const FIRST_STEP: f64 = 32.0;
const LAST_STEP: f64 = 0.125;

/// The chances to win, draw and lose.
pub(super) fn chances(model: &Model, material: u32, value: i32) -> [f64; 3] {
    let curve = model.curve(material);
    let (win, loss) = (curve.win(value.into()), curve.win((-value).into()));
    [win, 1.0 - win - loss, loss]
}

/// Up to a constant; impossible models have none.
fn log_likelihood(model: &Model, counts: &Counts) -> Option<f64> {
    const LEAST: f64 = 1e-12;
    if MATERIAL
        .iter()
        .any(|&material| model.curve(material).width < NARROWEST)
    {
        return None;
    }
    let places = counts.iter().map(|(&(material, value), outcomes)| {
        let chances = chances(model, material, value);
        let outcomes = outcomes.iter().zip(chances);
        outcomes
            .map(|(&times, chance)| times as f64 * chance.max(LEAST).ln())
            .sum::<f64>()
    });
    Some(places.sum())
}

/// Climbs along one number at a time, with shorter and shorter steps. The numbers are middle
/// and width with no material and with all: they hang together less than constants and slopes.
pub(super) fn fit(counts: &Counts, start: Model) -> Model {
    let ends = MATERIAL.map(|material| start.curve(material));
    let mut numbers = [ends[0].middle, ends[1].middle, ends[0].width, ends[1].width];
    let likelihood = |numbers: [f64; 4]| log_likelihood(&model(numbers), counts);
    let mut best = likelihood(numbers);
    let mut step = FIRST_STEP;
    while step >= LAST_STEP {
        let mut improved = false;
        for number in 0..numbers.len() {
            for change in [step, -step] {
                let mut tried = numbers;
                tried[number] += change;
                let found = likelihood(tried);
                if found > best {
                    (numbers, best, improved) = (tried, found, true);
                    break;
                }
            }
        }
        if !improved {
            step /= 2.0;
        }
    }
    model(numbers)
}

fn model([middle_without, middle_with, width_without, width_with]: [f64; 4]) -> Model {
    Model {
        middle: (middle_without, middle_with - middle_without),
        width: (width_without, width_with - width_without),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that went exactly as a model has it.
    #[test]
    fn a_model_is_found_again_from_its_games() {
        let truth = Model {
            middle: (250.0, -60.0),
            width: (45.0, 30.0),
        };
        let mut counts = Counts::default();
        for material in (10..=78).step_by(4) {
            for value in (-600..=600).step_by(20) {
                let times = chances(&truth, material, value).map(|chance| chance * 1e4);
                counts
                    .0
                    .insert((material, value), times.map(|times| times.round() as u64));
            }
        }
        let found = fit(&counts, Model::PRESENT);
        for (found, truth) in [
            (found.middle.0, truth.middle.0),
            (found.middle.1, truth.middle.1),
            (found.width.0, truth.width.0),
            (found.width.1, truth.width.1),
        ] {
            assert!((found - truth).abs() < 1.0, "{found} {truth}");
        }
    }
}
