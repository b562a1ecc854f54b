//! What must hold of the trainer as a whole: gradients, learning, and that a run can be had
//! again bit for bit.

mod gradient;
mod program;
mod same;

use super::learner::{Learner, Pace, State};
use super::objective::Objective;
use super::order::Order;
use super::rounding;
use super::{Kernel, scale};
use crate::data::{Example, GameResult};
use crate::rng::Rng;
use movegen::{Position, Role};
use search::net::Shape;

const SCALE: f32 = 200.0;

/// Two king buckets, so that everything that several need is at work.
fn two_kings(hidden: usize) -> Shape {
    let map = std::array::from_fn(|square| u8::from(square >= 8));
    Shape::new(hidden, 2, 8, map).unwrap()
}

/// What a beginner counts, in units.
fn material(position: &Position) -> i16 {
    let worth = [100, 300, 300, 500, 900];
    let count = |color| -> i32 {
        let men = Role::ALL.into_iter().zip(worth);
        men.map(|(role, worth)| position.pieces(color, role).count() as i32 * worth)
            .sum()
    };
    (count(position.turn()) - count(!position.turn())) as i16
}

/// Positions of random games, with scores that follow the material and results by chance.
fn examples(walks: std::ops::Range<u64>) -> Vec<Example> {
    let mut rng = Rng::new(walks.start, 1);
    let positions = walks.flat_map(rounding::walk);
    positions
        .map(|position| {
            let results = [GameResult::Lost, GameResult::Drawn, GameResult::Won];
            let result = results[rng.below(3)];
            Example::new(&position, material(&position), result)
        })
        .collect()
}

fn learner(shape: Shape, kernel: Kernel, threads: usize, wdl: f32) -> Learner {
    taught(shape, State::new(&shape, 1), kernel, threads, wdl)
}

/// One that has got as far as this state.
fn taught(shape: Shape, state: State, kernel: Kernel, threads: usize, wdl: f32) -> Learner {
    let objective = Objective { wdl, scale: SCALE };
    Learner::new(shape, state, objective, kernel, threads).unwrap()
}

#[test]
fn a_handful_is_learnt_by_heart() {
    // Late enough that no two games have the same position.
    let late = examples(0..3).into_iter().skip(10);
    let few: Vec<Example> = late.step_by(15).collect();
    for shape in [Shape::without_king_buckets(64, 8).unwrap(), two_kings(64)] {
        let mut learner = learner(shape, Kernel::best(), 1, 0.5);
        let order = Order::new(few.len(), 1, 0);
        let before = learner.judge(&few);
        for step in 0..1500 {
            let pace = Pace {
                rate: if step < 1000 { 0.003 } else { 0.0003 },
                decay: 0.0,
            };
            learner.step(&few, &order, 0..few.len(), pace);
        }
        let after = learner.judge(&few);
        assert!(before > 0.02 && after < 1e-5, "{before} {after}");
    }
}

/// What is learnt of some games holds in others: material is what there is to find.
#[test]
fn what_is_learnt_holds_elsewhere() {
    // Few of many games: else games are learnt by heart, not what matters in them.
    let some = |walks| -> Vec<Example> { examples(walks).into_iter().step_by(12).collect() };
    let (seen, unseen) = (some(0..600), some(600..650));
    let shape = Shape::without_king_buckets(64, 8).unwrap();
    let mut learner = learner(shape, Kernel::best(), 2, 0.0);
    let before = learner.judge(&unseen);
    for epoch in 0..40 {
        let order = Order::new(seen.len(), 1, epoch);
        for batch in 0..seen.len() / 256 {
            let pace = Pace {
                rate: 0.003,
                decay: 0.01,
            };
            learner.step(&seen, &order, batch * 256..(batch + 1) * 256, pace);
        }
    }
    let after = learner.judge(&unseen);
    assert!(after < before / 4.0, "{before} {after}");
}

#[test]
fn the_scale_is_found_again() {
    let mut rng = Rng::new(5, 5);
    let true_scale = 173.0;
    let example = |rng: &mut Rng, results: &dyn Fn(f64, f64) -> GameResult| {
        let score = rng.below(1201) as i16 - 600;
        let chance = 1.0 / (1.0 + (-f64::from(score) / true_scale).exp());
        let result = results(chance, rng.unit());
        Example::new(&Position::default(), score, result)
    };
    let by_chance = |chance: f64, drawn: f64| {
        if drawn < chance {
            GameResult::Won
        } else {
            GameResult::Lost
        }
    };
    let games: Vec<Example> = (0..40_000).map(|_| example(&mut rng, &by_chance)).collect();
    let found = scale::fit(&games).unwrap();
    assert!((found - true_scale).abs() < 5.0, "{found}");

    let drawn = |_: f64, _: f64| GameResult::Drawn;
    let games: Vec<Example> = (0..100).map(|_| example(&mut rng, &drawn)).collect();
    assert_eq!(scale::fit(&games), None);
}
