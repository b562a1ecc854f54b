//! Accuracy as lichess computes it, from evaluations in centipawns; see
//! <https://lichess.org/page/accuracy>.

use movegen::Color;

/// The plies of a window over which the volatility of a game is measured.
const MIN_WINDOW: usize = 2;
const MAX_WINDOW: usize = 8;
const PLIES_PER_WINDOW_PLY: usize = 10;

/// The limits of a move's weight: the standard deviation of Win% around it.
const MIN_WEIGHT: f64 = 0.5;
const MAX_WEIGHT: f64 = 12.0;

/// Evaluations are limited to this, so that neither winning chances nor the average loss depend on
/// how decided a game is.
pub(super) const MAX_CENTIPAWNS: i32 = 1000;

/// Returns the winning chances of people, from −1 to 1.
pub(super) fn winning_chances(centipawns: i32) -> f64 {
    2.0 / (1.0 + (-0.003_682_08 * f64::from(centipawns)).exp()) - 1.0
}

/// Returns the winning chances in percent (Win%).
pub(super) fn win_percent(centipawns: i32) -> f64 {
    50.0 + 50.0 * winning_chances(centipawns)
}

/// Returns the accuracy of a move in percent (Accuracy%), given its side's Win% before and after
/// it.
pub(super) fn move_accuracy(before: f64, after: f64) -> f64 {
    let lost = (before - after).max(0.0);
    (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

/// A move's side and accuracy.
pub(super) type MoveAccuracy = (Color, f64);

/// Returns the accuracy of a side in a game: the mean of the harmonic mean of its moves'
/// accuracies and of their mean weighted by volatility. `percents` are White's Win% before the
/// first and after each move. `None` without moves.
pub(super) fn game_accuracy(
    side: Color,
    percents: &[f64],
    accuracies: &[MoveAccuracy],
) -> Option<f64> {
    let size = (accuracies.len() / PLIES_PER_WINDOW_PLY).clamp(MIN_WINDOW, MAX_WINDOW);
    let (mut count, mut reciprocals, mut weights, mut weighted) = (0.0, 0.0, 0.0, 0.0);
    for (ply, &(mover, accuracy)) in accuracies.iter().enumerate() {
        if mover != side {
            continue;
        }
        let start = (ply + 2).saturating_sub(size);
        let window = percents.iter().skip(start).take(size);
        let weight = standard_deviation(window).clamp(MIN_WEIGHT, MAX_WEIGHT);
        count += 1.0;
        reciprocals += 1.0 / accuracy.max(1.0);
        weights += weight;
        weighted += weight * accuracy;
    }
    (count > 0.0).then(|| f64::midpoint(count / reciprocals, weighted / weights))
}

fn standard_deviation<'a>(values: impl Iterator<Item = &'a f64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares = values.map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use movegen::Color::{Black, White};

    use super::{game_accuracy, move_accuracy, win_percent};

    fn near(value: f64, expected: f64) -> bool {
        (value - expected).abs() < 0.005
    }

    /// The published equations, evaluated with a calculator.
    #[test]
    fn win_and_accuracy_percents() {
        for (centipawns, expected) in [(0, 50.0), (100, 59.10), (-300, 24.89), (1000, 97.54)] {
            let percent = win_percent(centipawns);
            assert!(near(percent, expected), "{centipawns}: {percent}");
        }
        for (before, after, expected) in [
            (50.0, 50.0, 100.0),
            (50.0, 70.0, 100.0),
            (60.0, 50.0, 63.58),
            (97.54, 2.46, 0.0),
        ] {
            let accuracy = move_accuracy(before, after);
            assert!(near(accuracy, expected), "{before} {after}: {accuracy}");
        }
    }

    /// White: 100 and 50 with the weights 0.5 and 10; the harmonic mean is 66.67, the weighted mean
    /// 52.38.
    #[test]
    fn the_accuracy_of_a_game() {
        let moves = [(White, 100.0), (Black, 100.0), (White, 50.0)];
        let percents = [50.0, 50.0, 50.0, 30.0];
        let white = game_accuracy(White, &percents, &moves).expect("a move");
        assert!(near(white, 59.52), "{white}");
        let black = game_accuracy(Black, &percents, &moves).expect("a move");
        assert!(near(black, 100.0), "{black}");
        assert_eq!(game_accuracy(Black, &percents[..2], &moves[..1]), None);
    }
}
