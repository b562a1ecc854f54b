//! `castellan-train fit-wdl`: the win-rate model of `search::wdl`, fitted to games.
//!
//! The model says how often a position is won, drawn and lost, by its value and the material
//! left. Found are the numbers that make the games most likely; to be put in place by hand.

use crate::data::{Chunk, Chunks, DataError, Filter, Game};
use movegen::Color;
use rayon::prelude::*;
use search::wdl::{Model, material};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Leave out positions before this ply of the game
    #[arg(long, default_value_t = 16, value_name = "PLY")]
    from_ply: usize,
}

#[derive(Debug, Error)]
pub enum FitError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("the files have no position from ply {from_ply} on to fit the model to")]
    Empty { from_ply: usize },
    #[error("what was found cannot be written: {0}")]
    Output(#[from] io::Error),
}

pub fn run(args: &Args) -> Result<(), FitError> {
    let filter = Filter {
        from_ply: args.from_ply,
        score_within: LARGEST_VALUE,
        keep_noisy: true,
    };
    let mut counts = Counts::default();
    for path in &args.files {
        count_file(path, &filter, &mut counts)?;
    }
    if counts.is_empty() {
        return Err(FitError::Empty {
            from_ply: args.from_ply,
        });
    }
    let model = fit(&counts, Model::PRESENT);
    report(&mut io::stdout().lock(), &model, &counts)?;
    Ok(())
}

fn count_file(path: &Path, filter: &Filter, counts: &mut Counts) -> Result<(), DataError> {
    let mut chunks = Chunks::open(path)?;
    loop {
        let some = chunks.by_ref().take(4 * rayon::current_num_threads());
        let some: Vec<Chunk> = some.collect::<Result<_, _>>()?;
        if some.is_empty() {
            return Ok(());
        }
        let parts = some.par_iter().map(|chunk| {
            let mut counts = Counts::default();
            for game in &chunk.games()? {
                counts.add(game, filter);
            }
            Ok(counts)
        });
        for part in parts.collect::<Result<Vec<_>, DataError>>()? {
            counts.merge(part);
        }
    }
}

/// The numbers as the source has them, and how the model compares with what happened.
fn report(out: &mut impl Write, model: &Model, counts: &Counts) -> io::Result<()> {
    for (name, (constant, slope)) in [("middle", model.middle), ("width", model.width)] {
        writeln!(out, "{name}: ({constant:.1}, {slope:.1}),")?;
    }
    writeln!(
        out,
        "\n      value   positions   won: games / model   drawn: games / model"
    )?;
    for (low, row) in rows(model, counts) {
        let Row {
            times,
            happened,
            expected,
        } = row;
        let share = |part: f64| 100.0 * part / times;
        writeln!(
            out,
            "{low:>6} .. {:>4} {times:>10} {:>10.1}% / {:>5.1}% {:>13.1}% / {:>5.1}%",
            low + ROW - 1,
            share(happened[0]),
            share(expected[0]),
            share(happened[1]),
            share(expected[1]),
        )?;
    }
    Ok(())
}

/// Values to a row, and how far rows go.
const ROW: i32 = 100;
const LAST_ROW: i32 = 500;

#[derive(Clone, Copy, Default)]
struct Row {
    times: f64,
    /// Won and drawn.
    happened: [f64; 2],
    /// The same by the model.
    expected: [f64; 2],
}

fn rows(model: &Model, counts: &Counts) -> BTreeMap<i32, Row> {
    let mut rows = BTreeMap::new();
    for (&(material, value), outcomes) in counts.iter() {
        let low = value.div_euclid(ROW) * ROW;
        if !(-LAST_ROW..LAST_ROW).contains(&low) {
            continue;
        }
        let chances = chances(model, material, value);
        let times = outcomes.iter().sum::<u64>() as f64;
        let row: &mut Row = rows.entry(low).or_default();
        row.times += times;
        for outcome in [Outcome::Won, Outcome::Drawn] {
            row.happened[outcome as usize] += outcomes[outcome as usize] as f64;
            row.expected[outcome as usize] += chances[outcome as usize] * times;
        }
    }
    rows
}

/// With less material than this, and with more, no game was ever played.
const MATERIAL: [u32; 2] = [0, 78];
/// Narrower curves are steps.
const NARROWEST: f64 = 5.0;
const FIRST_STEP: f64 = 32.0;
const LAST_STEP: f64 = 0.125;

/// The chances to win, draw and lose.
fn chances(model: &Model, material: u32, value: i32) -> [f64; 3] {
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
fn fit(counts: &Counts, start: Model) -> Model {
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

/// Values are taken together so many at a time.
const STEP: i32 = 10;
/// Beyond this nothing is uncertain any more.
const LARGEST_VALUE: i16 = 2000;

/// What became of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Won,
    Drawn,
    Lost,
}

/// By material and value, how often each outcome was met.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Counts(BTreeMap<(u32, i32), [u64; 3]>);

impl Counts {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = (&(u32, i32), &[u64; 3])> {
        self.0.iter()
    }

    /// The positions of a game that pass the filter, but for those in check.
    fn add(&mut self, game: &Game, filter: &Filter) {
        for (position, ply) in game.positions() {
            if !filter.takes(&position, ply) || position.in_check() {
                continue;
            }
            let turn = position.side_to_move();
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

    fn merge(&mut self, other: Self) {
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
