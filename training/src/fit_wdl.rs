//! `castellan-train fit-wdl`: fits the win-rate model of `search::wdl` to games.
//!
//! The model gives the probabilities of win, draw and loss by score and material. The fitted
//! parameters maximize the likelihood of the games; they are copied into the source by hand.

use crate::data::{Chunk, GameRecord, PositionFilter, par_chunks};
use crate::progress::output_error;
use anyhow::{Result, bail};
use search::wdl::{Model, material};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Game files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Skip positions before this ply of the game
    #[arg(long, default_value_t = 16, value_name = "PLY")]
    from_ply: usize,
}

/// Positions with scores beyond this are decided and say nothing about the model.
const MAX_SCORE: i16 = 2000;

pub fn run(args: &Args) -> Result<()> {
    let filter = PositionFilter {
        from_ply: args.from_ply,
        score_within: MAX_SCORE,
        keep_noisy: true,
    };
    let mut counts = Counts::default();
    let count = |chunk: &Chunk| {
        let mut counts = Counts::default();
        for game in &chunk.games()? {
            counts.add(game, &filter);
        }
        Ok(counts)
    };
    par_chunks(&args.files, count, |part| counts.merge(part))?;
    if counts.0.is_empty() {
        let ply = args.from_ply;
        bail!("no positions of games with results at or after ply {ply}");
    }
    let model = fit(&counts, Model::PRESENT);
    let printed = print(&mut io::stdout().lock(), &model);
    printed.map_err(|error| output_error(&error))
}

/// Counts of each result (loss, draw, win), by material and score.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Counts(BTreeMap<(u32, i32), [u64; 3]>);

impl Counts {
    /// Adds the positions of a game with a result that pass the filter and are not in check, from
    /// the point of view of the side to move.
    fn add(&mut self, game: &GameRecord, filter: &PositionFilter) {
        const STEP: i32 = 10;
        for (position, played) in filter.positions(game) {
            if position.in_check() {
                continue;
            }
            let side = position.side_to_move();
            let Some(result) = game.result_for(side) else {
                return;
            };
            let score = f64::from(played.score_for(side));
            let rounded = (score / f64::from(STEP)).round() as i32 * STEP;
            let results = self.0.entry((material(&position), rounded)).or_default();
            results[result as usize] += 1;
        }
    }

    fn merge(&mut self, other: Self) {
        for (key, more) in other.0 {
            let results = self.0.entry(key).or_default();
            for (count, more) in results.iter_mut().zip(more) {
                *count += more;
            }
        }
    }
}

/// The model's probabilities of loss, draw and win.
fn probabilities(model: &Model, material: u32, score: i32) -> [f64; 3] {
    let curve = model.curve(material);
    let (win, loss) = (curve.win(score.into()), curve.win((-score).into()));
    [loss, 1.0 - win - loss, win]
}

/// The minimum, half the maximum, and the maximum of material.
const MATERIAL: [u32; 3] = [0, 39, 78];

/// The log-likelihood of the counts up to a constant; `None` for models that are too steep.
fn log_likelihood(model: &Model, counts: &Counts) -> Option<f64> {
    const MIN_WIDTH: f64 = 5.0;
    const MIN_PROBABILITY: f64 = 1e-12;
    let mut widths = (MATERIAL[0]..=MATERIAL[2]).map(|material| model.curve(material).width);
    if widths.any(|width| width < MIN_WIDTH) {
        return None;
    }
    let terms = counts.0.iter().map(|(&(material, score), results)| {
        let results = results.iter().zip(probabilities(model, material, score));
        results
            .map(|(&count, probability)| count as f64 * probability.max(MIN_PROBABILITY).ln())
            .sum::<f64>()
    });
    Some(terms.sum())
}

/// The polynomial with these values at `MATERIAL`.
fn polynomial([low, half, high]: [f64; 3]) -> [f64; 3] {
    [
        low,
        4.0 * half - 3.0 * low - high,
        2.0 * (low - 2.0 * half + high),
    ]
}

/// Maximizes the likelihood by coordinate ascent with shrinking steps. The coordinates are middle
/// and width at `MATERIAL`, which are less correlated than the coefficients.
fn fit(counts: &Counts, start: Model) -> Model {
    const FIRST_STEP: f64 = 32.0;
    const LAST_STEP: f64 = 0.125;
    let curves = MATERIAL.map(|material| start.curve(material));
    let mut point = [
        curves.map(|curve| curve.middle),
        curves.map(|curve| curve.width),
    ];
    let model = |[middles, widths]: [[f64; 3]; 2]| Model {
        middle: polynomial(middles),
        width: polynomial(widths),
    };
    let mut best = log_likelihood(&model(point), counts);
    let mut step = FIRST_STEP;
    while step >= LAST_STEP {
        let mut improved = false;
        for coordinate in 0..2 * MATERIAL.len() {
            for change in [step, -step] {
                let mut candidate = point;
                candidate[coordinate / MATERIAL.len()][coordinate % MATERIAL.len()] += change;
                let likelihood = log_likelihood(&model(candidate), counts);
                if likelihood > best {
                    (point, best, improved) = (candidate, likelihood, true);
                    break;
                }
            }
        }
        if !improved {
            step /= 2.0;
        }
    }
    model(point)
}

/// Prints the parameters as the source has them.
fn print(out: &mut impl Write, model: &Model) -> io::Result<()> {
    for (name, [constant, linear, quadratic]) in [("middle", model.middle), ("width", model.width)]
    {
        writeln!(out, "{name}: [{constant:.1}, {linear:.1}, {quadratic:.1}],")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{GameResult, ScoredMove, Termination};
    use movegen::{Color, Position};

    /// After 1. e4 d5 2. exd5, won by White, the captured pawn no longer counts as material.
    /// Nothing counts without a result.
    #[test]
    fn positions_count_for_the_side_to_move() {
        let mut position = Position::default();
        let mut moves = Vec::new();
        for (mv, score) in [("e2e4", 31), ("d7d5", -44), ("e4d5", 96), ("d8d5", 0)] {
            let mv = position.move_from_uci(mv).unwrap();
            moves.push(ScoredMove { mv, score });
            position = position.play_unchecked(mv);
        }
        let game = GameRecord {
            number: 0,
            start: Position::default(),
            moves,
            winner: Some(Color::White),
            termination: Termination::Adjudication,
        };
        let filter = PositionFilter {
            from_ply: 1,
            score_within: MAX_SCORE,
            keep_noisy: true,
        };
        let mut counts = Counts::default();
        counts.add(&game, &filter);
        counts.merge(counts.clone());
        let (loss, win) = (GameResult::Loss as usize, GameResult::Win as usize);
        let twice = |result| std::array::from_fn(|index| u64::from(index == result) * 2);
        let expected = [
            // Black moved with a score of -(-44), White with 96, Black with 0 and a pawn less.
            ((78, 40), twice(loss)),
            ((78, 100), twice(win)),
            ((77, 0), twice(loss)),
        ];
        assert_eq!(counts, Counts(expected.into()));

        let fragment = GameRecord {
            termination: Termination::Unfinished,
            ..game
        };
        let mut counts = Counts::default();
        counts.add(&fragment, &filter);
        assert_eq!(counts, Counts::default());
    }

    #[test]
    fn fit_recovers_the_model_of_exact_counts() {
        let truth = Model {
            middle: [250.0, -60.0, 25.0],
            width: [45.0, 30.0, -15.0],
        };
        let mut counts = Counts::default();
        for material in (10..=78).step_by(4) {
            for score in (-600..=600).step_by(20) {
                let counted = probabilities(&truth, material, score)
                    .map(|probability| (probability * 1e4).round() as u64);
                counts.0.insert((material, score), counted);
            }
        }
        let found = fit(&counts, Model::PRESENT);
        for material in MATERIAL {
            let (found, truth) = (found.curve(material), truth.curve(material));
            let difference =
                (found.middle - truth.middle).abs() + (found.width - truth.width).abs();
            assert!(difference < 1.0, "{material}: {found:?} {truth:?}");
        }
    }
}
